import type { Source } from '../inventories/inventory-line.entity.js';
import type { ScanOutcome } from './scans.dto.js';

/** What the scan statement answers; null columns where nothing matches. */
export interface ScanRow {
  is_closed: boolean;
  purchase_id: number | null;
  /** Whether the session has a line for it. */
  is_expected: boolean;
  code: string;
  article_id: number;
  article_name: string;
  /** When this statement recorded the scan; null when it did not. */
  recorded_at: Date | null;
  /** Of what this statement recorded, or of the first scan. */
  scan_id: number | null;
  first_at: Date | null;
  first_by_id: number;
  first_by_name: string;
}

/** SQLSTATE of the scan statement when another transaction was faster: nothing was written, so try again. */
export const OVERTAKEN = 'RC001';

/** Whether somebody wants to be told of scans: only then is anything written for the webhooks. */
export const IS_ASKED_FOR = `EXISTS (SELECT FROM webhooks WHERE is_active AND events && '{scan.recorded,*}')`;

/**
 * The scan of a label that the session expects, in one statement and one round trip: finds the purchase, and if the
 * session is open and the purchase not scanned yet, counts it and marks its line. No row: there is no such session.
 *
 * Counting comes first and finds no counter once the session is closed; marking finds no line once another phone was
 * faster or the purchase was deleted or disposed of. In both cases the statement fails as a whole, so that the figures and the lines
 * never differ, and the next try sees what has happened. Each counts in a part that nobody else has, so phones do not wait.
 */
export const scan = (
  inventoryId: number,
  candidates: string[],
  userId: number,
  source: Source | null = null,
) => ({
  name: 'inventory-scan',
  text: `
    WITH session AS (
      SELECT id, closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 AND deleted_at IS NULL
    ), asked AS (
      SELECT p.id AS purchase_id, p.code, a.id AS article_id, a.name AS article_name,
        l.scan_id IS NOT NULL AS is_scanned, l.purchase_id IS NOT NULL AS is_expected,
        l.scan_id, l.scanned_at, l.scanned_by
      FROM unnest($2::text[]) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
      WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL
      ORDER BY tried.rank LIMIT 1
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + 1
      FROM session, asked
      WHERE NOT session.is_closed AND asked.is_expected AND NOT asked.is_scanned
        AND c.inventory_id = $1 AND c.shard = (SELECT counting_part())
      RETURNING asked.purchase_id
    ), marked AS (
      UPDATE inventory_lines l
      SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(), scanned_by = $3, source = $4
      FROM counted
      WHERE l.inventory_id = $1 AND l.purchase_id = counted.purchase_id AND l.scan_id IS NULL
      RETURNING l.scan_id, l.scanned_at
    ), told AS (
      INSERT INTO webhook_outbox (at, event, inventory_id, items)
      SELECT marked.scanned_at, 'scan.recorded', $1, jsonb_build_array(jsonb_build_object('scan_id', marked.scan_id,
        'purchase_id', counted.purchase_id, 'scanned_at', marked.scanned_at, 'scanned_by', $3::integer, 'source', $4::varchar))
      FROM marked CROSS JOIN counted WHERE ${IS_ASKED_FOR}
    )
    SELECT session.is_closed, asked.purchase_id, coalesce(asked.is_expected, false) AS is_expected, asked.code, asked.article_id, asked.article_name,
      marked.scanned_at AS recorded_at, coalesce(marked.scan_id, asked.scan_id) AS scan_id,
      asked.scanned_at AS first_at, u.id AS first_by_id, u.name AS first_by_name,
      CASE WHEN NOT session.is_closed AND asked.is_expected AND NOT asked.is_scanned AND marked.scanned_at IS NULL
        THEN scan_was_overtaken() END
    FROM session LEFT JOIN asked ON true LEFT JOIN marked ON true LEFT JOIN users u ON u.id = asked.scanned_by`,
  values: [inventoryId, candidates, userId, source],
});

/** A scan with all that a phone may send; `n` is its place among those of one message. */
export interface ScanItem {
  n: number;
  /** As it was read, as PostgreSQL can hold it. */
  code: string;
  cleaned: string;
  candidates: string[];
  client_id?: string;
  device_scanned_at?: Date;
  location_id?: number;
  condition?: string;
  note?: string;
  source?: Source;
  move?: boolean;
}

interface Place {
  id: number;
  name: string;
  path: string;
  lineage: number[];
}

/** What is known of a scan before it is judged; instants as texts, since they come as JSON. */
export interface Facts {
  n: number;
  asked_at: Date;
  closed_at: Date | null;
  /** Late scans that wait, of a closed session; counted up to the bound. */
  late: number | null;
  /** How the message was answered, and whether it had the same code. */
  known: { answer: ScanOutcome; is_same: boolean } | null;
  purchase: {
    id: number;
    /** Its label of today, and what matched where that is an alias. */
    code: string;
    alias: string | null;
    is_deleted: boolean;
    disposed_on: string | null;
    article: { id: number; name: string };
    place: Place | null;
    is_expected: boolean;
    first: { scan_id: number; at: string; by: { id: number; name: string } } | null;
  } | null;
  /** Where it was found; null where no such place was sent or is there. */
  place: Place | null;
}

/** Late scans of a session that are kept without a decision, and unknown codes likewise. */
export const MAX_UNDECIDED = 10_000;

const PLACE = (alias: string): string =>
  `jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'path', ${alias}.path, 'lineage', ${alias}.lineage)`;

/** Live, or scanned in this session before it was deleted. */
const MAY_BE_READ = `(p.deleted_at IS NULL
        OR EXISTS (SELECT FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = p.id AND scan_id IS NOT NULL)
        OR EXISTS (SELECT FROM inventory_unexpected WHERE inventory_id = $1 AND purchase_id = p.id))`;

/**
 * What is known of each scan, in their order. Labels of today go before aliases; a deleted purchase is found where the
 * session has scanned it. No row: there is no such session. Each part is found by an index for each scan (LIMIT 1),
 * which the planner would not choose for a thousand that it takes for more; for a single one it takes longer to plan than to
 * run, so that it is sent where plans are kept.
 */
export const look = (inventoryId: number, items: ScanItem[]) => ({
  name: 'inventory-scan-look',
  text: `
    WITH session AS (
      SELECT closed_at, CASE WHEN closed_at IS NOT NULL THEN (SELECT count(*)::integer FROM (
          SELECT FROM inventory_late_scans WHERE inventory_id = $1 AND status = 'waiting' LIMIT ${MAX_UNDECIDED}) kept)
        END AS late
      FROM inventories WHERE id = $1 AND deleted_at IS NULL
    )
    SELECT i.n, clock_timestamp() AS asked_at, session.closed_at, session.late, known.known, found.purchase,
      CASE WHEN place.id IS NOT NULL THEN ${PLACE('place')} END AS place
    FROM session CROSS JOIN jsonb_to_recordset($2) AS i (
      n integer, cleaned text, candidates text[], client_id uuid, location_id integer)
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('answer', answer, 'is_same', code_key = code_key(i.cleaned)) AS known
      FROM inventory_answers WHERE inventory_id = $1 AND client_id = i.client_id LIMIT 1
    ) known ON true
    LEFT JOIN LATERAL (
      SELECT p.id FROM unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      WHERE known.known IS NULL AND ${MAY_BE_READ} ORDER BY tried.rank LIMIT 1
    ) labelled ON true
    LEFT JOIN LATERAL (
      SELECT p.id, c.alias FROM unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
      JOIN purchase_codes c ON c.code_key = code_key(tried.code) AND c.alias IS NOT NULL
      JOIN purchases p ON p.id = c.purchase_id
      WHERE known.known IS NULL AND labelled.id IS NULL AND ${MAY_BE_READ} ORDER BY tried.rank LIMIT 1
    ) linked ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('id', p.id, 'code', p.code, 'alias', linked.alias,
        'is_deleted', p.deleted_at IS NOT NULL, 'disposed_on', p.disposed_on, 'article', jsonb_build_object('id', a.id, 'name', a.name),
        'place', CASE WHEN at.id IS NOT NULL THEN ${PLACE('at')} END, 'is_expected', l.purchase_id IS NOT NULL,
        'first', CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
          'scan_id', coalesce(l.scan_id, x.scan_id), 'at', coalesce(l.scanned_at, x.scanned_at),
          'by', jsonb_build_object('id', u.id, 'name', u.name)) END) AS purchase
      FROM purchases p
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN LATERAL (SELECT * FROM locations WHERE id = p.location_id LIMIT 1) at ON true
      LEFT JOIN LATERAL (
        SELECT * FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = p.id LIMIT 1) l ON true
      LEFT JOIN LATERAL (
        SELECT * FROM inventory_unexpected WHERE inventory_id = $1 AND purchase_id = p.id LIMIT 1) x ON true
      LEFT JOIN users u ON u.id = coalesce(l.scanned_by, x.scanned_by)
      WHERE p.id = coalesce(labelled.id, linked.id) LIMIT 1
    ) found ON true
    LEFT JOIN locations place ON place.id = i.location_id AND place.deleted_at IS NULL
    ORDER BY i.n`,
  values: [inventoryId, JSON.stringify(items)],
});
