import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scan as scanStatement } from '../src/scans/scans.queries.js';
import { retried } from '../src/database/retry.js';
import { PATIENCE } from '../src/http/time-limit.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { watchDeadlocks } from './support/database.js';
import { SEEDS } from './support/seeds.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

const PHONES = 20;

let t: TestApp;
let manager: Client;
let phones: Client[];
let article: number;

beforeAll(async () => {
  // What waits here for its turn is to get it, on any machine, and each phone has a connection for its batch.
  PATIENCE.ms = 60_000;
  t = await startApp({ DATABASE_TIMEOUT_MS: '10000', DATABASE_POOL: String(PHONES + 10) });
  manager = t.as('manager');
  phones = await Promise.all(Array.from({ length: PHONES }, (_, n) => t.asNewUser(`phone${n}`, 'operator')));
  article = (await manager.post('/articles', { name: 'Écran 24"' })).body.id;
});

afterEach(rollbackAll);
afterAll(() => t.stop());

/** The service reads of open sessions by itself, and may have one of these while it waits for another. */
beforeEach(() =>
  retried(() =>
    t.database.query(`
    SET session_replication_role = replica;
    TRUNCATE attachments, inventory_answers, inventory_undone_scans, inventory_misplaced, inventory_unexpected, inventory_unknown_codes, inventory_late_scans, inventory_frozen, inventory_frozen_lines, inventory_frozen_locations, inventory_counters, inventory_lines, inventories, purchase_codes, purchase_joins, purchases RESTART IDENTITY;
    RESET session_replication_role`),
  ),
);

const phone = (n: number): Client => phones[n % PHONES]!;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

let made = 0;
/** Codes of as many new purchases. */
async function buyMany(count: number): Promise<string[]> {
  const from = made;
  made += count;
  const rows = await t.database.query<{ code: string }>(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, 'R' || n, '2026-01-01' FROM generate_series($2::int + 1, $3) n RETURNING code`,
    [article, from, made],
  );
  return rows.map((row) => row.code);
}

const buy = (code?: string) =>
  manager.post('/purchases', { article_id: article, purchase_date: '2026-01-15', ...(code && { code }) });
const openOne = () => manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
const close = (session: number) => manager.post(`/inventories/${session}/close`);
const scanOnce = (session: number, code: string, client: Client) =>
  client.post(`/inventories/${session}/scan`, { code });

/** As phones do it: again where the service asks for another try, which a machine that is busy with more may bring. */
async function scan(session: number, code: string, client: Client): Promise<Answer> {
  for (;;) {
    const answer = await scanOnce(session, code, client);
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

async function open(): Promise<number> {
  const answer = await openOne();
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const idOf = async (code: string): Promise<number> =>
  (await t.database.query<{ id: number }>(`SELECT id FROM purchases WHERE code = $1`, [code]))[0]!.id;

async function progress(session: number): Promise<{ scanned: number; total: number }> {
  const { scanned, total } = (await manager.get(`/inventories/${session}`)).body.progress;
  return { scanned, total };
}

/** Codes that the session has recorded, as the database has them. */
async function recorded(session: number): Promise<string[]> {
  const rows = await t.database.query<{ code: string }>(
    `SELECT p.code FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
     WHERE l.inventory_id = $1 AND l.scan_id IS NOT NULL`,
    [session],
  );
  return rows.map((row) => row.code).sort();
}

const liveCount = async (): Promise<number> =>
  (
    await t.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM purchases WHERE deleted_at IS NULL`)
  )[0]!.n;
const expectExact = async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]);

async function rounds(count: number, round: (n: number) => Promise<void>): Promise<void> {
  for (const n of numbers(count)) {
    await round(n);
    await expectExact();
  }
}

const statuses = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status === 200 && body.message ? body.status : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

/** Waits until the condition, an SQL expression, holds. */
async function until(condition: string): Promise<void> {
  for (;;) {
    const [row] = await t.database.query<{ holds: boolean }>(`SELECT ${condition} AS holds`);
    if (row?.holds) return;
    await sleep(10);
  }
}

const waiting = (statement: string) => `EXISTS (SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${statement}%')`;

describe('reliability-16-parallel-scans: scans', () => {
  it('fifty of one code at once: one success, 49 warnings that name it, one row', async () => {
    const session = await open();
    await rounds(15, async (n) => {
      const [code] = await buyMany(1);
      const answers = await Promise.all(numbers(50).map((i) => scan(session, code!, phone(i))));
      expect(statuses(answers)).toEqual({ success: 1, warning: 49 });
      const [success] = answers.filter(({ body }) => body.status === 'success');
      const firsts = answers
        .filter(({ body }) => body.status === 'warning')
        .map(({ body }) => body.first_scan);
      expect(new Set(firsts.map((first) => JSON.stringify(first))).size).toBe(1);
      expect(firsts[0].at).toBe(success!.body.scanned_at);
      const [entry] = (await manager.get(`/inventories/${session}/scans?sort=-id&per_page=1`)).body.data;
      expect(entry).toMatchObject({ scanned_at: firsts[0].at, scanned_by: firsts[0].by, purchase: { code } });
      expect(await progress(session)).toEqual({ scanned: n + 1, total: n + 1 });
    });
  });

  it('of the same 200 codes over two instances: each recorded once', async () => {
    const other = await startApp({}, t.database);
    const others = await Promise.all(numbers(4).map((n) => other.asNewUser(`far${n}`, 'operator')));
    await rounds(2, async () => {
      const codes = await buyMany(200);
      const session = await open();
      const answers = await Promise.all(
        codes.flatMap((code, n) => [scan(session, code, phone(n)), scan(session, code, others[n % 4]!)]),
      );
      expect(statuses(answers)).toEqual({ success: 200, warning: 200 });
      const recordedNow = answers
        .filter(({ body }) => body.status === 'success')
        .map(({ body }) => body.code);
      expect(recordedNow.sort()).toEqual(codes.sort());
      expect((await progress(session)).scanned).toBe(200);
      expect((await others[0]!.get(`/inventories/${session}`)).body.progress.scanned).toBe(200);
    });
    await other.stop();
  });

  it('of the same codes one by one and in batches: each recorded once, and each message answered once', async () => {
    await rounds(4, async () => {
      const codes = await buyMany(60);
      const session = await open();
      const batch = codes.map((code) => ({ client_id: randomUUID(), code }));
      const sent = async (scans: object[], n: number): Promise<Answer> => {
        for (;;) {
          const answer = await phone(n).post(`/inventories/${session}/scans`, { scans });
          if (answer.status !== 503) return answer;
          await sleep(100);
        }
      };
      const answers = await Promise.all([
        ...codes.map((code, n) => scan(session, code, phone(n))),
        sent(batch, 0),
        sent(batch.toReversed(), 1),
        sent(batch.slice(30).concat(batch.slice(0, 30)), 2),
      ]);
      const singles = answers.slice(0, -3);
      const [one, ...others] = answers.slice(-3).map(({ body }) => body.results);
      const inOrder = (results: Answer['body']) => results.sort((a: never, b: never) => idIn(a) - idIn(b));
      const idIn = ({ client_id }: { client_id: string }) =>
        batch.findIndex((message) => message.client_id === client_id);
      for (const other of others) expect(inOrder(other)).toEqual(inOrder(one));
      const now = [...singles.map(({ body }) => body), ...one].filter(({ status }) => status === 'success');
      expect(now.map(({ code }) => code).sort()).toEqual(codes.sort());
      expect(await progress(session)).toMatchObject({ scanned: 60 });
    });
  });

  it('in a large batch, of what others scan meanwhile, are answered at its first try', async () => {
    await rounds(3, async () => {
      const codes = await buyMany(1000);
      const session = await open();
      let isOver = false;
      // In an order of their own, so that what they scan is all over the batch.
      const others = numbers(4).map(async (n) => {
        for (let at = n; !isOver && at < codes.length; at += 4)
          await scan(session, codes[(at * 389) % codes.length]!, phone(n));
      });
      const scans = codes.map((code) => ({ client_id: randomUUID(), code }));
      const { status, body } = await phone(5).post(`/inventories/${session}/scans`, { scans });
      isOver = true;
      await Promise.all(others);
      expect([status, body.summary?.error]).toEqual([200, 0]);
      expect(await progress(session)).toMatchObject({ scanned: 1000 });
    });
  });

  it('in batches of twenty phones that have scanned the same room, are answered at their first try', async () => {
    await rounds(3, async (round) => {
      const codes = await buyMany(300);
      // Every second time the session is of another room, and does not expect them.
      const isElsewhere = round % 2 === 1;
      const room = (await manager.post('/locations', { name: `Room ${round}` })).body.id as number;
      const scope = isElsewhere ? { location_ids: [room] } : {};
      const session = (
        await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...scope })
      ).body.id as number;
      const answers = await Promise.all(
        numbers(PHONES).map((n) => {
          const scans = numbers(100).map((at) => ({
            client_id: randomUUID(),
            code: codes[(at * 7 + n * 31) % codes.length]!,
          }));
          return phone(n).post(`/inventories/${session}/scans`, { scans });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(PHONES).fill(200));
      const found = answers.flatMap(({ body }) => body.results as { reason: string }[]);
      const first = found.filter(({ reason }) => reason === (isElsewhere ? 'out-of-scope' : 'recorded'));
      expect(first).toHaveLength(300);
    });
  });

  it('in batches that share an unknown code, wait for it with their lines, and so for no one in a circle', async () => {
    const codes = await buyMany(1);
    const session = await open();
    const send = (client: Client, ...all: string[]) =>
      client.post(`/inventories/${session}/scans`, {
        scans: all.map((code) => ({ client_id: randomUUID(), code })),
      });
    await send(phone(0), 'vendor-1');
    const other = await begin(t.database);
    await other.query(`SELECT FROM inventory_unknown_codes FOR UPDATE`);
    const sent = send(phone(1), codes[0]!, 'vendor-1');
    await blocked(t.database);
    const free = await t.database.query(
      `SELECT purchase_id FROM inventory_lines WHERE inventory_id = $1 FOR UPDATE SKIP LOCKED`,
      [session],
    );
    await other.end('ROLLBACK');
    expect([(await sent).status, free]).toEqual([200, []]);
  });

  it('in batches that move what they find, and have unknown codes in common, are answered at their first try', async () => {
    const deadlocks = await watchDeadlocks(t.database);
    await rounds(3, async (round) => {
      const places: number[] = [];
      for (const name of ['A', 'B', 'C'])
        places.push((await manager.post('/locations', { name: `${name} ${round}` })).body.id as number);
      const codes = await buyMany(30);
      await t.database.query(`UPDATE purchases SET location_id = $1 + id % 3 WHERE code = ANY ($2)`, [
        places[0],
        codes,
      ]);
      const scope = round % 2 === 1 ? { location_ids: places.slice(0, 2) } : {};
      const session = (
        await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...scope })
      ).body.id as number;
      const all = [...codes, ...numbers(10).map((n) => `vendor-${n}`)];
      const answers = await Promise.all(
        numbers(12).map((n) => {
          const scans = numbers(32).map((at) => ({
            client_id: randomUUID(),
            code: all[(at * 7 + n * 11) % all.length]!,
            location_id: places[(at + n) % 3]!,
            ...(at % 2 === 0 && { move: true }),
          }));
          return manager.post(`/inventories/${session}/scans`, { scans });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    });
    expect(await deadlocks()).toEqual([]);
  });

  it('that repeat one that is undone meanwhile do not say that it is recorded', async () => {
    const [code] = await buyMany(1);
    const session = await open();
    const [one, two] = numbers(2).map(() => ({ client_id: randomUUID(), code: code!, source: 'rfid' }));
    const send = async (...scans: object[]) =>
      (await phone(0).post(`/inventories/${session}/scans`, { scans })).body.results as { reason: string }[];
    await send(one!);
    const other = await begin(t.database);
    await other.query(`SELECT FROM inventory_counters FOR UPDATE`);
    const sent = send(one!, two!);
    await blocked(t.database);
    // As an undo does that has begun before.
    await other.query(`UPDATE inventory_lines SET scan_id = NULL, scanned_at = NULL, scanned_by = NULL, client_id = NULL, source = NULL;
      UPDATE inventory_answers SET answer = answer || '{"reason": "undone", "scan_id": null}';
      UPDATE inventory_counters SET scanned = 0`);
    await other.end('COMMIT');
    expect((await sent).map(({ reason }) => reason)).toEqual(['undone', 'recorded']);
    expect(await progress(session)).toMatchObject({ scanned: 1 });
  });

  it('that are undone and scanned at once: in the figures or not, never twice', async () => {
    const session = await open();
    await rounds(6, async () => {
      const codes = await buyMany(12);
      const first = await Promise.all(codes.map((code) => scan(session, code, manager)));
      await Promise.all([
        ...first.map(({ body }) => manager.delete(`/inventories/${session}/scans/${body.scan_id}`)),
        ...codes.map((code, n) => scan(session, code, phone(n))),
      ]);
      for (const code of codes) await scan(session, code, manager);
      expect((await recorded(session)).filter((code) => codes.includes(code))).toEqual(codes.sort());
    });
  });

  it('of many codes in several sessions at once: each session has its own', async () => {
    const codes = await buyMany(60);
    const sessions = [await open(), await open(), await open()];
    await Promise.all(sessions.flatMap((session) => codes.map((code, n) => scan(session, code, phone(n)))));
    for (const session of sessions) expect(await progress(session)).toEqual({ scanned: 60, total: 60 });
    await expectExact();
  });

  it('whose commits take long hold up no other, of as many sessions as three instances have', async () => {
    const codes = await buyMany(3 * 14);
    const session = await open();
    const scans = await Promise.all(codes.map(() => begin(t.database)));
    const { id } = (await manager.get('/me')).body;
    for (const [n, one] of scans.entries()) {
      await one.query(`SET lock_timeout = '100ms'`);
      const { text, values } = scanStatement({
        inventoryId: session,
        candidates: [codes[n]!],
        userId: id,
        source: null,
      });
      await one.query(text, values);
    }
    await Promise.all(scans.map((one) => one.end('COMMIT')));
    expect(await progress(session)).toEqual({ scanned: codes.length, total: codes.length });
    await expectExact();
  });

  it('show in the progress at every moment: never less than was answered, never more than was sent', async () => {
    const codes = await buyMany(600);
    const queue = [...codes];
    const session = await open();
    let [sent, answered, isDone] = [0, 0, false];
    const readings: { before: number; scanned: number; after: number }[] = [];
    const read = async (client: Client, path: string) => {
      let last = 0;
      while (!isDone) {
        const before = Math.max(answered, last);
        const { body } = await client.get(path);
        const { scanned } = (body.data ? body.data[0] : body).progress;
        readings.push({ before, scanned, after: sent });
        last = scanned;
      }
    };
    const work = async (client: Client) => {
      for (let code = queue.pop(); code; code = queue.pop()) {
        sent++;
        expect((await scan(session, code, client)).body.status).toBe('success');
        answered++;
      }
    };
    const readers = Promise.all([
      read(manager, `/inventories/${session}`),
      read(t.as('viewer'), '/inventories?sort=-id&per_page=1'),
    ]);
    await Promise.all(phones.map(work)).finally(() => (isDone = true));
    await readers;
    expect(readings.length).toBeGreaterThan(10);
    expect(readings.filter(({ before, scanned, after }) => scanned < before || scanned > after)).toEqual([]);
    expect(await progress(session)).toEqual({ scanned: codes.length, total: codes.length });
    await expectExact();
  });
});

describe('reliability-17-closing: closing', () => {
  it('while phones scan: a scan is in the frozen report or answered as too late', async () => {
    await rounds(12, async (n) => {
      const codes = await buyMany(60);
      const session = await open();
      const scanAll = (from: number, to: number) =>
        codes.slice(from, to).map((code, i) => scan(session, code, phone(i)));
      const before = scanAll(0, n * 5);
      const closing = close(session);
      const answers = await Promise.all([...before, ...scanAll(n * 5, 60)]);
      const closed = await closing;
      expect(closed.status).toBe(200);
      const scanned = answers.filter(({ body }) => body.status === 'success').map(({ body }) => body.code);
      const late = answers.filter(({ body }) => body.message === 'Inventaire clôturé');
      expect(scanned.length + late.length).toBe(60);
      expect(await recorded(session)).toEqual(scanned.sort());
      expect(closed.body.progress.scanned).toBe(scanned.length);
      expect((await manager.get(`/inventories/${session}`)).body).toEqual(closed.body);
    });
  });

  it('by ten at once: one closes, the others hear that it is closed', async () => {
    await buyMany(20);
    await rounds(10, async () => {
      const session = await open();
      expect(statuses(await Promise.all(numbers(10).map(() => close(session))))).toEqual({ 200: 1, 409: 9 });
    });
  });

  it('while purchases are bought: each is in the report or not, and the report stays', async () => {
    await rounds(8, async (n) => {
      const session = await open();
      const bought = numbers(20).map(() => buy());
      await sleep(n * 5);
      const closed = await close(session);
      expect(statuses(await Promise.all(bought))).toEqual({ 201: 20 });
      expect(closed.status).toBe(200);
      expect((await manager.get(`/inventories/${session}`)).body).toEqual(closed.body);
      const unscanned = await manager.get(`/inventories/${session}/unscanned?per_page=1`);
      expect(unscanned.body.meta.total).toBe(closed.body.progress.total);
    });
  });

  it('while purchases are deleted: the same', async () => {
    await rounds(8, async (n) => {
      const codes = await buyMany(20);
      const session = await open();
      const ids = await Promise.all(codes.map(idOf));
      const deleted = ids.map((id) => manager.delete(`/purchases/${id}`));
      await sleep(n * 4);
      const closed = await close(session);
      expect(statuses(await Promise.all(deleted))).toEqual({ 200: 20 });
      expect((await manager.get(`/inventories/${session}`)).body).toEqual(closed.body);
    });
  });

  it('against changing: what was changed was changed before', async () => {
    await rounds(8, async () => {
      const session = await open();
      const patch = (n: number) => manager.patch(`/inventories/${session}`, { label: `label ${n}` });
      const [first, closed, ...answers] = await Promise.all([patch(0), close(session), patch(1), patch(2)]);
      expect(closed.status).toBe(200);
      const changed = [first, ...answers].filter(({ status }) => status === 200);
      const refused = [first, ...answers].filter(({ status }) => status === 409);
      expect(changed.length + refused.length).toBe(3);
      const { label } = (await manager.get(`/inventories/${session}`)).body;
      expect([null, 'label 0', 'label 1', 'label 2']).toContain(label);
      expect(label === null).toBe(changed.length === 0);
    });
  });
});

describe('opening', () => {
  it('while purchases are bought: each has one line in every session', async () => {
    await buyMany(300);
    await rounds(6, async () => {
      const mixed = numbers(30).flatMap((n) => (n % 10 === 4 ? [buy(), openOne()] : [buy()]));
      expect(statuses(await Promise.all(mixed))).toEqual({ 201: 33 });
    });
  });

  it('while purchases are deleted: none of them is expected', async () => {
    await rounds(6, async () => {
      const ids = await Promise.all((await buyMany(30)).map(idOf));
      const answers = await Promise.all(
        ids.flatMap((id, n) => {
          const gone = manager.delete(`/purchases/${id}`);
          return n % 10 === 4 ? [gone, openOne()] : [gone];
        }),
      );
      expect(statuses(answers)).toEqual({ 200: 30, 201: 3 });
    });
  });
});

describe('deleting a purchase', () => {
  it('while it is scanned: it stays when it was scanned before, and is unknown afterwards', async () => {
    await rounds(8, async () => {
      const codes = await buyMany(30);
      const sessions = [await open(), await open()];
      const ids = await Promise.all(codes.map(idOf));
      const pairs = codes.map(async (code, n) => {
        const late = () => sleep(Math.floor(n / 2) % 5);
        const scanning = (n % 2 ? late() : sleep(0)).then(() =>
          scan(sessions[n % 3 ? 0 : 1]!, code, phone(n)),
        );
        const deleting = (n % 2 ? sleep(0) : late()).then(() => manager.delete(`/purchases/${ids[n]}`));
        return [await scanning, await deleting] as const;
      });
      const answers = await Promise.all(pairs);
      const [scans, deletions] = [answers.map(([scanned]) => scanned), answers.map(([, deleted]) => deleted)];
      expect(statuses(deletions)).toEqual({ 200: 30 });
      for (const [n, { body }] of scans.entries()) {
        expect(['Article ajouté', 'Code inconnu']).toContain(body.message);
        const again = (await scan(sessions[n % 3 ? 0 : 1]!, codes[n]!, manager)).body;
        expect(again.status).toBe(body.status === 'success' ? 'warning' : 'error');
        if (body.status === 'success') expect(again.first_scan.at).toBe(body.scanned_at);
      }
      const scanned = scans.filter(({ body }) => body.status === 'success').length;
      const figures = await Promise.all(sessions.map(progress));
      expect(figures.reduce((all, figure) => all + figure.scanned, 0)).toBe(scanned);
    });
  });
});

describe('a deletion that an operator takes back', () => {
  it('brings the purchase into the open sessions again, scanned or not', async () => {
    const [code] = await buyMany(1);
    const id = await idOf(code!);
    const [scanned, unscanned] = [await open(), await open()];
    await scan(scanned, code!, phone(0));
    const before = await Promise.all([progress(scanned), progress(unscanned)]);
    await manager.delete(`/purchases/${id}`);
    await expectExact();
    await t.database.query(`UPDATE purchases SET deleted_at = NULL WHERE id = $1`, [id]);
    expect(await Promise.all([progress(scanned), progress(unscanned)])).toEqual(before);
    expect((await scan(scanned, code!, phone(1))).body.status).toBe('warning');
    expect((await scan(unscanned, code!, phone(1))).body.status).toBe('success');
    await expectExact();
  });
});

describe('deleting a session', () => {
  it('while it is scanned: no scan that was answered is lost', async () => {
    await buyMany(50);
    await rounds(25, async (n) => {
      const session = await open();
      const after = async (milliseconds: number, request: () => Promise<Answer>) => {
        await sleep(milliseconds);
        return request();
      };
      const [deleted, ...scans] = await Promise.all([
        after(n % 2 ? 0 : n % 5, () => manager.delete(`/inventories/${session}`)),
        ...numbers(6).map((i) => after(n % 2 ? n % 7 : i % 3, () => scan(session, `R${made - i}`, phone(i)))),
      ]);
      expect([200, 409]).toContain(deleted.status);
      expect(statuses(scans)).toEqual(deleted.status === 200 ? { 404: 6 } : { success: 6 });
      if (deleted.status === 409) expect((await progress(session)).scanned).toBe(6);
    });
  });

  it('while it is closed, or deleted by another: one of them is first', async () => {
    await buyMany(50);
    await rounds(10, async () => {
      const session = await open();
      const remove = () => manager.delete(`/inventories/${session}`);
      const [closed, ...deleted] = await Promise.all([close(session), remove(), remove()]);
      expect(statuses(deleted)).toEqual({ 200: 1, 404: 1 });
      expect([200, 404]).toContain(closed.status);
      expect((await manager.get(`/inventories/${session}`)).status).toBe(404);
    });
  });

  it('while purchases are bought: nothing of it stays', async () => {
    await rounds(8, async () => {
      const session = await open();
      const [deleted, ...bought] = await Promise.all([
        manager.delete(`/inventories/${session}`),
        ...numbers(15).map(() => buy()),
      ]);
      expect(deleted.status).toBe(200);
      expect(statuses(bought)).toEqual({ 201: 15 });
    });
  });
});

it('a scan that comes late is not kept in a session that is being deleted', async () => {
  const session = await open();
  const scanned_at = new Date().toISOString();
  expect((await close(session)).status).toBe(200);
  const [code] = await buyMany(1);
  const holder = await begin(t.database);
  await holder.query(`SELECT FROM inventories WHERE id = $1 FOR UPDATE`, [session]);
  await holder.query(`UPDATE inventories SET deleted_at = now() WHERE id = $1`, [session]); // as its route does
  const scans = [{ code, client_id: randomUUID(), scanned_at }];
  const sent = phone(0).post(`/inventories/${session}/scans`, { scans });
  await until(waiting('%FROM jsonb_to_recordset($2) AS i'));
  await holder.end('COMMIT');
  expect((await sent).status).toBe(404);
  expect(await t.database.query(`SELECT FROM inventory_late_scans`)).toEqual([]);
});

describe('an import that takes its time', () => {
  let importer: pg.Client;

  beforeEach(async () => {
    importer = new pg.Client({ connectionString: t.database.url });
    await importer.connect();
    await importer.query('BEGIN');
  });
  afterEach(() => importer.end());

  const importMany = (count: number) =>
    importer.query(
      `INSERT INTO purchases (article_id, code, purchase_date)
       SELECT $1, 'IMPORT-' || n, '2026-01-01' FROM generate_series(1, $2) n`,
      [article, count],
    );
  const isHeld = async (): Promise<boolean> =>
    (await importer.query<{ n: string }>(`SELECT count(*) AS n FROM purchases WHERE code LIKE 'IMPORT-%'`))
      .rows[0]?.n !== undefined;

  it('holds up no scan, neither before nor while sessions wait to be closed, deleted and opened', async () => {
    const codes = await buyMany(90);
    const [session, closing, empty] = [await open(), await open(), await open()];
    await importMany(2000);
    const scanSome = async (from: number, ...sessions: number[]) => {
      const some = codes.slice(from, from + 30);
      const answers = await Promise.all(
        sessions.flatMap((id) => some.map((code, n) => scan(id, code, phone(n)))),
      );
      expect(statuses(answers)).toEqual({ success: 30 * sessions.length });
      expect((await scan(session, 'IMPORT-1', manager)).body.message).toBe('Code inconnu');
      expect(await isHeld()).toBe(true);
    };
    await scanSome(0, session, closing);

    const closed = close(closing);
    await until(waiting('%inventory_counters'));
    await scanSome(30, session, closing);
    expect(await progress(closing)).toEqual({ scanned: 60, total: 90 });

    const deleted = manager.delete(`/inventories/${empty}`);
    const opened = openOne();
    await until(waiting('SELECT pg_advisory_xact_lock'));
    await scanSome(60, session, closing);

    await importer.query('COMMIT');
    expect((await deleted).status).toBe(200);
    expect((await closed).body).toMatchObject({
      status: 'closed',
      progress: { scanned: 90, total: 2090, percentage: 4.31 },
    });
    expect((await opened).body.progress).toEqual({ scanned: 0, total: 2090, percentage: 0 });
    expect(await progress(session)).toEqual({ scanned: 90, total: 2090 });
    expect((await scan(session, 'IMPORT-2000', manager)).body.status).toBe('success');
    await expectExact();
  });

  it('holds up nothing new that scans bring, while their session waits to be closed', async () => {
    const session = await open();
    await importMany(10);
    const closed = close(session);
    await until(waiting('%inventory_counters'));
    // What a new code, a thing found elsewhere or an undo asks of the session that it refers to.
    await t.database.query(`SELECT FROM inventories WHERE id = $1 FOR KEY SHARE NOWAIT`, [session]);
    expect((await scan(session, 'nobody knows it', phone(0))).body.message).toBe('Code inconnu');
    await importer.query('COMMIT');
    expect((await closed).status).toBe(200);
    await expectExact();
  });

  it('holds up no scan through those who queue behind it', async () => {
    const codes = await buyMany(100);
    const [session, closing] = [await open(), await open()];
    await importMany(10);
    const waiters = [openOne(), close(closing)];
    await until(waiting('SELECT pg_advisory_xact_lock'));
    const bought = numbers(30).map(() => buy());
    await until(waiting('INSERT INTO "purchases"'));
    for (const from of [0, 25, 50, 75]) {
      const some = codes.slice(from, from + 25);
      const answers = await Promise.all(some.map((code, n) => scan(session, code, phone(n))));
      expect(statuses(answers)).toEqual({ success: 25 });
    }
    expect(await isHeld()).toBe(true);
    await importer.query('COMMIT');
    expect((await Promise.all(waiters)).map(({ status }) => status)).toEqual([201, 200]);
    expect(statuses(await Promise.all(bought))).toEqual({ 201: 30 });
    await expectExact();
  });

  it('holds up no scan while a session is being opened, however many want to write purchases', async () => {
    const codes = await buyMany(40);
    const session = await open();
    // As the statement that makes a million lines holds it.
    await importer.query('BEGIN');
    await importer.query(`SELECT pg_advisory_xact_lock(hashtext('inventories.open'))`);
    const bought = numbers(40).map(() => buy());
    await until(waiting('INSERT INTO "purchases"'));
    const answers = await Promise.all(codes.map((code, n) => scan(session, code, phone(n))));
    expect(statuses(answers)).toEqual({ success: 40 });
    expect((await progress(session)).scanned).toBe(40);
    await importer.query('COMMIT');
    for (const { status } of await Promise.all(bought)) expect([201, 503]).toContain(status);
    await expectExact();
  });

  it('holds up no other writer of purchases, whatever part of the counters it has', async () => {
    const sessions = [await open(), await open()];
    await importMany(10);
    const answers = await Promise.all(numbers(30).map(() => buy()));
    expect(statuses(answers)).toEqual({ 201: 30 });
    expect(await isHeld()).toBe(true);
    const total = await liveCount();
    for (const session of sessions) expect((await progress(session)).total).toBe(total);
    await importer.query('COMMIT');
    for (const session of sessions) expect((await progress(session)).total).toBe(total + 10);
    await expectExact();
  });

  it('leaves nothing when it is rolled back', async () => {
    await buyMany(10);
    const session = await open();
    await importMany(2000);
    const opened = openOne();
    await until(waiting('SELECT pg_advisory_xact_lock'));
    await importer.query('ROLLBACK');
    expect((await opened).body.progress.total).toBe(10);
    expect(await progress(session)).toEqual({ scanned: 0, total: 10 });
    await expectExact();
  });
});

describe('reliability-17-closing: scans that are still being counted', () => {
  /** Six scans that wait for their figures, and what was sent after them; then all of them go on. */
  async function whileCounting(session: number, request: () => Promise<Answer>): Promise<[Answer, Answer[]]> {
    const holder = new pg.Client({ connectionString: t.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [session]);
    const scans = numbers(6).map((n) => scan(session, `R${made - n}`, phone(n)));
    await until(waiting('%UPDATE inventory_counters c SET scanned'));
    const answer = request();
    await until(waiting('%FROM inventory_counters'));
    await holder.end();
    return [await answer, await Promise.all(scans)];
  }

  it('are in the report that closes the session, or too late', async () => {
    await buyMany(6);
    await rounds(5, async () => {
      const session = await open();
      const [closed, scans] = await whileCounting(session, () => close(session));
      const { success = 0, error = 0 } = statuses(scans);
      expect(success + error).toBe(6);
      expect(closed.body.progress.scanned).toBe(success);
      expect((await recorded(session)).length).toBe(success);
    });
  });

  it('keep their session from being deleted, or find it gone', async () => {
    const before = made;
    await buyMany(6);
    await rounds(5, async () => {
      const session = await open();
      const [deleted, scans] = await whileCounting(session, () => manager.delete(`/inventories/${session}`));
      expect([200, 409]).toContain(deleted.status);
      expect(statuses(scans)).toEqual(deleted.status === 200 ? { 404: 6 } : { success: 6 });
      if (deleted.status === 409)
        expect(await progress(session)).toEqual({ scanned: 6, total: made - before });
    });
  });
});

describe('everything at once', () => {
  /** Repeatable numbers from 0 to below the limit. */
  const random = (seed: number) => (limit: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((seed / 2 ** 32) * limit);
  };

  it.each(SEEDS)('keeps every figure exact, without a deadlock or a lost scan (seed %i)', async (seed) => {
    const deadlocks = await watchDeadlocks(t.database);
    const codes = await buyMany(60);
    const sessions = [await open(), await open()];
    const success: { session: number; code: string }[] = [];
    const deletedSessions = new Set<number>();
    const seen: Record<string, number> = {};
    const end = Date.now() + 4000;

    const client = async (n: number) => {
      const pick = random(seed * 1000 + n);
      const any = <T>(list: T[]): T => list[Math.max(0, list.length - 1 - pick(40))]!;
      const step = async (): Promise<Answer> => {
        const [what, session] = [pick(100), sessions[Math.max(0, sessions.length - 1 - pick(4))]!];
        if (what < 50) {
          const code = any(codes);
          const answer = await scan(session, code, phone(n));
          if (answer.body.status === 'success') success.push({ session, code: answer.body.code });
          return answer;
        }
        if (what < 65) {
          const answer = await buy();
          if (answer.status === 201) codes.push(answer.body.code);
          return answer;
        }
        if (what < 75) return manager.delete(`/purchases/${await idOf(any(codes))}`);
        if (what < 80) {
          const answer = await openOne();
          if (answer.status === 201) sessions.push(answer.body.id);
          return answer;
        }
        if (what < 83) return close(session);
        if (what < 87) {
          const answer = await manager.delete(`/inventories/${session}`);
          if (answer.status === 200) deletedSessions.add(session);
          return answer;
        }
        if (what < 90) return manager.patch(`/inventories/${session}`, { label: `label ${n}` });
        if (what < 95) return manager.get(`/inventories/${session}/unscanned?per_page=5&sort=code`);
        return manager.get(`/inventories/${session}/scans?per_page=5`);
      };
      while (Date.now() < end) {
        const { status } = await step();
        seen[status] = (seen[status] ?? 0) + 1;
      }
    };
    // Beside them one that writes many at a time, as an import does.
    const bulk = async () => {
      while (Date.now() < end) {
        codes.push(...(await buyMany(20)));
        await t.database.query(`UPDATE purchases SET deleted_at = now() WHERE id IN (
          SELECT id FROM purchases WHERE deleted_at IS NULL ORDER BY random() LIMIT 5)`);
        await sleep(20);
      }
    };
    const all = [...numbers(20).map(client), bulk()];
    await Promise.allSettled(all); // nothing may go on when one of them fails
    await Promise.all(all);

    await expectExact();
    const documented = ['200', '201', '404', '409', '503'];
    expect(Object.keys(seen).filter((status) => !documented.includes(status))).toEqual([]);
    expect(success.filter(({ session }) => deletedSessions.has(session))).toEqual([]);
    expect(new Set(success.map((one) => JSON.stringify(one))).size).toBe(success.length);
    for (const session of new Set(success.map((one) => one.session))) {
      const answered = success.filter((one) => one.session === session).map((one) => one.code);
      expect(await recorded(session)).toEqual(answered.sort());
    }
    expect(await deadlocks()).toEqual([]);
  });
});

describe('reliability-21-giving-way: a serialization failure or a deadlock', () => {
  /** Makes the first `count` writes of a table fail so; the sequence that counts them is not rolled back. */
  async function failing(table: string, state: string, count: number, work: () => Promise<void>) {
    await t.database.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') <= ${count} THEN RAISE 'give way' USING ERRCODE = '${state}'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER give_way AFTER INSERT OR UPDATE ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION give_way()`);
    try {
      await work();
    } finally {
      await t.database.query(`DROP FUNCTION give_way CASCADE; DROP SEQUENCE tries`);
    }
  }
  const tries = async () =>
    (await t.database.query<{ last_value: number }>(`SELECT last_value FROM tries`))[0]!.last_value;
  const rowsOf = async (table: string) =>
    (await t.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

  // A transaction of TypeORM, one by hand, and a statement of its own.
  const WRITES: [string, string, () => Promise<() => Promise<Answer>>][] = [
    ['buying', 'purchases', () => Promise.resolve(() => buy())],
    ['opening a session', 'inventories', () => Promise.resolve(openOne)],
    [
      'scanning',
      'inventory_lines',
      async () => {
        const [[code], session] = [await buyMany(1), await open()];
        return () => scanOnce(session, code!, phone(0));
      },
    ],
  ];

  it.each(WRITES)('%s: is tried three times, and has its effect once', async (_, table, prepare) => {
    for (const state of ['40001', '40P01']) {
      const write = await prepare();
      const before = await rowsOf(table);
      await failing(table, state, 2, async () => {
        const answer = await write();
        expect(answer.status).toBe(table === 'inventory_lines' ? 200 : 201);
        if (table === 'inventory_lines') expect(answer.body.status).toBe('success');
        expect(await tries()).toBe(3);
      });
      expect((await rowsOf(table)) - before).toBe(table === 'inventory_lines' ? 0 : 1);
      await expectExact();
    }
  });

  it.each(WRITES)('%s: is 503 after the third, and nothing is written', async (_, table, prepare) => {
    const write = await prepare();
    const before = await rowsOf(table);
    await failing(table, '40001', 1000, async () => {
      const { status, headers } = await write();
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(await tries()).toBe(3);
    });
    expect(await rowsOf(table)).toBe(before);
    await expectExact();
    expect([200, 201]).toContain((await write()).status);
  });

  it('which really happens: the one that gave way goes on when the other is done', async () => {
    const deadlocks = await watchDeadlocks(t.database);
    const [code] = await buyMany(1);
    const id = await idOf(code!);
    const other = new pg.Client({ connectionString: t.database.url });
    await other.connect();
    await other.query(`BEGIN; SET LOCAL deadlock_timeout = '1h'`); // so that the service is the one to notice
    await other.query(`SELECT FROM articles WHERE id = $1 FOR UPDATE`, [article]);
    const changing = manager.patch(`/purchases/${id}`, { article_id: article, notes: 'in the end' });
    await until(waiting('SELECT FROM articles'));
    await other.query(`UPDATE purchases SET notes = 'first' WHERE id = $1`, [id]); // waits for the service
    await other.query('COMMIT');
    await other.end();
    const answer = await changing;
    expect(await deadlocks()).toEqual([expect.stringContaining('SELECT FROM articles')]);
    expect([answer.status, answer.body.notes]).toEqual([200, 'in the end']);
  });
});
