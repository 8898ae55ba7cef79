import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { boundsOfDay, parseInstant } from '../common/dates.js';
import { Env } from '../config/env.js';
import { hasFilters, pageOfChanges, paginate, readAfter } from '../contract/pagination.js';
import type { Changed, Page, SortKey } from '../contract/pagination.js';
import { syncWindow } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { inWindow } from '../contract/window.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { UndoneScan } from '../inventories/undone-scan.entity.js';
import { placesIn } from '../purchases/purchases.service.js';
import type { ScansQuery } from './scan-entries.dto.js';

/** A scan, or the mark of one that was undone. */
interface Change {
  id: number;
  purchase_id: number;
  changed_at: Date;
  deleted_at: Date | null;
}

const changed: Changed<Change> = { by: 'changed_at', type: 'timestamptz', of: (row) => row.changed_at };
const id: SortKey<Change> = { by: 'id', type: 'bigint', of: (row) => row.id };

/** What a session has scanned. */
@Injectable()
export class ScanListService {
  constructor(
    @InjectRepository(InventoryLine) private readonly lines: Repository<InventoryLine>,
    private readonly inventories: InventoriesService,
    private readonly env: Env,
  ) {}

  /** What was scanned, when and by whom. */
  async list(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    const window = await syncWindow(this.lines.manager.dataSource, query);
    const page = window
      ? await this.changes(inventoryId, query, window)
      : await this.recorded(inventoryId, query);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return { ...page, rows: await this.withRelations(inventoryId, page.rows) };
  }

  private async recorded(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    // The lines alone tell the page; joined in one go, counting them would read every purchase too.
    const rows = this.lines
      .createQueryBuilder('line')
      .where('line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL', { inventoryId });
    if (query.user_id) rows.andWhere('line.scanned_by = :user_id', query);
    if (query.condition) rows.andWhere('line.condition = :condition', query);
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
    // Without filters the session tells how long the list is.
    const counted = async () => (await this.inventories.get(inventoryId)).scanned;
    return paginate(rows, query, { id: scan_id, scanned_at }, hasFilters(query) ? {} : { counted });
  }

  /** Scans in the order of their instants, and where it is asked for those that were undone in that of theirs. */
  private async changes(inventoryId: number, query: ScansQuery, window: SyncWindow): Promise<Page<Change>> {
    const read = await readAfter(`scans:${inventoryId}`, [changed, id], query, async (after, limit) => {
      const of = (entity: typeof InventoryLine | typeof UndoneScan, at: string, which = 'true') => {
        const rows = this.lines.manager
          .createQueryBuilder<InventoryLine | UndoneScan>(entity, 'row')
          .select('row.scan_id', 'id')
          .addSelect('row.purchase_id', 'purchase_id')
          .addSelect(at, 'changed_at')
          .addSelect(entity === UndoneScan ? at : 'NULL', 'deleted_at')
          .where(`row.inventory_id = :inventoryId AND row.scan_id IS NOT NULL AND ${which}`, { inventoryId });
        return inWindow<Change>(rows, at, 'row.scan_id', window, after, limit);
      };
      const scans = await of(InventoryLine, 'row.scanned_at', 'row.recorded_at IS NULL');
      const decided = await of(InventoryLine, 'row.recorded_at');
      const undone = query.include_deleted ? await of(UndoneScan, 'row.undone_at') : [];
      return [...scans, ...decided, ...undone]
        .sort((a, b) => a.changed_at.getTime() - b.changed_at.getTime() || a.id - b.id)
        .slice(0, limit);
    });
    return pageOfChanges(read, query, window, changed);
  }

  /** Lines as they are listed, in the same order. */
  private async withRelations(
    inventoryId: number,
    lines: { purchase_id: number }[],
  ): Promise<InventoryLine[]> {
    const rows = await this.lines.find({
      where: { inventory_id: inventoryId, purchase_id: In(lines.map((line) => line.purchase_id)) },
      relations: { inventory: true, purchase: { article: true }, scanner: true, location: true },
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
