import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Chores } from '../common/chores.js';
import { notFound } from '../common/errors.js';
import { Turns } from '../common/limit.js';
import { Recent } from '../common/recent.js';
import { Env } from '../config/env.js';
import { MAX_ID } from '../contract/fields.js';
import type { Snapshot } from '../database/snapshot.js';
import { Sql } from '../database/sql.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { horizon } from './horizon.js';
import * as queries from './progress.queries.js';
import { Tally } from './tally.js';

/** How much memory the sessions that are kept in mind may have: eight of a million purchases, dozens of smaller ones. */
const KEPT_BYTES = 64 * 1_048_576;
/** How many are read before anybody asks. */
const AHEAD = 4;
/** How often what has changed is read of open sessions: no request has to read all of one, and no reading takes long. */
const FOLLOWED_EVERY_MS = 5000;
/** Of a session that nobody waits for, so many purchases are read, and then there is a pause in which others are faster. */
const PIECE = 4096;
const PAUSE_MS = 20;
/** How many requests of one session may wait for each other. */
const LINE = 50;

/** A session as it was when it was read last. */
interface Followed {
  reopenings: number;
  /** Everything that changed before is in the tally. */
  until: Date;
  tally: Tally;
}

type AtOneMoment<T> = (snapshot: Snapshot, session: queries.FollowedRow, until: Date) => Promise<T>;

/** What sessions count. A million lines are read once; afterwards only what has changed since is. */
@Injectable()
export class TalliesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: Turns;
  private readonly followed = new Recent<number, Followed>(KEPT_BYTES, ({ tally }) => tally.size);
  /** Which were read before anybody asked: once, since those who ask for others may put them out of mind again. */
  private readonly ahead = new Set<number>();
  private isEnding = false;

  constructor(
    private readonly sql: Sql,
    private readonly chores: Chores,
    env: Env,
  ) {
    this.turns = new Turns(env.DATABASE_TIMEOUT_MS, LINE);
  }

  onApplicationBootstrap(): void {
    void this.chores.atOnceAndEvery(FOLLOWED_EVERY_MS, 'Following open sessions', () => this.followOpen());
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  /** Reads what nobody has asked for yet: a session that is new to it whole, of the others what has changed. */
  async followOpen(): Promise<void> {
    const sessions = await this.sql.query<{ id: number }>({
      name: 'open-sessions',
      text: queries.OPEN,
      values: [AHEAD],
    });
    // The newest last: it puts the oldest out of mind, and not the one that is read next, which puts out the one after it.
    for (const { id } of sessions.reverse()) {
      await this.turns.run(String(id), async () => {
        if (!this.followed.get(id)) {
          if (this.ahead.has(id)) return;
          await this.readAhead(id);
          this.ahead.add(id);
        }
        if (!this.isEnding)
          await this.now(id, (snapshot, { reopenings }, until) =>
            this.of(snapshot, id, { reopenings, until }),
          );
      });
    }
  }

  /**
   * One at a time of a session, since each goes on where the one before has ended.
   * @throws DomainError not-found
   */
  at<T>(inventoryId: number, work: AtOneMoment<T>): Promise<T> {
    return this.turns.run(String(inventoryId), () => this.now(inventoryId, work));
  }

  private async now<T>(inventoryId: number, work: AtOneMoment<T>): Promise<T> {
    const { until } = await horizon(this.sql);
    return this.sql.snapshot(async (snapshot) => {
      const [session] = await snapshot.query<queries.FollowedRow>(queries.FOLLOWED, [inventoryId]);
      if (!session) throw notFound(inventoryMessages.none);
      return work(snapshot, session, until);
    });
  }

  /**
   * In pieces with pauses, and the rest at once as soon as somebody waits for it. Each is of its own moment, so that no
   * old rows are kept for it: what changes meanwhile is counted anew afterwards, as of any session that is known.
   */
  private async readAhead(id: number): Promise<void> {
    const { until } = await horizon(this.sql);
    const [found] = await this.sql.query<queries.AheadRow>({
      name: 'session-ahead',
      text: queries.AHEAD,
      values: [id],
    });
    if (!found) return;
    const { reopenings, first, last } = found;
    const tally = new Tally();
    for (let from = first - 1; from < last && !this.isEnding;) {
      const isWanted = this.turns.isWanted(String(id));
      const to = isWanted ? last : Math.min(from + PIECE, last);
      await this.sql.snapshot((snapshot) => count(snapshot, tally, id, from, to));
      from = to;
      if (!isWanted) await sleep(PAUSE_MS);
    }
    if (this.isEnding) return;
    this.followed.set(id, { reopenings, until, tally });
  }

  /** As of that moment. */
  async of(snapshot: Snapshot, id: number, { reopenings, until }: Omit<Followed, 'tally'>): Promise<Tally> {
    const known = this.followed.get(id);
    const isKnown = known?.reopenings === reopenings && (await recount(snapshot, id, known));
    const tally = isKnown ? known.tally : await count(snapshot, new Tally(), id, 0, MAX_ID);
    this.followed.set(id, { reopenings, until, tally });
    return tally;
  }
}

async function count(
  snapshot: Snapshot,
  tally: Tally,
  id: number,
  after: number,
  upTo: number,
): Promise<Tally> {
  const range = [id, after, upTo].map(String);
  for await (const rows of snapshot.rows<queries.CountedRow>(queries.COUNTED, ...range)) tally.take(rows);
  return tally;
}

/** Brings a tally up to date; false where it lacks what was scanned. */
async function recount(snapshot: Snapshot, id: number, { tally, until }: Followed): Promise<boolean> {
  const since = [String(id), until.toISOString()];
  for await (const rows of snapshot.rows<queries.CountedRow>(queries.RECOUNTED, ...since)) tally.take(rows);
  for await (const rows of snapshot.rows<[string]>(queries.SCANNED, ...since))
    if (!tally.scan(rows)) return false;
  return true;
}
