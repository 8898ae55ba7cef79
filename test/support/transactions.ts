import pg from 'pg';
import type { TestDatabase } from './database.js';
import { until } from './process.js';

/** A transaction that a test holds open, on a connection of its own. */
export interface OpenTransaction {
  query: (sql: string, values?: unknown[]) => Promise<unknown>;
  /** COMMIT or ROLLBACK, and closes the connection. */
  end: (how: 'COMMIT' | 'ROLLBACK') => Promise<void>;
}

const open = new Set<OpenTransaction>();

export async function begin({ url }: { url: string }): Promise<OpenTransaction> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  const transaction: OpenTransaction = {
    query: (sql, values) => client.query(sql, values),
    end: async (how) => {
      open.delete(transaction);
      await client.query(how);
      await client.end();
    },
  };
  open.add(transaction);
  return transaction;
}

/** After a test that failed: what it has left open would hold up all that follow. */
export async function rollbackAll(): Promise<void> {
  for (const transaction of open) await transaction.end('ROLLBACK');
}

/** Resolves to the backends that wait for a lock, once there are as many. */
export async function blocked({ query }: TestDatabase, count = 1): Promise<number[]> {
  let waiting: { pid: number }[] = [];
  await until(async () => {
    waiting = await query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length >= count;
  });
  return waiting.map(({ pid }) => pid);
}
