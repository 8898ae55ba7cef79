import { Injectable } from '@nestjs/common';
import { drain } from '../common/drain.js';
import { Limit } from '../common/limit.js';
import { jsonOf } from '../database/json-row.js';
import type { JsonRow } from '../database/json-row.js';
import { Sql } from '../database/sql.js';
import { eventText } from '../http/event-stream.js';
import { sharedText } from '../http/gzip-stream.js';
import type { SharedText } from '../http/gzip-stream.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { inventory } from '../inventories/inventories.dto.js';
import { toUnknownCodeDto } from '../scans/unknown-codes.dto.js';
import { UnknownCodesService } from '../scans/unknown-codes.service.js';
import { countAfter, eventsAfter, happened, horizon } from './events.queries.js';
import { KINDS, idOf, readId } from './position.js';
import type { Kind, Position } from './position.js';

/** What is read at once: writing to 500 listeners costs by the piece. */
export const PAGE = 2000;
/** And for a listener who has fallen behind, for whom it is held. */
const PAGE_ALONE = 500;
const HOUR_MS = 3_600_000;
/** Whoever missed more than that, longer ago than an hour, reads the lists instead. */
const RESUMED = 10_000;
/** Reads of those who fell behind: each takes a connection of the pool for some milliseconds. */
const READERS = 2;
const PATIENCE_MS = 60_000;

/** Events as they are sent; `to` is the position after them. */
export interface Batch {
  text: SharedText;
  to: Position;
  count: number;
  /** Whether there may be more. */
  isFull: boolean;
}

/** What happened in sessions, told from their tables: any instance tells the same, also of the time before its start. */
@Injectable()
export class EventsService {
  private asked?: Promise<Date>;
  private readonly readers = new Limit(READERS, PATIENCE_MS);

  constructor(
    private readonly sql: Sql,
    private readonly inventories: InventoriesService,
    private readonly unknown: UnknownCodesService,
  ) {}

  /** Asked once for all who come while it is. */
  horizon(): Promise<Date> {
    return (this.asked ??= this.askHorizon().finally(() => (this.asked = undefined)));
  }

  private async askHorizon(): Promise<Date> {
    const [row] = await this.sql.query<{ until: Date }>(horizon);
    return row!.until;
  }

  /** Where whoever has read up to this event goes on; null where that is not known any more. */
  async resumed(inventoryId: number, lastEventId: string, until: Date): Promise<Position | null> {
    const after = readId(inventoryId, lastEventId);
    if (!after) return null;
    // Another instance may have told it since the horizon was asked for here; a database that was restored has not.
    if (after.at > until && after.at > (await this.askHorizon())) return null;
    if (until.getTime() - after.at.getTime() <= HOUR_MS) return after;
    const [row] = await this.sql.query<{ count: number }>(countAfter(inventoryId, after, until, RESUMED + 1));
    return row!.count > RESUMED ? null : after;
  }

  async read(inventoryId: number, after: Position, until: Date, limit = PAGE): Promise<Batch> {
    const rows = await this.sql.query<JsonRow>(eventsAfter(inventoryId, after, until, limit));
    const events = drain(rows, happened);
    const of = (...kinds: Kind[]) => events.filter((event) => kinds.includes(kindOf(event)));
    const codes = await this.unknown.byIds(of('unknown').map(({ id }) => id));
    const code = new Map(codes.map((row) => [row.id, jsonOf(toUnknownCodeDto(row))]));
    const isTurn = of('reopened', 'closed').length > 0;
    const session = isTurn ? jsonOf(inventory.answer(await this.inventories.get(inventoryId))) : '';
    const texts = events.map((event) => {
      const json = event.json ?? (kindOf(event) === 'unknown' ? code.get(event.id)! : session);
      return eventText(kindOf(event), idOf(inventoryId, event), json);
    });
    return {
      text: await sharedText(Buffer.from(texts.join(''), 'latin1')),
      to: events.at(-1) ?? after,
      count: events.length,
      isFull: events.length === limit,
    };
  }

  /** The same for one listener, who waits for his turn: those who keep up come first. */
  readAlone(inventoryId: number, after: Position, until: Date): Promise<Batch> {
    return this.readers.run(() => this.read(inventoryId, after, until, PAGE_ALONE));
  }
}

const kindOf = ({ rank }: Position): Kind => KINDS[rank - 1]!;
