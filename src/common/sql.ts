import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { GRACE_MS } from '../config/database.js';
import { actAs } from './audit.js';
import type { Actor } from './audit.js';
import { isPassing, sqlState } from './database-errors.js';
import { DomainError } from './errors.js';
import { retried } from './retry.js';

/** Runs a statement inside a transaction. */
export type Run = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>;

/**
 * Statements on TypeORM's own pool that TypeORM itself cannot send: named prepared ones for the hot paths, and
 * transactions with time limits of their own.
 */
@Injectable()
export class Sql {
  readonly pool: Pool;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig & { name: string }): Promise<Row[]> {
    return retried(() => this.borrow(async (client) => (await client.query<Row>(statement)).rows));
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
 * Whether the connection may be gone, or still be busy. One whose statement was refused is as good as before; the pool
 * would close it all the same, which is a new connection for every scan that another phone overtook.
 */
function isBroken(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return sqlState(error) === null || isPassing(error);
}
