import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import { Pipeline } from '../src/database/pipeline.js';
import { Sql } from '../src/database/sql.js';
import { databaseOptions, pipelineOptions } from '../src/database/options.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { stopClock } from './support/clock.js';
import { factories } from './support/factories.js';
import { closeGate } from './support/gate.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

let t: TestApp;
let codes: string[];
let article: number;
let session: number;

beforeAll(async () => {
  t = await startApp({ DATABASE_POOL: '2' });
  article = (await factories(t).article()).id;
  const bought = await t.database.query<{ code: string }>(
    `INSERT INTO purchases (code, article_id, purchase_date)
     SELECT 'held-' || n, $1, '2026-01-15' FROM generate_series(1, 80) n RETURNING code`,
    [article],
  );
  codes = bought.map(({ code }) => code);
});
beforeEach(async () => {
  const opened = await t.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-11-20' });
  session = opened.body.id;
});
afterEach(async () => {
  jest.useRealTimers();
  await rollbackAll();
});
afterAll(() => t.stop());

const scan = (code: string) => t.as('operator').post(`/inventories/${session}/scan`, { code });
const scanned = async () => (await t.as('viewer').get(`/inventories/${session}`)).body.progress.scanned;

/** With all three: a look-up, the first scan of the session, and its progress. */
async function expectServed(phone: Client): Promise<void> {
  const path = `/inventories/${session}`;
  const answers = [
    await phone.get(`/scan/${codes[0]}`),
    await phone.post(`${path}/scan`, { code: codes[0] }),
    await phone.get(path),
  ];
  expect(statuses(answers)).toEqual([200, 200, 200]);
  expect([answers[1]!.body.status, answers[2]!.body.progress.scanned]).toEqual(['success', 1]);
}

describe('reliability-24-hot-paths: look-ups, scans and progress', () => {
  it('do not wait for a connection of a full pool', async () => {
    stopClock('performance'); // so that the token stays remembered
    const phone = t.as('operator');
    expect((await phone.get('/me')).status).toBe(200);
    const holder = await begin(t.database);
    await holder.query(`SELECT FROM articles WHERE id = $1 FOR UPDATE`, [article]);
    const rename = () => t.as('manager').patch(`/articles/${article}`, { name: 'Écran 24"' });
    const changes = [rename(), rename(), rename()];
    await blocked(t.database, 2);
    await expectServed(phone);
    await holder.end('ROLLBACK');
    expect(statuses(await Promise.all(changes))).toEqual([200, 200, 200]);
  });

  it('let pass those behind a scan that waits for a lock, which is recorded in the end', async () => {
    const [first, ...others] = codes as [string, ...string[]];
    const holder = await begin(t.database);
    await holder.query(
      `SELECT FROM inventory_lines WHERE inventory_id = $1
       AND purchase_id = (SELECT id FROM purchases WHERE code = $2) FOR UPDATE`,
      [session, first],
    );
    let isAnswered = false;
    const held = scan(first).finally(() => (isAnswered = true));
    await blocked(t.database);
    const answers = await Promise.all(others.map(scan));
    expect(answers.map(({ body }) => body.status)).toEqual(others.map(() => 'success'));
    expect(isAnswered).toBe(false);
    await holder.end('ROLLBACK');
    expect((await held).body.status).toBe('success');
    expect(await scanned()).toBe(codes.length);
  });

  it('go on behind one that could not even be prepared', async () => {
    const other = await startApp({ DATABASE_POOL: '20' }, t.database); // where none of them was asked before
    const phone = other.as('viewer');
    expect((await phone.get('/me')).status).toBe(200); // remembers the token
    const holder = await begin(t.database);
    await holder.query(`LOCK TABLE purchases`);
    const looks = codes.slice(0, 12).map((code) => phone.get(`/scan/${code}`));
    await blocked(t.database, 12);
    await holder.end('ROLLBACK');
    const answers = await Promise.all(looks);
    expect(statuses(answers)).toEqual(looks.map(() => 200));
    expect(answers.map(({ body }) => body.code)).toEqual(codes.slice(0, 12));
    await other.stop();
  });

  it('go on where a statement that failed late has one prepared a second time', async () => {
    const sql = t.app.get(Sql);
    const statement = { name: 'counted', text: 'SELECT count(*)::int FROM purchases' };
    const all = <Answer>(ask: () => Promise<Answer>) => Promise.allSettled(numbers(4).map(ask)); // each on a line
    const sleep = (seconds: number) => all(() => sql.pipeline.query({ text: `SELECT pg_sleep(${seconds})` }));
    const holder = await begin(t.database);
    await holder.query(`LOCK TABLE purchases`);
    const unprepared = all(() => sql.pipeline.query(statement));
    const between = sleep(0.3);
    const unfound = all(() => sql.pipeline.query(statement));
    const after = sleep(0.2);
    await unprepared;
    await holder.end('ROLLBACK');
    const taken = await Promise.all(numbers(2).map(() => sql.pool.connect())); // or they would go by the pool at once
    const once = all(() => sql.hot(statement));
    await unfound;
    const twice = all(() => sql.hot(statement));
    await after;
    taken.forEach((client) => client.release());
    const right = numbers(4).map(() => ({ status: 'fulfilled', value: [{ count: codes.length }] }));
    expect(await once).toEqual(right);
    expect(await twice).toEqual(right);
    await between;
  });

  it('go by the pool while answers are late, and come back', async () => {
    const other = await startApp({}, t.database);
    const { pipeline } = other.app.get(Sql);
    const look = (code: string) => other.as('viewer').get(`/scan/${code}`);
    await Promise.all(codes.slice(0, 20).map(look));
    const ask = () => pipeline.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
    const backends = (await Promise.all(numbers(4).map(ask))).flat(); // each of another connection
    const signal = (name: NodeJS.Signals) => backends.forEach(({ pid }) => process.kill(pid, name));
    signal('SIGSTOP');
    let late: Promise<Answer>[];
    try {
      late = codes.slice(0, 8).map(look);
      // Not all of them where the machine is busy: the last may have come when the first were late already.
      await until(() => Promise.resolve(pipeline.waiting > 0 && pipeline.delay > 100));
      const { waiting } = pipeline;
      expect(statuses(await Promise.all(codes.slice(0, 8).map(look)))).toEqual(late.map(() => 200));
      expect(pipeline.waiting).toBe(waiting);
    } finally {
      signal('SIGCONT');
    }
    expect(statuses(await Promise.all(late))).toEqual(late.map(() => 200));
    expect(pipeline.delay).toBe(0);
    await other.stop();
  });

  it('wait for late answers where the pool opens no connection in time', async () => {
    const sql = t.app.get(Sql);
    const { pool, pipeline } = sql;
    const openGate = await closeGate(t);
    const connect = jest.spyOn(pool, 'connect').mockImplementation(() => {
      throw new Error('timeout exceeded when trying to connect');
    });
    try {
      await until(() => pipeline.delay > 20);
      const late = sql.hot({ name: 'one', text: 'SELECT 1 AS one' });
      await until(() => connect.mock.calls.length > 0);
      await openGate();
      expect(await late).toEqual([{ one: 1 }]);
    } finally {
      connect.mockRestore();
    }
  });

  it('leave others a connection of the pool while all of them wait for a lock', async () => {
    const other = await startApp({}, t.database);
    const holder = await begin(t.database);
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [session]);
    const phone = other.as('operator');
    const held = codes.slice(0, 40).map((code) => phone.post(`/inventories/${session}/scan`, { code }));
    await blocked(t.database, 8);
    await sleep(500); // until whoever waited for 100 ms has gone to the pool
    expect((await other.as('viewer').get(`/inventories/${session}/report`)).status).toBe(200);
    await holder.end('ROLLBACK');
    const told = statuses(await Promise.all(held));
    expect(await scanned()).toBe(told.filter((status) => status === 200).length);
    expect(told.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await other.stop();
  });

  it('go by the pool where they cannot have connections of their own', async () => {
    const other = await startApp({}, t.database);
    const phone = other.as('operator');
    expect((await phone.get('/me')).status).toBe(200); // the pool has one
    const server = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
    await server.connect();
    const name = new URL(t.database.url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    try {
      await expectServed(phone);
    } finally {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await server.end();
      await other.stop();
    }
  });

  it('are 503 where the server ends transactions that take long, and go on', async () => {
    const name = new URL(t.database.url).pathname.slice(1);
    const holder = await begin(t.database);
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [session]);
    await t.database.query(`ALTER DATABASE ${name} SET transaction_timeout = '300ms'`);
    const other = await startApp({}, t.database);
    try {
      const scanOne = () => other.as('operator').post(`/inventories/${session}/scan`, { code: codes[0] });
      expect((await scanOne()).status).toBe(503);
      await holder.end('ROLLBACK');
      expect((await scanOne()).body.status).toBe('success');
    } finally {
      await t.database.query(`ALTER DATABASE ${name} RESET transaction_timeout`);
      await other.stop();
    }
  });

  it('are 503 within 5 s, however many statements wait for a while each, and send again what came of it', async () => {
    const path = `/inventories/${session}`;
    const hold = async (lock: string) => {
      const holder = await begin(t.database);
      await holder.query(lock);
      return () => holder.end('ROLLBACK');
    };
    const first = { code: codes[0], client_id: randomUUID() };
    const phone = await t.asNewUser('slow', 'operator'); // whose token is not remembered
    const releases = [await hold(`LOCK TABLE access_tokens`), await hold(`LOCK TABLE articles`)];
    const releaseLast = await hold(
      `SELECT FROM inventory_counters WHERE inventory_id = ${session} FOR UPDATE`,
    );
    const told = phone.post(`${path}/scan`, first);
    for (const release of releases) {
      await sleep(2000);
      await release();
    }
    expect((await told).status).toBe(503); // while the last one still waits, which goes on
    await releaseLast();
    await until(async () => (await scanned()) === 1);
    expect((await phone.post(`${path}/scan`, first)).body).toMatchObject({ status: 'success' });
    expect(await scanned()).toBe(1);
  });

  it('go on when a column that they answer is given another type', async () => {
    const { pipeline, pool } = t.app.get(Sql);
    const newcomers = await Promise.all(numbers(3).map((n) => t.asNewUser(`newcomer${n}`, 'operator')));
    const ask = async (phone: Client, from: number) => {
      const me = phone.get('/me'); // asks for a token that is not remembered, by the pool
      const scans = codes.slice(from, from + 12).map(scan);
      return Promise.all([...scans, ...numbers(12).map(() => phone.get(`/inventories/${session}`)), me]);
    };
    expect(new Set(statuses(await ask(newcomers[0]!, 0)))).toEqual(new Set([200]));
    await t.database.query(`
      ALTER TABLE users ALTER COLUMN name TYPE varchar(300);
      ALTER TABLE inventories ALTER COLUMN label TYPE varchar(300) COLLATE "und-x-icu"`);
    for (const n of [1, 2])
      expect(new Set(statuses(await ask(newcomers[n]!, 12 * n)))).toEqual(new Set([200]));
    expect(await scanned()).toBe(36);
    expect([pipeline.waiting, pool.totalCount]).toEqual([0, 2]);
  });

  it('each get the answer to their own question, whatever becomes of those before', async () => {
    // As many at once as may wait for two connections of the pool; more are 503 where the machine is busy.
    for (const from of [0, 100]) {
      const asked = numbers(100).map((n) =>
        n % 3 === 0 ? 'nobody has it' : codes[(from + n) % codes.length]!,
      );
      const answers = await Promise.all(asked.map((code) => t.as('viewer').get(`/scan/${code}`)));
      const told = answers.map(({ status, body }) =>
        status === 404 ? 'nobody has it' : (body.code ?? body),
      );
      expect(told).toEqual(asked);
    }
  });
});

describe('a pipeline', () => {
  const connections = async () =>
    (await t.database.query(`SELECT FROM pg_stat_activity WHERE application_name = 'pipeline'`)).length;
  const open = (size: number) =>
    new Pipeline(
      { ...pipelineOptions({ url: t.database.url, timeout: 500 }), application_name: 'pipeline' },
      size,
      () => Infinity,
    );

  /** PostgreSQL ends them some time after the pipeline has. */
  afterEach(() => until(async () => (await connections()) === 0));

  it('answers in order of its statements, and goes on after one that fails', async () => {
    const pipeline = open(1);
    const ask = (n: number) =>
      pipeline.query<{ tenth: number }>({ text: 'SELECT 10 / $1::int AS tenth', values: [n] });
    const answers = await Promise.allSettled([1, 2, 0, 5].map(ask));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(answers[3]).toMatchObject({ value: [{ tenth: 2 }] });
    expect(await connections()).toBe(1);
    await pipeline.end();
  });

  it('gives up a connection that does not answer, with all that wait for it, and takes another', async () => {
    const pipeline = open(1);
    const [backend] = await pipeline.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
    process.kill(backend!.pid, 'SIGSTOP');
    try {
      const asked = numbers(3).map(() => pipeline.query({ text: 'SELECT 1' }));
      const answers = await Promise.allSettled(asked);
      expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
      expect(pipeline.waiting).toBe(0);
      expect(await pipeline.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
    } finally {
      process.kill(backend!.pid, 'SIGCONT');
    }
    await pipeline.end();
  });

  it('ends without waiting for a server that is frozen', async () => {
    const pipeline = open(1);
    const [backend] = await pipeline.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
    process.kill(backend!.pid, 'SIGSTOP');
    try {
      await pipeline.end();
      expect(await connections()).toBe(1);
    } finally {
      process.kill(backend!.pid, 'SIGCONT');
    }
  });

  it('closes connections that nobody has needed for a minute', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    const pipeline = open(2);
    await Promise.all(numbers(2).map(() => pipeline.query({ text: 'SELECT 1' })));
    expect(await connections()).toBe(2);
    jest.advanceTimersByTime(50_000);
    await pipeline.query({ text: 'SELECT 1' });
    jest.advanceTimersByTime(50_000);
    jest.useRealTimers();
    await until(async () => (await connections()) === 1);
    await pipeline.end();
  });
});

it('the pool keeps an idle connection for a minute, too', async () => {
  const { url } = t.database;
  const pool = new pg.Pool({
    connectionString: url,
    ...databaseOptions({ url, pool: 1, timeout: 500 }).extra,
  });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
  await pool.query('SELECT 1');
  jest.advanceTimersByTime(50_000);
  expect(pool.idleCount).toBe(1);
  jest.advanceTimersByTime(20_000);
  jest.useRealTimers();
  expect(pool.idleCount).toBe(0);
  await pool.end();
});
