import type { EntityManager } from 'typeorm';
import { DomainError, noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { problems } from '../common/problems.js';
import { changing } from '../database/audit.js';
import type { Actor } from '../database/audit.js';
import { holdRow } from '../database/sql.js';
import type { Creator } from './creation.js';
import type { Changer } from './etag.js';
import { contractMessages } from './contract.messages.js';

/** One row of a table, for those who change it. */
export interface RowOf<Row> {
  manager: EntityManager;
  table: string;
  id: number;
  /** @throws DomainError not-found */
  read: (manager: EntityManager) => Promise<Row>;
  /** Held before the row is, by a table whose writers touch other rows too. */
  hold?: (manager: EntityManager) => Promise<unknown>;
}

/** Creates a row in the transaction of `once`, which keeps what was answered. */
export function createRow<Row, Answer>(
  manager: EntityManager,
  { actor, once }: Creator<Row, Answer>,
  create: (manager: EntityManager) => Promise<Row>,
): Promise<Answer> {
  return changing(manager, actor, (own) => once(own, () => create(own)));
}

/**
 * Holds a row, sees that it is the expected one, writes, and reads it again.
 * @throws DomainError not-found, stale, and what `write` throws; where no field is given, nothing is written
 */
export function updateRow<Row>(
  { manager, table, id, read, hold }: RowOf<Row>,
  { actor, isExpected }: Changer<Row>,
  fields: object,
  write: (manager: EntityManager) => Promise<unknown>,
): Promise<Row> {
  return changing(manager, actor, async (own) => {
    await hold?.(own);
    await holdRow(own, table, id);
    const before = await read(own);
    isExpected(before);
    if (Object.keys(fields).length === 0) return before;
    await write(own);
    return read(own);
  });
}

/**
 * Marks a row as deleted. Where `uses` counts who refers to it, it is held against new references too: their writers
 * hold a share of that lock until they are committed.
 * @throws DomainError not-found, stale, in-use
 */
export function deleteRow<Row>(
  { manager, table, id, read, hold }: RowOf<Row>,
  { actor, isExpected }: Changer<Row>,
  uses?: (manager: EntityManager) => Promise<number>,
): Promise<void> {
  return changing(manager, actor, async (own) => {
    await hold?.(own);
    await own.query(`SELECT FROM ${table} WHERE id = $1 FOR ${uses ? '' : 'NO KEY '}UPDATE`, [id]);
    isExpected(await read(own));
    const used = uses ? await uses(own) : 0;
    if (used > 0) throw new DomainError('in-use', { detail: say(problems['in-use'].detail, used) });
    await own.query(`UPDATE ${table} SET deleted_at = now() WHERE id = $1`, [id]);
  });
}

/** The fields of a row that name rows of other tables, which are deleted by a mark. */
export type References = readonly (readonly [field: string, table: string])[];

/**
 * Takes a deletion back. What the row refers to is held meanwhile, so that none of it is deleted.
 * @throws DomainError not-found; refers-to-deleted where some of it is deleted already. One that is not stays as it is
 */
export function restoreRow<Row>(
  { manager, table, id, read, hold }: RowOf<Row>,
  actor: Actor,
  references: References = [],
): Promise<Row> {
  return changing(manager, actor, async (own) => {
    await hold?.(own);
    const [row] = await own.query<Record<string, unknown>[]>(
      `SELECT * FROM ${table} WHERE id = $1 AND deleted_at IS NOT NULL FOR NO KEY UPDATE`,
      [id],
    );
    if (row) {
      const gone = await missing(own, row, references);
      if (gone.length > 0) {
        const named = gone.map((field) => `${field} ${String(row[field])}`).join(', ');
        throw new DomainError('refers-to-deleted', {
          detail: say(problems['refers-to-deleted'].detail, named),
        });
      }
      await own.query(`UPDATE ${table} SET deleted_at = NULL WHERE id = $1`, [id]);
    }
    return read(own);
  });
}

/**
 * Holds what a row will refer to for this transaction, so that none of it is deleted meanwhile.
 * @throws DomainError validation-failed on what does not exist
 */
export async function holdReferences(
  manager: EntityManager,
  fields: object,
  references: References,
): Promise<void> {
  const errors = noErrors();
  for (const field of await missing(manager, fields as Record<string, unknown>, references))
    errors[field] = [say(contractMessages.not_found)];
  refuseInvalid(errors);
}

/** The fields that name what is not there; the rest is held. */
async function missing(
  manager: EntityManager,
  fields: Record<string, unknown>,
  references: References,
): Promise<string[]> {
  const names: string[] = [];
  for (const [field, table] of references) {
    if (!fields[field]) continue;
    const sql = `SELECT FROM ${table} WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`;
    if ((await manager.query<unknown[]>(sql, [fields[field]])).length === 0) names.push(field);
  }
  return names;
}
