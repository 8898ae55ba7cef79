import { compileFunction } from 'node:vm';
import pg from 'pg';
import type { Connection, FieldDef, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { jsonReaderOf } from './json-row.js';
import type { Made } from './json-row.js';
import type { SentRow } from './sent-row.js';

/** None of pg's other options. */
export type PlainStatement = Pick<QueryConfig, 'name' | 'text' | 'values'>;
export type NamedStatement = PlainStatement & {
  /** That its rows are read as JSON, by a Connection, and what is made of some of their cells. */
  json?: Made | undefined;
};
type Answered = (error: Error | undefined, result: QueryResult) => void;
type Description = Pick<QueryResult, 'fields'>;
/** Makes of a row what is answered: of its cells as texts, or as it was sent where that is JSON. */
type Read = (cells: never, made: Made) => QueryResultRow;

/** What pg's queries have, and its types do not tell. */
interface Protocol extends pg.Query {
  name?: string;
  _result: { parseRow: Read };
  prepare(connection: Connection): void;
  handleRowDescription(description: Description): void;
  handleDataRow(row: { fields: unknown }): void;
}
const Query = pg.Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  answered: Answered,
) => Protocol;

/**
 * A statement; where it has a name, each connection has its columns described once. PostgreSQL refuses to run a prepared
 * statement that would have other columns than before (`OUTDATED`), and pg asks for them, and prepares to read them, each
 * time: a sixth of the main thread's time for a look-up (bench/PROFILES.md).
 */
export class NamedQuery extends Query {
  private readonly json: Made | undefined;
  private known?: Known;

  constructor({ name, text, values, json }: NamedStatement, answered: Answered) {
    super(text, values as unknown[] | undefined, answered); // of a whole QueryConfig pg makes a copy, property by property
    this.name = name;
    this.json = json;
  }

  override prepare(connection: Connection): void {
    if (this.name) this.known = knownBy(connection);
    const read = this.known?.readers.get(this.name!);
    if (read) this.readWith(read, { fields: [] });
    super.prepare(read ? this.known!.silent : connection);
  }

  override handleRowDescription(description: Description): void {
    const read = this.json ? kept(jsons, jsonReaderOf, description) : kept(objects, readerOf, description);
    this.known?.readers.set(this.name!, read);
    this.readWith(read, description);
  }

  private readWith(read: Read, description: Description): void {
    super.handleRowDescription(description);
    const { json } = this;
    this._result.parseRow = json ? (row) => read(row, json) : read;
  }

  override handleDataRow(row: SentRow): void {
    super.handleDataRow(this.json ? { fields: row } : row);
  }
}

/** What a connection has described. */
interface Known {
  readers: Map<string, Read>;
  /** The same connection, which is not asked for a description. */
  silent: Connection;
}

/** Gone with the connection. */
const described = new WeakMap<Connection, Known>();

function knownBy(connection: Connection): Known {
  const kept = described.get(connection);
  if (kept) return kept;
  const silent = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  const known = { readers: new Map<string, Read>(), silent };
  described.set(connection, known);
  return known;
}

/** Of all connections, by the columns: what V8 has learnt of one it knows for the others. */
const [objects, jsons] = [new Map<string, Read>(), new Map<string, Read>()];

function kept(readers: Map<string, Read>, make: (fields: FieldDef[]) => Read, { fields }: Description): Read {
  const key = fields.map(({ name, dataTypeID }) => `${JSON.stringify(name)}:${dataTypeID}`).join();
  const known = readers.get(key);
  if (known) return known;
  const read = make(fields);
  readers.set(key, read);
  return read;
}

/**
 * Reads rows with a literal, whose shape V8 knows before it has its values. pg copies an empty object for each row, and looks up
 * by name where each of its values goes: a tenth of a page of fifty purchases, which has 2 050 of them.
 */
function readerOf(fields: FieldDef[]): Read {
  const parsers = fields.map(({ dataTypeID }): unknown =>
    (pg.types.getTypeParser as (type: number) => unknown)(dataTypeID),
  );
  const values = fields.map(
    ({ name }, i) => `${JSON.stringify(name)}: cells[${i}] === null ? null : parsers[${i}](cells[${i}])`,
  );
  const make = compileFunction(`return (cells) => ({ ${values.join()} })`, ['parsers']) as (
    by: unknown,
  ) => Read;
  return make(parsers);
}
