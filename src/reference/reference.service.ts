import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { DomainError, invalid, notFound, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import type { Creator } from '../contract/creation.js';
import type { Changer } from '../contract/etag.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, restoreRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import type { Actor } from '../database/audit.js';
import { mapConstraints } from '../database/errors.js';
import { coefficientRule } from './coefficient.js';
import type { ReferenceQuery } from './reference.dto.js';
import { AmortizationCategory, Brand, Category } from './reference.entity.js';
import { referenceMessages } from './reference.messages.js';

/** The three lists differ in their columns alone, so they are read and written by the same methods. */
type ReferenceEntity = Brand | Category | AmortizationCategory;
type EntityClass<Row> = new () => Row;
type Fields = Partial<
  Pick<AmortizationCategory, 'name' | 'method' | 'duration_years' | 'declining_coefficient'>
>;

const TABLES = new Map<EntityClass<ReferenceEntity>, { table: string; of: string }>([
  [Brand, { table: 'brands', of: 'brand_id' }],
  [Category, { table: 'categories', of: 'category_id' }],
  [AmortizationCategory, { table: 'amortization_categories', of: 'amortization_category_id' }],
]);

const nameTaken = () => invalid({ name: [say(contractMessages.taken)] });
/** As it is spelled, or as names are compared. */
const constraints = Object.fromEntries(
  [...TABLES.values()].flatMap(({ table }) => [
    [`uq_${table}_name`, nameTaken],
    [`uq_${table}_name_key`, nameTaken],
  ]),
);

@Injectable()
export class ReferenceService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  list<Row extends ReferenceEntity>(entity: EntityClass<Row>, query: ReferenceQuery): Promise<Page<Row>> {
    const rows = this.database.createQueryBuilder(entity, 'row');
    if (query.search) rows.where('"row".search_text LIKE search_pattern(:search)', query);
    return paginate(rows, query, {
      id: { by: 'row.id', type: 'integer', of: (row) => row.id },
      name: { by: 'row.name', type: 'text', of: (row) => row.name },
    });
  }

  async get<Row extends ReferenceEntity>(
    entity: EntityClass<Row>,
    id: number,
    manager = this.database.manager,
  ): Promise<Row> {
    const rows = manager.createQueryBuilder(entity, 'row');
    const row = await rows.where('row.id = :id AND row.deleted_at IS NULL', { id }).getOne();
    if (!row) throw notFound(referenceMessages.none);
    return row;
  }

  /** @throws DomainError validation-failed on a name that is taken, a coefficient that does not fit the method */
  create<Row extends ReferenceEntity, Answer>(
    entity: EntityClass<Row>,
    fields: Fields,
    by: Creator<Row, Answer>,
  ): Promise<Answer> {
    return createRow(this.database.manager, by, async (manager) => {
      const row = { ...fields };
      if (entity === AmortizationCategory) complete(row);
      const { identifiers } = await mapConstraints(manager.insert(entity, row as object), constraints);
      return this.get(entity, (identifiers[0] as Row).id, manager);
    });
  }

  /** @throws DomainError validation-failed on a name that is taken, a coefficient that does not fit the method; stale */
  update<Row extends ReferenceEntity>(
    entity: EntityClass<Row>,
    id: number,
    fields: Fields,
    by: Changer<Row>,
  ): Promise<Row> {
    return updateRow(this.row(entity, id), by, fields, async (manager) => {
      const row = { ...fields };
      if (entity === AmortizationCategory)
        complete(row, await this.get<AmortizationCategory>(AmortizationCategory, id, manager));
      await mapConstraints(manager.update(entity, id, row as object), constraints);
    });
  }

  /** @throws DomainError in-use when live articles or sessions are of it, stale */
  delete<Row extends ReferenceEntity>(entity: EntityClass<Row>, id: number, by: Changer<Row>): Promise<void> {
    return deleteRow(this.row(entity, id), by, async (manager) => {
      const { articles, sessions } = await usesOf(manager, entity, id);
      if (articles + sessions === 0) return 0;
      throw new DomainError('in-use', { detail: usersOf(articles, sessions) });
    });
  }

  /** @throws DomainError validation-failed where its name was given to another meanwhile */
  restore<Row extends ReferenceEntity>(entity: EntityClass<Row>, id: number, actor: Actor): Promise<Row> {
    return mapConstraints(restoreRow(this.row(entity, id), actor), constraints);
  }

  private row<Row extends ReferenceEntity>(entity: EntityClass<Row>, id: number): RowOf<Row> {
    const read = (manager: EntityManager) => this.get(entity, id, manager);
    return { manager: this.database.manager, table: TABLES.get(entity)!.table, id, read };
  }
}

/** @throws DomainError validation-failed */
function complete(fields: Fields, stored?: AmortizationCategory): void {
  const errors = coefficientRule(fields, { ...stored });
  refuseInvalid(errors);
}

/** Those alone that there are. */
function usersOf(articles: number, sessions: number): string {
  if (sessions === 0) return say(referenceMessages.in_use, articles);
  if (articles === 0) return say(referenceMessages.in_use_by_sessions, sessions);
  return say(referenceMessages.in_use_by_both, articles, sessions);
}

async function usesOf(
  manager: EntityManager,
  entity: EntityClass<ReferenceEntity>,
  id: number,
): Promise<{ articles: number; sessions: number }> {
  const sessions =
    entity === Category
      ? `(SELECT count(*) FROM inventories WHERE $1 = ANY (scope_category_ids) AND deleted_at IS NULL)`
      : '0';
  const [uses] = await manager.query<[{ articles: number; sessions: number }]>(
    `SELECT count(*) AS articles, ${sessions} AS sessions FROM articles
     WHERE ${TABLES.get(entity)!.of} = $1 AND deleted_at IS NULL`,
    [id],
  );
  return uses;
}
