import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { DomainError, invalid, notFound } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import type { Creator } from '../contract/creation.js';
import type { Changer } from '../contract/etag.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow, deleteRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import { mapConstraints } from '../database/errors.js';
import { OwnField, TABLES } from './field.entity.js';
import type { FieldType } from './field.entity.js';
import type { CreateFieldDto, FieldQuery, UpdateFieldDto } from './fields.dto.js';
import { fieldMessages } from './fields.messages.js';
import { keyOf } from './key.js';

const nameTaken = () => invalid({ name: [say(contractMessages.taken)] });
const constraints = { uq_fields_name_key: nameTaken };

@Injectable()
export class FieldsService {
  constructor(@InjectRepository(OwnField) private readonly fields: Repository<OwnField>) {}

  list(query: FieldQuery): Promise<Page<OwnField>> {
    const rows = this.fields.createQueryBuilder('field');
    const { search, applies_to, is_active } = query;
    if (search) rows.andWhere('field.search_text LIKE search_pattern(:search)', { search });
    if (applies_to) rows.andWhere({ applies_to });
    if (is_active !== undefined) rows.andWhere({ is_active });
    return paginate(rows, query, {
      id: { by: 'field.id', type: 'integer', of: (row) => row.id },
      name: { by: 'field.name', type: 'text', of: (row) => row.name },
    });
  }

  async get(id: number, manager = this.fields.manager): Promise<OwnField> {
    const field = await manager.findOneBy(OwnField, { id, deleted_at: IsNull() });
    if (!field) throw notFound(fieldMessages.none);
    return field;
  }

  /** @throws DomainError validation-failed on a name that is taken, choices that do not go with the type */
  create<Answer>(fields: CreateFieldDto, by: Creator<OwnField, Answer>): Promise<Answer> {
    const choices = choicesOf(fields.type, fields.choices);
    return createRow(this.fields.manager, by, async (manager) => {
      const key = await freeKey(manager, fields);
      const inserted = manager.insert(OwnField, { ...fields, choices, key });
      const { identifiers } = await mapConstraints(inserted, constraints);
      return this.get((identifiers[0] as OwnField).id, manager);
    });
  }

  /** @throws DomainError validation-failed on a name that is taken, choices that rows have and it would lose; stale */
  update(id: number, fields: UpdateFieldDto, by: Changer<OwnField>): Promise<OwnField> {
    return updateRow(this.row(id), by, fields, async (manager) => {
      const stored = await this.get(id, manager);
      const given = { ...fields };
      if (given.choices !== undefined) {
        given.choices = choicesOf(stored.type, given.choices);
        if (given.choices) await refuseUsed(manager, stored, given.choices);
      }
      await mapConstraints(manager.update(OwnField, id, given), constraints);
    });
  }

  /** @throws DomainError in-use when a row has a value of it, stale */
  delete(id: number, by: Changer<OwnField>): Promise<void> {
    return deleteRow(this.row(id), by, async (manager) => {
      const { applies_to, key } = await this.get(id, manager);
      const [{ uses }] = await manager.query<[{ uses: number }]>(
        `SELECT count(*) AS uses FROM ${TABLES[applies_to]} WHERE fields <> '{}' AND fields ? $1`,
        [key],
      );
      if (applies_to === 'article' && uses > 0)
        throw new DomainError('in-use', { detail: say(fieldMessages.articles, uses) });
      return uses; // of purchases, which the problem speaks of by itself
    });
  }

  private row(id: number): RowOf<OwnField> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.fields.manager, table: 'fields', id, read };
  }
}

/**
 * As they are kept: null unless it is a choice, also where an empty list was given.
 * @throws DomainError validation-failed
 */
function choicesOf(type: FieldType, choices: string[] | null | undefined): string[] | null {
  const given = choices && choices.length > 0 ? choices : null;
  if ((given !== null) === (type === 'choice')) return given;
  throw invalid({ choices: [say(given ? fieldMessages.choices_of_others : fieldMessages.choices_required)] });
}

/** The rows that have one of the choices that would be none any more; whoever gives one holds the field. */
async function refuseUsed(
  manager: EntityManager,
  { applies_to, key }: OwnField,
  left: string[],
): Promise<void> {
  const used = await manager.query<{ choice: string; uses: number }[]>(
    `SELECT fields ->> $1 AS choice, count(*) AS uses FROM ${TABLES[applies_to]}
     WHERE fields <> '{}' AND fields ? $1 AND NOT fields ->> $1 = ANY ($2) GROUP BY 1 ORDER BY 1`,
    [key, left],
  );
  const choices = used.map(({ choice, uses }) => say(fieldMessages.choice_in_use, choice, uses));
  if (choices.length > 0) throw invalid({ choices });
}

/** The key of its name, with the first number that makes it no other's. Whoever makes a field waits for those before. */
async function freeKey(
  manager: EntityManager,
  { name, applies_to }: Pick<CreateFieldDto, 'name' | 'applies_to'>,
): Promise<string> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('fields'))`);
  const key = keyOf(name);
  const rows = await manager.query<{ key: string }[]>(
    `SELECT key FROM fields WHERE applies_to = $1 AND starts_with(key, $2) AND deleted_at IS NULL`,
    [applies_to, key],
  );
  const taken = new Set(rows.map((row) => row.key));
  if (!taken.has(key)) return key;
  for (let number = 2; ; number++) if (!taken.has(`${key}_${number}`)) return `${key}_${number}`;
}
