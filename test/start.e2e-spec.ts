import { jest } from '@jest/globals';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './support/client.js';
import { loadEnv } from '../src/config/env.js';
import type { Env } from '../src/config/env.js';
import { rotateLog } from '../src/database/embedded/files.js';
import { START_LIMIT } from '../src/database/embedded/server.js';
import { loadDemo } from '../src/demo/load.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import {
  expectEnd,
  NPM,
  RunningProcess,
  runCommand,
  stopAll,
  temporaryFolder,
  until,
} from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { PDF } from './support/upload.js';

jest.setTimeout(120_000); // what starts many processes takes long on a busy machine

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function login(url: string, credentials: object): Promise<Client> {
  const { body } = await new Client(url).post('/login', credentials);
  return new Client(url, body.token);
}

it('the log of PostgreSQL is rotated while it is written', async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'postgres.log');
  const log = openSync(path, 'a');
  const lines = `first\n${'x'.repeat(11_000_000)}\nlast\n`;
  writeSync(log, lines);
  expect(await rotateLog(folder.path)).toBe(path);
  writeSync(log, 'next\n');
  await rotateLog(folder.path);
  closeSync(log);
  expect(readFileSync(path, 'utf8')).toBe('next\n');
  expect(readFileSync(`${path}.1`, 'utf8') === lines).toBe(true);
  folder.remove();
});

describe('On an embedded database', () => {
  const folder = temporaryFolder();
  const temporary = temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const postmaster = () =>
    Number(readFileSync(join(folder.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  let service: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    service = new RunningProcess('main', [], env);
    const [, credentials] = await service.says(/-d '(\{.*\})'/);
    client = await login(await service.url(), JSON.parse(credentials!));
  });
  afterAll(async () => {
    await stopAll();
    folder.remove();
    temporary.remove();
  });

  it('the printed curl line logs in, as an administrator, and the password is for its owner alone', async () => {
    expect((await client.get('/me')).body.roles).toEqual(['admin']);
    const file = join(folder.path, 'demo-password');
    expect(service.output).toContain(readFileSync(file, 'utf8'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['brands', 40],
    ['categories', 25],
    ['amortization-categories', 12],
    ['suppliers', 60],
    ['locations', 145],
    ['articles', 300],
    ['purchases', 2500],
    ['equipments', 120],
    ['tiers', 80],
    ['inventories', 5],
    ['users', 7],
  ])('the demo organisation has its %s: %i', async (list, total) => {
    expect((await client.get(`/${list}`)).body.meta.total).toBe(total);
  });

  it('the demo has two closed sessions, an open one about two thirds done, and two of a scope', async () => {
    const sessions = (await client.get('/inventories?sort=year')).body.data;
    expect(sessions.map((session: { status: string }) => session.status)).toEqual([
      'closed',
      'closed',
      'open',
      'closed',
      'open',
    ]);
    expect(sessions[2].progress).toEqual({ scanned: 1663, total: 2488, percentage: 66.84 });
    for (const { id, progress } of sessions) {
      expect((await client.get(`/inventories/${id}/scans`)).body.meta.total).toBe(progress.scanned);
      expect((await client.get(`/inventories/${id}/unscanned`)).body.meta.total).toBe(
        progress.total - progress.scanned,
      );
    }
  });

  it('a second start on the same data says so and ends', async () => {
    const second = new RunningProcess('main', [], env);
    expect(await second.ended).toBe(1);
    expect(second.errors.trim()).toMatch(
      /^The data directory .* is in use by a running service \(process \d+\)\.$/,
    );
  });

  it('commands work beside the running service', async () => {
    const args = ['user:password', '--login', 'ylegoff', '--password-stdin'];
    expect(await runCommand(args, env, 'un phare dans la brume\n')).toMatchObject({ code: 0, errors: '' });
    const phone = await login(await service.url(), { login: 'ylegoff', password: 'un phare dans la brume' });
    expect((await phone.get('/me')).body.name).toBe('Yann Le Goff');
  });

  it('PostgreSQL killed: the service stays, answers 503 and recovers by itself', async () => {
    process.kill(postmaster(), 'SIGKILL');
    // However slow the disk that PostgreSQL recovers on, for as long as the service gives it to start.
    await until(async () => {
      await sleep(50);
      const { status } = await client.get('/brands');
      expect([200, 503]).toContain(status);
      return status === 200;
    }, START_LIMIT);
  });

  it('the service killed: the next start works on the same data', async () => {
    const orphan = postmaster();
    await service.signal('SIGKILL');
    service = new RunningProcess('main', [], { ...env, TMPDIR: temporary.path });
    const url = await service.url();
    expect(isAlive(orphan)).toBe(false);
    expect((await new Client(url, client.token).get('/purchases')).body.meta.total).toBe(2500);
    expect(service.output).toContain(readFileSync(join(folder.path, 'demo-password'), 'utf8'));
  });

  it('the folder for what is sent is away: 503, in a form or as it is, and it is taken again', async () => {
    const send = async (path: string, type: string, bytes: string) =>
      (await client.send('POST', path, bytes, { 'content-type': type })).status;
    const form = (text: string) =>
      `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--x--\r\n`;
    const statuses = async () => [
      await send('/imports/brands', 'text/csv', 'name\n'),
      await send('/purchases/1/attachments', 'multipart/form-data; boundary=x', form(PDF.toString())),
    ];
    client = new Client(await service.url(), client.token);
    temporary.remove();
    expect(await statuses()).toEqual([503, 503]);
    mkdirSync(temporary.path);
    expect(await statuses()).toEqual([202, 201]);
  });

  it('Ctrl-C ends the service and its PostgreSQL', async () => {
    const pid = postmaster();
    expect(await service.signal('SIGINT')).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(service.errors).toBe('');
  });

  it('npm killed: the service that it started ends, and its PostgreSQL', async () => {
    const npm = new RunningProcess('npm', ['start'], { ...NPM, ...env });
    await npm.url();
    await npm.signal('SIGKILL');
    await expectEnd(folder.path);
  });

  it('commands work on the data while no service runs, also where a power failure emptied a file', async () => {
    writeFileSync(join(folder.path, 'postgres/postmaster.pid'), '');
    const result = await runCommand(['migrate'], env);
    expect(result).toEqual({ code: 0, output: 'The database is up to date.\n', errors: '' });
  });

  it.each([
    ['postgres-password', 'another one', /^DATA_DIR: its postgres-password is not that of its database\.\n$/],
    [
      'postgres/PG_VERSION',
      '17\n',
      /^DATA_DIR: PostgreSQL exited with 1:\n.*\n.*initialized by PostgreSQL version 17/,
    ],
  ])('a file %s of another database ends the start, and says so', async (name, content, message) => {
    const path = join(folder.path, name);
    const before = readFileSync(path);
    writeFileSync(path, content);
    const { code, errors } = await runCommand(['migrate'], env);
    writeFileSync(path, before);
    expect([code, errors]).toEqual([1, expect.stringMatching(message)]);
    expect(errors).not.toMatch(/\n +at /);
  });
});

describe('The demo organisation', () => {
  let database: TestDatabase;
  let folder: ReturnType<typeof temporaryFolder>;
  let env: Env;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = temporaryFolder();
    env = loadEnv({ DATA_DIR: folder.path });
  });
  afterEach(async () => {
    await rollbackAll();
    await database.drop();
    folder.remove();
  });

  it('is the same after a load that was broken off', async () => {
    const other = await begin(database);
    await other.query(`LOCK TABLE webhooks IN SHARE MODE`);
    const brokenOff = expect(loadDemo(database.url, env)).rejects.toThrow('terminating connection');
    await database.query(`SELECT pg_terminate_backend($1)`, await blocked(database));
    await brokenOff;
    await other.end('ROLLBACK');
    expect(await loadDemo(database.url, env)).toMatchObject({ login: 'demo' });
    for (const [table, id] of [
      ['users', 'id'],
      ['locations', 'id'],
      ['purchases', 'id'],
      ['attachments', 'id'],
      ['inventory_lines', 'scan_id'],
    ])
      expect(await database.query(`SELECT min(${id})::integer AS first FROM ${table}`)).toEqual([
        { first: 1 },
      ]);
  });

  it.each([
    ['is disabled', 'is_active = false'],
    ['has another password', `password_hash = (SELECT min(password_hash) FROM users WHERE login <> 'demo')`],
  ])('offers no login once its user %s', async (_, change) => {
    expect(await loadDemo(database.url, env)).toMatchObject({ login: 'demo' });
    expect(await loadDemo(database.url, env)).toMatchObject({ login: 'demo' });
    await database.query(`UPDATE users SET ${change} WHERE login = 'demo'`);
    expect(await loadDemo(database.url, env)).toBeNull();
  });

  it.each(['categories', 'suppliers', 'locations'])('is not loaded beside one’s own %s', async (table) => {
    await database.query(`INSERT INTO ${table} (name) VALUES ('Our own')`);
    expect(await loadDemo(database.url, env)).toBeNull();
    expect(await database.query(`SELECT FROM users`)).toEqual([]);
  });
});

describe('On a database of one’s own', () => {
  it('there is no demo and no user; user:create makes the first administrator', async () => {
    const database = await createTestDatabase('template0');
    const env = { DATABASE_URL: database.url };
    const service = new RunningProcess('main', [], env);
    const url = await service.url();
    expect(service.output).not.toContain('curl');
    expect(await database.query(`SELECT FROM users`)).toEqual([]);

    const who = ['--email', 'ada@example.org', '--login', 'ada', '--name', 'Ada', '--role', 'admin'];
    const args = ['user:create', ...who, '--password-stdin'];
    expect(await runCommand(args, env, 'x')).toMatchObject({
      code: 1,
      errors: 'password: must be at least 8 characters long\n',
    });
    expect(await runCommand(args, env, 'password1')).toMatchObject({
      code: 1,
      errors: 'password: is one of the most common passwords\n',
    });
    expect(await runCommand(args, env, 'seven gulls in flight\n')).toMatchObject({
      code: 0,
      output: 'Created user 1: ada, admin.\n',
    });
    expect(await runCommand(args, env, 'seven gulls in flight\n')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^(login|email): is used already\n$/),
    });
    const admin = await login(url, { login: 'ada@example.org', password: 'seven gulls in flight' });
    expect((await admin.get('/users')).body.data).toHaveLength(1);
    expect((await admin.get('/purchases')).body.meta.total).toBe(0);
    expect(await service.signal('SIGTERM')).toBe(0);
    await database.drop();
  });

  it('a command leaves to the service what that does by itself, with other settings perhaps', async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url };
    const who = ['--email', 'ada@example.org', '--login', 'ada', '--name', 'Ada', '--role', 'admin'];
    const run = (...args: string[]) =>
      runCommand([...args, '--password-stdin'], env, 'seven gulls in flight');
    expect(await run('user:create', ...who)).toMatchObject({ code: 0 });
    await database.query(
      `INSERT INTO inventories (year, inventory_date, opened_by, closed_at, closed_by, final_scanned, final_total)
       SELECT 2026, '2026-11-16', id, now(), id, 0, 0 FROM users`,
    );
    await database.query(
      `INSERT INTO imports (kind, format, file, dry_run, status, created_by, read, checked, inserted)
       SELECT 'brands', 'recense', 'left.csv', false, 'writing', id, 9, 9, 7 FROM users`,
    );
    expect(await run('user:password', '--login', 'ada')).toMatchObject({ code: 0 });
    expect(await database.query(`SELECT status FROM imports`)).toEqual([{ status: 'writing' }]);
    expect(await database.query(`SELECT FROM inventory_frozen`)).toEqual([]);
    await database.drop();
  });
});

describe('reliability-30-wrong-configuration: what cannot start', () => {
  afterAll(stopAll);

  it.each([
    [{ PORT: 'http' }, /^PORT [^\n]+$/],
    [{ TIME_ZONE: 'Mars' }, /^TIME_ZONE [^\n]+$/],
    [{ DATABASE_URL: 'mysql://a:hunter2@b/c' }, /^DATABASE_URL (?!.*hunter2)[^\n]+$/],
    [
      { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/c' },
      /^Cannot use the database \(DATABASE_URL\): (?!.*hunter2)[^\n]+$/,
    ],
    [{ DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:99999/c' }, /^DATABASE_URL (?!.*hunter2)[^\n]+$/],
    [{ DATABASE_URL: 'postgres://a:hunter2@[::1/c' }, /^DATABASE_URL (?!.*hunter2)[^\n]+$/],
    [{ DATABASE_URL: 'postgres://a:hunter2%@127.0.0.1:1/c' }, /^DATABASE_URL (?!.*hunter2)[^\n]+$/],
    [
      { DATABASE_URL: 'postgres://a:hunter2@nowhere.invalid/c' },
      /^Cannot use the database \(DATABASE_URL\): (?!.*hunter2)[^\n]+$/,
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/c?user=a&password=hunter2&sslrootcert=/nowhere.pem' },
      /^DATABASE_URL cannot be used: (?!.*hunter2)[^\n]+$/,
    ],
    [{ DATA_DIR: '/dev/null/data' }, /^DATA_DIR [^\n]+$/],
    [{ DATA_DIR: '/dev/null' }, /^DATA_DIR [^\n]+$/],
    [{ DATA_DIR: '/proc/x' }, /^DATA_DIR [^\n]+$/],
    [{ DATA_DIR: '/proc/x/y' }, /^DATA_DIR [^\n]+$/],
  ])('ends with one line: %j', async (env, message) => {
    const service = new RunningProcess('main', [], env);
    expect(await service.ended).toBe(1);
    expect(service.errors.trim()).toMatch(message);
  });

  it.each([
    ['a database that is not there', (url: URL) => (url.pathname = '/test_nowhere'), /does not exist/],
    [
      'a schema that is not there',
      (url: URL) => (url.search = 'options=-c%20search_path%3Dnowhere'),
      /no schema has been selected/,
    ],
    ['a user who is not there', (url: URL) => (url.username = 'nobody'), /password authentication failed/],
    ['no password', (url: URL) => (url.password = ''), /password must be a string/],
    [
      'encryption that it has not',
      (url: URL) => (url.search = 'sslmode=verify-full'),
      /does not support SSL/,
    ],
  ])('%s: one line that names DATABASE_URL, without the password', async (_, change, reason) => {
    const url = new URL(process.env.TEST_DATABASE_URL!);
    const { password } = url;
    change(url);
    const service = new RunningProcess('main', [], { DATABASE_URL: url.href });
    expect(await service.ended).toBe(1);
    expect(service.errors.trim()).toMatch(/^Cannot use the database \(DATABASE_URL\): [^\n]+$/);
    expect(service.errors).toMatch(reason);
    expect(service.errors).not.toContain(password);
  });

  it('a database that is a link to nowhere: one line that names DATA_DIR', async () => {
    const folder = temporaryFolder();
    symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'postgres'));
    const service = new RunningProcess('main', [], { DATA_DIR: folder.path });
    expect(await service.ended).toBe(1);
    expect(service.errors.trim()).toMatch(/^DATA_DIR: the database [^\n]+ is missing\.$/);
    folder.remove();
  });

  it('a host that is not there: one line that names HOST', async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, HOST: 'nowhere.invalid' };
    const service = new RunningProcess('main', [], env);
    expect(await service.ended).toBe(1);
    expect((service.output + service.errors).trim()).toMatch(
      /^Cannot listen on HOST nowhere\.invalid, PORT 0: E[A-Z_]+$/,
    );
    await database.drop();
  });

  it('a database that writes days in another way: one line that names DATABASE_URL', async () => {
    const database = await createTestDatabase();
    await database.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET datestyle = 'German'`,
    );
    const said = 'DATABASE_URL must name a database, and a role, with the DateStyle ISO';
    const service = new RunningProcess('main', [], { DATABASE_URL: database.url });
    expect([await service.ended, (service.output + service.errors).trim()]).toEqual([1, said]);
    const { code, errors } = await runCommand(['migrate'], { DATABASE_URL: database.url });
    expect([code, errors.trim()]).toEqual([1, said]);
    await database.drop();
  });

  it.each([
    ['a table of that name', `CREATE TABLE users (id integer)`, 'relation "users" already exists'],
    [
      'a function of that name',
      `CREATE FUNCTION fold(text) RETURNS text LANGUAGE sql AS 'SELECT $1'`,
      'function "fold" already exists with same argument types',
    ],
    [
      'migrations of its own',
      `CREATE TABLE migrations (id serial, migration text NOT NULL)`,
      'column "name" does not exist',
    ],
  ])('a database of another program, with %s: what is in the way', async (_, statement, reason) => {
    const database = await createTestDatabase('template0');
    await database.query(statement);
    const { code, errors } = await runCommand(['migrate'], { DATABASE_URL: database.url });
    const said = `DATABASE_URL must name a database where nothing else has the names of this service: ${reason}`;
    expect([code, errors.trim().split('\n').at(-1)]).toEqual([1, said]);
    await database.drop();
  });

  it('a database whose search_path leaves out where the extensions are', async () => {
    const database = await createTestDatabase('template0');
    await database.query(`CREATE SCHEMA app`);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=app');
    const { code, errors } = await runCommand(['migrate'], { DATABASE_URL: url.href });
    const said = 'DATABASE_URL must name a database, and a role, with public in the search_path';
    expect([code, errors.trim()]).toEqual([1, said]);
    await database.drop();
  });

  it('a database with an extension in a schema of its own: how it gets to ours', async () => {
    const database = await createTestDatabase('template0');
    await database.query(`CREATE SCHEMA extensions`);
    await database.query(`CREATE EXTENSION unaccent SCHEMA extensions`);
    const env = { DATABASE_URL: database.url };
    const { code, errors } = await runCommand(['migrate'], env);
    expect([code, errors.trim()]).toEqual([
      1,
      'DATABASE_URL names a database with the extension unaccent in the schema extensions, and it must be in public: ALTER EXTENSION unaccent SET SCHEMA public',
    ]);
    await database.query(`ALTER EXTENSION unaccent SET SCHEMA public`);
    expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
    await database.drop();
  });

  it('a port that is taken', async () => {
    const database = await createTestDatabase();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const service = new RunningProcess('main', [], { DATABASE_URL: database.url, PORT: String(port) });
    expect(await service.ended).toBe(1);
    expect(service.errors.trim()).toBe(`Cannot listen on HOST 127.0.0.1, PORT ${port}: EADDRINUSE`);
    other.close();
    await database.drop();
  });

  it.each([
    ['with bytes of another encoding', Buffer.from('p\xe9ssword-of-8859\n', 'latin1'), 'is not valid UTF-8'],
    ['of two lines', 'a good password\nand another one\n', 'must be one line'],
  ])('a password %s', async (_, input, why) => {
    const args = ['user:password', '--login', 'x', '--password-stdin'];
    const { code, errors } = await runCommand(args, { DATABASE_URL: process.env.TEST_DATABASE_URL! }, input);
    expect([code, errors]).toEqual([1, `password: ${why}\n`]);
  });

  it.each([
    [[]],
    [['frobnicate']],
    [['constructor']],
    [['migrate', 'x']],
    [['migrate:undo', '--help']],
    [['openapi', '--help']],
    [['user:create', '--login', 'x']],
    [['user:password', '--password-stdin']],
  ])('a command used wrongly: %j', async (args) => {
    const { code, errors } = await runCommand(args, { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect([code, errors]).toEqual([1, expect.stringMatching(/^(Unknown command|Usage).*\n$/)]);
  });
});
