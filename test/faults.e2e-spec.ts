import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { RouteTable } from '../src/http/routes.js';
import { openEmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import type { EmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import { processStart } from '../src/database/embedded/lock.js';
import { migrate } from '../src/database/migrate.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

// The server is this file's own, and as durable as in production: what was answered must survive it.
let dataDir: string;
let server: EmbeddedServer;
let t: TestApp;
let manager: Client;
let phones: Client[];
let article: number;

beforeAll(async () => {
  dataDir = fs.mkdtempSync(join(tmpdir(), 'recense-test-faults-'));
  fs.chmodSync(dataDir, 0o755); // where root runs the tests, PostgreSQL's account must be able to enter
  server = await openEmbeddedServer(dataDir, 'service', {
    settings: { max_prepared_transactions: '5' },
    onCrash: () => undefined,
  });
  await migrate(server.url);
  t = await startApp({}, { url: server.url, query, drop: () => Promise.resolve() });
  manager = t.as('manager');
  phones = await Promise.all(numbers(20).map((n) => t.asNewUser(`phone${n}`, 'operator')));
  article = (await manager.post('/articles', { name: 'Vidéoprojecteur' })).body.id;
});

afterAll(async () => {
  await t.stop();
  await server.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const phone = (n: number): Client => phones[n % phones.length]!;

/** On a connection of its own, since the server comes and goes. */
async function query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
  const client = await connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

let made = 0;
async function buyMany(count: number): Promise<string[]> {
  const from = made;
  made += count;
  const rows = await query<{ code: string }>(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, 'F' || n, '2026-01-01' FROM generate_series($2::int + 1, $3) n RETURNING code`,
    [article, from, made],
  );
  return rows.map((row) => row.code);
}

const purchase = (code: string) => ({ article_id: article, purchase_date: '2026-01-15', code });
const session = { year: 2026, inventory_date: '2026-11-16' };
const open = async (): Promise<number> => (await manager.post('/inventories', session)).body.id;
const scan = (id: number, code: string, client: Client) => client.post(`/inventories/${id}/scan`, { code });

/** The promise, unless it takes longer than any healthy service would. */
function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const tooLate = sleep(milliseconds, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${milliseconds} ms`);
  });
  return Promise.race([promise, tooLate]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await sleep(20);
}

const isUp = async () => (await query('SELECT 1')).length === 1;
const isWaiting = (statement: string) => async () =>
  (await query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`, [statement]))
    .length > 0;

/** Ends every connection that the service has now, and waits until they are gone. */
async function terminateAll(): Promise<void> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'recense'`;
  const pids = (await query<{ pid: number }>(sql)).map(({ pid }) => pid);
  await query(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, [pids]);
  await until(
    async () => (await query(`SELECT FROM pg_stat_activity WHERE pid = ANY ($1)`, [pids])).length === 0,
  );
}

/** What a request is answered whose connection is terminated; again and again, since it waits in turns. */
async function terminated(request: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  const answer = request.finally(() => (isDone = true));
  while (!(isDone as boolean)) await terminateAll();
  return answer;
}

const cluster = () => fs.realpathSync(join(dataDir, 'postgres'));
const signal = (name: NodeJS.Signals) =>
  process.kill(Number(fs.readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]), name);

const BROKEN = '\nno setting at all\n';
const configuration = () => join(cluster(), 'postgresql.auto.conf');

/** Ends the server with that signal; it starts again, on the port that the service knows, at startServer(). */
async function stopServer(name: NodeJS.Signals): Promise<void> {
  const backends = await query<{ pid: number }>(`SELECT pid FROM pg_stat_activity`);
  fs.appendFileSync(configuration(), BROKEN);
  signal(name);
  // Those of a killed server may answer one statement more.
  while (backends.some(({ pid }) => processStart(pid) !== undefined)) await sleep(20);
}

async function startServer(): Promise<void> {
  fs.writeFileSync(configuration(), fs.readFileSync(configuration(), 'utf8').replaceAll(BROKEN, ''));
  await until(isUp);
}

afterEach(startServer);

function expectUnavailable(answer: Answer): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toEqual({
    type: '/problems/unavailable',
    title: 'Temporarily unavailable',
    status: 503,
    detail: expect.any(String),
    instance: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
  });
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.status).toBe(503);
}

/** Scans until it is answered; while the database is away the answer is 503 and nothing else. */
async function scanStubbornly(id: number, code: string, client: Client): Promise<Answer> {
  for (;;) {
    const answer = await scan(id, code, client);
    if (answer.status === 200) return answer;
    expectUnavailable(answer);
    await sleep(20);
  }
}

/** Every phone takes the next code until none is left; answers what each code was answered. */
async function scanAll(id: number, codes: string[], onAnswer: (count: number) => void = () => undefined) {
  const queue = [...codes];
  const answers: Record<string, string> = {};
  const work = async (client: Client) => {
    for (let code = queue.shift(); code; code = queue.shift()) {
      answers[code] = (await scanStubbornly(id, code, client)).body.status;
      onAnswer(Object.keys(answers).length);
    }
  };
  await Promise.all(phones.map(work));
  return answers;
}

/** Figures, lines and purchases of every session agree. */
async function expectExact(): Promise<void> {
  expect(await query(WRONG_SESSIONS)).toEqual([]);
}

describe('reliability-26-read-only: a database that only reads', () => {
  it('is not ready, and writing answers 503', async () => {
    const name = new URL(server.url).pathname.slice(1);
    await query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await terminateAll();
    await until(async () => (await t.anonymous.get('//health/ready')).status === 503);
    expect((await t.anonymous.get('//health/ready')).body.checks).toEqual({
      database: false,
      migrations: false,
      running: true,
    });
    expect((await manager.get('/articles')).status).toBe(200);
    expectUnavailable(await manager.post('/articles', { name: 'Écran' }));
    const client = await connect();
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await client.end();
    await terminateAll();
    await until(async () => (await t.anonymous.get('//health/ready')).status === 200);
    expect((await manager.post('/articles', { name: 'Écran' })).status).toBe(201);
  });
});

describe('reliability-26-writable: a database that only read', () => {
  it('is ready again as soon as it takes writes, with the sessions that it has', async () => {
    const name = new URL(server.url).pathname.slice(1);
    const client = await connect();
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await terminateAll();
    await until(async () => (await t.anonymous.get('//health/ready')).status === 503);
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await client.end();
    await until(async () => (await t.anonymous.get('//health/ready')).status === 200);
    expect((await t.anonymous.get('//health/ready')).body.checks).toEqual({
      database: true,
      migrations: true,
      running: true,
    });
    let answer = await manager.post('/articles', { name: 'Souris' });
    for (; answer.status !== 201; answer = await manager.post('/articles', { name: 'Souris' }))
      expectUnavailable(answer); // by a session that only reads, which ends with that
    expect(answer.body.name).toBe('Souris');
  });
});

describe('reliability-22-refused: a database that takes no connections, as before its maintenance', () => {
  it('answers 503 until it does', async () => {
    const name = new URL(server.url).pathname.slice(1);
    const elsewhere = new pg.Client({ connectionString: server.url.replace(/[^/]+$/, 'postgres') });
    await elsewhere.connect();
    const id = await open();
    const [code] = (await buyMany(1)) as [string];
    await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await elsewhere.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [
      name,
    ]);
    await until(async () => (await t.anonymous.get('//health/ready')).status === 503);
    for (const answer of [
      await scan(id, code, phone(0)),
      await manager.get('/articles'),
      await manager.post('/articles', { name: 'Tapis' }),
      await manager.get(`/inventories/${id}/report`),
    ])
      expectUnavailable(answer);
    await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await elsewhere.end();
    await until(async () => (await t.anonymous.get('//health/ready')).status === 200);
    expect((await scanStubbornly(id, code, phone(0))).body.status).toBe('success');
  });
});

describe('reliability-27-shedding: more requests than the pool can serve', () => {
  it('are refused at once when fifty wait for each connection, but for those of operators', async () => {
    const database = { url: server.url, query, drop: () => Promise.resolve() };
    const small = await startApp({ DATABASE_POOL: '1' }, database);
    const { id } = (await manager.post('/articles', { name: 'Écran' })).body;
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM articles WHERE id = $1 FOR UPDATE`, [id]);
    const busy = small.as('manager').patch(`/articles/${id}`, { name: 'Écran plat' });
    await until(isWaiting('SELECT FROM articles%'));
    const waiting = numbers(50).map(() => small.as('viewer').get('/articles'));
    await until(async () =>
      (await small.anonymous.get('//metrics')).text.includes('database_pool_connections{state="waiting"} 50'),
    );
    expectUnavailable(await small.as('viewer').get('/articles'));
    for (const route of ['live', 'ready'])
      expect((await small.anonymous.get(`//health/${route}`)).status).toBe(200);
    await holder.end();
    expect((await busy).status).toBe(200);
    await Promise.all(waiting); // answered, or refused since they have waited for too long
    expect((await small.as('viewer').get('/articles')).status).toBe(200);
    await small.stop();
  });
});

describe('reliability-22-terminated-connections: every connection is terminated', () => {
  it('between requests: nobody notices', async () => {
    const id = await open();
    for (const round of numbers(5)) {
      const codes = await buyMany(20);
      await terminateAll();
      const answers = await Promise.all([
        ...codes.map((code, n) => scan(id, code, phone(n))),
        manager.get(`/inventories/${id}`),
        manager.post('/purchases', purchase(`between-${round}`)),
        manager.get('//health/ready'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([...codes.map(() => 200), 200, 201, 200]);
    }
    await expectExact();
  });

  it('in the middle of traffic: only 503 for what was in flight, and no scan lost or counted twice', async () => {
    const codes = await buyMany(500);
    const id = await open();
    let isDone = false;
    const others = async (): Promise<void> => {
      while (!isDone) {
        const answers = [
          await manager.post('/inventories', session),
          await manager.post('/purchases', { article_id: article, purchase_date: '2026-01-15' }),
          await manager.get(`/inventories/${id}/unscanned`),
          await manager.patch(`/inventories/${id}`, { label: 'in the storm' }),
        ];
        const opened = answers[0]!;
        if (opened.status === 201) answers.push(await manager.post(`/inventories/${opened.body.id}/close`));
        for (const answer of answers) if (answer.status > 201) expectUnavailable(answer);
      }
    };
    const storm = async (): Promise<void> => {
      while (!isDone) {
        await terminateAll();
        await sleep(50);
      }
    };
    const traffic = scanAll(id, codes).finally(() => (isDone = true));
    const all = [traffic, others(), storm()];
    await Promise.allSettled(all); // nothing may go on when one of them fails
    await Promise.all(all);
    const answers = await traffic;
    // Its success was lost on the way where it is a warning: the phone had to ask again.
    expect(Object.keys(answers).sort()).toEqual([...codes].sort());
    expect(Object.values(answers).filter((status) => status === 'error')).toEqual([]);
    expect((await manager.get(`/inventories/${id}`)).body.progress.scanned).toBe(500);
    await expectExact();
  });

  it('while a session is opened: 503, and there is no session', async () => {
    const holder = await connect();
    await holder.query(`SELECT pg_advisory_lock_shared(hashtext('inventories.open'))`);
    const before = (await manager.get('/inventories')).body.meta.total;
    const opening = manager.post('/inventories', session);
    await until(isWaiting('SELECT pg_advisory_xact_lock(%'));
    expectUnavailable(await terminated(opening));
    await holder.end();
    expect((await manager.get('/inventories')).body.meta.total).toBe(before);
    expect((await manager.post('/inventories', session)).status).toBe(201);
    await expectExact();
  });

  it.each([
    ['closed', (id: number) => manager.post(`/inventories/${id}/close`)],
    ['deleted', (id: number) => manager.delete(`/inventories/${id}`)],
  ])('while a session is %s: 503, and it goes on', async (_, end) => {
    const [code] = await buyMany(1);
    const id = await open();
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 AND shard = 15 FOR UPDATE`, [
      id,
    ]);
    const ending = end(id);
    await until(isWaiting('%inventory_counters%'));
    expectUnavailable(await terminated(ending));
    await holder.end();
    expect((await manager.get(`/inventories/${id}`)).body.status).toBe('open');
    expect((await scan(id, code!, manager)).body.status).toBe('success');
    await expectExact();
  });

  it('while a purchase is bought: 503, and neither it nor a line of it is there', async () => {
    const id = await open();
    const { total } = (await manager.get(`/inventories/${id}`)).body.progress;
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [id]);
    const buying = manager.post('/purchases', purchase('cut-1'));
    await until(isWaiting('%INSERT INTO "purchases"%'));
    await terminateAll();
    expectUnavailable(await buying);
    await holder.end();
    expect((await manager.get(`/inventories/${id}`)).body.progress.total).toBe(total);
    expect((await manager.get('/scan/cut-1')).status).toBe(404);
    expect((await manager.post('/purchases', purchase('cut-1'))).status).toBe(201);
    expect((await manager.get(`/inventories/${id}`)).body.progress.total - total).toBe(1);
    await expectExact();
  });
});

describe.each([
  ['stopped', 'SIGINT'],
  ['stopped at once', 'SIGQUIT'],
  ['killed', 'SIGKILL'],
] as const)('reliability-23-stopped-postgresql: PostgreSQL is %s', (_, how) => {
  it('every route answers 503, the process lives, and all is well when it is back', async () => {
    const codes = await buyMany(40);
    const id = await open();
    const scans = await Promise.all(codes.slice(0, 20).map((code, n) => scan(id, code, phone(n))));
    expect(scans.map(({ body }) => body.status)).toEqual(scans.map(() => 'success'));
    const stranger = await t.asNewUser(`stranger-${how}`, 'admin');
    const bodies: Record<string, object> = {
      '/api/v1/auth/token': { email: 'admin@test.example', password: 'seven gulls in flight' },
      '/api/v1/login': { login: 'admin', password: 'seven gulls in flight' },
    };
    const routes = t.app.get(RouteTable).routes.filter(({ template }) => template.startsWith('/api/'));
    expect(routes.length).toBeGreaterThan(40);

    await stopServer(how);
    const ask = async ({ method, template }: { method: string; template: string }) => {
      const path = template.replace(/\{\w+\}/g, '1');
      const body = method === 'GET' ? undefined : bodies[template];
      const answer = await within(4000, stranger.send(method, `/${path}`, body));
      expectUnavailable(answer);
      expect(answer.body.instance).toBe(path);
    };
    for (const route of routes) await ask(route); // one by one
    await Promise.all(routes.map(ask)); // and all at once
    expect((await within(4000, stranger.get('//health/live'))).status).toBe(200);
    const ready = await within(4000, stranger.get('//health/ready'));
    expect(ready.status).toBe(503);
    expect(ready.body).toEqual({
      status: 'unavailable',
      checks: { database: false, migrations: false, running: true },
    });
    expect((await within(4000, stranger.get('//openapi.json'))).status).toBe(200);
    expect((await t.anonymous.get('/inventories')).status).toBe(401);

    await startServer();
    await within(
      5000,
      until(async () => (await stranger.get('//health/ready')).status === 200),
    );
    const late = await Promise.all(codes.map((code, n) => scan(id, code, phone(n))));
    expect(late.map(({ body }) => body.status)).toEqual(
      numbers(40).map((n) => (n < 20 ? 'warning' : 'success')),
    );
    expect(late.slice(0, 20).map(({ body }) => body.first_scan.at)).toEqual(
      scans.map(({ body }) => body.scanned_at),
    );
    expect((await stranger.get(`/inventories/${id}`)).body.progress.scanned).toBe(40);
    await expectExact();
  });

  it('in the middle of scanning: what was answered is there, and nothing twice', async () => {
    const codes = await buyMany(400);
    const id = await open();
    let restart: Promise<void> | undefined;
    const answers = await scanAll(id, codes, (count) => {
      if (count === 150) restart = stopServer(how).then(startServer);
    });
    await restart;
    expect(restart).toBeDefined();
    expect(Object.keys(answers).length).toBe(400);
    expect(Object.values(answers).filter((status) => status === 'error')).toEqual([]);
    const listed = await query(
      `SELECT FROM inventory_lines WHERE inventory_id = $1 AND scan_id IS NOT NULL`,
      [id],
    );
    expect(listed.length).toBe(400);
    expect((await manager.get(`/inventories/${id}`)).body.progress.scanned).toBe(400);
    await expectExact();
  });

  it('in the middle of transactions: nothing of them is written', async () => {
    const id = await open();
    const { total } = (await manager.get(`/inventories/${id}`)).body.progress;
    const sessions = (await manager.get('/inventories')).body.meta.total;
    // Prepared, so that these locks outlive the stop: a plain holder could be gone before those who wait for it.
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT pg_advisory_xact_lock_shared(hashtext('inventories.open'))`);
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [id]);
    await holder.query(`PREPARE TRANSACTION 'holder'`);
    await holder.end();
    const cut = [
      manager.post('/purchases', purchase(`cut-${how}`)),
      manager.post('/inventories', session),
      manager.post(`/inventories/${id}/close`),
    ];
    await until(isWaiting('%INSERT INTO "purchases"%'));
    await until(isWaiting('SELECT pg_advisory_xact_lock(%'));
    await until(isWaiting('%inventory_counters%'));
    await stopServer(how);
    for (const answer of await within(4000, Promise.all(cut))) expectUnavailable(answer);
    await startServer();
    await query(`ROLLBACK PREPARED 'holder'`);
    await within(
      5000,
      until(async () => (await manager.get('/inventories')).status === 200),
    );
    expect((await manager.get('/inventories')).body.meta.total).toBe(sessions);
    expect((await manager.get(`/inventories/${id}`)).body).toMatchObject({
      status: 'open',
      progress: { scanned: 0, total },
    });
    expect((await manager.post('/purchases', purchase(`cut-${how}`))).status).toBe(201);
    expect((await manager.get(`/inventories/${id}`)).body.progress.total - total).toBe(1);
    await expectExact();
  });
});
