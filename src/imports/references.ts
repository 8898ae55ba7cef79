import type { EntityManager } from 'typeorm';
import { say } from '../common/messages.js';
import { check } from '../contract/validation.pipe.js';
import type { Kind, Reference, StoredRow } from './kind.js';
import { MAX_LEVELS } from '../locations/location.entity.js';
import { importMessages } from './imports.messages.js';
import { beginning } from './lines.js';
import type { Column } from './names.js';
import { NameRow } from './rows.js';
import { textOf } from './table.js';
import type { Row } from './table.js';

/** The id that a cell stands for, or why it stands for none. */
export type Resolve = (column: string, text: string) => { id?: number; error?: string; isUnknown?: boolean };

const SHOWN = 80;

/** What the service would say to who makes a row of this name by hand. */
const problemOf = (name: string): string | undefined => check(NameRow, { name }).errors?.name?.[0];

/** As much of a cell as the message of an error tells. */
export const shown = (text: string): string => beginning(text, SHOWN);

/** How many texts of a column are remembered; as a rule a file names the same few rows again and again. */
const REMEMBERED = 20_000;

/** What the lines of a file refer to. */
export class References {
  private readonly found = new Map<string, Map<string, StoredRow[]>>();

  constructor(
    private readonly manager: EntityManager,
    private readonly kind: Kind,
    private readonly columns: Column[],
    /** Those columns whose rows are made where they are not known, by their name. */
    private readonly made: string[] = [],
  ) {}

  /** Looks up what some lines refer to and none before has, in a query a column and field. */
  async of(rows: Row[]): Promise<Resolve> {
    for (const [column, reference] of Object.entries({ ...this.kind.references, ...this.kind.lookups })) {
      const at = this.columns.findIndex(({ field }) => field === column);
      const texts = new Set(rows.map(({ cells }) => textOf(cells[at])));
      texts.delete('');
      const found = this.found.get(column) ?? new Map<string, StoredRow[]>();
      this.found.set(column, found);
      if (found.size > REMEMBERED) found.clear();
      const open = [...texts].filter((text) => !found.has(text));
      const matches = await find(this.manager, reference, open);
      if (this.made.includes(column)) await make(this.manager, reference, open, matches);
      for (const text of open) found.set(text, matches.get(text) ?? []);
    }
    return (column, text) => this.resolve(column, text);
  }

  private resolve(column: string, text: string): ReturnType<Resolve> {
    const rows = this.found.get(column)?.get(text) ?? [];
    if (rows.length === 0) {
      const problem = partsOf(text, column === 'location')
        .map(problemOf)
        .find(Boolean);
      return { error: problem ?? say(importMessages.no_match, shown(text)), isUnknown: true };
    }
    return rows.length === 1 ? { id: rows[0]!.id } : { error: say(importMessages.ambiguous, rows.length) };
  }
}

/** The names that a text has: a path has several. */
const partsOf = (text: string, isPath: boolean): string[] =>
  isPath ? text.split(/(?<=\s)\/(?=\s)/).map((part) => part.trim()) : [text];

type Looked = Pick<Reference, 'table' | 'by'>;

/** A path of places is made from the root down. */
async function make(
  manager: EntityManager,
  reference: Looked,
  texts: string[],
  matches: Map<string, StoredRow[]>,
): Promise<void> {
  const isTree = reference.table === 'locations';
  const missing = texts
    .filter((text) => !matches.has(text))
    .map((text) => ({ text, parts: partsOf(text, isTree) }))
    .filter(({ parts }) => !parts.some(problemOf) && parts.length <= MAX_LEVELS);
  // So that nobody waits for the tree where nothing is made; who deletes a place of this file meanwhile may be faster.
  if (missing.length === 0) return;
  if (isTree) await manager.query(`SELECT pg_advisory_xact_lock(hashtext('locations'))`);
  for (const { text, parts } of missing) {
    // Another spelling of it may have been made a moment ago.
    let [known] = (await find(manager, reference, [text])).get(text) ?? [];
    for (const at of known ? [] : parts.keys()) {
      const path = parts.slice(0, at + 1).join(' / ');
      const parent: number | undefined = known?.id;
      [known] =
        (at < parts.length - 1 ? (await find(manager, reference, [path])).get(path) : undefined) ?? [];
      known ??= await insert(manager, reference.table, parts[at]!, parent);
    }
    matches.set(text, [known!]);
  }
}

async function insert(
  manager: EntityManager,
  table: string,
  name: string,
  parent?: number,
): Promise<StoredRow> {
  const [columns, values] = parent ? ['name, parent_id', '$1, $2'] : ['name', '$1'];
  const [row] = await manager.query<StoredRow[]>(
    `INSERT INTO ${table} (${columns}) VALUES (${values}) RETURNING id`,
    parent ? [name, parent] : [name],
  );
  return row!;
}

async function find(
  manager: EntityManager,
  { table, by }: Looked,
  texts: string[],
): Promise<Map<string, StoredRow[]>> {
  // PostgreSQL holds no NUL, and does not take one to look for.
  const possible = texts.filter((text) => !text.includes('\0'));
  const found = new Map<string, StoredRow[]>();
  for (const [at, field] of by.entries()) {
    const open = possible.filter((text) => !found.has(text));
    if (open.length === 0) break;
    const keys = await (field === 'code' ? codeKeys : nameKeys)(manager, open);
    const earlier = by.slice(0, at);
    // Held until the end, so that nobody deletes meanwhile what a line refers to.
    const rows = groupBy(
      await findRows(manager, table, earlier, field, [...new Set(keys)], 'KEY SHARE'),
      'key',
    );
    for (const [index, text] of open.entries()) {
      const matches = rows.get(keys[index]!);
      if (matches) found.set(text, ownKey(earlier, matches));
    }
  }
  return found;
}

/** Of several rows of one name, those without a reference come first: their name is what tells them apart. */
export function ownKey(earlier: string[], rows: StoredRow[]): StoredRow[] {
  const own = rows.filter((row) => earlier.every((field) => row[field] === null));
  return own.length > 0 ? own : rows;
}

/** Names and references as the database compares them. */
export const nameKeys = keysBy('name_key');

/** Codes as the database compares them: its idea of upper case counts, not that of JavaScript. */
export const codeKeys = keysBy('code_key');

function keysBy(key: 'name_key' | 'code_key') {
  return async (manager: EntityManager, texts: string[]): Promise<string[]> => {
    if (texts.length === 0) return [];
    const rows = await manager.query<{ key: string }[]>(
      `SELECT ${key}(text) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (text, n) ORDER BY n`,
      [texts],
    );
    return rows.map((row) => row.key);
  };
}

/** Whose rows are deleted by a mark; purchases are found in another way. */
const MARKED = /^(articles|suppliers|locations|brands|categories|amortization_categories)$/;

/** The live rows that have one of these keys by a field, locked for this transaction. */
export function findRows(
  manager: EntityManager,
  table: string,
  columns: string[],
  field: string,
  keys: string[],
  lock: 'KEY SHARE' | 'NO KEY UPDATE',
): Promise<StoredRow[]> {
  const live = MARKED.test(table) ? 'AND deleted_at IS NULL' : '';
  const key = field === 'code' ? 'code_key' : `name_key(${field})`;
  return manager.query(
    `SELECT ${['id', ...columns].join(', ')}, ${key} AS key FROM ${table}
     WHERE ${key} = ANY ($1) ${live} FOR ${lock}`,
    [keys],
  );
}

export function groupBy<Row extends StoredRow>(rows: Row[], field: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(row[field]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
