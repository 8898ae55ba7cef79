import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Env } from '../config/env.js';
import { Connection, PrimaryConnection } from './connection.js';
import { instantOf } from './instant.js';
import { migrations } from './migrations.js';

// Dates stay 'YYYY-MM-DD' (a Date would shift with the time zone); bigint ids and numeric money fit a double:
// 12 digits with 2 decimals, and scan ids far below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantOf);

/** How much longer than the server the client waits for a statement: a server that is frozen honours nothing. */
export const GRACE_MS = 200;

export interface DatabaseSettings {
  url: string;
  pool: number;
  /** Milliseconds for a statement, a lock or a connection; 0 waits for ever (commands only). */
  timeout: number;
  /** The most seconds that a connection lives; for as long as it works where there is none (commands only). */
  maxAge?: number;
  /** Through a pooler, which passes on no settings of a session: there, they are its own. */
  isPooled?: boolean;
}

/** The only place with connection options: the service, the commands, the tests and ormconfig.ts share it. */
export function databaseOptions({
  url,
  pool,
  timeout,
  maxAge = 0,
  isPooled = false,
}: DatabaseSettings): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'recense',
    installExtensions: false,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolErrorHandler: () => undefined, // an idle connection that dies is replaced by the pool; nothing was lost
    extra: {
      Client: PrimaryConnection,
      max: pool,
      maxLifetimeSeconds: maxAge,
      ...limits(timeout),
      ...(isPooled ? {} : sessionLimits(timeout)),
    },
  };
}

/** In milliseconds, of every session of the service. */
export const sessionLimits = (timeout: number) => ({
  statement_timeout: timeout,
  lock_timeout: timeout && Math.ceil(timeout * 0.9),
  idle_in_transaction_session_timeout: timeout && timeout * 2,
});

/** For one of the pool or a new one. A stopped server must give 503 within 2 s, and a frozen one within 5 s. */
export const CONNECT_MS = 1500;

/**
 * As long as an idle connection is kept. Whoever walks to the next room finds it again, where a new one would take 20 ms to
 * connect and to plan its first statements; firewalls forget those that say nothing for longer, and tell neither end.
 */
export const IDLE_MS = 60_000;

function limits(timeout: number) {
  return {
    connectionTimeoutMillis: timeout && Math.min(timeout, CONNECT_MS),
    idleTimeoutMillis: IDLE_MS,
    query_timeout: timeout && timeout + GRACE_MS,
    keepAlive: true,
  };
}

/** Milliseconds that one connection lives: not for all as long, or those that were made at once would end at once. */
export const ageOf = (maxAge: number): number => maxAge * 1000 * (0.8 + 0.2 * Math.random());

/** Enough to keep PostgreSQL busy: with ten, hardly any would have two statements at once. */
export const PIPELINE_SIZE = 4;
const PIPELINED_LOCK_TIMEOUT_MS = 100;

/** Each of the connections of database/pipeline.ts; who waits for a lock there for longer gives way to those behind. */
export function pipelineOptions({
  url,
  timeout,
}: Pick<DatabaseSettings, 'url' | 'timeout'>): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'recense',
    ...limits(timeout),
    statement_timeout: timeout,
    lock_timeout: PIPELINED_LOCK_TIMEOUT_MS,
    // Few statements, each for one thing found by an index: what one of them needs, it needs each time.
    options: '-c plan_cache_mode=force_generic_plan',
  };
}

const PROBE_SIZE = 1;
export const PROBE_TIMEOUT_MS = 1500;

/** Connections that an instance may have beside its pool. */
export const BESIDE_THE_POOL = PIPELINE_SIZE + PROBE_SIZE;

/** One connection beside the pool, for whoever asks how the database is: a pool that is busy says nothing of that. */
export function probePool(url: string, maxAge: number, Client = PrimaryConnection): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    application_name: 'recense',
    max: PROBE_SIZE,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: maxAge,
    keepAlive: true,
  });
  return pool.on('error', () => undefined); // the next probe has another one
}

export type ReplicaSettings = Pick<
  Env,
  'DATABASE_POOL' | 'DATABASE_TIMEOUT_MS' | 'DATABASE_MAX_AGE_S' | 'DATABASE_POOLER'
>;

/** The most that may be read on the replica at once is bounded as on the primary. */
export function replicaPool(url: string, settings: ReplicaSettings): pg.Pool {
  const pool = new pg.Pool({
    Client: Connection,
    connectionString: url,
    application_name: 'recense',
    max: settings.DATABASE_POOL,
    maxLifetimeSeconds: settings.DATABASE_MAX_AGE_S,
    ...limits(settings.DATABASE_TIMEOUT_MS),
    ...(settings.DATABASE_POOLER ? {} : { statement_timeout: settings.DATABASE_TIMEOUT_MS }),
  });
  return pool.on('error', () => undefined); // an idle connection that dies is replaced by the pool
}
