import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Raw, Repository } from 'typeorm';
import { notFound } from '../common/errors.js';
import { pageOfChanges, paginate, readAfter } from '../contract/pagination.js';
import type { ListQuery } from '../contract/list-query.js';
import type { Page, Sorts } from '../contract/pagination.js';
import { syncWindow } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { changed, inWindow } from '../contract/window.js';
import type { Change } from '../contract/window.js';
import type { Caller } from '../database/audit.js';
import type { Run } from '../database/sql.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { DecisionsService } from './decisions.service.js';
import type { MisplacedQuery, UnexpectedQuery } from './findings.dto.js';
import { holdPlace } from './keeping.service.js';
import { Misplaced } from './misplaced.entity.js';
import type { MisplacedResolution } from './misplaced.entity.js';
import { scanMessages } from './scans.messages.js';
import { changedId, merged, undoneSince } from './undone.js';
import { UnexpectedScan } from './unexpected-scan.entity.js';

/** How the rows of such a list are called and found. */
interface Kind {
  name: 'unexpected' | 'misplaced';
  id: 'scan_id' | 'purchase_id';
  changedAt: string;
}
const UNEXPECTED: Kind = { name: 'unexpected', id: 'scan_id', changedAt: 'recorded_at' };
const MISPLACED: Kind = { name: 'misplaced', id: 'purchase_id', changedAt: 'changed_at' };

/** The scan of a message. */
const recordedBy = (inventoryId: number, clientId: string) =>
  Raw(
    (scanId) =>
      `${scanId} = (SELECT scan_id FROM inventory_answers WHERE inventory_id = :inventoryId AND client_id = :clientId)`,
    { inventoryId, clientId },
  );

/** What a session found and did not expect, or not there. */
@Injectable()
export class FindingsService {
  constructor(
    @InjectRepository(UnexpectedScan) private readonly unexpectedScans: Repository<UnexpectedScan>,
    @InjectRepository(Misplaced) private readonly misplacedThings: Repository<Misplaced>,
    private readonly inventories: InventoriesService,
    private readonly decisions: DecisionsService,
  ) {}

  unexpected(inventoryId: number, query: UnexpectedQuery): Promise<Page<UnexpectedScan>> {
    const sorts: Sorts<UnexpectedScan> = {
      id: { by: 'unexpected.scan_id', type: 'bigint', of: (row) => row.scan_id },
      scanned_at: { by: 'unexpected.scanned_at', type: 'timestamptz', of: (row) => row.scanned_at },
    };
    const relations = { purchase: { article: true }, scanner: true, location: true };
    const read = (ids: number[]) =>
      this.unexpectedScans.find({ where: { inventory_id: inventoryId, scan_id: In(ids) }, relations });
    const { client_id } = query;
    const where = client_id === undefined ? {} : { scan_id: recordedBy(inventoryId, client_id) };
    return this.list(inventoryId, query, UNEXPECTED, this.unexpectedScans, sorts, read, where);
  }

  misplaced(inventoryId: number, query: MisplacedQuery): Promise<Page<Misplaced>> {
    const sorts: Sorts<Misplaced> = {
      id: { by: 'misplaced.purchase_id', type: 'integer', of: (row) => row.purchase_id },
      at: { by: 'misplaced.found_at', type: 'timestamptz', of: (row) => row.found_at },
    };
    const where =
      query.resolved === undefined ? {} : { resolution: query.resolved ? Not(IsNull()) : IsNull() };
    const read = (ids: number[]) => this.readMisplaced(inventoryId, ids);
    return this.list(inventoryId, query, MISPLACED, this.misplacedThings, sorts, read, where);
  }

  /**
   * Decides on what was found elsewhere: it belongs there from now on, or it does not.
   * @throws DomainError not-found, already-decided, session-closed
   */
  async resolve(
    inventoryId: number,
    purchaseId: number,
    how: MisplacedResolution,
    caller: Caller,
  ): Promise<Misplaced> {
    const isMoved = how === 'moved';
    const row = {
      text: `SELECT found_id, resolution FROM inventory_misplaced WHERE inventory_id = $1 AND purchase_id = $2`,
      values: [inventoryId, purchaseId],
    };
    const before = async (run: Run) => {
      const [found] = (await run<Misplaced>(row.text, row.values)).rows;
      const isGone = found && isMoved && !(await holdPlace(run, found.found_id));
      await run(`SELECT FROM purchases WHERE id = $1 FOR NO KEY UPDATE`, [purchaseId]);
      return isGone ? notFound(scanMessages.place_gone) : undefined;
    };
    const isOpen = ({ resolution }: Misplaced) => resolution === null;
    const none = scanMessages.none_misplaced;
    await this.decisions.decide(
      { inventoryId, caller, before, row, none, isOpen },
      async (run, { found_id }: Misplaced) => {
        if (isMoved) {
          const moved = await run(
            `UPDATE purchases SET location_id = $2 WHERE id = $1 AND deleted_at IS NULL`,
            [purchaseId, found_id],
          );
          if (moved.rowCount === 0) throw notFound(scanMessages.purchase_gone);
        }
        await run(
          `UPDATE inventory_misplaced SET resolution = $3, resolved_at = change_instant(), resolved_by = $4,
             changed_at = change_instant()
           WHERE inventory_id = $1 AND purchase_id = $2`,
          [inventoryId, purchaseId, how, caller.user_id],
        );
        const details = { purchase_id: purchaseId, found_id };
        return { action: `misplaced.${isMoved ? 'move' : 'ignore'}`, details };
      },
    );
    return (await this.readMisplaced(inventoryId, [purchaseId]))[0] as Misplaced;
  }

  private readMisplaced(inventoryId: number, ids: number[]): Promise<Misplaced[]> {
    return this.misplacedThings.find({
      where: { inventory_id: inventoryId, purchase_id: In(ids) },
      relations: { purchase: { article: true }, expected: true, found: true, finder: true, resolver: true },
    });
  }

  /** Pages the rows alone, and reads afterwards what the page shows of them. */
  private async list<Row extends UnexpectedScan | Misplaced>(
    inventoryId: number,
    query: ListQuery,
    { name, id, changedAt }: Kind,
    repository: Repository<Row>,
    sorts: Sorts<Row>,
    read: (ids: number[]) => Promise<Row[]>,
    where: object = {},
  ): Promise<Page<Row>> {
    const rows = repository.createQueryBuilder(name).where({ inventory_id: inventoryId, ...where });
    const window = await syncWindow(repository.manager.dataSource, query);
    const idOf = (row: Row) => (row as unknown as Record<string, number>)[id] as number;
    const page = window
      ? await this.changes(inventoryId, query, { name, id, changedAt }, repository, window)
      : await paginate(rows, query, sorts);
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    const ids = page.rows.map((row) => ('changed_at' in row && 'id' in row ? row.id : idOf(row)));
    const byId = new Map((await read(ids)).map((row) => [idOf(row), row]));
    return { ...page, rows: ids.flatMap((one) => byId.get(one) ?? []) };
  }

  private async changes<Row extends UnexpectedScan | Misplaced>(
    inventoryId: number,
    query: ListQuery,
    { name, id, changedAt }: Kind,
    repository: Repository<Row>,
    window: SyncWindow,
  ): Promise<Page<Change>> {
    const read = await readAfter(
      `${name}:${inventoryId}`,
      [changed, changedId],
      query,
      async (after, limit) => {
        const at = `row.${changedAt}`;
        const rows = repository
          .createQueryBuilder('row')
          .select(`row.${id}`, 'id')
          .addSelect(at, 'changed_at')
          .addSelect('NULL', 'deleted_at')
          .where('row.inventory_id = :inventoryId', { inventoryId });
        const found = await inWindow<Change>(rows, at, `row.${id}`, window, after, limit);
        const undone = query.include_deleted
          ? await undoneSince(repository.manager, inventoryId, id, window, after, limit)
          : [];
        return merged(limit, found, undone);
      },
    );
    return pageOfChanges(read, query, window, changed);
  }
}
