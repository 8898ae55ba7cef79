import pg from 'pg';
import type { QueryResult, QueryResultRow } from 'pg';
import { refuseStandby } from './connection.js';
import { OUTDATED, READ_ONLY } from './errors.js';
import { NamedQuery } from './named-query.js';
import type { PlainStatement } from './named-query.js';
import { IDLE_MS } from './options.js';
import { sent } from './sent.js';
import type { InContext } from './sent.js';

/** What a connection answers from now on, whatever it is asked. */
const FOR_EVER = new RegExp(`^(${OUTDATED}|${READ_ONLY})$`);

/** A statement that was not even sent: there was no connection to be had for it. */
export class NotConnected extends Error {}

/**
 * Connections that take a statement while they still work on others, each in a transaction of its own. What one turn of
 * the event loop brings goes out in one write, and many answers come in with one read: of a look-up with a connection
 * for each statement, a quarter is writing to sockets, and with this 1.3 times as many are answered.
 */
export class Pipeline {
  private readonly lines: Line[];
  /** What is to be asked together, in one statement, and not answered yet. */
  gathered = 0;

  /** `age`: the milliseconds that a connection lives, asked for each. */
  constructor(config: pg.ClientConfig, size: number, age: () => number) {
    this.lines = Array.from({ length: size }, () => new Line({ ...config, pipeline: true }, age));
  }

  /** Statements that are not answered yet, and what is to be asked together. */
  get waiting(): number {
    return this.lines.reduce((sum, { sent }) => sum + sent.length, this.gathered);
  }

  /** For how many milliseconds an answer has been owed by the connection that has the least to do. */
  get delay(): number {
    const oldest = this.leastBusy.sent[0];
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  private get leastBusy(): Line {
    return this.lines.reduce((best, line) => (line.sent.length < best.sent.length ? line : best));
  }

  /** By the connection that has the least to do; `contexts`: of the requests for which it is, where these are several. */
  query<Row extends QueryResultRow>(statement: PlainStatement, contexts?: InContext[]): Promise<Row[]> {
    return this.leastBusy.query(statement, contexts);
  }

  /** Opens every connection; one that cannot be opened is tried again by whoever needs it. */
  async warm(): Promise<void> {
    await Promise.allSettled(this.lines.map((line) => line.query({ text: 'SELECT 1' })));
  }

  async end(): Promise<void> {
    await Promise.all(this.lines.map((line) => line.end()));
  }
}

class Line {
  /** When each statement was sent that is not answered yet; they are answered in that order. */
  readonly sent: number[] = [];
  private client?: pg.Client;
  private readonly connected = new WeakSet<pg.Client>();
  private idle?: NodeJS.Timeout;
  private endsAt = 0;

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly age: () => number,
  ) {}

  query<Row extends QueryResultRow>(statement: PlainStatement, contexts?: InContext[]): Promise<Row[]> {
    const now = performance.now();
    if (now > this.endsAt) void this.end();
    const client = (this.client ??= this.open());
    gather(client);
    this.idle?.refresh();
    this.sent.push(now);
    const answer = new Promise<Row[]>((resolve, reject) => {
      const answered = (error: Error | undefined, result: QueryResult<Row>) => {
        this.sent.shift();
        if (!error) {
          resolve(result.rows);
          return;
        }
        // All but PostgreSQL's refusals mean that the connection is at its end, which it tells only later.
        if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') this.forget(client);
        // The next one begins anew; this one still answers what it was sent.
        else if (FOR_EVER.test(error.code ?? '') && this.client === client) void this.end();
        reject(this.connected.has(client) ? error : new NotConnected(error.message, { cause: error }));
      };
      client.query(new NamedQuery(statement, answered));
    });
    if (sent.hasSubscribers) sent.publish({ statement, client, answer, contexts });
    return answer;
  }

  async end(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    clearTimeout(this.idle);
    const ended = client?.end();
    // Nobody needs the goodbye of one that is idle, and a server that is frozen says none.
    if (this.sent.length > 0) await ended;
  }

  /** Statements may be sent to it at once; where it cannot connect, they fail. */
  private open(): pg.Client {
    const client = new pg.Client(this.config);
    refuseStandby(client);
    this.endsAt = performance.now() + this.age();
    const forget = () => this.forget(client);
    client.once('connect', () => this.connected.add(client));
    client.on('error', forget).on('end', forget).connect().catch(forget);
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.sent.length === 0 && void this.end(), IDLE_MS);
    return client;
  }

  private forget(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
  }
}

/** Holds back what is written until the turn of the event loop ends. */
function gather({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
