import type { Source } from '../inventories/inventory-line.entity.js';
import type { ScanOutcome } from './scans.dto.js';
import { MAX_UNDECIDED } from './scans.queries.js';

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

/** What is known of a scan before it is judged. */
export interface Facts {
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
    first: { scan_id: number; at: Date; by: { id: number; name: string } } | null;
  } | null;
  /** Where it was found, also where that was deleted since; null where no such place was sent. */
  place: (Place & { is_deleted: boolean }) | null;
}

/** Live, or scanned in this session before it was deleted. */
const MAY_BE_READ = `(p.deleted_at IS NULL
        OR EXISTS (SELECT FROM inventory_lines WHERE inventory_id = session.id AND purchase_id = p.id AND scan_id IS NOT NULL)
        OR EXISTS (SELECT FROM inventory_unexpected WHERE inventory_id = session.id AND purchase_id = p.id))`;

/** Of a purchase, by its label or else by another code of it. */
const FOUND = ['id', 'code', 'deleted_at', 'disposed_on', 'article_id', 'location_id']
  .map((column) => `coalesce(labelled.${column}, linked.${column}) AS ${column}`)
  .join(', ');

/** The same in columns, which cost PostgreSQL and this process a fraction of what objects do; null where there is none. */
export interface LookedRow {
  asked_at: Date;
  closed_at: Date | null;
  late: number | null;
  known_answer: ScanOutcome | null;
  is_same: boolean;
  purchase_id: number | null;
  code: string;
  alias: string | null;
  is_deleted: boolean;
  disposed_on: string | null;
  article_id: number;
  article_name: string;
  is_expected: boolean;
  scan_id: number;
  scanned_at: Date;
  by_id: number | null;
  by_name: string;
  home_id: number | null;
  home_name: string;
  home_path: string;
  home_lineage: number[];
  place_id: number | null;
  place_name: string;
  place_path: string;
  place_lineage: number[];
  place_is_deleted: boolean;
}

export const factsOf = (row: LookedRow): Facts => ({
  asked_at: row.asked_at,
  closed_at: row.closed_at,
  late: row.late,
  known: row.known_answer && { answer: row.known_answer, is_same: row.is_same },
  purchase: row.purchase_id === null ? null : purchaseOf(row, row.purchase_id),
  place:
    row.place_id === null
      ? null
      : {
          id: row.place_id,
          name: row.place_name,
          path: row.place_path,
          lineage: row.place_lineage,
          is_deleted: row.place_is_deleted,
        },
});

const purchaseOf = (row: LookedRow, id: number): Facts['purchase'] => ({
  id,
  code: row.code,
  alias: row.alias,
  is_deleted: row.is_deleted,
  disposed_on: row.disposed_on,
  article: { id: row.article_id, name: row.article_name },
  place:
    row.home_id === null
      ? null
      : { id: row.home_id, name: row.home_name, path: row.home_path, lineage: row.home_lineage },
  is_expected: row.is_expected,
  first:
    row.by_id === null
      ? null
      : { scan_id: row.scan_id, at: row.scanned_at, by: { id: row.by_id, name: row.by_name } },
});

const FACTS = {
  asked_at: 'clock_timestamp()',
  closed_at: 'session.closed_at',
  late: 'session.late',
  known_answer: 'known.answer',
  is_same: 'known.is_same',
  purchase_id: 'p.id',
  code: 'p.code',
  alias: 'linked.alias',
  is_deleted: 'p.deleted_at IS NOT NULL',
  disposed_on: 'p.disposed_on',
  article_id: 'a.id',
  article_name: 'a.name',
  is_expected: 'l.purchase_id IS NOT NULL',
  scan_id: 'coalesce(l.scan_id, x.scan_id)',
  scanned_at: 'coalesce(l.scanned_at, x.scanned_at)',
  by_id: 'u.id',
  by_name: 'u.name',
  home_id: 'home.id',
  home_name: 'home.name',
  home_path: 'home.path',
  home_lineage: 'home.lineage',
  place_id: 'place.id',
  place_name: 'place.name',
  place_path: 'place.path',
  place_lineage: 'place.lineage',
  place_is_deleted: 'place.deleted_at IS NOT NULL',
} satisfies Record<keyof LookedRow, string>;
export const FACT_NAMES = Object.keys(FACTS) as (keyof LookedRow)[];

export const SESSION = `session AS (
      SELECT id, closed_at, CASE WHEN closed_at IS NOT NULL THEN (SELECT count(*)::integer FROM (
          SELECT FROM inventory_late_scans WHERE inventory_id = $1 AND status = 'waiting' LIMIT ${MAX_UNDECIDED}) kept)
        END AS late
      FROM inventories WHERE id = $1 AND deleted_at IS NULL
    )`;

/**
 * What is known of each scan. Labels of today go before aliases; a deleted purchase is found where the session has
 * scanned it, and where it belongs is looked up for scans that tell a place. No row: there is no such session.
 * Each part is found by an index for each scan (LIMIT 1), which the planner would not choose for a thousand that it takes
 * for more; for a single one it takes longer to plan than to run, so that it is sent where plans are kept. Tables are
 * asked by `session.id`: by `$1` the planner often took a plan for this one session, made anew for each batch, for better.
 */
export const LOOKED = `SELECT i.*, l.line_at, ${FACT_NAMES.map((name) => `${FACTS[name]} AS ${name}`).join(', ')}
    FROM session CROSS JOIN jsonb_to_recordset($2) AS i (n integer, cleaned text, candidates text[], client_id uuid,
      location_id integer, device_scanned_at timestamptz, condition text, note text, source text)
    LEFT JOIN LATERAL (
      SELECT answer, code_key = code_key(i.cleaned) AS is_same
      FROM inventory_answers WHERE inventory_id = session.id AND client_id = i.client_id LIMIT 1
    ) known ON true
    LEFT JOIN LATERAL (
      SELECT p.* FROM unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      WHERE known.answer IS NULL AND ${MAY_BE_READ} ORDER BY tried.rank LIMIT 1
    ) labelled ON true
    LEFT JOIN LATERAL (
      SELECT p.*, c.alias FROM unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
      JOIN purchase_codes c ON c.code_key = code_key(tried.code) AND c.alias IS NOT NULL
      JOIN purchases p ON p.id = c.purchase_id
      WHERE known.answer IS NULL AND labelled.id IS NULL AND ${MAY_BE_READ} ORDER BY tried.rank LIMIT 1
    ) linked ON true
    CROSS JOIN LATERAL (SELECT ${FOUND}) p
    LEFT JOIN LATERAL (SELECT * FROM articles WHERE id = p.article_id LIMIT 1) a ON true
    LEFT JOIN LATERAL (
      SELECT ctid AS line_at, * FROM ONLY inventory_lines WHERE inventory_id = session.id AND purchase_id = p.id LIMIT 1) l ON true
    LEFT JOIN LATERAL (
      SELECT * FROM inventory_unexpected WHERE inventory_id = session.id AND purchase_id = p.id LIMIT 1) x ON true
    LEFT JOIN LATERAL (SELECT * FROM users WHERE id = coalesce(l.scanned_by, x.scanned_by) LIMIT 1) u ON true
    LEFT JOIN LATERAL (
      SELECT * FROM locations WHERE id = p.location_id AND i.location_id IS NOT NULL LIMIT 1) home ON true
    LEFT JOIN locations place ON place.id = i.location_id`;

/** In the order of the scans. */
export const look = (inventoryId: number, items: ScanItem[]) => ({
  name: 'inventory-scan-look',
  text: `WITH ${SESSION} SELECT ${FACT_NAMES.join(', ')} FROM (${LOOKED}) looked ORDER BY n`,
  values: [inventoryId, JSON.stringify(items)],
});
