import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { sqlState } from '../database/errors.js';
import { boundsOfDay, parseInstant } from '../common/dates.js';
import { notFound, unavailable } from '../common/errors.js';
import { hasFilters, paginate } from '../contract/pagination.js';
import type { Changed, Page, SortKey } from '../contract/pagination.js';
import { Sql } from '../database/sql.js';
import { Env } from '../config/env.js';
import { codeCandidates } from '../purchases/code.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import type { ScanOutcome, ScansQuery } from './scans.dto.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { OVERTAKEN, scan } from './scans.queries.js';
import type { ScanRow } from './scans.queries.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';

const MAX_TRIES = 5;

/** The scans of a session. */
@Injectable()
export class ScansService {
  constructor(
    @InjectRepository(InventoryLine) private readonly lines: Repository<InventoryLine>,
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /** Records a scan; a code that is unknown, scanned before or too late is an answer, not an error. */
  async scan(inventoryId: number, scanned: string, userId: number): Promise<ScanOutcome> {
    const row = await this.tryScan(inventoryId, codeCandidates(scanned), userId);
    if (!row) throw notFound(inventoryMessages.none);
    const purchase =
      row.purchase_id === null
        ? null
        : {
            id: row.purchase_id,
            code: row.code,
            article: { id: row.article_id, name: row.article_name },
          };
    const code = purchase?.code ?? scanned;
    if (row.is_closed) return { reason: 'session-closed', code, scanned_at: new Date(), purchase };
    if (!purchase) return { reason: 'unknown-code', code, scanned_at: new Date(), purchase };
    if (row.recorded_at) return { reason: 'recorded', code, scanned_at: row.recorded_at, purchase };
    const at = row.first_at as Date;
    const first_scan = { at, by: { id: row.first_by_id, name: row.first_by_name } };
    return { reason: 'already-scanned', code, scanned_at: at, purchase, first_scan };
  }

  private async tryScan(
    inventoryId: number,
    candidates: string[],
    userId: number,
  ): Promise<ScanRow | undefined> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      try {
        const [row] = await this.sql.hot<ScanRow>(scan(inventoryId, candidates, userId));
        return row;
      } catch (error) {
        if (sqlState(error) !== OVERTAKEN) throw error;
      }
    }
    throw unavailable();
  }

  /** What was scanned, when and by whom. */
  async list(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    // The lines alone tell the page; joined in one go, counting them would read every purchase too.
    const rows = this.lines
      .createQueryBuilder('line')
      .where('line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL', { inventoryId });
    if (query.user_id) rows.andWhere('line.scanned_by = :user_id', query);
    const { scanned_from: from, scanned_to: to } = query;
    if (from) rows.andWhere('line.scanned_at >= :from', { from: this.moment(from).start });
    if (to) {
      const { isDay, end } = this.moment(to);
      rows.andWhere(`line.scanned_at ${isDay ? '<' : '<='} :to`, { to: end });
    }
    const id: SortKey<InventoryLine> = {
      by: 'line.scan_id',
      type: 'bigint',
      of: (line) => line.scan_id as number,
    };
    const scanned_at: Changed<InventoryLine> = {
      by: 'line.scanned_at',
      type: 'timestamptz',
      of: (line) => line.scanned_at as Date,
    };
    const page = await paginate(
      rows,
      query,
      { id, scanned_at },
      {
        // Without filters the session tells how long the list is.
        ...(!hasFilters(query) && { counted: async () => (await this.inventories.get(inventoryId)).scanned }),
        changed: scanned_at,
      },
    );
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return { ...page, rows: await this.withRelations(inventoryId, page.rows) };
  }

  /** Lines as they are listed, in the same order. */
  private async withRelations(inventoryId: number, lines: InventoryLine[]): Promise<InventoryLine[]> {
    const rows = await this.lines.find({
      where: { inventory_id: inventoryId, purchase_id: In(lines.map((line) => line.purchase_id)) },
      relations: { purchase: { article: true }, scanner: true },
    });
    const byPurchase = new Map(rows.map((line) => [line.purchase_id, line]));
    return lines.flatMap((line) => byPurchase.get(line.purchase_id) ?? []);
  }

  /** A day in TIME_ZONE, from its first instant up to that of the next one; an instant begins and ends with itself. */
  private moment(text: string): { isDay: boolean; start: Date; end: Date } {
    const instant = parseInstant(text);
    if (instant) return { isDay: false, start: instant, end: instant };
    return { isDay: true, ...boundsOfDay(this.env.TIME_ZONE, text) };
  }
}
