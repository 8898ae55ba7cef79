import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { openEmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import type { EmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';
import { Address } from './support/address.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { ask } from './support/database.js';
import { factories } from './support/factories.js';
import { RunningProcess, until } from './support/process.js';

let folder: string;
let server: EmbeddedServer;
let address: Address;
let t: TestApp;
let phone: Client;
let manager: Client;
let codes: string[];
let session: number;

const open = () =>
  openEmbeddedServer(folder, 'service', { settings: { fsync: 'off' }, onCrash: () => undefined });

/** On a connection of its own, past the service's address, which writes whatever the database's default is. */
const query = <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
  ask<Row>({ url: server.url, options: '-c default_transaction_read_only=off' }, text, values);

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'recense-test-failover-'));
  fs.chmodSync(folder, 0o755); // where root runs the tests, PostgreSQL's account must be able to enter
  server = await open();
  await migrate(server.url);
  address = await Address.of(server.url);
  const settings = { DATABASE_MAX_AGE_S: '2' };
  t = await startApp(settings, { url: address.url, query, drop: () => Promise.resolve() });
  [phone, manager] = [t.as('operator'), t.as('manager')];
  const bought = await Promise.all(Array.from({ length: 3 }, () => factories(t).purchase()));
  codes = bought.map(({ code }) => code as string);
  session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-20' })).body.id;
});

afterAll(async () => {
  await t.stop();
  address.close();
  await server.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const scan = (code: string) => phone.post(`/inventories/${session}/scan`, { code });
const change = () => manager.post('/articles', { name: 'Écran' });
const status = async (asked: Promise<Answer>) => (await asked).status;
const connections = () =>
  query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'recense' AND backend_type = 'client backend'`,
  );
const terminateAll = () =>
  query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recense'`);

describe('reliability-40-read-only-sessions: connections that were made while the database only read', () => {
  it('are closed with the change that they refuse, and those after them write', async () => {
    const name = new URL(server.url).pathname.slice(1);
    await query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await terminateAll();
    await until(async () => (await status(scan(codes[0]!))) === 503 && (await status(change())) === 503);
    await query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    // Nobody ends them from outside, and each fails once at most.
    const answers: Answer[] = [];
    for (let n = 0; n < 20; n++) answers.push(await scan(codes[0]!), await change());
    expect(new Set(answers.map((answer) => answer.status))).not.toContain(500);
    expect(answers.slice(-10).map((answer) => answer.status)).toEqual(Array(5).fill([200, 201]).flat());
    expect((await scan(codes[0]!)).body.status).toBe('warning');
  });
});

describe('reliability-40-connection-age: connections', () => {
  it('are replaced when they are of age, and nobody notices', async () => {
    const before = (await connections()).map(({ pid }) => pid);
    let left = before;
    await until(async () => {
      expect(await Promise.all([scan(codes[1]!), change()].map(status))).toEqual([200, 201]);
      const now = new Set((await connections()).map(({ pid }) => pid));
      left = left.filter((pid) => now.has(pid));
      return left.length === 0;
    });
    expect(before.length).toBeGreaterThan(1);
  });
});

describe('reliability-22-first-words: connections that end with the very words that open them', () => {
  it('fail those who wait for them with 503, and the next requests work', async () => {
    await terminateAll();
    await address.endAtOnce(terminateAll);
    for (let round = 0; round < 3; round++) {
      const asked = [scan(codes[0]!), change(), phone.get('/articles'), phone.get(`/inventories/${session}`)];
      expect(new Set(await Promise.all(asked.map(status)))).toEqual(new Set([503]));
    }
    await address.endAtOnce();
    // Each of them has ended all that there were, some of which the service only hears of.
    await until(async () => (await status(scan(codes[0]!))) === 200 && (await status(change())) === 201);
  });
});

describe('reliability-40-standby: a server that was the primary, and comes back as a standby', () => {
  it('is not asked for anything, as healthy as it looks; once it is the primary again, all goes on', async () => {
    await server.stop();
    const cluster = join(folder, 'postgres');
    fs.writeFileSync(join(cluster, 'standby.signal'), '');
    const { uid, gid } = fs.statSync(join(cluster, 'PG_VERSION'));
    fs.chownSync(join(cluster, 'standby.signal'), uid, gid);
    server = await open();
    address.leadTo(server.url);
    expect(await query(`SELECT pg_is_in_recovery() AS standby`)).toEqual([{ standby: true }]);

    const asked = () => [scan(codes[2]!), phone.get(`/scan/${codes[2]}`), phone.get('/articles'), change()];
    for (let n = 0; n < 5; n++) {
      const answers = await Promise.all(asked());
      expect(answers.map((answer) => answer.status)).toEqual([503, 503, 503, 503]);
      expect(answers.map(({ headers }) => headers.get('retry-after'))).not.toContain(null);
    }
    expect(await status(t.anonymous.get('//health/ready'))).toBe(503);
    expect(await status(t.anonymous.get('//health/live'))).toBe(200);
    await until(async () => (await connections()).length === 0);

    const another = new RunningProcess('main', [], { DATABASE_URL: server.url });
    expect(await another.ended).toBe(1);
    expect(another.errors.trim()).toBe('Cannot use the database (DATABASE_URL): The database is a standby.');

    await query(`SELECT pg_promote()`);
    await until(async () => (await status(t.anonymous.get('//health/ready'))) === 200);
    expect(await Promise.all(asked().map(status))).toEqual([200, 200, 200, 201]);
  });
});
