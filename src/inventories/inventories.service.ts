import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { IsNull, Not, Repository } from 'typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import type { Actor, Caller } from '../database/audit.js';
import type { Creator } from '../contract/creation.js';
import { LOCK_NOT_AVAILABLE, sqlState } from '../database/errors.js';
import { DomainError, noErrors, notFound, refuseInvalid } from '../common/errors.js';
import type { Changer } from '../contract/etag.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { joinNamed } from '../contract/page-rows.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { Sql, asQueries } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { Env } from '../config/env.js';
import { FreezeService } from './freeze.service.js';
import { Inventory } from './inventory.entity.js';
import type { CreateInventoryDto, InventoryQuery, UpdateInventoryDto } from './inventories.dto.js';
import { HAS_READS, session } from './inventories.queries.js';
import type { SessionRow } from './inventories.queries.js';
import { inventoryMessages } from './inventories.messages.js';

const TURN_MS = 500;
const PAUSE_MS = 250;
/** How many ids an error names. */
const NAMED = 10;

/** Inventory sessions: opened with a line for every purchase, changed while open, closed with frozen figures. */
@Injectable()
export class InventoriesService {
  constructor(
    @InjectRepository(Inventory) private readonly inventories: Repository<Inventory>,
    private readonly freezing: FreezeService,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  list(query: InventoryQuery): Promise<Page<Inventory>> {
    const rows = this.withUsers();
    if (query.year) rows.andWhere({ year: query.year });
    if (query.status) rows.andWhere({ closed_at: query.status === 'open' ? IsNull() : Not(IsNull()) });
    return paginate(
      rows,
      query,
      {
        id: { by: 'inventory.id', type: 'integer', of: (row) => row.id },
        year: { by: 'inventory.year', type: 'integer', of: (row) => row.year },
        inventory_date: { by: 'inventory.inventory_date', type: 'date', of: (row) => row.inventory_date },
      },
      {
        changed: {
          by: 'inventory.updated_at',
          type: 'timestamptz',
          of: (row) => row.updated_at,
          always: 'inventory.closed_at IS NULL AND inventory.deleted_at IS NULL', // its progress may have changed
        },
      },
    );
  }

  async get(id: number): Promise<SessionRow> {
    return foundIn(await this.sql.query<SessionRow>(session(id)));
  }

  /** The same where phones ask all the time. */
  async polled(id: number): Promise<SessionRow> {
    return foundIn(await this.sql.hot<SessionRow>(session(id)));
  }

  /**
   * Opens a session that expects every live purchase of its scope. Writers of purchases wait meanwhile, scans and reads do not.
   * @throws DomainError validation-failed for a place or category that is not there
   */
  async open<Answer>(
    { year, inventory_date, label, location_ids, category_ids }: CreateInventoryDto,
    { actor: caller, once }: Creator<SessionRow, Answer, Caller>,
  ): Promise<Answer> {
    const answer = await this.transaction(caller, (run) =>
      once(asQueries(run), async () => {
        // First of all, so that every purchase is either seen here or sees this session (the triggers on purchases).
        await run(`SELECT pg_advisory_xact_lock(hashtext('inventories.open'))`);
        await holdScope(run, { location_ids, category_ids });
        const scope = [location_ids, category_ids].map((ids) => ids?.toSorted((a, b) => a - b) ?? null);
        const created = await run<{ id: number }>(
          `INSERT INTO inventories (year, inventory_date, label, opened_by, scope_location_ids, scope_category_ids)
           VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
          [year, inventory_date, label, caller.user_id, ...scope],
        );
        const id = created.rows[0]?.id as number;
        const lines = await run(
          location_ids || category_ids
            ? `INSERT INTO inventory_lines (inventory_id, purchase_id)
               SELECT i.id, e.id FROM inventories i
               CROSS JOIN LATERAL expected_purchases(i.scope_location_ids, i.scope_category_ids) e
               WHERE i.id = $1 ORDER BY e.id`
            : `INSERT INTO inventory_lines (inventory_id, purchase_id)
               SELECT $1, id FROM purchases WHERE deleted_at IS NULL AND disposed_on IS NULL ORDER BY id`,
          [id],
        );
        await run(`SELECT open_counters($1, 0, $2)`, [id, lines.rowCount]);
        return read(run, id);
      }),
    );
    // Nobody waits for it. Without it the planner takes a new session for a small one and sorts it for every page.
    this.sql.query({ name: 'session-statistics', text: `ANALYZE inventory_lines` }).catch(() => undefined);
    return answer;
  }

  /** @throws DomainError session-closed, stale */
  update(
    id: number,
    fields: UpdateInventoryDto,
    { actor, isExpected }: Changer<SessionRow>,
  ): Promise<SessionRow> {
    return this.sql.transaction(actor, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run) => {
      const before = await hold(run, id);
      isExpected(before);
      if (Object.keys(fields).length === 0) return before;
      if (before.closed_at) throw new DomainError('session-closed');
      const { year = before.year, inventory_date = before.inventory_date, label = before.label } = fields;
      await run(`UPDATE inventories SET year = $2, inventory_date = $3, label = $4 WHERE id = $1`, [
        id,
        year,
        inventory_date,
        label,
      ]);
      return read(run, id);
    });
  }

  /**
   * Whoever comes later finds it closed; its lines are copied then, while nobody waits for them but who closes it.
   * @throws DomainError session-closed when it is closed already
   */
  async close(id: number, caller: Caller): Promise<SessionRow> {
    const closed = await this.transaction(caller, async (run) => {
      const { closed_at } = await hold(run, id);
      if (closed_at)
        throw new DomainError('session-closed', { detail: say(inventoryMessages.session_already_closed) });
      const { scanned, total } = await takeCounters(run, id);
      // Cut off, not rounded: what is bought from now on has its instant from now on.
      await run(
        `UPDATE inventories SET closed_at = date_trunc('milliseconds', clock_timestamp()), closed_by = $2, final_scanned = $3, final_total = $4
         WHERE id = $1`,
        [id, caller.user_id, scanned, total],
      );
      return read(run, id);
    });
    await this.freezing.freezeBeforeAnswer(id);
    return closed;
  }

  /** @throws DomainError session-has-scans, stale */
  async delete(id: number, { actor, isExpected }: Changer<SessionRow>): Promise<void> {
    await this.transaction(actor, async (run) => {
      const before = await hold(run, id, 'UPDATE');
      isExpected(before);
      const { scanned } = await takeCounters(run, id);
      const kept = await run(HAS_READS, [id]);
      if (scanned > 0 || kept.rowCount === 1 || (before.closed_at && before.scanned > 0))
        throw new DomainError('session-has-scans');
      await run(`DELETE FROM inventory_lines WHERE inventory_id = $1`, [id]);
      await run(`UPDATE inventories SET deleted_at = now() WHERE id = $1`, [id]);
    });
  }

  /**
   * These touch every line of a session, so they have a time limit of their own, and they wait for the writers of
   * purchases: an import may hold its locks for minutes. Other writers queue behind whoever waits, each with a
   * connection of the pool that lists need too, so waiting is done in short turns.
   */
  async transaction<T>(actor: Actor, work: (run: Run) => Promise<T>): Promise<T> {
    const limit = this.env.SESSION_TIMEOUT_MS;
    for (const deadline = Date.now() + limit; ; await sleep(PAUSE_MS)) {
      try {
        return await this.sql.transaction(actor, { statement: limit, lock: TURN_MS }, work);
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
      }
    }
  }

  private withUsers(): SelectQueryBuilder<Inventory> {
    return joinNamed(this.inventories.createQueryBuilder('inventory'), ['opener', 'closer']);
  }
}

/**
 * Locks a session; what is read of it then stays true until the transaction ends, but for the figures. Scans that bring
 * something new, which refers to it, go on: whoever deletes it holds them off too.
 */
export async function hold(run: Run, id: number, lock = 'NO KEY UPDATE'): Promise<SessionRow> {
  await run(`SELECT FROM inventories WHERE id = $1 FOR ${lock}`, [id]);
  return read(run, id);
}

export async function read(run: Run, id: number): Promise<SessionRow> {
  const { text, values } = session(id);
  const { rows } = await run<SessionRow>(text, values);
  if (!rows[0]) throw notFound(inventoryMessages.none);
  return rows[0];
}

/** Ends the counting: waits for whoever is at it; whoever comes later finds no counter, and so no open session. */
async function takeCounters(run: Run, id: number): Promise<{ scanned: number; total: number }> {
  // The parts of the writers of purchases first: an import may hold one for long, and scans go on meanwhile.
  await run(`SELECT FROM inventory_counters WHERE inventory_id = $1 AND shard >= 16 FOR UPDATE`, [id]);
  const { rows } = await run<{ scanned: number; total: number }>(
    `DELETE FROM inventory_counters WHERE inventory_id = $1 RETURNING scanned, total`,
    [id],
  );
  const sum = (figure: 'scanned' | 'total') => rows.reduce((all, part) => all + part[figure], 0);
  return { scanned: sum('scanned'), total: sum('total') };
}

/** Keeps the places and categories of a scope from being deleted until it is committed. */
async function holdScope(
  run: Run,
  { location_ids = [], category_ids = [] }: Pick<CreateInventoryDto, 'location_ids' | 'category_ids'>,
): Promise<void> {
  const errors = noErrors();
  const live = `SELECT id FROM locations WHERE id = ANY ($1) AND deleted_at IS NULL FOR KEY SHARE`;
  const categories = `SELECT id FROM categories WHERE id = ANY ($1) AND deleted_at IS NULL FOR KEY SHARE`;
  for (const [field, ids, sql] of [
    ['location_ids', location_ids, live],
    ['category_ids', category_ids, categories],
  ] as const) {
    if (ids.length === 0) continue;
    const found = new Set((await run<{ id: number }>(sql, [ids])).rows.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0)
      errors[field] = [say(contractMessages.items_not_found, missing.slice(0, NAMED).join(', '))];
  }
  refuseInvalid(errors);
}

function foundIn([row]: SessionRow[]): SessionRow {
  if (!row) throw notFound(inventoryMessages.none);
  return row;
}
