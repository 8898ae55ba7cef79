import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';

/** Anything that JSON holds. */
type Row = Answer['body'];

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 2_147_483_647;

let t: TestApp;
let manager: Client & { userId: number };
let operator: Client & { userId: number };
let viewer: Client;
let laptop: { id: number; name: string };
let desk: { id: number; name: string };
let refs: { brand: number; category: number; supplier: number };

beforeAll(async () => {
  t = await startApp();
  manager = await t.asNewUser('maelle', 'manager');
  operator = await t.asNewUser('erwan', 'operator');
  viewer = t.as('viewer');
  const [row] = await t.database.query<typeof refs>(
    `WITH b AS (INSERT INTO brands (name) VALUES ('Dell') RETURNING id),
       c AS (INSERT INTO categories (name) VALUES ('Informatique') RETURNING id),
       s AS (INSERT INTO suppliers (name) VALUES ('Ty Réseau') RETURNING id)
     SELECT b.id AS brand, c.id AS category, s.id AS supplier FROM b, c, s`,
  );
  refs = row!;
  const first = { name: 'Portable 14"', reference: 'P-14', brand_id: refs.brand, category_id: refs.category };
  laptop = (await manager.post('/articles', first)).body;
  desk = (await manager.post('/articles', { name: 'Bureau élevable' })).body;
});

afterAll(() => t.stop());

/** Deleted and not truncated: of so many tables that takes 40 ms, and most of them are empty. */
const EMPTIED = [
  ...['inventory_answers', 'inventory_undone_scans', 'inventory_misplaced', 'inventory_unexpected'],
  ...['inventory_unknown_codes', 'inventory_late_scans', 'inventory_frozen', 'inventory_frozen_lines'],
  ...['inventory_frozen_locations', 'inventory_counters', 'inventory_lines', 'inventories'],
  ...['purchase_codes', 'purchases'],
];
beforeEach(async () => {
  await t.database.query(`
    SET session_replication_role = replica;
    ${EMPTIED.map((table) => `DELETE FROM ${table};`).join('\n')}
    SELECT setval('inventories_id_seq', 1, false), setval('purchases_id_seq', 1, false);
    RESET session_replication_role`);
});

/** Buys something; its code is made by the service where none is given. */
async function buy(code?: string, fields: object = {}): Promise<{ id: number; code: string }> {
  const body = { article_id: laptop.id, purchase_date: '2026-01-15', ...(code && { code }), ...fields };
  const answer = await manager.post('/purchases', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function buyMany(count: number): Promise<{ id: number; code: string }[]> {
  return t.database.query(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, 'M' || lpad(n::text, 4, '0'), '2026-01-01'::date + n % 7 FROM generate_series(1, $2) n
     RETURNING id, code`,
    [laptop.id, count],
  );
}

async function open(fields: object = {}): Promise<number> {
  const answer = await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...fields });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function close(session: number): Promise<void> {
  expect((await manager.post(`/inventories/${session}/close`)).status).toBe(200);
}

async function scan(session: number, code: unknown, client: Client = operator) {
  const answer = await client.post(`/inventories/${session}/scan`, { code });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Scans that are recorded. */
async function scanNow(session: number, ...codes: string[]): Promise<void> {
  for (const code of codes) expect((await scan(session, code)).status).toBe('success');
}

const removePurchase = async ({ id }: { id: number }) =>
  expect((await manager.delete(`/purchases/${id}`)).status).toBe(200);

async function progress(session: number) {
  const [one, all] = await Promise.all([
    viewer.get(`/inventories/${session}`),
    viewer.get('/inventories?per_page=200'),
  ]);
  const item = all.body.data.find((row: { id: number }) => row.id === session);
  expect(item).toEqual(one.body);
  return one.body.progress;
}

async function list(path: string): Promise<Row[]> {
  const answer = await viewer.get(path);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const ids = async (path: string): Promise<number[]> => (await list(path)).map((row) => row.id);

/** Everything that a list has, cursor by cursor. */
async function walk(path: string, between: (page: Row[]) => Promise<unknown> = async () => {}) {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: Answer = await viewer.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.meta).sort()).toEqual(['next_cursor', 'per_page']);
    rows.push(...answer.body.data);
    cursor = answer.body.meta.next_cursor;
    await between(answer.body.data);
  }
  return rows;
}

function expectProblem(answer: Answer, status: number, code: string, ...fields: string[]): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toEqual({
    type: `/problems/${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
    ...(fields.length > 0 && {
      errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
    }),
  });
  expect(answer.status).toBe(status);
}

describe('opening a session', () => {
  it('answers the session, with its place', async () => {
    await buy();
    const sent = { year: 2026, inventory_date: '2026-11-16', label: ' Inventaire annuel ' };
    const answer = await manager.post('/inventories', sent);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/v1/inventories/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      year: 2026,
      inventory_date: '2026-11-16',
      label: 'Inventaire annuel',
      status: 'open',
      scope: null,
      reopened: [],
      progress: { scanned: 0, total: 1, percentage: 0 },
      opened_by: { id: manager.userId, name: 'User maelle' },
      closed_at: null,
      closed_by: null,
      created_at: INSTANT,
      updated_at: INSTANT,
    });
    expect((await viewer.get(`/inventories/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('expects all purchases that are not deleted', async () => {
    const [first, second, third] = [await buy(), await buy(), await buy()];
    await removePurchase(second);
    const session = await open();
    expect(await progress(session)).toEqual({ scanned: 0, total: 2, percentage: 0 });
    expect(await ids(`/inventories/${session}/unscanned`)).toEqual([first.id, third.id]);
  });

  it('works with nothing to count', async () => {
    const session = await open();
    expect(await progress(session)).toEqual({ scanned: 0, total: 0, percentage: 0 });
    expect(await list(`/inventories/${session}/unscanned`)).toEqual([]);
    expect(await list(`/inventories/${session}/scans`)).toEqual([]);
  });

  it.each([
    ['the label is left out', {}, { label: null }],
    ['the label is null', { label: null }, { label: null }],
    ['the label is blank', { label: '  ' }, { label: null }],
    ['the label has 255 characters', { label: '😀'.repeat(255) }, { label: '😀'.repeat(255) }],
    ['the year is the first', { year: 1900 }, { year: 1900 }],
    ['the year is the last', { year: 2200 }, { year: 2200 }],
    ['the day is a leap day', { inventory_date: '2028-02-29' }, { inventory_date: '2028-02-29' }],
    ['the day is far from the year', { inventory_date: '0001-01-01' }, { inventory_date: '0001-01-01' }],
  ])('is possible when %s', async (_, fields, expected) => {
    const id = await open(fields);
    expect((await viewer.get(`/inventories/${id}`)).body).toMatchObject(expected);
  });

  it.each([
    ['year', { year: undefined }],
    ['year', { year: null }],
    ['year', { year: 1899 }],
    ['year', { year: 2201 }],
    ['year', { year: 2026.5 }],
    ['year', { year: '2026' }],
    ['inventory_date', { inventory_date: undefined }],
    ['inventory_date', { inventory_date: null }],
    ['inventory_date', { inventory_date: '2026-02-30' }],
    ['inventory_date', { inventory_date: '16/11/2026' }],
    ['inventory_date', { inventory_date: '2026-11-16T00:00:00Z' }],
    ['inventory_date', { inventory_date: 20261116 }],
    ['label', { label: 'x'.repeat(256) }],
    ['label', { label: 5 }],
    ['label', { label: 'a\0b' }],
    ['label', { label: 'a\ud800b' }],
    ['id', { id: 5 }],
    ['status', { status: 'closed' }],
  ])('answers 422 for a wrong %s: %j', async (field, fields) => {
    const valid = { year: 2026, inventory_date: '2026-11-16' };
    const answer = await manager.post('/inventories', { ...valid, ...fields });
    expectProblem(answer, 422, 'validation-failed', field);
    expect(await list('/inventories')).toEqual([]);
  });

  it('names all wrong fields at once, hidden ones, and a field given twice', async () => {
    const both = await manager.post('/inventories', { year: 0, inventory_date: 'x', label: 1 });
    expectProblem(both, 422, 'validation-failed', 'year', 'inventory_date', 'label');
    const hidden = '{"year":2026,"inventory_date":"2026-11-16","__proto__":{"year":1}}';
    expectProblem(await manager.post('/inventories', hidden), 422, 'validation-failed', '__proto__');
    const twice = '{"year":2026,"inventory_date":"2026-11-16","year":2027}';
    expectProblem(await manager.post('/inventories', twice), 422, 'validation-failed', 'year');
  });

  it('may be done several times, also for one year; every session is scanned on its own', async () => {
    const bought = await buy();
    const [first, second] = [await open(), await open()];
    await scanNow(first, bought.code);
    expect(await progress(first)).toEqual({ scanned: 1, total: 1, percentage: 100 });
    expect(await progress(second)).toEqual({ scanned: 0, total: 1, percentage: 0 });
    await scanNow(second, bought.code);
    await close(first);
    expect(await progress(second)).toEqual({ scanned: 1, total: 1, percentage: 100 });
    expect((await scan(second, bought.code)).status).toBe('warning');
  });
});

describe('who may do what', () => {
  const routes = [
    ['GET', '/inventories', 'none'],
    ['GET', '/inventories/1', 'none'],
    ['GET', '/inventories/1/unscanned', 'none'],
    ['GET', '/inventories/1/scans', 'none'],
    ['POST', '/inventories/1/scan', 'viewer'],
    ['POST', '/inventories', 'operator'],
    ['PATCH', '/inventories/1', 'operator'],
    ['POST', '/inventories/1/close', 'operator'],
    ['DELETE', '/inventories/1', 'operator'],
  ] as const;
  const bodies: Record<string, object> = {
    '/inventories/1/scan': { code: 'X' },
    '/inventories': { year: 2026, inventory_date: '2026-11-16' },
    PATCH: { label: 'changed' },
  };
  const bodyOf = (method: string, path: string) =>
    method === 'GET' ? undefined : (bodies[path] ?? bodies[method]);

  it.each(routes)('%s %s: 401 without a token', async (method, path) => {
    const answer = await t.anonymous.send(method, path, bodyOf(method, path));
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="inventory"');
  });

  it.each(routes)('%s %s: 403 without the permission, and nothing happens', async (method, path, role) => {
    const session = await open();
    expect(session).toBe(1);
    const before = (await viewer.get('/inventories')).body;
    const client = role === 'none' ? await t.asNewUser('nobody') : t.as(role);
    expectProblem(await client.send(method, path, bodyOf(method, path)), 403, 'forbidden');
    expect((await viewer.get('/inventories')).body).toEqual(before);
  });

  it('the operator scans, the manager and the admin do everything', async () => {
    const { code } = await buy();
    for (const role of ['manager', 'admin'] as const) {
      const session = (await t.as(role).post('/inventories', { year: 2026, inventory_date: '2026-11-16' }))
        .body.id;
      expect((await t.as(role).patch(`/inventories/${session}`, { year: 2027 })).status).toBe(200);
      expect((await scan(session, code, t.as(role))).status).toBe('success');
      expect((await scan(session, code, t.as('operator'))).status).toBe('warning');
      expect((await t.as(role).post(`/inventories/${session}/close`)).status).toBe(200);
    }
  });

  it.each(routes.filter(([, path]) => path.includes('1')))(
    '%s %s: 404 for what is not there',
    async (method, path) => {
      await open();
      for (const id of ['2', NOBODY, NOBODY + 1, 0, -1, 'abc', '1e3', '0x1', '%00', '1%20', '99999999999']) {
        const at = path.replace('1', String(id));
        const body = path.endsWith('/scan') ? { code: 'X' } : bodyOf(method, path);
        expectProblem(await manager.send(method, at, body), 404, 'not-found');
      }
    },
  );

  it('answers 405 with what is allowed', async () => {
    const answer = await manager.send('PUT', '/inventories/1');
    expectProblem(answer, 405, 'method-not-allowed');
    expect(answer.headers.get('allow')).toMatch(/PATCH/);
    expectProblem(await manager.get('/inventories/1/scan'), 405, 'method-not-allowed');
  });
});

describe('the list of sessions', () => {
  beforeEach(async () => {
    await buy('A');
    await open({ year: 2025, inventory_date: '2025-12-01' }); // 1
    await open({ year: 2026, inventory_date: '2026-03-01' }); // 2
    await open({ year: 2026, inventory_date: '2026-01-01' }); // 3
    await open({ year: 2024, inventory_date: '2026-02-01' }); // 4
    await scanNow(2, 'A');
    await close(2);
    await close(4);
  });

  it('carries the progress of each', async () => {
    const answer = await viewer.get('/inventories');
    expect(answer.body.meta).toEqual({
      current_page: 1,
      per_page: 50,
      total: 4,
      last_page: 1,
      next_cursor: null,
    });
    expect(answer.body.data.map((row: Row) => [row.id, row.status, row.progress.percentage])).toEqual([
      [1, 'open', 0],
      [2, 'closed', 100],
      [3, 'open', 0],
      [4, 'closed', 0],
    ]);
    expect(answer.body.data[1]).toEqual((await viewer.get('/inventories/2')).body);
  });

  it.each([
    ['year=2026', [2, 3]],
    ['year=1999', []],
    ['status=open', [1, 3]],
    ['status=closed', [2, 4]],
    ['status=closed&year=2026', [2]],
    ['sort=-id', [4, 3, 2, 1]],
    ['sort=year', [4, 1, 2, 3]],
    ['sort=-year', [3, 2, 1, 4]],
    ['sort=inventory_date', [1, 3, 4, 2]],
    ['sort=-inventory_date', [2, 4, 3, 1]],
    ['per_page=1&page=3', [3]],
    ['page=9', []],
  ])('%s', async (query, expected) => {
    expect(await ids(`/inventories?${query}`)).toEqual(expected);
  });

  it.each(['id', '-id', 'year', '-year', 'inventory_date', '-inventory_date'])(
    'by cursor in the order of %s',
    async (sort) => {
      const whole = await list(`/inventories?sort=${sort}`);
      expect(await walk(`/inventories?sort=${sort}&per_page=1`)).toEqual(whole);
      expect(await walk(`/inventories?sort=${sort}&per_page=3`)).toEqual(whole);
    },
  );

  it.each([
    ['year', 'year=abc'],
    ['year', 'year=1899'],
    ['status', 'status=done'],
    ['status', 'status=open&status=closed'],
    ['sort', 'sort=label'],
    ['per_page', 'per_page=0'],
    ['per_page', 'per_page=201'],
    ['page', 'page=0'],
    ['cursor', 'cursor=xyz'],
    ['cursor', 'cursor=&page=1'],
    ['nothing', 'nothing=1'],
  ])('answers 422 for %s: %s', async (field, query) => {
    expectProblem(await viewer.get(`/inventories?${query}`), 422, 'validation-failed', field);
  });

  it('refuses the cursor of another order', async () => {
    const { next_cursor } = (await viewer.get('/inventories?cursor=&per_page=1')).body.meta;
    const answer = await viewer.get(`/inventories?cursor=${next_cursor}&sort=year`);
    expectProblem(answer, 422, 'validation-failed', 'cursor');
  });
});

describe('changing a session', () => {
  it('changes what is sent, nothing else', async () => {
    const session = await open({ label: 'Annuel' });
    const before = (await viewer.get(`/inventories/${session}`)).body;
    const answer = await manager.patch(`/inventories/${session}`, { year: 2027 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...before, year: 2027, updated_at: INSTANT });
    const all = { year: 2025, inventory_date: '2025-06-30', label: 'Été' };
    expect((await manager.patch(`/inventories/${session}`, all)).body).toMatchObject(all);
    expect((await viewer.get(`/inventories/${session}`)).body).toMatchObject(all);
  });

  it.each([{ label: null }, { label: ' ' }])('clears the label with %j', async (fields) => {
    const session = await open({ label: 'Annuel' });
    expect((await manager.patch(`/inventories/${session}`, fields)).body.label).toBeNull();
  });

  it('changes nothing where nothing is sent', async () => {
    const session = await open();
    const before = (await viewer.get(`/inventories/${session}`)).body;
    const answer = await manager.patch(`/inventories/${session}`, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(before);
  });

  it.each([
    ['year', { year: null }],
    ['year', { year: 2300 }],
    ['inventory_date', { inventory_date: null }],
    ['inventory_date', { inventory_date: '2026-13-01' }],
    ['label', { label: 'x'.repeat(256) }],
    ['closed_at', { closed_at: null }],
    ['final_scanned', { final_scanned: 3 }],
  ])('answers 422 for a wrong %s: %j', async (field, fields) => {
    const session = await open();
    expectProblem(await manager.patch(`/inventories/${session}`, fields), 422, 'validation-failed', field);
    // What was sent is looked at before the row.
    expectProblem(await manager.patch(`/inventories/${NOBODY}`, fields), 422, 'validation-failed', field);
  });

  it('is over once it is closed', async () => {
    const session = await open({ label: 'Annuel' });
    await close(session);
    const before = (await viewer.get(`/inventories/${session}`)).body;
    for (const fields of [{ year: 2027 }, { label: null }, { inventory_date: '2026-01-01' }]) {
      expectProblem(await manager.patch(`/inventories/${session}`, fields), 409, 'session-closed');
    }
    expect((await viewer.get(`/inventories/${session}`)).body).toEqual(before);
  });
});

describe('deleting a session', () => {
  const rowsOf = (session: number) =>
    t.database.query<{ lines: number; counters: number; sessions: number }>(
      `SELECT (SELECT count(*) FROM inventory_lines WHERE inventory_id = $1)::int AS lines,
         (SELECT count(*) FROM inventory_counters WHERE inventory_id = $1)::int AS counters,
         (SELECT count(*) FROM inventories WHERE id = $1 AND deleted_at IS NULL)::int AS sessions`,
      [session],
    );

  it('takes its lines and figures along', async () => {
    const bought = await buy();
    const [session, other] = [await open(), await open()];
    const answer = await manager.delete(`/inventories/${session}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: session, deleted: true });
    expect(await rowsOf(session)).toEqual([{ lines: 0, counters: 0, sessions: 0 }]);
    expect(await ids('/inventories')).toEqual([other]);
    for (const path of ['', '/unscanned', '/scans'])
      expectProblem(await viewer.get(`/inventories/${session}${path}`), 404, 'not-found');
    const late = await operator.post(`/inventories/${session}/scan`, { code: bought.code });
    expectProblem(late, 404, 'not-found');
    expectProblem(await manager.delete(`/inventories/${session}`), 404, 'not-found');
    await scanNow(other, bought.code);
  });

  it('is refused once something was scanned, and nothing is lost', async () => {
    const [one] = [await buy(), await buy()];
    const session = await open();
    await scanNow(session, one.code);
    expectProblem(await manager.delete(`/inventories/${session}`), 409, 'session-has-scans');
    expect(await progress(session)).toEqual({ scanned: 1, total: 2, percentage: 50 });
    expect((await scan(session, one.code)).status).toBe('warning');
    await removePurchase(one);
    expectProblem(await manager.delete(`/inventories/${session}`), 409, 'session-has-scans');
  });

  it('asks the same of closed ones', async () => {
    const bought = await buy();
    const [empty, scanned] = [await open(), await open()];
    await scanNow(scanned, bought.code);
    await close(empty);
    await close(scanned);
    expect((await manager.delete(`/inventories/${empty}`)).status).toBe(200);
    expect(await rowsOf(empty)).toEqual([{ lines: 0, counters: 0, sessions: 0 }]);
    expectProblem(await manager.delete(`/inventories/${scanned}`), 409, 'session-has-scans');
    expect(await progress(scanned)).toEqual({ scanned: 1, total: 1, percentage: 100 });
  });
});

describe('closing a session', () => {
  it('answers the session, once', async () => {
    const [bought] = [await buy(), await buy(), await buy()];
    const session = await open();
    await scanNow(session, bought.code);
    const before = (await viewer.get(`/inventories/${session}`)).body;
    const chief = await t.asNewUser('chief', 'admin');
    const answer = await chief.post(`/inventories/${session}/close`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      status: 'closed',
      progress: { scanned: 1, total: 3, percentage: 33.33 },
      closed_at: INSTANT,
      closed_by: { id: chief.userId, name: 'User chief' },
      updated_at: INSTANT,
    });
    expectProblem(await manager.post(`/inventories/${session}/close`), 409, 'session-closed');
    expect((await viewer.get(`/inventories/${session}`)).body).toEqual(answer.body);
  });

  it('takes no fields', async () => {
    const session = await open();
    const path = `/inventories/${session}/close`;
    expectProblem(await manager.post(path, { force: true }), 422, 'validation-failed', 'force');
    expectProblem(await manager.post(`${path}?force=1`), 422, 'validation-failed', 'force');
    expect((await viewer.get(`/inventories/${session}`)).body.status).toBe('open');
    expect((await manager.post(path, {})).status).toBe(200);
  });

  it('freezes the purchases and every figure', async () => {
    const [scanned, missing, renamed] = [await buy('S1'), await buy('S2'), await buy('S3')];
    const session = await open();
    await scanNow(session, scanned.code, renamed.code);
    await close(session);
    const before = (await viewer.get(`/inventories/${session}`)).body;
    const unscanned = await ids(`/inventories/${session}/unscanned`);
    const scans = await list(`/inventories/${session}/scans`);

    const late = await buy('S4');
    expect((await scan(session, late.code)).message).toBe('Inventaire clôturé');
    await removePurchase(missing);
    await removePurchase(scanned);
    expect((await manager.patch(`/purchases/${renamed.id}`, { code: 'S3-bis' })).status).toBe(200);

    expect((await viewer.get(`/inventories/${session}`)).body).toEqual(before);
    expect(await ids(`/inventories/${session}/unscanned`)).toEqual(unscanned);
    expect(unscanned).toEqual([missing.id]);
    expect((await walk(`/inventories/${session}/unscanned?sort=code`)).map((row) => row.id)).toEqual([
      missing.id,
    ]);
    const after = await list(`/inventories/${session}/scans`);
    const facts = (rows: Row[]) =>
      rows.map((row) => [row.id, row.scanned_at, row.scanned_by, row.purchase.id]);
    expect(facts(after)).toEqual(facts(scans));
    expect(after.map((row) => row.purchase.code)).toEqual(['S1', 'S3-bis']);
  });

  it('of nothing leaves zeros', async () => {
    const session = await open();
    await close(session);
    await buy();
    expect(await progress(session)).toEqual({ scanned: 0, total: 0, percentage: 0 });
  });
});

describe('progress', () => {
  it.each([
    [1, 3, 33.33],
    [2, 3, 66.67],
    [57, 800, 7.13],
    [201, 800, 25.13],
    [7, 7, 100],
  ])('%i of %i', async (scanned, total, percentage) => {
    await buyMany(total);
    const session = await open();
    await t.database.query(
      `WITH marked AS (
         UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = now(), scanned_by = $2
         WHERE inventory_id = $1 AND purchase_id <= $3 RETURNING 1)
       UPDATE inventory_counters SET scanned = (SELECT count(*) FROM marked)
       WHERE inventory_id = $1 AND shard = 0`,
      [session, operator.userId, scanned],
    );
    expect(await progress(session)).toEqual({ scanned, total, percentage });
    await close(session);
    expect(await progress(session)).toEqual({ scanned, total, percentage });
  });
});

describe('purchases during a session', () => {
  it('join every open session, not the closed ones', async () => {
    await buy();
    const [first, second, closed] = [await open(), await open(), await open()];
    await close(closed);
    const joined = await buy();
    for (const session of [first, second]) {
      expect(await progress(session)).toEqual({ scanned: 0, total: 2, percentage: 0 });
      expect(await ids(`/inventories/${session}/unscanned`)).toContain(joined.id);
      await scanNow(session, joined.code);
      expect(await progress(session)).toEqual({ scanned: 1, total: 2, percentage: 50 });
    }
    expect(await progress(closed)).toEqual({ scanned: 0, total: 1, percentage: 0 });
  });

  it('leave it when they are deleted before they are scanned', async () => {
    const [gone, left] = [await buy(), await buy()];
    const session = await open();
    await removePurchase(gone);
    expect(await progress(session)).toEqual({ scanned: 0, total: 1, percentage: 0 });
    expect(await ids(`/inventories/${session}/unscanned`)).toEqual([left.id]);
    expect(await scan(session, gone.code)).toEqual({
      status: 'error',
      reason: 'unknown-code',
      message: 'Code inconnu',
      code: gone.code,
      scanned_at: INSTANT,
      purchase: null,
      scan_id: null,
    });
    expect(await progress(session)).toEqual({ scanned: 0, total: 1, percentage: 0 });
  });

  it('stay in it when they are deleted after they were scanned', async () => {
    const [gone, left] = [await buy(), await buy()];
    const session = await open();
    const first = await scan(session, gone.code);
    await removePurchase(gone);
    expect(await progress(session)).toEqual({ scanned: 1, total: 2, percentage: 50 });
    expect(await ids(`/inventories/${session}/unscanned`)).toEqual([left.id]);
    expect((await list(`/inventories/${session}/scans`)).map((row) => row.purchase.id)).toEqual([gone.id]);
    expect(await scan(session, gone.code, manager)).toEqual({
      ...first,
      status: 'warning',
      reason: 'already-scanned',
      message: 'Déjà scanné',
      first_scan: { at: first.scanned_at, by: { id: operator.userId, name: 'User erwan' } },
    });
    // Another session has not scanned it, so there nobody knows it any more.
    expect((await scan(await open(), gone.code)).message).toBe('Code inconnu');
    await close(session);
    expect(await progress(session)).toEqual({ scanned: 1, total: 2, percentage: 50 });
  });

  it('bought and deleted again leave no trace', async () => {
    const session = await open();
    await removePurchase(await buy());
    expect(await progress(session)).toEqual({ scanned: 0, total: 0, percentage: 0 });
    await close(session);
    expect(await progress(session)).toEqual({ scanned: 0, total: 0, percentage: 0 });
  });

  it('that come in bulk join it too', async () => {
    const session = await open();
    await buyMany(2000);
    expect(await progress(session)).toEqual({ scanned: 0, total: 2000, percentage: 0 });
    await scanNow(session, 'M2000');
    await t.database.query(`UPDATE purchases SET deleted_at = now() WHERE id > 1000`);
    expect(await progress(session)).toEqual({ scanned: 1, total: 1001, percentage: 0.1 });
  });
});

describe('a scan', () => {
  const purchase = () => ({ id: 1, code: '0004521', article: { id: laptop.id, name: laptop.name } });

  it('is recorded once, and then a warning that names the first', async () => {
    await buy('0004521');
    const session = await open();
    const first = await scan(session, '0004521');
    expect(first).toEqual({
      status: 'success',
      reason: 'recorded',
      message: 'Article ajouté',
      code: '0004521',
      scanned_at: INSTANT,
      purchase: purchase(),
      scan_id: expect.any(Number),
    });
    for (const client of [operator, manager]) {
      expect(await scan(session, '0004521', client)).toEqual({
        status: 'warning',
        reason: 'already-scanned',
        message: 'Déjà scanné',
        code: '0004521',
        scanned_at: first.scanned_at,
        purchase: purchase(),
        scan_id: first.scan_id,
        first_scan: { at: first.scanned_at, by: { id: operator.userId, name: 'User erwan' } },
      });
    }
    expect(await progress(session)).toEqual({ scanned: 1, total: 1, percentage: 100 });
  });

  it('of an unknown code is an answer too', async () => {
    const session = await open();
    expect(await scan(session, ' Nobody’s ')).toEqual({
      status: 'error',
      reason: 'unknown-code',
      message: 'Code inconnu',
      code: ' Nobody’s ',
      scanned_at: INSTANT,
      purchase: null,
      scan_id: null,
    });
  });

  it.each([
    ['known', '0004521', '0004521', true],
    ['scanned before', '0004522', '0004522', true],
    ['unknown', 'nobody', 'nobody', false],
  ])('in a closed session is too late, whatever the code: %s', async (_, sent, code, isKnown) => {
    await buy('0004521');
    await buy('0004522');
    const session = await open();
    await scanNow(session, '0004522');
    await close(session);
    expect(await scan(session, sent)).toEqual({
      status: 'error',
      reason: 'session-closed',
      message: 'Inventaire clôturé',
      code,
      scanned_at: INSTANT,
      purchase: isKnown ? { ...purchase(), id: code === '0004521' ? 1 : 2, code } : null,
      scan_id: null,
    });
    expect(await progress(session)).toEqual({ scanned: 1, total: 2, percentage: 50 });
  });

  it('goes by the label of today', async () => {
    const { id } = await buy('OLD');
    const session = await open();
    expect((await manager.patch(`/purchases/${id}`, { code: 'NEW' })).status).toBe(200);
    expect((await scan(session, 'OLD')).message).toBe('Code inconnu');
    expect(await scan(session, 'new')).toMatchObject({ status: 'success', code: 'NEW', purchase: { id } });
    expect((await manager.patch(`/purchases/${id}`, { code: 'NEWER' })).status).toBe(200);
    expect(await scan(session, 'NEWER')).toMatchObject({ status: 'warning', code: 'NEWER' });
    expect((await scan(session, 'NEW')).message).toBe('Code inconnu');
    expect(await progress(session)).toEqual({ scanned: 1, total: 1, percentage: 100 });
  });

  it.each([
    ['left out', {}, 'code'],
    ['null', { code: null }, 'code'],
    ['a number', { code: 4521 }, 'code'],
    ['a list', { code: ['0004521'] }, 'code'],
    ['an object', { code: { code: '0004521' } }, 'code'],
    ['true', { code: true }, 'code'],
    ['empty', { code: '' }, 'code'],
    ['blank', { code: ' \t\r\n\u00a0 ' }, 'code'],
    ['too long', { code: 'x'.repeat(2049) }, 'code'],
    ['with another field', { code: '0004521', purchase_id: 1 }, 'purchase_id'],
  ])('answers 422 when the code is %s', async (_, body, field) => {
    await buy('0004521');
    const session = await open();
    for (const id of [session, NOBODY])
      expectProblem(await operator.post(`/inventories/${id}/scan`, body), 422, 'validation-failed', field);
    expect(await progress(session)).toEqual({ scanned: 0, total: 1, percentage: 0 });
  });

  it('answers 422 without a body, with another one, and for the code in the query', async () => {
    const path = `/inventories/${await open()}/scan`;
    expectProblem(await operator.post(path), 422, 'validation-failed', 'code');
    expectProblem(await operator.post(path, ['A']), 422, 'validation-failed', 'body');
    expectProblem(await operator.post(`${path}?code=A`, { code: 'A' }), 422, 'validation-failed', 'code');
    expectProblem(await operator.post(path, '{"code":"A","code":"B"}'), 422, 'validation-failed', 'code');
  });
});

describe('what a scanner reads', () => {
  const labels = [
    '0004521',
    '4521',
    'LYC-É-0199',
    'A/B?C#1',
    'Salle 3  bis',
    ']C1ABC',
    'ABC',
    'https://t.example/i/0042',
    '0042',
    'Straße',
    'x'.repeat(64),
  ];
  let session: number;

  beforeEach(async () => {
    for (const label of labels) await buy(label);
    session = await open();
  });

  it.each([
    ['0004521', '0004521'],
    ['4521', '4521'],
    [' 0004521 ', '0004521'],
    ['\t0004521\r\n', '0004521'],
    ['\u00a00004521\u2003', '0004521'],
    ['\ufeff0004521', '0004521'],
    ['\u00000004521\u0000', '0004521'],
    ['\u001d0004521', '0004521'],
    ['000\u001d4521', '0004521'],
    ['\u00020004521\u0003', '0004521'],
    ['0004521\u0085', '0004521'],
    [']C10004521', '0004521'],
    [']Q30004521', '0004521'],
    [']E00004521', '0004521'],
    [']d2\u001d0004521', '0004521'],
    ['\u0002 ]C1 0004521\u001d \r', '0004521'],
    ['https://t.example/i/0004521', '0004521'],
    ['https://t.example/i/0004521/', '0004521'],
    ['https://t.example/0004521?from=label#top', '0004521'],
    ['https://t.example/0004521/?code=4521', '0004521'],
    ['HTTPS://T.EXAMPLE:8443/I/0004521', '0004521'],
    ['http://user@t.example/0004521', '0004521'],
    ['recense+scan://item/0004521', '0004521'],
    [']Q3https://t.example/0004521\r\n', '0004521'],
    ['https://t.example/LYC-%C3%89-0199', 'LYC-É-0199'],
    ['https://t.example/LYC-É-0199', 'LYC-É-0199'],
    ['https://t.example/A%2FB%3FC%231', 'A/B?C#1'],
    ['https://t.example/Salle%203%20%20bis', 'Salle 3  bis'],
    ['lyc-é-0199', 'LYC-É-0199'],
    ['LYC-E\u0301-0199', 'LYC-É-0199'],
    ['salle 3  BIS', 'Salle 3  bis'],
    ['STRASSE', 'Straße'],
    ['a/b?c#1', 'A/B?C#1'],
    [']C1ABC', ']C1ABC'],
    [']c1abc', ']C1ABC'],
    [']Q3ABC', 'ABC'],
    ['https://t.example/i/0042', 'https://t.example/i/0042'],
    ['HTTPS://T.EXAMPLE/I/0042', 'https://t.example/i/0042'],
    [']Q3https://t.example/i/0042', 'https://t.example/i/0042'],
    ['https://t.example/i/0042/', '0042'],
    ['X'.repeat(64), 'x'.repeat(64)],
    [' '.repeat(1000) + '0004521' + ' '.repeat(1000), '0004521'],
    ['https://t.example/' + 'long/'.repeat(400) + '0004521', '0004521'],
  ])('%j is the label %s', async (sent, code) => {
    expect(await scan(session, sent)).toMatchObject({
      status: 'success',
      code,
      purchase: { id: labels.indexOf(code) + 1, code },
    });
    expect(await scan(session, sent)).toMatchObject({ status: 'warning', code });
    expect(await progress(session)).toMatchObject({ scanned: 1 });
  });

  it.each([
    '04521',
    '00004521',
    '000 4521',
    '0004521x',
    '0004521,4521',
    '0004521%20',
    'Salle 3 bis',
    'LYC-E-0199',
    'https://t.example',
    'https://t.example/',
    'https://0004521',
    'https://t.example/?code=0004521',
    'https://t.example/0004521/edit',
    'https://t.example/%E9',
    'https://t.example/%00',
    't.example/0004521',
    ']C1',
    ']Q3 ',
    '%',
    '_',
    "' OR 1=1 --",
    '\u0000',
    '\u001d',
    '\ud800',
    '0004521\udfff',
    '\ud8000004521',
    'x'.repeat(65),
    'x'.repeat(2048),
    '😀'.repeat(2048),
    '__proto__',
  ])('%j is unknown, and answered as sent', async (sent) => {
    expect(await scan(session, sent)).toEqual({
      status: 'error',
      reason: 'unknown-code',
      message: 'Code inconnu',
      code: sent,
      scanned_at: INSTANT,
      purchase: null,
      scan_id: null,
    });
    expect(await progress(session)).toMatchObject({ scanned: 0 });
  });

  it('means the cleaned text where the exact one is deleted', async () => {
    await removePurchase({ id: labels.indexOf(']C1ABC') + 1 });
    expect(await scan(session, ']C1ABC')).toMatchObject({ status: 'success', code: 'ABC' });
  });
});

describe('what is not scanned yet', () => {
  let session: number;

  beforeEach(async () => {
    await buy('C1', { purchase_date: '2026-03-01', serial_number: 'SN-Été' }); // 1
    await buy('a2', { purchase_date: '2026-01-01', supplier_id: refs.supplier }); // 2
    await buy('B3', { purchase_date: '2026-02-01', article_id: desk.id }); // 3
    await buy('D4', { purchase_date: '2026-01-01', article_id: desk.id, supplier_id: refs.supplier }); // 4
    await buy('é5', { purchase_date: '2025-12-31' }); // 5, scanned
    await buy('100%', { purchase_date: '2026-01-01' }); // 6
    session = await open();
    await scanNow(session, 'É5');
  });

  it('lists purchases as everywhere', async () => {
    const answer = await viewer.get(`/inventories/${session}/unscanned`);
    expect(answer.body.meta).toEqual({
      current_page: 1,
      per_page: 50,
      total: 5,
      last_page: 1,
      next_cursor: null,
    });
    const purchases = await list('/purchases');
    expect(answer.body.data).toEqual(purchases.filter((row) => row.code !== 'é5'));
  });

  it.each([
    ['', [1, 2, 3, 4, 6]],
    ['sort=-id', [6, 4, 3, 2, 1]],
    ['sort=code', [6, 2, 3, 1, 4]],
    ['sort=-code', [4, 1, 3, 2, 6]],
    ['sort=purchase_date', [2, 4, 6, 3, 1]],
    ['sort=-purchase_date', [1, 3, 6, 4, 2]],
    ['search=PORTABLE', [1, 2, 6]],
    ['search=elevable', [3, 4]],
    ['search=sn-ete', [1]],
    ['search=%25', [6]],
    ['search=_', []],
    ['search=p-14&sort=-code', [1, 2, 6]],
    ['code=A2', [2]],
    ['code=a', []],
    ['code=%C3%A95', []],
    ['purchased_from=2026-02-01', [1, 3]],
    ['purchased_to=2026-01-01', [2, 4, 6]],
    ['purchased_from=2026-01-02&purchased_to=2026-02-28', [3]],
    ['per_page=2&page=2', [3, 4]],
    ['per_page=2&page=3', [6]],
    ['per_page=2&page=2&sort=code', [3, 1]],
    ['article_id=2147483647', []],
    ['supplier_id=2147483647', []],
  ])('%s', async (query, expected) => {
    expect(await ids(`/inventories/${session}/unscanned?${query}`)).toEqual(expected);
  });

  it('takes the filters of purchases by id', async () => {
    const path = `/inventories/${session}/unscanned`;
    expect(await ids(`${path}?article_id=${desk.id}`)).toEqual([3, 4]);
    expect(await ids(`${path}?supplier_id=${refs.supplier}`)).toEqual([2, 4]);
    expect(await ids(`${path}?brand_id=${refs.brand}`)).toEqual([1, 2, 6]);
    expect(await ids(`${path}?category_id=${refs.category}&sort=-code`)).toEqual([1, 2, 6]);
    expect(await ids(`${path}?article_id=${desk.id}&supplier_id=${refs.supplier}`)).toEqual([4]);
    const counted = await viewer.get(`${path}?article_id=${desk.id}&per_page=1`);
    expect(counted.body.meta).toMatchObject({ total: 2, last_page: 2, next_cursor: expect.any(String) });
  });

  it.each(['id', '-id', 'code', '-code', 'purchase_date', '-purchase_date'])(
    'by cursor in the order of %s, filtered or not',
    async (sort) => {
      for (const filter of ['', `&article_id=${laptop.id}`]) {
        const path = `/inventories/${session}/unscanned?sort=${sort}${filter}`;
        const whole = await list(path);
        expect(whole.length).toBeGreaterThan(2);
        for (const size of [1, 2, whole.length])
          expect(await walk(`${path}&per_page=${size}`)).toEqual(whole);
      }
    },
  );

  it.each(['id', '-id', 'code', '-code', 'purchase_date', '-purchase_date'])(
    'to the end in the order of %s while scanning goes on',
    async (sort) => {
      await buyMany(80);
      const scannedMeanwhile = new Set<string>();
      const seen = await walk(`/inventories/${session}/unscanned?sort=${sort}&per_page=7`, async (page) => {
        // One that was just listed, so that the page moves, and one anywhere.
        const left = await list(`/inventories/${session}/unscanned?per_page=200`);
        for (const one of [page.at(-1), left[Math.floor(left.length / 2)]]) {
          if (!one || scannedMeanwhile.has(one.code)) continue;
          await scanNow(session, one.code);
          scannedMeanwhile.add(one.code);
        }
      });
      const codes = seen.map((row) => row.code);
      expect(new Set(codes).size).toBe(codes.length);
      const left = (await list(`/inventories/${session}/unscanned?per_page=200`)).map((row) => row.code);
      expect(scannedMeanwhile.size).toBeGreaterThan(10);
      expect(left.filter((code) => !codes.includes(code))).toEqual([]);
    },
  );

  // Few are sorted, many are read in the order of an index.
  it('goes on from a cursor when few are left of many, and when they are many again', async () => {
    await buyMany(9998);
    const sorts = ['code', '-code', 'purchase_date', '-purchase_date'];
    const pages = (cursors: string[]): Promise<Answer['body'][]> =>
      Promise.all(
        sorts.map(async (sort, at) => {
          const path = `/inventories/${session}/unscanned?sort=${sort}&per_page=2&cursor=${cursors[at]}`;
          return (await viewer.get(path)).body;
        }),
      );
    const rows = (of: Answer['body'][]) => of.map(({ data }) => data);
    const nexts = (of: Answer['body'][]) => of.map(({ meta }) => meta.next_cursor);
    const first = nexts(await pages(['', '', '', '']));
    const many = await pages(first);
    await scanNow(session, 'M5000', 'M5001', 'M5002', 'M5003');
    const few = await pages(first);
    expect(rows(few)).toEqual(rows(many));
    for (const code of ['N1', 'N2', 'N3', 'N4']) await buy(code);
    expect(rows(await pages(nexts(few)))).toEqual(rows(await pages(nexts(many))));
  });

  it.each([
    ['sort', 'sort=purchase_price'],
    ['article_id', 'article_id=0'],
    ['supplier_id', 'supplier_id=x'],
    ['category_id', 'category_id=1.5'],
    ['brand_id', 'brand_id=-1'],
    ['purchased_from', 'purchased_from=2026-02-30'],
    ['purchased_to', 'purchased_to=tomorrow'],
    ['code', `code=${'x'.repeat(65)}`],
    ['search', 'search=%00'],
    ['cursor', 'cursor=AAAA'],
    ['user_id', 'user_id=1'],
  ])('answers 422 for %s: %s', async (field, query) => {
    for (const id of [session, NOBODY])
      expectProblem(
        await viewer.get(`/inventories/${id}/unscanned?${query}`),
        422,
        'validation-failed',
        field,
      );
  });
});

describe('what was scanned', () => {
  let session: number;

  beforeEach(async () => {
    await buyMany(6);
    session = await open();
  });

  /** Scans the purchase n, at that instant. */
  async function scanAt(n: number, at: string, client: Client = operator) {
    await scan(session, `M000${n}`, client);
    await t.database.query(
      `UPDATE inventory_lines SET scanned_at = $3 WHERE inventory_id = $1 AND purchase_id = $2`,
      [session, n, at],
    );
  }

  it('lists when and by whom', async () => {
    const first = await scan(session, 'M0002');
    await scan(session, 'M0001', manager);
    await scan(session, 'M0002', manager);
    await scan(session, 'nobody');
    const answer = await viewer.get(`/inventories/${session}/scans`);
    expect(answer.body.meta).toEqual({
      current_page: 1,
      per_page: 50,
      total: 2,
      last_page: 1,
      next_cursor: null,
    });
    const unsaid = {
      client_id: null,
      device_scanned_at: null,
      clock_ahead: false,
      clock_behind: false,
      location: null,
      condition: null,
      note: null,
      source: null,
    };
    expect(answer.body.data).toEqual([
      {
        id: expect.any(Number),
        scanned_at: first.scanned_at,
        scanned_by: { id: operator.userId, name: 'User erwan' },
        purchase: { id: 2, code: 'M0002', article: { id: laptop.id, name: laptop.name } },
        ...unsaid,
      },
      {
        id: expect.any(Number),
        scanned_at: INSTANT,
        scanned_by: { id: manager.userId, name: 'User maelle' },
        purchase: { id: 1, code: 'M0001', article: { id: laptop.id, name: laptop.name } },
        ...unsaid,
      },
    ]);
    expect(answer.body.data[0].id).toBeLessThan(answer.body.data[1].id);
  });

  const purchasesOf = async (query: string, client: Client = viewer) => {
    const answer = await client.get(`/inventories/${session}/scans?${query}`);
    expect(answer.status).toBe(200);
    return answer.body.data.map((row: Row) => row.purchase.id);
  };

  it('of one user', async () => {
    await scanNow(session, 'M0001');
    await scan(session, 'M0002', manager);
    expect(await purchasesOf(`user_id=${operator.userId}`)).toEqual([1]);
    expect(await purchasesOf(`user_id=${manager.userId}`)).toEqual([2]);
    expect(await purchasesOf(`user_id=${NOBODY}`)).toEqual([]);
  });

  it('by instant, both ends included', async () => {
    await scanAt(1, '2026-06-15T08:00:00.000Z');
    await scanAt(2, '2026-06-15T08:00:00.001Z');
    await scanAt(3, '2026-06-15T09:00:00.000Z');
    expect(await purchasesOf('scanned_from=2026-06-15T08:00:00Z')).toEqual([1, 2, 3]);
    expect(await purchasesOf('scanned_from=2026-06-15T08:00:00.001Z')).toEqual([2, 3]);
    expect(await purchasesOf('scanned_to=2026-06-15T08:00:00Z')).toEqual([1]);
    expect(
      await purchasesOf('scanned_from=2026-06-15T08:00:00.001Z&scanned_to=2026-06-15T09:00:00Z'),
    ).toEqual([2, 3]);
    expect(await purchasesOf('scanned_from=2026-06-15T09:00:00.001Z')).toEqual([]);
  });

  it.each([
    '2026-06-15T10:30:00%2B02:00',
    '2026-06-15T10:30:00+02:00',
    '2026-06-15T10:30:00%2002:00',
    '2026-06-15t08:30:00z',
    '2026-06-15T08:30:00.000000000Z',
    '2026-06-16T04:30:00%2B20:00',
    '2026-06-14T09:30:00-23:00',
    '2026-06-15T03:30:00-05:00',
  ])('by an instant written %s', async (instant) => {
    await scanAt(1, '2026-06-15T08:29:59.999Z');
    await scanAt(2, '2026-06-15T08:30:00.000Z');
    expect(await purchasesOf(`scanned_from=${instant}`)).toEqual([2]);
    expect(await purchasesOf(`scanned_to=${instant}&sort=scanned_at`)).toEqual([1, 2]);
  });

  it('by day, as in Paris', async () => {
    await scanAt(1, '2026-06-14T21:59:59.999Z');
    await scanAt(2, '2026-06-14T22:00:00.000Z');
    await scanAt(3, '2026-06-15T21:59:59.999Z');
    await scanAt(4, '2026-06-15T22:00:00.000Z');
    expect(await purchasesOf('scanned_from=2026-06-15&scanned_to=2026-06-15')).toEqual([2, 3]);
    expect(await purchasesOf('scanned_from=2026-06-16')).toEqual([4]);
    expect(await purchasesOf('scanned_to=2026-06-14')).toEqual([1]);
    expect(await purchasesOf('scanned_from=2026-06-15T21:59:59.999Z&scanned_to=2026-06-15')).toEqual([3]);
    expect(await purchasesOf('scanned_from=2026-06-16&scanned_to=2026-06-15')).toEqual([]);
  });

  it('by a day of 25 hours', async () => {
    await scanAt(1, '2026-10-24T21:59:59.999Z');
    await scanAt(2, '2026-10-24T22:00:00.000Z');
    await scanAt(3, '2026-10-25T22:59:59.999Z');
    await scanAt(4, '2026-10-25T23:00:00.000Z');
    expect(await purchasesOf('scanned_from=2026-10-25&scanned_to=2026-10-25')).toEqual([2, 3]);
  });

  it('by day, as in the time zone of the service', async () => {
    const far = await startApp({ TIME_ZONE: 'Pacific/Auckland' }, t.database);
    await scanAt(1, '2026-06-14T11:59:59.999Z');
    await scanAt(2, '2026-06-14T12:00:00.000Z');
    await scanAt(3, '2026-06-15T11:59:59.999Z');
    await scanAt(4, '2026-06-15T12:00:00.000Z');
    expect(await purchasesOf('scanned_from=2026-06-15&scanned_to=2026-06-15', far.as('viewer'))).toEqual([
      2, 3,
    ]);
    await far.stop();
  });

  it('by a day that was left out, and those around it', async () => {
    const far = await startApp({ TIME_ZONE: 'Pacific/Apia' }, t.database);
    await scanAt(1, '2011-12-30T09:59:59.999Z');
    await scanAt(2, '2011-12-30T10:00:00.000Z');
    for (const [day, found] of [
      ['2011-12-29', [1]],
      ['2011-12-30', []],
      ['2011-12-31', [2]],
    ] as const) {
      expect(await purchasesOf(`scanned_from=${day}&scanned_to=${day}`, far.as('viewer'))).toEqual(found);
    }
    await far.stop();
  });

  it.each(['0001-01-01', '9999-12-31', '0001-01-01T00:00:00%2B01:00', '9999-12-31T23:59:59-01:00'])(
    'at the ends of time: %s',
    async (moment) => {
      await scanNow(session, 'M0001');
      const isEarly = moment.startsWith('0001');
      expect(await purchasesOf(`scanned_from=${moment}`)).toEqual(isEarly ? [1] : []);
      expect(await purchasesOf(`scanned_to=${moment}`)).toEqual(isEarly ? [] : [1]);
    },
  );

  it.each(['id', '-id', 'scanned_at', '-scanned_at'])('by cursor in the order of %s', async (sort) => {
    await scanAt(1, '2026-06-15T08:00:00.002Z');
    await scanAt(2, '2026-06-15T08:00:00.001Z');
    await scanAt(3, '2026-06-15T08:00:00.001Z');
    await scanAt(4, '2026-06-15T08:00:00.000Z');
    const expected = { id: [1, 2, 3, 4], scanned_at: [4, 2, 3, 1] }[sort.replace('-', '')]!;
    if (sort.startsWith('-')) expected.reverse();
    expect(await purchasesOf(`sort=${sort}`)).toEqual(expected);
    for (const size of [1, 2, 3]) {
      const rows = await walk(`/inventories/${session}/scans?sort=${sort}&per_page=${size}`);
      expect(rows.map((row) => row.purchase.id)).toEqual(expected);
    }
  });

  it('by cursor, in the order of the scans, finds those that came meanwhile', async () => {
    await scanNow(session, 'M0003', 'M0001');
    let added = 0;
    const rows = await walk(`/inventories/${session}/scans?per_page=1`, async () => {
      if (added++ === 0) await scanNow(session, 'M0002');
    });
    expect(rows.map((row) => row.purchase.id)).toEqual([3, 1, 2]);
  });

  it.each([
    ['user_id', 'user_id=x'],
    ['scanned_from', 'scanned_from=yesterday'],
    ['scanned_from', 'scanned_from=2026-02-30'],
    ['scanned_from', 'scanned_from=2026-02-30T00:00:00Z'],
    ['scanned_to', 'scanned_to=2026-06-15T08:00:00'],
    ['scanned_to', 'scanned_to=2026-06-15T25:00:00Z'],
    ['scanned_to', 'scanned_to='],
    ['sort', 'sort=purchase_id'],
    ['cursor', 'cursor=AAAA'],
    ['search', 'search=x'],
  ])('answers 422 for %s: %s', async (field, query) => {
    for (const id of [session, NOBODY])
      expectProblem(await viewer.get(`/inventories/${id}/scans?${query}`), 422, 'validation-failed', field);
  });
});
