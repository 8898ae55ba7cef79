import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { encodeCursor } from '../contract/cursor.js';
import type { Position } from '../contract/cursor.js';
import { hasFilters } from '../contract/file-query.js';
import { pageOfChanges, paginate, readAfter, withRows } from '../contract/pagination.js';
import type { Page, SortKey, Sorts } from '../contract/pagination.js';
import type { FilePage } from '../contract/resource.js';
import { syncWindow } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import type { Path } from '../contract/walk.js';
import { changed, inOrder, inWindow } from '../contract/window.js';
import type { Change, Place } from '../contract/window.js';
import { fieldColumns } from '../fields/values.js';
import type { JsonPage } from '../http/json-page.js';
import { Purchase } from '../purchases/purchase.entity.js';
import type { PurchaseRow } from '../purchases/purchases.queries.js';
import { filterPurchases } from '../purchases/purchases.filters.js';
import { PurchaseWalkService } from '../purchases/purchase-walk.service.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import { InventoryLine } from './inventory-line.entity.js';
import type { UnscannedQuery } from './inventories.dto.js';
import { UndoneScan } from './undone-scan.entity.js';
import { InventoriesService } from './inventories.service.js';

/** How many purchases that have changed are looked at for a page, since those that are scanned are none of its rows. */
const LOOKED_AT = 5000;

/** As many as are sorted within 100 ms. */
const FEW = 10_000;

const id: SortKey<Change> = { by: 'id', type: 'integer', of: (row) => row.id };

/** What a session has not scanned yet. */
@Injectable()
export class UnscannedService {
  constructor(
    @InjectRepository(InventoryLine) private readonly lines: Repository<InventoryLine>,
    private readonly inventories: InventoriesService,
    private readonly purchases: PurchasesService,
    private readonly walks: PurchaseWalkService,
  ) {}

  /** Purchases of the session that are not scanned; those of a closed session as they were when it was closed. */
  async list(inventoryId: number, query: UnscannedQuery): Promise<FilePage<PurchaseRow>> {
    const page = await this.page(inventoryId, query);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return { ...page, more: await fieldColumns(this.lines.manager, 'purchase') };
  }

  async walk(inventoryId: number, query: UnscannedQuery): Promise<JsonPage> {
    const path: Path = {
      table: 'inventory_lines',
      id: 'line.purchase_id',
      type: 'integer',
      values: [inventoryId],
      counted: () => this.counted(inventoryId),
    };
    const rows = 'inventory_lines line WHERE line.inventory_id = $1 AND line.scan_id IS NULL';
    const page = await this.walks.through(rows, path, query);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404, as above
    return page;
  }

  private async page(inventoryId: number, query: UnscannedQuery): Promise<Page<PurchaseRow>> {
    const window = await syncWindow(this.lines.manager.dataSource, query);
    const page = window
      ? await this.changes(inventoryId, query, window)
      : await this.missing(inventoryId, query);
    return withRows(page, await this.purchases.byIds(page.rows.map((row) => row.id)));
  }

  private async missing(inventoryId: number, query: UnscannedQuery): Promise<Page<{ id: number }>> {
    const rows = this.lines
      .createQueryBuilder('line')
      .select('line.purchase_id')
      .where('line.inventory_id = :inventoryId AND line.scan_id IS NULL', { inventoryId });
    const isFiltered = hasFilters(query);
    // Without filters and in the order of ids the lines alone tell the page; their purchases are read afterwards.
    const isSorted = !/^-?id$/.test(query.sort ?? 'id');
    if (isFiltered || isSorted)
      rows.innerJoin('line.purchase', 'purchase').addSelect(['purchase.code', 'purchase.purchase_date']);
    await filterPurchases(rows, query, this.purchases.today());
    // PostgreSQL takes what is missing for evenly spread: for a page it may look through all purchases in their order, of
    // which the last ones are missing. Few are sorted sooner; no index has this order.
    const isFew = isSorted && (await this.counted(inventoryId)) <= FEW;
    const sorts: Sorts<InventoryLine> = {
      id: { by: 'line.purchase_id', type: 'integer', of: (line) => line.purchase_id },
      code: {
        by: isFew ? `purchase.code || ''` : 'purchase.code',
        known: 'purchase.code',
        type: 'text',
        of: (line) => line.purchase.code,
      },
      purchase_date: {
        by: isFew ? 'purchase.purchase_date + 0' : 'purchase.purchase_date',
        known: 'purchase.purchase_date',
        type: 'date',
        of: (line) => line.purchase.purchase_date,
      },
    };
    const counted = () => this.counted(inventoryId);
    const page = await paginate(rows, query, sorts, isFiltered ? {} : { counted });
    return { ...page, rows: page.rows.map((line) => ({ id: line.purchase_id })) };
  }

  private async counted(inventoryId: number): Promise<number> {
    const { scanned, total } = await this.inventories.get(inventoryId);
    return total - scanned;
  }

  /**
   * Merged from lists, each in the order of its own index: purchases by their changes, lines by their scans and undos. As far
   * as so many purchases go: near the end of a session nearly all of a million that have changed are scanned.
   */
  private async changes(
    inventoryId: number,
    query: UnscannedQuery,
    window: SyncWindow,
  ): Promise<Page<Change>> {
    const list = `unscanned:${inventoryId}`;
    let end: Place | undefined;
    const read = await readAfter(list, [changed, id], query, async (after, limit) => {
      end = await this.endOfLook(window, after);
      const purchases = await this.changedPurchases(inventoryId, query, window, after, limit, end);
      const undone = await this.undoneSince(inventoryId, window, after, limit);
      const scans = query.include_deleted ? await this.scannedSince(inventoryId, window, after, limit) : [];
      return [...purchases, ...undone, ...scans]
        .filter((row) => !end || inOrder(row, end) <= 0)
        .sort(inOrder)
        .slice(0, limit);
    });
    if (end && read.next_cursor === null) {
      read.next_cursor = encodeCursor(list, [end.changed_at.toISOString(), end.id]);
      read.passed = end.changed_at;
    }
    return pageOfChanges(read, query, window, changed);
  }

  /** Where purchases are left for the next page; undefined where there are not so many. */
  private async endOfLook(window: SyncWindow, after: Position | null): Promise<Place | undefined> {
    const rows = this.lines.manager
      .createQueryBuilder(Purchase, 'purchase')
      .select('purchase.id', 'id')
      .addSelect('purchase.updated_at', 'changed_at')
      .offset(LOOKED_AT - 1);
    return (await inWindow<Place>(rows, 'purchase.updated_at', 'purchase.id', window, after, 1))[0];
  }

  private async changedPurchases(
    inventoryId: number,
    query: UnscannedQuery,
    window: SyncWindow,
    after: Position | null,
    limit: number,
    end: Place | undefined,
  ): Promise<Change[]> {
    const rows = this.lines.manager
      .createQueryBuilder(Purchase, 'purchase')
      .select('purchase.id', 'id')
      .addSelect('purchase.updated_at', 'changed_at')
      .addSelect(
        'CASE WHEN line.purchase_id IS NULL THEN coalesce(purchase.deleted_at, purchase.updated_at) END',
        'deleted_at',
      )
      .leftJoin(
        InventoryLine,
        'line',
        'line.inventory_id = :inventoryId AND line.purchase_id = purchase.id',
        { inventoryId },
      )
      .where('line.scan_id IS NULL');
    // What has none may have had one: what was deleted or disposed of and then came back elsewhere, or after the closing.
    if (!query.include_deleted) rows.andWhere('line.purchase_id IS NOT NULL');
    if (end)
      rows.andWhere('(purchase.updated_at, purchase.id) <= (:end_at, :end_id)', {
        end_at: end.changed_at,
        end_id: end.id,
      });
    return inWindow(rows, 'purchase.updated_at', 'purchase.id', window, after, limit);
  }

  private async scannedSince(
    inventoryId: number,
    window: SyncWindow,
    after: Position | null,
    limit: number,
  ): Promise<Change[]> {
    // What was decided upon later counts from an instant of the past, and came to the list when it was recorded.
    const told = (at: string, which: string) =>
      inWindow<Change>(
        this.lines
          .createQueryBuilder('line')
          .select('line.purchase_id', 'id')
          .addSelect(at, 'changed_at')
          .addSelect(at, 'deleted_at')
          .where(`line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL AND ${which}`, {
            inventoryId,
          }),
        at,
        'line.purchase_id',
        window,
        after,
        limit,
      );
    return [
      ...(await told('line.scanned_at', 'line.recorded_at IS NULL')),
      ...(await told('line.recorded_at', 'line.recorded_at IS NOT NULL')),
    ];
  }

  private async undoneSince(
    inventoryId: number,
    window: SyncWindow,
    after: Position | null,
    limit: number,
  ): Promise<Change[]> {
    const rows = this.lines.manager
      .createQueryBuilder(UndoneScan, 'undone')
      .select('undone.purchase_id', 'id')
      .addSelect('undone.undone_at', 'changed_at')
      .addSelect('NULL', 'deleted_at')
      .innerJoin(
        InventoryLine,
        'line',
        'line.inventory_id = undone.inventory_id AND line.purchase_id = undone.purchase_id AND line.scan_id IS NULL',
      )
      .where('undone.inventory_id = :inventoryId', { inventoryId });
    return inWindow(rows, 'undone.undone_at', 'undone.purchase_id', window, after, limit);
  }
}
