import { ACCESS_RULE, PERMISSIONS } from '../src/auth/access.js';
import type { AccessRule, Permission } from '../src/auth/access.js';
import { RouteTable } from '../src/http/routes.js';
import type { Route } from '../src/http/routes.js';
import { PASSWORD, startApp } from './support/app.js';
import type { RoleName, TestApp } from './support/app.js';
import { Client } from './support/client.js';
import { PDF, upload } from './support/upload.js';

const ROLES: RoleName[] = ['viewer', 'operator', 'manager', 'admin'];
const MANAGERS: RoleName[] = ['manager', 'admin'];
const ADMINS: RoleName[] = ['admin'];

/** Who has which permission. */
const HOLDERS: Record<Permission, RoleName[]> = {
  'articles.view': ROLES,
  'purchases.view': ROLES,
  'suppliers.view': ROLES,
  'locations.view': ROLES,
  'inventories.view': ROLES,
  'reference.view': ROLES,
  'equipments.view': ROLES,
  'reference.manage': MANAGERS,
  'tiers.view': ROLES,
  'reports.view': ROLES,
  'inventories.scan': ['operator', 'manager', 'admin'],
  'articles.create': MANAGERS,
  'articles.update': MANAGERS,
  'articles.delete': MANAGERS,
  'purchases.create': MANAGERS,
  'purchases.update': MANAGERS,
  'purchases.delete': MANAGERS,
  'purchases.dispose': MANAGERS,
  'attachments.manage': MANAGERS,
  'suppliers.create': MANAGERS,
  'suppliers.update': MANAGERS,
  'suppliers.delete': MANAGERS,
  'locations.manage': MANAGERS,
  'inventories.create': MANAGERS,
  'inventories.close': MANAGERS,
  'inventories.review': MANAGERS,
  'inventories.reopen': MANAGERS,
  'imports.run': MANAGERS,
  'users.manage': ADMINS,
  'audit.view': ADMINS,
  'webhooks.manage': ADMINS,
};

/** What is enough there for rows of one's own. */
const OWN: Record<string, Permission> = {
  'DELETE /attachments/{id}': 'inventories.scan',
  'PATCH /inventories/{id}/scans/{scan_id}': 'inventories.scan',
  'DELETE /inventories/{id}/scans/{scan_id}': 'inventories.scan',
};

/** What each route asks for: 'public', 'signed in' or a permission. Under /api/v1 unless it begins with `//`. */
const ASKED: Record<string, Permission | 'public' | 'signed in'> = {
  'GET //health/live': 'public',
  'GET //health/ready': 'public',
  'GET //metrics': 'public',
  'POST /auth/token': 'public',
  'POST /login': 'public',
  'POST /logout': 'signed in',
  'GET /me': 'signed in',
  'GET /me/tokens': 'signed in',
  'DELETE /me/tokens/{id}': 'signed in',
  'PATCH /me/password': 'signed in',
  'GET /articles': 'articles.view',
  'POST /articles': 'articles.create',
  'GET /articles/{id}': 'articles.view',
  'PATCH /articles/{id}': 'articles.update',
  'DELETE /articles/{id}': 'articles.delete',
  'POST /articles/{id}/restore': 'articles.delete',
  'GET /purchases': 'purchases.view',
  'POST /purchases': 'purchases.create',
  'GET /purchases/labels': 'purchases.view',
  'GET /purchases/{id}': 'purchases.view',
  'PATCH /purchases/{id}': 'purchases.update',
  'DELETE /purchases/{id}': 'purchases.delete',
  'POST /purchases/{id}/restore': 'purchases.delete',
  'GET /purchases/{id}/amortization': 'purchases.view',
  'GET /purchases/{id}/history': 'purchases.view',
  'POST /purchases/{id}/dispose': 'purchases.dispose',
  'POST /purchases/{id}/dispose/undo': 'purchases.dispose',
  'GET /purchases/{id}/attachments': 'purchases.view',
  'POST /purchases/{id}/attachments': 'attachments.manage',
  'GET /articles/{id}/attachments': 'articles.view',
  'POST /articles/{id}/attachments': 'attachments.manage',
  'GET /equipments/{id}/attachments': 'equipments.view',
  'POST /equipments/{id}/attachments': 'attachments.manage',
  'GET /inventories/{id}/scans/{scan_id}/attachments': 'inventories.view',
  'POST /inventories/{id}/scans/{scan_id}/attachments': 'inventories.scan',
  'GET /attachments/{id}': 'signed in',
  'PATCH /attachments/{id}': 'attachments.manage',
  'DELETE /attachments/{id}': 'attachments.manage',
  'GET /amortization': 'reports.view',
  'GET /inventories/{id}/report': 'reports.view',
  'GET /scan/{code}': 'purchases.view',
  'GET /suppliers': 'suppliers.view',
  'POST /suppliers': 'suppliers.create',
  'GET /suppliers/{id}': 'suppliers.view',
  'PATCH /suppliers/{id}': 'suppliers.update',
  'DELETE /suppliers/{id}': 'suppliers.delete',
  'POST /suppliers/{id}/restore': 'suppliers.delete',
  'GET /locations': 'locations.view',
  'POST /locations': 'locations.manage',
  'GET /locations/labels': 'locations.view',
  'GET /locations/{id}': 'locations.view',
  'PATCH /locations/{id}': 'locations.manage',
  'DELETE /locations/{id}': 'locations.manage',
  'POST /locations/{id}/restore': 'locations.manage',
  'GET /fields': 'reference.view',
  'POST /fields': 'reference.manage',
  'GET /fields/{id}': 'reference.view',
  'PATCH /fields/{id}': 'reference.manage',
  'DELETE /fields/{id}': 'reference.manage',
  'GET /brands': 'reference.view',
  'POST /brands': 'reference.manage',
  'GET /brands/{id}': 'reference.view',
  'PATCH /brands/{id}': 'reference.manage',
  'DELETE /brands/{id}': 'reference.manage',
  'POST /brands/{id}/restore': 'reference.manage',
  'GET /categories': 'reference.view',
  'POST /categories': 'reference.manage',
  'GET /categories/{id}': 'reference.view',
  'PATCH /categories/{id}': 'reference.manage',
  'DELETE /categories/{id}': 'reference.manage',
  'POST /categories/{id}/restore': 'reference.manage',
  'GET /amortization-categories': 'reference.view',
  'POST /amortization-categories': 'reference.manage',
  'GET /amortization-categories/{id}': 'reference.view',
  'PATCH /amortization-categories/{id}': 'reference.manage',
  'DELETE /amortization-categories/{id}': 'reference.manage',
  'POST /amortization-categories/{id}/restore': 'reference.manage',
  'GET /equipments': 'equipments.view',
  'GET /equipments/{id}': 'equipments.view',
  'GET /tiers': 'tiers.view',
  'GET /tiers/{id}': 'tiers.view',
  'POST /imports/{id}': 'imports.run',
  'GET /imports': 'imports.run',
  'GET /imports/{id}': 'imports.run',
  'GET /imports/{id}/errors.csv': 'imports.run',
  'GET /inventories': 'inventories.view',
  'POST /inventories': 'inventories.create',
  'GET /inventories/{id}': 'inventories.view',
  'PATCH /inventories/{id}': 'inventories.create',
  'DELETE /inventories/{id}': 'inventories.create',
  'POST /inventories/{id}/close': 'inventories.close',
  'POST /inventories/{id}/scan': 'inventories.scan',
  'GET /inventories/{id}/unscanned': 'inventories.view',
  'GET /inventories/{id}/scans': 'inventories.view',
  'GET /inventories/{id}/progress': 'inventories.view',
  'GET /inventories/{id}/events': 'inventories.view',
  'GET /inventories/{id}/pack': 'inventories.view',
  'POST /inventories/{id}/scans': 'inventories.scan',
  'PATCH /inventories/{id}/scans/{scan_id}': 'inventories.review',
  'DELETE /inventories/{id}/scans/{scan_id}': 'inventories.review',
  'POST /inventories/{id}/dispose-missing': 'purchases.dispose',
  'POST /inventories/{id}/reopen': 'inventories.reopen',
  'GET /inventories/{id}/unexpected': 'inventories.view',
  'GET /inventories/{id}/misplaced': 'inventories.view',
  'POST /inventories/{id}/misplaced/{purchase_id}/move': 'inventories.review',
  'POST /inventories/{id}/misplaced/{purchase_id}/ignore': 'inventories.review',
  'GET /inventories/{id}/unknown-codes': 'inventories.view',
  'POST /inventories/{id}/unknown-codes/{uid}/link': 'inventories.review',
  'POST /inventories/{id}/unknown-codes/{uid}/dismiss': 'inventories.review',
  'POST /inventories/{id}/unknown-codes/{uid}/reopen': 'inventories.review',
  'GET /inventories/{id}/late-scans': 'inventories.view',
  'POST /inventories/{id}/late-scans/{late_id}/accept': 'inventories.review',
  'POST /inventories/{id}/late-scans/{late_id}/refuse': 'inventories.review',
  'GET /users': 'users.manage',
  'POST /users': 'users.manage',
  'GET /users/{id}': 'users.manage',
  'PATCH /users/{id}': 'users.manage',
  'GET /roles': 'users.manage',
  'POST /roles': 'users.manage',
  'GET /roles/{id}': 'users.manage',
  'PATCH /roles/{id}': 'users.manage',
  'GET /audit': 'audit.view',
  'GET /webhooks': 'webhooks.manage',
  'POST /webhooks': 'webhooks.manage',
  'GET /webhooks/{id}': 'webhooks.manage',
  'PATCH /webhooks/{id}': 'webhooks.manage',
  'DELETE /webhooks/{id}': 'webhooks.manage',
  'POST /webhooks/{id}/rotate-secret': 'webhooks.manage',
  'POST /webhooks/{id}/ping': 'webhooks.manage',
  'GET /webhooks/{id}/deliveries': 'webhooks.manage',
  'POST /webhooks/{id}/deliveries/{delivery_id}/resend': 'webhooks.manage',
};

let newNames = 0;
/** A body with another name each time that it is sent. */
const newName = (fields: object = {}) =>
  Object.defineProperty({ ...fields }, 'name', { enumerable: true, get: () => `New ${++newNames}` });

/** Bodies with which each route works, so that nothing but the missing right can stop it. */
const BODIES: Record<string, object> = {
  'POST /articles': { name: 'New' },
  'PATCH /articles/{id}': { name: 'Changed' },
  'POST /purchases': { article_id: 1, purchase_date: '2026-03-01' },
  'PATCH /purchases/{id}': { notes: 'Changed' },
  'POST /purchases/{id}/dispose': { date: '2026-03-01', reason: 'sold' },
  'POST /suppliers': { name: 'New' },
  'PATCH /suppliers/{id}': { name: 'Changed' },
  'POST /fields': newName({ applies_to: 'purchase', type: 'text' }),
  'PATCH /fields/{id}': { name: 'Changed' },
  'POST /brands': newName(),
  'PATCH /brands/{id}': { name: 'Changed' },
  'POST /categories': newName(),
  'PATCH /categories/{id}': { name: 'Changed' },
  'POST /amortization-categories': newName({ method: 'linear', duration_years: 5 }),
  'PATCH /amortization-categories/{id}': { name: 'Changed' },
  'POST /locations': { name: 'New' },
  'PATCH /locations/{id}': { name: 'Changed' },
  'POST /inventories': { year: 2026, inventory_date: '2026-11-16' },
  'PATCH /inventories/{id}': { label: 'Changed' },
  'POST /inventories/{id}/scan': { code: 'LABEL-1' },
  'POST /inventories/{id}/scans': {
    scans: [{ code: 'LABEL-1', client_id: '3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a' }],
  },
  'POST /inventories/{id}/dispose-missing': { date: '2026-03-01', reason: 'lost', purchase_ids: [4] },
  'POST /inventories/{id}/reopen': { reason: 'A phone was late' },
  'POST /inventories/{id}/unknown-codes/{uid}/link': { purchase_id: 1 },
  'POST /inventories/{id}/unknown-codes/{uid}/dismiss': { reason: 'Not ours' },
  'POST /users': {
    name: 'New',
    login: 'new',
    email: 'new@test.example',
    password: 'eight gannets on a rock',
    roles: [],
  },
  'PATCH /users/{id}': { name: 'Changed' },
  'POST /roles': { name: 'new', permissions: [] },
  'PATCH /roles/{id}': { description: 'Changed' },
  'POST /webhooks': { url: 'https://example.org/', events: ['import.done'], is_active: false },
  'PATCH /webhooks/{id}': { description: 'Changed' },
  'PATCH /attachments/{id}': { name: 'Changed' },
  'PATCH /inventories/{id}/scans/{scan_id}': { condition: 'good' },
  'POST /login': { login: 'viewer', password: PASSWORD },
  'POST /auth/token': { email: 'viewer@test.example', password: PASSWORD },
  'PATCH /me/password': { current_password: PASSWORD, password: PASSWORD },
};

/** What a route has to be asked with. */
const QUERIES: Record<string, string> = { 'GET /inventories/{id}/progress': '?by=category' };

let test: TestApp;
/** What is decided on in the first session: each route has one of its own. */
const decidedBy: Record<string, number> = {};
let scanId: number;

beforeAll(async () => {
  test = await startApp();
  const { query } = test.database;
  for (const table of ['brands', 'categories'])
    await query(`INSERT INTO ${table} (name) VALUES ('One'), ('Two')`);
  await query(
    `INSERT INTO amortization_categories (name, method, duration_years) VALUES ('One', 'linear', 5), ('Two', 'linear', 5)`,
  );
  await query(`INSERT INTO tiers (name, reference) VALUES ('One', 'T1')`);
  await query(`INSERT INTO equipments (name, reference) VALUES ('One', 'E1')`);
  // The first of each is used by the others; the second one nothing hangs on, so that it can be deleted and closed.
  const manager = test.as('manager');
  for (const code of ['LABEL-1', 'LABEL-2']) {
    await manager.post('/articles', { name: code });
    await manager.post('/suppliers', { name: code });
    await manager.post('/locations', { name: code, code });
    await manager.post('/purchases', { article_id: 1, supplier_id: 1, purchase_date: '2026-03-01', code });
    await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
  }
  scanId = (await manager.post('/inventories/1/scan', { code: 'LABEL-2' })).body.scan_id;
  await toDecide(manager);
  for (const name of ['One', 'Two'])
    await manager.post('/fields', { name, applies_to: 'purchase', type: 'text' });
  for (const _ of [1, 2]) await test.as('admin').post('/webhooks', BODIES['POST /webhooks']);
  for (const _ of [1, 2]) await upload(manager, '/purchases/1/attachments', PDF);
  await query(
    `INSERT INTO webhook_deliveries (webhook_id, event, body, status) VALUES (1, 'import.done', '{}', 'failed')`,
  );
});

async function toDecide(manager: Client): Promise<void> {
  const route = (what: string) => `POST /inventories/{id}/${what}`;
  const { id: location_id } = (await manager.post('/locations', { name: 'Elsewhere' })).body;
  for (const what of ['move', 'ignore']) {
    const fields = { article_id: 1, purchase_date: '2026-03-01', code: what, location_id: 1 };
    decidedBy[route(`misplaced/{purchase_id}/${what}`)] = (await manager.post('/purchases', fields)).body.id;
    await manager.post('/inventories/1/scan', { code: what, location_id });
  }
  for (const what of ['link', 'dismiss', 'reopen'])
    await manager.post('/inventories/1/scan', { code: `un-${what}` });
  const unknown: { id: number; code: string }[] = (await manager.get('/inventories/1/unknown-codes')).body
    .data;
  for (const { id, code } of unknown) decidedBy[route(`unknown-codes/{uid}/${code.slice(3)}`)] = id;
  const dismissed = decidedBy[route('unknown-codes/{uid}/reopen')];
  await manager.post(`/inventories/1/unknown-codes/${dismissed}/dismiss`, { reason: 'Not ours' });
  // A closed session that is opened again, and late scans that waited for that.
  await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
  await manager.post('/inventories/3/close');
  for (const what of ['accept', 'refuse']) {
    const [row] = await test.database.query<{ id: string }>(
      `INSERT INTO inventory_late_scans (inventory_id, code, cleaned, code_key, device_scanned_at, received_at,
         scanned_by, changed_at)
       VALUES (1, $1::text, $1::text, code_key($1::text), now(), now(), 1, now()) RETURNING id`,
      [`late-${what}`],
    );
    decidedBy[route(`late-scans/{late_id}/${what}`)] = Number(row!.id);
  }
}
afterAll(() => test.stop());

const routes = () => test.app.get(RouteTable).routes;
const nameOf = ({ method, template }: Route) =>
  `${method} ${template.startsWith('/api/v1') ? template.slice('/api/v1'.length) : `/${template}`}`;
const ruleOf = ({ handler, controller }: Route): AccessRule | undefined =>
  (Reflect.getMetadata(ACCESS_RULE, handler) ?? Reflect.getMetadata(ACCESS_RULE, controller)) as
    AccessRule | undefined;

/** Sends the request of a route that would work; `id` is the row that it is about. */
function send(client: Client, name: string, id: number | string) {
  const [method, path] = name.split(' ') as [string, string];
  // A file, of a kind that stands where others have an id.
  if (name === 'POST /imports/{id}')
    return client.send(method, `/imports/${id === 1 ? 'brands' : id}`, 'name\n', {
      'content-type': 'text/csv',
    });
  if (name.startsWith('POST') && name.endsWith('/attachments'))
    return upload(client, path.replace('{id}', String(id)).replace('{scan_id}', String(scanId)), PDF);
  const filled = path
    .replace('{id}', String(id))
    .replace('{code}', 'LABEL-1')
    .replace('{scan_id}', String(scanId))
    .replace('{delivery_id}', '1')
    .replace(/\{(purchase_id|uid|late_id)\}/, String(decidedBy[name]));
  return client.send(method, filled + (QUERIES[name] ?? ''), BODIES[name]);
}
const rowOf = (name: string) => {
  if (/^POST .inventories.{id}.(dispose-missing|reopen)$/.test(name)) return 3;
  return !name.includes('scan_id') && /^DELETE|close$/.test(name) ? 2 : 1;
};

/** What the service does by itself within a minute changes nothing: when a token was used, and which counts are added up. */
const MEANT: Record<string, string> = {
  access_tokens: `(SELECT to_jsonb(a) - '{last_used_at,updated_at,version}'::text[] FROM access_tokens a)`,
  purchase_counts: `(SELECT block, sum(live) FROM purchase_counts GROUP BY block HAVING sum(live) <> 0)`,
};

/** A fingerprint of all rows of every table; the audit log may note who was refused, attempts and deliveries end by themselves. */
async function contents(): Promise<Record<string, string>> {
  const tables = await test.database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname !~ '^(audit|password_attempts|webhook_(deliveries|sending))' ORDER BY 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await test.database.query<{ count: number; sum: string }>(
      `SELECT count(*)::integer, md5(string_agg(t::text, chr(10) ORDER BY t::text)) AS sum FROM ${MEANT[name] ?? name} t`,
    );
    found[name] = `${row?.count} ${row?.sum}`;
  }
  return found;
}

describe('reliability-09-declared: every route', () => {
  it('stands in the table above, and every route of the table exists', () => {
    expect(routes().map(nameOf).sort()).toEqual(Object.keys(ASKED).sort());
  });

  it('declares its access rule, the one of the table', () => {
    for (const route of routes()) {
      const rule = ruleOf(route);
      const asked = typeof rule === 'object' ? rule.permission : rule?.replace('-', ' ');
      expect([nameOf(route), asked]).toEqual([nameOf(route), ASKED[nameOf(route)]]);
      const own = typeof rule === 'object' ? rule.own : undefined;
      expect([nameOf(route), own]).toEqual([nameOf(route), OWN[nameOf(route)]]);
    }
  });

  it('that declares none is denied to everyone', async () => {
    const target = routes().find((route) => nameOf(route) === 'GET /articles')!;
    const rule = ruleOf(target);
    Reflect.deleteMetadata(ACCESS_RULE, target.handler);
    const answers = await Promise.all(
      [test.anonymous, ...ROLES.map((role) => test.as(role))].map((client) => client.get('/articles')),
    );
    Reflect.defineMetadata(ACCESS_RULE, rule, target.handler);
    for (const { status, body } of answers) expect([status, body.type]).toEqual([403, '/problems/forbidden']);
    expect((await test.as('viewer').get('/articles')).status).toBe(200);
  });
});

describe('The permissions', () => {
  it('are those of the table, in the code and in the database', async () => {
    const known = await test.database.query<{ name: string }>('SELECT name FROM permissions ORDER BY name');
    expect(known.map(({ name }) => name).sort()).toEqual(Object.keys(HOLDERS).sort());
    expect([...PERMISSIONS].sort()).toEqual(Object.keys(HOLDERS).sort());
  });

  it.each(ROLES)('of %s are those of the table', async (role) => {
    const holds = Object.entries(HOLDERS).filter(([, holders]) => holders.includes(role));
    const { body } = await test.as(role).get('/me');
    expect(body.roles).toEqual([role]);
    expect(body.permissions).toEqual(holds.map(([permission]) => permission).sort());
  });
});

const names = Object.keys(ASKED);
const guarded = names.filter((name) => ASKED[name] !== 'public');
const isAllowed = (name: string, role: RoleName) => {
  const asked = ASKED[name]!;
  return asked === 'public' || asked === 'signed in' || HOLDERS[asked].includes(role);
};
const mayOwn = (name: string, role: RoleName) =>
  !isAllowed(name, role) && name in OWN && HOLDERS[OWN[name]!].includes(role);

describe('reliability-09-matrix: without a token, with a bad one, or of someone without roles', () => {
  let before: Record<string, string>;
  let nobody: Client;
  beforeAll(async () => {
    nobody = await test.asNewUser('nobody');
    before = await contents();
  });
  afterAll(async () => expect(await contents()).toEqual(before));

  it.each(guarded)('%s → 401', async (name) => {
    for (const client of [test.anonymous, new Client(test.url, '1|x')]) {
      const { status, headers, body } = await send(client, name, rowOf(name));
      expect([status, body.type]).toEqual([401, '/problems/unauthenticated']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="inventory"/);
    }
  });

  it.each(guarded.filter((name) => ASKED[name] !== 'signed in'))('%s → 403 without roles', async (name) => {
    const { status, body } = await send(nobody, name, rowOf(name));
    expect([status, body.type]).toEqual([403, '/problems/forbidden']);
    expect(body.detail).toContain(ASKED[name]);
  });
});

describe.each(ROLES)('reliability-09-matrix: as %s', (role) => {
  const refused = guarded.filter((name) => !isAllowed(name, role) && !mayOwn(name, role));
  const owned = guarded.filter((name) => mayOwn(name, role));
  if (refused.length > 0) {
    describe('forbidden, and nothing happens:', () => {
      let before: Record<string, string>;
      beforeAll(async () => {
        before = await contents();
      });
      afterAll(async () => expect(await contents()).toEqual(before));

      it.each(refused)('%s → 403', async (name) => {
        const existing = await send(test.as(role), name, rowOf(name));
        const missing = await send(test.as(role), name, 2_147_483_647);
        for (const { status, body } of [existing, missing])
          expect([status, body.type]).toEqual([403, '/problems/forbidden']);
        expect(existing.body.detail).toBe(missing.body.detail);
      });
    });
  }

  if (owned.length > 0)
    it.each(owned)('%s → 403, unless it is one’s own', async (name) => {
      const before = await contents();
      const { status, body } = await send(test.as(role), name, rowOf(name));
      expect([status, body.type]).toEqual([403, '/problems/forbidden']);
      expect((await send(test.as(role), name, 2_147_483_647)).status).toBe(404);
      expect(await contents()).toEqual(before);
    });

  // For an id that no row has, so that the rows are there for the next role.
  it.each(names.filter((name) => isAllowed(name, role)))('%s is not forbidden', async (name) => {
    const client = await test.asNewUser(role);
    const { status } = await send(client, name, name.includes('/{id}') ? 2_147_483_647 : rowOf(name));
    expect([200, 201, 404, 422]).toContain(status);
  });
});

describe('reliability-09-matrix: the same requests work for an admin, so that nothing else had stopped them:', () => {
  beforeAll(async () => {
    await test.database.query(`DELETE FROM users WHERE login = 'new'`);
    await test.database.query(`DELETE FROM roles WHERE name = 'new'`);
  });

  /** A row for the routes that need one of their own. */
  async function ownRow(client: Client, name: string): Promise<number> {
    if (name === 'DELETE /me/tokens/{id}') return Number(client.token?.split('|')[0]);
    if (name !== 'DELETE /inventories/{id}') return rowOf(name);
    return (await client.post('/inventories', BODIES['POST /inventories'])).body.id;
  }

  it.each([...names].sort((a, b) => rowOf(a) - rowOf(b)))('%s', async (name) => {
    const client = await test.asNewUser('worker', 'admin');
    const { status } = await send(client, name, await ownRow(client, name));
    const isCreated =
      /^POST \/(articles|purchases|suppliers|locations|brands|categories|amortization-categories|fields|inventories|users|roles|webhooks|.*\/attachments)$/.test(
        name,
      );
    const isAccepted = name === 'POST /imports/{id}' || name.endsWith('/ping');
    expect(status).toBe(isCreated ? 201 : isAccepted ? 202 : 200);
  });
});
