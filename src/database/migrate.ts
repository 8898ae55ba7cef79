import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { MigrationInterface } from 'typeorm';
import { clientOf } from './connection.js';
import { LOCK_NOT_AVAILABLE, sqlState } from './errors.js';
import { databaseOptions } from './options.js';
import { UsageError } from '../common/command-line.js';
import { EnvError } from '../config/env.js';
import { migrations } from './migrations.js';

type Migration = new () => MigrationInterface;

const LOCK = `hashtext('migrations')`;

/**
 * How long a migration waits for the lock of a table. Whoever comes after it waits behind it, so that this must be well
 * below the time that a request may take; then it lets them pass and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const TRIES = 100;
/** After a second of them, so many tries for a turn. */
const TOLD_AFTER = 5;

/** Brings the database up to date; instances that start together take turns. Returns what was applied. */
export function migrate(url: string, list: Migration[] = migrations): Promise<string[]> {
  return inSession(url, list, async (database, turn) => {
    const names = await applied(database);
    if (list.every(({ name }) => names.includes(name))) return [];
    await turn();
    await requirePublic(database);
    const before = await applied(database);
    await patiently(database, () => database.runMigrations({ transaction: 'each' }));
    return (await applied(database)).slice(before.length);
  }).catch(tellOfOthers);
}

/** Takes the last migration back; null where none is applied. @throws UsageError where it is not of this release */
export function undoMigration(url: string, list: Migration[] = migrations): Promise<string | null> {
  return inSession(url, list, async (database, turn) => {
    await turn();
    const last = (await applied(database)).at(-1);
    if (last === undefined) return null;
    const migration = database.migrations.find(({ name }) => name === last);
    if (!migration)
      throw new UsageError(
        `${last} is the last migration, of another release: only that one can take it back.`,
      );
    // TypeORM heeds a migration's own `transaction` on the way up only.
    const transaction = migration.transaction === false ? 'none' : 'each';
    await patiently(database, () => database.undoLastMigration({ transaction }));
    return last;
  });
}

/** How many the database lacks. */
export async function missingMigrations(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ name: string | null }>(`SELECT to_regclass('migrations') AS name`);
  if (!rows[0]?.name) return migrations.length;
  const has = await client.query<{ name: string }>(`SELECT name FROM migrations`);
  const names = new Set(has.rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name)).length;
}

/** The names of the migrations that the database has, in their order. */
async function applied(database: DataSource): Promise<string[]> {
  const [table] = await database.query<{ name: string | null }[]>(`SELECT to_regclass('migrations') AS name`);
  if (!table?.name) return [];
  const rows = await database.query<{ name: string }[]>(`SELECT name FROM migrations ORDER BY id`);
  return rows.map(({ name }) => name);
}

/** Tries again when a lock could not be had; what is applied already stays so. */
async function patiently(database: DataSource, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || tries === TRIES) throw error;
      if (tries === 1) console.error('A migration waits for a lock that a transaction holds.');
      await sleep(1000);
      await database.query('RESET lock_timeout'); // where a migration without a transaction has set another
    }
  }
}

/** Whoever changes the database asks for its turn before. */
async function inSession<T>(
  url: string,
  list: Migration[],
  work: (database: DataSource, turn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = clientOf(url);
  await lock.connect();
  const options = databaseOptions({ url, pool: 1, timeout: 0 });
  const extra = { ...(options.extra as object), lock_timeout: LOCK_TIMEOUT_MS };
  const database = new DataSource({ ...options, extra, migrations: list });
  try {
    await requireUtf8(lock);
    await requireIsoDates(lock);
    // Before the lock: PgBouncer refuses the settings of this session, and would keep a lock after who took it is gone.
    await database.initialize();
    return await work(database, () => takeTurn(lock));
  } finally {
    if (database.isInitialized) await database.destroy();
    await lock.end();
  }
}

/**
 * Tried again and again rather than waited for: a session that waits in a statement holds a snapshot, and
 * CREATE INDEX CONCURRENTLY of whoever has the lock would wait for that snapshot for ever.
 */
async function takeTurn(lock: pg.Client): Promise<void> {
  for (let tries = 1; !(await isTrue(lock, `SELECT pg_try_advisory_lock(${LOCK}) AS answer`)); tries++) {
    if (tries === TOLD_AFTER) console.error('Another process migrates the database; this one waits for it.');
    await sleep(200);
  }
}

async function requireUtf8(client: pg.Client): Promise<void> {
  if (await isTrue(client, `SELECT current_setting('server_encoding') = 'UTF8' AS answer`)) return;
  throw new EnvError('DATABASE_URL must name a database with the encoding UTF8');
}

/** Days and instants are read as PostgreSQL writes them by itself. */
export async function requireIsoDates(client: pg.Client): Promise<void> {
  if (await isTrue(client, `SELECT current_setting('datestyle') LIKE 'ISO,%' AS answer`)) return;
  throw new EnvError('DATABASE_URL must name a database, and a role, with the DateStyle ISO');
}

/** Where migrations find what the extensions give them, by the name of this schema or without one. */
async function requirePublic(database: DataSource): Promise<void> {
  const [{ found }] = await database.query<[{ found: boolean }]>(
    `SELECT current_schema() IS NULL OR 'public' = ANY (current_schemas(false)) AS found`,
  );
  if (!found)
    throw new EnvError('DATABASE_URL must name a database, and a role, with public in the search_path');
  const [other] = await database.query<{ name: string; schema: string }[]>(`
    SELECT extname AS name, extnamespace::regnamespace::text AS schema FROM pg_extension
    WHERE extname IN ('pg_trgm', 'unaccent') AND extnamespace <> to_regnamespace('public') ORDER BY extname`);
  if (other)
    throw new EnvError(
      `DATABASE_URL names a database with the extension ${other.name} in the schema ${other.schema}, and it must be in public: ALTER EXTENSION ${other.name} SET SCHEMA public`,
    );
}

/**
 * A table, view, type, function or column that is there already, or no null in a table of the same name: a database that
 * another program uses.
 */
const OF_OTHERS = ['42P07', '42710', '42723', '42701', '42703', '42809', '23502'];

function tellOfOthers(error: unknown): never {
  if (!OF_OTHERS.includes(sqlState(error) ?? '')) throw error;
  throw new EnvError(
    `DATABASE_URL must name a database where nothing else has the names of this service: ${(error as Error).message}`,
  );
}

async function isTrue(client: pg.Client, sql: string): Promise<boolean> {
  return (await client.query<{ answer: boolean }>(sql)).rows[0]?.answer === true;
}
