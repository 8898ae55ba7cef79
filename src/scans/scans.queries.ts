import type { Source } from '../inventories/inventory-line.entity.js';

/** A label that was scanned, of which nothing more was told. */
export interface Plain {
  inventoryId: number;
  candidates: string[];
  userId: number;
  source: Source | null;
}

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

/** Late scans of a session that are kept without a decision, and unknown codes likewise. */
export const MAX_UNDECIDED = 10_000;

/** Whether somebody wants to be told of scans: only then is anything written for the webhooks. */
export const IS_ASKED_FOR = `EXISTS (SELECT FROM webhooks WHERE is_active AND events && '{scan.recorded,*}')`;

/** What a label says, and what an open session knows of it. */
export const asked = (session: string, candidates: string): string =>
  `SELECT p.id AS purchase_id, p.code, a.id AS article_id, a.name AS article_name,
        l.scan_id IS NOT NULL AS is_scanned, l.purchase_id IS NOT NULL AS is_expected,
        l.scan_id, l.scanned_at, l.scanned_by, l.ctid AS line_at
      FROM unnest(${candidates}) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN ONLY inventory_lines l ON l.inventory_id = ${session} AND l.purchase_id = p.id
      WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL
      ORDER BY tried.rank LIMIT 1`;

/**
 * The scan of a label that the session expects, in one statement and one round trip: finds the purchase, and if the
 * session is open and the purchase not scanned yet, counts it and marks its line. No row: there is no such session.
 *
 * Counting comes first and finds no counter once the session is closed; marking finds no line once another phone was
 * faster or the purchase was deleted or disposed of. In both cases the statement fails as a whole, so that the figures
 * and the lines never differ, and the next try sees what has happened. Each counts in a part that nobody else has, so
 * phones do not wait.
 */
export const scan = ({ inventoryId, candidates, userId, source }: Plain) => ({
  name: 'inventory-scan',
  text: `
    WITH session AS (
      SELECT id, closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 AND deleted_at IS NULL
    ), asked AS (
      ${asked('$1', '$2::text[]')}
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + 1
      FROM session, asked
      WHERE NOT session.is_closed AND asked.is_expected AND NOT asked.is_scanned
        AND c.inventory_id = $1 AND c.shard = (SELECT counting_part())
      RETURNING asked.purchase_id
    ), marked AS (
      UPDATE ONLY inventory_lines l
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
