import type { EntityManager, QueryRunner } from 'typeorm';
import { actAs, record } from '../database/audit.js';
import { LOCK_NOT_AVAILABLE, sqlState } from '../database/errors.js';
import { todayIn } from '../common/dates.js';
import type { Actor } from '../database/audit.js';
import type { Env } from '../config/env.js';
import { Articles } from './articles.js';
import { checkHeader, checkLines, fieldsOf, planOf } from './check.js';
import type { Plan } from './check.js';
import type { Source } from './encoding.js';
import { FirstLines } from './first-lines.js';
import type { Line } from './kind.js';
import { kinds } from './kinds.js';
import { beginning } from './lines.js';
import type { LineError } from './lines.js';
import { columnsOf, namesOf } from './names.js';
import type { Column } from './names.js';
import { OwnColumns } from './own-columns.js';
import { openTable } from './open.js';
import type { ImportOptions } from './options.js';
import { MADE, namesIn, presetOf } from './presets.js';
import { References } from './references.js';
import { survey } from './survey.js';
import { textOf } from './table.js';
import type { Row, Table } from './table.js';
import { Staging } from './write.js';
import type { Counts } from './write.js';

/** For other imports, and then for those who write the same rows. */
const TURN_TIMEOUT = '9min';
const LOCK_TIMEOUT = '60s';

/** What somebody asks for. */
export interface ImportTask {
  /** The word for what is imported. */
  kind: string;
  /** The name of the file, for the audit log. */
  name: string;
  source: Source;
  options: ImportOptions;
}

/** A file that was read once: how it is to be understood, or what is wrong with it as a whole. */
export interface Prepared extends ImportTask {
  table: Table;
  columns: Column[];
  /** Those of fields of one's own that there may be. */
  own: OwnColumns;
  /** None where there are errors. */
  plan?: Plan;
  errors: LineError[];
  /** How many rows there are below the header. */
  rows: number;
}

/** Told of how far an import is. */
export interface Watcher {
  checked: (rows: number) => void;
  written: (counts: Counts) => void;
  /** What is wrong with some lines, and the rows among them that can be read. */
  refused: (errors: LineError[], rows: Row[]) => void | Promise<void>;
}

/**
 * Reads the file once, from its header to its last row.
 * @param manager of the transaction in which it is written then
 * @throws ForeignFileError
 */
export async function prepare(task: ImportTask, manager: EntityManager): Promise<Prepared> {
  const kind = kinds[task.kind]!;
  const own = await OwnColumns.of(manager, kind);
  const names = { ...namesIn(task.kind, task.options), ...own.names };
  const fields = fieldsOf(kind, own);
  const table = await openTable(task.source, task.options, namesOf(task.kind, fields, names));
  const columns = columnsIn(table.header.cells, task, fields, names);
  const prepared = { ...task, table, columns, own, rows: 0 };
  if (table.errors.length > 0) return { ...prepared, errors: table.errors };
  const errors = checkHeader(kind, columns, table.header, task.options);
  const found = await survey(table, columns, own.columns, task.options);
  const plan = planOf(kind, own, columns, found, task.options);
  return { ...prepared, plan, errors: [...errors, ...found.errors], rows: found.rows };
}

/**
 * What the columns mean. Where one of them names the article alone, the others that would say more of it are told as left
 * out, since they are: its name always, and the rest where no article is made. Other programs have none such.
 */
function columnsIn(header: string[], task: ImportTask, fields: string[], names: Record<string, string[]>) {
  const without = (unread: string[]) =>
    columnsOf(
      header,
      task.kind,
      fields.filter((field) => !unread.includes(field)),
      names,
    );
  const preset = presetOf(task.options);
  const columns = without(preset?.columns.article_name ? ['article'] : []);
  if (!columns.some(({ field }) => field === 'article')) return columns;
  const rest = ['article_reference', ...Object.keys(kinds[task.kind]!.lookups ?? {})];
  return without(['article_name', ...(preset ? [] : rest)]);
}

/**
 * Checks and writes all lines, in a transaction that the caller has begun and ends; undefined where some were refused.
 * @throws DomainError validation-failed, stale where another writer was faster; NoTurnError
 */
export async function writeAll(
  runner: QueryRunner,
  { kind: name, name: file, table, plan, options }: Prepared,
  { actor, env, watcher }: { actor: Actor; env: Env; watcher: Watcher },
): Promise<Counts | undefined> {
  const { kind, fields, columns } = plan!;
  await runner.query(`SELECT ${actAs('$1')}`, [JSON.stringify(actor)]);
  await takeTurn(runner);
  const { manager } = runner;
  await plan!.own.hold(manager, kind, fields);
  const firstLines = await FirstLines.begin(manager);
  const isPreset = presetOf(options) !== undefined;
  const references = new References(manager, kind, columns, isPreset ? MADE : []);
  const named = new Articles(manager, columns, isPreset);
  const articles = kind.lookups && named.isNamed ? named : undefined;
  const staging = await Staging.begin(manager, kind, fields);
  const today = todayIn(env.TIME_ZONE);
  let staged = Promise.resolve();
  let refusals = 0;
  let checked = 0;
  const refuse = async (errors: LineError[], rows: Row[]): Promise<void> => {
    if (errors.length === 0) return;
    refusals += errors.length;
    await watcher.refused(errors, rows);
  };
  for await (const { rows, errors } of ahead(table.batches())) {
    const lines = await checkLines(manager, plan!, rows, { firstLines, references, articles, today });
    await staged;
    await refuse(errors, []);
    await refuse(...wrongLines(lines, rows, columns));
    watcher.checked((checked += rows.length));
    if (refusals > 0) continue;
    staged = staging.add(lines);
    staged.catch(() => undefined); // whoever waits for it is told
  }
  await staged;
  if (refusals > 0) return undefined;
  const found = await kind.complete?.(manager, { firstLines, fields, env, options });
  if (found && found.size > 0) {
    // Told with the lines as they came, which are read once more.
    for await (const { rows } of table.batches()) {
      const wrong = rows.filter(({ line }) => found.has(line));
      const lines = wrong.map(({ line }) => ({ number: line, errors: found.get(line)! }));
      await refuse(...wrongLines(lines, wrong, columns));
    }
    return undefined;
  }
  const counts = await staging.write(watcher.written);
  const { inserted: added, ...others } = counts;
  await record(runner, actor, { action: 'import', details: { kind: name, file, added, ...others } });
  return counts;
}

/** Another import has gone on for too long. */
export class NoTurnError extends Error {}

/** Of the database, where others were faster: serialization failure, deadlock, lock timeout. */
export const OVERTAKEN = /^(40001|40P01|55P03)$/;

/**
 * One import at a time: nothing else keeps two of them from making the same article, whose keys are not unique.
 * @throws NoTurnError
 */
async function takeTurn(runner: QueryRunner): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = '${TURN_TIMEOUT}'`);
  try {
    await runner.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
  } catch (error) {
    throw sqlState(error) === LOCK_NOT_AVAILABLE ? new NoTurnError() : error;
  }
  await runner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
}

/**
 * Once it is committed, has PostgreSQL look at what came: it does so by itself a minute later, and until then connections
 * go on with plans that were made for a few rows. Of 100 000 purchases they read each for a page: 40 ms rather than 1.
 */
export const gatherStatistics = (runner: QueryRunner, { plan }: Prepared): Promise<unknown> =>
  runner.query(`ANALYZE ${plan!.kind.table}`).catch(() => undefined);

/** Reads on while PostgreSQL works on what was read before. */
async function* ahead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  next.catch(() => undefined); // whoever comes for it is told
  for (let item = await next; !item.done; item = await next) {
    next = items.next();
    next.catch(() => undefined);
    yield item.value;
  }
}

/** The errors in the order of the columns, under the names that the file has for them, and the rows that have some. */
function wrongLines(
  lines: Pick<Line, 'number' | 'errors'>[],
  rows: Row[],
  columns: Column[],
): [LineError[], Row[]] {
  const errors: LineError[] = [];
  const wrong: Row[] = [];
  for (const [index, { number, errors: found }] of lines.entries()) {
    const fields = Object.keys(found);
    if (fields.length === 0) continue;
    const row = rows[index]!;
    wrong.push(row);
    const place = (name: string): number => columns.findIndex(({ field }) => field === name);
    for (const field of fields.sort((one, other) => place(one) - place(other))) {
      const at = place(field);
      const [column, value] =
        at < 0 ? [field] : [columns[at]!.name, textOf(row.cells[at])].map((text) => beginning(text));
      for (const message of found[field]!)
        errors.push({ line: number, field: column!, message, ...(value !== undefined && { value }) });
    }
  }
  return [errors, wrong];
}
