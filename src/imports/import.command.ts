import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import type { EntityManager, QueryRunner } from 'typeorm';
import { commandActor } from '../database/audit.js';
import { sqlState } from '../database/errors.js';
import { DomainError } from '../common/errors.js';
import { UsageError, givenPath } from '../common/command-line.js';
import { isCalendarDate } from '../common/dates.js';
import { render } from '../common/messages.js';
import { databaseOptions } from '../database/options.js';
import type { Env } from '../config/env.js';
import { migrate } from '../database/migrate.js';
import { fieldsOf } from './check.js';
import { delimiterNamed } from '../contract/delimiter.js';
import { ENCODINGS } from './encoding.js';
import { NoTurnError, OVERTAKEN, gatherStatistics, prepare, writeAll } from './importer.js';
import type { ImportTask, Prepared } from './importer.js';
import { kinds } from './kinds.js';
import { DATES, DECIMALS, FORMATS, MODES } from './options.js';
import type { ImportOptions } from './options.js';
import { ProgressLine } from './progress-line.js';
import { Report, onOneLine } from './report.js';
import { ForeignFileError } from './table.js';
import type { Counts } from './write.js';

/** Writes the lines of a file, all of them or none; resolves to the exit code. */
export async function importFile(args: string[], url: string, env: Env): Promise<number> {
  const { path, ...task } = readArgs(args);
  await migrate(url);
  // Without the service's short time limits: a large file may take a minute, and nobody waits for an answer.
  const database = await new DataSource(databaseOptions({ url, pool: 2, timeout: 0 })).initialize();
  const runner = database.createQueryRunner();
  try {
    await runner.startTransaction();
    return await write(runner, await read(path, task, runner.manager), env);
  } catch (error) {
    return printOvertaken(error);
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
    await database.destroy();
  }
}

/** In the transaction that the file was read in. */
async function write(runner: QueryRunner, prepared: Prepared, env: Env): Promise<number> {
  const report = new Report();
  report.add(prepared.errors);
  if (!report.isClean)
    return printErrors(
      report,
      `The columns are: ${fieldsOf(kinds[prepared.kind]!, prepared.own).join(', ')}.`,
    );
  const ignored = prepared.columns.filter(
    ({ field }, at) => field === null && !prepared.plan?.noted.includes(at),
  );
  if (ignored.length > 0)
    console.error(onOneLine(`Not imported: ${ignored.map(({ name }) => name).join(', ')}.`));
  const progress = new ProgressLine();
  const watcher = {
    checked: (rows: number) => progress.tell('Checked', rows, prepared.rows),
    written: ({ inserted, updated, unchanged }: Counts) =>
      progress.tell('Written', inserted + updated + unchanged, prepared.rows),
    refused: report.add.bind(report),
  };
  try {
    const counts = await writeAll(runner, prepared, { actor: commandActor('import'), env, watcher });
    // A dry run has written everything, so that the database had its say too.
    const isKept = counts && !prepared.options.dry_run;
    await (isKept ? runner.commitTransaction() : runner.rollbackTransaction());
    if (isKept) await gatherStatistics(runner, prepared);
    progress.end();
    return counts ? printCounts(prepared, counts) : printErrors(report);
  } finally {
    progress.end();
  }
}

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  delimiter: { type: 'string' },
  encoding: { type: 'string' },
  decimal: { type: 'string' },
  dates: { type: 'string' },
  'default-purchase-date': { type: 'string' },
  mode: { type: 'string' },
  sheet: { type: 'string' },
  format: { type: 'string' },
} as const;

const USAGE = `Usage: npm run import -- <${Object.keys(kinds).join('|')}> FILE.csv|FILE.xlsx [--dry-run]
  --delimiter <,|;|tab|pipe>  --encoding <${ENCODINGS.join('|')}>  --decimal <${DECIMALS.join('|')}>
  --dates <${DATES.join('|')}>  --default-purchase-date YYYY-MM-DD  --mode <${MODES.join('|')}>  --sheet NAME
  --format <${FORMATS.join('|')}>`;

function readArgs(args: string[]): Omit<ImportTask, 'source'> & { path: string } {
  const { values, positionals } = parsed(args);
  const [kind = '', path, ...more] = positionals;
  if (!Object.hasOwn(kinds, kind) || !path || more.length > 0) throw new UsageError(USAGE);
  if (values.format && values.format !== 'recense' && kind !== 'purchases') throw new UsageError(USAGE);
  const date = values['default-purchase-date'];
  if (date !== undefined && !isCalendarDate(date)) throw new UsageError(USAGE);
  const delimiter = delimiterNamed(values.delimiter);
  if (values.delimiter !== undefined && !delimiter) throw new UsageError(USAGE);
  const options: ImportOptions = {
    ...(delimiter && { delimiter }),
    ...(values.encoding && { encoding: oneOf(ENCODINGS, values.encoding) }),
    ...(values.decimal && { decimal: oneOf(DECIMALS, values.decimal) }),
    ...(values.dates && { dates: oneOf(DATES, values.dates) }),
    ...(values.mode && { mode: oneOf(MODES, values.mode) }),
    ...(values.format && { format: oneOf(FORMATS, values.format) }),
    ...(values.sheet && { sheet: values.sheet }),
    ...(date && { default_purchase_date: date }),
    dry_run: values['dry-run'] ?? false,
  };
  return { kind, path, name: basename(path), options };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE); // an unknown option
  }
}

function oneOf<Word extends string>(words: readonly Word[], given: string): Word {
  const word = words.find((known) => known === given);
  if (word === undefined) throw new UsageError(USAGE);
  return word;
}

async function read(
  path: string,
  task: Omit<ImportTask, 'source'>,
  manager: EntityManager,
): Promise<Prepared> {
  try {
    return await prepare({ ...task, source: () => bytesOf(path) }, manager);
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error;
    throw new UsageError(onOneLine(`${path} ${render(error.message)}.`));
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const given = givenPath(path);
  try {
    // A pipe has nothing any more for who reads it again, or waits for ever.
    if (!(await stat(given)).isFile()) throw new Error('is no file, and it is read more than once');
    yield* createReadStream(given) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

function printErrors(report: Report, hint?: string): number {
  report.print(hint);
  return 1;
}

function printCounts({ kind, options }: Pick<ImportTask, 'kind' | 'options'>, counts: Counts): number {
  const { inserted, updated, unchanged } = counts;
  const total = inserted + updated + unchanged;
  const parts = `${inserted} new, ${updated} updated${unchanged > 0 ? `, ${unchanged} unchanged` : ''}`;
  console.log(
    options.dry_run
      ? `Checked ${total} ${kind}: would be ${parts}; nothing was written.`
      : `Imported ${total} ${kind}: ${parts}.`,
  );
  return 0;
}

/** Another writer was faster, after the lines had been checked, or has not ended. */
function printOvertaken(error: unknown): number {
  if (error instanceof NoTurnError) {
    console.error(
      'Another import has gone on for too long; nothing was written. Please run the import again later.',
    );
    return 1;
  }
  if (error instanceof DomainError) {
    for (const [field, messages] of Object.entries(error.errors ?? {})) {
      console.error(`${field}: ${messages.map((message) => render(message)).join(', ')}`);
    }
  } else if (OVERTAKEN.test(sqlState(error) ?? '')) {
    console.error(`database: ${(error as Error).message}`);
  } else throw error;
  console.error(
    'Someone else wrote the same rows meanwhile; nothing was written. Please run the import again.',
  );
  return 1;
}
