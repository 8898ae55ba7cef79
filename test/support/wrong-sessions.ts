/** Sessions whose figures differ from their lines, or whose lines differ from the purchases; and what has no session. */
export const WRONG_SESSIONS = `
  WITH facts AS (
    SELECT i.id, i.closed_at IS NOT NULL AS is_closed, i.scope_location_ids, i.scope_category_ids, i.final_scanned, i.final_total, l.*, c.*, p.*
    FROM inventories i
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, count(scan_id) AS scanned_lines FROM inventory_lines WHERE inventory_id = i.id) l
    CROSS JOIN LATERAL (
      SELECT count(*) AS counters, sum(total) AS total, sum(scanned) AS scanned
      FROM inventory_counters WHERE inventory_id = i.id) c
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE is_live OR l.scan_id IS NOT NULL) AS expected,
        count(*) FILTER (WHERE is_live AND l.purchase_id IS NULL) AS missing,
        count(*) FILTER (WHERE NOT is_live AND l.purchase_id IS NOT NULL AND l.scan_id IS NULL) AS dead
      FROM purchases p CROSS JOIN LATERAL (SELECT num_nonnulls(p.deleted_at, p.disposed_on) = 0 AS is_live) is_live
      LEFT JOIN inventory_lines l ON l.purchase_id = p.id AND l.inventory_id = i.id) p
    WHERE i.deleted_at IS NULL
  )
  SELECT to_jsonb(facts) AS wrong FROM facts
  WHERE CASE WHEN is_closed
    THEN (counters, final_total, final_scanned) IS DISTINCT FROM (0::bigint, lines::int, scanned_lines::int)
    ELSE (counters, total, scanned, dead) IS DISTINCT FROM (80::bigint, lines, scanned_lines, 0::bigint)
      OR num_nonnulls(scope_location_ids, scope_category_ids) = 0 AND (expected, missing) IS DISTINCT FROM (lines, 0::bigint) END
  UNION ALL
  SELECT to_jsonb(l) FROM inventory_lines l WHERE inventory_id NOT IN (SELECT id FROM inventories WHERE deleted_at IS NULL)
  UNION ALL
  SELECT to_jsonb(c) FROM inventory_counters c WHERE inventory_id NOT IN (SELECT id FROM inventories WHERE deleted_at IS NULL)
  UNION ALL
  SELECT to_jsonb(x) FROM inventory_unexpected x JOIN inventory_lines l USING (inventory_id, purchase_id)
  UNION ALL
  SELECT to_jsonb(d) FROM (
    SELECT purchase_id, inventory_id FROM inventory_lines GROUP BY 1, 2 HAVING count(*) > 1) d`;
