import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagedVersion } from '../database/embedded/files.js';
import { copyFile, listTree, writeManifest } from './manifest.js';
import type { Manifest } from './manifest.js';
import { restore } from './restore.js';

const { signal } = new AbortController();
let folder: string;
let backup: string;

/** What a backup looks like, of a cluster that PostgreSQL would not know as one. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recense-backup-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  backup = join(folder, 'backup');
  const files = join(backup, 'files');
  mkdirSync(join(files, 'postgres/global'), { recursive: true });
  writeFileSync(join(files, 'postgres/PG_VERSION'), '18\n');
  writeFileSync(join(files, 'postgres/global/pg_control'), 'control');
  writeFileSync(join(files, 'postgres-password'), 'secret');
  const manifest: Manifest = {
    format: 1,
    made_at: '2026-11-16T08:00:00.000Z',
    recense: '0.1.0',
    postgresql: packagedVersion().split('.')[0]!,
    platform: `${process.platform}-${process.arch}`,
    migration: 'Auth1763600001000',
    folders: ['.', 'global', 'pg_notify'],
    files: {},
  };
  for (const path of (await listTree(files)).files) {
    manifest.files[path] = await copyFile(join(files, path), null, signal);
  }
  await writeManifest(backup, manifest);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes the manifest as somebody would who also knows how to seal it. */
function rewrite(change: (manifest: Manifest) => void): void {
  const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest;
  change(manifest);
  const text = JSON.stringify(manifest);
  writeFileSync(join(backup, 'manifest.json'), text);
  const seal = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(backup, 'manifest.sha256'), `${seal}  manifest.json\n`);
}

describe('reliability-33-restore', () => {
  it.each<[string, () => void, RegExp]>([
    [
      'one letter changed',
      () => {
        writeFileSync(join(backup, 'files/postgres/global/pg_control'), 'Control');
      },
      /is damaged: postgres\/global\/pg_control is not what was written\.$/,
    ],
    [
      'a file missing',
      () => rmSync(join(backup, 'files/postgres-password')),
      /is damaged: postgres-password is missing\.$/,
    ],
    [
      'a manifest that was edited',
      () => writeFileSync(join(backup, 'manifest.json'), '{}'),
      /is damaged: manifest\.json is not what was written\.$/,
    ],
    ['no seal', () => rmSync(join(backup, 'manifest.sha256')), /is no backup\.$/],
    [
      'another PostgreSQL',
      () => rewrite((manifest) => (manifest.postgresql = '17')),
      /^The backup is of PostgreSQL 17; this release has PostgreSQL 18\.$/,
    ],
    [
      'another kind of machine',
      () => rewrite((manifest) => (manifest.platform = 'sunos-sparc')),
      /^The backup is of sunos-sparc; this is /,
    ],
    [
      'a schema of the future',
      () => rewrite((manifest) => (manifest.migration = 'Later2999000000000')),
      /^The backup was made by a newer release: Later2999000000000 is not known to this one\.$/,
    ],
    [
      'a format of the future',
      () => rewrite((manifest) => (manifest.format = 2)),
      /was made by a newer release\.$/,
    ],
    [
      'a folder elsewhere',
      () => rewrite((manifest) => manifest.folders.push('../../elsewhere')),
      /is no backup: \.\.\/\.\.\/elsewhere leads out of it\.$/,
    ],
    [
      'a file elsewhere',
      () => rewrite((manifest) => (manifest.files['../manifest.json'] = { size: 0, sha256: '' })),
      /is damaged: \.\.\/manifest\.json is missing\.$/,
    ],
  ])('restore refuses %s, and touches nothing', async (_, change, message) => {
    change();
    await expect(restore(join(folder, 'new/data'), backup, signal)).rejects.toThrow(message);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it('refuses a link in the place of a file', async () => {
    rmSync(join(backup, 'files/postgres-password'));
    symlinkSync('/etc/passwd', join(backup, 'files/postgres-password'));
    await expect(restore(join(folder, 'new'), backup, signal)).rejects.toThrow(
      'is neither a file nor a folder',
    );
  });

  it('touches nothing in a folder that is not empty', async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    await expect(restore(dataDir, backup, signal)).rejects.toThrow('is not empty: it holds notes.txt');
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  });

  it('takes the root of a new disk for empty', async () => {
    const dataDir = join(folder, 'mount');
    mkdirSync(join(dataDir, 'lost+found'), { recursive: true });
    await restore(dataDir, backup, signal);
    expect(readdirSync(dataDir).sort()).toEqual(['lost+found', 'postgres', 'postgres-password']);
  });

  it('ends where no folder can be made', async () => {
    await expect(restore('/proc/recense/data', backup, signal)).rejects.toThrow(/mkdir '\/proc/);
  });

  it('puts everything in its place, empty folders too', async () => {
    const dataDir = join(folder, 'new/data');
    await restore(dataDir, backup, signal);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password']);
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['PG_VERSION', 'global', 'pg_notify']);
    expect(readFileSync(join(dataDir, 'postgres/global/pg_control'), 'utf8')).toBe('control');
  });
});
