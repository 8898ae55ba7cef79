import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { sqlState } from '../database/errors.js';
import { boundsOfDay, parseInstant } from '../common/dates.js';
import { invalid, noErrors, notFound, unavailable } from '../common/errors.js';
import { say } from '../common/messages.js';
import { hasFilters, pageOfChanges, paginate, readAfter } from '../contract/pagination.js';
import type { Changed, Page, SortKey } from '../contract/pagination.js';
import { syncWindow } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { inWindow } from '../contract/window.js';
import { Sql } from '../database/sql.js';
import { Env } from '../config/env.js';
import { cleanCode, codeCandidates } from '../purchases/code.js';
import { InventoryLine } from '../inventories/inventory-line.entity.js';
import { UndoneScan } from '../inventories/undone-scan.entity.js';
import type { ScansQuery } from './scan-entries.dto.js';
import type { ScanDto, ScanItemDto, ScanOutcome } from './scans.dto.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { OVERTAKEN, scan, scanItems } from './scans.queries.js';
import type { ItemRow, ScanRow } from './scans.queries.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { scanMessages } from './scans.messages.js';

const MAX_TRIES = 5;

/** A scan, or the mark of one that was undone. */
interface Change {
  id: number;
  purchase_id: number;
  changed_at: Date;
  deleted_at: Date | null;
}

const changed: Changed<Change> = { by: 'changed_at', type: 'timestamptz', of: (row) => row.changed_at };
const id: SortKey<Change> = { by: 'id', type: 'bigint', of: (row) => row.id };

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
  async scan(inventoryId: number, item: ScanDto, userId: number): Promise<ScanOutcome> {
    const { code: scanned, ...more } = item;
    if (Object.keys(more).length > 0) return (await this.scanItems(inventoryId, [item], userId))[0]!;
    const statement = scan(inventoryId, codeCandidates(scanned), userId);
    const row = (await this.known(() => this.sql.hot<ScanRow>(statement)))[0]!;
    const purchase =
      row.purchase_id === null
        ? null
        : {
            id: row.purchase_id,
            code: row.code,
            article: { id: row.article_id, name: row.article_name },
          };
    const code = purchase?.code ?? scanned;
    const now = { code, scanned_at: new Date(), purchase, scan_id: null };
    if (row.is_closed) return { reason: 'session-closed', ...now };
    if (!purchase) return { reason: 'unknown-code', ...now };
    const { scan_id } = row;
    if (row.recorded_at) return { reason: 'recorded', code, scanned_at: row.recorded_at, purchase, scan_id };
    const at = row.first_at as Date;
    const first_scan = { at, by: { id: row.first_by_id, name: row.first_by_name } };
    return { reason: 'already-scanned', code, scanned_at: at, purchase, scan_id, first_scan };
  }

  /**
   * Records what a phone has gathered, in its order; answers in the same.
   * @throws DomainError validation-failed for a client_id that two items have
   */
  scanAll(inventoryId: number, items: ScanItemDto[], userId: number): Promise<ScanOutcome[]> {
    const ids = new Set<string>();
    const errors = noErrors();
    for (const [at, { client_id }] of items.entries()) {
      if (ids.has(client_id)) errors[`scans.${at}.client_id`] = [say(scanMessages.client_id_repeated)];
      ids.add(client_id);
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return this.scanItems(inventoryId, items, userId);
  }

  private async scanItems(inventoryId: number, items: ScanDto[], userId: number): Promise<ScanOutcome[]> {
    const sent = items.map(({ code, scanned_at, ...more }, n) => ({
      n,
      cleaned: cleanCode(code),
      candidates: codeCandidates(code),
      device_scanned_at: scanned_at,
      ...more,
    }));
    const rows = await this.known(() => this.sql.query<ItemRow>(scanItems(inventoryId, sent, userId)));
    return rows.map(({ n, answer }) => {
      const { code, client_id } = items[n]!;
      return {
        ...withDates(answer),
        code: answer.purchase ? answer.code : code,
        ...(client_id && { client_id }),
      };
    });
  }

  /** Tries again where another one was faster, and throws where there is no such session. */
  private async known<Row>(statement: () => Promise<Row[]>): Promise<Row[]> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      try {
        const rows = await statement();
        if (rows.length === 0) throw notFound(inventoryMessages.none);
        return rows;
      } catch (error) {
        if (sqlState(error) !== OVERTAKEN) throw error;
      }
    }
    throw unavailable();
  }

  /** What was scanned, when and by whom. */
  async list(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    const window = await syncWindow(this.lines.manager.dataSource, query);
    const page = window
      ? await this.changes(inventoryId, query, window)
      : await this.recorded(inventoryId, query);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return { ...page, rows: await this.withRelations(inventoryId, page.rows) };
  }

  private recorded(inventoryId: number, query: ScansQuery): Promise<Page<InventoryLine>> {
    // The lines alone tell the page; joined in one go, counting them would read every purchase too.
    const rows = this.lines
      .createQueryBuilder('line')
      .where('line.inventory_id = :inventoryId AND line.scan_id IS NOT NULL', { inventoryId });
    if (query.user_id) rows.andWhere('line.scanned_by = :user_id', query);
    if (query.condition) rows.andWhere('line.condition = :condition', query);
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
      const of = (entity: typeof InventoryLine | typeof UndoneScan, at: string) => {
        const rows = this.lines.manager
          .createQueryBuilder<InventoryLine | UndoneScan>(entity, 'row')
          .select('row.scan_id', 'id')
          .addSelect('row.purchase_id', 'purchase_id')
          .addSelect(at, 'changed_at')
          .addSelect(entity === UndoneScan ? at : 'NULL', 'deleted_at')
          .where('row.inventory_id = :inventoryId AND row.scan_id IS NOT NULL', { inventoryId });
        return inWindow<Change>(rows, at, 'row.scan_id', window, after, limit);
      };
      const scans = await of(InventoryLine, 'row.scanned_at');
      const undone = query.include_deleted ? await of(UndoneScan, 'row.undone_at') : [];
      return [...scans, ...undone]
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
      relations: { inventory: true, purchase: { article: true }, scanner: true },
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

/** From JSON. */
const withDates = ({ scanned_at, first_scan, ...answer }: ItemRow['answer']): ScanOutcome => ({
  ...answer,
  scanned_at: new Date(scanned_at),
  ...(first_scan && { first_scan: { ...first_scan, at: new Date(first_scan.at) } }),
});
