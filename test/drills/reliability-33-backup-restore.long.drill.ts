import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedServer } from '../../src/database/embedded/embedded-postgres.js';
import { freePort } from '../../src/database/embedded/free-port.js';
import { Client } from '../support/client.js';
import { fingerprint } from '../support/fingerprint.js';
import { RunningProcess, runCommand, stopAll, temporaryFolder, until } from '../support/process.js';
import { report, seconds } from './support/report.js';

const DRILL = 'reliability-33-backup-restore';
const LIMIT = 120_000;
/** Of an operator's own PostgreSQL. */
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];

/** Works on the service as people do: what is in the backup is more than what the demo begins with. */
async function work(url: string, credentials: object): Promise<Client> {
  const { body } = await new Client(url).post('/login', credentials);
  const client = new Client(url, body.token as string);
  const supplier = (await client.post('/suppliers', { name: 'Gréement du Raz' })).body;
  const article = (await client.post('/articles', { name: 'Aussière 24 mm' })).body;
  const session = (await client.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body;
  for (let n = 0; n < 20; n++) {
    const purchase = { article_id: article.id, supplier_id: supplier.id, purchase_date: '2026-10-15' };
    const { code } = (await client.post('/purchases', purchase)).body;
    const { body: scan } = await client.post(`/inventories/${session.id}/scan`, { code });
    expect(scan.status).toBe('success');
  }
  expect(
    (await client.delete(`/suppliers/${(await client.post('/suppliers', { name: 'X' })).body.id}`)).status,
  ).toBe(200);
  return client;
}

/** The restored service knows the users, their tokens and what they saw. */
async function check(url: string, before: Client, credentials: object): Promise<void> {
  expect((await new Client(url).post('/login', credentials)).status).toBe(200);
  const after = new Client(url, before.token);
  expect((await after.get('/me')).status).toBe(200);
  expect((await after.get('/suppliers?search=gr%C3%A9ement')).body.meta.total).toBe(1);
  const next = (await after.post('/suppliers', { name: 'Y' })).body.id;
  expect(next).toBeGreaterThan(
    (await after.get('/suppliers?search=gr%C3%A9ement')).body.data[0].id as number,
  );
}

/** What a database has, for the report. */
function sum(print: Record<string, string>): string {
  const tables = Object.entries(print).filter(([name]) => name.startsWith('table '));
  const rows = tables.reduce((total, [, figures]) => total + Number.parseInt(figures), 0);
  return `${tables.length} tables with ${rows} rows and ${Object.keys(print).length - tables.length} sequences`;
}

describe(DRILL, () => {
  const folder = temporaryFolder();
  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it(
    'npm run backup, npm run restore: an empty DATA_DIR becomes the one that was lost',
    async () => {
      const [lost, restored] = [join(folder.path, 'lost'), join(folder.path, 'restored')];
      const look = async (dataDir: string) => {
        const server = await openEmbeddedServer(dataDir, 'command');
        return fingerprint(server.url).finally(() => server.stop());
      };
      const service = new RunningProcess('main', [], { DATA_DIR: lost });
      const credentials = JSON.parse((await service.says(/-d '(\{.*\})'/))[1]!) as object;
      const client = await work(await service.url(), credentials);
      expect(await service.signal('SIGTERM')).toBe(0);
      const before = await look(lost);

      const began = Date.now();
      const backup = join(folder.path, 'backup');
      expect(await runCommand(['backup', backup], { DATA_DIR: lost })).toMatchObject({ code: 0, errors: '' });
      expect(await runCommand(['restore', backup], { DATA_DIR: restored })).toMatchObject({
        code: 0,
        errors: '',
      });
      const took = seconds(Date.now() - began);

      expect(await look(restored)).toEqual(before);
      const again = new RunningProcess('main', [], { DATA_DIR: restored });
      expect(JSON.parse((await again.says(/-d '(\{.*\})'/))[1]!)).toEqual(credentials);
      await check(await again.url(), client, credentials);
      expect(await again.signal('SIGTERM')).toBe(0);
      report(DRILL, `npm run backup and restore: ${sum(before)} the same after ${took}`);
    },
    LIMIT,
  );

  it(
    'pg_dump, pg_restore: an empty cluster becomes what DATABASE_URL named',
    async () => {
      const programs = installedPrograms();
      const [lost, restored] = [
        await startCluster(programs, folder.path),
        await startCluster(programs, folder.path),
      ];
      try {
        const service = new RunningProcess('main', [], { DATABASE_URL: lost.url });
        const url = await service.url();
        const credentials = { login: 'ada', password: 'seven gulls in flight' };
        const who = ['--email', 'ada@example.org', '--login', 'ada', '--name', 'Ada', '--role', 'admin'];
        const created = await runCommand(
          ['user:create', ...who, '--password-stdin'],
          { DATABASE_URL: lost.url },
          credentials.password,
        );
        expect(created).toMatchObject({ code: 0, errors: '' });
        const client = await work(url, credentials);
        expect(await service.signal('SIGTERM')).toBe(0);
        const before = await fingerprint(lost.url);

        const began = Date.now();
        const dump = join(folder.path, 'recense.dump');
        execFileSync(join(programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, lost.url]);
        execFileSync(join(programs, 'pg_restore'), [
          '--exit-on-error',
          '--single-transaction',
          '--no-owner',
          `--dbname=${restored.url}`,
          dump,
        ]);
        const took = seconds(Date.now() - began);

        expect(await fingerprint(restored.url)).toEqual(before);
        const again = new RunningProcess('main', [], { DATABASE_URL: restored.url });
        await check(await again.url(), client, credentials);
        expect(await again.signal('SIGTERM')).toBe(0);
        report(DRILL, `pg_dump and pg_restore of ${lost.version}: ${sum(before)} the same after ${took}`);
      } finally {
        await Promise.all([lost.stop(), restored.stop()]);
      }
    },
    LIMIT,
  );
});

/** The folder of a PostgreSQL of the system that the service supports, with client programs of the same version. */
function installedPrograms(): string {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).filter((name) => Number(name) >= 15) : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(base, version, 'bin'));
  const found = folders.find((bin) => PROGRAMS.every((program) => existsSync(join(bin, program))));
  if (!found) throw new Error(`No PostgreSQL 15 or newer in ${base}: apt-get install postgresql`);
  return found;
}

/** An operator's own PostgreSQL, with an empty database. */
async function startCluster(programs: string, folder: string) {
  const port = await freePort();
  const data = join(folder, `cluster-${port}`);
  mkdirSync(data, { mode: 0o700 });
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (account.uid) chownSync(data, account.uid, account.gid);
  const options = { ...account, cwd: data, stdio: 'ignore' } as const;
  const args = ['--auth=trust', '--username=recense', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), ['-D', data, ...args], options);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, 'fsync=off'];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    options,
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = () => (server.kill('SIGINT'), ended);

  const url = (database: string) => `postgres://recense@127.0.0.1:${port}/${database}`;
  let version = '';
  await until(async () => {
    const client = new pg.Client({ connectionString: url('postgres') });
    try {
      await client.connect();
      await client.query('CREATE DATABASE recense');
      version = (await client.query<{ server_version: string }>('SHOW server_version')).rows[0]!
        .server_version;
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  });
  return { url: url('recense'), version: `PostgreSQL ${version.split(' ')[0]}`, stop };
}
