import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keep } from '../src/scans/keep.queries.js';
import { record } from '../src/scans/record.queries.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { begin, blocked } from './support/transactions.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

/** Anything that JSON holds. */
type Row = Answer['body'];

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

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

beforeEach(async () => {
  session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body.id;
});
afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

const buy = (): Promise<Row> => make.purchase({ article_id: article.id });
const path = (rest: string) => `/inventories/${session}${rest}`;
const scan = (fields: object, client = phone) => client.post(path('/scan'), fields);
const send = (scans: object[], client = phone) => client.post(path('/scans'), { scans });
const item = (code: string, fields: object = {}) => ({ client_id: randomUUID(), code, ...fields });
const scans = async (query = ''): Promise<Row[]> =>
  (await manager.get(path(`/scans?per_page=200${query}`))).body.data;
const figures = async () => (await manager.get(path(''))).body.progress;

describe('A scan', () => {
  it('keeps what the phone says of it', async () => {
    const { id, code } = await buy();
    const client_id = randomUUID();
    const device = new Date(Date.now() - 1000).toISOString();
    const fields = {
      code,
      client_id,
      scanned_at: device,
      condition: 'damaged',
      note: ' Écran rayé ',
      source: 'camera',
    };
    const { status, body } = await scan(fields);
    expect([status, body]).toEqual([
      200,
      {
        status: 'success',
        reason: 'recorded',
        message: 'Article ajouté',
        code,
        scanned_at: INSTANT,
        purchase: { id, code, article: { id: article.id, name: article.name } },
        scan_id: expect.any(Number),
        client_id,
      },
    ]);
    expect(await scans()).toEqual([
      {
        id: body.scan_id,
        scanned_at: body.scanned_at,
        scanned_by: { id: phone.userId, name: 'User erwan' },
        purchase: body.purchase,
        client_id,
        device_scanned_at: device,
        clock_ahead: false,
        clock_behind: true,
        location: null,
        condition: 'damaged',
        note: 'Écran rayé',
        source: 'camera',
      },
    ]);
  });

  it('says nothing in a note that is empty, with which it is recorded all the same', async () => {
    const notes = ['', '  '];
    const things = await Promise.all(notes.map(buy));
    const items = things.map(({ code }, n) => item(code, { note: notes[n] }));
    const { status, body } = await send(items);
    expect([status, body.summary]).toEqual([200, { success: 2, warning: 0, error: 0 }]);
    const { code } = await buy();
    expect((await scan({ code, note: '' })).body.reason).toBe('recorded');
    expect((await scans()).map(({ note }) => note)).toEqual([null, null, null]);
    expect((await scan({ code: 'V-42', note: '' })).body.reason).toBe('unknown-code');
    expect((await manager.get(path('/unknown-codes'))).body.data[0].notes).toEqual([]);
  });

  it('names the scan that it recorded or found, whatever it says', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    expect(scan_id).toEqual(expect.any(Number));
    for (const fields of [{}, { client_id: randomUUID() }, { note: 'again' }])
      expect((await scan({ code, ...fields })).body).toMatchObject({ reason: 'already-scanned', scan_id });
    expect((await scan({ code: 'nothing' })).body.scan_id).toBeNull();
    expect((await scans()).map((row) => [row.id, row.client_id, row.note])).toEqual([[scan_id, null, null]]);
  });

  it.each([
    ['4 minutes ahead', 4 * 60_000, false, false],
    ['6 minutes ahead', 6 * 60_000, true, false],
    ['an hour behind', -3_600_000, false, true],
  ])('marks a clock that is %s', async (_, ahead, clock_ahead, clock_behind) => {
    const { code } = await buy();
    await scan({ code, scanned_at: new Date(Date.now() + ahead).toISOString() });
    expect(await scans()).toEqual([expect.objectContaining({ clock_ahead, clock_behind })]);
  });

  it.each<[object, string]>([
    [{ client_id: 'x' }, 'client_id'],
    [{ client_id: '3f0a7c119a534f0e8d0a0b6f3c1e5d0a' }, 'client_id'],
    [{ client_id: null }, 'client_id'],
    [{ scanned_at: '2026-11-16' }, 'scanned_at'],
    [{ scanned_at: '0001-01-01T00:00:00+14:00' }, 'scanned_at'],
    [{ scanned_at: 1_794_000_000 }, 'scanned_at'],
    [{ condition: 'perfect' }, 'condition'],
    [{ note: 'x'.repeat(501) }, 'note'],
    [{ note: '\0' }, 'note'],
    [{ code: '' }, 'code'],
    [{ unknown: 1 }, 'unknown'],
  ])('is refused with %j, and leaves nothing', async (fields, name) => {
    const { code } = await buy();
    expect(refused(await scan({ code, ...fields }))).toEqual([name]);
    expect(await scans()).toEqual([]);
  });
});

describe('A message that is sent again', () => {
  it('is answered as it was, whoever sends it and however', async () => {
    const { code } = await buy();
    const message = item(code);
    const first = (await scan(message)).body;
    expect(first.reason).toBe('recorded');
    const again = [
      (await scan(message)).body,
      (await scan({ ...message, client_id: message.client_id.toUpperCase() }, other)).body,
      (await send([item('nothing'), message], other)).body.results[1],
      (await scan({ ...message, code: ` ${code.toLowerCase()}\r\n`, note: 'other' })).body,
    ];
    expect(again).toEqual(Array(4).fill(first));
    expect(await scans()).toHaveLength(1);
  });

  it('is told in the language of each request, and that of others stays', async () => {
    const { code } = await buy();
    const messages = [item(code), item(code), item('nothing')];
    const french = (await send(messages)).body.results;
    const english = (
      await phone.send('POST', path('/scans'), { scans: messages }, { 'accept-language': 'en' })
    ).body.results;
    expect(french.map((row: Row) => row.message)).toEqual(['Article ajouté', 'Déjà scanné', 'Code inconnu']);
    expect(english.map((row: Row) => row.message)).toEqual([
      'Article added',
      'Already scanned',
      'Unknown code',
    ]);
    expect(english.map((row: Row) => ({ ...row, message: 0 }))).toEqual(
      french.map((row: Row) => ({ ...row, message: 0 })),
    );
  });

  it('stays what it was after the session is closed, where others are too late', async () => {
    const [one, two] = [await buy(), await buy()];
    const message = item(one.code);
    const first = (await scan(message)).body;
    await manager.post(path('/close'));
    const late = item(two.code);
    const { results, summary } = (await send([message, late])).body;
    expect(results[0]).toEqual(first);
    expect(results[1]).toMatchObject({ status: 'error', reason: 'session-closed', purchase: { id: two.id } });
    expect(summary).toEqual({ success: 1, warning: 0, error: 1 });
  });

  it('is another message in another session', async () => {
    const { code } = await buy();
    const message = item(code);
    await scan(message);
    session = (await manager.post('/inventories', { year: 2027, inventory_date: '2027-11-16' })).body.id;
    expect((await scan(message)).body.reason).toBe('recorded');
  });

  it('is an error with another code, and records nothing', async () => {
    const [one, two] = [await buy(), await buy()];
    const message = item(one.code);
    await scan(message);
    expect((await scan({ ...message, code: two.code })).body).toEqual({
      status: 'error',
      reason: 'client-id-reused',
      message: 'Identifiant déjà utilisé',
      code: two.code,
      scanned_at: INSTANT,
      purchase: null,
      scan_id: null,
      client_id: message.client_id,
    });
    expect(await figures()).toMatchObject({ scanned: 1 });
  });

  it('counts once, over two instances and in many batches at the same time', async () => {
    const second = await startApp({}, t.database);
    const elsewhere = second.as('operator');
    const messages: ReturnType<typeof item>[] = [];
    while (messages.length < 40) messages.push(item((await buy()).code));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const client = n % 2 === 0 ? phone : elsewhere;
        const order = n % 3 === 0 ? messages.toReversed() : messages.slice(n).concat(messages.slice(0, n));
        return client.post(path('/scans'), { scans: order });
      }),
    );
    const byId = new Map<string, Set<string>>();
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.summary).toEqual({ success: 40, warning: 0, error: 0 });
      for (const result of body.results)
        byId.set(result.client_id, (byId.get(result.client_id) ?? new Set()).add(JSON.stringify(result)));
    }
    expect([...byId.values()].map((all) => all.size)).toEqual(Array(40).fill(1));
    expect(await scans()).toHaveLength(40);
    await second.stop();
  });
});

describe('A batch', () => {
  it('is answered in its order, each item by itself', async () => {
    const [one, two, gone] = [await buy(), await buy(), await buy()];
    await manager.delete(`/purchases/${gone.id}`);
    await scan({ code: two.code }, other);
    const sent = [one.code, two.code, 'nothing', one.code, gone.code, '\0\uD800'].map((code) => item(code));
    const { status, body } = await send(sent);
    expect(status).toBe(200);
    expect(body.results.map((row: Row) => [row.client_id, row.reason, row.code])).toEqual(
      ['recorded', 'already-scanned', 'unknown-code', 'already-scanned', 'unknown-code', 'unknown-code'].map(
        (reason, n) => [sent[n]!.client_id, reason, sent[n]!.code],
      ),
    );
    expect(body.results[1].first_scan).toEqual({ at: INSTANT, by: { id: other.userId, name: 'User yann' } });
    expect(body.results[3]).toMatchObject({
      scan_id: body.results[0].scan_id,
      first_scan: { at: body.results[0].scanned_at, by: { id: phone.userId } },
    });
    expect(body.summary).toEqual({ success: 1, warning: 2, error: 3 });
    expect((await send(sent)).body).toEqual(body);
  });

  it('takes 1 000 scans; what was first in it is first in the list', async () => {
    await t.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date)
       SELECT $1, 'B' || n, '2026-01-01' FROM generate_series(1, 1000) n`,
      [article.id],
    );
    const all = Array.from({ length: 1000 }, (_, n) => item(`B${(n * 7) % 1000 || 1000}`));
    const { body } = await send(all);
    expect(body.summary).toEqual({ success: 1000, warning: 0, error: 0 });
    expect((await scans()).map((row) => row.purchase.code)).toEqual(
      all.slice(0, 200).map(({ code }) => code),
    );
    await t.database.query(`UPDATE purchases SET deleted_at = now() WHERE code LIKE 'B%'`);
  });

  it('may come slowly, over a weak network', async () => {
    const { code } = await buy();
    const bytes = Buffer.from(JSON.stringify({ scans: [item(code)] }));
    async function* slowly() {
      yield bytes.subarray(0, 20);
      await sleep(5000); // longer than an answer may take
      yield bytes.subarray(20);
    }
    const answer = await fetch(`${t.url}/api/v1${path('/scans')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${phone.token}`, 'content-type': 'application/json' },
      body: ReadableStream.from(slowly()),
      duplex: 'half',
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { summary: { success: 1 } }]);
  });

  it.each<[string, (good: object) => unknown, string[]]>([
    ['no scan', () => [], ['scans']],
    ['1 001 scans', (good) => Array(1001).fill(good), ['scans']],
    ['no list', () => 'x', ['scans']],
    ['an item without a code', (good) => [good, { client_id: randomUUID() }], ['scans.1.code']],
    ['an item without an id', (good) => [good, { code: 'x' }], ['scans.1.client_id']],
    ['an item that is no object', (good) => [good, null, [], 'x'], ['scans.1', 'scans.2', 'scans.3']],
    ['an unknown field', (good) => [{ ...good, x: 1, __proto__: 1 }], ['scans.0.x']],
    ['the same id twice', (good) => [good, item('y'), { ...good, code: 'y' }], ['scans.2.client_id']],
    [
      'the same id in another case',
      (good) => [
        { ...good, client_id: 'ABCDEF00-0000-4000-8000-00000000000A' },
        { ...good, client_id: 'abcdef00-0000-4000-8000-00000000000a' },
      ],
      ['scans.1.client_id'],
    ],
  ])('with %s is refused, and leaves nothing', async (_, sent, fields) => {
    const { code } = await buy();
    const answer = await phone.post(path('/scans'), { scans: sent(item(code)) });
    expect(refused(answer)).toEqual(fields);
    expect(await figures()).toMatchObject({ scanned: 0 });
    expect(
      await t.database.query(`SELECT FROM inventory_answers WHERE inventory_id = $1`, [session]),
    ).toEqual([]);
  });

  it('that is sent again is answered while all who record wait', async () => {
    const [known, held] = [await buy(), await buy()];
    const first = [item(known.code), item('nothing')];
    const { body } = await send(first);
    const other = await begin(t.database);
    await other.query(`SELECT FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = $2 FOR UPDATE`, [
      session,
      held.id,
    ]);
    const waiting = Array.from({ length: 20 }, () => send([item(held.code), item(known.code)]));
    await blocked(t.database, 4);
    expect(await send(first)).toMatchObject({ status: 200, body });
    await other.end('COMMIT');
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
    expect(await figures()).toMatchObject({ scanned: 2 });
  });

  it('marks lines where they lie, of which PostgreSQL need not know how many there are', async () => {
    const [scanned, by] = [
      { n: 0, code: 'x', cleaned: 'x', candidates: ['x'] },
      { id: phone.userId, name: '' },
    ];
    const judged = { ...scanned, target: 'line' as const, answer: {} as never };
    for (const { text, values } of [record(session, [scanned], by), keep(session, [judged], true, by)]) {
      const [plan] = await t.database.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      expect(JSON.stringify(plan)).toContain(`"Node Type":"Tid Scan"`);
    }
  });

  it('of no session is not found', async () => {
    expect((await phone.post('/inventories/2147483647/scans', { scans: [item('x')] })).status).toBe(404);
  });
});

describe('A scan that is undone', () => {
  it('is missing again, and its message is answered so for ever', async () => {
    const { id, code } = await buy();
    const message = item(code);
    const { scan_id } = (await scan(message)).body;
    const before = await figures();
    const undone = await phone.delete(path(`/scans/${scan_id}`));
    expect([undone.status, undone.body]).toEqual([200, { id: scan_id, deleted: true }]);
    expect(await figures()).toMatchObject({ scanned: before.scanned - 1, total: before.total });
    expect(await scans()).toEqual([]);
    expect((await manager.get(path(`/unscanned?per_page=1&sort=-id`))).body.data[0].id).toBe(id);
    expect((await scan(message)).body).toMatchObject({
      status: 'error',
      reason: 'undone',
      message: 'Scan annulé',
      code,
      scan_id: null,
    });
    expect((await scan(item(code))).body.reason).toBe('recorded');
    expect((await scan(message)).body.reason).toBe('undone');
  });

  it('is one’s own, but for who reviews', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    expect((await other.delete(path(`/scans/${scan_id}`))).status).toBe(403);
    expect((await t.as('viewer').delete(path(`/scans/${scan_id}`))).status).toBe(403);
    const [refusal] = (await t.as('admin').get(`/audit?action=forbidden&resource=inventory`)).body.data.slice(
      -1,
    );
    expect(refusal).toMatchObject({
      user_name: expect.any(String),
      after: { method: 'DELETE', route: '/api/v1/inventories/{id}/scans/{scan_id}', scan_id },
    });
    expect(await scans()).toHaveLength(1);
    expect((await manager.delete(path(`/scans/${scan_id}`))).status).toBe(200);
    expect((await manager.delete(path(`/scans/${scan_id}`))).status).toBe(404);
  });

  it('may be anybody’s of who reviews, though he may not scan', async () => {
    const admin = t.as('admin');
    const permissions = ['inventories.view', 'inventories.review'];
    const { body: role } = await admin.post('/roles', { name: 'auditor', permissions });
    const auditor = await t.asNewUser('anne', role.name);
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    expect((await scan({ code }, auditor)).status).toBe(403);
    expect((await auditor.patch(path(`/scans/${scan_id}`), { note: 'Vu' })).body.note).toBe('Vu');
    expect((await auditor.delete(path(`/scans/${scan_id}`))).status).toBe(200);
    expect(await scans()).toEqual([]);
  });

  it('stays where the session is closed; none is found elsewhere', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    for (const nothing of [Number(scan_id) + 1000, 0, 'x', '9007199254740993'])
      expect((await phone.delete(path(`/scans/${nothing}`))).status).toBe(404);
    expect((await phone.delete(`/inventories/2147483647/scans/${scan_id}`)).status).toBe(404);
    await manager.post(path('/close'));
    const { status, body } = await phone.delete(path(`/scans/${scan_id}`));
    expect([status, body.type]).toEqual([409, '/problems/session-closed']);
  });

  it('of a purchase that was deleted since leaves the session', async () => {
    const { id, code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    await manager.delete(`/purchases/${id}`);
    const before = await figures();
    await phone.delete(path(`/scans/${scan_id}`));
    expect(await figures()).toMatchObject({ scanned: before.scanned - 1, total: before.total - 1 });
    expect((await scan({ code })).body.reason).toBe('unknown-code');
  });

  it('while its purchase is being deleted: both are done', async () => {
    const { id, code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    const deletion = await begin(t.database);
    await deletion.query(`UPDATE purchases SET deleted_at = now() WHERE id = $1`, [id]);
    const undo = phone.delete(path(`/scans/${scan_id}`));
    await blocked(t.database);
    await deletion.end('COMMIT');
    expect((await undo).status).toBe(200);
    expect((await manager.get(path('/unscanned?per_page=1&sort=-id'))).body.data[0]?.id).not.toBe(id);
  });

  it('is undone once, however many ask', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    const before = await figures();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => phone.delete(path(`/scans/${scan_id}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
    expect(await figures()).toMatchObject({ scanned: before.scanned - 1 });
  });

  it('is told to whoever catches up with the scans or with what is missing', async () => {
    const { id, code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    const since = (await manager.get(path('/scans?updated_since=2000-01-01T00:00:00Z'))).body.meta
      .synced_until;
    await phone.delete(path(`/scans/${scan_id}`));
    const query = `?updated_since=${since}&include_deleted=true`;
    expect((await manager.get(path(`/scans${query}`))).body).toMatchObject({
      data: [],
      deleted: [{ id: scan_id, deleted_at: INSTANT }],
    });
    expect((await manager.get(path(`/scans?updated_since=${since}`))).body.deleted).toBeUndefined();
    const missing = (await manager.get(path(`/unscanned${query}`))).body;
    expect([missing.data.map((row: Row) => row.id), missing.deleted]).toEqual([[id], []]);
  });

  it('is in the audit log', async () => {
    const { id, code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    await manager.delete(path(`/scans/${scan_id}`));
    const { body } = await t.as('admin').get('/audit?action=scan.undo&per_page=1');
    expect(body.data[0]).toMatchObject({
      user_id: manager.userId,
      resource: 'inventory',
      resource_id: session,
      after: { scan_id, purchase_id: id, scanned_by: phone.userId },
    });
  });
});

describe('The list of scans', () => {
  it('finds them by condition and by message', async () => {
    const [one, two, three] = [await buy(), await buy(), await buy()];
    const message = item(two.code, { condition: 'good' });
    await send([item(one.code, { condition: 'damaged' }), message, item(three.code), item(one.code)]);
    const codes = async (query: string) => (await scans(`&${query}`)).map((row) => row.purchase.code);
    expect(await codes('condition=damaged')).toEqual([one.code]);
    expect(await codes(`client_id=${message.client_id.toUpperCase()}`)).toEqual([two.code]);
    expect(await codes(`client_id=${randomUUID()}`)).toEqual([]);
    expect(refused(await manager.get(path('/scans?condition=perfect')))).toEqual(['condition']);
    expect(refused(await manager.get(path('/scans?client_id=1')))).toEqual(['client_id']);
  });
});

describe('What a scan says of a thing', () => {
  it('is said afterwards, changed and taken away, and told to whoever catches up', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    const since = (await manager.get(path('/scans?updated_since=2000-01-01T00:00:00Z'))).body.meta
      .synced_until;
    const change = (fields: object, client: Client = phone) =>
      client.patch(path(`/scans/${scan_id}`), fields);
    const said = await change({ condition: 'damaged', note: ' Écran rayé ' });
    expect([said.status, said.body]).toEqual([
      200,
      { id: scan_id, condition: 'damaged', note: 'Écran rayé' },
    ]);
    expect(await scans()).toMatchObject([{ id: scan_id, condition: 'damaged', note: 'Écran rayé' }]);
    expect((await manager.get(path(`/scans?updated_since=${since}`))).body.data).toMatchObject([
      { id: scan_id, condition: 'damaged' },
    ]);
    expect((await change({ note: null })).body).toEqual({ id: scan_id, condition: 'damaged', note: null });
    expect((await change({})).body).toEqual({ id: scan_id, condition: 'damaged', note: null });
    expect(await figures()).toMatchObject({ scanned: 1 });
    expect((await change({ condition: null })).body).toEqual({ id: scan_id, condition: null, note: null });
    await change({ condition: 'damaged', note: 'Écran rayé' });
    await change({ note: null });
    const { body } = await t.as('admin').get('/audit?action=scan.change&per_page=1');
    expect(body.data[0]).toMatchObject({
      user_id: phone.userId,
      resource_id: session,
      after: { scan_id, before: { note: 'Écran rayé' }, after: { condition: 'damaged', note: null } },
    });
  });

  it('is one’s own to say, but for who reviews; of what was not expected too', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code })).body;
    const change = (client: Client, id = scan_id) =>
      client.patch(path(`/scans/${id}`), { condition: 'good' });
    expect((await change(other)).status).toBe(403);
    expect((await change(t.as('viewer'))).status).toBe(403);
    expect((await change(manager)).status).toBe(200);
    expect((await change(phone, 999_999)).status).toBe(404);
    const wrong = await phone.patch(path(`/scans/${scan_id}`), { condition: 'broken' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['condition']]);
    const { id, code: sold } = await buy();
    await manager.post(`/purchases/${id}/dispose`, { date: '2026-11-01', reason: 'sold' });
    const unexpected = (await scan({ code: sold })).body;
    expect((await change(phone, unexpected.scan_id)).status).toBe(200);
    expect((await manager.get(path('/unexpected'))).body.data).toMatchObject([{ condition: 'good' }]);
  });

  it('stays as it is where the session is closed, and where the scan was undone', async () => {
    const { code } = await buy();
    const { scan_id } = (await scan({ code, condition: 'good' })).body;
    const { scan_id: undone } = (await scan({ code: (await buy()).code })).body;
    await phone.delete(path(`/scans/${undone}`));
    expect((await phone.patch(path(`/scans/${undone}`), { note: 'x' })).status).toBe(404);
    await manager.post(path('/close'));
    const late = await phone.patch(path(`/scans/${scan_id}`), { condition: 'damaged' });
    expect([late.status, late.body.type]).toEqual([409, '/problems/session-closed']);
    await manager.post(path('/reopen'), { reason: 'To look again' });
    expect(await scans()).toMatchObject([{ condition: 'good' }]);
  });
});
