import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  processesOn,
  RunningProcess,
  runCommand,
  stopAll,
  temporaryFolder,
  until,
} from './support/process.js';

/** Of the demo organisation, below the folder of a backup or of the data. */
const PAPER = /^(files\/)?files\/[0-9a-f]{2}\/[0-9a-f]{64}$/;
const tree = (path: string): string[] => readdirSync(path, { recursive: true, encoding: 'utf8' });

describe('reliability-33-backup-and-restore', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const env = { DATA_DIR: at('data') };

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it('backup leaves a running service alone', async () => {
    const service = new RunningProcess('main', [], env);
    await service.url();
    expect(await runCommand(['backup', at('backup')], env)).toEqual({
      code: 1,
      output: '',
      errors: `The data directory ${at('data')} is in use by a running service (process ${service.child.pid}).\n`,
    });
    await service.signal('SIGKILL'); // and leaves PostgreSQL behind
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('backup interrupted by %s leaves nothing', async (signal) => {
    const backup = new RunningProcess('cli', ['backup', at('backup')], env);
    await until(() => readdirSync(folder.path).some((name) => name.startsWith('backup.unfinished-')));
    expect(await backup.signal(signal)).toBe(signal === 'SIGINT' ? 130 : 143);
    expect([backup.output, backup.errors]).toEqual(['', '']);
    expect(readdirSync(folder.path)).toEqual(['data']);
    expect(existsSync(at('data/lock'))).toBe(false);
    expect(processesOn(folder.path)).toEqual([]);
  });

  it('backup of a crashed database recovers it first, and is for its owner alone', async () => {
    const service = new RunningProcess('main', [], env);
    await service.url();
    await service.signal('SIGKILL');
    for (const pid of processesOn(folder.path)) process.kill(Number(pid), 'SIGKILL');
    const { code, output, errors } = await runCommand(['backup', at('backup')], env);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^Backed up \d+ files, \d+\.\d MB, with the schema of \w+\d{13}, to \/.*\.\n$/);

    const paths = tree(at('backup'));
    expect(paths).toEqual(expect.arrayContaining(['files/demo-password', 'files/postgres-password']));
    expect(paths.filter((path) => PAPER.test(path))).toHaveLength(4);
    expect(paths.filter((path) => /lock|\.log|postmaster\.pid/.test(path))).toEqual([]);
    for (const path of [...paths, '.']) {
      const stat = statSync(join(at('backup'), path));
      expect([path, stat.mode & 0o777]).toEqual([path, stat.isDirectory() ? 0o700 : 0o600]);
    }
    const { files } = JSON.parse(readFileSync(at('backup/manifest.json'), 'utf8'));
    for (const [path, { sha256 }] of Object.entries<{ sha256: string }>(files)) {
      const content = readFileSync(join(at('backup/files'), path));
      expect([path, createHash('sha256').update(content).digest('hex')]).toEqual([path, sha256]);
    }
  });

  it('backup overwrites nothing', async () => {
    const before = readFileSync(at('backup/manifest.json'), 'utf8');
    // By a path from where npm was called, too.
    for (const name of [at('backup'), 'backup']) {
      const { code, errors } = await runCommand(['backup', name], { ...env, INIT_CWD: folder.path });
      expect([code, errors]).toEqual([1, `${at('backup')} is there already.\n`]);
    }
    expect(readFileSync(at('backup/manifest.json'), 'utf8')).toBe(before);
  });

  it.each([
    [['backup'], {}, 'Usage: npm run backup -- FOLDER'],
    [['restore', 'a', 'b'], {}, 'Usage: npm run restore -- FOLDER'],
    [['backup', at('x')], { DATA_DIR: at('none') }, `DATA_DIR ${at('none')} holds no database.`],
    [['backup', at('no/x')], {}, /^ENOENT: no such file or directory, [^\n]*$/],
    ...['data/x', 'data/postgres/x'].map<[string[], object, string]>((inside) => [
      ['backup', at(inside)],
      {},
      'A backup cannot be in DATA_DIR itself: name a folder outside it.',
    ]),
    [
      ['backup', at('x')],
      { DATABASE_URL: 'postgres://a:hunter2@b/c' },
      /^DATABASE_URL is set: use pg_dump (?!.*hunter2).*$/,
    ],
    [
      ['restore', at('backup')],
      { DATABASE_URL: 'postgres://a:hunter2@b/c' },
      /^DATABASE_URL is set: use pg_restore (?!.*hunter2).*$/,
    ],
    [['restore', at('backup')], {}, `DATA_DIR ${at('data')} is not empty: it holds demo-password.`],
    [['restore', 'data'], { DATA_DIR: at('new'), INIT_CWD: folder.path }, `${at('data')} is no backup.`],
  ])('%j with %j ends with one line and code 1', async (args, settings: Record<string, string>, message) => {
    const { code, output, errors } = await runCommand(args, { ...env, ...settings });
    expect([code, output, errors.trim()]).toEqual([
      1,
      '',
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
    expect(readdirSync(folder.path).sort()).toEqual(['backup', 'data']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('restore interrupted by %s leaves nothing', async (signal) => {
    const restore = new RunningProcess('cli', ['restore', at('backup')], { DATA_DIR: at('new/data') });
    await until(
      () =>
        existsSync(at('new/data')) &&
        readdirSync(at('new/data')).some((name) => name.startsWith('unfinished')),
    );
    expect(await restore.signal(signal)).toBe(signal === 'SIGINT' ? 130 : 143);
    expect([restore.output, restore.errors]).toEqual(['', '']);
    expect(existsSync(at('new'))).toBe(false);
  });

  it('restore works on a copy that has lost its empty folders, into an empty folder', async () => {
    const folders = tree(at('backup')).filter((path) => statSync(at(`backup/${path}`)).isDirectory());
    const empty = folders.filter((path) => readdirSync(at(`backup/${path}`)).length === 0);
    expect(empty).toContain('files/postgres/pg_notify');
    for (const path of empty) rmdirSync(at(`backup/${path}`));
    mkdirSync(at('new'));
    const restored = { DATA_DIR: at('new') };
    expect(await runCommand(['restore', at('backup')], restored)).toMatchObject({ code: 0, errors: '' });
    const papers = (folder: string) =>
      tree(at(folder))
        .filter((path) => PAPER.test(path))
        .sort();
    expect(papers('new')).toEqual(papers('data'));
    expect(await runCommand(['migrate'], restored)).toEqual({
      code: 0,
      output: 'The database is up to date.\n',
      errors: '',
    });
  });
});
