/** What the scan statement answers; null columns where nothing matches. */
export interface ScanRow {
  is_closed: boolean;
  purchase_id: number | null;
  code: string;
  article_id: number;
  article_name: string;
  /** When this statement recorded the scan; null when it did not. */
  recorded_at: Date | null;
  first_at: Date | null;
  first_by_id: number;
  first_by_name: string;
}

/** SQLSTATE of the scan statement when another transaction was faster: nothing was written, so try again. */
export const OVERTAKEN = 'RC001';

/**
 * The whole scan in one statement and one round trip: finds the purchase, and if the session is open and the
 * purchase not scanned yet, counts it and marks its line. No row: there is no such session.
 *
 * Counting comes first and finds no counter once the session is closed; marking finds no line once another phone was
 * faster or the purchase was deleted. In both cases the statement fails as a whole, so that the figures and the lines
 * never differ, and the next try sees what has happened. Backends count in different parts, so phones do not wait.
 */
export const scan = (inventoryId: number, candidates: string[], userId: number) => ({
  name: 'inventory-scan',
  text: `
    WITH session AS (
      SELECT id, closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 AND deleted_at IS NULL
    ), asked AS (
      SELECT p.id AS purchase_id, p.code, a.id AS article_id, a.name AS article_name,
        l.scan_id IS NOT NULL AS is_scanned, l.scanned_at, l.scanned_by
      FROM unnest($2::text[]) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
      WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL
      ORDER BY tried.rank LIMIT 1
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + 1
      FROM session, asked
      WHERE NOT session.is_closed AND NOT asked.is_scanned
        AND c.inventory_id = $1 AND c.shard = pg_backend_pid() % 16
      RETURNING asked.purchase_id
    ), marked AS (
      UPDATE inventory_lines l
      SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(), scanned_by = $3
      FROM counted
      WHERE l.inventory_id = $1 AND l.purchase_id = counted.purchase_id AND l.scan_id IS NULL
      RETURNING l.scanned_at
    )
    SELECT session.is_closed, asked.purchase_id, asked.code, asked.article_id, asked.article_name,
      marked.scanned_at AS recorded_at,
      asked.scanned_at AS first_at, u.id AS first_by_id, u.name AS first_by_name,
      CASE WHEN NOT session.is_closed AND NOT asked.is_scanned AND marked.scanned_at IS NULL
        THEN scan_was_overtaken() END
    FROM session LEFT JOIN asked ON true LEFT JOIN marked ON true LEFT JOIN users u ON u.id = asked.scanned_by`,
  values: [inventoryId, candidates, userId],
});
