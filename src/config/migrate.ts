import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions } from './database.js';
import { EnvError } from './env.js';

const LOCK = `hashtext('migrations')`;

/** Brings the database up to date; instances that start together take turns. Returns what was applied. */
export function migrate(url: string): Promise<string[]> {
  return withLock(url, async (database) => {
    const applied = await database.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  });
}

/** Takes the last migration back; null where none is applied. */
export function undoMigration(url: string): Promise<string | null> {
  return withLock(url, async (database) => {
    const last = await lastApplied(database);
    if (last) await database.undoLastMigration({ transaction: 'each' });
    return last;
  });
}

async function lastApplied(database: DataSource): Promise<string | null> {
  const [table] = await database.query<{ name: string | null }[]>(`SELECT to_regclass('migrations') AS name`);
  if (!table?.name) return null;
  const [row] = await database.query<{ name: string }[]>(
    `SELECT name FROM migrations ORDER BY id DESC LIMIT 1`,
  );
  return row?.name ?? null;
}

async function withLock<T>(url: string, work: (database: DataSource) => Promise<T>): Promise<T> {
  const lock = clientOf(url);
  await lock.connect();
  const database = new DataSource(databaseOptions({ url, pool: 2, timeout: 0 }));
  try {
    await requireUtf8(lock);
    // Tried again and again rather than waited for: a session that waits in a statement holds a snapshot, and
    // CREATE INDEX CONCURRENTLY of whoever has the lock would wait for that snapshot for ever.
    while (!(await isTrue(lock, `SELECT pg_try_advisory_lock(${LOCK}) AS answer`))) await sleep(200);
    await database.initialize();
    return await work(database);
  } finally {
    if (database.isInitialized) await database.destroy();
    await lock.end();
  }
}

function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  } catch (error) {
    // It reads the files that the address names, such as sslrootcert.
    throw new EnvError(`DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
}

async function requireUtf8(client: pg.Client): Promise<void> {
  if (await isTrue(client, `SELECT current_setting('server_encoding') = 'UTF8' AS answer`)) return;
  throw new EnvError('DATABASE_URL must name a database with the encoding UTF8');
}

async function isTrue(client: pg.Client, sql: string): Promise<boolean> {
  return (await client.query<{ answer: boolean }>(sql)).rows[0]?.answer === true;
}
