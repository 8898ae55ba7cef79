import { WRONG_SESSIONS } from '../../support/wrong-sessions.js';
import type { Acknowledged } from './phones.js';
import type { Queries } from './postgres.js';

/**
 * Compares what phones were told with what the database has: every scan that was answered is there, with the instant
 * that was answered; no code was told “success” twice; and the figures of all sessions are those of their lines.
 * Resolves to the number of scans that are there.
 */
export async function compare(
  postgres: Queries,
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
  expect(await postgres.query(WRONG_SESSIONS)).toEqual([]);
  return rows.length;
}
