import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { lockDataDir } from '../database/embedded/embedded-postgres.js';
import {
  choosePlace,
  giveTo,
  makeFolder,
  packagedVersion,
  putInPlace,
  workFolder,
} from '../database/embedded/files.js';
import { migrations } from '../database/migrations.js';
import { FOLDER, syncFolder } from '../files/folder.js';
import { SECRETS } from './backup.js';
import { BackupError, copyFile, FILES, readManifest, verifyFiles } from './manifest.js';
import type { Manifest } from './manifest.js';

/** Puts a backup into an empty or absent `dataDir`, after it has read all of it; all of it or nothing. */
export async function restore(dataDir: string, backup: string, signal: AbortSignal): Promise<Manifest> {
  const manifest = readManifest(backup);
  requireReadable(manifest);
  requireEmpty(dataDir);
  await verifyFiles(backup, manifest, signal);

  const made = makeFolder(dataDir);
  const folder = fs.realpathSync(dataDir);
  const release = await lockDataDir(folder);
  let isDone = false;
  try {
    requireEmpty(folder); // now that nobody else can begin
    await putBack(folder, join(backup, FILES), manifest, signal);
    isDone = true;
    return manifest;
  } finally {
    release();
    if (made !== undefined && !isDone) removeEmpty(folder, fs.realpathSync(made));
  }
}

function requireReadable({ postgresql, platform, migration }: Manifest): void {
  const ours = packagedVersion().split('.')[0];
  if (postgresql !== ours)
    throw new BackupError(`The backup is of PostgreSQL ${postgresql}; this release has PostgreSQL ${ours}.`);
  const here = `${process.platform}-${process.arch}`;
  if (platform !== here) throw new BackupError(`The backup is of ${platform}; this is ${here}.`);
  if (migration !== null && !migrations.some(({ name }) => name === migration))
    throw new BackupError(`The backup was made by a newer release: ${migration} is not known to this one.`);
}

/** What is in the way of nothing: the lock of who asks, and what each new disk has at its root. */
const IGNORED = ['lock', 'lost+found'];

function requireEmpty(dataDir: string): void {
  if (!fs.existsSync(dataDir)) return;
  const names = fs.readdirSync(dataDir).filter((name) => !IGNORED.includes(name));
  if (names.length > 0) throw new BackupError(`DATA_DIR ${dataDir} is not empty: it holds ${names[0]}.`);
}

function removeEmpty(folder: string, upTo: string): void {
  if (fs.readdirSync(folder).length > 0) return; // somebody else's by now
  fs.rmdirSync(folder);
  if (folder !== upTo) removeEmpty(dirname(folder), upTo);
}

/** The cluster comes into being last, under its name at once. */
async function putBack(dataDir: string, files: string, manifest: Manifest, signal: AbortSignal) {
  const place = choosePlace(dataDir);
  const work = workFolder(place);
  try {
    for (const path of manifest.folders) fs.mkdirSync(join(work, path), { mode: 0o700 });
    for (const path of Object.keys(manifest.files)) {
      const inCluster = /^postgres\/(.*)/.exec(path)?.[1];
      const target = inCluster === undefined ? join(dataDir, path) : join(work, inCluster);
      if (path.startsWith(`${FOLDER}/`)) fs.mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      await copyFile(join(files, path), target, signal);
    }
    for (const path of manifest.folders) await syncFolder(join(work, path));
    for (const path of foldersOf(dataDir, manifest)) await syncFolder(path);
    if (place.account) giveTo(place.account, work);
    putInPlace(dataDir, place.cluster, work);
  } catch (error) {
    for (const path of [work, ...[...SECRETS, FOLDER].map((name) => join(dataDir, name))]) {
      fs.rmSync(path, { recursive: true, force: true });
    }
    throw error;
  }
  await syncFolder(dirname(place.cluster));
  await syncFolder(dataDir);
}

/** Those of photos and papers. */
const foldersOf = (dataDir: string, { files }: Manifest): Set<string> =>
  new Set(
    Object.keys(files)
      .filter((path) => path.startsWith(`${FOLDER}/`))
      .flatMap((path) => [dirname(join(dataDir, path)), join(dataDir, FOLDER)]),
  );
