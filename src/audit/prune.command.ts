import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { changing, commandActor, record } from '../database/audit.js';
import { LOCK_NOT_AVAILABLE, sqlState } from '../database/errors.js';
import { databaseOptions } from '../database/options.js';
import { migrate } from '../database/migrate.js';
import { UsageError } from '../common/command-line.js';

const DEFAULT = 'audit_entries_default';
/** Dropping waits for whoever is writing, and all others wait behind: in short turns therefore, for as long in all. */
const TURN_MS = 500;
const PAUSE_MS = 500;
const PATIENCE_MS = 120_000;

interface Partition {
  name: string;
  entries: number;
}

/** Drops the months of the audit log that need not be kept, whole and as the owner of the table. */
export async function pruneAudit(args: string[], url: string): Promise<number> {
  const { keepMonths, isDryRun } = readArgs(args);
  await migrate(url);
  const database = await new DataSource(databaseOptions({ url, pool: 1, timeout: 0 })).initialize();
  try {
    // Another one that runs at the same time waits, until this connection ends.
    await database.query(`SELECT pg_advisory_lock(hashtext('audit.prune'))`);
    const ended = await endedPartitions(database, keepMonths);
    const dropped = isDryRun ? ended : await inTurns(() => drop(database.manager, ended, keepMonths));
    for (const { name, entries } of dropped)
      console.log(`${isDryRun ? 'Would drop' : 'Dropped'} ${name}: ${entries} entries.`);
    if (dropped.length === 0) console.log('There is nothing to drop.');
    return 0;
  } finally {
    await database.destroy();
  }
}

function readArgs(args: string[]): { keepMonths: number; isDryRun: boolean } {
  try {
    const options = { 'keep-months': { type: 'string' }, 'dry-run': { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    const months = values['keep-months'] ?? '';
    if (/^\d{1,4}$/.test(months)) return { keepMonths: Number(months), isDryRun: values['dry-run'] ?? false };
  } catch {
    // an unknown option
  }
  throw new UsageError('Usage: npm run audit:prune -- --keep-months N [--dry-run]');
}

/** The partitions all of whose entries are of months before the current one and the `keepMonths` before that. */
async function endedPartitions(database: DataSource, keepMonths: number): Promise<Partition[]> {
  const [{ kept }] = await database.query<[{ kept: Date }]>(
    `SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $1)) AT TIME ZONE 'UTC' AS kept`,
    [keepMonths],
  );
  const partitions = await database.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'audit_entries'::regclass
       AND (relname < to_char($1 AT TIME ZONE 'UTC', '"audit_entries_"YYYY_MM') OR relname = $2) ORDER BY 1`,
    [kept, DEFAULT],
  );
  const ended: Partition[] = [];
  for (const { name } of partitions) {
    const [{ entries, latest }] = await database.query<[{ entries: number; latest: Date | null }]>(
      `SELECT count(*) AS entries, max(at) AS latest FROM ${name}`,
    );
    // The default partition has no month of its own: what it holds has to be old.
    if (name !== DEFAULT || (latest && latest < kept)) ended.push({ name, entries });
  }
  return ended;
}

/** Leaves an entry of its own, in the same transaction. Resolves to what was dropped. */
async function drop(manager: EntityManager, ended: Partition[], keepMonths: number): Promise<Partition[]> {
  if (ended.length === 0) return [];
  const actor = commandActor('audit:prune');
  return changing(manager, actor, async (own) => {
    await own.query(`SET LOCAL lock_timeout = ${TURN_MS}`);
    await own.query(`LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE`);
    // Whoever was writing until now may have written into the default partition: that is for another time then.
    const [now] = await own.query<[{ entries: number }]>(`SELECT count(*) AS entries FROM ${DEFAULT}`);
    const dropped = ended.filter(({ name, entries }) => name !== DEFAULT || entries === now.entries);
    if (dropped.length === 0) return [];
    for (const { name } of dropped) await own.query(`DROP TABLE ${name}`);
    if (dropped.some(({ name }) => name === DEFAULT))
      await own.query(`SELECT make_default_audit_partition()`);
    await record(own, actor, { action: 'audit.prune', details: { keep_months: keepMonths, dropped } });
    return dropped;
  });
}

async function inTurns<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
    }
  }
}
