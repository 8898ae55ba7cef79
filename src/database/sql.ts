import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { CONNECT_MS, GRACE_MS, PIPELINE_SIZE, ageOf, pipelineOptions } from './options.js';
import { Env } from '../config/env.js';
import { Ambient } from '../common/ambient.js';
import { actAs } from './audit.js';
import type { Actor } from './audit.js';
import { BorrowedRunner, borrow, isBroken } from './borrow.js';
import { OUTDATED, sqlState } from './errors.js';
import { Begun, DomainError, unavailable } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import type { NamedStatement } from './named-query.js';
import { NotConnected, Pipeline } from './pipeline.js';
import { Replica } from './replica.js';
import { retried } from './retry.js';
import { Snapshot } from './snapshot.js';
import type { Within } from './snapshot.js';

type Named = QueryConfig & { name: string };
type Does = 'reads' | 'writes';
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
export const HELD_UP = new RegExp(`^(55P03|26000|42P05|40001|40P01|${OUTDATED})$`);
/** For how long one may have been held up to go on in the pool, which takes 4.2 s at most (see http/time-limit.ts). */
const HELD_UP_MS = 500;
/** Connections of the pool that are left to readers when every scan waits, as for a commit that no replica confirms. */
const LEFT_TO_READERS = 2;
/** The pool had none to give in time, as on a machine where a new one takes long; nothing was sent. */
const NO_CONNECTION =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

/**
 * Statements that TypeORM itself cannot send: named prepared ones, on its own pool or, for the hot paths, pipelined;
 * and transactions with time limits of their own.
 */
@Injectable()
export class Sql implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: Pool;
  readonly pipeline: Pipeline;
  /** For what takes long to read. */
  readonly replica?: Replica;
  /** How often that was read where. */
  readonly reads = { replica: 0, primary: 0 };
  /** What is asked inside of `within` is asked by this connection. */
  private readonly inside = new Ambient<PoolClient>();
  /** How many hot statements there were: by these whoever has time tells how much phones ask. */
  asked = 0;
  readonly isPooled: boolean;
  /** For scans that are better off in the pool. */
  private readonly outside: Limit;
  private readonly logger = new Logger('Sql');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    env: Env,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
    const { url } = dataSource.options as { url: string };
    this.isPooled = env.DATABASE_POOLER !== undefined;
    this.outside = new Limit(Math.max(1, env.DATABASE_POOL - LEFT_TO_READERS), CONNECT_MS);
    const age = () => ageOf(env.DATABASE_MAX_AGE_S);
    this.pipeline = new Pipeline(
      pipelineOptions({ url, timeout: env.DATABASE_TIMEOUT_MS }),
      PIPELINE_SIZE,
      age,
    );
    if (env.DATABASE_REPLICA_URL)
      this.replica = new Replica(env.DATABASE_REPLICA_URL, env, (statement) => this.query(statement));
    const make = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (mode) => {
      const client = this.inside.current;
      return client ? new BorrowedRunner(dataSource.driver as PostgresDriver, client) : make(mode);
    };
    // Of the connection that will be made next.
    this.pool.on('connect', () => (this.pool.options.maxLifetimeSeconds = age() / 1000));
  }

  /**
   * What phones ask all the time, and is answered within a millisecond. Lists that fill the pool do not hold it up, only
   * the check of its token once a second.
   */
  async hot<Row extends QueryResultRow>(statement: Named, does: Does = 'reads'): Promise<Row[]> {
    const { pipeline } = this;
    this.asked++;
    const pooled = () => (does === 'reads' ? this.query<Row>(statement) : this.written<Row>(statement));
    if (this.inside.current || this.isPooled) return pooled();
    if (pipeline.delay > SLOW_MS && this.hasRoom(does)) {
      try {
        return await pooled();
      } catch (error) {
        if (!NO_CONNECTION.test((error as Error).message)) throw error;
      }
    }
    const start = performance.now();
    try {
      return await pipeline.query<Row>(statement);
    } catch (error) {
      if (!(error instanceof NotConnected) && !HELD_UP.test(sqlState(error) ?? '')) throw error;
      if (performance.now() - start > HELD_UP_MS) throw unavailable();
      return this.outside.run(() => this.query(statement, 2)); // where it holds up nobody
    }
  }

  /** Many scans at once, which would hold up what is hot. */
  written<Row extends QueryResultRow>(statement: Named): Promise<Row[]> {
    return this.outside.run(() => this.query<Row>(statement));
  }

  /** Connects, or the first requests would, which come many at once to an instance that begins anew under load. */
  async warm(): Promise<void> {
    const pooled = Array.from({ length: this.pool.options.max }, async () =>
      (await this.pool.connect()).release(),
    );
    await Promise.allSettled([...pooled, ...(this.isPooled ? [] : [this.pipeline.warm()])]);
  }

  /** How many wait for a connection of the pool. */
  get waitingCount(): number {
    return this.pool.waitingCount + this.outside.waitingCount;
  }

  /** Whether the pool has a connection for one more. Where scans have all of theirs, commits wait, and readers do not. */
  private hasRoom(does: Does): boolean {
    const { waitingCount, idleCount, totalCount, options } = this.pool;
    const isFree = waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
    return does === 'reads' ? isFree || !this.outside.hasRoom : isFree && this.outside.hasRoom;
  }

  async query<Row extends QueryResultRow>(statement: Named & NamedStatement, tries = 1): Promise<Row[]> {
    const client = this.inside.current;
    if (client) return (await client.query<Row>({ ...statement, name: undefined })).rows;
    const send = (asked: QueryConfig) =>
      retried(() => borrow(this.pool, async (client) => (await client.query<Row>(asked)).rows), tries);
    if (this.isPooled) return send({ ...statement, name: undefined }); // each may come to another session
    try {
      return await send(statement);
    } catch (error) {
      if (sqlState(error) !== OUTDATED) throw error;
      return send({ ...statement, name: undefined }); // other connections may have prepared it before, too
    }
  }

  /**
   * That of a change, with limits of its own, in ms; a lock has that of a statement unless it is given one. Whatever Sql
   * or TypeORM is asked inside of `within` it asks in it.
   */
  async transaction<T>(
    actor: Actor,
    { statement, lock = statement }: { statement: number; lock?: number },
    work: (run: Run, within: <A>(ask: () => Promise<A>) => Promise<A>) => Promise<T>,
  ): Promise<T> {
    const transaction = async (client: PoolClient) => {
      const run: Run = (text, values) =>
        client.query({ text, values, query_timeout: statement + GRACE_MS } as QueryConfig);
      await run(`BEGIN`);
      await run(
        `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true), ${actAs('$3')}`,
        [String(statement), String(lock), JSON.stringify(actor)],
      );
      try {
        const result = await work(run, (ask) => this.inside.run(client, ask));
        await run('COMMIT');
        return result;
      } catch (error) {
        // A connection that is broken is closed, which rolls back too.
        if (!isBroken(error)) await run('ROLLBACK');
        throw error;
      }
    };
    return retried(() => borrow(this.pool, transaction));
  }

  /**
   * Reads any number of rows as of one instant, not before this is called; on the replica, where there is one. It holds
   * a connection for as long as its reader takes, so those who use it bound how many do at once. Where the replica
   * fails before an answer has begun, the work is done once more, on the primary.
   */
  async snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const within: Within = (client, ask) => this.inside.run(client, ask);
    const read = (client: PoolClient) => Snapshot.read(client, work, within);
    const elsewhere = await this.onReplica(read);
    return elsewhere ? elsewhere.answer : borrow(this.pool, read);
  }

  /** Reads what is asked of TypeORM, on the replica where there is one: then it is given what to ask by. */
  async aside<T>(work: (by?: QueryRunner) => Promise<T>): Promise<T> {
    if (this.inside.current) return work();
    const driver = this.dataSource.driver as PostgresDriver;
    const elsewhere = await this.onReplica((client) => work(new BorrowedRunner(driver, client)));
    return elsewhere ? elsewhere.answer : work();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.replica?.lag().catch((error: unknown) => {
      const { message } = error as Error;
      this.logger.warn(`The replica (DATABASE_REPLICA_URL) cannot be read, so the primary is: ${message}`);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pipeline.end(), this.replica?.end()]);
  }

  /** Null where there is none, or none that has everything. */
  private async onReplica<T>(work: (client: PoolClient) => Promise<T>): Promise<{ answer: T } | null> {
    const { replica, reads } = this;
    if (replica?.isWorthATry) {
      try {
        const answer = await replica.read(work);
        reads.replica++;
        return { answer };
      } catch (error) {
        if (error instanceof Begun || error instanceof DomainError) throw error;
        replica.rest();
        this.logger.warn({ err: error }, 'Reading on the primary');
      }
    }
    reads.primary++;
    return null;
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
