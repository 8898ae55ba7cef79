import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { open, readdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Its message says it all, in one line. */
export class BackupError extends Error {}

/** What a backup is: written last, so that a folder with a manifest is whole. */
export interface Manifest {
  format: number;
  made_at: string;
  recense: string;
  /** The major version, such as 18: another one cannot read the files. */
  postgresql: string;
  /** Such as linux-x64: PostgreSQL promises its files to be readable there only. */
  platform: string;
  /** The last one applied; null for a database without any. */
  migration: string | null;
  /** Of the cluster, also the empty ones: PostgreSQL insists on them, and many programs forget to copy them. */
  folders: string[];
  files: Record<string, { size: number; sha256: string }>;
}

/** Everything in a folder, by paths relative to it, a folder before what is in it. */
export async function listTree(root: string): Promise<{ folders: string[]; files: string[] }> {
  const list = { folders: [] as string[], files: [] as string[] };
  const add = async (path: string): Promise<void> => {
    list.folders.push(path);
    for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
      const name = posix.join(path, entry.name);
      if (entry.isDirectory()) await add(name);
      else if (entry.isFile()) list.files.push(name);
      else throw new BackupError(`${join(root, name)} is neither a file nor a folder.`);
    }
  };
  await add('.');
  return list;
}

/** Copies one file, or only reads it where there is no target. */
export async function copyFile(source: string, target: string | null, signal: AbortSignal) {
  const hash = createHash('sha256');
  let size = 0;
  const output = target === null ? null : await open(target, 'wx', 0o600);
  try {
    for await (const chunk of fs.createReadStream(source, { signal, highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
      size += (chunk as Buffer).length;
      await output?.writeFile(chunk as Buffer);
    }
    await output?.sync();
  } finally {
    await output?.close();
  }
  return { size, sha256: hash.digest('hex') };
}

export const FILES = 'files';
const MANIFEST = 'manifest.json';
/** The manifest's own checksum, as sha256sum writes and checks it. */
const SEAL = 'manifest.sha256';
const sealOf = (text: string) => `${createHash('sha256').update(text).digest('hex')}  ${MANIFEST}\n`;

export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  await writeFile(join(backup, MANIFEST), text, options);
  await writeFile(join(backup, SEAL), sealOf(text), options);
}

/** @throws BackupError where it is not as it was written, or of a release with another idea of it. */
export function readManifest(backup: string): Manifest {
  if (![MANIFEST, SEAL].every((name) => fs.existsSync(join(backup, name)))) {
    throw new BackupError(`${backup} is no backup.`);
  }
  const text = fs.readFileSync(join(backup, MANIFEST), 'utf8');
  if (fs.readFileSync(join(backup, SEAL), 'utf8') !== sealOf(text)) {
    throw new BackupError(`${backup} is damaged: ${MANIFEST} is not what was written.`);
  }
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new BackupError(`${backup} was made by a newer release.`);
  const outside = manifest.folders.find((path) => path !== '.' && posix.join('/', path) !== `/${path}`);
  if (outside !== undefined) throw new BackupError(`${backup} is no backup: ${outside} leads out of it.`);
  return manifest;
}

/** Reads every file. @throws BackupError unless each is there and as it was written. */
export async function verifyFiles(backup: string, { files }: Manifest, signal: AbortSignal): Promise<void> {
  const there = new Set((await listTree(join(backup, FILES))).files);
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    if (!there.has(path)) throw new BackupError(`${backup} is damaged: ${path} is missing.`);
    const found = await copyFile(join(backup, FILES, path), null, signal);
    if (found.size === size && found.sha256 === sha256) continue;
    throw new BackupError(`${backup} is damaged: ${path} is not what was written.`);
  }
}
