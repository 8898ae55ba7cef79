import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from '../src/health/drain.js';
import { FreezeService } from '../src/inventories/freeze.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, idsOf, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 2_147_483_647;
/** Before every closing. */
const EARLY = '2026-01-01T08:00:00.000Z';

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
afterEach(rollbackAll);
afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

async function open(fields: object = {}): Promise<Row> {
  const { body } = await manager.post('/inventories', {
    year: 2026,
    inventory_date: '2026-11-16',
    ...fields,
  });
  session = body.id;
  return body;
}
const path = (rest: string) => `/inventories/${session}${rest}`;
const get = async (): Promise<Row> => (await manager.get(path(''))).body;
const close = async (): Promise<Row> => (await manager.post(path('/close'))).body;
const reopen = async (reason = 'Clôturé trop tôt'): Promise<Row> => {
  const { status, body } = await manager.post(path('/reopen'), { reason });
  expect([status, body.status]).toEqual([200, 'open']);
  return body;
};
const buy = (fields: object = {}): Promise<Row> => make.purchase({ article_id: article.id, ...fields });
const scan = async (fields: object, client: Client = phone): Promise<Row> =>
  (await client.post(path('/scan'), fields)).body;
const send = async (scans: object[], client: Client = phone): Promise<Row[]> =>
  (await client.post(path('/scans'), { scans })).body.results;
const item = (code: string, fields: object = {}) => ({ client_id: randomUUID(), code, ...fields });
const early = (code: string, fields: object = {}) => item(code, { scanned_at: EARLY, ...fields });
const list = async (name: string, query = ''): Promise<Row[]> =>
  (await manager.get(path(`/${name}?per_page=200${query}`))).body.data;
const late = (query = '') => list('late-scans', query);
const decide = (id: number, what: string, client: Client = manager) =>
  client.post(path(`/late-scans/${id}/${what}`));
const audit = async (action: string) =>
  (await t.as('admin').get(`/audit?action=${action}&per_page=1`)).body.data[0];
const problem = ({ status, body }: Answer) => [status, body.type];
const shown = ({ id, code }: Row) => ({ id, code, article: { id: article.id, name: article.name } });
const maelle = () => ({ id: manager.userId, name: 'User maelle' });

/** A scan that is late, of a session that is open again. */
async function lateOf(code: string, fields: object = {}): Promise<{ id: number; message: Row; answer: Row }> {
  const message = early(code, fields);
  await close();
  const answer = await scan(message);
  expect(answer.reason).toBe('late');
  await reopen();
  return { id: (await late('&sort=-id'))[0].id, message, answer };
}

describe('A scan that arrives after the closing', () => {
  it('is kept where it was made before it, by the clock of its phone', async () => {
    const { id: location_id, name, path: full } = await make.location();
    const purchase = await buy();
    await close();
    const fields = { location_id, condition: 'damaged', note: ' Rayé ' };
    const message = early(purchase.code.toLowerCase(), fields);
    expect(await scan(message)).toEqual({
      status: 'error',
      reason: 'late',
      message: 'Inventaire clôturé',
      code: purchase.code,
      scanned_at: INSTANT,
      purchase: shown(purchase),
      scan_id: null,
      client_id: message.client_id,
      misplaced: false,
      expected_location: null,
    });
    const unknown = early(unique('VENDOR'));
    expect(await send([unknown], other)).toMatchObject([{ reason: 'late', purchase: null }]);
    expect(await late()).toEqual([
      {
        id: expect.any(Number),
        code: message.code,
        purchase: shown(purchase),
        device_scanned_at: EARLY,
        received_at: INSTANT,
        scanned_by: { id: phone.userId, name: 'User erwan' },
        location: { id: location_id, name, path: full },
        client_id: message.client_id,
        condition: 'damaged',
        note: 'Rayé',
        source: null,
        status: 'waiting',
        decided: null,
      },
      expect.objectContaining({
        code: unknown.code,
        purchase: null,
        scanned_by: { id: other.userId, name: 'User yann' },
        location: null,
        condition: null,
      }),
    ]);
    expect(await list('scans')).toEqual([]);
    expect(await list('unknown-codes')).toEqual([]);
    expect((await get()).progress.scanned).toBe(0);
  });

  it('is not where it was made later, or does not say when', async () => {
    const { code } = await buy();
    const { closed_at } = await close();
    const after = [
      {},
      { scanned_at: closed_at },
      { scanned_at: new Date(Date.now() + 60_000).toISOString() },
    ];
    const messages = after.map((fields) => item(code, fields));
    for (const answer of [...(await send(messages)), await scan({ code }), await scan({ code: 'nothing' })])
      expect(answer).toMatchObject({
        status: 'error',
        reason: 'session-closed',
        message: 'Inventaire clôturé',
        scan_id: null,
      });
    expect(await late()).toEqual([]);
    const before = new Date(Date.parse(closed_at) - 1).toISOString();
    expect(await send([item(code, { scanned_at: before })])).toMatchObject([{ reason: 'late' }]);
    await reopen();
    const again = await send(messages);
    expect(again.map(({ reason }) => reason)).toEqual(['recorded', 'already-scanned', 'already-scanned']);
  });

  it('is one, however often and wherever it is sent', async () => {
    const second = await startApp({}, t.database);
    const purchases = await Promise.all(Array.from({ length: 5 }, () => buy()));
    const messages = purchases.map(({ code }) => early(code));
    await close();
    const clients = [phone, second.as('operator')];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(n % 3 ? messages : messages.toReversed(), clients[n % 2])),
    );
    const sorted = answers.map((all) => all.toSorted((a, b) => a.client_id.localeCompare(b.client_id)));
    for (const all of sorted) expect(all).toEqual(sorted[0]);
    expect((await late()).map(({ code }) => code).sort()).toEqual(purchases.map(({ code }) => code).sort());
    const { code } = purchases[0]!;
    const nameless = { code, scanned_at: EARLY, note: 'without a name' };
    for (const client of [phone, phone, other]) expect((await scan(nameless, client)).reason).toBe('late');
    expect(await late()).toHaveLength(7);
    await second.stop();
  });

  it('is found by status, in order, and by who has caught up before', async () => {
    const codes = Array.from({ length: 4 }, () => unique('VENDOR'));
    await close();
    for (const [n, code] of codes.entries())
      await scan(early(code, { scanned_at: `2026-01-0${9 - n}T08:00:00Z` }));
    const { meta } = (await manager.get(path('/late-scans?updated_since=2000-01-01T00:00:00Z'))).body;
    const ids = idsOf(await late());
    await reopen();
    await decide(ids[2]!, 'accept');
    await decide(ids[0]!, 'refuse');
    expect(idsOf(await late('&status=waiting'))).toEqual([ids[1], ids[3]]);
    expect(idsOf(await late('&status=accepted'))).toEqual([ids[2]]);
    expect(idsOf(await late('&status=refused'))).toEqual([ids[0]]);
    expect(idsOf(await late('&sort=device_scanned_at'))).toEqual(ids.toReversed());
    for (const sort of ['id', '-id', 'device_scanned_at', '-device_scanned_at'])
      expect(idsOf(await readByCursor(t.as('viewer'), path(`/late-scans?per_page=1&sort=${sort}`)))).toEqual(
        idsOf(await late(`&sort=${sort}`)),
      );
    expect(idsOf(await late(`&updated_since=${meta.synced_until}`))).toEqual([ids[2], ids[0]]);
    for (const [query, field] of [['status=open', 'status'], ['sort=code', 'sort'], ['search=x', 'search']])
      expect(refused(await manager.get(path(`/late-scans?${query}`)))).toEqual([field]); // prettier-ignore
    expect((await t.anonymous.get(path('/late-scans'))).status).toBe(401);
    expect((await (await t.asNewUser('nobody')).get(path('/late-scans'))).status).toBe(403);
    expect((await manager.get(`/inventories/${NOBODY}/late-scans`)).status).toBe(404);
  });

  it('keeps 10 000 that wait, and no more, also of those that come together', async () => {
    await close();
    await t.database.query(
      `INSERT INTO inventory_late_scans (inventory_id, code, cleaned, code_key, device_scanned_at, received_at,
         scanned_by, changed_at)
       SELECT $1, 'L' || n, 'L' || n, 'L' || n, now(), now(), $2, now() FROM generate_series(3, 10000) n`,
      [session, phone.userId],
    );
    expect(await send([early('zero'), early('one'), early('three')])).toMatchObject([
      { reason: 'late' },
      { reason: 'late' },
      { reason: 'session-closed' },
    ]);
    const message = early('two');
    expect((await scan(message)).reason).toBe('session-closed');
    await reopen();
    expect((await scan(message)).reason).toBe('unknown-code');
  });
});

describe('Deciding on a late scan', () => {
  it.each(['accept', 'refuse'])('%s: takes the right, the session open again, and the scan', async (what) => {
    const { code } = await buy();
    const { id } = await lateOf(code);
    expect((await decide(id, what, t.anonymous)).status).toBe(401);
    for (const client of [phone, t.as('viewer')]) expect((await decide(id, what, client)).status).toBe(403);
    for (const nothing of [id + 1000, 0, 'x'])
      expect((await decide(nothing as number, what)).status).toBe(404);
    expect((await manager.post(`/inventories/${NOBODY}/late-scans/${id}/${what}`)).status).toBe(404);
    await close();
    expect(problem(await decide(id, what))).toEqual([409, '/problems/session-closed']);
    await reopen();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => decide(id, n % 2 ? 'accept' : 'refuse')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(problem(await decide(id, what))).toEqual([409, '/problems/already-decided']);
    const [row] = await late();
    expect((await list('scans')).length).toBe(row.status === 'accepted' ? 1 : 0);
    const none = (language: string) =>
      manager.send('POST', path(`/late-scans/99999/${what}`), undefined, { 'accept-language': language });
    expect((await none('fr')).body.detail).toBe('L’inventaire n’a pas ce scan tardif.');
    expect((await none('en')).body.detail).toBe('The session has no such late scan.');
  });

  it('accepted, it counts from the instant of its phone', async () => {
    const [room, hall] = [await make.location(), await make.location()];
    const purchase = await buy({ location_id: hall.id });
    const more = { location_id: room.id, condition: 'unusable', note: 'Cassé' };
    const { id, message, answer } = await lateOf(purchase.code, more);
    expect(await scan(message)).toEqual(answer);
    const { synced_until } = (await manager.get(path('/scans?updated_since=2000-01-01T00:00:00Z'))).body.meta;
    const { progress } = await get();
    const { status, body } = await decide(id, 'accept');
    expect([status, body]).toMatchObject([
      200,
      { id, status: 'accepted', purchase: shown(purchase), decided: { at: INSTANT, by: maelle() } },
    ]);
    expect((await get()).progress).toMatchObject({
      scanned: Number(progress.scanned) + 1,
      total: progress.total,
    });
    const [entry] = await list('scans', `&client_id=${message.client_id}`);
    expect(entry).toMatchObject({
      scanned_at: EARLY,
      device_scanned_at: EARLY,
      clock_ahead: false,
      clock_behind: true,
      scanned_by: { id: phone.userId },
      purchase: shown(purchase),
      client_id: message.client_id,
      location: { id: room.id },
      condition: 'unusable',
      note: 'Cassé',
    });
    expect((await manager.get(path(`/scans?updated_since=${synced_until}`))).body.data).toEqual([entry]);
    expect(await list('misplaced')).toMatchObject([
      { purchase: { id: purchase.id }, found: { id: room.id }, at: EARLY, by: { id: phone.userId } },
    ]);
    const decided = { ...answer, status: 'success', reason: 'recorded', message: 'Article ajouté' };
    const same = async () =>
      expect(await scan(message, other)).toEqual({
        ...decided,
        scanned_at: EARLY,
        scan_id: entry.id,
        misplaced: true,
        expected_location: expect.objectContaining({ id: hall.id }),
      });
    await same();
    expect(await scan({ code: purchase.code })).toMatchObject({
      reason: 'already-scanned',
      first_scan: { at: EARLY, by: { id: phone.userId } },
    });
    await close();
    await same();
    expect(await audit('late_scan.accept')).toMatchObject({
      user_id: manager.userId,
      resource: 'inventory',
      resource_id: session,
      after: { code: purchase.code, reason: 'recorded', scan_id: entry.id },
    });
  });

  it('refused, it leaves nothing, and its message is told so', async () => {
    const { code } = await buy();
    const { id, message, answer } = await lateOf(code);
    expect((await decide(id, 'refuse')).body).toMatchObject({ status: 'refused', decided: { by: maelle() } });
    const same = async () =>
      expect(await scan(message)).toEqual({ ...answer, reason: 'refused', message: 'Scan refusé' });
    await same();
    expect(
      (await phone.send('POST', path('/scan'), message, { 'accept-language': 'en' })).body,
    ).toMatchObject({
      status: 'error',
      message: 'Scan refused',
    });
    expect(await list('scans')).toEqual([]);
    expect(await audit('late_scan.refuse')).toMatchObject({ user_id: manager.userId, after: { code } });
    await close();
    await same();
    await reopen();
    await same();
    expect((await scan({ code })).reason).toBe('recorded');
  });

  it('undone, it is missing again, and its message is told so', async () => {
    const { code } = await buy();
    const { id, message } = await lateOf(code);
    await decide(id, 'accept');
    const [{ id: scan_id }] = await list('scans');
    expect((await phone.delete(path(`/scans/${scan_id}`))).status).toBe(200);
    expect(await scan(message)).toMatchObject({ reason: 'undone', message: 'Scan annulé', scan_id: null });
    await close();
    expect(await scan(message)).toMatchObject({ reason: 'undone' });
    expect(await late()).toMatchObject([{ status: 'accepted' }]);
  });

  it('accepted after somebody else has scanned its purchase, it is told so', async () => {
    const { code } = await buy();
    const { id, message } = await lateOf(code);
    const first = await scan({ code }, other);
    expect(first.reason).toBe('recorded');
    expect((await decide(id, 'accept')).body.status).toBe('accepted');
    expect(await scan(message)).toMatchObject({
      status: 'warning',
      reason: 'already-scanned',
      scan_id: first.scan_id,
      first_scan: { at: first.scanned_at, by: { id: other.userId } },
    });
    expect(await list('scans')).toHaveLength(1);
  });

  it('accepted out of scope, it is unexpected', async () => {
    const [room, hall] = [await make.location(), await make.location()];
    const { code, id: purchase } = await buy({ location_id: hall.id });
    await open({ location_ids: [room.id] });
    const { id, message } = await lateOf(code, { location_id: room.id });
    await decide(id, 'accept');
    expect(await list('unexpected')).toMatchObject([{ purchase: { id: purchase }, scanned_at: EARLY }]);
    expect(await list('misplaced')).toMatchObject([{ purchase: { id: purchase }, at: EARLY }]);
    expect(await scan(message)).toMatchObject({ status: 'warning', reason: 'out-of-scope' });
    expect((await get()).progress).toMatchObject({ scanned: 0, total: 0 });
  });

  it('of a code that nobody knows, it becomes an open unknown code', async () => {
    const { id: location_id } = await make.location();
    const code = unique('VENDOR');
    const { id, message } = await lateOf(code, { location_id, note: 'Lu' });
    expect((await decide(id, 'accept')).body).toMatchObject({ status: 'accepted', purchase: null });
    const [row] = await list('unknown-codes');
    expect(row).toMatchObject({
      code,
      times: 1,
      first_seen: { at: EARLY, by: { id: phone.userId } },
      last_seen: { at: EARLY },
      locations: [{ id: location_id }],
      notes: ['Lu'],
      status: 'open',
    });
    const unknown = { reason: 'unknown-code', message: 'Code inconnu' };
    expect(await scan(message)).toMatchObject(unknown);
    const purchase = await buy();
    await manager.post(path(`/unknown-codes/${row.id}/link`), { purchase_id: purchase.id });
    expect(await list('scans')).toMatchObject([{ scanned_at: EARLY, device_scanned_at: EARLY }]);
    expect(await scan(message)).toMatchObject(unknown);
  });

  it('of a code that was read since, it is the first read of it, not the last', async () => {
    const [code, before] = [unique('VENDOR'), new Date().toISOString()];
    const { id } = await lateOf(code);
    await scan({ code }, other);
    await decide(id, 'accept');
    const [row] = await list('unknown-codes');
    expect(row).toMatchObject({
      times: 2,
      first_seen: { at: EARLY, by: { id: phone.userId } },
      last_seen: { at: INSTANT, by: { id: other.userId } },
    });
    expect(row.last_seen.at > before).toBe(true);
    const { id: purchase_id } = await buy();
    await manager.post(path(`/unknown-codes/${row.id}/link`), { purchase_id });
    expect(await list('scans')).toMatchObject([
      { scanned_at: EARLY, scanned_by: { id: phone.userId }, device_scanned_at: EARLY },
    ]);
  });

  it('of a code that was dismissed, it stays dismissed, and counts', async () => {
    const code = unique('VENDOR');
    await scan({ code });
    const [{ id: uid }] = await list('unknown-codes');
    await manager.post(path(`/unknown-codes/${uid}/dismiss`), { reason: 'Autre société' });
    const { id } = await lateOf(code);
    await decide(id, 'accept');
    expect(await list('unknown-codes')).toMatchObject([{ id: uid, times: 2, status: 'dismissed' }]);
  });

  it('is of the purchase that was found, whatever is written on its label now', async () => {
    const purchase = await buy();
    const { id, message } = await lateOf(purchase.code);
    const label = unique('NEW').replace(' ', '-');
    expect((await manager.patch(`/purchases/${purchase.id}`, { code: label })).status).toBe(200);
    expect((await decide(id, 'accept')).body).toMatchObject({ purchase: { id: purchase.id } });
    expect(await list('scans')).toMatchObject([{ purchase: { id: purchase.id } }]);
    expect(await list('unknown-codes')).toEqual([]);
    expect(await scan(message)).toMatchObject({ reason: 'recorded', purchase: { code: label } });
  });

  it('of a purchase that was deleted since, it is an unknown code that names it', async () => {
    const purchase = await buy();
    const { id, message } = await lateOf(purchase.code);
    await manager.delete(`/purchases/${purchase.id}`);
    expect((await decide(id, 'accept')).body).toMatchObject({ status: 'accepted', purchase: null });
    expect(await list('unknown-codes')).toMatchObject([
      { code: purchase.code, deleted_purchase: { id: purchase.id } },
    ]);
    expect(await scan(message)).toMatchObject({ reason: 'unknown-code' });
  });

  it('of a code that was linked elsewhere since, it is of that purchase', async () => {
    const code = unique('VENDOR');
    const { id, message } = await lateOf(code);
    const waiting = session;
    await open();
    await scan({ code });
    const [{ id: uid }] = await list('unknown-codes');
    const purchase = await buy();
    await manager.post(path(`/unknown-codes/${uid}/link`), { purchase_id: purchase.id });
    session = waiting;
    expect((await decide(id, 'accept')).body.purchase).toEqual(shown(purchase));
    expect(await scan(message)).toMatchObject({ reason: 'recorded', code, purchase: { id: purchase.id } });
  });

  it.each([['NUL before it', '\0'], ['a symbology and NUL', '\0]C1'], ['a URL', 'https://x.example/\0']])(
    'finds its purchase by a code with %s, as in time',
    async (_, prefix) => {
      const { id: purchase, code } = await buy();
      const { id, answer } = await lateOf(`${prefix}${code}`);
      expect(answer.purchase.id).toBe(purchase);
      await decide(id, 'accept');
      expect(await list('scans')).toMatchObject([{ purchase: { id: purchase } }]);
      expect(await list('unknown-codes')).toEqual([]);
    },
  ); // prettier-ignore

  it('counts where its place was deleted since, and is misplaced as it was', async () => {
    const { id: location_id } = await make.location();
    const { code } = await buy({ location_id: (await make.location()).id });
    const { id, message, answer } = await lateOf(code, { location_id });
    expect(answer.misplaced).toBe(true);
    expect((await manager.delete(`/locations/${location_id}`)).status).toBe(200);
    expect((await decide(id, 'accept')).status).toBe(200);
    expect(await list('scans')).toMatchObject([{ scanned_at: EARLY }]);
    expect(await list('misplaced')).toMatchObject([{ purchase: { code }, found: { id: location_id } }]);
    expect(await scan(message)).toMatchObject({ reason: 'recorded', misplaced: true });
  });
});

describe('Reopening', () => {
  it('says when, by whom and why, for ever', async () => {
    await close();
    const first = await reopen(' Deux téléphones en retard ');
    expect(first).toMatchObject({
      status: 'open',
      closed_at: null,
      reopened: [{ at: INSTANT, by: maelle(), reason: 'Deux téléphones en retard' }],
    });
    expect(await get()).toEqual(first);
    expect(await audit('inventory.reopen')).toMatchObject({
      user_id: manager.userId,
      resource: 'inventory',
      resource_id: session,
      after: { reason: 'Deux téléphones en retard' },
    });
    await close();
    const admin = t.as('admin');
    expect((await admin.post(path('/reopen'), { reason: 'abc' })).status).toBe(200);
    const { reopened } = await close();
    expect(reopened).toMatchObject([first.reopened[0], { reason: 'abc' }]);
    const { body } = await manager.get('/inventories?sort=-id&per_page=1');
    expect(body.data[0].reopened).toEqual(reopened);
  });

  it('takes the right, a reason and a session that is closed', async () => {
    const ask = (client: Client, reason: unknown = 'Oubli') => client.post(path('/reopen'), { reason });
    expect(problem(await ask(manager))).toEqual([409, '/problems/session-open']);
    await close();
    expect((await ask(t.anonymous)).status).toBe(401);
    for (const client of [phone, t.as('viewer')]) expect((await ask(client)).status).toBe(403);
    for (const reason of [undefined, null, ' ab ', 'x'.repeat(501), 'a\0bc', 7])
      expect(refused(await manager.post(path('/reopen'), { reason }))).toEqual(['reason']);
    expect(refused(await manager.post(path('/reopen'), { reason: 'abc', x: 1 }))).toEqual(['x']);
    expect((await manager.post(`/inventories/${NOBODY}/reopen`, { reason: 'abc' })).status).toBe(404);
    expect((await get()).status).toBe('closed');
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(manager)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await get()).reopened).toHaveLength(1);
  });

  it('is too late once a later one of the same scope is closed', async () => {
    const room = await make.location();
    const category = await make.category();
    const scopes = [
      {},
      { location_ids: [room.id] },
      { category_ids: [category.id] },
      { location_ids: [room.id], category_ids: [category.id] },
    ];
    const sessions = [];
    for (const scope of scopes) {
      await open(scope);
      await close();
      sessions.push(session);
    }
    for (const [n, scope] of scopes.entries()) {
      session = sessions[n]!;
      await reopen(); // the others are of other scopes
      await close();
      const later = (await open(scope)).id;
      session = sessions[n]!;
      await reopen(); // it is open still
      await close();
      session = later;
      await close();
      session = sessions[n]!;
      const answer = await manager.send(
        'POST',
        path('/reopen'),
        { reason: 'Oubli' },
        { 'accept-language': 'fr' },
      );
      expect(problem(answer)).toEqual([409, '/problems/session-superseded']);
      expect(answer.body.detail).toBe(`L’inventaire ${later}, ouvert plus tard, est déjà clôturé.`);
      session = later;
      await reopen();
      await manager.delete(path(''));
      session = sessions[n]!;
      await reopen();
      await close();
    }
  });

  it('takes in what was bought since, and lets go of what was deleted', async () => {
    const [kept, scanned, gone, goneScanned] = [await buy(), await buy(), await buy(), await buy()];
    for (const { code } of [scanned, goneScanned]) await scan({ code });
    const before = await close();
    await manager.delete(`/purchases/${gone.id}`);
    await manager.delete(`/purchases/${goneScanned.id}`);
    const [bought, boughtAndSold] = [await buy(), await buy()];
    await manager.delete(`/purchases/${boughtAndSold.id}`);
    expect((await get()).progress).toEqual(before.progress);
    const after = await reopen();
    expect(after.progress).toMatchObject({ scanned: 2, total: before.progress.total });
    const missing = idsOf(await list('unscanned', '&sort=-id'));
    expect(missing[0]).toBe(bought.id);
    expect(missing).toContain(kept.id);
    expect(missing).not.toContain(gone.id);
    expect((await list('scans')).map(({ purchase }) => purchase.id)).toEqual([scanned.id, goneScanned.id]);
    expect((await scan({ code: bought.code })).reason).toBe('recorded');
    expect((await scan({ code: gone.code })).reason).toBe('unknown-code');
  });

  it('tells of both whoever catches up, though they were bought and deleted before he did last', async () => {
    const gone = await buy();
    await close();
    const bought = await buy();
    await manager.delete(`/purchases/${gone.id}`);
    const missing = async (since: string) =>
      (await manager.get(path(`/unscanned?include_deleted=true&per_page=200&updated_since=${since}`))).body;
    const { meta } = await missing(bought.updated_at);
    await reopen();
    const { data, deleted } = await missing(meta.synced_until);
    expect([idsOf(data), idsOf(deleted)]).toEqual([[bought.id], [gone.id]]);
    expect((await audit('purchase.update'))?.resource_id).not.toBe(bought.id);
  });

  it('takes in of a scope what was bought there, not what was only brought', async () => {
    const [room, hall] = [await make.location(), await make.location()];
    await open({ location_ids: [room.id] });
    const brought = await buy({ location_id: hall.id });
    await close();
    const bought = await buy({ location_id: room.id });
    await buy({ location_id: hall.id });
    await manager.patch(`/purchases/${brought.id}`, { location_id: room.id });
    const { progress } = await reopen();
    expect(progress).toMatchObject({ scanned: 0, total: 1 });
    expect(idsOf(await list('unscanned'))).toEqual([bought.id]);
    expect((await scan({ code: brought.code })).reason).toBe('out-of-scope');
    const later = await buy({ location_id: room.id }); // it is an open session as any other
    expect(idsOf(await list('unscanned'))).toEqual([bought.id, later.id]);
  });

  it('takes in of a scope what has come back since: restored, or not disposed of after all', async () => {
    const room = (await make.location()).id as number;
    const [restored, kept] = [await buy({ location_id: room }), await buy({ location_id: room })];
    await open({ location_ids: [room] });
    await manager.delete(`/purchases/${restored.id}`);
    await manager.post(`/purchases/${kept.id}/dispose`, { date: '2026-02-01', reason: 'sold' });
    expect((await scan({ code: kept.code })).reason).toBe('disposed');
    expect((await close()).progress).toMatchObject({ scanned: 0, total: 0 });
    await manager.post(`/purchases/${restored.id}/restore`);
    await manager.post(`/purchases/${kept.id}/dispose/undo`);
    expect((await reopen()).progress).toMatchObject({ scanned: 1, total: 2 });
    expect(idsOf(await list('unscanned'))).toEqual([restored.id]);
    expect(await list('unexpected')).toEqual([]);
  });

  it('takes in of a scope what was being bought while it was closed', async () => {
    const room = (await make.location()).id as number;
    await open({ location_ids: [room] });
    const buying = t.database.query(
      `INSERT INTO purchases (article_id, location_id, purchase_date, code, notes)
       SELECT $1, $2, '2026-01-15', 'SLOW' || n, pg_sleep(0.1)::text FROM generate_series(1, 10) n`,
      [article.id, room],
    );
    await sleep(400);
    await close();
    await buying;
    expect((await reopen()).progress).toMatchObject({ total: 10 });
  });

  it('lets scans be undone and purchases be found elsewhere again', async () => {
    const [room, hall] = [await make.location(), await make.location()];
    const { id, code } = await buy({ location_id: room.id });
    const { scan_id } = await scan({ code, location_id: hall.id });
    await close();
    await reopen();
    expect((await manager.post(path(`/misplaced/${id}/move`))).status).toBe(200);
    expect((await phone.delete(path(`/scans/${scan_id}`))).status).toBe(200);
    expect(await list('misplaced')).toEqual([]);
    expect((await close()).progress.scanned).toBe(0);
  });
});

describe('What a closed session shows', () => {
  const frozen = async () => ({
    lines: await t.database.query(
      `SELECT * FROM inventory_frozen_lines WHERE inventory_id = $1 ORDER BY purchase_id`,
      [session],
    ),
    places: await t.database.query(
      `SELECT * FROM inventory_frozen_locations WHERE inventory_id = $1 ORDER BY id`,
      [session],
    ),
    at: await t.database.query(`SELECT * FROM inventory_frozen WHERE inventory_id = $1`, [session]),
  });
  const lineOf = async ({ id }: Row) => (await frozen()).lines.find((line) => line.purchase_id === id);

  /** A session with a scanned, a missing, an unexpected and a misplaced purchase. */
  async function campaign() {
    const [room, hall] = [await make.location(), await make.location()];
    const category = await make.category();
    const amortization = await make.amortizationCategory();
    const kind = await make.article({
      category_id: category.id,
      amortization_category_id: amortization.id,
      reference: unique('REF'),
    });
    const price = { article_id: kind.id, purchase_price: 1234.5, serial_number: unique('SN') };
    await open({ location_ids: [room.id] });
    const scanned = await buy({ ...price, location_id: room.id });
    const missing = await buy({ ...price, location_id: room.id });
    const strange = await buy({ ...price, location_id: hall.id });
    const elsewhere = await buy({ ...price, location_id: room.id });
    await scan({ code: scanned.code, location_id: room.id, condition: 'good', note: 'Bon' });
    await scan({ code: strange.code, location_id: room.id });
    await scan({ code: elsewhere.code, location_id: hall.id }, other);
    return { room, hall, category, amortization, kind, scanned, missing, strange, elsewhere };
  }

  it('is as it was: names, references, prices, places, values', async () => {
    const { room, hall, category, kind, scanned, missing, strange, elsewhere } = await campaign();
    await close();
    const { lines, at } = await frozen();
    expect(lines.map((line) => [line.purchase_id, line.state, line.is_misplaced])).toEqual([
      [scanned.id, 'scanned', false],
      [missing.id, 'missing', false],
      [strange.id, 'unexpected', true],
      [elsewhere.id, 'scanned', true],
    ]);
    const { opened_by: opener, closed_by: closer, scope } = (await manager.get(path(''))).body;
    expect(scope.locations).toEqual([{ id: room.id, name: room.name }]);
    expect(at).toMatchObject([{ fiscal_year_start: '01-01', session: { opener, closer, scope } }]);
    expect(await lineOf(scanned)).toMatchObject({
      code: scanned.code,
      article_id: kind.id,
      article_name: kind.name,
      article_reference: kind.reference,
      serial_number: scanned.serial_number,
      category_id: category.id,
      category_name: category.name,
      expected_id: room.id,
      found_id: room.id,
      scanned_by: phone.userId,
      scanner_name: 'User erwan',
      condition: 'good',
      note: 'Bon',
      purchase_date: '2026-01-15',
      purchase_price: 1234.5,
      method: 'linear',
      duration_years: 5,
      is_disposed: false,
    });
    expect(await lineOf(missing)).toMatchObject({ found_id: null, scan_id: null, scanner_name: null });
    expect(await lineOf(strange)).toMatchObject({ expected_id: hall.id, found_id: room.id });
  });

  it('changes by no edit, deletion, import or late scan', async () => {
    const { room, hall, category, amortization, kind, scanned, missing, strange, elsewhere } =
      await campaign();
    await close();
    const before = await frozen();
    const edits = [
      manager.patch(`/purchases/${scanned.id}`, {
        purchase_price: 1,
        code: unique('NEW'),
        location_id: hall.id,
      }),
      manager.patch(`/articles/${kind.id}`, { name: unique('Renamed'), category_id: null }),
      manager.patch(`/locations/${room.id}`, { name: unique('Renamed'), parent_id: hall.id }),
      manager.delete(`/purchases/${missing.id}`),
      manager.delete(`/purchases/${strange.id}`),
      scan(early(missing.code)).then(({ reason }) => ({ status: reason === 'late' ? 200 : 0 })),
    ];
    for (const { status } of await Promise.all(edits)) expect(status).toBe(200);
    await t.database.query(`UPDATE categories SET name = 'Renamed' WHERE id = $1`, [category.id]);
    await t.database.query(`UPDATE amortization_categories SET duration_years = 3 WHERE id = $1`, [
      amortization.id,
    ]);
    await t.database.query(`UPDATE users SET name = 'Renamed' WHERE id = $1`, [other.userId]);
    const csv = `code,article,purchase_date,purchase_price\n${elsewhere.code},Imported ${kind.id},2020-01-01,7`;
    await importText(t.database.url, 'articles', `name\nImported ${kind.id}`);
    expect((await importText(t.database.url, 'purchases', csv)).code).toBe(0);
    expect((await manager.get(`/purchases/${elsewhere.id}`)).body.purchase_price).toBe(7);
    await open(); // and whatever happens in others
    await scan({ code: elsewhere.code });
    await close();
    session = before.at[0]!.inventory_id as number;
    expect(await frozen()).toEqual(before);
    await t.database.query(`UPDATE users SET name = 'User yann' WHERE id = $1`, [other.userId]);
  });

  it('has places of one name in the order of the progress', async () => {
    const name = unique('Depot');
    const roots = [
      await make.location({ name }),
      await make.location({ name }),
      await make.location({ name }),
    ];
    for (const { id } of roots.toReversed()) await buy({ location_id: id });
    await open({ location_ids: roots.map(({ id }) => id) });
    for (const isClosed of [false, true]) {
      if (isClosed) await close();
      const { location } = (await manager.get(path('/report'))).body.by;
      expect(location.map(({ key }: Row) => key)).toEqual(idsOf(roots));
      expect((await manager.get(path('/progress?by=location'))).body.data).toEqual(location);
    }
  });

  it('is compared with the same session, whether that is deleted since or not', async () => {
    const room = (await make.location()).id as number;
    const found = await buy({ location_id: room });
    const before = await open({ location_ids: [room] });
    await close();
    await open({ location_ids: [room] });
    await scan({ code: found.code });
    await close();
    const report = (await manager.get(path('/report'))).body;
    expect(report.comparison).toMatchObject({ session: { id: before.id }, reappeared: { count: 1 } });
    expect((await manager.delete(`/inventories/${before.id}`)).status).toBe(200);
    expect((await manager.get(path('/report'))).body).toEqual(report);
    await reopen();
    expect((await manager.get(path('/report'))).body.comparison).toBeNull();
  });

  it('has bought what was disposed of and came back, also what was found meanwhile', async () => {
    const room = (await make.location()).id as number;
    const [held, absent] = [
      await buy({ location_id: room, purchase_price: 100 }),
      await buy({ location_id: room, purchase_price: 7 }),
    ];
    for (const { id } of [held, absent])
      await manager.post(`/purchases/${id}/dispose`, { date: '2026-11-15', reason: 'sold' });
    await open({ location_ids: [room] });
    await scan({ code: held.code });
    await close();
    for (const { id } of [held, absent]) await manager.post(`/purchases/${id}/dispose/undo`);
    await open({ location_ids: [room] });
    const { comparison } = (await manager.get(path('/report'))).body;
    expect(comparison.bought).toEqual({ count: 2, gross: 107 });
  });

  it('of a scope, has neither bought nor disposed of what only came from elsewhere and went there', async () => {
    const [room, hall] = [(await make.location()).id as number, (await make.location()).id as number];
    const in_room = { location_id: room, purchase_price: 100 };
    const [goes, sold, stays] = [await buy(in_room), await buy(in_room), await buy(in_room)];
    const comes = await buy({ location_id: hall, purchase_price: 100 });
    await open({ location_ids: [room] });
    await close();
    await manager.patch(`/purchases/${goes.id}`, { location_id: hall });
    await manager.patch(`/purchases/${comes.id}`, { location_id: room });
    await manager.delete(`/purchases/${sold.id}`);
    await buy(in_room);
    await manager.delete(`/purchases/${stays.id}`);
    await manager.post(`/purchases/${stays.id}/restore`);
    await open({ location_ids: [room] });
    const expected = { bought: { count: 1, gross: 100 }, disposed: { count: 1, gross: 100 } };
    const compared = async () => (await manager.get(path('/report'))).body.comparison;
    expect(await compared()).toMatchObject(expected);
    await close();
    await manager.delete(`/purchases/${goes.id}`);
    expect(await compared()).toMatchObject({ ...expected, missing_again: { count: 1 } });
  });

  it('is known to the planner from the first report on', async () => {
    await campaign();
    const known = async () =>
      t.database.query(
        `SELECT relname FROM pg_class WHERE relname IN ('inventory_frozen_lines', 'inventory_frozen_locations')
           AND EXISTS (SELECT FROM pg_stats WHERE tablename = relname
             AND (most_common_vals::text LIKE '%' || $1 || '%' OR histogram_bounds::text LIKE '%' || $1 || '%'))
         ORDER BY relname`,
        [session],
      );
    await close();
    expect(await known()).toEqual([
      { relname: 'inventory_frozen_lines' },
      { relname: 'inventory_frozen_locations' },
    ]);
  });

  it('counts once what was found and then disposed of while a session was open', async () => {
    const location_ids = [(await make.location()).id as number];
    const place = { location_id: location_ids[0], purchase_price: 100 };
    const [sold, deleted] = [await buy(place), await buy(place)];
    const changes: Row[] = [];
    for (const round of [0, 1, 2, 3]) {
      await open({ location_ids });
      const bought = round === 1 ? [await buy(place)] : [];
      if (round < 2) for (const { code } of [sold, deleted, ...bought]) await scan({ code });
      if (round === 1) {
        await manager.post(`/purchases/${sold.id}/dispose`, { date: '2026-11-16', reason: 'sold' });
        for (const { id } of [deleted, ...bought]) await manager.delete(`/purchases/${id}`);
      }
      await close();
      changes.push((await manager.get(path('/report'))).body.comparison);
    }
    // One came and went between two closings: it was bought in the second, and is gone in the third.
    expect(changes.map((one) => one && [one.bought.count, one.disposed.count])).toEqual([
      null,
      [1, 2],
      [0, 1],
      [0, 0],
    ]);
  });

  it('is let go of by reopening, and made anew by the next closing', async () => {
    const { room, scanned, missing } = await campaign();
    await close();
    await reopen();
    expect(await frozen()).toEqual({ lines: [], places: [], at: [] });
    const name = unique('Renamed');
    await manager.patch(`/locations/${room.id}`, { name });
    await manager.patch(`/purchases/${scanned.id}`, { purchase_price: 9 });
    await scan({ code: missing.code });
    await close();
    expect(await lineOf(missing)).toMatchObject({ state: 'scanned' });
    expect(await lineOf(scanned)).toMatchObject({ purchase_price: 9 });
    expect((await frozen()).places).toContainEqual(expect.objectContaining({ id: room.id, name }));
  });

  it('is kept by whoever comes next, where the process died in between; by several once', async () => {
    const { scanned } = await campaign();
    const freezing = t.app.get(FreezeService);
    await freezing.freezeAll();
    expect((await frozen()).at).toEqual([]); // it is open
    await t.database.query(
      `CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
       CREATE TRIGGER dies BEFORE INSERT ON inventory_frozen FOR EACH ROW EXECUTE FUNCTION dies()`,
    );
    expect((await close()).status).toBe('closed');
    expect(await frozen()).toEqual({ lines: [], places: [], at: [] });
    await t.database.query(`DROP FUNCTION dies() CASCADE`);
    const second = await startApp({}, t.database);
    await Promise.all([
      freezing.freezeAll(),
      second.app.get(FreezeService).freezeAll(),
      freezing.freezeAll(),
      freezing.freeze(session),
    ]);
    const kept = await frozen();
    expect([kept.at.length, kept.lines.length]).toEqual([1, 4]);
    await manager.patch(`/purchases/${scanned.id}`, { purchase_price: 2 });
    await freezing.freezeAll();
    expect(await frozen()).toEqual(kept);
    await second.stop();
  });

  it('is kept before the closing is answered, also where the connection that copies it is lost', async () => {
    const { scanned } = await campaign();
    const holder = await begin(t.database);
    await holder.query('LOCK TABLE inventory_frozen_lines');
    const closing = close();
    const [pid] = await blocked(t.database);
    await t.database.query('SELECT pg_terminate_backend($1)', [pid]);
    await holder.end('ROLLBACK');
    expect((await closing).status).toBe('closed');
    const kept = await frozen();
    expect([kept.at.length, kept.lines.length]).toEqual([1, 4]);
    await manager.patch(`/purchases/${scanned.id}`, { purchase_price: 2 });
    expect(await frozen()).toEqual(kept);
  });

  it('is kept by the next one, and 503 answered, where the service ends while the database is away', async () => {
    await campaign();
    await t.database.query(
      `CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE 'the database system is starting up' USING ERRCODE = '57P03'; END $$;
       CREATE TRIGGER away BEFORE INSERT ON inventory_frozen FOR EACH ROW EXECUTE FUNCTION away()`,
    );
    const second = await startApp({}, t.database);
    const closing = second.as('manager').post(path('/close'));
    await until(async () => (await manager.get(path(''))).body.status === 'closed');
    await drain(second.app, 0); // as the service does that ends
    await second.stop();
    expect((await closing).status).toBe(503);
    await t.database.query(`DROP FUNCTION away() CASCADE`);
    await t.app.get(FreezeService).freezeAll();
    expect((await frozen()).lines).toHaveLength(4);
  });

  it('is made while it is opened again and closed: of the last closing', async () => {
    const { missing } = await campaign();
    await close();
    for (let n = 0; n < 5; n++) {
      await Promise.all([reopen(), t.app.get(FreezeService).freezeAll()]);
      expect((await frozen()).lines).toEqual([]);
      await manager.patch(`/purchases/${missing.id}`, { purchase_price: n });
      await Promise.all([close(), t.app.get(FreezeService).freezeAll()]);
      expect(await lineOf(missing)).toMatchObject({ purchase_price: n });
    }
  });
});
