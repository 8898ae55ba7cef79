import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { Env } from '../config/env.js';
import { Sql } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { toProgress } from '../imports/imports.dto.js';
import { ImportsService } from '../imports/imports.service.js';
import { inventory } from '../inventories/inventories.dto.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { toUndoneDto } from '../live/live.dto.js';
import type { UndoneRow } from '../live/live.dto.js';
import { purchaseDetail } from '../purchases/purchase-detail.dto.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import { toScanEntryDto } from '../scans/scan-entries.dto.js';
import { bodyOf } from './events.js';
import { HEADS, LISTENERS, MY_TURN, OLDEST, QUEUE, anythingToTell, scansToTell } from './outbox.queries.js';
import type { Message, Told } from './outbox.queries.js';

const ACTOR = { command: 'webhooks' };

/** The `data` of a message by the place of its thing; null where there is nothing left to tell. */
type Data = (n: number) => object | null;

/** Makes a message for each webhook of what changes have left in the outbox. */
@Injectable()
export class OutboxService {
  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    private readonly purchases: PurchasesService,
    private readonly inventories: InventoriesService,
    private readonly imports: ImportsService,
  ) {}

  /**
   * The messages are there, and what they tell of is not in the outbox any more, by one transaction.
   * @param most of how many things it tells, about
   * @returns of how many; 0 also while another instance is at it
   */
  async tell(most: number): Promise<number> {
    const [asked] = await this.sql.query<{ is_there: boolean }>(anythingToTell);
    if (!asked?.is_there) return 0;
    return this.sql.transaction(ACTOR, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run, within) => {
      const [turn] = (await run<{ is_mine: boolean }>(MY_TURN)).rows;
      if (!turn?.is_mine) return 0;
      const told = (await run<Told>(OLDEST, [most])).rows;
      const listeners = (await run<{ id: number }>(LISTENERS)).rows;
      if (listeners.length > 0) await queue(run, listeners, await within(() => this.messages(told)));
      await run(`DELETE FROM webhook_outbox WHERE id = ANY ($1)`, [told.map(({ id }) => id)]);
      return told.reduce((sum, { items }) => sum + items.length, 0);
    });
  }

  private async messages(told: Told[]): Promise<Message[]> {
    const messages: Message[] = [];
    for (const kind of kinds(told)) {
      const data = await this.dataOf(kind);
      let n = 0;
      for (const { at, event, inventory_id, items } of kind)
        for (const item of items) {
          const one = data(n++);
          const subject = inventory_id ? `session ${inventory_id}` : `${roomOf(event)} ${item as number}`;
          if (one) messages.push({ event, subject, at, body: bodyOf(event, at, one) });
        }
    }
    return messages;
  }

  /** As the API answers it now. */
  private async dataOf(told: Told[]): Promise<Data> {
    const items = told.flatMap((one) => one.items);
    const { event } = told[0]!;
    if (event === 'purchase.deleted') return (n) => ({ id: items[n], deleted: true });
    if (roomOf(event) === 'scan') return this.scans(told, event === 'scan.undone');
    if (roomOf(event) === 'purchase') return this.purchasesAnswered(items as number[]);
    if (roomOf(event) === 'inventory') return this.sessions(items as number[]);
    return this.importsAnswered(items as number[]);
  }

  private async scans(told: Told[], isUndone: boolean): Promise<Data> {
    const items = told.flatMap(({ inventory_id, items: scans }) =>
      scans.map((scan) => ({ ...(scan as object), inventory_id })),
    );
    const rows = await this.sql.query<UndoneRow>(scansToTell(items));
    const answer = (row: UndoneRow) => (isUndone ? toUndoneDto(row) : toScanEntryDto(row));
    return (n) => ({ inventory_id: items[n]!.inventory_id, ...answer(rows[n]!) });
  }

  private async purchasesAnswered(ids: number[]): Promise<Data> {
    const rows = await this.purchases.byIds([...new Set(ids)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const { answer } = purchaseDetail(this.purchases.asOf());
    return (n) => answer(byId.get(ids[n]!)!);
  }

  /** One that is forgotten since is not told of. */
  private async importsAnswered(ids: number[]): Promise<Data> {
    const rows = await this.imports.byIds(ids);
    const byId = new Map(rows.map((row) => [row.id, toProgress(row)]));
    return (n) => byId.get(ids[n]!) ?? null;
  }

  /** One that was deleted since is not told of. */
  private async sessions(ids: number[]): Promise<Data> {
    const byId = new Map<number, object>();
    for (const id of new Set(ids)) {
      try {
        byId.set(id, inventory.answer(await this.inventories.get(id)));
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'not-found')) throw error;
      }
    }
    return (n) => byId.get(ids[n]!) ?? null;
  }
}

const roomOf = (event: string): string => event.slice(0, event.indexOf('.'));

/** What follows each other and is of one event is read at once. */
function* kinds(told: Told[]): Generator<[Told, ...Told[]]> {
  for (let at = 0; at < told.length;) {
    const end = told.findIndex(({ event }, place) => place > at && event !== told[at]!.event);
    const next = end < 0 ? told.length : end;
    yield told.slice(at, next) as [Told, ...Told[]];
    at = next;
  }
}

async function queue(run: Run, listeners: { id: number }[], messages: Message[]): Promise<void> {
  const ids = listeners.map(({ id }) => id);
  const subjects = messages.map(({ subject }) => subject);
  await run(HEADS, [ids, [...new Set(subjects)]]);
  await run(QUEUE, [
    ids,
    messages.map(({ event }) => event),
    subjects,
    messages.map(({ body }) => body),
    messages.map(({ at }) => at),
  ]);
}
