import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { GRACE_MS, PIPELINE_SIZE, ageOf, pipelineOptions } from './options.js';
import { Env } from '../config/env.js';
import { actAs } from './audit.js';
import type { Actor } from './audit.js';
import { OUTDATED, isPassing, sqlState } from './errors.js';
import { DomainError, unavailable } from '../common/errors.js';
import { NotConnected, Pipeline } from './pipeline.js';
import { retried } from './retry.js';
import { Snapshot } from './snapshot.js';

/** Runs a statement inside a transaction. */
export type Run = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>;

/**
 * Where answers come this late, commits or locks are slow, and statements on one connection wait for each other: the
 * pool helps, where with commits of 5 ms more than twice as many scans a second are answered.
 */
const SLOW_MS = 20;
/**
 * A lock was held for long; others made it give way (40001, 40P01); a statement before this one should have prepared
 * it and failed (26000), after which pg may have one prepared a second time (42P05); or it is outdated. Nothing was
 * written.
 */
const HELD_UP = new RegExp(`^(55P03|26000|42P05|40001|40P01|${OUTDATED})$`);
/** For how long one may have been held up to go on in the pool, which takes 4.2 s at most: 503 must come within 5 s. */
const HELD_UP_MS = 500;

/**
 * Statements that TypeORM itself cannot send: named prepared ones, on its own pool or, for the hot paths, pipelined;
 * and transactions with time limits of their own.
 */
@Injectable()
export class Sql implements OnApplicationShutdown {
  readonly pool: Pool;
  readonly pipeline: Pipeline;

  constructor(@InjectDataSource() dataSource: DataSource, env: Env) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
    const { url } = dataSource.options as { url: string };
    const age = () => ageOf(env.DATABASE_MAX_AGE_S);
    this.pipeline = new Pipeline(
      pipelineOptions({ url, timeout: env.DATABASE_TIMEOUT_MS }),
      PIPELINE_SIZE,
      age,
    );
    // Of the connection that will be made next.
    this.pool.on('connect', () => (this.pool.options.maxLifetimeSeconds = age() / 1000));
  }

  /**
   * What phones ask all the time, and is answered within a millisecond. Lists that fill the pool do not hold it up, only
   * the check of its token once a second.
   */
  async hot<Row extends QueryResultRow>(statement: QueryConfig & { name: string }): Promise<Row[]> {
    const { pipeline } = this;
    if (pipeline.delay > SLOW_MS && this.hasRoom) return this.query(statement);
    const start = performance.now();
    try {
      return await pipeline.query<Row>(statement);
    } catch (error) {
      if (!(error instanceof NotConnected) && !HELD_UP.test(sqlState(error) ?? '')) throw error;
      if (performance.now() - start > HELD_UP_MS) throw unavailable();
      return this.query(statement, 2); // where it holds up nobody
    }
  }

  /** Whether the pool has a connection for one more. */
  private get hasRoom(): boolean {
    const { waitingCount, idleCount, totalCount, options } = this.pool;
    return waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
  }

  async query<Row extends QueryResultRow>(
    statement: QueryConfig & { name: string },
    tries = 1,
  ): Promise<Row[]> {
    const send = (asked: QueryConfig) =>
      retried(() => this.borrow(async (client) => (await client.query<Row>(asked)).rows), tries);
    try {
      return await send(statement);
    } catch (error) {
      if (sqlState(error) !== OUTDATED) throw error;
      return send({ ...statement, name: undefined }); // other connections may have prepared it before, too
    }
  }

  /** The transaction of a change, with limits of its own for each statement and for waiting for a lock, in milliseconds. */
  async transaction<T>(
    actor: Actor,
    limits: { statement: number; lock: number },
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    const transaction = async (client: PoolClient) => {
      const run: Run = (text, values) =>
        client.query({ text, values, query_timeout: limits.statement + GRACE_MS } as QueryConfig);
      await run(`BEGIN`);
      await run(
        `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ${actAs('$3')}`,
        [String(limits.statement), String(limits.lock), JSON.stringify(actor)],
      );
      try {
        const result = await work(run);
        await run('COMMIT');
        return result;
      } catch (error) {
        // A connection that is broken is closed, which rolls back too.
        if (!isBroken(error)) await run('ROLLBACK');
        throw error;
      }
    };
    return retried(() => this.borrow(transaction));
  }

  /**
   * Reads any number of rows as of one instant. It holds a connection of the pool for as long as its reader takes, so
   * those who use it bound how many do at once.
   */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.borrow(async (client) => {
      const snapshot = await Snapshot.of(client);
      try {
        return await work(snapshot);
      } finally {
        await snapshot.end();
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pipeline.end();
  }

  private async borrow<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    // It may end while no statement runs; without a listener that would end the process. The next statement fails.
    const ignore = () => undefined;
    client.on('error', ignore);
    let mustClose = false;
    try {
      return await work(client);
    } catch (error) {
      mustClose = isBroken(error);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(mustClose);
    }
  }
}

/** The same statements for those who take an EntityManager too. */
export const asQueries = (run: Run) => ({
  query: async <Rows>(text: string, values: unknown[]) => (await run(text, values)).rows as Rows,
});

/**
 * Locks a row until the transaction ends. What is then read of it, by a statement of its own that sees what others
 * committed meanwhile, stays true until it is written.
 */
export async function holdRow(manager: EntityManager, table: string, id: number): Promise<void> {
  await manager.query(`SELECT FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/**
 * Whether the connection may be gone, still be busy, or have an outdated statement. One whose statement was refused is
 * as good as before; the pool would close it all the same, which is a new connection for every scan that another phone
 * overtook.
 */
function isBroken(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return sqlState(error) === null || sqlState(error) === OUTDATED || isPassing(error);
}
