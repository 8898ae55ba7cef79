import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { DomainError, invalid, notFound } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { Env } from '../config/env.js';
import { contractMessages } from '../contract/contract.messages.js';
import type { Creator } from '../contract/creation.js';
import type { Changer } from '../contract/etag.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, restoreRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import type { Actor } from '../database/audit.js';
import { mapConstraints } from '../database/errors.js';
import type { Labelled } from '../labels/labels.service.js';
import { Location } from './location.entity.js';
import type {
  CreateLocationDto,
  LocationLabelQuery,
  LocationQuery,
  UpdateLocationDto,
} from './locations.dto.js';
import { locationMessages } from './locations.messages.js';

const codeTaken = () => invalid({ code: [say(locationMessages.code_taken)] });
const constraints = {
  uq_locations_code_key: codeTaken,
  pk_location_codes: codeTaken,
  ck_locations_circle: () => invalid({ parent_id: [say(locationMessages.circle)] }),
  ck_locations_depth: () => invalid({ parent_id: [say(locationMessages.too_deep)] }),
};

const FILTERS = ['parent_id', 'is_active'] as const;

@Injectable()
export class LocationsService {
  /** Writers wait for the tree in the database, one after the other; they must leave connections for lists. */
  private readonly writers: Limit;

  constructor(
    @InjectRepository(Location) private readonly locations: Repository<Location>,
    env: Env,
  ) {
    this.writers = new Limit(Math.max(1, env.DATABASE_POOL / 2), env.DATABASE_TIMEOUT_MS / 2);
  }

  list(query: LocationQuery & { ids?: number[]; isCoded?: boolean }): Promise<Page<Location>> {
    const rows = this.withParent();
    if (query.isCoded) rows.andWhere('location.code IS NOT NULL');
    if (query.ids) rows.andWhereInIds(query.ids);
    if (query.search) rows.andWhere('location.search_text LIKE search_pattern(:search)', query);
    if (query.code) rows.andWhere('location.code_key = code_key(:code)', query);
    if (query.depth !== undefined) rows.andWhere('cardinality(location.lineage) = :depth + 1', query);
    for (const filter of FILTERS) if (query[filter] !== undefined) rows.andWhere({ [filter]: query[filter] });
    return paginate(rows, query, {
      id: { by: 'location.id', type: 'integer', of: (row) => row.id },
      name: { by: 'location.name', type: 'text', of: (row) => row.name },
      path: {
        by: 'left(location.path, 255)',
        type: 'text',
        of: (row) => [...row.path].slice(0, 255).join(''),
      },
    });
  }

  /** What labels are printed of: the first of the list, of those that have a code unless they are named. */
  async labelled(query: LocationLabelQuery, per_page: number): Promise<Labelled[]> {
    return (await this.list({ ...query, format: undefined, cursor: '', per_page, isCoded: !query.ids })).rows;
  }

  async get(id: number, manager?: EntityManager): Promise<Location> {
    const location = await this.withParent(manager).where({ id, deleted_at: IsNull() }).getOne();
    if (!location) throw notFound(locationMessages.none);
    return location;
  }

  /** @throws DomainError validation-failed on an unknown parent, a 13th level, a code once used */
  create<Answer>(fields: CreateLocationDto, by: Creator<Location, Answer>): Promise<Answer> {
    const insert = async (manager: EntityManager): Promise<Location> => {
      await holdTree(manager);
      await checkParent(manager, fields);
      const { identifiers } = await mapConstraints(manager.insert(Location, { ...fields }), constraints);
      return this.get((identifiers[0] as Location).id, manager);
    };
    return this.writers.run(() => createRow(this.locations.manager, by, insert));
  }

  /** @throws DomainError validation-failed on an unknown parent, a circle, a 13th level, a code once used; stale */
  update(id: number, fields: UpdateLocationDto, by: Changer<Location>): Promise<Location> {
    const write = async (manager: EntityManager): Promise<void> => {
      await checkParent(manager, fields);
      await mapConstraints(manager.update(Location, id, { ...fields }), constraints);
    };
    return this.writers.run(() => updateRow(this.row(id), by, fields, write));
  }

  /** @throws DomainError in-use by places below it, live purchases, and sessions of it or with a decision upon it; stale */
  delete(id: number, by: Changer<Location>): Promise<void> {
    const uses = async (manager: EntityManager): Promise<number> => {
      const [{ places, purchases, sessions }] = await manager.query<
        [{ places: number; purchases: number; sessions: number }]
      >(
        `SELECT (SELECT count(*) FROM locations WHERE parent_id = $1 AND deleted_at IS NULL) AS places,
           (SELECT count(*) FROM purchases WHERE location_id = $1 AND deleted_at IS NULL) AS purchases,
           (SELECT count(*) FROM inventories i WHERE deleted_at IS NULL AND ($1 = ANY (scope_location_ids)
             OR closed_at IS NULL AND EXISTS (SELECT FROM inventory_misplaced
               WHERE inventory_id = i.id AND found_id = $1 AND resolution IS NULL))) AS sessions`,
        [id],
      );
      if (places + purchases + sessions === 0) return 0;
      throw new DomainError('in-use', { detail: say(locationMessages.in_use, places, purchases, sessions) });
    };
    return this.writers.run(() => deleteRow(this.row(id), by, uses));
  }

  /** @throws DomainError refers-to-deleted when the place above is deleted, validation-failed on a 13th level */
  restore(id: number, actor: Actor): Promise<Location> {
    const restored = () => restoreRow(this.row(id), actor, [['parent_id', 'locations']]);
    return this.writers.run(() => mapConstraints(restored(), constraints));
  }

  private row(id: number): RowOf<Location> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.locations.manager, table: 'locations', id, read, hold: holdTree };
  }

  private withParent(manager = this.locations.manager): SelectQueryBuilder<Location> {
    return manager
      .createQueryBuilder(Location, 'location')
      .leftJoin('location.parent', 'parent')
      .addSelect(['parent.id', 'parent.name', 'parent.code']);
  }
}

/**
 * Makes writers of the tree wait for each other from their first lock on. The trigger that holds the tree for all who
 * write comes after the row's lock, where one who renames what is above might want that row already.
 */
const holdTree = (manager: EntityManager): Promise<unknown> =>
  manager.query(`SELECT pg_advisory_xact_lock(hashtext('locations'))`);

/** Nobody deletes the parent meanwhile, who would have to hold the tree. */
async function checkParent(manager: EntityManager, { parent_id }: UpdateLocationDto): Promise<void> {
  if (!parent_id) return;
  const sql = `SELECT FROM locations WHERE id = $1 AND deleted_at IS NULL`;
  if ((await manager.query<unknown[]>(sql, [parent_id])).length === 0)
    throw invalid({ parent_id: [say(contractMessages.not_found)] });
}
