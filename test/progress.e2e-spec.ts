/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Snapshot } from '../src/database/snapshot.js';
import { COUNTED, RECOUNTED } from '../src/reports/progress.queries.js';
import { TalliesService } from '../src/reports/tallies.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { factories, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

let t: TestApp;
let make: Factories;
let manager: Client;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = t.as('manager');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

const get = (session: number, query: string) =>
  t.as('viewer').get(`/inventories/${session}/progress?${query}`);
const rows = async (session: number, query: string): Promise<any[]> => {
  const { status, body, text } = await get(session, query);
  expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return body.data;
};
const open = async (scope = {}): Promise<number> =>
  (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...scope })).body.id;
const scan = async (session: number, code: string, client = manager): Promise<any> =>
  (await client.post(`/inventories/${session}/scan`, { code })).body;
const sum = (groups: any[], figure: string): number =>
  groups.reduce<number>((all, group) => all + Number(group[figure]), 0);
/** Of all purchases, those of an article. */
const of = (groups: any[], key: unknown) => groups.find((group) => group.key === key);

/** With the codes PREFIX-1 and so on. */
const buy = (article: number, prefix: string, count: number) =>
  t.database.query(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, $2 || '-' || n, '2026-01-15' FROM generate_series(1, $3) n`,
    [article, prefix, count],
  );

/** A year in which nothing else is scanned, so that days can be told apart. */
const backdate = (session: number, code: string, at: string) =>
  t.database.query(
    `UPDATE inventory_lines l SET scanned_at = $3, recorded_at = now() FROM purchases p
     WHERE l.inventory_id = $1 AND p.id = l.purchase_id AND p.code = $2`,
    [session, code, at],
  );

describe('GET /inventories/{id}/progress', () => {
  it('by category: what has none last, with its key null', async () => {
    const [b, a] = [await make.category({ name: 'Z bientôt' }), await make.category({ name: 'écrans' })];
    const article = await make.article({ category_id: a.id });
    const first = await make.purchase({ article_id: article.id });
    for (let n = 0; n < 2; n++) await make.purchase({ article_id: article.id });
    await make.purchase({ article_id: (await make.article({ category_id: b.id })).id });
    await make.purchase();
    const session = await open();
    await scan(session, first.code);
    expect(await rows(session, 'by=category')).toEqual([
      { key: a.id, name: 'écrans', scanned: 1, total: 3, percentage: 33.33 },
      { key: b.id, name: 'Z bientôt', scanned: 0, total: 1, percentage: 0 },
      { key: null, name: null, scanned: 0, total: 1, percentage: 0 },
    ]);
  });

  it('by location: at a depth with what lies below; what lies above it in its own row', async () => {
    const site = await make.location({ name: 'Siège' });
    const floor = await make.location({ name: '1er', parent_id: site.id });
    const room = await make.location({ name: '101', parent_id: floor.id });
    const other = await make.location({ name: 'Annexe' });
    await make.location({ name: 'Vide', parent_id: other.id });
    const inRoom = await make.purchase({ location_id: room.id });
    for (const location_id of [room.id, floor.id, site.id, other.id]) await make.purchase({ location_id });
    const session = await open();
    await scan(session, inRoom.code);
    const named = async (query: string) =>
      (await rows(session, query)).map(({ name, scanned, total }) => [name, scanned, total]);
    const nowhere = [null, 0, sum(await rows(session, 'by=location'), 'total') - 5];
    expect(await named('by=location')).toEqual([['Annexe', 0, 1], ['Siège', 1, 4], nowhere]);
    expect(await named('by=location&depth=0')).toEqual(await named('by=location'));
    const second = [['Annexe', 0, 1], ['Siège', 0, 1], ['1er', 1, 3], nowhere];
    expect(await named('by=location&depth=1')).toEqual(second);
    const deepest = [['Annexe', 0, 1], ['Siège', 0, 1], ['1er', 0, 1], ['101', 1, 2], nowhere];
    expect(await named('by=location&depth=2')).toEqual(deepest);
    expect(await named('by=location&depth=11')).toEqual(deepest);
    // As of now: what is moved counts where it is, and so does all that lies in a place that is moved.
    await manager.patch(`/purchases/${inRoom.id}`, { location_id: other.id });
    expect((await named('by=location')).slice(0, 2)).toEqual([
      ['Annexe', 1, 2],
      ['Siège', 0, 3],
    ]);
    await manager.patch(`/locations/${floor.id}`, { parent_id: other.id, name: 'RDC' });
    expect((await named('by=location')).slice(0, 2)).toEqual([
      ['Annexe', 1, 4],
      ['Siège', 0, 1],
    ]);
  });

  it('by location: of one place what lies in it, by the places right in it', async () => {
    const site = await make.location({ name: 'Lorient' });
    const [b, a] = [
      await make.location({ name: 'B', parent_id: site.id }),
      await make.location({ name: 'A', parent_id: site.id }),
    ];
    const room = await make.location({ name: 'A 1', parent_id: a.id });
    const elsewhere = await make.location({ name: 'Vannes' });
    const inRoom = await make.purchase({ location_id: room.id });
    for (const { id } of [site, a, b, elsewhere]) await make.purchase({ location_id: id });
    const session = await open();
    await scan(session, inRoom.code);
    const within = async (query: string) =>
      (await rows(session, `by=location&${query}`)).map(({ key, scanned, total }) => [key, scanned, total]);
    const inSite = [
      [site.id, 0, 1],
      [a.id, 1, 2],
      [b.id, 0, 1],
    ];
    const check = async () => {
      expect(await within(`location_id=${site.id}`)).toEqual(inSite);
      expect(await within(`location_id=${site.id}&depth=0`)).toEqual([[site.id, 1, 4]]);
      expect(await within(`location_id=${a.id}`)).toEqual([
        [a.id, 0, 1],
        [room.id, 1, 1],
      ]);
      expect(await within(`location_id=${room.id}`)).toEqual([[room.id, 1, 1]]);
      expect(await within('location_id=2147483647')).toEqual([]);
    };
    await check();
    await manager.post(`/inventories/${session}/close`);
    await manager.patch(`/locations/${a.id}`, { parent_id: elsewhere.id });
    await check(); // as it was when it was closed
  });

  it('by location: what was found elsewhere counts where it was expected, as in the report', async () => {
    const [site, other] = [await make.location({ name: 'Brest' }), await make.location({ name: 'Quimper' })];
    const [moved, kept] = [
      await make.purchase({ location_id: site.id }),
      await make.purchase({ location_id: site.id }),
    ];
    const session = await open();
    const atSite = async () => of(await rows(session, 'by=location'), site.id);
    expect(await atSite()).toMatchObject({ scanned: 0, total: 2 });
    for (const [{ code }, move] of [[moved, true], [kept, false]] as const) {
      const read = { code, location_id: other.id, move };
      const { body } = await manager.post(`/inventories/${session}/scan`, read);
      expect(body).toMatchObject({ reason: 'recorded', misplaced: true });
    } // prettier-ignore
    const asInReport = async () =>
      expect((await t.as('viewer').get(`/inventories/${session}/report`)).body.by.location).toEqual(
        await rows(session, 'by=location'),
      );
    expect(await atSite()).toMatchObject({ scanned: 2, total: 2 });
    await asInReport();
    expect((await manager.post(`/inventories/${session}/misplaced/${kept.id}/move`)).status).toBe(200);
    expect(await atSite()).toMatchObject({ scanned: 2, total: 2 });
    await asInReport();
    await manager.post(`/inventories/${session}/close`);
    expect(await atSite()).toMatchObject({ scanned: 2, total: 2 });
    await asInReport();
  });

  it('by location: as in the report also where a purchase is placed elsewhere while its scan waits', async () => {
    const [home, found, later] = [await make.location(), await make.location(), await make.location()];
    const purchase = await make.purchase({ location_id: home.id });
    const session = await open();
    const byLocation = () => rows(session, 'by=location');
    expect(of(await byLocation(), home.id)).toMatchObject({ scanned: 0, total: 1 });
    const holder = await begin(t.database);
    await holder.query(`SELECT FROM inventory_counters WHERE inventory_id = $1 FOR UPDATE`, [session]);
    const read = { code: purchase.code, location_id: found.id };
    const scanning = manager.post(`/inventories/${session}/scan`, read);
    await blocked(t.database);
    await manager.patch(`/purchases/${purchase.id}`, { location_id: later.id });
    expect(of(await byLocation(), later.id)).toMatchObject({ scanned: 0, total: 1 });
    await holder.end('ROLLBACK');
    expect((await scanning).body).toMatchObject({ reason: 'recorded', misplaced: true });
    const { by } = (await t.as('viewer').get(`/inventories/${session}/report`)).body;
    expect(await byLocation()).toEqual(by.location);
  });

  it('by user, day and hour: what is scanned, without a total', async () => {
    const session = await open();
    const operator = await t.asNewUser('mouette', 'operator');
    const codes = (await readByCursor(manager, '/purchases?per_page=4')).slice(0, 3).map(({ code }) => code);
    for (const code of codes) await scan(session, code, operator);
    expect(await rows(session, 'by=user')).toEqual([
      { key: operator.userId, name: 'User mouette', scanned: 3, total: null, percentage: null },
    ]);
    // The night when the clocks go back: two o'clock comes twice. The day ends at 23:00 in UTC.
    const instants = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T23:00:00Z'];
    for (const [at, code] of codes.entries()) await backdate(session, code, instants[at]!);
    const none = { total: null, percentage: null };
    expect(await rows(session, 'by=day')).toEqual([
      { key: '2026-10-25', name: '2026-10-25', scanned: 2, ...none },
      { key: '2026-10-26', name: '2026-10-26', scanned: 1, ...none },
    ]);
    expect(
      (await rows(session, 'by=hour')).map(({ key, name, scanned }) => [key === name, key, scanned]),
    ).toEqual([
      [true, '2026-10-25T02:00:00+02:00', 1],
      [true, '2026-10-25T02:00:00+01:00', 1],
      [true, '2026-10-26T00:00:00+01:00', 1],
    ]);
    const kathmandu = await startApp({ TIME_ZONE: 'Asia/Kathmandu' }, t.database);
    const { body } = await kathmandu.as('viewer').get(`/inventories/${session}/progress?by=hour`);
    expect(body.data.map(({ key }: any) => key)).toEqual([
      '2026-10-25T06:00:00+05:45', '2026-10-25T07:00:00+05:45', '2026-10-26T04:00:00+05:45',
    ]); // prettier-ignore
    await kathmandu.stop();
  });

  it('is empty where nothing is expected or scanned', async () => {
    const empty = await startApp();
    const { body } = await empty
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
    for (const by of ['category', 'location', 'user', 'day', 'hour'])
      expect((await empty.as('viewer').get(`/inventories/${body.id}/progress?by=${by}`)).body).toEqual({
        data: [],
      });
    await empty.stop();
  });

  it('refuses what it does not know', async () => {
    const session = await open();
    for (const by of ['', 'by=', 'by=x', 'by=Category', 'by=day&by=day'])
      expect([by, refused(await get(session, by))]).toEqual([by, ['by']]);
    for (const depth of ['-1', '12', 'x', '', '1.0'])
      expect([depth, refused(await get(session, `by=location&depth=${depth}`))]).toEqual([depth, ['depth']]);
    expect(refused(await get(session, 'by=day&page=1'))).toEqual(['page']);
    expect((await get(2_147_483_647, 'by=day')).status).toBe(404);
    const deleted = await open();
    await manager.delete(`/inventories/${deleted}`);
    expect((await get(deleted, 'by=category')).status).toBe(404);
  });
});

/** What a session has, one row for each line, by a statement of its own. */
const lines = (session: number) =>
  t.database.query<any>(
    `SELECT l.scan_id IS NOT NULL AS scanned, c.id AS category, p.location_id AS location, o.lineage,
       l.scanned_by AS user, to_char(l.scanned_at AT TIME ZONE 'Europe/Paris', 'YYYY-MM-DD') AS day
     FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id JOIN articles a ON a.id = p.article_id
     LEFT JOIN categories c ON c.id = a.category_id LEFT JOIN locations o ON o.id = p.location_id
     WHERE l.inventory_id = $1`,
    [session],
  );

/** Counted one by one. */
function counted(all: any[], keyOf: (line: any) => unknown): [unknown, number, number][] {
  const groups = new Map<unknown, [unknown, number, number]>();
  for (const line of all) {
    const key = keyOf(line);
    const group = groups.get(key) ?? [key, 0, 0];
    groups.set(key, [key, group[1] + (line.scanned ? 1 : 0), group[2] + 1]);
  }
  return [...groups.values()].sort(byKey);
}
const byKey = ([a]: unknown[], [b]: unknown[]) => (String(a) < String(b) ? -1 : 1);

async function compare(session: number): Promise<void> {
  const all = await lines(session);
  const scanned = all.filter((line) => line.scanned);
  const groups = async (query: string, line = all) => {
    const found = await rows(session, query);
    if (line === all) {
      const { progress } = (await manager.get(`/inventories/${session}`)).body;
      expect([sum(found, 'scanned'), sum(found, 'total')]).toEqual([progress.scanned, progress.total]);
    }
    return found.map(({ key, scanned: done, total }) => [key, done, total ?? done]).sort(byKey);
  };
  expect(await groups('by=category')).toEqual(counted(all, ({ category }) => category));
  for (const depth of [0, 1, 2])
    expect(await groups(`by=location&depth=${depth}`)).toEqual(
      counted(all, ({ location, lineage }) => lineage?.[depth] ?? location),
    );
  expect(await groups('by=user', scanned)).toEqual(counted(scanned, ({ user }) => user));
  expect(await groups('by=day', scanned)).toEqual(counted(scanned, ({ day }) => day));
}

describe('The groups are those of the lines, counted one by one', () => {
  it('whatever is scanned, undone, bought, deleted, moved and called otherwise, asked on either of two instances', async () => {
    const other = await startApp({}, t.database);
    const categories = [await make.category(), await make.category()];
    const articles: any[] = [];
    for (const category of [...categories, null])
      articles.push(await make.article({ category_id: category?.id ?? null }));
    const places = [await make.location()];
    for (let n = 0; n < 3; n++) places.push(await make.location({ parent_id: places[n]!.id }));
    const purchases: any[] = [];
    for (let n = 0; n < 12; n++)
      purchases.push(
        await make.purchase({ article_id: articles[n % 3].id, location_id: places[n % 5]?.id ?? null }),
      );
    const session = await open();
    await compare(session);
    const step = fc.tuple(fc.nat(8), fc.nat(1000), fc.nat(1000));
    const take = async ([what, n, m]: [number, number, number]) => {
      const purchase = purchases[n % purchases.length];
      const [place, article] = [places[m % 5]?.id ?? null, articles[m % 3]];
      const path = `/purchases/${purchase.id}`;
      if (what < 3) await scan(session, purchase.code, m % 2 ? manager : other.as('operator'));
      else if (what === 3) {
        const scans = (await manager.get(`/inventories/${session}/scans?per_page=200`)).body.data;
        if (scans.length > 0)
          await manager.delete(`/inventories/${session}/scans/${scans[n % scans.length].id}`);
      } else if (what === 4) await manager.patch(path, { location_id: place, article_id: article.id });
      else if (what === 5) await manager.delete(path);
      else if (what === 6)
        purchases.push(await make.purchase({ article_id: article.id, location_id: place }));
      else if (what === 7)
        await manager.patch(`/articles/${article.id}`, {
          category_id: [...categories, null][n % 3]?.id ?? null,
        });
      else
        await manager.patch(`/locations/${places[3].id}`, {
          parent_id: [null, places[0].id, places[2].id][n % 3],
        });
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const one of steps) await take(one);
        await compare(session);
      }),
      { numRuns: 15, endOnFailure: true },
    );
    const { body } = await other.as('viewer').get(`/inventories/${session}/progress?by=category`);
    expect(body.data).toEqual(await rows(session, 'by=category'));
    await other.stop();
  });

  it('what a slow transaction has done counts when it commits, however long ago it dates', async () => {
    const category = await make.category();
    const article = await make.article({ category_id: category.id });
    const [slow, quick] = [
      await make.purchase({ article_id: article.id }),
      await make.purchase({ article_id: article.id }),
    ];
    const session = await open();
    const mine = async () => {
      const { scanned, total } = of(await rows(session, 'by=category'), category.id);
      return [scanned, total];
    };
    const held = await begin(t.database);
    await held.query(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(), scanned_by = 1
       WHERE inventory_id = $1 AND purchase_id = $2`,
      [session, slow.id],
    );
    await held.query(`INSERT INTO purchases (article_id, code, purchase_date) VALUES ($1, $2, '2026-01-01')`, [
      article.id, unique('SLOW'),
    ]); // prettier-ignore
    expect(await mine()).toEqual([0, 2]);
    await scan(session, quick.code);
    expect(await mine()).toEqual([1, 2]);
    await held.end('COMMIT');
    expect(await mine()).toEqual([2, 3]);
  });

  it('beside scans, each answer has what was answered before it was asked, and nothing that was never sent', async () => {
    const article = await make.article({ category_id: (await make.category()).id });
    await buy(article.id, 'RACE', 200);
    const session = await open();
    let [sent, answered, over] = [0, 0, false];
    // Who is answered 503, as by a busy machine, asks again, and may find his scan recorded.
    const phones = Array.from({ length: 4 }, async (_, phone) => {
      for (let n = phone; n < 200; n += 4) {
        sent++;
        const send = async () => (await scan(session, `RACE-${n + 1}`, t.as('operator'))).status;
        let status = await send();
        const recorded = status === 503 ? /^(success|warning)$/ : /^success$/;
        while (status === 503) status = await send();
        expect(status).toMatch(recorded);
        answered++;
      }
    });
    const readers = ['category', 'location', 'user', 'day'].map(async (by) => {
      while (!over) {
        const least = answered;
        const { status, body } = await get(session, `by=${by}`);
        if (status === 503) continue;
        const scanned = sum(body.data, 'scanned');
        expect(scanned).toBeGreaterThanOrEqual(least);
        expect(scanned).toBeLessThanOrEqual(sent);
      }
    });
    await Promise.all(phones).finally(() => (over = true));
    await Promise.all(readers);
    await compare(session);
  });
});

describe('Open sessions are read before anybody asks', () => {
  it('one that was opened since is read whole, and none that is known', async () => {
    const tallies = t.app.get(TalliesService);
    for (let n = 0; n < 4; n++) await open();
    await tallies.followOpen();
    const reading = jest.spyOn(Snapshot.prototype, 'rows');
    const opened = await open();
    await tallies.followOpen();
    const whole = reading.mock.calls.filter(([text]) => text === COUNTED).map(([, session]) => session);
    reading.mockRestore();
    expect(new Set(whole)).toEqual(new Set([String(opened)]));
  });

  it('no part of one is read twice by two who read ahead', async () => {
    const tallies = t.app.get(TalliesService);
    await make.purchase();
    const reading = jest.spyOn(Snapshot.prototype, 'rows');
    const opened = await open();
    await Promise.all([tallies.followOpen(), tallies.followOpen()]);
    const parts = reading.mock.calls.filter(([text, of]) => text === COUNTED && of === String(opened));
    reading.mockRestore();
    expect(parts.length).toBeGreaterThan(0);
    expect(new Set(parts.map(String)).size).toBe(parts.length);
  });

  it.each([
    ['some', () => Promise.resolve({})],
    ['some that expect nothing', async () => ({ location_ids: [(await make.location()).id] })],
  ])('one that people ask for stays in mind, however many were opened since: %s', async (_, scope) => {
    const tallies = t.app.get(TalliesService);
    const asked = await open();
    for (let n = 0; n < 4; n++) await open(await scope());
    await tallies.followOpen();
    await rows(asked, 'by=category');
    await tallies.followOpen();
    const reading = jest.spyOn(Snapshot.prototype, 'rows');
    await rows(asked, 'by=category');
    const whole = reading.mock.calls.filter(([text, of]) => text === COUNTED && of === String(asked));
    reading.mockRestore();
    expect(whole).toEqual([]);
  });
});

describe('More open sessions than are read before anybody asks', () => {
  it('are all kept in mind, as far as there is memory for them', async () => {
    await make.purchase();
    const asked: number[] = [];
    for (let n = 0; n < 6; n++) asked.push(await open());
    for (const session of asked) await rows(session, 'by=category');
    await t.app.get(TalliesService).followOpen();
    const reading = jest.spyOn(Snapshot.prototype, 'rows');
    for (const session of asked) await rows(session, 'by=category');
    const whole = reading.mock.calls.filter(([text]) => text === COUNTED);
    reading.mockRestore();
    expect(whole).toEqual([]);
  });
});

describe('Of a closed session', () => {
  const frozen = (session: number) =>
    until(async () => {
      const found = await t.database.query(`SELECT FROM inventory_frozen WHERE inventory_id = $1`, [session]);
      return found.length === 1;
    });
  const QUERIES = ['by=category', 'by=location', 'by=location&depth=1', 'by=user', 'by=day', 'by=hour'];
  const everything = (session: number) => Promise.all(QUERIES.map((query) => rows(session, query)));

  it('the figures are frozen with the names, whatever changes later; unexpected things are none of them', async () => {
    const category = await make.category();
    const place = await make.location();
    const room = await make.location({ parent_id: place.id });
    const article = await make.article({ category_id: category.id });
    const purchase = await make.purchase({ article_id: article.id, location_id: room.id });
    await make.purchase({ article_id: article.id, location_id: place.id });
    const session = await open();
    await scan(session, purchase.code);
    const late = await make.purchase({ article_id: article.id });
    await t.database.query(`DELETE FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = $2`, [
      session,
      late.id,
    ]);
    await t.database.query(
      `INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at)
       VALUES ($1, $2, nextval('inventory_scan_seq'), now(), 1, now())`,
      [session, late.id],
    );
    const before = await everything(session);
    await manager.post(`/inventories/${session}/close`);
    expect(await everything(session)).toEqual(before);
    await frozen(session);
    expect(await everything(session)).toEqual(before);
    await t.database.query(`UPDATE categories SET name = name || ' (avant)' WHERE id = $1`, [category.id]);
    await manager.patch(`/locations/${room.id}`, { name: 'Ailleurs', parent_id: null });
    await manager.patch(`/purchases/${purchase.id}`, { location_id: null });
    await manager.delete(`/purchases/${purchase.id}`);
    await t.database.query(`UPDATE users SET name = 'Somebody' WHERE login = 'manager'`);
    expect(await everything(session)).toEqual(before);
    const other = await startApp({}, t.database);
    const { body } = await other.as('viewer').get(`/inventories/${session}/progress?by=location&depth=1`);
    expect(body.data).toEqual(before[2]);
    await other.stop();
  });

  it('that was opened again, everything is as of now', async () => {
    const category = await make.category();
    const article = await make.article({ category_id: category.id });
    const purchase = await make.purchase({ article_id: article.id });
    const session = await open();
    expect(of(await rows(session, 'by=category'), category.id)).toMatchObject({ scanned: 0, total: 1 });
    await manager.post(`/inventories/${session}/close`);
    await frozen(session);
    await make.purchase({ article_id: article.id });
    expect(of(await rows(session, 'by=category'), category.id)).toMatchObject({ scanned: 0, total: 1 });
    await manager.post(`/inventories/${session}/reopen`, { reason: 'Something was forgotten' });
    expect(of(await rows(session, 'by=category'), category.id)).toMatchObject({ scanned: 0, total: 2 });
    const client_id = randomUUID();
    await manager.post(`/inventories/${session}/scans`, { scans: [{ client_id, code: purchase.code }] });
    expect(of(await rows(session, 'by=category'), category.id)).toMatchObject({ scanned: 1, total: 2 });
  });
});

describe('While a large session is read before anybody asks', () => {
  beforeAll(async () => {
    // What is bought joins each open session, of which the tests above have left two dozen.
    for (const { id } of await readByCursor(manager, '/inventories?status=open'))
      expect((await manager.post(`/inventories/${id}/close`)).status).toBe(200);
    await buy((await make.article()).id, 'AHEAD', 40_000);
  });

  it('whatever changes in what is read already, or not yet, is counted', async () => {
    const piece = jest.spyOn(Snapshot.prototype, 'rows');
    const tallies = t.app.get(TalliesService);
    const followOpen = tallies.followOpen.bind(tallies);
    // The service does so by itself every 5 s, and would wait for the session: then the rest of it is read in one piece.
    const byItself = jest.spyOn(tallies, 'followOpen').mockResolvedValue();
    const session = await open();
    const early = [await scan(session, 'AHEAD-2'), await scan(session, 'AHEAD-39999')];
    const reading = followOpen();
    const asked = (text: string) =>
      piece.mock.calls.filter((call) => call[0] === text && call[1] === String(session)).length;
    await until(() => asked(COUNTED) > 3);
    for (const code of ['AHEAD-1', 'AHEAD-4', 'AHEAD-40000'])
      expect((await scan(session, code)).status).toBe('success');
    for (const { scan_id } of early)
      expect((await manager.delete(`/inventories/${session}/scans/${scan_id}`)).status).toBe(200);
    for (const code of ['AHEAD-3', 'AHEAD-39998']) {
      const { id: gone } = (await manager.get(`/scan/${code}`)).body;
      expect((await manager.delete(`/purchases/${gone}`)).status).toBe(200);
    }
    for (let n = 0; n < 2; n++) await make.purchase();
    await reading;
    expect(asked(RECOUNTED)).toBeGreaterThan(0);
    expect(asked(COUNTED)).toBeGreaterThan(9);
    piece.mockRestore();
    byItself.mockRestore();
    await compare(session);
  });

  it('whoever asks for it has it, as it is', async () => {
    const session = await open();
    const reading = t.app.get(TalliesService).followOpen();
    expect((await scan(session, 'AHEAD-30000')).status).toBe('success');
    const groups = await rows(session, 'by=location');
    const { progress } = (await manager.get(`/inventories/${session}`)).body;
    expect(progress).toMatchObject({ scanned: sum(groups, 'scanned'), total: sum(groups, 'total') });
    await reading;
    expect(await rows(session, 'by=location')).toEqual(groups);
  });
});
