import { UsageError, givenPath } from '../common/command-line.js';
import type { Env } from '../config/env.js';
import { backUp } from './backup.js';
import { BackupError } from './manifest.js';
import type { Manifest } from './manifest.js';
import { restore } from './restore.js';

export async function backupCommand(args: string[], env: Env, signal: AbortSignal): Promise<void> {
  const [folder] = readArgs('backup', args);
  refuseDatabaseUrl(env, 'pg_dump --format=custom --file=FILE "$DATABASE_URL"');
  const manifest = await plainly(backUp(env.DATA_DIR, folder, signal));
  console.log(`Backed up ${summary(manifest)}, to ${folder}.`);
  if (env.FILES_URL)
    console.log('Photos and papers are in the bucket of FILES_URL: see to a backup of that.');
}

export async function restoreCommand(args: string[], env: Env, signal: AbortSignal): Promise<void> {
  const [folder] = readArgs('restore', args);
  refuseDatabaseUrl(
    env,
    'pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" FILE',
  );
  const manifest = await plainly(restore(env.DATA_DIR, folder, signal));
  console.log(`Restored ${summary(manifest)}, of ${manifest.made_at}, into ${env.DATA_DIR}.`);
}

function readArgs(command: string, args: string[]): [string] {
  const [folder, ...more] = args;
  if (folder && !folder.startsWith('-') && more.length === 0) return [givenPath(folder)];
  throw new UsageError(`Usage: npm run ${command} -- FOLDER`);
}

/** A server of one's own has tools of its own, which work while it runs. */
function refuseDatabaseUrl(env: Env, instead: string): void {
  if (env.DATABASE_URL) throw new BackupError(`DATABASE_URL is set: use ${instead}`);
}

/** What the file system says, such as that the disk is full, is said without a stack. */
async function plainly<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new BackupError(message);
  });
}

function summary({ files, migration }: Manifest): string {
  const sizes = Object.values(files).map(({ size }) => size);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  return `${sizes.length} files, ${megabytes.toFixed(1)} MB, with the schema of ${migration}`;
}
