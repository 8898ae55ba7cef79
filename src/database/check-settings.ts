import type { Client } from 'pg';
import { boundsOfDay, dayIn } from '../common/dates.js';
import { EnvError } from '../config/env.js';
import type { Env } from '../config/env.js';
import { clientOf } from './connection.js';
import { sqlState } from './errors.js';
import { missingMigrations, requireIsoDates } from './migrate.js';
import { BESIDE_THE_POOL, sessionLimits } from './options.js';

type Settings = Pick<Env, 'DATABASE_POOL' | 'DATABASE_POOLER' | 'DATABASE_TIMEOUT_MS' | 'TIME_ZONE'>;

/** What only the database can tell of the settings. @throws EnvError naming the variable */
export async function checkSettings(
  url: string,
  { DATABASE_POOL, DATABASE_POOLER, DATABASE_TIMEOUT_MS, TIME_ZONE }: Settings,
): Promise<void> {
  const client = clientOf(url);
  await client.connect();
  try {
    if (DATABASE_POOLER) await requirePooler(client, url, sessionLimits(DATABASE_TIMEOUT_MS));
    else await requireConnections(client, DATABASE_POOL);
    await requireSameDays(client, TIME_ZONE);
  } finally {
    await client.end();
  }
}

/** Or the first rush of requests would bring 503 to some, and keep commands out. */
async function requireConnections(client: Client, pool: number): Promise<void> {
  // Before PostgreSQL 16 there are no reserved_connections.
  const { rows } = await client.query<{ free: number }>(`
    SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) AS free`);
  const free = rows[0]?.free ?? 0;
  if (pool + BESIDE_THE_POOL > free) {
    throw new EnvError(
      `DATABASE_POOL ${pool} and the ${BESIDE_THE_POOL} connections beside it are more than the ${free} of the database.`,
    );
  }
}

/** Nobody else can set the limits of its sessions; and what needs a session, it cannot do. */
async function requirePooler(client: Client, url: string, limits: Record<string, number>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name = ANY ($1) AND setting::integer = 0 ORDER BY name`,
    [Object.keys(limits)],
  );
  if (rows.length > 0) {
    const settings = Object.entries(limits).map(([name, limit]) => `SET ${name} = ${limit}`);
    throw new EnvError(
      `DATABASE_POOLER sets no ${rows.map(({ name }) => name).join(', ')}: its connect_query must be "${settings.join('; ')}".`,
    );
  }
  await requireIsoDates(client);
  const missing = await missingMigrations(client);
  if (missing > 0)
    throw new EnvError(
      `DATABASE_POOLER: ${missing} migrations are to be applied past the pooler first: npm run migrate, without it and with the DATABASE_URL of the server itself.`,
    );
  if (!(await sharesSessions(client, url)))
    console.error(
      'DATABASE_POOLER is transaction, but each connection has a session of its own: is the pooler in session mode?',
    );
}

const COMPARED_SESSIONS = 5;

/** In transaction mode, the one session that is free serves whoever asks. */
async function sharesSessions(client: Client, url: string): Promise<boolean> {
  const other = clientOf(url);
  await other.connect();
  try {
    for (let n = 0; n < COMPARED_SESSIONS; n++)
      if ((await sessionOf(client)) === (await sessionOf(other))) return true;
    return false;
  } finally {
    await other.end();
  }
}

async function sessionOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`)).rows[0]?.pid;
}

const DAY_MS = 86_400_000;
/** A year back and a year ahead. */
const COMPARED_DAYS = 366;

/**
 * Days begin by Node.js alone. Whoever reads the same name in SQL must get the same days: one of the two may know older
 * rules, or take the name for something else.
 */
async function requireSameDays(client: Client, timeZone: string): Promise<void> {
  const instants: Date[] = [];
  for (let days = -COMPARED_DAYS; days <= COMPARED_DAYS; days++) {
    const { start } = boundsOfDay(timeZone, new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10));
    instants.push(new Date(start.getTime() - 1), start);
  }
  try {
    const { rows } = await client.query<{ day: string }>(
      `SELECT day FROM unnest($2::timestamptz[], $3::date[]) own (instant, day)
       WHERE (instant AT TIME ZONE $1)::date <> day LIMIT 1`,
      [timeZone, instants, instants.map((instant) => dayIn(timeZone, instant))],
    );
    if (rows[0])
      throw new EnvError(
        `TIME_ZONE ${timeZone} has other days in the database than in Node.js, such as ${rows[0].day}.`,
      );
  } catch (error) {
    if (sqlState(error) === UNKNOWN_ZONE)
      throw new EnvError(`TIME_ZONE ${timeZone} is not known to the database.`);
    throw error;
  }
}

const UNKNOWN_ZONE = '22023';
