import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { jest } from '@jest/globals';
import { PIPELINE_SIZE } from '../src/database/options.js';
import { sent } from '../src/database/sent.js';
import { Sql } from '../src/database/sql.js';
import { PATIENCE } from '../src/http/time-limit.js';
import { TogetherService } from '../src/scans/together.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { stopClock } from './support/clock.js';
import { factories } from './support/factories.js';
import { closeGate } from './support/gate.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

const MAX_WAITING = 250;

let t: TestApp;
let manager: Client;
let phones: Client[];
let article: number;
/** Of the test: how many were sent to PostgreSQL alone, and in groups. */
let [alone, together] = [0, 0];

const listen = (message: unknown): void => {
  const { name, values } = (message as { statement: { name?: string; values: string[] } }).statement;
  if (name === 'inventory-scan') alone++;
  if (name === 'inventory-scan-together') together += (JSON.parse(values[0]!) as object[]).length;
};

beforeAll(async () => {
  // What waits here for its turn is to get it, on any machine.
  PATIENCE.ms = 60_000;
  t = await startApp({ DATABASE_TIMEOUT_MS: '10000', DATABASE_POOL: String(MAX_WAITING / 50) });
  manager = t.as('manager');
  phones = await Promise.all(numbers(4).map((n) => t.asNewUser(`phone${n}`, 'operator')));
  article = (await factories(t).article()).id;
  subscribe(sent.name, listen);
});
beforeEach(() => {
  [alone, together] = [0, 0];
  t.app.get(TogetherService).patience = 10_000; // or on a slow machine nobody would wait for those that come
});
afterEach(async () => {
  jest.useRealTimers();
  await rollbackAll();
  expect(await t.database.query(WRONG_SESSIONS)).toEqual([]);
});
afterAll(async () => {
  unsubscribe(sent.name, listen);
  await t.stop();
});

/** New things, by their codes. */
async function buy(count: number): Promise<string[]> {
  const prefix = randomUUID().slice(0, 8);
  const rows = await t.database.query<{ code: string }>(
    `INSERT INTO purchases (code, article_id, purchase_date)
     SELECT $2 || '-' || lpad(n::text, 3, '0'), $1, '2026-01-15' FROM generate_series(1, $3) n RETURNING code`,
    [article, prefix, count],
  );
  return rows.map(({ code }) => code);
}
const open = async (): Promise<number> =>
  (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-20' })).body.id;
const scan = (session: number, code: string, n = 0) =>
  phones[n % phones.length]!.post(`/inventories/${session}/scan`, { code, source: 'camera' });

/** Resolves once all of the scans have come, or as many as may wait, while PostgreSQL answered nobody. */
async function crowd(
  scans: () => Promise<Answer>[],
  meanwhile = () => Promise.resolve(),
): Promise<Promise<Answer>[]> {
  const { pipeline } = t.app.get(Sql);
  stopClock('performance'); // so that tokens stay remembered, and nobody looks for another connection
  for (const phone of phones) await phone.get('/me');
  const openGate = await closeGate(t);
  const before = alone;
  const answers = scans();
  const come = () => alone - before + pipeline.gathered;
  await until(() => come() === answers.length || pipeline.waiting >= MAX_WAITING);
  await meanwhile();
  await openGate();
  jest.useRealTimers();
  return answers;
}
const progress = async (session: number) =>
  (await manager.get(`/inventories/${session}`)).body.progress.scanned as number;
const idOf = async (code: string): Promise<number> => (await manager.get(`/scan/${code}`)).body.id;

/** What does not differ from session to session. */
const toldOf = ({ status, body }: Answer) => ({
  http: status,
  ...body,
  scanned_at: null,
  scan_id: null,
  first_scan: null,
});

async function linesOf(session: number): Promise<object[]> {
  const { data } = (await manager.get(`/inventories/${session}/scans?per_page=200`)).body;
  const lines = (data as { purchase: { code: string } }[]).map((line) => ({
    ...line,
    id: null,
    scan_id: null,
    scanned_at: null,
  }));
  return lines.sort((one, other) => (one.purchase.code < other.purchase.code ? -1 : 1));
}

describe('reliability-16-scans-together: scans of more at once than have a transaction each', () => {
  it('are more than there are connections for', async () => {
    const codes = await buy(2 * PIPELINE_SIZE + 1);
    const session = await open();
    const few = codes.splice(0, PIPELINE_SIZE);
    const answersOf = async (those: string[]) =>
      (await Promise.all(await crowd(() => those.map((code) => scan(session, code))))).map(
        ({ body }) => body.status,
      );
    expect(await answersOf(few)).toEqual(few.map(() => 'success'));
    expect([alone, together]).toEqual([PIPELINE_SIZE, 0]);
    expect(await answersOf(codes)).toEqual(codes.map(() => 'success'));
    expect(together).toBeGreaterThan(0);
    expect(await progress(session)).toBe(2 * PIPELINE_SIZE + 1);
  });

  it('are answered and recorded as one after the other', async () => {
    const codes = await buy(120);
    const [aliased, disposed, deleted, ...others] = codes as [string, string, string, ...string[]];
    const alias = `ALT-${aliased}`;
    await manager.post(`/purchases/${await idOf(aliased)}/codes`, { code: alias });
    const [quiet, crowded, closed] = [await open(), await open(), await open()];
    for (const session of [quiet, crowded]) await scan(session, deleted);
    await manager.post(`/purchases/${await idOf(disposed)}/dispose`, {
      disposed_on: '2026-11-20',
      disposal_reason: 'sold',
    });
    await manager.delete(`/purchases/${await idOf(deleted)}`);
    await manager.post(`/inventories/${closed}/close`);
    const late = await buy(1); // which no session expects
    const asked = [...others, alias, disposed, deleted, late[0]!, 'NOBODY', ` ${others[0]!.toLowerCase()} `];
    const one: Answer[] = [];
    for (const [n, code] of asked.entries()) one.push(await scan(quiet, code, n));
    const many = await Promise.all(
      await crowd(() => [
        ...asked.map((code, n) => scan(crowded, code, n)),
        scan(closed, others[1]!),
        scan(2_000_000_000, others[2]!),
      ]),
    );
    expect(together).toBeGreaterThan(50);
    expect(many.splice(-2).map(({ status, body }) => [status, body.reason])).toEqual([
      [200, 'session-closed'],
      [404, undefined],
    ]);
    // Of two scans of one thing either may be the first.
    expect(new Set([many[0]!, many.at(-1)!].map(({ body }) => body.status))).toEqual(
      new Set(['success', 'warning']),
    );
    expect(many.slice(1, -1).map(toldOf)).toEqual(one.slice(1, -1).map(toldOf));
    const lines = async (session: number) =>
      (await linesOf(session)).filter((line) => !JSON.stringify(line).includes(others[0]!));
    expect(await lines(crowded)).toEqual(await lines(quiet));
    expect(await progress(crowded)).toBe(await progress(quiet));
  });

  it('are held up by none of them that waits for a lock', async () => {
    const codes = await buy(160);
    const locked = 100; // one of those that go together
    const session = await open();
    const holder = await begin(t.database);
    await holder.query(
      `SELECT FROM inventory_lines WHERE inventory_id = $1
       AND purchase_id = (SELECT id FROM purchases WHERE code = $2) FOR UPDATE`,
      [session, codes[locked]],
    );
    let isAnswered = false;
    const answers = await crowd(() => codes.map((code, n) => scan(session, code, n)));
    const held = answers.splice(locked, 1)[0]!.finally(() => (isAnswered = true));
    const found = await Promise.all(answers);
    await blocked(t.database);
    expect(isAnswered).toBe(false);
    expect(found.map(({ body }) => body.status)).toEqual(answers.map(() => 'success'));
    await holder.end('ROLLBACK');
    expect((await held).body.status).toBe('success');
    expect(await progress(session)).toBe(160);
  });

  it('hold up for a moment only who comes after them, where they have to wait', async () => {
    const [codes, [last]] = [await buy(120), await buy(1)];
    const session = await open();
    const service = t.app.get(TogetherService);
    service.patience = 100;
    const answers = await crowd(
      () => codes.map((code, n) => scan(session, code, n)),
      async () => {
        jest.useRealTimers();
        const { pool } = t.app.get(Sql);
        await until(() => service.isLate && pool.idleCount === pool.totalCount);
        expect((await scan(session, last!)).body.status).toBe('success');
      },
    );
    expect((await Promise.all(answers)).map(({ body }) => body.status)).toEqual(codes.map(() => 'success'));
  });

  it('are refused before any work is done for them, where too many wait', async () => {
    const [codes, more] = [await buy(MAX_WAITING + 30), await buy(20)];
    const session = await open();
    const answers = await crowd(
      () => codes.map((code, n) => scan(session, code, n)),
      async () => {
        for (const { status, body, headers } of await Promise.all(more.map((code) => scan(session, code))))
          expect([status, body.type, headers.get('retry-after')]).toEqual([
            503,
            '/problems/unavailable',
            '1',
          ]);
      },
    );
    const taken = (await Promise.all(answers)).filter(({ body }) => body.status === 'success');
    expect(taken.length).toBeGreaterThan(MAX_WAITING - 50);
    expect(await progress(session)).toBe(taken.length);
  });

  it('are told to who listens, each once', async () => {
    const { id } = (
      await t.as('admin').post('/webhooks', { url: 'https://example.org/', events: ['scan.recorded'] })
    ).body;
    await t.database.query(`DELETE FROM webhook_outbox`);
    const codes = await buy(130);
    const session = await open();
    const answers = await Promise.all(await crowd(() => codes.map((code, n) => scan(session, code, n))));
    expect(together).toBeGreaterThan(50);
    const told = await t.database.query<{ item: { scan_id: number } }>(
      `SELECT jsonb_array_elements(items) AS item FROM webhook_outbox WHERE inventory_id = $1`,
      [session],
    );
    expect(told.map(({ item }) => item.scan_id).sort()).toEqual(
      answers.map(({ body }) => body.scan_id).sort(),
    );
    await t.as('admin').delete(`/webhooks/${id}`);
  });

  it('are each recorded or refused where their connections are cut, and never told what is not so', async () => {
    const codes = await buy(200);
    const session = await open();
    const answers = codes.map((code, n) => scan(session, code, n));
    const cut = () =>
      t.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'recense' AND query LIKE '%inventory_counters%'`,
      );
    let [isOver] = [false];
    const all = Promise.all(answers).finally(() => (isOver = true));
    while (!isOver) await cut();
    const statuses = (await all).map(({ status }) => status);
    expect(new Set([200, 503, ...statuses])).toEqual(new Set([200, 503]));
    // Of the connections that were cut last, the service may not have heard yet.
    const untilAnswered = async (code: string, n: number): Promise<Answer> => {
      const answer = await scan(session, code, n);
      return answer.status === 503 ? untilAnswered(code, n) : answer;
    };
    const again = await Promise.all(codes.map(untilAnswered));
    expect(again.map(({ status }) => status)).toEqual(codes.map(() => 200));
    for (const [n, { body }] of again.entries()) if (statuses[n] === 200) expect(body.status).toBe('warning');
    expect(await progress(session)).toBe(200);
  });
});
