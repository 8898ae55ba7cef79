import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';

/** Runs a statement inside a transaction. */
export type Run = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>;

/** Named prepared statements on TypeORM's own pool, which TypeORM itself cannot send: for the hot paths. */
@Injectable()
export class Sql {
  readonly pool: Pool;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig & { name: string }): Promise<Row[]> {
    return (await this.pool.query<Row>(statement)).rows;
  }

  /** A transaction with a time limit of its own for each statement, in milliseconds. */
  async transaction<T>(timeout: number, work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const run: Run = (text, values) =>
      client.query({ text, values, query_timeout: timeout + 500 } as QueryConfig);
    let isBroken = true;
    try {
      await run(`BEGIN`);
      await run(`SET LOCAL statement_timeout = ${timeout}`);
      await run(`SET LOCAL lock_timeout = ${timeout}`);
      try {
        const result = await work(run);
        await run('COMMIT');
        isBroken = false;
        return result;
      } catch (error) {
        await run('ROLLBACK');
        isBroken = false;
        throw error;
      }
    } finally {
      // A connection that could not even roll back is closed, which rolls back too.
      client.release(isBroken);
    }
  }
}
