import { randomUUID } from 'node:crypto';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let t: TestApp;
let make: Factories;
let manager: Client & { userId: number };
let phone: Client & { userId: number };
let session: number;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = await t.asNewUser('maelle', 'manager');
  phone = await t.asNewUser('erwan', 'operator');
});
afterAll(() => t.stop());
afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

const open = async (fields: object = {}): Promise<Row> => {
  const { status, body } = await manager.post('/inventories', {
    year: 2026,
    inventory_date: '2026-11-16',
    ...fields,
  });
  expect(status).toBe(201);
  session = body.id;
  return body;
};
const path = (rest: string) => `/inventories/${session}${rest}`;
const scan = async (fields: object, client: Client = phone): Promise<Row> =>
  (await client.post(path('/scan'), fields)).body;
const list = async (name: string, query = ''): Promise<Row[]> =>
  (await manager.get(path(`/${name}?per_page=200${query}`))).body.data;
const figures = async () => (await manager.get(path(''))).body.progress;
const shown = ({ id, name, path: full }: Row) => ({ id, name, path: full });

/** A site with two rooms, and another site. */
async function places(): Promise<{ site: Row; room: Row; other: Row; elsewhere: Row }> {
  const site = await make.location();
  const room = await make.location({ parent_id: site.id });
  const other = await make.location({ parent_id: site.id });
  return { site, room, other, elsewhere: await make.location() };
}

describe('A session with a scope', () => {
  it('expects what lies in or below its places, and is of its categories', async () => {
    const { site, room, elsewhere } = await places();
    const category = await make.category();
    const article = await make.article({ category_id: category.id });
    const inside = await make.purchase({ location_id: room.id });
    const both = await make.purchase({ location_id: site.id, article_id: article.id });
    const far = await make.purchase({ location_id: elsewhere.id, article_id: article.id });
    await make.purchase();
    const whole = await open({ location_ids: [elsewhere.id, site.id] });
    expect(whole.scope).toEqual({
      locations: [{ id: site.id, name: site.name }, { id: elsewhere.id, name: elsewhere.name }],
      categories: null,
    }); // prettier-ignore
    expect(whole.progress).toEqual({ scanned: 0, total: 3, percentage: 0 });
    expect((await list('unscanned')).map(({ id }) => id)).toEqual([inside.id, both.id, far.id]);
    const of = await open({ category_ids: [category.id] });
    expect([of.progress.total, of.scope]).toEqual([
      2,
      { locations: null, categories: [{ id: category.id, name: category.name }] },
    ]);
    const narrow = await open({ location_ids: [site.id], category_ids: [category.id] });
    expect(narrow.progress.total).toBe(1);
    expect((await manager.get(path(''))).body.scope).toEqual(narrow.scope);
    expect((await manager.get(`/inventories?sort=-id&per_page=1`)).body.data[0]).toEqual(narrow);
    expect((await open()).scope).toBeNull();
  });

  it('takes in what is bought there, whatever happens to it later', async () => {
    const { site, room, elsewhere } = await places();
    await open({ location_ids: [site.id] });
    const bought = await make.purchase({ location_id: room.id });
    const brought = await make.purchase({ location_id: elsewhere.id });
    await manager.patch(`/purchases/${bought.id}`, { location_id: elsewhere.id });
    await manager.patch(`/purchases/${brought.id}`, { location_id: room.id });
    expect((await list('unscanned')).map(({ id }) => id)).toEqual([bought.id]);
    await manager.delete(`/purchases/${bought.id}`);
    expect(await figures()).toMatchObject({ total: 0 });
  });

  it.each([
    [{ location_ids: [] }, 'location_ids'],
    [{ category_ids: [] }, 'category_ids'],
    [{ location_ids: [2_147_483_647] }, 'location_ids'],
    [{ category_ids: [2_147_483_647] }, 'category_ids'],
    [{ location_ids: null }, 'location_ids'],
    [{ location_ids: [1, 1] }, 'location_ids'],
    [{ location_ids: ['1'] }, 'location_ids'],
    [{ location_ids: 1 }, 'location_ids'],
  ])('is refused with %j', async (scope, field) => {
    const answer = await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...scope });
    expect(refused(answer)).toEqual([field]);
  });

  it('keeps its places from being deleted, and keeps its scope', async () => {
    const { elsewhere } = await places();
    await open({ location_ids: [elsewhere.id] });
    const { status, body } = await manager.delete(`/locations/${elsewhere.id}`);
    expect([status, body.type]).toEqual([409, '/problems/in-use']);
    expect(refused(await manager.patch(path(''), { location_ids: [elsewhere.id] }))).toEqual([
      'location_ids',
    ]);
    const { headers } = await manager.get(path(''));
    await manager.patch(`/locations/${elsewhere.id}`, { name: `${elsewhere.name} bis` });
    const again = await manager.get(path(''));
    expect(again.body.scope.locations[0].name).toBe(`${elsewhere.name} bis`);
    expect(again.headers.get('etag')).not.toBe(headers.get('etag'));
  });

  it('records what it does not expect once, beside its progress', async () => {
    const { site, elsewhere } = await places();
    const strange = await make.purchase({ location_id: elsewhere.id });
    await open({ location_ids: [site.id] });
    const client_id = randomUUID();
    const message = { code: strange.code, client_id, note: 'dans le couloir', location_id: site.id };
    const first = await scan(message);
    expect(first).toEqual({
      status: 'warning',
      reason: 'out-of-scope',
      message: 'Hors périmètre',
      code: strange.code,
      scanned_at: INSTANT,
      purchase: expect.objectContaining({ id: strange.id }),
      scan_id: expect.any(Number),
      misplaced: true,
      expected_location: shown(elsewhere),
      client_id,
    });
    expect(await scan(message)).toEqual(first);
    expect(await scan({ code: strange.code })).toMatchObject({
      status: 'warning',
      reason: 'already-scanned',
      scan_id: first.scan_id,
      first_scan: { at: first.scanned_at, by: { id: phone.userId } },
    });
    expect(await figures()).toEqual({ scanned: 0, total: 0, percentage: 0 });
    expect(await list('scans')).toEqual([]);
    expect(await list('unexpected')).toEqual([
      {
        scan_id: first.scan_id,
        purchase: first.purchase,
        scanned_at: first.scanned_at,
        scanned_by: { id: phone.userId, name: 'User erwan' },
        location: shown(site),
        reason: 'out-of-scope',
        condition: null,
        note: 'dans le couloir',
        source: null,
      },
    ]);
    const byMessage = async (id: string) => (await manager.get(path(`/unexpected?client_id=${id}`))).body;
    expect((await byMessage(client_id.toUpperCase())).data).toHaveLength(1);
    expect(await byMessage(randomUUID())).toMatchObject({ data: [], meta: { total: 0 } });
    expect(refused(await manager.get(path('/unexpected?client_id=1')))).toEqual(['client_id']);
    const since = (await manager.get(path('/unexpected?updated_since=2000-01-01T00:00:00Z'))).body.meta
      .synced_until;
    expect((await phone.delete(path(`/scans/${first.scan_id}`))).status).toBe(200);
    expect(await list('unexpected')).toEqual([]);
    expect(await list('misplaced')).toEqual([]);
    expect((await scan(message)).reason).toBe('undone');
    const changes = await manager.get(path(`/unexpected?updated_since=${since}&include_deleted=true`));
    expect(changes.body.deleted).toEqual([{ id: first.scan_id, deleted_at: INSTANT }]);
    expect((await scan({ code: strange.code })).reason).toBe('out-of-scope');
    expect((await manager.delete(path(''))).body.type).toBe('/problems/session-has-scans');
  });

  it('keeps its session, also where all that it has is late or of a code that nobody knows', async () => {
    const { code } = await make.purchase();
    const late = { client_id: randomUUID(), code, scanned_at: '2026-01-01T08:00:00Z' };
    for (const read of [
      async () => expect((await scan({ code: 'NOBODY-KNOWS' })).reason).toBe('unknown-code'),
      async () => {
        await manager.post(path('/close'));
        expect((await scan(late)).reason).toBe('late');
      },
    ]) {
      await open();
      await read();
      expect((await manager.delete(path(''))).body.type).toBe('/problems/session-has-scans');
    }
    expect((await list('late-scans')).map((row) => row.code)).toEqual([code]);
  });
});

describe('A scan with a place', () => {
  it('tells whether the purchase belongs elsewhere, and where', async () => {
    const { site, room, other, elsewhere } = await places();
    const things: Row[] = [];
    for (const place of [site, room, other, elsewhere, null])
      things.push(await make.purchase({ location_id: place?.id ?? null }));
    await open();
    const answers = [];
    for (const { code } of things) answers.push(await scan({ code, location_id: room.id }));
    expect(answers.map(({ misplaced, expected_location }) => [misplaced, expected_location])).toEqual([
      [false, shown(site)],
      [false, shown(room)],
      [true, shown(other)],
      [true, shown(elsewhere)],
      [false, null],
    ]);
    expect((await scan({ code: 'nothing', location_id: room.id })).misplaced).toBe(false);
    expect(await scan({ code: things[0]!.code })).not.toHaveProperty('misplaced');
    expect(
      (await list('misplaced')).map((row) => [row.purchase.id, row.expected, row.found, row.resolved]),
    ).toEqual([
      [things[2]!.id, shown(other), shown(room), null],
      [things[3]!.id, shown(elsewhere), shown(room), null],
    ]);
    expect((await list('scans', `&location_id=${site.id}`)).map((row) => row.location)).toEqual(
      things.map(() => shown(room)),
    );
    expect(await list('scans', `&location_id=${elsewhere.id}`)).toEqual([]);
    const again = await scan({ code: things[1]!.code, location_id: elsewhere.id });
    expect([again.reason, again.misplaced, again.expected_location]).toEqual([
      'already-scanned',
      true,
      shown(room),
    ]);
    expect(await list('misplaced')).toHaveLength(2);
  });

  it('is answered and kept the same where all of a batch is expected, and beside what is judged', async () => {
    const { site, room, other, elsewhere } = await places();
    const homes = [null, site, room, other];
    const things = await Promise.all(homes.map((home) => make.purchase({ location_id: home?.id ?? null })));
    const said = [
      { condition: 'damaged', note: 'Écran rayé', source: 'camera' },
      { scanned_at: '2026-09-14T06:35:34.902Z' },
      {},
      { source: 'rfid' },
    ];
    const [alias, ids] = [`autre-${randomUUID()}`, things.map(() => randomUUID())];
    await t.database.query(
      `INSERT INTO purchase_codes (code_key, purchase_id, alias) VALUES (code_key($1), $2, $1)`,
      [alias, things[1]!.id],
    );
    const codes = things.map(({ code }, at) => (at === 1 ? alias : code));
    const read = async (location_id: number | undefined, ...beside: object[]) => {
      await open();
      const scans = codes.map((code, at) => ({ code, location_id, client_id: ids[at], ...said[at] }));
      const send = async (): Promise<Row[]> =>
        (await phone.post(path('/scans'), { scans: [...scans, ...beside] })).body.results.slice(0, 4);
      const results = await send();
      expect(await send()).toEqual(results);
      const rows = (await list('scans')).map(({ id, ...row }) => ({ scan_id: id, ...row }));
      return [...results, ...rows].map(({ scan_id, scanned_at, ...row }) => {
        expect([scan_id, scanned_at]).toEqual([expect.any(Number), INSTANT]);
        return row;
      });
    };
    for (const place of [undefined, site, room, elsewhere]) {
      const judged = await read(place?.id, { code: 'nothing', client_id: randomUUID() });
      expect(await read(place?.id)).toEqual(judged);
    }
  });

  it('moves the purchase where that is asked, by who may', async () => {
    const { room, other } = await places();
    const [one, two] = [await make.purchase({ location_id: room.id }), await make.purchase()];
    await open();
    const denied = await phone.post(path('/scan'), { code: one.code, location_id: other.id, move: true });
    expect([denied.status, Object.keys(denied.body.errors as object)]).toEqual([403, ['move']]);
    const items = [false, true, false, true].map((move) => ({ code: one.code, location_id: other.id, move }));
    const scans = items.map((item) => ({ client_id: randomUUID(), ...item }));
    const { status, body } = await phone.post(path('/scans'), { scans });
    expect([status, Object.keys(body.errors as object)]).toEqual([403, ['scans.1.move', 'scans.3.move']]);
    expect(refused(await manager.post(path('/scan'), { code: one.code, move: true }))).toEqual([
      'location_id',
    ]);
    expect(await figures()).toMatchObject({ scanned: 0 });
    const answer = await scan({ code: one.code, location_id: other.id, move: true }, manager);
    expect(answer).toMatchObject({ reason: 'recorded', misplaced: true, expected_location: shown(room) });
    await scan({ code: two.code, location_id: other.id, move: true }, manager);
    for (const { id } of [one, two])
      expect((await manager.get(`/purchases/${id}`)).body.location).toEqual(shown(other));
    expect(await list('misplaced')).toEqual([
      expect.objectContaining({
        expected: shown(room),
        resolved: { how: 'moved', at: INSTANT, by: { id: manager.userId, name: 'User maelle' } },
      }),
    ]);
    const entry = (await t.as('admin').get(`/audit?action=purchase.update&per_page=1`)).body.data[0];
    expect(entry).toMatchObject({ user_id: manager.userId, after: { location_id: other.id } });
  });

  it('was only there, if it is moved elsewhere by a later scan', async () => {
    const { room, other } = await places();
    const third = await make.location();
    const [there, elsewhere] = [
      await make.purchase({ location_id: room.id }),
      await make.purchase({ location_id: room.id }),
    ];
    await open();
    for (const { code } of [there, elsewhere]) await scan({ code, location_id: other.id });
    await scan({ code: there.code, location_id: other.id, move: true }, manager);
    await scan({ code: elsewhere.code, location_id: third.id, move: true }, manager);
    expect((await list('misplaced')).map(({ found, resolved }) => [found.id, resolved.how])).toEqual([
      [other.id, 'moved'],
      [other.id, 'ignored'],
    ]);
  });

  it('answers a message that moved something the same to whoever sends it again, and moves nothing', async () => {
    const { room, other } = await places();
    const [one, two] = [await make.purchase({ location_id: room.id }), await make.purchase()];
    await open();
    const moving = { client_id: randomUUID(), code: one.code, location_id: other.id, move: true };
    const first = await scan(moving, manager);
    await manager.patch(`/purchases/${one.id}`, { location_id: room.id });
    expect(await scan(moving)).toEqual(first);
    const { status, body } = await phone.post(path('/scans'), {
      scans: [moving, { client_id: randomUUID(), code: two.code }],
    });
    expect([status, body.results[0], body.summary]).toEqual([
      200,
      first,
      { success: 2, warning: 0, error: 0 },
    ]);
    expect((await manager.get(`/purchases/${one.id}`)).body.location).toEqual(shown(room));
  });

  it('moves it in the order of a batch, and tells where it belongs by then', async () => {
    const { room, other, elsewhere } = await places();
    const { id, code } = await make.purchase({ location_id: room.id });
    await open();
    const stays = [other, elsewhere, elsewhere, room];
    const scans = stays.map((place, n) => ({
      client_id: randomUUID(),
      code,
      location_id: place.id,
      move: n !== 2,
    }));
    const { results } = (await manager.post(path('/scans'), { scans })).body;
    expect(results.map((row: Row) => [row.reason, row.misplaced, row.expected_location])).toEqual([
      ['recorded', true, shown(room)],
      ['already-scanned', true, shown(other)],
      ['already-scanned', false, shown(elsewhere)],
      ['already-scanned', true, shown(elsewhere)],
    ]);
    expect((await manager.get(`/purchases/${id}`)).body.location).toEqual(shown(room));
  });

  it.each([
    [{ location_id: 2_147_483_647 }, 'location_id'],
    [{ location_id: 0 }, 'location_id'],
    [{ location_id: null }, 'location_id'],
    [{ move: 'yes' }, 'move'],
  ])('is refused with %j; in a batch the item is named', async (fields, field) => {
    const { code } = await make.purchase();
    await open();
    expect(refused(await phone.post(path('/scan'), { code, ...fields }))).toEqual([field]);
    const items = [{}, fields].map((more) => ({ code, client_id: randomUUID(), ...more }));
    expect(refused(await phone.post(path('/scans'), { scans: items }))).toEqual([`scans.1.${field}`]);
    expect(await figures()).toMatchObject({ scanned: 0 });
  });

  it('is refused where its place was deleted, with all of its batch', async () => {
    const { room } = await places();
    const things = [await make.purchase(), await make.purchase()];
    await open();
    expect((await t.as('admin').delete(`/locations/${room.id}`)).status).toBe(200);
    const items = things.map(({ code }) => ({ code, client_id: randomUUID(), location_id: room.id }));
    expect(refused(await phone.post(path('/scan'), items[0]))).toEqual(['location_id']);
    const refusals = refused(await phone.post(path('/scans'), { scans: items }));
    expect(refusals).toEqual(['scans.0.location_id', 'scans.1.location_id']);
    expect(await figures()).toMatchObject({ scanned: 0 });
  });
});

describe('What was found elsewhere', () => {
  const found = async () => {
    const { room, elsewhere } = await places();
    const purchase = await make.purchase({ location_id: room.id });
    await open();
    const { scan_id } = await scan({ code: purchase.code, location_id: elsewhere.id });
    return { purchase, room, elsewhere, scan_id };
  };
  const decide = (id: number, what: string, client: Client = manager) =>
    client.post(path(`/misplaced/${id}/${what}`));

  it.each([
    ['move', 'moved'],
    ['ignore', 'ignored'],
  ])('%s: is decided once, by who reviews', async (what, how) => {
    const { purchase, room, elsewhere } = await found();
    expect((await decide(purchase.id, what, phone)).status).toBe(403);
    expect((await decide(2_147_483_647, what)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 4 }, () => decide(purchase.id, what)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.type).toBe('/problems/already-decided');
    expect(answers.find(({ status }) => status === 200)?.body.resolved).toEqual({
      how,
      at: INSTANT,
      by: { id: manager.userId, name: 'User maelle' },
    });
    const { location } = (await manager.get(`/purchases/${purchase.id}`)).body;
    expect(location).toEqual(shown(how === 'moved' ? elsewhere : room));
    expect(await list('misplaced', '&resolved=false')).toEqual([]);
    expect(await list('misplaced', '&resolved=true')).toHaveLength(1);
    const audit = (await t.as('admin').get(`/audit?action=misplaced.${what}&per_page=1`)).body.data[0];
    expect(audit.after).toEqual({ purchase_id: purchase.id, found_id: elsewhere.id });
  });

  it('stays as it is once the session is closed', async () => {
    const { purchase, elsewhere } = await found();
    await manager.post(path('/close'));
    const closed = async () => {
      const { status, body } = await decide(purchase.id, 'move');
      expect([status, body.type]).toEqual([409, '/problems/session-closed']);
    };
    await closed();
    await manager.delete(`/locations/${elsewhere.id}`);
    await closed(); // also where it could not be moved there any more
    expect(await list('misplaced', '&resolved=false')).toHaveLength(1);
  });

  it('keeps the place where it was found while that may be decided', async () => {
    const { purchase, elsewhere } = await found();
    const { status, body } = await manager.delete(`/locations/${elsewhere.id}`);
    expect([status, body.type]).toEqual([409, '/problems/in-use']);
    expect(body.detail).toContain('inventory sessions that use it: 1.');
    await decide(purchase.id, 'ignore');
    expect((await manager.delete(`/locations/${elsewhere.id}`)).status).toBe(200);
  });

  it('cannot be moved to a place that was deleted while its session was closed, until that is restored', async () => {
    const { purchase, elsewhere } = await found();
    await manager.post(path('/close'));
    expect((await manager.delete(`/locations/${elsewhere.id}`)).status).toBe(200);
    await manager.post(path('/reopen'), { reason: 'Trop tôt' });
    expect((await decide(purchase.id, 'move')).body).toMatchObject({
      status: 404,
      detail: 'The place where it was found was deleted.',
    });
    await manager.post(`/locations/${elsewhere.id}/restore`);
    expect((await decide(purchase.id, 'move')).body).toMatchObject({ resolved: { how: 'moved' } });
  });

  it('goes with its scan', async () => {
    const { purchase, scan_id } = await found();
    const since = (await manager.get(path('/misplaced?updated_since=2000-01-01T00:00:00Z'))).body.meta
      .synced_until;
    await phone.delete(path(`/scans/${scan_id}`));
    expect(await list('misplaced')).toEqual([]);
    const changes = await manager.get(path(`/misplaced?updated_since=${since}&include_deleted=true`));
    expect(changes.body.deleted).toEqual([{ id: purchase.id, deleted_at: INSTANT }]);
  });

  it('is not told as gone where it was found elsewhere again since', async () => {
    const { purchase, elsewhere, scan_id } = await found();
    const since = (await manager.get(path('/misplaced?updated_since=2000-01-01T00:00:00Z'))).body.meta
      .synced_until;
    await phone.delete(path(`/scans/${scan_id}`));
    await scan({ code: purchase.code, location_id: elsewhere.id });
    const { body } = await manager.get(path(`/misplaced?updated_since=${since}&include_deleted=true`));
    expect(body.data).toMatchObject([{ purchase: { id: purchase.id } }]);
    expect(body.deleted).toEqual([]);
  });
});
