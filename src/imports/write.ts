import type { EntityManager } from 'typeorm';
import { mapConstraints } from '../database/errors.js';
import { invalid } from '../common/errors.js';
import type { Kind, Line } from './kind.js';

export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
}

/** Lines a statement: few enough statements to be fast, short enough to stay small in memory. */
const BATCH = 10_000;

/** @throws DomainError validation-failed where another writer was faster */
export async function writeLines(manager: EntityManager, kind: Kind, lines: Line[]): Promise<Counts> {
  const rows = lines.map(({ values, stored }) => ({ ...values, ...(stored && { id: stored.id }) }));
  const added = rows.filter((_, index) => !lines[index]!.stored);
  const matched = rows.filter((_, index) => lines[index]!.stored);
  const columns = Object.keys(lines[0]?.values ?? {});
  const constraints = Object.fromEntries(
    Object.entries(kind.constraints ?? {}).map(([name, errors]) => [name, () => invalid(errors)]),
  );
  for (const batch of batches(added)) {
    await mapConstraints(manager.query(insertSql(kind.table, columns), [batch]), constraints);
  }
  let updated = 0;
  const changing = columns.filter((column) => !kind.fixed?.includes(column));
  for (const batch of batches(matched)) {
    const [, count] = await manager.query<[unknown, number]>(updateSql(kind.table, changing), [batch]);
    updated += count;
  }
  return { added: added.length, updated, unchanged: matched.length - updated };
}

function* batches(rows: object[]): Generator<string> {
  for (let at = 0; at < rows.length; at += BATCH) yield JSON.stringify(rows.slice(at, at + BATCH));
}

const insertSql = (table: string, columns: string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')})
   SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)`;

/** Leaves rows alone that are as they should be, and with them their updated_at. */
const updateSql = (table: string, columns: string[]): string =>
  `UPDATE ${table} target SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
   FROM json_populate_recordset(NULL::${table}, $1) given
   WHERE given.id = target.id
     AND ROW(${columns.map((column) => `target.${column}`).join(', ')})
       IS DISTINCT FROM ROW(${columns.map((column) => `given.${column}`).join(', ')})`;
