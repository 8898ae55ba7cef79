import { QueryFailedError } from 'typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What there may be only one of, by name_key(). */
const UNIQUE = [
  ['brands', 'name'],
  ['categories', 'name'],
  ['amortization_categories', 'name'],
  ['equipments', 'reference'],
  ['tiers', 'reference'],
  ['roles', 'name'],
  ['users', 'login'],
  ['users', 'email'],
] as const;
/** What the importer finds by name_key(), of which there may be several. */
const FOUND = [
  ['suppliers', 'name'],
  ['suppliers', 'reference'],
  ['articles', 'name'],
  ['articles', 'reference'],
] as const;
const TRIES = 5;

/**
 * Twins that are there already, such as `Café SA` and `CAFÉ SA`, stay: the first of them stands in the index for all,
 * so that no other comes, and the others stand beside it under their ids for as long as they are spelled alike. A
 * function names them; src/database/twins.ts tells of them. The exact constraints stay beside the new indexes.
 */
export class UniqueNames1763600011000 implements MigrationInterface {
  name = 'UniqueNames1763600011000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const [table, column] of UNIQUE) await makeUnique(db, table, column);
    for (const [table, column] of FOUND) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_${column}_key`);
      await db.query(`CREATE INDEX CONCURRENTLY ix_${table}_${column}_key ON ${table} (name_key(${column}))`);
    }
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const [table, column] of FOUND)
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_${column}_key`);
    for (const [table, column] of UNIQUE) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_${table}_${column}_key`);
      await db.query(`DROP FUNCTION IF EXISTS ${table}_${column}_twins()`);
    }
    await db.query(`RESET lock_timeout`);
  }
}

/** Looks for twins only where the index finds some: that takes longer than the index itself. */
async function makeUnique(db: QueryRunner, table: string, column: string): Promise<void> {
  const index = `uq_${table}_${column}_key`;
  const twins = `${table}_${column}_twins()`;
  let keys = `name_key(${column})`;
  for (let tries = 1; ; tries++) {
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    try {
      await db.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (${keys})`);
      return;
    } catch (error) {
      // While the release before still writes, another one may come meanwhile.
      if (!isRepeated(error) || tries === TRIES) throw error;
    }
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`); // before what it uses is changed
    await db.query(await twinsFunction(db, table, column, twins));
    keys = `name_key(${column}), (CASE WHEN ${twins} ->> id::text = name_key(${column}) THEN id ELSE 0 END)`;
  }
}

const isRepeated = (error: unknown): boolean =>
  error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23505';

/** The key of each twin but the first, by its id: written out, since what an index uses must never change. */
async function twinsFunction(db: QueryRunner, table: string, column: string, name: string): Promise<string> {
  const [{ sql }] = (await db.query(`
    SELECT format('CREATE OR REPLACE FUNCTION ${name} RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
      format('SELECT %L::jsonb', coalesce(jsonb_object_agg(id, key), '{}'))) AS sql
    FROM (SELECT id, name_key(${column}) AS key,
            row_number() OVER (PARTITION BY name_key(${column}) ORDER BY id) AS place FROM ${table}) named
    WHERE place > 1`)) as [{ sql: string }];
  return sql;
}
