import pg from 'pg';
import { EnvError } from '../config/env.js';

type Query = (...args: unknown[]) => unknown;

/**
 * A connection that ends with the first statement that is given up on this side (`query_timeout`). The pool would hand
 * it on, still busy, or inside a transaction, since the ROLLBACK that waits behind that statement is given up as well.
 */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Query;
    this.query = ((...args) => {
      const answer = query(...args);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.giveUp(error));
      return answer;
    }) as Query as pg.Client['query'];
  }

  private giveUp(error: unknown): void {
    // The text, since pg gives this error neither a class nor a code.
    if ((error as Error).message === 'Query read timeout') void this.end();
  }
}

/** A connection of its own, to be opened, without limits but for that. @throws EnvError where the address cannot be used */
export function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  } catch (error) {
    // It reads the files that the address names, such as sslrootcert.
    throw new EnvError(`DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
}
