import { setImmediate } from 'node:timers/promises';
import type { PoolClient, QueryConfig } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** How long one statement of its own may take with all its rows, which is as long as the slowest reader takes. */
const LIMIT_MS = 600_000;
/**
 * How long a reader may take for one batch of rows: one of 10 MB at 85 kB a second. Who takes nothing of an answer for
 * 20 s is hung up on before.
 */
const IDLE_MS = 120_000;
const NEWLINE = 10;

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

export type Field = string | null;

/** Has what others ask in `ask` be asked by a connection. */
export type Within = <T>(client: PoolClient, ask: () => Promise<T>) => Promise<T>;

/** What the database held at one instant, until the transaction of it ends. */
export class Snapshot {
  /** The statement that has rows left. */
  private reading?: { callback: () => void };
  /** What is asked by `within`, which may go on where its reader has gone. */
  private asking?: Promise<unknown>;
  private hasTime = false;

  private constructor(
    private readonly client: PoolClient,
    private readonly inside: Within,
  ) {}

  static async read<T>(
    client: PoolClient,
    work: (snapshot: Snapshot) => Promise<T>,
    inside: Within,
  ): Promise<T> {
    await client.query(`
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`);
    const snapshot = new Snapshot(client, inside);
    try {
      return await work(snapshot);
    } finally {
      await snapshot.end();
    }
  }

  /** Whatever `ask` reads by Sql or TypeORM, it reads here. */
  within<T>(ask: () => Promise<T>): Promise<T> {
    const asked = this.inside(this.client, ask);
    this.asking = asked.catch(() => undefined); // whoever asked is told
    return asked;
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    await this.takeTime();
    return (await this.client.query<Row>({ text, values, query_timeout: LIMIT_MS } as QueryConfig)).rows;
  }

  /**
   * The rows of a statement, however many, as texts and a batch at a time: by COPY, which takes a fifth of the time of
   * rows that pg makes. No more is read than is taken, and others have their turn after each batch.
   */
  async *rows<Row extends Field[]>(text: string, ...values: string[]): AsyncGenerator<Row[]> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of this.copy(text, values)) {
      const read = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = read.lastIndexOf(NEWLINE);
      rest = read.subarray(end + 1);
      if (end >= 0) yield read.toString('utf8', 0, end).split('\n').map(fieldsOf) as Row[];
    }
  }

  /** The one text of each row, which is JSON, and a line end: as PostgreSQL sends them, whatever begins or ends there. */
  lines(text: string, ...values: string[]): AsyncGenerator<Buffer> {
    // What JSON does not hold unescaped separates and quotes, so that nothing is quoted.
    return this.copy(text, values, String.raw`(FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')`);
  }

  /** Until then, what is asked by `within` has the limits of ordinary requests. */
  private async takeTime(): Promise<void> {
    if (!this.hasTime) await this.client.query(`SET LOCAL statement_timeout = ${LIMIT_MS}`);
    this.hasTime = true;
  }

  private async *copy(text: string, values: string[], format = ''): AsyncGenerator<Buffer> {
    const statement = text.replace(/\$(\d)/g, (_, n) => this.client.escapeLiteral(values[Number(n) - 1]!));
    await this.takeTime();
    const limit = { query_timeout: LIMIT_MS, callback: () => undefined };
    const copy = Object.assign(copyTo(`COPY (${statement}) TO STDOUT ${format}`), limit);
    this.reading = copy;
    for await (const chunk of this.client.query(copy) as AsyncIterable<Buffer>) {
      yield chunk;
      await setImmediate();
    }
    this.leave();
  }

  /** Where rows are left that nobody takes, or it is broken, the connection ends too: with it, the statement. */
  private async end(): Promise<void> {
    await this.asking; // or it would go on in the transaction of another
    if (!this.reading) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      return;
    }
    this.leave();
    void this.client.end();
  }

  /** Ends pg's timer for the limit, which pg-copy-streams leaves running: it would keep a process alive. */
  private leave(): void {
    this.reading?.callback();
    this.reading = undefined;
  }
}

/** Of a line of COPY. */
function fieldsOf(line: string): Field[] {
  const fields: Field[] = line.split('\t');
  if (line.includes('\\')) {
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at]!;
      if (field === '\\N') fields[at] = null;
      else if (field.includes('\\'))
        fields[at] = field.replace(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one);
    }
  }
  return fields;
}
