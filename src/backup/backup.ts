import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { lockDataDir } from '../database/embedded/embedded-postgres.js';
import { clusterLink, hasCluster, isAtRest } from '../database/embedded/files.js';
import { connect, startServer } from '../database/embedded/server.js';
import { version } from '../config/version.js';
import { FOLDER, UNFINISHED, syncFolder } from '../files/folder.js';
import { BackupError, copyFile, FILES, listTree, writeManifest } from './manifest.js';
import type { Manifest } from './manifest.js';

/** What DATA_DIR holds beside the cluster that somebody would miss. */
export const SECRETS = ['postgres-password', 'demo-password'];

/** Copies the embedded database of `dataDir`, while nobody runs it, to a new folder `target`; all of it or nothing. */
export async function backUp(dataDir: string, target: string, signal: AbortSignal): Promise<Manifest> {
  if (!hasCluster(dataDir)) throw new BackupError(`DATA_DIR ${dataDir} holds no database.`);
  const folder = fs.realpathSync(dataDir);
  if (fs.existsSync(target)) throw new BackupError(`${target} is there already.`);
  requireOutside(fs.realpathSync(dirname(target)), [folder, fs.realpathSync(clusterLink(folder))]);
  const release = await lockDataDir(folder);
  const work = `${target}.unfinished-${randomUUID()}`;
  try {
    const migration = await settle(folder, signal);
    fs.mkdirSync(work, { mode: 0o700 });
    const manifest = await copy(folder, work, migration, signal);
    fs.renameSync(work, target); // which fails where something has come into being there
    await syncFolder(dirname(target));
    return manifest;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
    release();
  }
}

/** What is copied must not hold the copy, which would be lost with it, and be part of the next one. */
function requireOutside(parent: string, copied: string[]): void {
  const isInside = copied.some((folder) => !relative(folder, parent).startsWith('..'));
  if (isInside) throw new BackupError('A backup cannot be in DATA_DIR itself: name a folder outside it.');
}

/** Has PostgreSQL recover from a crash, if there was one, and end cleanly; resolves to the last migration. */
async function settle(dataDir: string, signal: AbortSignal): Promise<string | null> {
  const server = await startServer(dataDir, {}, signal);
  let migration: string | null;
  try {
    migration = await lastMigration(server.url);
  } finally {
    await server.stop();
  }
  signal.throwIfAborted();
  if (!isAtRest(dataDir))
    throw new BackupError(`PostgreSQL did not end cleanly, see ${dataDir}/postgres.log.`);
  return migration;
}

async function lastMigration(url: string): Promise<string | null> {
  const client = await connect(url);
  try {
    const table = await client.query<{ name: string | null }>(`SELECT to_regclass('migrations') AS name`);
    if (!table.rows[0]?.name) return null;
    const last = await client.query<{ name: string }>(`SELECT name FROM migrations ORDER BY id DESC LIMIT 1`);
    return last.rows[0]?.name ?? null;
  } finally {
    await client.end();
  }
}

async function copy(
  dataDir: string,
  work: string,
  migration: string | null,
  signal: AbortSignal,
): Promise<Manifest> {
  const cluster = clusterLink(dataDir);
  const { folders, files } = await listTree(cluster);
  const manifest: Manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    recense: version,
    postgresql: fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim(),
    platform: `${process.platform}-${process.arch}`,
    migration,
    folders,
    files: {},
  };
  fs.mkdirSync(join(work, FILES), { mode: 0o700 });
  for (const path of folders) fs.mkdirSync(join(work, FILES, 'postgres', path), { mode: 0o700 });
  const secrets = SECRETS.filter((name) => fs.existsSync(join(dataDir, name)));
  const papers = await listPapers(dataDir);
  for (const path of papers.folders) fs.mkdirSync(join(work, FILES, path), { mode: 0o700 });
  for (const path of [...files.map((name) => `postgres/${name}`), ...secrets, ...papers.files]) {
    manifest.files[path] = await copyFile(join(dataDir, path), join(work, FILES, path), signal);
  }
  for (const path of [...folders.map((name) => join('postgres', name)), ...papers.folders])
    await syncFolder(join(work, FILES, path));
  await syncFolder(join(work, FILES));
  await writeManifest(work, manifest);
  await syncFolder(work);
  return manifest;
}

/** Photos and papers, by paths in DATA_DIR; none where there are no such, or where they lie elsewhere. */
async function listPapers(dataDir: string): Promise<{ folders: string[]; files: string[] }> {
  const root = join(dataDir, FOLDER);
  if (!fs.existsSync(root)) return { folders: [], files: [] };
  const { folders, files } = await listTree(root);
  const own = (names: string[]) =>
    names.filter((name) => name.split('/')[0] !== UNFINISHED).map((name) => posix.join(FOLDER, name));
  return { folders: own(folders), files: own(files) };
}
