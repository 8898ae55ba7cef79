import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { QueryResultRow } from 'pg';
import { openEmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import type { EmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import { readPassword } from '../src/database/embedded/files.js';
import { migrate } from '../src/database/migrate.js';
import { sent } from '../src/database/sent.js';
import type { Sent } from '../src/database/sent.js';
import { Address } from './support/address.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { ask, createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { factories } from './support/factories.js';
import { RunningProcess, stopAll, until } from './support/process.js';

let folders: { primary: string; standby: string };
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let address: Address;
let database: TestDatabase;
/** With the replica, and without. */
let t: TestApp;
let alone: TestApp;
let phone: Client;
let manager: Client;
let session: number;
let codes: string[];

const open = (folder: string, settings: Record<string, string> = {}) =>
  openEmbeddedServer(folder, 'service', {
    settings: { fsync: 'off', ...settings },
    onCrash: () => undefined,
  });

/** Follows the primary, as a copy of it that was taken while it did not run. */
const openStandby = () => {
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=recense password=${readPassword(folders.primary)}`;
  return open(folders.standby, { primary_conninfo: source, hot_standby_feedback: 'on' });
};

beforeAll(async () => {
  const folder = (name: string) => {
    const made = fs.mkdtempSync(join(tmpdir(), `recense-test-${name}-`));
    fs.chmodSync(made, 0o755); // where root runs the tests, PostgreSQL's account must be able to enter
    return made;
  };
  folders = { primary: folder('primary'), standby: folder('standby') };
  primary = await open(folders.primary);
  await migrate(primary.url);
  await primary.stop();
  copyAtRest(folders.primary, folders.standby);
  primary = await open(folders.primary);
  standby = await openStandby();
  const follows = `SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'`;
  await until(async () => (await ask(standby, follows)).length > 0); // before that it is not read
  address = await Address.of(standby.url);

  database = {
    url: primary.url,
    query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => ask<Row>(primary, text, values),
    drop: () => Promise.resolve(),
  };
  t = await startApp({ DATABASE_REPLICA_URL: address.url }, database);
  alone = await startApp({}, database);
  [phone, manager] = [t.as('operator'), t.as('manager')];
  const bought = await Promise.all(
    Array.from({ length: 12 }, () => factories(t).purchase({ purchase_price: 100 })),
  );
  await factories(t).location({ code: 'L-1' });
  codes = bought.map(({ code }) => code as string);
  session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-20' })).body.id;
});

afterAll(async () => {
  await stopAll();
  await t.stop();
  await alone.stop();
  address.close();
  await standby.stop();
  await primary.stop();
  for (const folder of Object.values(folders)) fs.rmSync(folder, { recursive: true, force: true });
});

function copyAtRest(from: string, to: string): void {
  const cluster = join(to, 'postgres');
  fs.cpSync(from, to, { recursive: true });
  fs.rmSync(join(to, 'lock'), { force: true, recursive: true });
  fs.writeFileSync(join(cluster, 'standby.signal'), '');
  const { uid, gid } = fs.statSync(join(from, 'postgres/PG_VERSION'));
  for (const name of fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
    fs.chownSync(join(cluster, name), uid, gid);
  fs.chownSync(cluster, uid, gid);
  fs.chmodSync(cluster, 0o700);
}

const scan = async (code: string) => {
  expect((await phone.post(`/inventories/${session}/scan`, { code })).body.status).toBe('success');
};
const scanned = async () => (await manager.get(`/inventories/${session}/report`)).body.figures.scanned.count;

/** What takes long to read, and so is read on the replica. */
const LONG_READS = [
  '/inventories/{id}/report',
  '/inventories/{id}/report?format=csv',
  '/inventories/{id}/report?format=xlsx',
  '/inventories/{id}/report?format=pdf',
  '/inventories/{id}/progress?by=category',
  '/inventories/{id}/progress?by=user',
  '/inventories/{id}/pack',
  '/inventories/{id}/pack?updated_since=2026-01-01T00:00:00Z',
  '/purchases/labels?format=zpl',
  '/locations/labels?format=zpl',
  '/purchases?format=csv',
  '/amortization',
  '/amortization?format=csv',
  '/audit',
  '/audit?cursor=',
];
const read = (path: string, app = t): Promise<Answer> =>
  app.as('admin').get(path.replace('{id}', String(session)));

async function readsOn(server: 'primary' | 'replica'): Promise<number> {
  const { text } = await t.anonymous.get('//metrics');
  return Number(new RegExp(`database_long_reads_total\\{server="${server}"\\} (\\d+)`).exec(text)?.[1]);
}

/** Reads the audit log. @returns the answer, and the ports at which PostgreSQL was asked for it */
async function audited(path: string): Promise<Answer & { ports: number[] }> {
  const ports = new Set<number>();
  const hear = (message: unknown): void => {
    const { statement, client } = message as Sent;
    const text = typeof statement === 'string' ? statement : statement.text;
    if (/FROM "?audit_entries"?/.test(text)) ports.add(client.port);
  };
  subscribe(sent.name, hear);
  const answer = await read(path);
  unsubscribe(sent.name, hear);
  return Object.assign(answer, { ports: [...ports] });
}

async function lag(): Promise<string | undefined> {
  const { text } = await t.anonymous.get('//metrics');
  return /^database_replica_lag_bytes (.*)$/m.exec(text)?.[1];
}

describe('reliability-42-where: with a replica', () => {
  it('what takes long is read there, and answered as the primary would', async () => {
    await scan(codes[0]!);
    for (const path of LONG_READS) {
      const [here, there] = [await read(path), await read(path, alone)];
      expect([path, here.status, there.status]).toEqual([path, 200, 200]);
      if (!/xlsx|pdf/.test(path)) expect(masked(here.text)).toEqual(masked(there.text));
    }
    await until(async () => (await readsOn('replica')) >= LONG_READS.length);
    expect(await readsOn('primary')).toBe(0);
    expect(await lag()).toMatch(/^\d+$/);
  });

  it('what is asked with updated_since of the audit log is read where its horizon is known', async () => {
    const portOf = (url: string) => Number(new URL(url).port);
    const whole = await audited('/audit');
    expect([whole.status, whole.ports]).toEqual([200, [portOf(address.url)]]);
    const { status, ports, body } = await audited('/audit?updated_since=2026-01-01T00:00:00Z');
    expect([status, ports]).toEqual([200, [portOf(primary.url)]]);
    expect(body.meta.synced_until).toEqual(expect.any(String));
  });

  it('what was recorded before somebody asks is in the answer', async () => {
    await scan(codes[1]!);
    expect(await scanned()).toBe(2);
  });

  /** Without the instants that an answer is of. */
  const masked = (text: string) => text.replace(/"(synced_until|at)":"[^"]+"/g, '');
});

describe('reliability-42-past: a replica that lags', () => {
  afterEach(() => ask(standby, `SELECT pg_wal_replay_resume()`));

  it('is waited for while it catches up', async () => {
    const before = await readsOn('replica');
    await ask(standby, `SELECT pg_wal_replay_pause()`);
    await scan(codes[2]!);
    const answer = scanned();
    await ask(standby, `SELECT pg_wal_replay_resume()`);
    expect(await answer).toBe(3);
    await until(async () => (await readsOn('replica')) > before);
  });

  it('is not read: whoever asks is told of everything that was acknowledged, by the primary', async () => {
    const before = await readsOn('primary');
    await ask(standby, `SELECT pg_wal_replay_pause()`);
    for (const code of codes.slice(3, 6)) {
      await scan(code);
      expect(await scanned()).toBe(codes.indexOf(code) + 1);
    }
    await until(async () => (await readsOn('primary')) >= before + 3);
    expect(await lag()).toMatch(/^[1-9]\d*$/);
  });
});

describe('DATABASE_REPLICA_URL', () => {
  let other: TestDatabase;
  beforeAll(async () => {
    other = await createTestDatabase();
  });
  afterAll(async () => {
    await stopAll();
    await other.drop();
  });

  it.each([
    [
      'no standby',
      () => ({ url: primary.url, replica: primary.url }),
      'DATABASE_REPLICA_URL leads to no standby',
    ],
    [
      'a standby of another cluster',
      () => ({ url: other.url, replica: standby.url }),
      'DATABASE_REPLICA_URL leads to a standby of another cluster',
    ],
    ['nobody', () => ({ url: primary.url, replica: 'postgres://a:hunter2@127.0.0.1:1/c' }), 'ECONNREFUSED'],
  ])('that leads to %s: one line at the start tells so, and the primary is read', async (_, urls, reason) => {
    const { url, replica } = urls();
    const service = new RunningProcess('main', [], { DATABASE_URL: url, DATABASE_REPLICA_URL: replica });
    const base = await service.url();
    expect(service.output + service.errors).toContain('The replica (DATABASE_REPLICA_URL) cannot be read');
    expect(service.output + service.errors).toContain(reason);
    expect(service.output + service.errors).not.toContain('hunter2');
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
  });
});

describe('reliability-42-dead: a replica', () => {
  it('that loses its connections, is away or comes back costs nobody an error', async () => {
    await ask(
      standby,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recense'`,
    );
    for (const path of LONG_READS) expect([path, (await read(path)).status]).toEqual([path, 200]);
    await standby.stop();
    for (const path of LONG_READS) expect([path, (await read(path)).status]).toEqual([path, 200]);
    await until(async () => (await lag()) === 'Nan');
    standby = await openStandby();
    address.leadTo(standby.url);
    const before = await readsOn('replica');
    await until(async () => {
      expect((await read('/amortization')).status).toBe(200);
      return (await readsOn('replica')) > before;
    });
  });

  it.each([
    ['has no such database', { pathname: '/nowhere' }],
    ['has nothing of ours there', { pathname: '/postgres' }],
    ['does not know the password', { password: 'wrong' }],
    ['lets in a role that may read nothing', { username: 'stranger', password: 'stranger' }],
  ])('that %s costs nobody an error', async (_, parts) => {
    await ask(primary, `DROP ROLE IF EXISTS stranger`);
    await ask(primary, `CREATE ROLE stranger LOGIN PASSWORD 'stranger'`);
    const { href } = Object.assign(new URL(standby.url), parts);
    const app = await startApp({ DATABASE_REPLICA_URL: href }, database);
    for (const path of LONG_READS) expect([path, (await read(path, app)).status]).toEqual([path, 200]);
    await app.stop();
  });

  const waitFor = async (name: string) => {
    await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await ask(primary, 'SELECT pg_reload_conf()');
  };
  const untilItIsRead = async () => {
    const before = await readsOn('replica');
    await until(async () => {
      expect((await read('/amortization')).status).toBe(200);
      return (await readsOn('replica')) > before;
    });
  };

  it('that freezes while it is read costs nobody an error', async () => {
    await untilItIsRead();
    const locker = new pg.Client({ connectionString: primary.url });
    await locker.connect();
    await locker.query(`BEGIN; LOCK TABLE inventory_lines IN ACCESS EXCLUSIVE MODE`);
    await ask(primary, `SELECT pg_switch_wal()`);
    const isLocked = `SELECT FROM pg_locks WHERE relation = 'inventory_lines'::regclass AND mode = 'AccessExclusiveLock'`;
    await until(async () => (await ask(standby, isLocked)).length > 0);
    const answer = read('/inventories/{id}/report');
    const processes = `
      SELECT pid, wait_event_type = 'Lock' AS is_reading FROM pg_stat_activity WHERE application_name = 'recense'`;
    await until(async () => (await ask(standby, processes)).some(({ is_reading }) => is_reading));
    const pids = (await ask<{ pid: number }>(standby, processes)).map(({ pid }) => pid);
    const all = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
    const [postmaster] = fs
      .readFileSync(join(folders.standby, 'postgres/postmaster.pid'), 'utf8')
      .split('\n');
    pids.unshift(Number(postmaster));
    all('SIGSTOP');
    try {
      await locker.end();
      expect((await answer).status).toBe(200);
      expect((await read('/inventories/{id}/report')).status).toBe(200);
    } finally {
      all('SIGCONT');
    }
    await untilItIsRead();
  });

  it('is read while commits wait for another one that is away', async () => {
    await untilItIsRead();
    await ask(primary, `UPDATE access_tokens SET last_used_at = now() - interval '1 hour'`);
    await waitFor('away');
    const waiting = Array.from({ length: 8 }, (_, n) => manager.post('/suppliers', { name: `Away ${n}` }));
    try {
      await ask(standby, 'SELECT pg_wal_replay_pause()');
      await ask(
        primary,
        `SELECT pg_logical_emit_message(false, 'test', repeat('x', 10000)), pg_switch_wal()`,
      );
      const answers = LONG_READS.map(async (path) => [path, (await read(path)).status]);
      await sleep(300);
      await ask(standby, 'SELECT pg_wal_replay_resume()');
      expect(await Promise.all(answers)).toEqual(LONG_READS.map((path) => [path, 200]));
      const [used] = await ask(
        primary,
        `SELECT max(last_used_at) > now() - interval '1 minute' AS is_told FROM access_tokens`,
      );
      expect(used).toEqual({ is_told: true });
    } finally {
      await waitFor('');
      await Promise.all(waiting);
    }
  });

  it('is read, and codes are looked up, while the scans of all phones wait for another one that is away', async () => {
    const { id } = (await manager.post('/inventories', { year: 2027, inventory_date: '2027-11-20' })).body;
    const unknown = (n: number) => ({ code: `AWAY-${n}`, client_id: randomUUID() });
    await untilItIsRead();
    await waitFor('away');
    const waiting = codes.map((code) => phone.post(`/inventories/${id}/scan`, { code }));
    try {
      await sleep(100); // those wait where look-ups are asked, the next elsewhere
      for (let n = 0; n < 30; n++) {
        const [path, body] =
          n % 2 === 0 ? ['scan', unknown(n)] : ['scans', { scans: [unknown(n), unknown(-n)] }];
        waiting.push(phone.post(`/inventories/${id}/${path}`, body));
      }
      await sleep(300);
      const paths = [`/scan/${codes[0]}`, '/inventories/{id}', ...LONG_READS];
      const answers = await Promise.all(paths.map(async (path) => [path, (await read(path)).status]));
      expect(answers).toEqual(paths.map((path) => [path, 200]));
    } finally {
      await waitFor('');
      await Promise.all(waiting);
    }
  });

  it('of the cluster that this one was restored from is not read, whatever it has replayed', async () => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'recense-test-restored-'));
    fs.chmodSync(folder, 0o755);
    await standby.stop();
    copyAtRest(folders.standby, folder);
    const restored = await open(folder);
    await ask(restored, `SELECT pg_promote()`);
    standby = await openStandby();
    address.leadTo(standby.url);
    const { id } = (await manager.post('/suppliers', { name: 'Of the other history' })).body;
    await ask(primary, `SELECT pg_switch_wal()`);
    await ask(primary, `CREATE TABLE of_the_other_history ()`);
    await until(
      async () => (await ask(standby, `SELECT to_regclass('of_the_other_history') AS it`))[0]?.it !== null,
    );
    const service = await startApp(
      { DATABASE_REPLICA_URL: address.url },
      {
        url: restored.url,
        query: <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
          ask<Row>(restored, text, values),
        drop: () => Promise.resolve(),
      },
    );
    try {
      const { text } = await service.as('admin').get('/suppliers?format=csv');
      expect(text).not.toContain('Of the other history');
      expect((await service.as('admin').get(`/suppliers/${id}`)).status).toBe(404);
      expect((await service.anonymous.get('//metrics')).text).toContain(
        'database_long_reads_total{server="replica"} 0',
      );
    } finally {
      await service.app.close();
      await restored.stop();
      fs.rmSync(folder, { recursive: true });
    }
    await untilItIsRead();
  });

  it('that is promoted is not read any more', async () => {
    await ask(standby, `SELECT pg_promote()`);
    const before = await readsOn('primary');
    await scan(codes[6]!);
    expect(await scanned()).toBe(7);
    await until(async () => (await readsOn('primary')) > before);
  });

  it('that has a history of its own since then is not read, however far it has come there', async () => {
    await ask(standby, `SELECT pg_switch_wal()`);
    await ask(standby, `CREATE TABLE elsewhere ()`);
    await standby.stop();
    fs.writeFileSync(join(folders.standby, 'postgres/standby.signal'), '');
    standby = await openStandby();
    address.leadTo(standby.url);
    const before = await readsOn('primary');
    await sleep(1100); // for so long, it is left alone
    await scan(codes[7]!);
    expect(await scanned()).toBe(8);
    await until(async () => (await readsOn('primary')) > before);
  });
});
