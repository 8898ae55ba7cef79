import { Injectable } from '@nestjs/common';
import { unavailable } from '../common/errors.js';
import { Env } from '../config/env.js';
import type { Actor } from '../database/audit.js';
import { sqlState } from '../database/errors.js';
import { Sql } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import type { Judged } from './judge.js';
import { withDates } from './scans.dto.js';
import type { ScanOutcome } from './scans.dto.js';
import { OVERTAKEN } from './scans.queries.js';
import { keep } from './keep.queries.js';
import type { ItemRow, Scanner } from './keep.queries.js';

/** Another transaction was faster: nothing was written, so look and judge again. */
export class Overtaken extends Error {}

const MAX_TRIES = 5;
/** The same, told by the database, or each waited for the other. */
const FASTER = new RegExp(`^(${OVERTAKEN}|40P01)$`);

/** Tries again where another one was faster. */
export async function untilNobodyIsFaster<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overtaken) && !FASTER.test(sqlState(error) ?? '')) throw error;
    }
  }
  throw unavailable();
}

/** Keeps scans that were judged, and moves the purchases that are to be where they were found. */
@Injectable()
export class KeepingService {
  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /**
   * The answers of those of which something is kept, by their places.
   * @throws Overtaken, or the database's error OVERTAKEN
   */
  async keep(
    inventoryId: number,
    judged: Judged[],
    isOpen: boolean,
    scanner: Scanner,
    actor: Actor,
  ): Promise<Map<number, ScanOutcome>> {
    const kept = judged.filter((one) => one.is_kept);
    if (kept.length === 0) return new Map();
    if (kept.some((one) => one.is_moved)) {
      const limit = this.env.DATABASE_TIMEOUT_MS;
      return this.sql.transaction(actor, { statement: limit, lock: limit }, (run) =>
        keepIn(run, inventoryId, kept, scanner, actor),
      );
    }
    const statement = keep(inventoryId, kept, isOpen, scanner);
    const isSingle = judged.length === 1;
    const rows = await (isSingle
      ? this.sql.hot<ItemRow>(statement, 'writes')
      : this.sql.written<ItemRow>(statement));
    return answersOf(kept, rows);
  }
}

/** The same in a transaction, for scans of an open session. */
export async function keepIn(
  run: Run,
  inventoryId: number,
  kept: Judged[],
  scanner: Scanner,
  actor: Actor,
): Promise<Map<number, ScanOutcome>> {
  const moved = kept.filter((one) => one.is_moved);
  // In the order of all who write purchases: the place, the purchase, and only then the figures of sessions.
  for (const id of new Set(moved.map(({ location_id }) => location_id as number)))
    if (!(await holdPlace(run, id))) throw new Overtaken();
  const purchases = [...new Set(moved.map(({ purchase_id }) => purchase_id))];
  await run(`SELECT FROM purchases WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`, [purchases]);
  const { text, values } = keep(inventoryId, kept, true, scanner);
  const { rows } = await run<ItemRow>(text, values);
  const answers = answersOf(kept, rows);
  for (const { purchase_id, location_id } of moved) {
    await run(`UPDATE purchases SET location_id = $2 WHERE id = $1 AND deleted_at IS NULL`, [
      purchase_id,
      location_id,
    ]);
    await run(
      `UPDATE inventory_misplaced SET resolution = 'moved', resolved_at = change_instant(), resolved_by = $3, changed_at = change_instant()
       WHERE inventory_id = $1 AND purchase_id = $2 AND resolution IS NULL`,
      [inventoryId, purchase_id, actor.user_id],
    );
  }
  return answers;
}

/** Keeps a place from being deleted until the transaction ends; false where it is not there. */
export const holdPlace = async (run: Run, id: number): Promise<boolean> =>
  (await run(`SELECT FROM locations WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`, [id])).rowCount ===
  1;

function answersOf(kept: Judged[], rows: ItemRow[]): Map<number, ScanOutcome> {
  if (rows.length !== kept.length) throw new Overtaken(); // the session was closed meanwhile
  return new Map(rows.map(({ n, answer }) => [n, withDates(answer)]));
}
