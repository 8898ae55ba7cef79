import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chores } from '../common/chores.js';
import { unavailable } from '../common/errors.js';
import { Env } from '../config/env.js';
import { isPassing } from '../database/errors.js';
import { Sql } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { compared, linesOf } from './comparison.queries.js';
import type { Changes } from './comparison.queries.js';
import { FREEZE, PREVIOUS_OF } from './freeze.queries.js';
import type { PreviousRow } from './freeze.queries.js';

const EVERY_MS = 10_000;
/** Between two tries while the database is away; each pause is twice the one before. */
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [100, 3_000];

/**
 * Copies what a session showed when it was closed, so that no later change of a purchase, an article or a place shows
 * in it. It comes after the closing itself, so that scans do not wait for a million lines; where the process ends
 * between the two, the next one goes on.
 */
@Injectable()
export class FreezeService implements BeforeApplicationShutdown, OnApplicationBootstrap {
  private readonly logger = new Logger('Freeze');
  private isOver = false;

  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    private readonly chores: Chores,
  ) {}

  onApplicationBootstrap(): void {
    void this.chores.atOnceAndEvery(EVERY_MS, 'Freezing closed sessions', () => this.freezeAll());
  }

  /** Before requests that are under way are waited for. */
  beforeApplicationShutdown(): void {
    this.isOver = true;
  }

  /** Those that were closed and are not copied yet, but for one that is being copied, which others need not wait for. */
  async freezeAll(): Promise<void> {
    const waiting = await this.sql.query<{ id: number }>({
      name: 'sessions-to-freeze',
      text: `SELECT id FROM inventories i WHERE closed_at IS NOT NULL AND deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM inventory_frozen f WHERE f.inventory_id = i.id)
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    });
    for (const { id } of waiting) await this.freeze(id);
  }

  /**
   * For who closes it, and is not answered before: what is changed after the answer is not in it. Tried again while the
   * database is away; what else fails is done by the next one.
   * @throws DomainError unavailable where that takes too long, or the service ends: closed it is all the same
   */
  async freezeBeforeAnswer(id: number): Promise<void> {
    const deadline = Date.now() + this.env.SESSION_TIMEOUT_MS;
    let pause = FIRST_PAUSE_MS;
    while ((await this.freeze(id)) === 'not now') {
      if (this.isOver || Date.now() > deadline) throw unavailable();
      await sleep(pause);
      pause = Math.min(2 * pause, LAST_PAUSE_MS);
    }
  }

  /** Copies the lines of a closed session, once; of an open one it does nothing. What fails is done the next time. */
  async freeze(id: number): Promise<'done' | 'failed' | 'not now'> {
    try {
      await this.copy(id);
      return 'done';
    } catch (err) {
      this.logger.warn({ err }, `Session ${id}: not frozen this time`);
      return isPassing(err) ? 'not now' : 'failed';
    }
  }

  private copy(id: number): Promise<void> {
    const limit = this.env.SESSION_TIMEOUT_MS;
    return this.sql.transaction({ command: 'freeze' }, { statement: limit }, async (run) => {
      // Against whoever opens it again, and another instance; scans that come late do not wait.
      const closed = await run(
        `SELECT FROM inventories WHERE id = $1 AND closed_at IS NOT NULL FOR NO KEY UPDATE`,
        [id],
      );
      const frozen = await run(`SELECT FROM inventory_frozen WHERE inventory_id = $1`, [id]);
      if (closed.rowCount === 0 || frozen.rowCount === 1) return;
      await run(FREEZE, [id, this.env.FISCAL_YEAR_START]);
      // Without it the planner takes them for a few lines, and a report looks through all places for each.
      await run(`ANALYZE inventory_frozen_lines, inventory_frozen_locations`);
      await compare(run, id);
    });
  }
}

/** A session that was deleted since, and purchases that were sold since, would change the report otherwise. */
async function compare(run: Run, id: number): Promise<void> {
  const [previous] = (await run<PreviousRow>(PREVIOUS_OF, [id])).rows;
  const comparison = previous && (await comparisonWith(previous, run, id));
  await run(`UPDATE inventory_frozen SET comparison = $2 WHERE inventory_id = $1`, [id, comparison ?? {}]);
}

async function comparisonWith({ id: session, updated_at, is_frozen }: PreviousRow, run: Run, id: number) {
  const text = compared(linesOf(true), linesOf(is_frozen));
  const { rows } = await run<{ changes: Changes }>(text, [id, session]);
  return { session, updated_at, changes: rows[0]!.changes };
}
