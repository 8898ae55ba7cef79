import { setImmediate } from 'node:timers/promises';
import { eventText } from '../http/event-stream.js';
import type { Listener } from '../http/event-stream.js';
import { joined, shortText } from '../http/gzip-stream.js';
import type { SharedText } from '../http/gzip-stream.js';
import type { ProgressDto } from '../inventories/inventories.dto.js';
import { PAGE } from './events.service.js';
import type { Batch, EventsService } from './events.service.js';
import { beginOf, endOf, idOf } from './position.js';
import type { Position } from './position.js';

/** The last batches are kept for those who take a moment to read, and so many events of them at most. */
const KEPT = { batches: 16, events: 8000 };
/** So many go out in one piece at most, and wait for a listener: writing to 500 of them costs by the piece. */
const TOLD = 2;
/** So many listeners are told in one turn of the event loop, and scans answered in between: 500 in a row take 60 ms. */
const GROUP = 25;

/** What is told to whoever has been told all up to a position, and a progress: then, all up to another, and another. */
interface Piece {
  after: Position;
  told?: ProgressDto;
  text: SharedText;
  to: Position;
  progress: ProgressDto;
}

/** A session that somebody follows: read once a second for all of them. Whoever falls behind reads it for himself. */
export class Watch {
  readonly listeners = new Set<Listener>();
  /** Milliseconds from the first that is not told yet to the turn that left it. */
  behind = 0;
  /** By the position before them, as the one before that and whoever was told it have it. */
  private readonly batches = new Map<Position, Batch>();
  /** How many events those have. */
  private kept = 0;
  /** All that happened before `until` is told at `end`. */
  private known: { until: Date; end: Position };
  /** What was told last: most listeners have been told the same before. */
  private last?: Piece;
  private atLastTurn: ProgressDto;
  private next!: Promise<void>;
  private wake: () => void = () => undefined;
  /** How many were woken so far, and when those before the next one have been told. */
  private woken = 0;
  private others = Promise.resolve();

  constructor(
    private readonly inventoryId: number,
    private readonly events: EventsService,
    until: Date,
    private progress: ProgressDto,
  ) {
    this.known = { until, end: beginOf(until) };
    this.atLastTurn = progress;
    this.turn();
  }

  /** How much telling an event to all of them costs. */
  get cost(): number {
    return [...this.listeners].reduce((all, { cost }) => all + cost, 0);
  }

  /** Reads what happened until then; while more is scanned, `share` events of it, and the rest in the turns after it. */
  async advance(horizon: Date, share: number, progress: () => Promise<ProgressDto>): Promise<void> {
    const { scanned } = this.atLastTurn;
    this.see((this.atLastTurn = await progress()));
    let left = this.atLastTurn.scanned - scanned > share ? share : Math.max(share, KEPT.events);
    let [{ end }, until] = [this.known, horizon];
    for (let [isFull, read] = [true, 1]; isFull; read++) {
      const batch = await this.events.read(this.inventoryId, end, until, Math.min(left, PAGE));
      isFull = batch.isFull;
      if (batch.count === 0) break;
      this.keep(end, batch);
      end = batch.to;
      left -= batch.count;
      if (isFull && left === 0) [until, left] = [endOf(end), Infinity]; // not within an instant
      if (isFull && read % TOLD === 0) this.turn(); // the last ones go out in one piece with the progress
    }
    this.known = { until, end };
    this.behind = horizon.getTime() - until.getTime();
    this.turn();
  }

  /** Tells a listener what happens from now on, or after the position from which he goes on, until he has gone. */
  async tell(listener: Listener, resumed: Position | null, isReset: boolean): Promise<void> {
    let position = resumed ?? this.known.end;
    if (isReset) await listener.send(this.event('reset', position, {}));
    let told: ProgressDto | undefined;
    while (!listener.isGone) {
      const { next } = this; // before anything is looked at that may change
      const piece = this.pieceAfter(position, told);
      if (piece) {
        await listener.send(piece.text);
        ({ to: position, progress: told } = piece);
        continue;
      }
      const missed = await this.catchUp(position);
      if (missed) {
        if (missed.count > 0) await listener.send(missed.text);
        position = missed.to;
        continue;
      }
      await next;
      await this.turnOfMine();
    }
  }

  /** What was read of it last, whoever asked. */
  see(progress: ProgressDto): void {
    const { scanned, total } = this.progress;
    if (progress.scanned !== scanned || progress.total !== total) this.progress = progress;
  }

  leave(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size === 0) this.turn();
  }

  /** Null for whoever has been told all, or has read on another instance what is not known here yet. */
  private async catchUp(position: Position): Promise<Batch | null> {
    const { until, end } = this.known;
    if (position === end || position.at >= until) return null;
    const batch = await this.events.readAlone(this.inventoryId, position, until);
    return batch.count > 0 ? batch : { ...batch, to: end };
  }

  /** Of what is kept, in one piece for all who have been told the same; null where that is nothing. */
  private pieceAfter(after: Position, told?: ProgressDto): Piece | null {
    const { progress, last } = this;
    const batches: Batch[] = [];
    for (
      let batch = this.batches.get(after);
      batch && batches.length < TOLD;
      batch = this.batches.get(batch.to)
    )
      batches.push(batch);
    const to = batches.at(-1)?.to ?? after;
    if (to === after && told === progress) return null;
    if (last?.after === after && last.to === to && last.told === told && last.progress === progress)
      return last;
    const texts = batches.map(({ text }) => text);
    if (told !== progress) texts.unshift(this.event('progress', after, progress));
    return (this.last = { after, told, text: joined(texts), to, progress });
  }

  private event(event: string, after: Position, data: object): SharedText {
    return shortText(eventText(event, idOf(this.inventoryId, after), JSON.stringify(data)));
  }

  private keep(after: Position, batch: Batch): void {
    this.batches.set(after, batch);
    this.kept += batch.count;
    for (const [oldest, { count }] of this.batches) {
      if (this.batches.size <= KEPT.batches && this.kept <= KEPT.events) break;
      this.batches.delete(oldest);
      this.kept -= count;
    }
  }

  private turn(): void {
    this.wake();
    this.next = new Promise((resolve) => (this.wake = resolve));
  }

  /** Whoever is woken waits for the groups before his. */
  private turnOfMine(): Promise<void> {
    if (++this.woken % GROUP === 0) this.others = this.others.then(() => setImmediate());
    return this.others;
  }
}
