import { randomUUID } from 'node:crypto';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, idsOf, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const SOLD = { date: '2026-03-01', reason: 'sold' };
const NOBODY = 2_147_483_647;

let t: TestApp;
let make: Factories;
let manager: Client;
let phone: Client;
let article: Row;

beforeAll(async () => {
  t = await startApp({ DATABASE_TIMEOUT_MS: '10000' }); // what waits here for its turn is to get it, on any machine
  make = factories(t);
  manager = t.as('manager');
  phone = t.as('operator');
  article = await make.article({ amortization_category_id: (await make.amortizationCategory()).id });
});
afterAll(() => t.stop());
afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

const buy = (fields: object = {}): Promise<Row> =>
  make.purchase({ article_id: article.id, purchase_date: '2025-01-01', purchase_price: 1000, ...fields });
const open = async (fields: object = {}): Promise<number> =>
  (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...fields })).body.id;
const close = (session: number) => manager.post(`/inventories/${session}/close`);
const dispose = (id: number, fields: object = {}, client = manager) =>
  client.post(`/purchases/${id}/dispose`, { ...SOLD, ...fields });
const undo = (id: number, client = manager) => client.post(`/purchases/${id}/dispose/undo`);
const scan = async (session: number, code: string, fields: object = {}): Promise<Row> =>
  (await phone.post(`/inventories/${session}/scan`, { code, ...fields })).body;
const list = async (path: string): Promise<Row[]> =>
  (await manager.get(`${path}${path.includes('?') ? '&' : '?'}per_page=200`)).body.data;
const progress = async (session: number): Promise<{ scanned: number; total: number }> => {
  const { scanned, total } = (await manager.get(`/inventories/${session}`)).body.progress;
  return { scanned, total };
};
const packed = async (session: number, id: number): Promise<Row> =>
  (await phone.get(`/inventories/${session}/pack`)).text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find((line) => line.id === id);
const problem = ({ status, body }: Answer) => [status, body.type];

describe('POST /purchases/{id}/dispose', () => {
  it('says when, why and for how much, and what it was worth', async () => {
    const purchase = await buy();
    expect(purchase.disposal).toBeNull();
    const answer = await dispose(purchase.id, { proceeds: 700.5, note: ' Vente aux agents ' });
    expect(answer.status).toBe(200);
    // Linear over 5 years: of 1 000.00 a year and two months and a day are gone.
    const disposal = {
      date: '2026-03-01',
      reason: 'sold',
      proceeds: 700.5,
      note: 'Vente aux agents',
      net_book_value: 766.11,
      gain: -65.61,
    };
    expect(answer.body).toMatchObject({ id: purchase.id, net_book_value: 766.11, disposal });
    expect((await manager.get(`/purchases/${purchase.id}`)).body).toEqual(answer.body);
    expect((await manager.get(`/scan/${purchase.code}`)).body.disposal).toEqual(disposal);
    const [listed] = await list(`/purchases?code=${purchase.code}`);
    expect(listed.disposal).toEqual(disposal);
    const { schedule } = (await manager.get(`/purchases/${purchase.id}/amortization`)).body;
    expect(schedule.at(-1)).toMatchObject({ to: '2026-03-01', annuity: 33.89, closing: 766.11 });
    const [entry] = (await t.as('admin').get(`/audit?resource=purchase&resource_id=${purchase.id}`)).body
      .data;
    expect(entry).toMatchObject({
      action: 'purchase.dispose',
      after: { disposed_on: '2026-03-01', disposal_reason: 'sold', disposal_proceeds: 700.5 },
    });
  });

  it('knows no gain where nothing is amortized, and counts no proceeds as none', async () => {
    const free = await buy({ article_id: (await make.article()).id });
    expect((await dispose(free.id, { proceeds: 10 })).body.disposal).toMatchObject({
      proceeds: 10,
      net_book_value: null,
      gain: null,
    });
    const lost = await buy();
    expect((await dispose(lost.id, { reason: 'lost' })).body.disposal).toMatchObject({
      proceeds: null,
      gain: -766.11,
    });
  });

  it('refuses a day before it was bought or to come, other reasons, and negative proceeds', async () => {
    const { id } = await buy();
    for (const [fields, names] of [
      [{ date: '2024-12-31' }, ['date']],
      [{ date: '2999-01-01' }, ['date']],
      [{ date: null, reason: 'eaten', proceeds: -1 }, ['date', 'reason', 'proceeds']],
      [{ net_book_value: 1 }, ['net_book_value']],
    ] as const)
      expect(new Set(refused(await dispose(id, fields)) as string[])).toEqual(new Set(names));
    expect(problem(await dispose(NOBODY))).toEqual([404, '/problems/not-found']);
    await dispose(id);
    expect(refused(await manager.patch(`/purchases/${id}`, { purchase_date: '2026-03-02' }))).toEqual([
      'purchase_date',
    ]);
  });

  it('happens once, and is undone once', async () => {
    const { id } = await buy();
    expect(problem(await undo(id))).toEqual([409, '/problems/not-disposed']);
    const [tag] = [(await manager.get(`/purchases/${id}`)).headers.get('etag')!];
    await dispose(id);
    expect(problem(await dispose(id, { reason: 'lost' }))).toEqual([409, '/problems/already-disposed']);
    const stale = await manager.send('POST', `/purchases/${id}/dispose/undo`, undefined, { 'if-match': tag });
    expect(problem(stale)).toEqual([412, '/problems/stale']);
    expect((await undo(id)).body.disposal).toBeNull();
    expect(problem(await undo(id))).toEqual([409, '/problems/not-disposed']);
  });

  it('is for managers', async () => {
    const { id } = await buy();
    expect((await dispose(id, {}, phone)).status).toBe(403);
    expect((await undo(id, phone)).status).toBe(403);
  });
});

describe('What was disposed of', () => {
  it('is listed unless told otherwise', async () => {
    const one = await make.article();
    const [gone, here] = [await buy({ article_id: one.id }), await buy({ article_id: one.id })];
    await dispose(gone.id);
    const ids = async (query: string) => idsOf(await list(`/purchases?article_id=${one.id}${query}`));
    expect(await ids('')).toEqual([gone.id, here.id]);
    expect(await ids('&disposed=any')).toEqual([gone.id, here.id]);
    expect(await ids('&disposed=true')).toEqual([gone.id]);
    expect(await ids('&disposed=false')).toEqual([here.id]);
    expect(refused(await manager.get('/purchases?disposed=1'))).toEqual(['disposed']);
  });

  it('is not worth anything from that day on, and all its value before', async () => {
    const category = await make.amortizationCategory();
    const { id: article_id } = await make.article({ amortization_category_id: category.id });
    const { id } = await buy({ article_id });
    await dispose(id);
    const on = async (day: string) =>
      (await manager.get(`/amortization?on=${day}`)).body.data.find(
        (row: Row) => row.category?.id === category.id,
      );
    expect(await on('2026-02-28')).toMatchObject({ count: 1, gross: 1000 });
    expect(await on('2026-03-01')).toBeUndefined();
  });

  it('leaves the open sessions that have not scanned it, and stays in the others', async () => {
    const [one, two] = [await buy(), await buy()];
    const session = await open();
    const closed = await open();
    await close(closed);
    const before = await progress(session);
    await scan(session, two.code);
    await dispose(one.id);
    await dispose(two.id);
    expect(await progress(session)).toEqual({ scanned: before.scanned + 1, total: before.total - 1 });
    expect(idsOf(await list(`/inventories/${session}/unscanned?article_id=${article.id}`))).not.toContain(
      one.id,
    );
    expect(await scan(session, two.code)).toMatchObject({ status: 'warning', reason: 'already-scanned' });
    expect(await progress(closed)).toEqual(before);
    const missing = async (query: string) => idsOf(await list(`/inventories/${closed}/unscanned?${query}`));
    expect(await missing('')).toContain(one.id);
    expect(await missing('disposed=false')).not.toContain(one.id);
    expect(await packed(session, one.id)).toMatchObject({ expected: false, disposed_on: '2026-03-01' });
    expect(await packed(session, two.id)).toMatchObject({ expected: true });
    expect(await progress(await open())).toEqual({ scanned: 0, total: before.total - 2 });
  });

  it('is told to phones that catch up with what is missing', async () => {
    const { id } = await buy();
    const session = await open();
    const path = `/inventories/${session}/unscanned?include_deleted=true&updated_since=`;
    const { synced_until } = (await phone.get(`${path}2000-01-01T00:00:00Z`)).body.meta;
    await dispose(id);
    const gone = (await phone.get(`${path}${synced_until}`)).body;
    expect([idsOf(gone.data), idsOf(gone.deleted)]).toEqual([[], [id]]);
    await undo(id);
    expect(idsOf((await phone.get(`${path}${gone.meta.synced_until}`)).body.data)).toEqual([id]);
  });

  it('is answered as disposed when it is scanned, alone or in a batch, and kept as unexpected once', async () => {
    const [one, two] = [await buy(), await buy()];
    const session = await open();
    await Promise.all([dispose(one.id), dispose(two.id)]);
    const before = await progress(session);
    const answer = await scan(session, one.code);
    expect(answer).toEqual({
      status: 'warning',
      reason: 'disposed',
      message: 'Sorti le 2026-03-01',
      code: one.code,
      scanned_at: expect.any(String),
      purchase: { id: one.id, code: one.code, article: { id: article.id, name: article.name } },
      scan_id: expect.any(Number),
      disposed_on: '2026-03-01',
    });
    const message = { client_id: randomUUID(), code: two.code };
    const scans = [message, { client_id: randomUUID(), code: one.code }];
    const send = () =>
      phone.send('POST', `/inventories/${session}/scans`, { scans }, { 'accept-language': 'en' });
    const { results } = (await send()).body;
    expect(results).toMatchObject([
      { reason: 'disposed', message: 'Disposed of on 2026-03-01', client_id: message.client_id },
      { reason: 'already-scanned', scan_id: answer.scan_id },
    ]);
    expect((await send()).body.results).toEqual(results);
    expect(await scan(session, one.code)).toMatchObject({ status: 'warning', reason: 'already-scanned' });
    expect(await list(`/inventories/${session}/unexpected`)).toMatchObject([
      { purchase: { id: one.id }, reason: 'disposed' },
      { purchase: { id: two.id }, reason: 'disposed' },
    ]);
    expect(await progress(session)).toEqual(before);
    const { figures } = (await manager.get(`/inventories/${session}/report`)).body;
    expect(figures.unexpected).toEqual({ count: 2, gross: 2000, net: 1532.22 });
    await manager.delete(`/inventories/${session}/scans/${answer.scan_id}`);
    expect(idsOf((await list(`/inventories/${session}/unexpected`)).map(({ purchase }) => purchase))).toEqual(
      [two.id],
    );
  });

  it('leaves a session when its scan is undone', async () => {
    const { id, code } = await buy();
    const session = await open();
    const before = await progress(session);
    const { scan_id } = await scan(session, code);
    await dispose(id);
    await manager.delete(`/inventories/${session}/scans/${scan_id}`);
    expect(await progress(session)).toEqual({ ...before, total: before.total - 1 });
  });
});

describe('POST /purchases/{id}/dispose/undo', () => {
  it('lets it join open sessions like a new one, within their scopes', async () => {
    const location_id = (await make.location()).id;
    const [there, elsewhere] = [await buy({ location_id }), await buy()];
    for (const { id } of [there, elsewhere]) await dispose(id);
    const [all, scoped] = [await open(), await open({ location_ids: [location_id] })];
    const before = await progress(all);
    for (const { id } of [there, elsewhere]) await undo(id);
    expect(await progress(all)).toEqual({ ...before, total: before.total + 2 });
    expect(await progress(scoped)).toEqual({ scanned: 0, total: 1 });
    expect(idsOf(await list(`/inventories/${scoped}/unscanned`))).toEqual([there.id]);
    expect(await scan(scoped, there.code)).toMatchObject({ status: 'success' });
  });

  it('counts it as scanned where it was scanned meanwhile, as of that scan', async () => {
    const purchase = await buy({ location_id: (await make.location()).id });
    await dispose(purchase.id);
    const session = await open();
    const before = await progress(session);
    const message = {
      client_id: randomUUID(),
      location_id: (await make.location()).id,
      note: 'Dans la cave',
    };
    const answer = await scan(session, purchase.code, message);
    expect(answer).toMatchObject({ reason: 'disposed', misplaced: true });
    const { synced_until } = (
      await phone.get(`/inventories/${session}/unexpected?updated_since=2000-01-01T00:00:00Z`)
    ).body.meta;
    await undo(purchase.id);
    expect(await progress(session)).toEqual({ scanned: before.scanned + 1, total: before.total + 1 });
    const [entry] = await list(`/inventories/${session}/scans`);
    expect(entry).toMatchObject({
      purchase: { id: purchase.id },
      scanned_at: answer.scanned_at,
      note: 'Dans la cave',
    });
    expect(entry.id).not.toBe(answer.scan_id);
    expect(await list(`/inventories/${session}/unexpected`)).toEqual([]);
    expect(await list(`/inventories/${session}/misplaced`)).toMatchObject([{ scan_id: entry.id }]);
    const since = `updated_since=${synced_until}&include_deleted=true`;
    const changes = (await phone.get(`/inventories/${session}/unexpected?${since}`)).body;
    expect(idsOf(changes.deleted)).toEqual([answer.scan_id]);
    expect(await scan(session, purchase.code, message)).toEqual({ ...answer, scan_id: entry.id });
    expect(await scan(session, purchase.code)).toMatchObject({
      reason: 'already-scanned',
      scan_id: entry.id,
    });
    await manager.delete(`/inventories/${session}/scans/${entry.id}`);
    expect(await progress(session)).toEqual({ ...before, total: before.total + 1 });
  });

  it('does so too in a session that was closed in between, once it is open again', async () => {
    const purchase = await buy();
    await dispose(purchase.id);
    const session = await open();
    const before = await progress(session);
    await scan(session, purchase.code);
    await close(session);
    await undo(purchase.id);
    expect(await progress(session)).toEqual(before);
    expect(idsOf((await list(`/inventories/${session}/unexpected`)).map((row) => row.purchase))).toEqual([
      purchase.id,
    ]);
    await manager.post(`/inventories/${session}/reopen`, { reason: 'Clôturé trop tôt' });
    expect(await progress(session)).toEqual({ scanned: before.scanned + 1, total: before.total + 1 });
    expect((await close(session)).status).toBe(200);
  });
});

describe('POST /inventories/{id}/dispose-missing', () => {
  const lost = { date: '2026-11-16', reason: 'lost', note: 'Inventaire 2026' };
  const settle = (session: number, purchase_ids: number[], fields: object = {}, client = manager) =>
    client.post(`/inventories/${session}/dispose-missing`, { ...lost, purchase_ids, ...fields });

  it('disposes of all that are named, and leaves the session as it was closed', async () => {
    const [one, two] = [await buy(), await buy()];
    const session = await open();
    expect(problem(await settle(session, [one.id]))).toEqual([409, '/problems/session-open']);
    await close(session);
    const report = async () => (await manager.get(`/inventories/${session}/report`)).body;
    const before = await report();
    const answer = await settle(session, [two.id, one.id]);
    expect([answer.status, answer.body]).toEqual([200, { disposed: 2, purchase_ids: [two.id, one.id] }]);
    for (const { id } of [one, two])
      expect((await manager.get(`/purchases/${id}`)).body.disposal).toMatchObject({
        ...lost,
        proceeds: null,
      });
    expect(await report()).toEqual(before);
    const left = idsOf(await list(`/inventories/${session}/unscanned?disposed=false`));
    expect(left).not.toContain(one.id);
    const { total } = await progress(session);
    await manager.post(`/inventories/${session}/reopen`, { reason: 'Clôturé trop tôt' });
    expect(await progress(session)).toMatchObject({ total: total - 2 });
  });

  it('disposes of none where one was scanned, is gone, or is not there, and names it', async () => {
    const [missing, scanned, sold, deleted, later] = [
      await buy(), await buy(), await buy(), await buy(), await buy({ purchase_date: '2026-11-17' }),
    ]; // prettier-ignore
    const session = await open();
    await scan(session, scanned.code);
    await close(session);
    const unexpected = await buy();
    await dispose(sold.id);
    await manager.delete(`/purchases/${deleted.id}`);
    const ids = idsOf([missing, scanned, sold, deleted, later, unexpected, { id: NOBODY }]);
    const answer = await settle(session, ids);
    expect(refused(answer)).toEqual([1, 2, 3, 4, 5, 6].map((at) => `purchase_ids.${at}`));
    expect((await manager.get(`/purchases/${missing.id}`)).body.disposal).toBeNull();
    const wrong = await settle(session, [missing.id, unexpected.id, scanned.id]);
    expect(refused(wrong)).toEqual(['purchase_ids.1', 'purchase_ids.2']);
  });

  it('waits for the report that it would change otherwise', async () => {
    const { id } = await buy();
    const session = await open();
    await t.database.query(
      `ALTER TABLE inventory_frozen ADD CONSTRAINT none CHECK (inventory_id <> ${session})`,
    );
    await close(session);
    expect((await settle(session, [id])).status).toBe(503);
    expect((await manager.get(`/purchases/${id}`)).body.disposal).toBeNull();
    await t.database.query(`ALTER TABLE inventory_frozen DROP CONSTRAINT none`);
    expect((await settle(session, [id])).status).toBe(200);
  });

  it('refuses what is no list of ids, a day to come, and who may not', async () => {
    const { id } = await buy();
    const session = await open();
    await close(session);
    expect(refused(await settle(session, []))).toEqual(['purchase_ids']);
    expect(refused(await settle(session, [id, id]))).toEqual(['purchase_ids']);
    expect(refused(await settle(session, [id], { date: '2999-01-01' }))).toEqual(['date']);
    expect(refused(await settle(session, [id], { proceeds: 1 }))).toEqual(['proceeds']);
    expect((await settle(NOBODY, [id])).status).toBe(404);
    expect((await settle(session, [id], {}, phone)).status).toBe(403);
  });
});

describe('At the same time', () => {
  const ROUNDS = 6;
  const numbers = (count: number) => [...Array(count).keys()];
  const exact = async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]);
  const again = async <T extends { status: number }>(ask: () => Promise<T>): Promise<T> => {
    for (let answer = await ask(); ; answer = await ask()) if (answer.status !== 503) return answer;
  };

  it('a scan is before a disposal or after it: recorded, or answered as disposed', async () => {
    const session = await open();
    for (const round of numbers(ROUNDS)) {
      const purchases = await Promise.all(numbers(6).map(() => buy()));
      const read = ({ code }: Row, plain: boolean) =>
        again(() =>
          phone.post(`/inventories/${session}/scan`, { code, ...(!plain && { client_id: randomUUID() }) }),
        );
      const answers = await Promise.all(
        purchases.flatMap((one, n) => [
          read(one, n % 2 === 0),
          again(() => dispose(one.id)),
          read(one, n % 3 === 0),
          ...(round % 2 ? [again(() => undo(one.id))] : []),
        ]),
      );
      for (const { status, body } of answers) {
        if (body.message) expect(body.reason).toMatch(/^(recorded|disposed|already-scanned)$/);
        else expect([200, 409]).toContain(status);
      }
      await exact();
      for (const { code } of purchases) expect((await scan(session, code)).reason).toBe('already-scanned');
    }
    expect((await close(session)).status).toBe(200);
    expect((await manager.get(`/inventories/${session}/report`)).status).toBe(200);
  });

  it('of disposals of one thing, and of undoings, one happens', async () => {
    const session = await open();
    const { id } = await buy();
    const before = await progress(session);
    for (const change of [dispose, undo]) {
      const answers = await Promise.all(numbers(8).map(() => again(() => change(id))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...numbers(7).map(() => 409)]);
      await exact();
    }
    expect(await progress(session)).toEqual(before);
  });

  it('what is missing is disposed of once the session is closed, by one of many, whole or not at all', async () => {
    for (const round of numbers(ROUNDS)) {
      const purchases = await Promise.all(numbers(4).map(() => buy({ code: unique('M') })));
      const session = await open();
      const settle = () =>
        again(() =>
          manager.post(`/inventories/${session}/dispose-missing`, {
            date: '2026-11-16', reason: 'lost', purchase_ids: idsOf(purchases),
          }),
        ); // prettier-ignore
      if (round % 2) await close(session);
      const others =
        round % 2
          ? () => manager.post(`/inventories/${session}/reopen`, { reason: 'Trop tôt' })
          : () => close(session);
      const answers = await Promise.all([settle(), again(others), settle(), settle(), settle()]);
      const settled = answers.filter(({ body }) => body.disposed !== undefined).length;
      expect(settled).toBeLessThanOrEqual(1);
      for (const { id } of purchases)
        expect((await manager.get(`/purchases/${id}`)).body.disposal === null).toBe(settled === 0);
      await exact();
    }
  });
});
