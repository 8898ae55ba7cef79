import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import { factories, idsOf, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { EVER, Phone } from './support/phone.js';
import { runCommand, temporaryFolder } from './support/process.js';
import { SEEDS } from './support/seeds.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import type { OpenTransaction } from './support/transactions.js';

const MISSING = 2_147_483_647;

let t: TestApp;
let make: Factories;
let admin: Client;
/** A session that is open, and one that is closed. */
let open: number;
let closed: number;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  admin = t.as('admin');
  for (let n = 0; n < 4; n++) {
    for (const one of [make.brand, make.category, make.amortizationCategory, make.supplier, make.location])
      await one();
    await admin.post('/fields', { name: unique('Field'), applies_to: 'purchase', type: 'text' });
    await make.equipment({ tier_id: (await make.tier()).id });
    await make.purchase();
    await t.asNewUser('admin');
    closed = await openSession();
    await admin.post(`/inventories/${closed}/close`);
  }
  open = await openSession();
  for (let n = 0; n < 3; n++) expect(await scan(await make.purchase())).toBe('success');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

async function openSession(): Promise<number> {
  return (await admin.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body.id;
}

const scan = async ({ code }: { code: string }, session = open): Promise<string> =>
  (await admin.post(`/inventories/${session}/scan`, { code })).body.status;

/** The lists, and the tables whose rows are in them. */
const LISTS = [
  ['/articles', 'articles'],
  ['/purchases', 'purchases'],
  ['/suppliers', 'suppliers'],
  ['/locations', 'locations'],
  ['/equipments', 'equipments'],
  ['/tiers', 'tiers'],
  ['/brands', 'brands'],
  ['/fields', 'fields'],
  ['/categories', 'categories'],
  ['/amortization-categories', 'amortization_categories'],
  ['/inventories', 'inventories'],
  ['/inventories/{open}/unscanned', 'purchases'],
  ['/inventories/{closed}/unscanned', 'purchases'],
  ['/users', 'users'],
  ['/roles', 'roles'],
  ['/me/tokens', 'access_tokens'],
] as const;
const PATHS = [...LISTS.map(([path]) => path), '/inventories/{open}/scans'];

const at = (path: string): string => path.replace('{open}', `${open}`).replace('{closed}', `${closed}`);
const sync = (path: string, since: string, query = '') =>
  admin.get(`${at(path)}?updated_since=${encodeURIComponent(since)}${query}`);
const phoneOf = async (path: string, ...from: ('updated_at' | 'synced_until')[]): Promise<Phone> => {
  const phone = new Phone(admin, at(path), ...from);
  await phone.settle(t);
  return phone;
};
/** Changes a row, if to what it was. */
const touching = (table: string): string => `UPDATE ${table} SET created_at = created_at WHERE id = $1`;
const touch = (table: string, id: number) => t.database.query(touching(table), [id]);

describe.each(PATHS)('GET %s with updated_since', (path) => {
  it('answers in cursor mode, with or without a cursor', async () => {
    const all = await readByCursor(admin, at(path));
    for (const query of ['', '&cursor=']) {
      const { status, body } = await sync(path, EVER, `${query}&per_page=200`);
      expect([status, Object.keys(body)]).toEqual([200, ['data', 'meta']]);
      const synced_until = expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(body.meta).toEqual({ per_page: 200, next_cursor: null, synced_until });
      expect(body.data.sort((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual(all);
    }
    expect(all.length).toBeGreaterThan(2);
  });

  it('goes on page by page, each with an instant to go on from', async () => {
    const { body } = await sync(path, EVER);
    let since = EVER;
    const seen = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answer['body'] = (await sync(path, EVER, `&per_page=1&cursor=${cursor}`)).body;
      expect(page.meta.synced_until >= since).toBe(true);
      since = page.meta.synced_until;
      expect((await sync(path, since)).body.data.map((row: { id: number }) => row.id)).toEqual(
        expect.arrayContaining(page.meta.next_cursor === null ? [] : idsOf(page.data)),
      );
      seen.push(...page.data);
      cursor = page.meta.next_cursor;
    }
    expect(seen).toEqual(body.data);
  });

  it('takes every RFC 3339 instant', async () => {
    const instants = [
      '2000-01-01T00:00:00Z',
      '2000-01-01t00:00:00.123456789+14:00',
      '9999-12-31T23:59:59.999-12:00',
    ];
    for (const instant of [...instants, '0001-01-01T00:00:00+14:00', '2000-01-01T00:00:00 01:00'])
      expect([instant, (await sync(path, instant)).status]).toEqual([instant, 200]);
  });

  it('refuses what is no instant', async () => {
    const days = [
      '',
      'x',
      '0',
      '2026-01-01',
      '2026-02-30T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
    ];
    for (const instant of [...days, '2026-01-01T00:00:00', '2026-01-01 00:00:00Z', 'now', '1e3'])
      expect([instant, refused(await sync(path, instant))]).toEqual([instant, ['updated_since']]);
    expect(refused(await sync(path, EVER, `&updated_since=${EVER}`))).toEqual(['updated_since']);
  });

  it('has an order of its own and no page', async () => {
    expect(refused(await sync(path, EVER, '&page=1'))).toEqual(['page']);
    expect(refused(await sync(path, EVER, '&sort=id'))).toEqual(['sort']);
    expect(refused(await sync(path, EVER, '&page=1&sort=-id'))).toEqual(['page', 'sort']);
  });

  it('takes no cursor of the list in another order', async () => {
    const { next_cursor } = (
      await admin.get(`${at(path)}${path.includes('?') ? '&' : '?'}per_page=1&cursor=`)
    ).body.meta;
    expect(refused(await sync(path, EVER, `&cursor=${next_cursor}`))).toEqual(['cursor']);
  });

  it('tells of deletions on request, and only then', async () => {
    expect((await sync(path, EVER, '&include_deleted=true')).body.deleted).toEqual(expect.any(Array));
    expect((await sync(path, EVER, '&include_deleted=false')).body).not.toHaveProperty('deleted');
    expect(
      refused(await admin.get(`${at(path)}${path.includes('?') ? '&' : '?'}include_deleted=true`)),
    ).toEqual(['include_deleted']);
    expect(refused(await sync(path, EVER, '&include_deleted=yes'))).toEqual(['include_deleted']);
  });

  it('does not take a phone beyond what there is, whose clock is ahead', async () => {
    for (const instant of ['9999-12-31T23:59:59-12:00', '2999-01-01T00:00:00Z']) {
      const { synced_until } = (await sync(path, instant)).body.meta;
      const [row] = await t.database.query<{ now: Date }>(`SELECT clock_timestamp() AS now`);
      expect(synced_until <= row!.now.toISOString()).toBe(true);
    }
  });
});

it.each(['unscanned', 'scans'])(
  'There are no changes of the %s of a session that is not there',
  async (list) => {
    expect((await sync(`/inventories/${MISSING}/${list}`, EVER, '&include_deleted=true')).status).toBe(404);
  },
);

it.each(['/imports', '/purchases/1/history'])(
  '%s, whose rows do not tell when they changed, does not take updated_since',
  async (path) => {
    expect((await admin.get(path)).status).toBe(200);
    expect(refused(await sync(path, EVER))).toEqual(['updated_since']);
    expect(refused(await admin.get(`${path}?include_deleted=true`))).toEqual(['include_deleted']);
  },
);

describe.each(LISTS)('Changes of %s', (path, table) => {
  /** Open sessions are told each time, changed or not. */
  const changed = (ids: number[]) => (table === 'inventories' ? ids.filter((id) => id !== open) : ids);

  it('are told in their order, once, to whoever goes on from synced_until', async () => {
    const phone = await phoneOf(path);
    expect(changed(await phone.catchUp())).toEqual([]);
    const [one, two, three] = idsOf(phone.held()) as [number, number, number];
    for (const id of [three, one, two, one]) await touch(table, id);
    const inOrder = `SELECT id FROM ${table} WHERE id = ANY ($1) ORDER BY updated_at, id`;
    const ids = idsOf(await t.database.query<{ id: number }>(inOrder, [[one, two, three]]));
    expect(changed(await phone.settle(t))).toEqual(ids);
    expect(changed(await phone.catchUp())).toEqual([]);
  });

  it('are told from their instant on, that included', async () => {
    const phone = await phoneOf(path);
    const { id } = phone.held()[1];
    await touch(table, id);
    await phone.settle(t);
    const [row] = await t.database.query<{ at: Date }>(
      `SELECT updated_at AS at FROM ${table} WHERE id = $1`,
      [id],
    );
    const told = async (later: number) =>
      changed(idsOf((await sync(path, new Date(row!.at.getTime() + later).toISOString())).body.data));
    expect([await told(0), await told(1)]).toEqual([[id], []]);
  });

  it.each(['synced_until', 'updated_at'] as const)(
    'are told from the %s on when they are committed late',
    async (from) => {
      const phone = await phoneOf(path, ...(table === 'access_tokens' ? [] : [from]));
      const [late, sooner, newest] = idsOf(phone.held()) as [number, number, number];
      await touch(table, newest); // which is told again each time to whoever goes on from it
      await phone.settle(t);
      const transaction = await begin(t.database);
      await transaction.query(touching(table), [late]);
      await touch(table, sooner);
      for (let times = 0; times < 3; times++) expect(await phone.catchUp()).not.toContain(late);
      await transaction.end('COMMIT');
      expect(await phone.settle(t)).toEqual(expect.arrayContaining([late, sooner]));
      expect(phone.held()).toEqual(await phone.list());
    },
  );
});

describe('What a row shows of others', () => {
  it('comes with their lists', async () => {
    const article = await make.article({ brand_id: (await make.brand()).id });
    const purchase = await make.purchase({ article_id: article.id, supplier_id: (await make.supplier()).id });
    const [articles, purchases] = [await phoneOf('/articles'), await phoneOf('/purchases')];
    await touch('brands', article.brand_id);
    await touch('suppliers', purchase.supplier_id);
    expect([await articles.settle(t), await purchases.settle(t)]).toEqual([[], []]);
    await touch('articles', article.id);
    expect([await articles.settle(t), await purchases.settle(t)]).toEqual([[article.id], []]);
  });

  it('is its own where nobody else lists it: the roles of a user, what a role may', async () => {
    const { userId } = await t.asNewUser('promoted', 'viewer');
    const role = (await admin.post('/roles', { name: unique('role'), permissions: [] })).body.id;
    const [users, roles] = [await phoneOf('/users'), await phoneOf('/roles')];
    await admin.patch(`/users/${userId}`, { roles: ['manager'] });
    await admin.patch(`/roles/${role}`, { permissions: ['tiers.view'] });
    expect([await users.settle(t), await roles.settle(t)]).toEqual([[userId], [role]]);
    expect([users.held(), roles.held()]).toEqual([await users.list(), await roles.list()]);
  });
});

describe('A place', () => {
  it('is changed with its path, when one above it is renamed or moved, and not when that is closed', async () => {
    const site = await make.location({ name: 'Site' });
    const floor = await make.location({ parent_id: site.id });
    const room = await make.location({ parent_id: floor.id });
    const phone = await phoneOf('/locations');
    const purchases = await phoneOf('/purchases');
    await admin.patch(`/locations/${site.id}`, { name: 'Siège' });
    expect((await phone.settle(t)).toSorted()).toEqual(idsOf([site, floor, room]).toSorted());
    expect(phone.row(room.id).path).toBe(`Siège / ${floor.name} / ${room.name}`);
    await admin.patch(`/locations/${floor.id}`, { parent_id: null });
    expect((await phone.settle(t)).toSorted()).toEqual(idsOf([floor, room]).toSorted());
    await admin.patch(`/locations/${floor.id}`, { is_active: false });
    expect(await phone.settle(t)).toEqual([floor.id]);
    expect(phone.held()).toEqual(await phone.list());
    expect(await purchases.settle(t)).toEqual([]);
  });
});

describe('Changes of /inventories', () => {
  it('always have the open sessions among them, with their progress', async () => {
    const phone = await phoneOf('/inventories');
    const before: number = phone.row(open).progress.scanned;
    expect(new Set(await phone.settle(t))).toEqual(new Set([open]));
    await scan(await make.purchase());
    expect(new Set(await phone.settle(t))).toEqual(new Set([open]));
    expect(phone.row(open).progress.scanned).toBe(before + 1);
  });

  it('tell of a closed one once', async () => {
    const id = await openSession();
    const phone = await phoneOf('/inventories');
    expect(new Set(await phone.settle(t))).toEqual(new Set([open, id]));
    await admin.post(`/inventories/${id}/close`);
    expect(new Set(await phone.settle(t))).toEqual(new Set([open, id]));
    expect(new Set(await phone.settle(t))).toEqual(new Set([open]));
    expect(phone.held()).toEqual(await phone.list());
  });
});

const DELETABLES: { path: string; create: () => Promise<number> }[] = [
  { path: '/articles', create: async () => (await make.article()).id },
  { path: '/suppliers', create: async () => (await make.supplier()).id },
  { path: '/locations', create: async () => (await make.location()).id },
  { path: '/purchases', create: async () => (await make.purchase()).id },
  { path: '/brands', create: async () => (await make.brand()).id },
  {
    path: '/fields',
    create: async () =>
      (await admin.post('/fields', { name: unique('Field'), applies_to: 'article', type: 'text' })).body.id,
  },
  { path: '/categories', create: async () => (await make.category()).id },
  { path: '/inventories', create: openSession },
  { path: '/me/tokens', create: async () => Number((await t.asNewUser('admin')).token!.split('|')[0]) },
];

describe.each(DELETABLES)('Deletions of $path', ({ path, create }) => {
  const table = path === '/me/tokens' ? 'access_tokens' : path.slice(1);
  const remove = async (id: number) => expect((await admin.delete(`${path}/${id}`)).status).toBe(200);

  it('are told once, by id and instant', async () => {
    const [known, phone] = [await create(), await phoneOf(path)];
    const before = phone.deleted.length;
    const unknown = await create();
    for (const id of [known, unknown]) await remove(id);
    expect(await phone.settle(t)).not.toEqual(expect.arrayContaining([known, unknown]));
    const deleted_at = expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const told = [known, unknown].map((id) => ({ id, deleted_at }));
    expect(phone.deleted.slice(before)).toEqual(told);
    expect(phone.held()).toEqual(await phone.list());
    await phone.settle(t);
    expect(phone.deleted.slice(before)).toEqual(told);
  });

  it('are told to nobody who does not ask', async () => {
    const id = await create();
    await remove(id);
    for (const query of ['', '&include_deleted=false']) {
      const { body } = await sync(path, EVER, `&per_page=200${query}`);
      expect(Object.keys(body)).toEqual(['data', 'meta']);
      expect(idsOf(body.data)).not.toContain(id);
    }
  });

  it('are told when they are committed late', async () => {
    const ids = [await create(), await create()];
    const phone = await phoneOf(path);
    const before = phone.deleted.length;
    const transaction = await begin(t.database);
    await transaction.query(touching(table), [ids[0]]);
    await transaction.query(`UPDATE ${table} SET deleted_at = now() WHERE id = $1`, [ids[0]]);
    await remove(ids[1]!);
    await phone.catchUp();
    expect(phone.deleted.slice(before)).toEqual([]);
    await transaction.end('COMMIT');
    await phone.settle(t);
    expect(new Set(idsOf(phone.deleted.slice(before)))).toEqual(new Set(ids));
    expect(phone.held()).toEqual(await phone.list());
  });
});

it('Deletions of tokens are those by log-out and by a new password too', async () => {
  const user = await t.asNewUser('forgetful', 'viewer');
  const [other, third] = [await t.asNewUser('forgetful'), await t.asNewUser('forgetful')];
  const phone = new Phone(user, '/me/tokens');
  await phone.settle(t);
  await other.post('/logout');
  await user.patch('/me/password', { current_password: PASSWORD, password: 'nine herons on the pier' });
  await phone.settle(t);
  const ids = [other, third].map(({ token }) => Number(token!.split('|')[0]));
  expect(idsOf(phone.deleted)).toEqual(ids);
  expect(phone.held()).toEqual(await phone.list());
});

describe('Deletions of what is unscanned', () => {
  it('are scans and deletions of purchases', async () => {
    const [scanned, deleted] = [await make.purchase(), await make.purchase()];
    const phone = await phoneOf('/inventories/{open}/unscanned');
    const before = phone.deleted.length;
    const answer = await admin.post(`/inventories/${open}/scan`, { code: scanned.code });
    await admin.delete(`/purchases/${deleted.id}`);
    expect(await phone.settle(t)).toEqual([]);
    expect(phone.deleted.slice(before)).toEqual([
      { id: scanned.id, deleted_at: answer.body.scanned_at },
      { id: deleted.id, deleted_at: expect.any(String) },
    ]);
    await admin.patch(`/purchases/${scanned.id}`, { notes: 'Since then' });
    expect(await phone.settle(t)).toEqual([]);
    expect(phone.held()).toEqual(await phone.list());
  });

  it('are purchases that were disposed of and came back elsewhere, or after the closing', async () => {
    const [here, there] = [(await make.location()).id, (await make.location()).id];
    const [moved, late] = [
      await make.purchase({ location_id: here }),
      await make.purchase({ location_id: here }),
    ];
    const session = (
      await admin.post('/inventories', { year: 2026, inventory_date: '2026-11-25', location_ids: [here] })
    ).body.id as number;
    const phone = await phoneOf(`/inventories/${session}/unscanned`);
    expect(idsOf(phone.held())).toEqual([moved.id, late.id]);
    await admin.post(`/purchases/${moved.id}/dispose`, { date: '2026-11-20', reason: 'sold' });
    await admin.patch(`/purchases/${moved.id}`, { location_id: there });
    await admin.post(`/purchases/${moved.id}/dispose/undo`);
    await admin.delete(`/purchases/${late.id}`);
    await admin.post(`/inventories/${session}/close`);
    await admin.post(`/purchases/${late.id}/restore`);
    await phone.settle(t);
    expect(phone.held()).toEqual(await phone.list());
    expect(phone.held()).toEqual([]);
  });

  it('and what is missing come page by page, some of them empty, however many others were scanned', async () => {
    const db = await createTestDatabase();
    const own = await startApp({}, db);
    const [article, client] = [await factories(own).article(), own.as('admin')];
    await db.query(
      `INSERT INTO purchases (article_id, code, purchase_date)
       SELECT $1, 'S' || n, '2026-01-15' FROM generate_series(1, 12000) n`,
      [article.id],
    );
    const opened = await client.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
    const path = `/inventories/${opened.body.id}/unscanned`;
    const [{ last }] = (await db.query<{ last: number }>(`SELECT max(id) AS last FROM purchases`)) as [
      { last: number },
    ];
    const missing = [last - 11_999, last - 5000, last - 1, last];
    await db.query(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(),
         scanned_by = (SELECT min(id) FROM users)
       WHERE purchase_id <> ALL ($1)`,
      [missing],
    );
    const phone = new Phone(client, path);
    expect(await phone.catchUp()).toEqual(missing);
    expect(new Set(idsOf(phone.deleted)).size).toBe(12_000 - missing.length);
    const told = await readByCursor(client, `${path}?updated_since=${EVER}&per_page=2`);
    expect(idsOf(told)).toEqual(missing);
    await own.stop();
  });

  it('are none when the session was closed before', async () => {
    const purchase = await make.purchase();
    const session = await openSession();
    await admin.post(`/inventories/${session}/close`);
    const phone = await phoneOf(`/inventories/${session}/unscanned`);
    await admin.delete(`/purchases/${purchase.id}`);
    expect(await phone.settle(t)).toEqual([purchase.id]);
    expect(phone.held()).toEqual(await phone.list());
    expect(idsOf(phone.held())).toContain(purchase.id);
  });
});

it('Changes are those of the whole list: a row that no longer fits a filter would be held for ever', async () => {
  for (const [path, names] of [
    ['/purchases', ['article_id=1', 'code=x', 'purchased_from=2026-01-01']],
    ['/articles', ['search=a', 'brand_id=1', 'is_active=true']],
    ['/inventories', ['status=open', 'year=2026']],
    ['/inventories/{open}/unscanned', ['supplier_id=1']],
    ['/inventories/{open}/scans', ['user_id=1', 'scanned_from=2026-01-01']],
    ['/equipments', ['tier_id=1']],
    ['/tiers', ['type=customer']],
    ['/users', ['is_active=true']],
    ['/brands', ['search=x']],
    ['/fields', ['search=x', 'applies_to=article']],
  ] as const) {
    for (const filter of names)
      expect([filter, refused(await sync(path, EVER, `&${filter}`))]).toEqual([
        filter,
        [filter.split('=')[0]],
      ]);
  }
});

describe('Changes under way', () => {
  const three = (phone: Phone) => idsOf(phone.held()).slice(0, 3) as [number, number, number];

  it.each(['0 1 2', '0 2 1', '1 0 2', '1 2 0', '2 0 1', '2 1 0'])(
    'are told by all, committed in the order %s',
    async (order) => {
      const phones = [await phoneOf('/articles'), await phoneOf('/articles', 'updated_at')];
      const ids = three(phones[0]!);
      const seen = [new Set<number>(), new Set<number>()];
      const catchUp = async () => {
        for (const [n, phone] of phones.entries()) for (const id of await phone.catchUp()) seen[n]!.add(id);
      };
      const transactions: OpenTransaction[] = [];
      for (const id of ids) {
        transactions.push(await begin(t.database));
        await transactions.at(-1)!.query(touching('articles'), [id]);
        await make.article(); // later than the change, and committed sooner
        await catchUp();
      }
      for (const n of order.split(' ')) {
        await transactions[Number(n)]!.end('COMMIT');
        await make.article();
        await catchUp();
      }
      for (const phone of phones) {
        const told = [...(await phone.settle(t))];
        for (const id of told) seen[phones.indexOf(phone)]!.add(id);
        expect(phone.held()).toEqual(await phone.list());
      }
      for (const one of seen) expect([...one]).toEqual(expect.arrayContaining(ids));
    },
  );

  it.each([
    ['one, SAVEPOINT s, two, ROLLBACK TO s'],
    ['SAVEPOINT s, one, ROLLBACK TO s, two'],
    ['SAVEPOINT s, one, RELEASE s, two'],
    ['SAVEPOINT s, one, SAVEPOINT r, two, ROLLBACK TO r'],
    ['SAVEPOINT s, one, RELEASE s, SAVEPOINT r, two, ROLLBACK TO r, RELEASE r'],
    ['SAVEPOINT s, one, ROLLBACK TO s, two, ROLLBACK TO s, one'],
    ['SAVEPOINT s, SAVEPOINT r, one, RELEASE r, ROLLBACK TO s, two, SAVEPOINT q, one, ROLLBACK TO q'],
  ])('are told with savepoints: %s', async (script) => {
    const phones = [await phoneOf('/articles'), await phoneOf('/articles', 'updated_at')];
    const [one, two] = three(phones[0]!);
    const name = unique('Late');
    const transaction = await begin(t.database);
    for (const step of script.split(', ')) {
      const id = { one, two }[step];
      await (id
        ? transaction.query(`UPDATE articles SET name = $2 WHERE id = $1`, [id, unique(name)])
        : transaction.query(step));
      await make.article();
      for (const phone of phones) await phone.catchUp();
    }
    await transaction.end('COMMIT');
    for (const phone of phones) {
      await phone.settle(t);
      expect(phone.held()).toEqual(await phone.list());
    }
    expect(phones[0]!.held().filter((row) => row.name.startsWith(name))).not.toEqual([]);
  });

  it('hold nothing up once they are taken back', async () => {
    const phone = await phoneOf('/articles');
    const [one] = three(phone);
    const transaction = await begin(t.database);
    await transaction.query(`SAVEPOINT s`);
    await transaction.query(touching('articles'), [one]);
    await transaction.query(`ROLLBACK TO s`);
    await phone.settle(t); // would never end
    await transaction.end('ROLLBACK');
  });

  it('hold nothing up in another database, nor do other locks', async () => {
    const other = await createTestDatabase();
    await other.query(`INSERT INTO brands (name) VALUES ('Elsewhere')`);
    const phone = await phoneOf('/brands');
    const elsewhere = await begin(other);
    await elsewhere.query(touching('brands'), [1]);
    const here = await begin(t.database);
    for (const key of ['1, 1', '(7263 << 16) + 1, 1', '1', `7263`, `'-9223372036854775808'`, '-1'])
      await here.query(`SELECT pg_advisory_xact_lock(${key})`);
    await phone.settle(t); // would never end
    await elsewhere.end('COMMIT');
    await here.end('COMMIT');
    await other.drop();
  });
});

describe('A row that is changed while it is read', () => {
  it.each(['/purchases', '/inventories/{open}/unscanned'])(
    'is told by %s next time, not too early',
    async (path) => {
      const purchases: { id: number }[] = [];
      for (let n = 0; n < 10; n++) purchases.push(await make.purchase());
      let isOver = false;
      const writers = purchases.map(async ({ id }) => {
        while (!isOver) await admin.patch(`/purchases/${id}`, { notes: unique('Note') });
      });
      const early: object[] = [];
      for (let n = 0; n < 60; n++) {
        const { body } = await admin.get(
          `${path.replace('{open}', String(open))}?updated_since=${EVER}&include_deleted=true&per_page=200`,
        );
        expect(body.meta.next_cursor).toBeNull();
        early.push(
          ...body.data.filter((row: { updated_at: string }) => row.updated_at >= body.meta.synced_until),
        );
      }
      isOver = true;
      await Promise.all(writers);
      expect(early).toEqual([]);
    },
  );
});

describe('A scan that waits', () => {
  it('is told when it is done, though it is dated before others', async () => {
    const purchases = [];
    for (let n = 0; n < 6; n++) purchases.push(await make.purchase());
    const [first, ...others] = purchases;
    const paths = ['/inventories/{open}/unscanned', '/inventories/{open}/scans'];
    const phones = await Promise.all(paths.map((path) => phoneOf(path)));
    const holder = await begin(t.database);
    await holder.query(`SELECT FROM inventory_lines WHERE purchase_id = $1 FOR UPDATE`, [first.id]);
    const waiting = admin.post(`/inventories/${open}/scan`, { code: first.code });
    await blocked(t.database);
    await sleep(200); // after 100 ms it gives way to those behind it and begins anew, dated then
    await blocked(t.database);
    // Some may wait for the counter that the first one has.
    const scans = others.map((purchase) => scan(purchase));
    expect(await Promise.race(scans)).toBe('success');
    for (const phone of phones) await phone.catchUp();
    expect(phones[0]!.row(first.id)).toBeDefined();
    await holder.end('ROLLBACK');
    const { body } = await waiting;
    expect([body.status, ...(await Promise.all(scans))]).toEqual(Array(6).fill('success'));
    for (const phone of phones) {
      await phone.settle(t);
      expect(phone.held()).toEqual(await phone.list());
    }
    const scanned = phones[1]!.held().map((row) => row.scanned_at);
    expect(scanned.filter((instant) => instant > body.scanned_at)).not.toEqual([]);
  });
});

describe('An import', () => {
  it('is told as a whole when it is done, though it is dated before others', async () => {
    const article = await make.article({ reference: unique('IMPORTED') });
    const folder = temporaryFolder();
    const file = join(folder.path, 'purchases.csv');
    const codes = Array.from({ length: 20 }, (_, n) => unique(`IMPORT-${n}-`));
    const lines = codes.map((code) => `${article.reference},${code},2026-01-15`);
    writeFileSync(file, ['article,code,purchase_date', ...lines].join('\n'));
    const phones = await Promise.all(
      ['/purchases', '/inventories/{open}/unscanned', '/inventories'].flatMap((path) => [
        phoneOf(path),
        phoneOf(path, 'updated_at'),
      ]),
    );
    // Keeps the import waiting at its last line. Without triggers it counts as no change itself.
    const holder = await begin(t.database);
    await holder.query(`SET LOCAL session_replication_role = replica`);
    await holder.query(
      `INSERT INTO purchases (article_id, code, purchase_date) VALUES ($1, $2, '2026-01-15')`,
      [article.id, codes.at(-1)],
    );
    const imported = runCommand(['import', 'purchases', file], { DATABASE_URL: t.database.url });
    await blocked(t.database);
    const sooner = await make.purchase();
    for (const phone of phones) await phone.catchUp();
    expect(phones[0]!.held().filter(({ code }) => codes.includes(code))).toEqual([]);
    await holder.end('ROLLBACK');
    expect((await imported).output).toContain('20 new');
    for (const phone of phones) {
      await phone.settle(t);
      expect(phone.held()).toEqual(await phone.list());
    }
    const rows = phones[0]!.held().filter(({ code }) => codes.includes(code));
    expect(rows.length).toBe(20);
    expect(rows.every((row) => row.updated_at < sooner.updated_at)).toBe(true);
    folder.remove();
  });
});

/** A row without what it shows of others. */
const own = ({ article: _, supplier: __, purchase, ...row }: Answer['body']) => ({
  ...row,
  of: purchase?.id,
});

/** Phones that hold lists, while whatever may happen does: the same for the same seed, where nothing else runs. */
class World {
  private readonly numbers: number[];
  private readonly articles: number[] = [];
  private readonly suppliers: number[] = [];
  private readonly purchases: { id: number; code: string }[] = [];
  /** The lists of the first two are held; the others come and go. */
  private readonly sessions: number[] = [];
  private readonly phones: Phone[] = [];
  /** Transactions that stay open for long, each with rows that nobody else writes. */
  private readonly late = new Map<OpenTransaction, { id: number; table: string }[]>();

  constructor(seed: number) {
    this.numbers = fc.sample(fc.nat(), { seed, numRuns: 20_000 });
  }

  private readonly pick = (limit: number): number => this.numbers.pop()! % limit;
  private readonly any = <T>(list: T[]): T => list[this.pick(list.length)]!;

  async begin(): Promise<this> {
    for (let n = 0; n < 3; n++) await this.create('/articles', this.articles);
    for (let n = 0; n < 3; n++) await this.create('/suppliers', this.suppliers);
    for (let n = 0; n < 6; n++) await this.buy();
    for (let n = 0; n < 3; n++) this.sessions.push(await openSession());
    const held = this.sessions.slice(0, 2).map((id) => `/inventories/${id}`);
    const unscanned = held.map((session) => `${session}/unscanned`);
    for (const path of ['/articles', '/suppliers', '/purchases', '/inventories', ...unscanned])
      this.phones.push(new Phone(admin, path), new Phone(admin, path, 'updated_at'));
    this.phones.push(...held.map((session) => new Phone(admin, `${session}/scans`)));
    return this;
  }

  /** Somebody writes something. */
  async write(): Promise<void> {
    const name = unique('Name');
    const [article_id, supplier_id] = [this.any(this.articles), this.any(this.suppliers)];
    const purchase = this.any(this.purchases);
    const session = `/inventories/${this.any(this.sessions)}`;
    const other = `/inventories/${this.any(this.sessions.slice(2))}`;
    const choices: [often: number, () => Promise<unknown>][] = [
      [1, () => this.create('/articles', this.articles)],
      [2, () => this.send('PATCH', `/articles/${article_id}`, { name })],
      [1, () => this.send('DELETE', `/articles/${article_id}`)],
      [1, () => this.create('/suppliers', this.suppliers)],
      [2, () => this.send('PATCH', `/suppliers/${supplier_id}`, { name })],
      [1, () => this.send('DELETE', `/suppliers/${supplier_id}`)],
      [4, () => this.buy()],
      [2, () => this.send('PATCH', `/purchases/${purchase.id}`, { notes: name })],
      [2, () => this.send('PATCH', `/purchases/${purchase.id}`, { article_id, supplier_id })],
      [2, () => this.send('DELETE', `/purchases/${purchase.id}`)],
      [6, () => this.send('POST', `${session}/scan`, { code: purchase.code })],
      [1, async () => this.sessions.push(await openSession())],
      [2, () => this.send('PATCH', session, { label: name })],
      [1, () => this.send('POST', `${this.pick(8) ? other : session}/close`)],
      [1, () => this.send('DELETE', other)],
    ];
    await this.any(choices.flatMap(([often, choice]) => Array<typeof choice>(often).fill(choice)))();
  }

  private async send(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await admin.send(method, path, body);
    if (![200, 201, 404, 409, 422].includes(answer.status))
      throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  }

  private async create(path: string, ids: number[]): Promise<void> {
    ids.push((await this.send('POST', path, { name: unique('Name') })).body.id);
  }

  private async buy(): Promise<void> {
    const fields = { article_id: this.any(this.articles), purchase_date: '2026-01-15' };
    const { status, body } = await this.send('POST', '/purchases', fields);
    if (status === 201) this.purchases.push(body);
  }

  /** Somebody begins a transaction that stays open, goes on with one, or ends one. */
  async linger(): Promise<void> {
    const transactions = [...this.late.keys()];
    const transaction = this.any(transactions);
    if (transactions.length === 0 || (transactions.length < 3 && this.pick(4) === 0)) {
      const rows = [
        { table: 'articles', id: (await make.article()).id },
        { table: 'suppliers', id: (await make.supplier()).id },
        { table: 'purchases', id: (await make.purchase()).id },
      ];
      this.late.set(await begin(t.database), rows);
    } else if (this.pick(5) === 0) {
      this.late.delete(transaction);
      await transaction.end(this.any(['COMMIT', 'COMMIT', 'ROLLBACK']));
    } else {
      const { table, id } = this.any(this.late.get(transaction)!);
      const update = `UPDATE ${table} SET created_at = created_at - interval '1 day' WHERE id = ${id}`;
      const insert = `INSERT INTO suppliers (name) VALUES ('${unique('Late')}')`;
      const change = this.any([update, update, insert]);
      const savepoints = [`SAVEPOINT s; ${change}; ROLLBACK TO s`, `SAVEPOINT s; ${change}; RELEASE s`];
      await transaction.query(this.any([change, 'SAVEPOINT s', ...savepoints]));
    }
  }

  /** A phone asks for what is new: all at once, page by page while things go on, or not to the end. */
  async catchUp(): Promise<void> {
    await this.any(this.phones).catchUp({
      perPage: this.any([1, 2, 3, 200]),
      between: async () => this.pick(2) === 0 && this.write(),
      goesOn: () => this.pick(6) > 0,
    });
  }

  async catchUpWhile(goesOn: () => boolean): Promise<void> {
    while (goesOn()) for (const phone of this.phones) await phone.catchUp({ perPage: this.any([3, 200]) });
  }

  /** Once nothing is under way any more, every phone holds what there is. */
  async expectTold(): Promise<void> {
    for (const transaction of this.late.keys()) await transaction.end('COMMIT');
    this.late.clear();
    for (const phone of this.phones) {
      await phone.settle(t);
      expect([phone.path, phone.held().map(own)]).toEqual([phone.path, (await phone.list()).map(own)]);
    }
  }
}

describe('Phones that catch up', () => {
  it.each(SEEDS)('hold what there is, whatever happens meanwhile (seed %i)', async (seed) => {
    const world = await new World(seed).begin();
    for (let round = 0; round < 2; round++) {
      for (let step = 0; step < 30; step++) {
        await world.write();
        await world.linger();
        await world.catchUp();
      }
      await world.expectTold();
    }
  });

  it('hold what there is after eight have written at once', async () => {
    const world = await new World(4).begin();
    let writing = 8;
    const write = async () => {
      for (let n = 0; n < 25; n++) await world.write();
    };
    const writers = Array.from({ length: writing }, () => write().finally(() => writing--));
    await Promise.all([...writers, world.catchUpWhile(() => writing > 0)]);
    await world.expectTold();
  });
});
