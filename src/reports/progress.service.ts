import { Injectable } from '@nestjs/common';
import { dayIn, hourIn } from '../common/dates.js';
import { Recent } from '../common/recent.js';
import { Env } from '../config/env.js';
import type { NamedDto } from '../contract/openapi.js';
import type { Snapshot } from '../database/snapshot.js';
import type { Group, Grouping, ProgressQuery } from './progress.dto.js';
import * as queries from './progress.queries.js';
import { TalliesService } from './tallies.service.js';
import { Counts } from './tally.js';
import type { Tally } from './tally.js';

/** How many groups of closed sessions are kept in mind: 100 bytes each, where places are many. */
const GROUPS = 20_000;
/** An answer counts as so many more, so that there are not thousands of small ones. */
const ANSWER = 200;

/** How far a session is, by category, place, person and time: of open sessions as of now, of closed ones frozen. */
@Injectable()
export class ProgressService {
  private readonly frozen = new Recent<string, Group[]>(GROUPS, ({ length }) => length + ANSWER);

  constructor(
    private readonly env: Env,
    private readonly tallies: TalliesService,
  ) {}

  /**
   * In the order of names, of the tree, of time; what has no category or place last. Every figure is of one moment.
   * @throws DomainError not-found
   */
  groups(inventoryId: number, { by, depth, location_id }: ProgressQuery): Promise<Group[]> {
    const shape = { depth, within: location_id };
    return this.tallies.at(inventoryId, async (snapshot, session, until) => {
      const { reopenings, frozen_at } = session;
      const read = new Reading(snapshot, inventoryId, this.env.TIME_ZONE);
      if (!frozen_at)
        return read.live(by, shape, () => this.tallies.of(snapshot, inventoryId, { reopenings, until }));
      const answer = [inventoryId, frozen_at.toISOString(), by, depth, location_id].join(' ');
      const known = this.frozen.get(answer) ?? (await read.frozen(by, shape));
      this.frozen.set(answer, known);
      return known;
    });
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
        const counts = new Counts();
        for (const { location_id, scanned, total } of await this.read<queries.PlaceCountRow>(
          queries.FROZEN_PLACE_COUNTS,
        ))
          counts.add(location_id ?? 0, scanned, total);
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
    const counts = new Counts();
    const categories = new Map<number, number>();
    for await (const rows of this.snapshot.rows<[string, string]>(queries.ARTICLES))
      for (const [article, category] of rows) categories.set(Number(article), Number(category));
    for (const [article, scanned, total] of byArticle)
      counts.add(categories.get(article) ?? 0, scanned, total);
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
  const gathered = new Counts();
  for (const [place, scanned, total] of counts) {
    const lineage = lineages.get(place) ?? [place];
    if (within === undefined || lineage.includes(within))
      gathered.add(lineage[level] ?? place, scanned, total);
  }
  return named(gathered, places);
}

/** In the order of the rows, without those of which there is nothing; what has none last. */
function named(counts: Counts, rows: NamedDto[]): Group[] {
  return [...rows, { id: 0, name: null }].flatMap(({ id, name }) => {
    const [scanned, total] = counts.get(id);
    return total === 0 ? [] : [{ key: id || null, name, scanned, total }];
  });
}
