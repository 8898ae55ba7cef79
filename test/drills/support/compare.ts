import type { Acknowledged } from './phones.js';
import type { Postgres } from './postgres.js';

/** Sessions whose figures differ from their lines, or whose lines differ from the purchases. */
const WRONG = `
  SELECT * FROM (
    SELECT id, closed_at IS NULL AS is_open, final_scanned, final_total,
      (SELECT sum(scanned) FROM inventory_counters WHERE inventory_id = i.id) AS scanned,
      (SELECT sum(total) FROM inventory_counters WHERE inventory_id = i.id) AS total,
      (SELECT count(scan_id) FROM inventory_lines WHERE inventory_id = i.id) AS scanned_lines,
      (SELECT count(*) FROM inventory_lines WHERE inventory_id = i.id) AS lines,
      (SELECT count(*) FROM purchases p LEFT JOIN inventory_lines l ON l.purchase_id = p.id AND l.inventory_id = i.id
       WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL) AS expected
    FROM inventories i WHERE deleted_at IS NULL) facts
  WHERE CASE WHEN is_open THEN (scanned, total, expected) IS DISTINCT FROM (scanned_lines, lines, lines)
    ELSE (final_scanned, final_total) IS DISTINCT FROM (scanned_lines::int, lines::int) END`;

/**
 * Compares what phones were told with what the database has: every scan that was answered is there, with the instant
 * that was answered; no code was told “success” twice; and the figures of all sessions are those of their lines.
 * Resolves to the number of scans that are there.
 */
export async function compare(
  postgres: Postgres,
  session: number,
  acknowledged: Acknowledged[],
): Promise<number> {
  const rows = await postgres.query<{ code: string; at: Date; scan_id: number }>(
    `SELECT p.code, l.scanned_at AS at, l.scan_id FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
     WHERE l.inventory_id = $1 AND l.scan_id IS NOT NULL`,
    [session],
  );
  const recorded = new Map(rows.map(({ code, at }) => [code, at.toISOString()]));
  const lost = acknowledged.filter(({ code, scannedAt }) => recorded.get(code) !== scannedAt);
  expect(lost).toEqual([]);
  const successes = acknowledged.filter(({ status }) => status === 'success').map(({ code }) => code);
  expect(successes.length).toBe(new Set(successes).size);
  expect(acknowledged.filter(({ status }) => status === 'error')).toEqual([]);
  expect(recorded.size).toBe(rows.length);
  expect(new Set(rows.map(({ scan_id }) => scan_id)).size).toBe(rows.length);
  expect(await postgres.query(WRONG)).toEqual([]);
  return rows.length;
}
