import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { IsNull, Not, Repository } from 'typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { sqlState } from '../common/database-errors.js';
import { DomainError, notFound } from '../common/errors.js';
import { say } from '../common/messages.js';
import { paginate } from '../common/pagination.js';
import type { Page } from '../common/pagination.js';
import { Sql } from '../common/sql.js';
import type { Run } from '../common/sql.js';
import { Env } from '../config/env.js';
import { Inventory } from './inventory.entity.js';
import type { CreateInventoryDto, InventoryQuery, UpdateInventoryDto } from './inventories.dto.js';

const LOCK_NOT_AVAILABLE = '55P03';
const TURN_MS = 500;
const PAUSE_MS = 250;

/** Inventory sessions: opened with a line for every purchase, changed while open, closed with frozen figures. */
@Injectable()
export class InventoriesService {
  constructor(
    @InjectRepository(Inventory) private readonly inventories: Repository<Inventory>,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  list(query: InventoryQuery): Promise<Page<Inventory>> {
    const rows = this.withUsers();
    if (query.year) rows.andWhere({ year: query.year });
    if (query.status) rows.andWhere({ closed_at: query.status === 'open' ? IsNull() : Not(IsNull()) });
    return paginate(rows, query, {
      id: { by: 'inventory.id', type: 'integer', of: (row) => row.id },
      year: { by: 'inventory.year', type: 'integer', of: (row) => row.year },
      inventory_date: { by: 'inventory.inventory_date', type: 'date', of: (row) => row.inventory_date },
    });
  }

  async get(id: number): Promise<Inventory> {
    const session = await this.withUsers().where({ id }).getOne();
    if (!session) throw notFound('inventory');
    return session;
  }

  /** Opens a session that expects every live purchase. Writers of purchases wait meanwhile, scans and reads do not. */
  async open({ year, inventory_date, label }: CreateInventoryDto, userId: number): Promise<Inventory> {
    const id = await this.transaction(async (run) => {
      // First of all, so that every purchase is either seen here or sees this session (the triggers on purchases).
      await run(`SELECT pg_advisory_xact_lock(hashtext('inventories.open'))`);
      const created = await run<{ id: number }>(
        `INSERT INTO inventories (year, inventory_date, label, opened_by) VALUES ($1, $2, $3, $4) RETURNING id`,
        [year, inventory_date, label, userId],
      );
      const sessionId = created.rows[0]?.id;
      const lines = await run(
        `INSERT INTO inventory_lines (inventory_id, purchase_id)
         SELECT $1, id FROM purchases WHERE deleted_at IS NULL ORDER BY id`,
        [sessionId],
      );
      await run(`SELECT open_counters($1, 0, $2)`, [sessionId, lines.rowCount]);
      return sessionId as number;
    });
    // Nobody waits for it. Without it the planner takes a new session for a small one and sorts it for every page.
    this.sql.query({ name: 'session-statistics', text: `ANALYZE inventory_lines` }).catch(() => undefined);
    return this.get(id);
  }

  /** @throws DomainError session-closed */
  async update(id: number, fields: UpdateInventoryDto): Promise<Inventory> {
    if (Object.keys(fields).length > 0) {
      const { affected } = await this.inventories.update({ id, closed_at: IsNull() }, { ...fields });
      if (!affected) {
        await this.get(id);
        throw new DomainError('session-closed');
      }
    }
    return this.get(id);
  }

  /** @throws DomainError session-closed when it is closed already */
  async close(id: number, userId: number): Promise<Inventory> {
    await this.transaction(async (run) => {
      const { rows } = await run<{ is_closed: boolean }>(
        `SELECT closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!rows[0]) throw notFound('inventory');
      if (rows[0].is_closed)
        throw new DomainError('session-closed', { detail: say('session_already_closed') });
      const { scanned, total } = await takeCounters(run, id);
      await run(
        `UPDATE inventories SET closed_at = clock_timestamp(), closed_by = $2, final_scanned = $3, final_total = $4
         WHERE id = $1`,
        [id, userId, scanned, total],
      );
    });
    return this.get(id);
  }

  /** @throws DomainError session-has-scans */
  async delete(id: number): Promise<void> {
    await this.transaction(async (run) => {
      const { rows } = await run<{ final_scanned: number }>(
        `SELECT coalesce(final_scanned, 0) AS final_scanned FROM inventories WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!rows[0]) throw notFound('inventory');
      const { scanned } = await takeCounters(run, id);
      if (scanned + rows[0].final_scanned > 0) throw new DomainError('session-has-scans');
      await run(`DELETE FROM inventory_lines WHERE inventory_id = $1`, [id]);
      await run(`DELETE FROM inventories WHERE id = $1`, [id]);
    });
  }

  /**
   * These touch every line of a session, so they have a time limit of their own, and they wait for the writers of
   * purchases: an import may hold its locks for minutes. Other writers queue behind whoever waits, each with a
   * connection of the pool that scans need too, so waiting is done in short turns.
   */
  private async transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const limit = this.env.SESSION_TIMEOUT_MS;
    for (const deadline = Date.now() + limit; ; await sleep(PAUSE_MS)) {
      try {
        return await this.sql.transaction({ statement: limit, lock: TURN_MS }, work);
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
      }
    }
  }

  private withUsers(): SelectQueryBuilder<Inventory> {
    return this.inventories
      .createQueryBuilder('inventory')
      .innerJoinAndSelect('inventory.opener', 'opener')
      .leftJoinAndSelect('inventory.closer', 'closer');
  }
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
