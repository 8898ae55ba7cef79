import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { actAs, commandActor, record } from '../database/audit.js';
import { sqlState } from '../database/errors.js';
import { DomainError } from '../common/errors.js';
import { UsageError, givenPath } from '../common/command-line.js';
import { render } from '../common/messages.js';
import { databaseOptions } from '../database/options.js';
import type { Env } from '../config/env.js';
import { migrate } from '../database/migrate.js';
import { checkHeader, checkLines, columns, fieldsOf } from './check.js';
import { ForeignFileError, openCsv } from './csv.js';
import type { CsvFile } from './csv.js';
import { FirstLines } from './first-lines.js';
import type { Line } from './kind.js';
import { kinds } from './kinds.js';
import type { LineError } from './lines.js';
import { References } from './references.js';
import { Report, onOneLine } from './report.js';
import { Staging } from './write.js';
import type { Counts } from './write.js';

const LOCK_TIMEOUT = '60s';
/** Serialization failure, deadlock, lock timeout. */
const OVERTAKEN = /^(40001|40P01|55P03)$/;

/** Writes the lines of a CSV file, all of them or none; resolves to the exit code. */
export async function importCsv(args: string[], url: string, env: Env): Promise<number> {
  const asked = readArgs(args);
  const { name, kind, path, isDryRun } = asked;
  const file = await open(path);
  const report = new Report();
  report.add(file.errors.length > 0 ? file.errors : checkHeader(kind, file.header));
  if (!report.isClean) return printErrors(report, `The columns are: ${columns(kind).join(', ')}.`);
  await migrate(url);
  try {
    const counts = await inTransaction(url, asked, file, env, report);
    return counts ? printCounts(name, counts, isDryRun) : printErrors(report);
  } catch (error) {
    return printOvertaken(error);
  }
}

function readArgs(args: string[]) {
  try {
    const options = { 'dry-run': { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name = '', path, ...more] = positionals;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind && path && more.length === 0) return { name, kind, path, isDryRun: values['dry-run'] ?? false };
  } catch {
    // an unknown option
  }
  throw new UsageError(`Usage: npm run import -- <${Object.keys(kinds).join('|')}> FILE.csv [--dry-run]`);
}

async function open(path: string): Promise<CsvFile> {
  try {
    return await openCsv(bytesOf(path));
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error;
    throw new UsageError(onOneLine(`${path} ${render(error.message)}.`));
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(givenPath(path)) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Without the service's short time limits: a large file may take a minute, and nobody waits for an answer. */
async function inTransaction(
  url: string,
  { name, kind, path, isDryRun }: ReturnType<typeof readArgs>,
  file: CsvFile,
  env: Env,
  report: Report,
): Promise<Counts | undefined> {
  const database = await new DataSource(databaseOptions({ url, pool: 2, timeout: 0 })).initialize();
  const runner = database.createQueryRunner();
  const actor = commandActor('import');
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await runner.query(`SELECT ${actAs('$1')}`, [JSON.stringify(actor)]);
    // One import at a time: nothing else keeps two of them from making the same article, whose keys are not unique.
    await runner.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
    const { manager } = runner;
    const firstLines = await FirstLines.begin(manager);
    const references = new References(manager, kind, file.header);
    const fields = fieldsOf(kind, file.header);
    const staging = await Staging.begin(manager, kind, fields);
    let staged = Promise.resolve();
    for await (const batch of ahead(file.batches)) {
      const lines = await checkLines(manager, kind, file, batch, { firstLines, references });
      await staged;
      report.add(batch.errors);
      report.add(lines.flatMap((line) => lineErrors(line, file)));
      if (!report.isClean) continue;
      staged = staging.add(lines);
      staged.catch(() => undefined); // whoever waits for it is told
    }
    await staged;
    if (!report.isClean) return undefined;
    const wrong = (await kind.complete?.(manager, { firstLines, fields, env, isDryRun })) ?? [];
    report.add(wrong);
    if (wrong.length > 0) return undefined;
    const counts = await staging.write();
    await record(runner, actor, {
      action: 'import',
      details: { kind: name, file: basename(path), ...counts },
    });
    // A dry run has written everything, so that the database had its say too.
    await (isDryRun ? runner.rollbackTransaction() : runner.commitTransaction());
    return counts;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
    await database.destroy();
  }
}

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

/** In the order of the columns. */
function lineErrors({ number, errors }: Line, { header }: CsvFile): LineError[] {
  const place = (field: string): number => header.cells.findIndex((cell) => cell.trim() === field);
  return Object.entries(errors)
    .sort(([one], [other]) => place(one) - place(other))
    .flatMap(([field, messages]) => messages.map((message) => ({ line: number, field, message })));
}

function printErrors(report: Report, hint?: string): number {
  report.print(hint);
  return 1;
}

function printCounts(name: string, { added, updated, unchanged }: Counts, isDryRun: boolean): number {
  const total = added + updated + unchanged;
  const parts = `${added} new, ${updated} updated${unchanged > 0 ? `, ${unchanged} unchanged` : ''}`;
  console.log(
    isDryRun
      ? `Checked ${total} ${name}: would be ${parts}; nothing was written.`
      : `Imported ${total} ${name}: ${parts}.`,
  );
  return 0;
}

/** Another writer was faster, after the lines had been checked. */
function printOvertaken(error: unknown): number {
  if (error instanceof DomainError && error.errors) {
    for (const [field, messages] of Object.entries(error.errors)) {
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
