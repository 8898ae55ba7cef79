import type { Scanner } from './keep.queries.js';
import { MARKED, OUTBOX } from './keep.queries.js';
import { FACT_NAMES, LOOKED, SESSION } from './look.queries.js';
import type { LookedRow, ScanItem } from './look.queries.js';

/** What is known of a scan, and what it was recorded as, if it was. */
export interface RecordedRow extends LookedRow {
  recorded_id?: number | null;
  recorded_at?: Date;
}

/** Expected, found by this scan for the first time, and where it belongs if a place was sent. */
const IS_PLAIN = `is_expected AND known_answer IS NULL AND scan_id IS NULL
        AND (location_id IS NULL OR place_id IS NOT NULL AND NOT place_is_deleted
          AND (home_id IS NULL OR place_id = ANY (home_lineage) OR home_id = ANY (place_lineage)))`;

/** As judge() would have it. */
const ANSWER = `jsonb_build_object('reason', 'recorded', 'code', coalesce(alias, code), 'scanned_at', at, 'scan_id', scan_id,
        'purchase', jsonb_build_object('id', purchase_id, 'code', code,
          'article', jsonb_build_object('id', article_id, 'name', article_name)))
      || CASE WHEN location_id IS NULL THEN '{}' ELSE jsonb_build_object('misplaced', false, 'expected_location',
        CASE WHEN home_id IS NOT NULL THEN jsonb_build_object('id', home_id, 'name', home_name, 'path', home_path) END) END`;

/**
 * Looks at scans as `look` does, and where all of them are plain, as they mostly are, records them too: one round trip
 * rather than two, and nothing to be judged. Otherwise nothing is written. It fails where another transaction was faster,
 * and holds things in the same order as `keep`.
 */
export const record = (inventoryId: number, items: ScanItem[], by: Scanner) => ({
  name: 'inventory-scan-record',
  text: `
    WITH ${SESSION}, looked AS MATERIALIZED (
      ${LOOKED}
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + plain.scans
      FROM (SELECT count(*) AS scans FROM looked
        HAVING bool_and(${IS_PLAIN})
          AND count(DISTINCT purchase_id) = count(*)) plain
      WHERE c.inventory_id = $1 AND c.shard = (SELECT counting_part())
      RETURNING change_instant() AS at
    ), told AS MATERIALIZED (
      SELECT n, 'line' AS target, line_at, nextval('inventory_scan_seq') AS scan_id, at, at AS counts_at, NULL::timestamptz AS recorded_at,
        client_id, code_key(cleaned) AS code_key, device_scanned_at, condition, note, source, location_id,
        purchase_id, code, alias, article_id, article_name, home_id, home_name, home_path
      FROM (SELECT looked.*, counted.at FROM looked CROSS JOIN counted ORDER BY n) plain
    ), ${MARKED}, ${OUTBOX}, kept AS (
      INSERT INTO inventory_answers (inventory_id, client_id, code_key, scan_id, answer)
      SELECT $1, client_id, code_key, scan_id, ${ANSWER}
      FROM told WHERE client_id IS NOT NULL ORDER BY client_id
    )
    SELECT ${FACT_NAMES.map((name) => `looked.${name}`).join(', ')}, told.scan_id AS recorded_id, told.at AS recorded_at,
      CASE WHEN (SELECT count(*) FROM marked) <> (SELECT count(*) FROM told) THEN scan_was_overtaken() END
    FROM looked LEFT JOIN told USING (n) ORDER BY n`,
  values: [inventoryId, JSON.stringify(items), by.id],
});
