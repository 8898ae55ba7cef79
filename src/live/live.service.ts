import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Principal } from '../auth/access.js';
import { Standing } from '../auth/standing.js';
import { Chores } from '../common/chores.js';
import { DomainError, tooMany, unavailable } from '../common/errors.js';
import { Env } from '../config/env.js';
import { EventStream } from '../http/event-stream.js';
import type { Listener } from '../http/event-stream.js';
import { toProgressDto } from '../inventories/inventories.dto.js';
import type { ProgressDto } from '../inventories/inventories.dto.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { EventsService } from './events.service.js';
import { liveMessages } from './live.messages.js';
import { Watch } from './watch.js';

const TURN_MS = 1000;
/** What one user may follow with, of all connections: whoever holds them all keeps everybody else out. */
const PER_USER = 1 / 5;
const FULL_S = 10;
/**
 * While more is scanned, so many events are told in a turn, each counted for everyone who is told it: 250 to 500 who have
 * them packed, some 4 MB. Whoever follows waits for scans, and they for nobody.
 */
const SHARE = 125_000;
/** When those who were following come back after a shutdown: not all at once. */
const RETRY_MS = { least: 500, more: 2500 };

/** Who follows which session. Their number is no matter to the database, only that of the sessions. */
@Injectable()
export class LiveService implements BeforeApplicationShutdown {
  private readonly watches = new Map<number, Watch>();
  private readonly dropped: Counter;
  private isReading = false;
  private isEnding = false;

  constructor(
    private readonly inventories: InventoriesService,
    private readonly events: EventsService,
    private readonly standing: Standing,
    private readonly env: Env,
    chores: Chores,
    registry: Registry,
  ) {
    const { watches } = this;
    new Gauge({
      name: 'live_listeners',
      help: 'Who follows a session now.',
      registers: [registry],
      collect() {
        this.set([...watches.values()].reduce((all, { listeners }) => all + listeners.size, 0));
      },
    });
    new Gauge({
      name: 'live_behind_seconds',
      help: 'How far behind who follows is told of scans, since there are too many at a time: in the session that is most so.',
      registers: [registry],
      collect() {
        this.set(Math.max(0, ...[...watches.values()].map(({ behind }) => behind / 1000)));
      },
    });
    this.dropped = new Counter({
      name: 'live_listeners_dropped_total',
      help: 'Those whose connection ended with events that they had not read.',
      registers: [registry],
    });
    chores.every(TURN_MS, 'Events of sessions', () => this.readAll());
  }

  /**
   * What happens in a session from now on, or since the event with this id.
   * @throws DomainError not-found, too-many-requests, unavailable during a shutdown
   */
  async follow(inventoryId: number, lastEventId: string | undefined, user: Principal): Promise<EventStream> {
    if (this.isEnding) throw unavailable();
    const progress = await this.progressOf(inventoryId);
    const until = await this.events.horizon();
    const resumed = lastEventId ? await this.events.resumed(inventoryId, lastEventId, until) : null;
    if (this.standing.countOf(user.id) >= this.env.MAX_CONNECTIONS * PER_USER)
      throw tooMany(FULL_S, liveMessages.too_many);
    return new EventStream((listener) => {
      const watch = this.watches.get(inventoryId) ?? new Watch(inventoryId, this.events, until, progress);
      this.watches.set(inventoryId, watch);
      watch.see(progress);
      this.enter(inventoryId, watch, listener, user);
      return watch.tell(listener, resumed, Boolean(lastEventId) && resumed === null);
    });
  }

  /** The streams are ended before the server waits for its connections. */
  beforeApplicationShutdown(): void {
    this.isEnding = true;
    for (const { listeners } of this.watches.values())
      for (const listener of listeners) this.dismiss(listener);
  }

  private enter(inventoryId: number, watch: Watch, listener: Listener, user: Principal): void {
    watch.listeners.add(listener);
    const release = this.standing.hold(user, 'inventories.view', () => listener.end());
    listener.onGone(() => {
      release();
      watch.leave(listener);
      if (watch.listeners.size === 0) this.watches.delete(inventoryId);
      if (listener.isBehind) this.dropped.inc();
    });
    if (this.isEnding) this.dismiss(listener);
  }

  private dismiss(listener: Listener): void {
    listener.end(`retry: ${Math.round(RETRY_MS.least + Math.random() * RETRY_MS.more)}\n\n`);
  }

  private async readAll(): Promise<void> {
    if (this.isReading || this.watches.size === 0) return;
    this.isReading = true;
    try {
      const until = await this.events.horizon();
      const cost = [...this.watches.values()].reduce((all, watch) => all + watch.cost, 0);
      const share = Math.ceil(SHARE / cost);
      for (const [id, watch] of this.watches) await this.read(id, watch, until, share);
    } finally {
      this.isReading = false;
    }
  }

  private async read(id: number, watch: Watch, until: Date, share: number): Promise<void> {
    try {
      await watch.advance(until, share, () => this.progressOf(id));
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not-found')) throw error;
      for (const listener of watch.listeners) listener.end(); // the session was deleted
    }
  }

  private async progressOf(inventoryId: number): Promise<ProgressDto> {
    const { scanned, total } = await this.inventories.get(inventoryId);
    return toProgressDto(scanned, total);
  }
}
