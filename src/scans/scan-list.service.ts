import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { boundsOfDay, parseInstant } from '../common/dates.js';
import { Env } from '../config/env.js';
import { hasFilters } from '../contract/file-query.js';
import { pageOfChanges, paginate, readAfter } from '../contract/pagination.js';
import type { Page, SortKey } from '../contract/pagination.js';
import { syncWindow } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { walk } from '../contract/walk.js';
import type { Path } from '../contract/walk.js';
import { changed, inWindow } from '../contract/window.js';
import type { Change } from '../contract/window.js';
import type { JsonPage } from '../http/json-page.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { placesIn } from '../purchases/purchases.filters.js';
import type { JsonRow } from '../database/json-row.js';
import { Sql } from '../database/sql.js';
import type { ScansQuery } from './scan-entries.dto.js';
import { entriesByIds, entriesOnWalk } from './scan-entries.queries.js';
import type { EntryRow } from './scan-entries.queries.js';
import { changedId, merged, undoneSince } from './undone.js';

/** What a session has scanned. */
@Injectable()
export class ScanListService {
  constructor(
    @InjectRepository(InventoryLine) private readonly lines: Repository<InventoryLine>,
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /** What was scanned, when and by whom. */
  async list(inventoryId: number, query: ScansQuery): Promise<Page<EntryRow>> {
    const page = await this.page(inventoryId, query);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return page;
  }

  async walk(inventoryId: number, query: ScansQuery): Promise<JsonPage> {
    const path: Path = {
      table: 'inventory_lines',
      id: 'line.scan_id',
      type: 'bigint',
      values: [inventoryId],
      counted: () => this.counted(inventoryId),
    };
    const page = await walk(path, query, (step) => this.sql.query<JsonRow>(entriesOnWalk(step)));
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404, as above
    return page;
  }

  private async page(inventoryId: number, query: ScansQuery): Promise<Page<EntryRow>> {
    const window = await syncWindow(this.lines.manager.dataSource, query);
    const page = window
      ? await this.changes(inventoryId, query, window)
      : await this.recorded(inventoryId, query);
    const ids = page.rows.map((row) => ('scan_id' in row ? (row.scan_id as number) : row.id));
    return { ...page, rows: await this.byIds(inventoryId, ids) };
  }

  private byIds(inventoryId: number, ids: number[]): Promise<EntryRow[]> {
    return ids.length > 0 ? this.sql.query<EntryRow>(entriesByIds(inventoryId, ids)) : Promise.resolve([]);
  }

  private async recorded(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    // The lines alone tell the page; joined in one go, counting them would read every purchase too.
    const rows = this.lines
      .createQueryBuilder('line')
      .select(['line.scan_id', 'line.scanned_at'])
      .where('line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL', { inventoryId });
    if (query.user_id) rows.andWhere('line.scanned_by = :user_id', query);
    if (query.condition) rows.andWhere('line.condition = :condition', query);
    if (query.source) rows.andWhere('line.source = :source', query);
    if (query.location_id)
      rows.andWhere('line.location_id = ANY (:places)', {
        places: await placesIn(this.lines.manager, query.location_id),
      });
    if (query.category_id)
      rows.andWhere(
        `line.purchase_id IN (SELECT p.id FROM purchases p JOIN articles a ON a.id = p.article_id
           WHERE a.category_id = :category_id)`,
        query,
      );
    // By its message: the lines have no index for it.
    if (query.client_id)
      rows.andWhere(
        `line.scan_id = (SELECT scan_id FROM inventory_answers WHERE inventory_id = :inventoryId AND client_id = :client_id)`,
        query,
      );
    const { scanned_from: from, scanned_to: to } = query;
    if (from) rows.andWhere('line.scanned_at >= :from', { from: this.moment(from).start });
    if (to) {
      const { isDay, end } = this.moment(to);
      rows.andWhere(`line.scanned_at ${isDay ? '<' : '<='} :to`, { to: end });
    }
    const scan_id: SortKey<InventoryLine> = {
      by: 'line.scan_id',
      type: 'bigint',
      of: (line) => line.scan_id as number,
    };
    const scanned_at: SortKey<InventoryLine> = {
      by: 'line.scanned_at',
      type: 'timestamptz',
      of: (line) => line.scanned_at as Date,
    };
    const counted = () => this.counted(inventoryId);
    return paginate(rows, query, { id: scan_id, scanned_at }, hasFilters(query) ? {} : { counted });
  }

  /** Without filters the session tells how long the list is. */
  private async counted(inventoryId: number): Promise<number> {
    return (await this.inventories.get(inventoryId)).scanned;
  }

  /** Scans in the order of their instants, and where it is asked for those that were undone in that of theirs. */
  private async changes(inventoryId: number, query: ScansQuery, window: SyncWindow): Promise<Page<Change>> {
    const read = await readAfter(
      `scans:${inventoryId}`,
      [changed, changedId],
      query,
      async (after, limit) => {
        const scans = (at: string, which: string) =>
          inWindow<Change>(
            this.lines
              .createQueryBuilder('line')
              .select('line.scan_id', 'id')
              .addSelect(at, 'changed_at')
              .addSelect('NULL', 'deleted_at')
              .where(`line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL AND ${which}`, {
                inventoryId,
              }),
            at,
            'line.scan_id',
            window,
            after,
            limit,
          );
        const recorded = await scans('line.scanned_at', 'line.recorded_at IS NULL');
        const decided = await scans('line.recorded_at', 'line.recorded_at IS NOT NULL');
        const undone = query.include_deleted
          ? await undoneSince(this.lines.manager, inventoryId, 'scan_id', window, after, limit)
          : [];
        return merged(limit, recorded, decided, undone);
      },
    );
    return pageOfChanges(read, query, window, changed);
  }

  /** A day in TIME_ZONE, from its first instant up to that of the next one; an instant begins and ends with itself. */
  private moment(text: string): { isDay: boolean; start: Date; end: Date } {
    const instant = parseInstant(text);
    if (instant) return { isDay: false, start: instant, end: instant };
    return { isDay: true, ...boundsOfDay(this.env.TIME_ZONE, text) };
  }
}
