import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Chores } from '../common/chores.js';
import { dayIn, hourIn } from '../common/dates.js';
import { notFound } from '../common/errors.js';
import { Turns } from '../common/limit.js';
import { Recent } from '../common/recent.js';
import { Env } from '../config/env.js';
import type { NamedDto } from '../contract/openapi.js';
import type { Snapshot } from '../database/snapshot.js';
import { Sql } from '../database/sql.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import type { Group, Grouping, ProgressQuery } from './progress.dto.js';
import { horizon } from './horizon.js';
import * as queries from './progress.queries.js';
import { Tally, add } from './tally.js';
import type { Counts } from './tally.js';

/** How many sessions are kept in mind, and how many answers of closed ones. */
const SESSIONS = 4;
const ANSWERS = 50;
/** How often what has changed is read of open sessions, so that no request has to read all of one. */
const FOLLOWED_EVERY_MS = 30_000;
/** After each piece of a session that nobody waits for: who scans meanwhile is to have most of the cores. */
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

/**
 * How far a session is, by category, place, person and time: of open sessions as of now, of closed ones frozen. A
 * million lines are read once; afterwards only what has changed since is.
 */
@Injectable()
export class ProgressService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: Turns;
  private readonly followed = new Recent<number, Followed>(SESSIONS);
  private readonly frozen = new Recent<string, Group[]>(ANSWERS);
  private isEnding = false;

  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    private readonly chores: Chores,
  ) {
    this.turns = new Turns(env.DATABASE_TIMEOUT_MS, LINE);
  }

  onApplicationBootstrap(): void {
    const chore = ['Following open sessions', () => this.followOpen()] as const;
    this.chores.every(FOLLOWED_EVERY_MS, ...chore);
    void this.chores.once(...chore);
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  /**
   * In the order of names, of the tree, of time; what has no category or place last. Every figure is of one moment.
   * @throws DomainError not-found
   */
  groups(inventoryId: number, { by, depth, location_id }: ProgressQuery): Promise<Group[]> {
    const shape = { depth, within: location_id };
    return this.at(inventoryId, async (snapshot, session, until) => {
      const { reopenings, frozen_at } = session;
      const read = new Reading(snapshot, inventoryId, this.env.TIME_ZONE);
      if (!frozen_at)
        return read.live(by, shape, () => this.follow(snapshot, inventoryId, { reopenings, until }));
      const answer = [inventoryId, frozen_at.toISOString(), by, depth, location_id].join(' ');
      const known = this.frozen.get(answer) ?? (await read.frozen(by, shape));
      this.frozen.set(answer, known);
      return known;
    });
  }

  /** Reads what nobody has asked for yet: a session that is new to it whole, of the others what has changed. */
  async followOpen(): Promise<void> {
    const sessions = await this.sql.query<{ id: number }>({
      name: 'open-sessions',
      text: queries.OPEN,
      values: [SESSIONS],
    });
    // The newest last: it puts the oldest out of mind, and not the one that is read next, which puts out the one after it.
    for (const { id } of sessions.reverse()) {
      const isHurried = () => this.isEnding || this.turns.isWanted(String(id));
      await this.at(id, (snapshot, { reopenings }, until) =>
        this.follow(snapshot, id, { reopenings, until }, isHurried),
      );
    }
  }

  /** One at a time of a session, since each goes on where the one before has ended. */
  private at<T>(
    inventoryId: number,
    work: (snapshot: Snapshot, session: queries.FollowedRow, until: Date) => Promise<T>,
  ): Promise<T> {
    return this.turns.run(String(inventoryId), async () => {
      const { until } = await horizon(this.sql);
      return this.sql.snapshot(async (snapshot) => {
        const [session] = await snapshot.query<queries.FollowedRow>(queries.FOLLOWED, [inventoryId]);
        if (!session) throw notFound(inventoryMessages.none);
        return work(snapshot, session, until);
      });
    });
  }

  private async follow(
    snapshot: Snapshot,
    id: number,
    { reopenings, until }: Omit<Followed, 'tally'>,
    isHurried = () => true,
  ): Promise<Tally> {
    const known = this.followed.get(id);
    const isKnown = known?.reopenings === reopenings;
    const tally = isKnown ? known.tally : new Tally();
    const rows = isKnown
      ? snapshot.rows<queries.CountedRow>(queries.RECOUNTED, String(id), known.until.toISOString())
      : snapshot.rows<queries.CountedRow>(queries.COUNTED, String(id));
    for await (const batch of rows) {
      tally.take(batch);
      if (!isHurried()) await sleep(PAUSE_MS);
    }
    this.followed.set(id, { reopenings, until, tally });
    return tally;
  }
}

/** Which part of the tree of places is asked for, and how deep. */
interface TreeShape {
  depth: number | undefined;
  within: number | undefined;
}

/** What is read of one session at one moment. */
class Reading {
  constructor(
    private readonly snapshot: Snapshot,
    private readonly id: number,
    private readonly timeZone: string,
  ) {}

  async live(by: Grouping, shape: TreeShape, tally: () => Promise<Tally>): Promise<Group[]> {
    switch (by) {
      case 'category':
        return this.categories((await tally()).byArticle);
      case 'location':
        return byPlace((await tally()).byPlace, await this.snapshot.query(queries.PLACES), shape);
      case 'user':
        return this.read(queries.USERS);
      case 'day':
      case 'hour':
        return this.times(by, queries.QUARTERS);
    }
  }

  async frozen(by: Grouping, shape: TreeShape): Promise<Group[]> {
    switch (by) {
      case 'category':
        return this.read(queries.FROZEN_CATEGORIES);
      case 'location': {
        const counts: Counts = new Map();
        for (const { location_id, ...count } of await this.read<queries.PlaceCountRow>(
          queries.FROZEN_PLACE_COUNTS,
        ))
          add(counts, location_id ?? 0, count);
        return byPlace(counts, await this.read(queries.FROZEN_PLACES), shape);
      }
      case 'user':
        return this.read(queries.FROZEN_USERS);
      case 'day':
      case 'hour':
        return this.times(by, queries.FROZEN_QUARTERS);
    }
  }

  private read<Row extends object = Group>(text: string): Promise<Row[]> {
    return this.snapshot.query<Row>(text, [this.id]);
  }

  private async categories(byArticle: Counts): Promise<Group[]> {
    const counts: Counts = new Map();
    const categories = new Map<number, number>();
    for await (const rows of this.snapshot.rows<[string, string]>(queries.ARTICLES))
      for (const [article, category] of rows) categories.set(Number(article), Number(category));
    for (const [article, count] of byArticle) add(counts, categories.get(article) ?? 0, count);
    return named(counts, await this.snapshot.query<NamedDto>(queries.CATEGORIES));
  }

  private async times(by: 'day' | 'hour', text: string): Promise<Group[]> {
    const nameOf = by === 'day' ? dayIn : hourIn;
    const scans = new Map<string, number>();
    for (const { quarter, scanned } of await this.read<queries.QuarterRow>(text)) {
      const key = nameOf(this.timeZone, quarter);
      scans.set(key, (scans.get(key) ?? 0) + scanned);
    }
    return [...scans].map(([key, scanned]) => ({ key, name: key, scanned, total: null }));
  }
}

/**
 * Each place counts where it is at the depth, or as itself where it is above; of a place that is looked into, what is
 * there alone, by the places right in it.
 */
function byPlace(counts: Counts, places: queries.PlaceRow[], { depth, within }: TreeShape): Group[] {
  const lineages = new Map(places.map(({ id, lineage }) => [id, lineage]));
  const level = depth ?? (within === undefined ? 0 : (lineages.get(within)?.length ?? 0));
  const gathered: Counts = new Map();
  for (const [place, count] of counts) {
    const lineage = lineages.get(place) ?? [place];
    if (within === undefined || lineage.includes(within)) add(gathered, lineage[level] ?? place, count);
  }
  return named(gathered, places);
}

/** In the order of the rows, without those of which there is nothing; what has none last. */
function named(counts: Counts, rows: NamedDto[]): Group[] {
  return [...rows, { id: 0, name: null }].flatMap(({ id, name }) => {
    const { scanned, total } = counts.get(id) ?? { scanned: 0, total: 0 };
    return total === 0 ? [] : [{ key: id || null, name, scanned, total }];
  });
}
