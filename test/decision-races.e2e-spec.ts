import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FreezeService } from '../src/inventories/freeze.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { dice } from './support/campaign.js';
import type { Answer, Client } from './support/client.js';
import { factories, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const ROUNDS = 3;
const EARLY = '2026-01-01T08:00:00Z';
/** Messages whose answers differ from what is kept of them, and the other way round. */
const WRONG_ANSWERS = `
  WITH scans AS (
    SELECT inventory_id, purchase_id, scan_id, client_id FROM inventory_lines WHERE scan_id IS NOT NULL
    UNION ALL SELECT inventory_id, purchase_id, scan_id, client_id FROM inventory_unexpected
  )
  SELECT 'a recorded message without its scan' AS wrong, to_jsonb(a) FROM inventory_answers a
  WHERE answer->>'reason' IN ('recorded', 'out-of-scope', 'disposed') AND NOT EXISTS (
    SELECT FROM scans s WHERE (s.inventory_id, s.scan_id, s.client_id) = (a.inventory_id, a.scan_id, a.client_id))
  UNION ALL
  SELECT 'a scan whose message says another thing', to_jsonb(s) FROM scans s
  WHERE client_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM inventory_answers a WHERE (a.inventory_id, a.client_id) = (s.inventory_id, s.client_id)
      AND a.answer->>'reason' IN ('recorded', 'out-of-scope', 'disposed'))
  UNION ALL
  SELECT 'two scans of one purchase', to_jsonb(d) FROM (
    SELECT inventory_id, purchase_id FROM scans GROUP BY 1, 2 HAVING count(*) > 1) d
  UNION ALL
  SELECT 'a late scan whose message says another thing', to_jsonb(l) FROM inventory_late_scans l
  JOIN inventory_answers a USING (inventory_id, client_id)
  WHERE (l.status = 'waiting') <> (a.answer->>'reason' = 'late') OR (l.status = 'refused') <> (a.answer->>'reason' = 'refused')
  UNION ALL
  SELECT 'a late message that is not kept', to_jsonb(a) FROM inventory_answers a
  WHERE answer->>'reason' = 'late' AND NOT EXISTS (
    SELECT FROM inventory_late_scans l WHERE (l.inventory_id, l.client_id) = (a.inventory_id, a.client_id))
  UNION ALL
  SELECT 'an unknown code that was read otherwise often', to_jsonb(u) FROM inventory_unknown_codes u
  WHERE times <> (SELECT count(*) FROM inventory_answers a WHERE a.inventory_id = u.inventory_id
    AND a.code_key = u.code_key AND a.answer->>'reason' = 'unknown-code')
  UNION ALL
  SELECT 'a link that scans do not follow', to_jsonb(u) FROM inventory_unknown_codes u
  WHERE status = 'linked' AND NOT EXISTS (
    SELECT FROM purchase_codes c WHERE (c.code_key, c.purchase_id) = (u.code_key, u.purchase_id) AND c.alias IS NOT NULL)
  UNION ALL
  SELECT 'a misplaced thing without its scan', to_jsonb(m) FROM inventory_misplaced m
  WHERE NOT EXISTS (SELECT FROM scans s WHERE (s.inventory_id, s.scan_id, s.purchase_id) = (m.inventory_id, m.scan_id, m.purchase_id))
  UNION ALL
  SELECT 'a closed session that is frozen otherwise', to_jsonb(i) FROM inventories i
  WHERE closed_at IS NOT NULL AND deleted_at IS NULL AND (
    SELECT coalesce(array_agg((purchase_id, scan_id)::text ORDER BY purchase_id), '{}') FROM inventory_frozen_lines
    WHERE inventory_id = i.id) IS DISTINCT FROM (
    SELECT coalesce(array_agg((purchase_id, scan_id)::text ORDER BY purchase_id), '{}') FROM (
      SELECT purchase_id, scan_id FROM inventory_lines WHERE inventory_id = i.id
      UNION ALL SELECT purchase_id, scan_id FROM inventory_unexpected WHERE inventory_id = i.id) now)
  UNION ALL
  SELECT 'an open session that is frozen', to_jsonb(i) FROM inventories i
  WHERE closed_at IS NULL AND EXISTS (SELECT FROM inventory_frozen_lines f WHERE f.inventory_id = i.id)`;

let t: TestApp;
let second: TestApp;
let make: Factories;
let managers: Client[];
let phones: Client[];
let article: number;
let session: number;

beforeAll(async () => {
  const settings = { DATABASE_TIMEOUT_MS: '10000' }; // what waits here for its turn is to get it, on any machine
  t = await startApp(settings);
  second = await startApp(settings, t.database);
  make = factories(t);
  managers = [t.as('manager'), second.as('manager')];
  phones = await Promise.all(
    [...Array(8).keys()].map((n) => [t, second][n % 2]!.asNewUser(`phone${n}`, 'operator')),
  );
  article = (await make.article()).id;
});
afterAll(async () => {
  await second.stop();
  await t.stop();
});

const manager = (n = 0): Client => managers[n % 2]!;
const phone = (n = 0): Client => phones[n % 8]!;
const numbers = (count: number): number[] => [...Array(count).keys()];
const path = (rest: string) => `/inventories/${session}${rest}`;
const item = (code: string, fields: object = {}) => ({ client_id: randomUUID(), code, ...fields });

/** As clients do it: again where the service asks for another try, which a machine that is busy with more may bring. */
async function ask(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}
const post = (rest: string, body: object = {}, client = manager()) =>
  ask(() => client.post(path(rest), body));
const scan = async (fields: object, n = 0): Promise<Row> => (await post('/scan', fields, phone(n))).body;
const send = async (scans: object[], n = 0): Promise<Row[]> =>
  (await post('/scans', { scans }, phone(n))).body.results;
const list = async (name: string): Promise<Row[]> =>
  (await manager().get(path(`/${name}?per_page=200`))).body.data;
const progress = async () => (await manager().get(path(''))).body.progress;
const open = async (fields: object = {}): Promise<void> => {
  const body = { year: 2026, inventory_date: '2026-11-16', ...fields };
  session = (await ask(() => manager().post('/inventories', body))).body.id;
};
const close = (n = 0) => post('/close', {}, manager(n));
const reopen = (n = 0) => post('/reopen', { reason: 'Trop tôt' }, manager(n));
const counts = (answers: Row[]): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const { reason } of answers) all[reason] = (all[reason] ?? 0) + 1;
  return all;
};
const sum = (...of: (number | undefined)[]): number => of.reduce<number>((all, one) => all + (one ?? 0), 0);

async function buy(count: number, place: number | null = null): Promise<{ id: number; code: string }[]> {
  const prefix = unique('D').replace(' ', '-');
  return t.database.query(
    `INSERT INTO purchases (article_id, code, purchase_date, location_id)
     SELECT $1, $2 || '-' || n, '2026-01-01', $3 FROM generate_series(1, $4) n RETURNING id, code`,
    [article, prefix, place, count],
  );
}

async function expectExact(): Promise<void> {
  expect(await t.database.query(WRONG_SESSIONS)).toEqual([]);
  expect(await t.database.query(WRONG_ANSWERS)).toEqual([]);
}

const race = (what: string, round: (n: number) => Promise<void>) =>
  it(`${what}: nothing is lost or doubled`, async () => {
    for (const n of numbers(ROUNDS)) {
      await round(n);
      await expectExact();
    }
  });

describe('Over two instances, at the same time', () => {
  race('linking codes and scanning their purchases', async () => {
    const things = await buy(8);
    await open();
    const codes = things.map(() => unique('VENDOR'));
    await send(codes.map((code) => item(code)));
    const rows = await list('unknown-codes');
    const [links, labels, vendors] = await Promise.all([
      Promise.all(
        rows.map(({ id, code }, n) =>
          post(`/unknown-codes/${id}/link`, { purchase_id: things[codes.indexOf(code)]!.id }, manager(n)),
        ),
      ),
      Promise.all(things.map(({ code }, n) => scan(item(code), n))),
      Promise.all(
        [0, 1].map((n) =>
          send(
            codes.map((code) => item(code)),
            n,
          ),
        ),
      ),
    ]);
    expect(links.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const told = counts([...labels, ...vendors.flat()]);
    expect(sum(told.recorded, told['already-scanned'], told['unknown-code'])).toBe(24);
    expect(await list('scans')).toHaveLength(8);
    expect((await list('unknown-codes')).map(({ status }) => status)).toEqual(Array(8).fill('linked'));
  });

  race('closing and batches', async (n) => {
    const things = await buy(40);
    await open();
    const batches = numbers(8).map((at) => things.slice(at * 5, at * 5 + 5).map(({ code }) => item(code, { scanned_at: EARLY }))); // prettier-ignore
    const [closed, ...answers] = await Promise.all([
      sleep(n * 10).then(() => close(1)),
      ...batches.map((batch, at) => send(batch, at)),
    ]);
    const { recorded = 0, late = 0 } = counts(answers.flat());
    expect(recorded + late).toBe(40);
    expect(closed.body.progress.scanned).toBe(recorded);
    expect(await list('late-scans')).toHaveLength(late);
    expect(await Promise.all(batches.map((batch, at) => send(batch, at + 1)))).toEqual(answers);
  });

  race('reopening and late scans, and buying', async () => {
    const things = await buy(20);
    await open();
    await close();
    const { total } = await progress();
    const [, bought, ...answers] = await Promise.all([
      reopen(),
      Promise.all(numbers(4).map(() => buy(2))),
      ...things.map(({ code }, n) => scan(item(code, { scanned_at: EARLY }), n)),
    ]);
    const { recorded = 0, late = 0 } = counts(answers);
    expect(recorded + late).toBe(20);
    expect(await progress()).toMatchObject({
      scanned: recorded,
      total: Number(total) + bought.flat().length,
    });
    expect(await list('late-scans')).toHaveLength(late);
  });

  race('accepting late scans and scanning their purchases', async () => {
    const things = await buy(10);
    await open();
    await close();
    const messages = things.map(({ code }) => item(code, { scanned_at: EARLY }));
    await send(messages);
    await reopen();
    const rows = await list('late-scans');
    const [accepted, scans] = await Promise.all([
      Promise.all(rows.map(({ id }, n) => post(`/late-scans/${id}/accept`, {}, manager(n)))),
      Promise.all(things.map(({ code }, n) => scan(item(code), n))),
    ]);
    expect(accepted.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const told = counts([...scans, ...(await send(messages))]);
    expect(told).toEqual({ recorded: 10, 'already-scanned': 10 });
    expect(await progress()).toMatchObject({ scanned: 10 });
  });

  race('accepting and refusing, linking and dismissing', async () => {
    const [thing] = await buy(1);
    await open();
    await close();
    await send(numbers(6).map(() => item(unique('VENDOR'), { scanned_at: EARLY })));
    await reopen();
    const late = await list('late-scans');
    const both = (rows: Row[], one: (id: number, n: number) => Promise<Answer>[]) =>
      Promise.all(rows.flatMap(({ id }, n) => one(id, n)));
    const decided = await both(late, (id, n) => [
      post(`/late-scans/${id}/accept`, {}, manager(n)),
      post(`/late-scans/${id}/refuse`, {}, manager(n + 1)),
    ]);
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(6);
    await send(numbers(4).map(() => item(unique('VENDOR'))));
    const codes = await list('unknown-codes');
    const settled = await both(codes, (id, n) => [
      post(`/unknown-codes/${id}/link`, { purchase_id: thing!.id }, manager(n)),
      post(`/unknown-codes/${id}/dismiss`, { reason: 'Autre société' }, manager(n + 1)),
    ]);
    expect(settled.filter(({ status }) => status === 200)).toHaveLength(codes.length);
    expect((await list('scans')).length).toBeLessThanOrEqual(1);
  });

  race('opening for a place, and purchases that come to it, leave it and end', async () => {
    const [room, hall] = [(await make.location()).id, (await make.location()).id];
    const [stays, leaves, comes, ends] = [await buy(2, room), await buy(4, room), await buy(4, hall), await buy(4, room)]; // prettier-ignore
    const move = ({ id }: { id: number }, to: number, n: number) =>
      ask(() => manager(n).patch(`/purchases/${id}`, { location_id: to }));
    const [, , bought] = await Promise.all([
      Promise.all([
        ...leaves.map((one, n) => move(one, hall, n)),
        ...comes.map((one, n) => move(one, room, n)),
      ]),
      open({ location_ids: [room] }),
      Promise.all(numbers(4).map(() => buy(1, room))),
      Promise.all(ends.map(({ id }, n) => ask(() => manager(n).delete(`/purchases/${id}`)))),
    ]);
    const expected = (await list('unscanned')).map(({ id }) => id as number);
    expect(await progress()).toMatchObject({ total: expected.length });
    for (const { id } of [...stays, ...bought.flat()]) expect(expected).toContain(id);
    const may = [...stays, ...leaves, ...comes, ...bought.flat()].map(({ id }) => id);
    expect(expected.filter((id) => !may.includes(id))).toEqual([]);
  });

  race('moving purchases and deleting them', async () => {
    const [room, hall] = [(await make.location()).id, (await make.location()).id];
    const things = await buy(12, room);
    await open();
    await send(things.slice(0, 6).map(({ code }) => item(code, { location_id: hall })));
    const answers = await Promise.all([
      ...things.slice(0, 6).map(({ id }, n) => post(`/misplaced/${id}/move`, {}, manager(n))),
      ...things
        .slice(6)
        .map(({ code }, n) => post('/scan', item(code, { location_id: hall, move: true }), manager(n))),
      ...things.map(({ id }, n) => ask(() => manager(n + 1).delete(`/purchases/${id}`))),
    ]);
    expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
    expect(answers.slice(12).map(({ status }) => status)).toEqual(Array(12).fill(200));
    const resolved = (await list('misplaced')).flatMap(({ purchase, resolved: how }) =>
      how ? [purchase.id] : [],
    );
    const moved = await t.database.query<{ id: number }>(
      `SELECT id FROM purchases WHERE location_id = $1 AND id = ANY ($2) ORDER BY id`,
      [hall, things.map(({ id }) => id)],
    );
    expect(moved.map(({ id }) => id)).toEqual(resolved.sort((a, b) => a - b));
  });

  race('undoing scans and linking codes to their purchases', async () => {
    const things = await buy(8);
    await open();
    const codes = things.map(() => unique('VENDOR'));
    const scans = await send([...things.map(({ code }) => item(code)), ...codes.map((code) => item(code))]);
    const rows = await list('unknown-codes');
    const answers = await Promise.all(
      things.flatMap(({ id }, n) => [
        ask(() => manager(n).delete(path(`/scans/${scans[n]!.scan_id}`))),
        post(
          `/unknown-codes/${rows.find(({ code }) => code === codes[n]).id}/link`,
          { purchase_id: id },
          manager(n + 1),
        ),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect(await progress()).toMatchObject({ scanned: (await list('scans')).length });
  });

  it.each([1, 2])('everything: nothing is lost or doubled (seed %i)', async (seed) => {
    const [room, hall] = [(await make.location()).id, (await make.location()).id];
    const things = await buy(30, room);
    await open(seed === 1 ? {} : { location_ids: [room] });
    const codes = [...things.map(({ code }) => code), ...numbers(12).map(() => unique('VENDOR'))];
    const seen: Record<string, number> = {};
    const answered = new Map<string, object>();
    const end = Date.now() + 3000;
    const actor = async (n: number) => {
      const chance = dice(seed * 1000 + n);
      const pick = <T>(from: T[]): T => from[Math.floor(chance() * from.length)]!;
      const batch = () =>
        numbers(1 + Math.floor(chance() * 8)).map(() =>
          item(pick(codes), {
            ...(chance() < 0.7 && { scanned_at: EARLY }),
            ...(chance() < 0.5 && { location_id: pick([room, hall]) }),
          }),
        );
      const decide = async (name: string, ...ways: [string, () => object][]) => {
        const row = pick(await list(name));
        const [way, body] = pick(ways);
        return row && manager(n).post(path(`/${name}/${row.id ?? row.purchase.id}/${way}`), body());
      };
      const step = async (): Promise<Answer | undefined> => {
        const what = chance();
        if (what < 0.5) {
          const scans = batch();
          const answer = await phone(n).post(path('/scans'), { scans });
          if (answer.status === 200)
            for (const [at, { reason }] of answer.body.results.entries())
              if (reason !== 'session-closed') answered.set(scans[at]!.client_id, scans[at]!);
          return answer;
        }
        if (what < 0.56) return manager(n).post(path('/close'));
        if (what < 0.64) return manager(n).post(path('/reopen'), { reason: 'Trop tôt' });
        if (what < 0.72) return decide('late-scans', ['accept', () => ({})], ['refuse', () => ({})]);
        if (what < 0.82)
          return decide(
            'unknown-codes',
            ['link', () => ({ purchase_id: pick(things).id })],
            ['dismiss', () => ({ reason: 'Autre société' })],
            ['reopen', () => ({})],
          );
        if (what < 0.86) return decide('misplaced', ['move', () => ({})], ['ignore', () => ({})]);
        if (what < 0.94) {
          const row = pick(await list(pick(['scans', 'unexpected'])));
          return row && manager(n).delete(path(`/scans/${row.scan_id ?? row.id}`));
        }
        if (what < 0.97) return manager(n).delete(`/purchases/${pick(things).id}`);
        return manager(n).patch(`/purchases/${pick(things).id}`, { location_id: pick([room, hall]) });
      };
      while (Date.now() < end) {
        const status = (await step())?.status ?? 0;
        seen[status] = (seen[status] ?? 0) + 1;
      }
    };
    const all = numbers(10).map(actor);
    await Promise.allSettled(all); // nothing may go on when one of them fails
    await Promise.all(all);
    expect(
      Object.keys(seen).filter((status) => !['0', '200', '404', '409', '422', '503'].includes(status)),
    ).toEqual([]);
    await t.app.get(FreezeService).freezeAll();
    await expectExact();
    const [{ kept }] = (await t.database.query(
      `SELECT count(*)::int AS kept FROM inventory_answers WHERE inventory_id = $1 AND client_id = ANY ($2)`,
      [session, [...answered.keys()]],
    )) as [{ kept: number }];
    expect(kept).toBe(answered.size);
  });
});
