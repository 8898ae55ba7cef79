import { randomUUID } from 'node:crypto';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, idsOf, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 2_147_483_647;

let t: TestApp;
let make: Factories;
let manager: Client & { userId: number };
let phone: Client & { userId: number };
let other: Client & { userId: number };
let article: Row;
let session: number;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = await t.asNewUser('maelle', 'manager');
  phone = await t.asNewUser('erwan', 'operator');
  other = await t.asNewUser('yann', 'operator');
  article = await make.article();
});
afterAll(() => t.stop());
beforeEach(() => open());
afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

async function open(fields: object = {}): Promise<void> {
  const { body } = await manager.post('/inventories', {
    year: 2026,
    inventory_date: '2026-11-16',
    ...fields,
  });
  session = body.id;
}
const path = (rest: string) => `/inventories/${session}${rest}`;
const buy = (fields: object = {}): Promise<Row> => make.purchase({ article_id: article.id, ...fields });
const scan = async (fields: object, client: Client = phone): Promise<Row> =>
  (await client.post(path('/scan'), fields)).body;
const send = async (scans: object[], client: Client = phone): Promise<Row[]> =>
  (await client.post(path('/scans'), { scans })).body.results;
const item = (code: string, fields: object = {}) => ({ client_id: randomUUID(), code, ...fields });
const list = async (query = ''): Promise<Row[]> =>
  (await manager.get(path(`/unknown-codes?per_page=200${query}`))).body.data;
const scans = async (query = ''): Promise<Row[]> =>
  (await manager.get(path(`/scans?per_page=200${query}`))).body.data;
const figures = async () => (await manager.get(path(''))).body.progress;
const decide = (id: number, what: string, body?: object, client: Client = manager) =>
  client.post(path(`/unknown-codes/${id}/${what}`), body);
const link = (id: number, purchase_id: number, client?: Client) =>
  decide(id, 'link', { purchase_id }, client);
const dismiss = (id: number) => decide(id, 'dismiss', { reason: 'Étiquette du fournisseur' });
const audit = async (action: string) =>
  (await t.as('admin').get(`/audit?action=${action}&per_page=1`)).body.data[0];
/** What stands behind the company in a GIAI. */
const anAsset = () => unique('Z').replace(/\W/g, '').toUpperCase();
const problem = ({ status, body }: Answer) => [status, body.type];
const ALREADY_DECIDED = [409, '/problems/already-decided'];
const SESSION_CLOSED = [409, '/problems/session-closed'];

/** A code that was read, and the row that is kept of it. */
async function read(code = unique('VENDOR'), fields: object = {}): Promise<Row> {
  await scan({ code, ...fields });
  return (await list()).find((row) => row.code === code);
}

describe('A code that nobody knows', () => {
  it('is kept once, with how often, when, by whom and where it was read', async () => {
    const [room, hall] = [await make.location(), await make.location()];
    const code = unique(']C1https://vendor.example/a/N');
    const first = await scan({ code, location_id: room.id, note: ' Derrière l’armoire ' });
    expect(first).toMatchObject({ status: 'error', reason: 'unknown-code', message: 'Code inconnu', code });
    expect(first).toMatchObject({ purchase: null, scan_id: null, misplaced: false, expected_location: null });
    await scan({ code: code.slice(3), location_id: hall.id }, other);
    const last = await scan({ code: code.toLowerCase(), location_id: room.id, note: 'encore' }, other);
    const shown = ({ id, name, path: full }: Row) => ({ id, name, path: full });
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        code,
        cleaned: code.split('/').at(-1),
        times: 3,
        first_seen: { at: INSTANT, by: { id: phone.userId, name: 'User erwan' } },
        source: null,
        last_seen: { at: INSTANT, by: { id: other.userId, name: 'User yann' } },
        locations: [shown(room), shown(hall)],
        notes: ['Derrière l’armoire', 'encore'],
        status: 'open',
        resolution: null,
        deleted_purchase: null,
      },
    ]);
    const [row] = await list();
    expect(Math.abs(Date.parse(row.first_seen.at) - Date.parse(first.scanned_at))).toBeLessThan(1000);
    expect(Math.abs(Date.parse(row.last_seen.at) - Date.parse(last.scanned_at))).toBeLessThan(1000);
    expect(row.last_seen.at > row.first_seen.at).toBe(true);
    expect(await figures()).toMatchObject({ scanned: 0 });
    await open();
    expect(await list()).toEqual([]);
  });

  it('is counted exactly, however many phones read it at once, over two instances', async () => {
    const second = await startApp({}, t.database);
    const clients = [phone, other, second.as('operator'), second.as('manager')];
    const code = unique('RUSH');
    const message = item(code);
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const client = clients[n % 4]!;
        if (n % 3 === 0) return scan({ code }, client);
        if (n % 3 === 1) return send([item(code), item(code.toLowerCase()), item(unique('RUSH'))], client);
        return scan(message, client); // the same one all the time
      }),
    );
    const rows = await list();
    expect(rows.filter((row) => row.code.toLowerCase() === code.toLowerCase())).toMatchObject([
      { times: 8 + 16 + 1 },
    ]);
    expect(rows).toHaveLength(1 + 8);
    expect(rows.reduce((sum: number, { times }) => sum + Number(times), 0)).toBe(8 + 24 + 1);
    await second.stop();
  });

  it('counts a message once', async () => {
    const message = item(unique('VENDOR'));
    const answer = await scan(message);
    expect(await scan(message, other)).toEqual(answer);
    expect(await send([message, item(unique('VENDOR'))])).toMatchObject([answer, { reason: 'unknown-code' }]);
    expect((await list()).map(({ times }) => times)).toEqual([1, 1]);
  });

  it.each<[string, string]>([
    ['2 048 characters', 'é'.repeat(2048)],
    ['2 048 emoji', '🪑'.repeat(2048)],
    ['a URL of 2 048 characters', `https://vendor.example/${'x'.repeat(2025)}`],
    ['NUL', 'A\0B'],
    ['nothing but NUL', '\0'],
    ['a lone surrogate', 'A\uD83EB'],
    ['nothing but a lone surrogate', '\uDC00'],
    ['nothing that is seen', '\u200B\u202E'],
    ['a sharp s', 'STRASSE-ß'],
    ['a quote, a bracket and a line', `"];DROP\u2028'%_\\`],
  ])('may have %s', async (_, code) => {
    expect(await scan({ code })).toMatchObject({ reason: 'unknown-code', code });
    expect(await send([item(code), item(code)])).toMatchObject([{ code }, { code }]);
    const rows = await list();
    expect(rows).toMatchObject([{ times: 3, code: code.toWellFormed().replaceAll('\0', '\uFFFD') }]);
    expect((await dismiss(rows[0].id)).status).toBe(200);
    await manager.post(path('/close'));
    const late = item(code, { scanned_at: '2026-01-01T00:00:00Z' });
    expect(await scan(late)).toMatchObject({ reason: 'late', code });
    expect(await scan(late)).toMatchObject({ reason: 'late', code });
  });

  it('is refused where it is longer than that', async () => {
    for (const code of ['x'.repeat(2049), '🪑'.repeat(2049), ' \t'])
      expect(refused(await phone.post(path('/scan'), { code }))).toEqual(['code']);
    expect(await list()).toEqual([]);
  });

  it('is one where the case differs only', async () => {
    const [lower, upper] = [unique('straße-é').toLowerCase(), unique('X')];
    await scan({ code: lower });
    await scan({ code: upper.toLowerCase() });
    await scan({ code: upper });
    await send([item(lower.toUpperCase()), item(lower.normalize('NFD'))]);
    expect((await list()).map(({ code, times }) => [code, times])).toEqual([
      [lower, 3],
      [upper.toLowerCase(), 2],
    ]);
  });

  it('names the deleted purchase that had it', async () => {
    const gone = await buy();
    await manager.delete(`/purchases/${gone.id}`);
    const row = await read(gone.code);
    const { id, code } = gone;
    expect(row.deleted_purchase).toEqual({ id, code, article: { id: article.id, name: article.name } });
    const one = await buy();
    expect(refused(await link(row.id, one.id))).toEqual(['purchase_id']);
    expect(refused(await link(row.id, id))).toEqual(['purchase_id']);
    expect(await list()).toMatchObject([{ status: 'open' }]);
  });

  it('names the deleted purchase whose GS1 or EPC it is', async () => {
    const gs1 = ['(8004)0614141ZZ9'];
    const gone = await make.purchase({ article_id: article.id, gs1 });
    await manager.delete(`/purchases/${gone.id}`);
    for (const code of [
      ']C180040614141ZZ9',
      'https://id.gs1.org/8004/0614141ZZ9',
      'urn:epc:id:giai:0614141.ZZ9',
    ])
      expect((await read(code)).deleted_purchase).toMatchObject({ id: gone.id });
  });

  it('keeps the first 20 places and notes', async () => {
    const places: Row[] = []; // one after the other: whoever makes one waits for the tree
    while (places.length < 22) places.push(await make.location());
    const code = unique('VENDOR');
    for (const [n, { id: location_id }] of places.entries())
      await scan({ code, location_id, note: `Note ${n}` });
    const [row] = await list();
    expect(row).toMatchObject({ times: 22, notes: places.slice(0, 20).map((_, n) => `Note ${n}`) });
    expect(idsOf(row.locations)).toEqual(idsOf(places.slice(0, 20)));
    const again = unique('VENDOR');
    const scans = [...places, ...places].map(({ id: location_id }) => ({
      client_id: randomUUID(),
      code: again,
      location_id,
    }));
    await phone.post(path('/scans'), { scans });
    const [, together] = await list();
    expect(together).toMatchObject({ code: again, times: 44 });
    expect(idsOf(together.locations)).toEqual(idsOf(places.slice(0, 20)));
  });
});

describe('The list of unknown codes', () => {
  it('is filtered by status and text, and sorted', async () => {
    const codes = ['Écran-1', 'ecran-2', 'Chaise%', 'chaise_x'].map((code) => unique(code));
    for (const [n, code] of codes.entries()) await send(Array.from({ length: 4 - n }, () => item(code)));
    const [one, two, three, four] = await list();
    await dismiss(two.id);
    await link(three.id, (await buy()).id);
    const found = async (query: string) => idsOf(await list(`&${query}`));
    expect(await found('status=open')).toEqual([one.id, four.id]);
    expect(await found('status=dismissed')).toEqual([two.id]);
    expect(await found('status=linked')).toEqual([three.id]);
    expect(await found('search=ECRAN')).toEqual([one.id, two.id]);
    expect(await found('search=%25')).toEqual([three.id]);
    expect(await found('search=_x')).toEqual([four.id]);
    expect(await found('search=ecran&status=open')).toEqual([one.id]);
    expect(await found('sort=times')).toEqual(idsOf([four, three, two, one]));
    expect(await found('sort=-last_seen')).toEqual(idsOf([four, three, two, one]));
    const by = (sort: string) => readByCursor(t.as('viewer'), path(`/unknown-codes?per_page=1&sort=${sort}`));
    for (const sort of ['id', '-id', 'times', '-times', 'last_seen', '-last_seen'])
      expect(idsOf(await by(sort))).toEqual(await found(`sort=${sort}`));
    for (const [query, field] of [
      ['status=closed', 'status'],
      ['sort=code', 'sort'],
      ['x=1', 'x'],
      ['updated_since=x', 'updated_since'],
    ])
      expect(refused(await manager.get(path(`/unknown-codes?${query}`)))).toEqual([field]);
  });

  it('tells what has changed since', async () => {
    const [one, two] = [await read(), await read()];
    const since = async (query = '') => (await manager.get(path(`/unknown-codes?${query}`))).body;
    const { meta } = await since('updated_since=2000-01-01T00:00:00Z');
    const changed = async () => idsOf((await since(`updated_since=${meta.synced_until}`)).data);
    expect(await changed()).toEqual([]);
    await scan({ code: two.code });
    expect(await changed()).toEqual([two.id]);
    await dismiss(one.id);
    expect(await changed()).toEqual([two.id, one.id]);
    await decide(two.id, 'dismiss', { reason: 'abc' });
    await decide(one.id, 'reopen');
    expect(await changed()).toEqual([two.id, one.id]);
  });

  it('is for who may see the session', async () => {
    await read();
    expect((await t.anonymous.get(path('/unknown-codes'))).status).toBe(401);
    expect((await (await t.asNewUser('nobody')).get(path('/unknown-codes'))).status).toBe(403);
    expect((await t.as('viewer').get(path('/unknown-codes'))).body.data).toHaveLength(1);
    expect((await manager.get(`/inventories/${NOBODY}/unknown-codes`)).status).toBe(404);
  });
});

describe('Deciding on a code', () => {
  it.each<[string, object]>([
    ['link', { purchase_id: 1 }],
    ['dismiss', { reason: 'abc' }],
    ['reopen', {}],
  ])('%s: takes the right, the session and the code', async (what, body) => {
    const { id } = await read();
    if (what === 'link') Object.assign(body, { purchase_id: (await buy()).id });
    expect((await decide(id, what, body, t.anonymous)).status).toBe(401);
    for (const client of [phone, t.as('viewer')])
      expect((await decide(id, what, body, client)).status).toBe(403);
    for (const nothing of [Number(id) + 1000, 0, 'x', '9007199254740993'])
      expect((await decide(nothing as number, what, body)).status).toBe(404);
    expect((await manager.post(`/inventories/${NOBODY}/unknown-codes/${id}/${what}`, body)).status).toBe(404);
    const before = session;
    await open();
    expect((await decide(id, what, body)).status).toBe(404); // of another session
    session = before;
    if (what === 'reopen') await dismiss(id);
    await manager.post(path('/close'));
    expect(problem(await decide(id, what, body))).toEqual(SESSION_CLOSED);
    expect(problem(await link(id, NOBODY))).toEqual(SESSION_CLOSED);
    expect(await list()).toMatchObject([{ status: what === 'reopen' ? 'dismissed' : 'open' }]);
  });

  it.each<[string, unknown, string]>([
    ['link', {}, 'purchase_id'],
    ['link', { purchase_id: null }, 'purchase_id'],
    ['link', { purchase_id: '1' }, 'purchase_id'],
    ['link', { purchase_id: 0 }, 'purchase_id'],
    ['link', { purchase_id: NOBODY }, 'purchase_id'],
    ['link', { purchase_id: NOBODY, x: 1 }, 'x'],
    ['dismiss', {}, 'reason'],
    ['dismiss', { reason: null }, 'reason'],
    ['dismiss', { reason: ' ab ' }, 'reason'],
    ['dismiss', { reason: 'x'.repeat(501) }, 'reason'],
    ['dismiss', { reason: 'a\0bc' }, 'reason'],
  ])('%s is refused with %j', async (what, body, field) => {
    const { id } = await read();
    expect(refused(await decide(id, what, body as object))).toContain(field);
    expect(await list()).toMatchObject([{ status: 'open' }]);
  });

  it('dismisses it with a reason; read again it stays so, and counts', async () => {
    const { id, code } = await read();
    for (const reason of ['abc', '😀'.repeat(500)]) {
      const { status, body } = await decide(id, 'dismiss', { reason: ` ${reason} ` });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          status: 'dismissed',
          resolution: {
            purchase: null,
            reason,
            at: INSTANT,
            by: { id: manager.userId, name: 'User maelle' },
          },
        }),
      ]);
      expect(await audit('unknown_code.dismiss')).toMatchObject({
        user_id: manager.userId,
        resource: 'inventory',
        resource_id: session,
        after: { code, reason },
      });
      expect(problem(await decide(id, 'dismiss', { reason }))).toEqual(ALREADY_DECIDED);
      for (const purchase of [(await buy()).id, NOBODY])
        expect(problem(await link(id, purchase))).toEqual(ALREADY_DECIDED);
      expect(await scan({ code })).toMatchObject({ reason: 'unknown-code' });
      expect(await list()).toEqual([
        { ...body, times: Number(body.times) + 1, last_seen: { at: INSTANT, by: expect.anything() } },
      ]);
      expect((await decide(id, 'reopen')).body).toMatchObject({ status: 'open', resolution: null });
      expect((await audit('unknown_code.reopen')).after).toEqual({ code });
      expect(problem(await decide(id, 'reopen'))).toEqual(ALREADY_DECIDED);
    }
  });

  it('is done once, however many do it', async () => {
    const { id } = await read();
    const two = [await buy(), await buy()];
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => link(id, two[n % 2].id)),
      ...Array.from({ length: 3 }, () => dismiss(id)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(8).fill(409)]);
    const [row] = await list();
    const linked = row.status === 'linked' ? [row.resolution.purchase.id] : [];
    expect((await scans()).map(({ purchase }) => purchase.id)).toEqual(linked);
  });

  it('says what is wrong in both languages', async () => {
    const { id, code } = await read();
    const label = await buy({ code: unique('OTHER') });
    await scan({ code: label.code });
    const told = async (language: string, body: object) =>
      (await manager.send('POST', path(`/unknown-codes/${id}/link`), body, { 'accept-language': language }))
        .body;
    await t.database.query(`INSERT INTO purchase_codes VALUES (code_key($1), $2)`, [code, label.id]);
    const { id: purchase_id } = await buy();
    expect((await told('fr', { purchase_id })).errors.purchase_id).toEqual([
      'n’a pas ce code : il est celui d’un autre bien',
    ]);
    expect((await told('en', { purchase_id })).errors.purchase_id).toEqual([
      'has a code already that is this one of another purchase',
    ]);
    const missing = (language: string) =>
      manager.send(
        'POST',
        path(`/unknown-codes/9999999/dismiss`),
        { reason: 'abc' },
        { 'accept-language': language },
      );
    expect((await missing('fr')).body.detail).toBe('L’inventaire n’a pas ce code inconnu.');
    expect((await missing('en')).body.detail).toBe('The session has no such unknown code.');
  });
});

describe('A code that is linked', () => {
  it('counts its purchase from the first instant at which it was read', async () => {
    const room = await make.location();
    const code = unique('VENDOR');
    const device = new Date(Date.now() - 3000).toISOString();
    const remarks = { condition: 'damaged', note: 'Un', source: 'camera' };
    const message = item(code, { location_id: room.id, scanned_at: device, ...remarks });
    await scan(message);
    await scan({ code, condition: 'good', note: 'Deux' }, other);
    const [before] = await list();
    const purchase = await buy({ location_id: (await make.location()).id });
    const progress = await figures();
    const { synced_until: since } = (await manager.get(path('/scans?updated_since=2000-01-01T00:00:00Z')))
      .body.meta;
    const { status, body } = await link(before.id, purchase.id);
    const shown = { id: purchase.id, code: purchase.code, article: { id: article.id, name: article.name } };
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        status: 'linked',
        resolution: {
          purchase: shown,
          reason: null,
          at: INSTANT,
          by: { id: manager.userId, name: 'User maelle' },
        },
      },
    ]);
    expect(await list()).toEqual([body]);
    expect(await figures()).toMatchObject({ scanned: Number(progress.scanned) + 1, total: progress.total });
    const [entry] = await scans();
    expect(entry).toMatchObject({
      scanned_at: before.first_seen.at,
      scanned_by: before.first_seen.by,
      purchase: shown,
      device_scanned_at: device,
      location: { id: room.id },
      ...remarks,
    });
    const changes = (await manager.get(path(`/scans?updated_since=${since}`))).body.data;
    expect(changes).toEqual([entry]);
    const missing = await manager.get(path(`/unscanned?updated_since=${since}&include_deleted=true`));
    expect(idsOf(missing.body.deleted)).toContain(purchase.id);
    const misplaced = (await manager.get(path('/misplaced'))).body.data;
    expect(misplaced).toMatchObject([{ purchase: { id: purchase.id }, at: before.first_seen.at }]);
    expect(await audit('unknown_code.link')).toMatchObject({
      user_id: manager.userId,
      resource: 'inventory',
      resource_id: session,
      after: { code, purchase_id: purchase.id },
    });
    const { data } = (await manager.get(`/purchases/${purchase.id}/history?kind=changed`)).body;
    expect(data[0]).toMatchObject({
      user: { id: manager.userId },
      changes: { linked_code: { from: null, to: code } },
    });
    expect(await scan({ code })).toMatchObject({
      reason: 'already-scanned',
      scan_id: entry.id,
      first_scan: { at: entry.scanned_at, by: { id: phone.userId } },
    });
    for (const what of ['reopen', 'dismiss'])
      expect(problem(await decide(before.id, what, what === 'dismiss' ? { reason: 'abc' } : {}))).toEqual(
        ALREADY_DECIDED,
      );
  });

  it('is one of its codes for ever: the label of today is told, and what matched', async () => {
    const purchase = await buy();
    const row = await read(unique('https://vendor.example/a/N'));
    await link(row.id, purchase.id);
    for (const code of [row.code, row.cleaned, row.cleaned.toLowerCase(), ` ]Q3${row.cleaned}\r\n`]) {
      const found = await t.as('viewer').get(`/scan/${encodeURIComponent(code)}`);
      expect([found.status, found.body.id, found.body.code]).toEqual([200, purchase.id, purchase.code]);
    }
    await open();
    const message = item(row.code.toLowerCase());
    expect(await scan(message)).toMatchObject({
      status: 'success',
      reason: 'recorded',
      code: row.cleaned,
      purchase: { id: purchase.id, code: purchase.code },
    });
    expect(await scan({ code: purchase.code })).toMatchObject({
      reason: 'already-scanned',
      code: purchase.code,
    });
    expect(await list()).toEqual([]);
    const label = unique('NEW').replace(' ', '-');
    expect((await manager.patch(`/purchases/${purchase.id}`, { code: label })).status).toBe(200);
    expect(await scan({ code: row.cleaned })).toMatchObject({
      reason: 'already-scanned',
      code: row.cleaned,
      purchase: { code: label },
    });
    const taken = { article_id: article.id, purchase_date: '2026-01-15', code: row.cleaned };
    expect(refused(await manager.post('/purchases', taken))).toEqual(['code']);
    await manager.delete(`/purchases/${purchase.id}`);
    expect((await manager.get(`/scan/${encodeURIComponent(row.cleaned)}`)).status).toBe(404);
    expect(await scan({ code: row.cleaned })).toMatchObject({ reason: 'already-scanned' });
    await open();
    expect(await scan({ code: row.cleaned })).toMatchObject({ reason: 'unknown-code', code: row.cleaned });
    expect(await list()).toMatchObject([{ code: row.cleaned, deleted_purchase: { id: purchase.id } }]);
  });

  it.each(['A\0B', '\0', 'A\uD83EB', '\uDC00', '\u200B', '🪑'.repeat(64), '&?#/é'].map((code) => [code]))(
    'is found again as it was read: %j',
    async (code) => {
      const { id } = await buy();
      await scan({ code });
      const [row] = await list();
      expect(await link(row.id, id)).toMatchObject({ status: 200 });
      await open();
      expect(await scan({ code })).toMatchObject({ reason: 'recorded', purchase: { id } });
      expect(await send([item(code)])).toMatchObject([{ reason: 'already-scanned', purchase: { id } }]);
      await t.database.query(`DELETE FROM purchase_codes WHERE alias IS NOT NULL`);
    },
  );

  it('cannot be longer than a label', async () => {
    const row = await read('y'.repeat(65));
    expect(refused(await link(row.id, (await buy()).id))).toEqual(['purchase_id']);
  });

  it('changes nothing where its purchase is scanned already', async () => {
    const purchase = await buy();
    const first = await scan({ code: purchase.code }, other);
    const row = await read();
    const held = await scans();
    expect((await link(row.id, purchase.id)).body.status).toBe('linked');
    expect(await scans()).toEqual(held);
    expect(await figures()).toMatchObject({ scanned: 1 });
    expect(await scan({ code: row.code })).toMatchObject({ scan_id: first.scan_id });
  });

  it('is unexpected where its purchase is out of scope', async () => {
    const { id } = await make.location();
    await open({ location_ids: [id] });
    const purchase = await buy();
    const row = await read();
    await link(row.id, purchase.id);
    expect(await figures()).toEqual({ scanned: 0, total: 0, percentage: 0 });
    expect((await manager.get(path('/unexpected'))).body.data).toMatchObject([
      { purchase: { id: purchase.id }, scanned_at: row.first_seen.at, scanned_by: { id: phone.userId } },
    ]);
    expect(await scan({ code: row.code })).toMatchObject({ reason: 'already-scanned' });
  });

  it('cannot be another’s, be it once; it may be one that its own label had', async () => {
    const [one, two] = [await buy(), await buy()];
    const before = one.code;
    await manager.patch(`/purchases/${one.id}`, { code: unique('NEW') });
    const row = await read(before);
    expect(row).toMatchObject({ status: 'open', deleted_purchase: null });
    expect(refused(await link(row.id, two.id))).toEqual(['purchase_id']);
    expect((await link(row.id, one.id)).body).toMatchObject({ status: 'linked' });
    expect(await scan({ code: before })).toMatchObject({ reason: 'already-scanned', code: before });
    expect((await manager.get(`/scan/${encodeURIComponent(before)}`)).body.id).toBe(one.id);
  });

  it.each(['epc', 'gs1', 'label'])('cannot be another’s that has it since as its %s', async (as) => {
    const serial = anAsset();
    const [code, fields] = {
      epc: [`urn:epc:id:giai:0614141.${serial}`, { epc: `urn:epc:id:giai:0614141.${serial}` }],
      gs1: [`80040614141${serial}`, { gs1: [`(8004)0614141${serial}`] }],
      label: [`https://ex.example/a/${serial}`, { code: `https://ex.example/a/${serial}` }],
    }[as] as [string, object];
    const row = await read(code);
    const [its, other] = [await buy(fields), await buy()];
    expect(refused(await link(row.id, other.id))).toEqual(['purchase_id']);
    expect((await link(row.id, its.id)).body.status).toBe('linked');
    expect(await scan({ code })).toMatchObject({ reason: 'already-scanned', purchase: { id: its.id } });
  });

  it('is one of its codes in every spelling of GS1', async () => {
    const serial = anAsset();
    const [{ id }, other] = [await buy(), await buy()];
    await link((await read(`80040614141${serial}`)).id, id);
    for (const code of [`(8004)0614141${serial}`, `https://id.gs1.org/8004/0614141${serial}`])
      expect(await scan({ code })).toMatchObject({ reason: 'already-scanned', purchase: { id } });
    const taken = await manager.patch(`/purchases/${other.id}`, { gs1: [`(8004)0614141${serial}`] });
    expect(refused(taken)).toEqual(['gs1.0']);
  });

  it('stays one when the purchase has it as its GS1 no longer', async () => {
    const gs1 = [`(8004)0614141${anAsset()}`];
    const { id } = await buy();
    await link((await read(gs1[0])).id, id);
    for (const given of [gs1, []]) await manager.patch(`/purchases/${id}`, { gs1: given });
    expect(await scan({ code: gs1[0] })).toMatchObject({ reason: 'already-scanned', purchase: { id } });
  });

  it('is open again when it is read and its purchase is gone', async () => {
    const { id } = await buy();
    const row = await read();
    await link(row.id, id);
    const [entry] = await scans();
    await phone.delete(path(`/scans/${entry.id}`));
    await manager.delete(`/purchases/${id}`);
    expect(await scan({ code: row.code })).toMatchObject({ reason: 'unknown-code' });
    expect(await list('&status=open')).toMatchObject([
      { id: row.id, times: 2, resolution: null, deleted_purchase: { id } },
    ]);
    expect((await dismiss(row.id)).body.status).toBe('dismissed');
  });

  it('may wait open in other sessions, for the same purchase only', async () => {
    const code = unique('VENDOR');
    const row = await read(code);
    const first = session;
    await open();
    const again = await read(code);
    const [one, two] = [await buy(), await buy()];
    await link(again.id, one.id);
    session = first;
    expect(await list()).toMatchObject([{ status: 'open' }]);
    expect(refused(await link(row.id, two.id))).toEqual(['purchase_id']);
    expect((await link(row.id, one.id)).body.status).toBe('linked');
    expect((await scans()).map(({ purchase, scanned_at }) => [purchase.id, scanned_at])).toEqual([
      [one.id, row.first_seen.at],
    ]);
  });

  it('stays where its scan is undone, by who read it first', async () => {
    const { id, code } = await buy();
    const row = await read();
    await link(row.id, id);
    const [entry] = await scans();
    expect((await other.delete(path(`/scans/${entry.id}`))).status).toBe(403);
    expect((await phone.delete(path(`/scans/${entry.id}`))).status).toBe(200);
    expect(await scans()).toEqual([]);
    expect(await list()).toMatchObject([{ status: 'linked' }]);
    expect(await scan({ code: row.code })).toMatchObject({ reason: 'recorded', purchase: { id, code } });
  });

  it('leaves its messages as they were answered, whatever happens', async () => {
    const message = item(unique('VENDOR'));
    const answer = await scan(message);
    const same = async () => expect(await scan(message, other)).toEqual(answer);
    const [row] = await list();
    await dismiss(row.id);
    await same();
    await decide(row.id, 'reopen');
    await link(row.id, (await buy()).id);
    await same();
    await manager.delete(path(`/scans/${(await scans())[0].id}`));
    await same();
    await manager.post(path('/close'));
    await same();
    await manager.post(path('/reopen'), { reason: 'Oubli' });
    await same();
    expect(await list()).toMatchObject([{ times: 1 }]);
    expect((await phone.send('POST', path('/scan'), message, { 'accept-language': 'en' })).body).toEqual({
      ...answer,
      message: 'Unknown code',
    });
  });
});

describe('Past 10 000 open codes', () => {
  it('only those that are kept count on, until some are decided upon', async () => {
    const known = await read();
    await t.database.query(
      `INSERT INTO inventory_unknown_codes (inventory_id, code, cleaned, code_key, times, first_at, first_by, last_at,
         last_by, location_ids, notes, changed_at)
       SELECT $1, 'N' || n, 'N' || n, code_key('N' || n), 1, now(), $2, now(), $2, '{}', '{}', now()
       FROM generate_series(2, 9999) n`,
      [session, phone.userId],
    );
    const count = async () =>
      (await manager.get(path('/unknown-codes?status=open&per_page=1'))).body.meta.total;
    const messages = Array.from({ length: 5 }, () => item(unique('MORE')));
    const answers = await send(messages);
    expect(answers.map(({ reason }) => reason)).toEqual(Array(5).fill('unknown-code'));
    expect(await count()).toBe(10_000);
    expect(await scan({ code: known.code })).toMatchObject({ reason: 'unknown-code' });
    expect(await list('&search=VENDOR')).toMatchObject([{ id: known.id, times: 2 }]);
    expect(await list('&search=MORE')).toMatchObject([{ code: messages[0]!.code, times: 1 }]);
    expect((await scan({ code: unique('MORE') })).reason).toBe('unknown-code');
    expect(await count()).toBe(10_000);
    await dismiss(known.id);
    await send([messages[0]!, messages[1]!, messages[2]!]); // now there is room for one
    expect((await list('&search=MORE')).map(({ code, times }) => [code, times])).toEqual([
      [messages[0]!.code, 1],
      [messages[1]!.code, 1],
    ]);
    expect(await count()).toBe(10_000);
  });
});
