import type { Pool, PoolClient } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { DomainError } from '../common/errors.js';
import { OUTDATED, isPassing, sqlState } from './errors.js';

/** Works on a connection of a pool, which is closed where it may be broken. */
export async function borrow<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let mustClose = false;
  try {
    return await work(client);
  } catch (error) {
    mustClose = isBroken(error);
    throw error;
  } finally {
    client.release(mustClose);
  }
}

/** Lets TypeORM ask by a connection that was borrowed, and leave it alone afterwards. */
export class BorrowedRunner extends PostgresQueryRunner {
  constructor(driver: PostgresDriver, client: PoolClient) {
    super(driver, 'slave');
    this.databaseConnection = client;
  }
}

/**
 * Whether the connection may be gone, still be busy, or have an outdated statement. One whose statement was refused is
 * as good as before; the pool would close it all the same, which is a new connection for every scan that another phone
 * overtook.
 */
export function isBroken(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return sqlState(error) === null || sqlState(error) === OUTDATED || isPassing(error);
}
