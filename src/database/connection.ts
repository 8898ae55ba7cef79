import pg from 'pg';
import type { QueryResult } from 'pg';
import { EnvError } from '../config/env.js';
import { READ_ONLY, sqlState } from './errors.js';
import { NamedQuery } from './named-query.js';
import type { NamedStatement } from './named-query.js';
import { tellAsSent } from './sent-row.js';
import { sent } from './sent.js';

type Query = (...args: unknown[]) => unknown;

/**
 * Connects to no standby. One that was the primary looks healthy, refuses every change and shows the past, for days if
 * nobody ends the connection. PostgreSQL says what it is before the first statement.
 */
export function refuseStandby(client: pg.Client): void {
  const { connection } = client;
  connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (parameterName !== 'in_hot_standby' || parameterValue !== 'on') return;
    connection.removeAllListeners('readyForQuery'); // which comes with the same packet, and means that it is connected
    connection.stream.destroy(Object.assign(new Error('The database is a standby'), { code: READ_ONLY }));
  });
}

type ParameterStatus = Record<'parameterName' | 'parameterValue', string>;

/**
 * A connection that ends with the first statement that is given up on this side (`query_timeout`), or refused since it
 * only reads. The pool would hand it on: still busy, or inside a transaction, since the ROLLBACK that waits behind that
 * statement is given up as well; or to refuse the next one too.
 */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    tellAsSent(this);
    // Whoever has it finds out with the next statement. Between two owners it has no listener but this, and without one
    // the process would end: what ends a connection may come with the very words that open it.
    this.on('error', () => undefined);
    const query = this.query.bind(this) as Query;
    this.query = ((...args) => {
      const asked = isOurs(args) ? ask(query, ...args) : query(...args);
      const answer =
        asked instanceof Promise ? asked.catch((error: unknown) => this.refuse(error as Error)) : asked;
      if (sent.hasSubscribers && answer) sent.publish({ statement: args[0], client: this, answer });
      return answer;
    }) as Query as pg.Client['query'];
  }

  private refuse(error: Error): never {
    // The text, since pg gives this error neither a class nor a code.
    if (error.message === 'Query read timeout' || sqlState(error) === READ_ONLY) void this.end();
    Error.captureStackTrace(error); // that of who asked; as it came, that of the socket
    throw error;
  }
}

const PARTS = ['name', 'text', 'values', 'json'];
/** Whether a promise is asked for, of a statement that has a name or is read as JSON, and none of pg's other options. */
const isOurs = (args: unknown[]): args is [NamedStatement] =>
  args.length === 1 &&
  !!((args[0] as NamedStatement).name ?? (args[0] as NamedStatement).json) &&
  Object.keys(args[0] as NamedStatement).every((part) => PARTS.includes(part));

const ask = (query: Query, statement: NamedStatement): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    query(new NamedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))));
  });

/** A connection to a server that takes changes. */
export class PrimaryConnection extends Connection {
  constructor(config?: pg.ClientConfig) {
    super(config);
    refuseStandby(this);
  }
}

/** A connection of its own, to be opened, without limits but for that. @throws EnvError where the address cannot be used */
export function clientOf(url: string): pg.Client {
  try {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    refuseStandby(client);
    return client;
  } catch (error) {
    // It reads the files that the address names, such as sslrootcert.
    throw new EnvError(`DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
}
