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
import { holdCounter } from './open-session.js';

/** Another transaction was faster: nothing was written, so look and judge again. */
class Overtaken extends Error {}

const MAX_TRIES = 5;
/** The same, told by the database: of a scan, or of a message that was sent twice; or each waited for the other. */
export const FASTER = new RegExp(`^(${OVERTAKEN}|23505|40P01)$`);

/** Tries again where another one was faster; `work` is told how often it was tried. */
export async function untilNobodyIsFaster<T>(work: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await work(tries);
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
   * The answers, in the order of what was judged.
   * @throws Overtaken, or the database's error OVERTAKEN
   */
  async keep(
    inventoryId: number,
    judged: Judged[],
    isOpen: boolean,
    scanner: Scanner,
    actor: Actor,
  ): Promise<ScanOutcome[]> {
    const kept = judged.filter((one) => one.is_kept);
    if (kept.length === 0) return answered(judged);
    if (kept.some((one) => one.is_moved ?? one.repeats !== undefined))
      return this.transaction(actor, async (run) =>
        answered(judged, await keepIn(run, inventoryId, kept, scanner, actor)),
      );
    const statement = keep(inventoryId, kept, isOpen, scanner);
    const isSingle = judged.length === 1;
    const rows = await (isSingle
      ? this.sql.hot<ItemRow>(statement, 'writes')
      : this.sql.written<ItemRow>(statement));
    return answered(judged, answersOf(kept, rows));
  }

  /**
   * The same of an open session, where others are faster again and again, as where many scan one room: what is judged is
   * held first and then judged again.
   */
  keepHeld(
    inventoryId: number,
    judged: Judged[],
    scanner: Scanner,
    actor: Actor,
    judgeAgain: (run: Run) => Promise<Judged[]>,
  ): Promise<ScanOutcome[]> {
    return this.transaction(actor, async (run) => {
      await hold(run, inventoryId, judged);
      const again = await judgeAgain(run);
      const held = new Set(judged.some(isWritten) ? judged.map(({ purchase_id }) => purchase_id) : []);
      if (again.some((one) => isWritten(one) && !held.has(one.purchase_id))) throw new Overtaken();
      const kept = again.filter((one) => one.is_kept);
      if (kept.length === 0) return answered(again);
      return answered(again, await keepIn(run, inventoryId, kept, scanner, actor));
    });
  }

  private transaction<T>(actor: Actor, work: (run: Run) => Promise<T>): Promise<T> {
    return this.sql.transaction(actor, { statement: this.env.DATABASE_TIMEOUT_MS }, work);
  }
}

/** Whether its purchase is written, or held for its scan. */
const isWritten = (one: Judged): boolean => one.is_moved ?? one.target === 'unexpected';

const answered = (judged: Judged[], kept = new Map<number, ScanOutcome>()): ScanOutcome[] =>
  judged.map(({ n, answer }) => kept.get(n) ?? answer);

/** The same in a transaction, for scans of an open session. */
export async function keepIn(
  run: Run,
  inventoryId: number,
  kept: Judged[],
  scanner: Scanner,
  actor: Actor,
): Promise<Map<number, ScanOutcome>> {
  const moved = kept.filter((one) => one.is_moved);
  await holdPurchases(run, moved, kept.filter(isWritten));
  await holdRepeated(run, inventoryId, kept);
  const { text, values } = keep(inventoryId, kept, true, scanner);
  const { rows } = await run<ItemRow>(text, values);
  const answers = answersOf(kept, rows);
  for (const { purchase_id, location_id } of moved) {
    await run(`UPDATE purchases SET location_id = $2 WHERE id = $1 AND deleted_at IS NULL`, [
      purchase_id,
      location_id,
    ]);
    await run(
      `UPDATE inventory_misplaced SET resolution = CASE WHEN found_id = $4 THEN 'moved' ELSE 'ignored' END,
         resolved_at = change_instant(), resolved_by = $3, changed_at = change_instant()
       WHERE inventory_id = $1 AND purchase_id = $2 AND resolution IS NULL`,
      [inventoryId, purchase_id, actor.user_id, location_id],
    );
  }
  return answers;
}

/** In the order of all who write purchases: the place, the purchase, and only then the figures of sessions. */
async function holdPurchases(run: Run, moved: Judged[], all: Judged[]): Promise<void> {
  for (const id of new Set(moved.map(({ location_id }) => location_id as number)))
    if (!(await holdPlace(run, id))) throw new Overtaken();
  const purchases = [...new Set(all.map(({ purchase_id }) => purchase_id))];
  await run(`SELECT FROM purchases WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`, [purchases]);
}

/**
 * Whatever scans of these would write, in the order in which they write it. All of their purchases where any is written:
 * by the time they are judged again, another one may be.
 */
async function hold(run: Run, inventoryId: number, judged: Judged[]): Promise<void> {
  await holdPurchases(
    run,
    judged.filter((one) => one.is_moved),
    judged.some(isWritten) ? judged.filter(({ purchase_id }) => purchase_id !== undefined) : [],
  );
  if (!(await holdCounter(run, inventoryId))) throw new Overtaken(); // it was closed meanwhile
  await run(
    `SELECT FROM ONLY inventory_lines WHERE inventory_id = $1 AND purchase_id = ANY ($2) ORDER BY purchase_id FOR UPDATE`,
    [inventoryId, judged.map(({ purchase_id }) => purchase_id).filter((id) => id !== undefined)],
  );
}

/**
 * Scans that others repeat, against who undoes them: he marks their repeats too, and would not see one that is being kept.
 * @throws Overtaken where one is undone, or the session closed
 */
async function holdRepeated(run: Run, inventoryId: number, kept: Judged[]): Promise<void> {
  const ids = [...new Set(kept.flatMap(({ repeats }) => repeats ?? []))];
  if (ids.length === 0) return;
  if (!(await holdCounter(run, inventoryId))) throw new Overtaken();
  let left = ids.length;
  for (const table of ['inventory_lines', 'inventory_unexpected']) {
    const sql = `SELECT FROM ONLY ${table} WHERE inventory_id = $1 AND scan_id = ANY ($2) ORDER BY purchase_id FOR SHARE`;
    left -= (await run(sql, [inventoryId, ids])).rowCount ?? 0;
  }
  if (left > 0) throw new Overtaken();
}

/** Keeps a place from being deleted until the transaction ends; false where it is not there. */
export const holdPlace = async (run: Run, id: number): Promise<boolean> =>
  (await run(`SELECT FROM locations WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`, [id])).rowCount ===
  1;

function answersOf(kept: Judged[], rows: ItemRow[]): Map<number, ScanOutcome> {
  if (rows.length !== kept.length) throw new Overtaken(); // the session was closed meanwhile
  return new Map(rows.map(({ n, answer }) => [n, withDates(answer)]));
}
