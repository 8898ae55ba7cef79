import { IS_ASKED_FOR, asked } from './scans.queries.js';
import type { Plain, ScanRow } from './scans.queries.js';

/** `n`: of which it is, from 0. */
export type TogetherRow = ScanRow & { n: number };

/**
 * What `scan` does, for many at once, of any sessions and by anybody; all of them or none, in the order of their things,
 * so that no two such statements wait in a circle. Of scans of one thing the first is recorded. No row: of a session that
 * is not there or closed, of what it does not expect, or of a thing that another one of them has recorded.
 */
export const scanTogether = (scans: Plain[]) => ({
  name: 'inventory-scan-together',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT sent.n, sent."userId" AS user_id, sent.source, session.id AS inventory_id, found.*
      FROM jsonb_to_recordset($1) AS sent (n integer, "inventoryId" integer, candidates text[], "userId" integer, source text)
      JOIN inventories session ON session.id = sent."inventoryId" AND session.deleted_at IS NULL AND session.closed_at IS NULL
      CROSS JOIN LATERAL (${asked('session.id', 'sent.candidates')}) found
      WHERE found.is_expected
    ), fresh AS MATERIALIZED (
      SELECT DISTINCT ON (inventory_id, purchase_id) n, inventory_id, purchase_id, line_at, user_id, source
      FROM asked WHERE NOT is_scanned ORDER BY inventory_id, purchase_id, n
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + own.scans
      FROM (SELECT inventory_id, count(*) AS scans FROM fresh GROUP BY inventory_id ORDER BY inventory_id) own
      WHERE c.inventory_id = own.inventory_id AND c.shard = (SELECT counting_part())
      RETURNING c.inventory_id, change_instant() AS at
    ), told AS MATERIALIZED (
      SELECT *, nextval('inventory_scan_seq') AS scan_id
      FROM (SELECT fresh.*, counted.at FROM fresh JOIN counted USING (inventory_id) ORDER BY n) numbered
    ), marked AS (
      UPDATE ONLY inventory_lines l
      SET scan_id = line.scan_id, scanned_at = line.at, scanned_by = line.user_id, source = line.source
      FROM (SELECT * FROM told ORDER BY inventory_id, purchase_id) line
      WHERE l.ctid = line.line_at AND l.scan_id IS NULL
      RETURNING 1
    ), outbox AS (
      INSERT INTO webhook_outbox (at, event, inventory_id, items)
      SELECT min(at), 'scan.recorded', inventory_id, jsonb_agg(jsonb_build_object('scan_id', scan_id, 'purchase_id', purchase_id,
        'scanned_at', at, 'scanned_by', user_id, 'source', source) ORDER BY n)
      FROM told WHERE ${IS_ASKED_FOR} GROUP BY inventory_id
    )
    SELECT asked.n, false AS is_closed, asked.purchase_id, asked.is_expected, asked.code, asked.article_id, asked.article_name,
      told.at AS recorded_at, coalesce(told.scan_id, asked.scan_id) AS scan_id,
      asked.scanned_at AS first_at, u.id AS first_by_id, u.name AS first_by_name,
      CASE WHEN (SELECT count(*) FROM marked) <> (SELECT count(*) FROM fresh) THEN scan_was_overtaken() END
    FROM asked LEFT JOIN told USING (n) LEFT JOIN users u ON u.id = asked.scanned_by
    WHERE asked.is_scanned OR told.n IS NOT NULL OR (SELECT count(*) FROM told) < (SELECT count(*) FROM fresh)`,
  values: [JSON.stringify(scans.map((one, n) => ({ ...one, n })))],
});
