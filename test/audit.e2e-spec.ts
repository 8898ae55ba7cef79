/* eslint-disable @typescript-eslint/no-explicit-any -- entries are asserted, not typed */
import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AuditPartitions } from '../src/audit/audit.partitions.js';
import { commands } from '../src/commands.js';
import { loadEnv } from '../src/config/env.js';
import { migrate } from '../src/database/migrate.js';
import { UsageError } from '../src/common/command-line.js';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { factories, readByCursor, readByPage, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { runCommand, until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

let test: TestApp;
let make: Factories;

beforeAll(async () => {
  test = await startApp({ TRUST_PROXY: '1' });
  make = factories(test);
});
afterAll(() => test.stop());
afterEach(rollbackAll);
afterEach(() => jest.restoreAllMocks());

const NOBODY = {
  user_id: null, user_name: null, token_id: null, command: null, address: null, request_id: null,
}; // prettier-ignore

/** What was written since the last call, oldest first, as an administrator reads it. */
let seen = 0;
async function news(app = test): Promise<any[]> {
  const { body } = await app.as('admin').get('/audit?per_page=200');
  const entries = body.data.filter(({ id }: any) => id > seen).reverse();
  seen = Math.max(seen, ...entries.map(({ id }: any) => id));
  return entries;
}
beforeEach(() => news());

/** The parts of entries that tell what happened. */
const what = (entries: any[]): any[] =>
  entries.map(({ action, resource, resource_id, before, after }) => ({
    action, resource, resource_id, before, after,
  })); // prettier-ignore

/** A value of the one row that a statement gives. */
const one = async (name: string, sql: string): Promise<any> =>
  (await test.database.query<any>(sql))[0]![name];

/** Imports a file, and resolves to what becomes of it. */
async function endOfImport(app: TestApp, path: string, file: string): Promise<string> {
  const manager = app.as('manager');
  const begun = await manager.send('POST', `/imports/${path}`, file, { 'content-type': 'text/csv' });
  expect(begun.status).toBe(202);
  let status = '';
  await until(async () => {
    status = (await manager.get(`/imports/${begun.body.id}`)).body.status;
    return /^(checked|done|refused|failed)$/.test(status);
  });
  return status;
}

const tokenId = ({ token }: Client): number => Number(token!.split('|')[0]);

describe('reliability-34-audit-log: a change of a row', () => {
  it('says who, when, from where, in which request, and what is new', async () => {
    const manager = test.as('manager');
    const { headers, body } = await manager.send(
      'POST',
      '/suppliers',
      { name: 'Ty Réseau', email: 'a@b.example' },
      { 'X-Request-Id': 'audit-1', 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' },
    );
    const userId = await one('id', `SELECT id FROM users WHERE login = 'manager'`);
    const entries = await news();
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        user_id: userId,
        user_name: 'User manager',
        token_id: tokenId(manager),
        command: null,
        address: '203.0.113.9',
        request_id: headers.get('x-request-id'),
        action: 'supplier.create',
        resource: 'supplier',
        resource_id: body.id,
        before: null,
        after: {
          id: body.id,
          name: 'Ty Réseau',
          reference: null,
          email: 'a@b.example',
          phone: null,
          address: null,
          is_active: true,
          deleted_at: null,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
        },
      },
    ]);
    expect(entries[0].request_id).toBe('audit-1');
  });

  it('has of an update what is otherwise since, and of a deletion all that was', async () => {
    for (const [path, resource, fields, row] of [
      ['/suppliers', 'supplier', { name: 'Two' }, await make.supplier({ name: 'One', phone: '1' })],
      ['/articles', 'article', { name: 'Two' }, await make.article({ name: 'One' })],
      ['/locations', 'location', { name: 'Two' }, await make.location({ name: 'One' })],
      ['/brands', 'brand', { name: 'Two' }, await make.brand({ name: 'One' })],
    ] as const) {
      await news();
      await test.as('manager').patch(`${path}/${row.id}`, { ...fields, is_active: true });
      await test.as('manager').patch(`${path}/${row.id}`, fields); // changes nothing
      await test.as('manager').delete(`${path}/${row.id}`);
      const of = { resource, resource_id: row.id };
      expect(what(await news())).toEqual([
        { ...of, action: `${resource}.update`, before: { name: 'One' }, after: { name: 'Two' } },
        {
          ...of,
          action: `${resource}.delete`,
          before: expect.objectContaining({ id: row.id, name: 'Two', deleted_at: null }),
          after: null,
        },
      ]);
    }
  });

  it('of a purchase: bought, labelled anew, emptied and deleted', async () => {
    const article = await make.article();
    await news();
    const manager = test.as('manager');
    const fields = { article_id: article.id, purchase_date: '2026-02-03', purchase_price: 10.5, notes: 'n' };
    const { body } = await manager.post('/purchases', { ...fields, code: 'audit-a' });
    await manager.patch(`/purchases/${body.id}`, { code: 'AUDIT-B', notes: null });
    await manager.delete(`/purchases/${body.id}`);
    const entries = what(await news());
    expect(entries).toMatchObject([
      {
        action: 'purchase.create',
        resource_id: body.id,
        before: null,
        after: { ...fields, code: 'audit-a' },
      },
      {
        action: 'purchase.update',
        before: { code: 'audit-a', notes: 'n' },
        after: { code: 'AUDIT-B', notes: null },
      },
      { action: 'purchase.delete', before: { code: 'AUDIT-B', notes: null }, after: null },
    ]);
    expect(Object.keys(entries[1].after)).toEqual(['code', 'notes']);
    expect(Object.keys(entries[0].after)).not.toEqual(expect.arrayContaining(['code_key']));
    expect(entries[0].after).not.toHaveProperty('search_text');
  });

  it('of a session: opened, changed, closed and removed, but not its scans', async () => {
    const purchase = await make.purchase();
    await news();
    const manager = test.as('manager');
    const { body } = await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
    await manager.patch(`/inventories/${body.id}`, { label: 'November' });
    for (const code of [purchase.code, purchase.code, 'unknown'])
      await test.as('operator').post(`/inventories/${body.id}/scan`, { code });
    await manager.post(`/inventories/${body.id}/close`);
    const other = await manager.post('/inventories', { year: 2027, inventory_date: '2027-11-16' });
    await manager.delete(`/inventories/${other.body.id}`);
    const of = { resource: 'inventory', resource_id: body.id };
    expect(what(await news())).toMatchObject([
      { ...of, action: 'inventory.open', before: null, after: { year: 2026, closed_at: null } },
      { ...of, action: 'inventory.update', before: { label: null }, after: { label: 'November' } },
      {
        ...of,
        action: 'inventory.close',
        before: { closed_at: null, closed_by: null, final_scanned: null, final_total: null },
        after: { closed_at: expect.any(String), closed_by: expect.any(Number), final_scanned: 1 },
      },
      { action: 'inventory.open', resource_id: other.body.id, after: { year: 2027 } },
      { action: 'inventory.delete', resource_id: other.body.id, before: { year: 2027 }, after: null },
    ]);
  });

  it('of a user: created, renamed, given and taken roles, a new password, disabled', async () => {
    const admin = test.as('admin');
    const login = unique('ada').replace(' ', '');
    const fields = { name: 'Ada', login, email: `${login}@test.example`, password: 'a first password' };
    const { body } = await admin.post('/users', { ...fields, roles: ['operator', 'viewer'] });
    await admin.patch(`/users/${body.id}`, { name: 'Ada L.', roles: ['manager', 'viewer'] });
    await admin.patch(`/users/${body.id}`, { roles: ['viewer', 'manager'] }); // changes nothing
    const { token } = (await test.anonymous.post('/login', { login, password: 'a first password' })).body;
    await new Client(test.url, token).patch('/me/password', {
      current_password: 'a first password',
      password: 'a second password',
    });
    await admin.patch(`/users/${body.id}`, { is_active: false });
    const entries = await news();
    const user = { resource: 'user', resource_id: body.id };
    const device = { resource: 'token', resource_id: Number(token.split('|')[0]) };
    expect(what(entries)).toEqual([
      {
        ...user,
        action: 'user.create',
        before: null,
        after: {
          id: body.id,
          name: 'Ada',
          login,
          email: fields.email,
          is_active: true,
          created_at: expect.any(String),
        },
      },
      { ...user, action: 'user.grant', before: null, after: { roles: ['operator', 'viewer'] } },
      { ...user, action: 'user.update', before: { name: 'Ada' }, after: { name: 'Ada L.' } },
      { ...user, action: 'user.revoke', before: { roles: ['operator'] }, after: null },
      { ...user, action: 'user.grant', before: null, after: { roles: ['manager'] } },
      { ...device, action: 'login', before: null, after: { user_id: body.id, device_name: null } },
      { ...user, action: 'user.password', before: null, after: null },
      { ...user, action: 'user.update', before: { is_active: true }, after: { is_active: false } },
      { ...device, action: 'token.revoke', before: { user_id: body.id, device_name: null }, after: null },
    ]);
    expect(entries.map(({ user_name }) => user_name)).toEqual(
      [...Array(5).fill('User admin'), 'Ada L.', 'Ada L.', 'User admin', 'User admin'], // prettier-ignore
    );
  });

  it('of a role: created, described, given and taken permissions', async () => {
    const admin = test.as('admin');
    const name = unique('auditor');
    const { body } = await admin.post('/roles', { name, permissions: ['audit.view', 'articles.view'] });
    await admin.patch(`/roles/${body.id}`, {
      description: 'Looks',
      permissions: ['audit.view', 'tiers.view'],
    });
    const of = { resource: 'role', resource_id: body.id };
    expect(what(await news())).toEqual([
      { ...of, action: 'role.create', before: null, after: expect.objectContaining({ name }) },
      { ...of, action: 'role.grant', before: null, after: { permissions: ['articles.view', 'audit.view'] } },
      { ...of, action: 'role.update', before: { description: null }, after: { description: 'Looks' } },
      { ...of, action: 'role.revoke', before: { permissions: ['articles.view'] }, after: null },
      { ...of, action: 'role.grant', before: null, after: { permissions: ['tiers.view'] } },
    ]);
  });

  it.each([
    ['brand', 'brands', () => make.brand()],
    ['category', 'categories', () => make.category()],
    ['amortization_category', 'amortization_categories', () => make.amortizationCategory()],
    ['tier', 'tiers', () => make.tier()],
    ['equipment', 'equipments', () => make.equipment()],
  ])('of a %s, by plain SQL: under the name of the role', async (resource, table, create) => {
    const { id, name } = await create();
    await test.database.query(`UPDATE ${table} SET name = name || '!' WHERE id = $1`, [id]);
    await test.database.query(`UPDATE ${table} SET name = name WHERE id = $1`, [id]); // changes nothing
    await test.database.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    const entries = await news();
    expect(what(entries)).toEqual([
      { resource, resource_id: id, action: `${resource}.create`, before: null, after: expect.objectContaining({ name }) },
      { resource, resource_id: id, action: `${resource}.update`, before: { name }, after: { name: `${name}!` } },
      { resource, resource_id: id, action: `${resource}.delete`, before: expect.objectContaining({ id }), after: null },
    ]); // prettier-ignore
    const role = await one('role', `SELECT session_user AS role`);
    for (const entry of entries) expect(entry).toMatchObject({ ...NOBODY, command: 'sql', user_name: role });
  });

  it('has an entry for each table that a request or an import writes', async () => {
    const recorded = await test.database.query<{ name: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname ~ '_audit_' ORDER BY 1`,
    );
    const tables = await test.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    // A scan's row is its own record, its undoing and what is decided of it have entries, as an import has one; the others
    // follow from rows that are recorded, or are what was sent.
    const without = [
      'audit_entries', 'idempotency_keys', 'inventory_counters', 'inventory_lines', 'inventory_closed_lines',
      'migrations', 'permissions', 'password_attempts', 'purchase_codes', 'location_codes', 'inventory_answers',
      'inventory_undone_scans', 'inventory_misplaced', 'inventory_unexpected', 'inventory_unknown_codes', 'inventory_late_scans',
      'inventory_frozen', 'inventory_frozen_lines', 'inventory_frozen_locations',
      'imports', 'import_refusals', 'purchase_counts', 'purchase_joins', 'webhook_sending', 'webhook_outbox', 'webhook_deliveries',
    ]; // prettier-ignore
    expect(recorded.map(({ name }) => name)).toEqual(
      tables.map(({ name }) => name).filter((name) => !without.includes(name)),
    );
  });
});

describe('reliability-34-audit-same-transaction: an entry', () => {
  it('is there with the change, and not before', async () => {
    const brand = await begin(test.database);
    await brand.query(`INSERT INTO brands (name) VALUES ('Uncommitted')`);
    expect(await news()).toEqual([]);
    await brand.end('COMMIT');
    expect(await news()).toMatchObject([{ action: 'brand.create', after: { name: 'Uncommitted' } }]);
  });

  it('goes with a change that is rolled back', async () => {
    const supplier = await make.supplier();
    await news();
    const manager = test.as('manager');
    // The same code twice: the second row is refused when it is written. A stale tag: refused under the lock.
    const body = { article_id: (await make.article()).id, purchase_date: '2026-01-01', code: 'ONCE-ONLY' };
    expect((await manager.post('/purchases', body)).status).toBe(201);
    await news();
    expect((await manager.post('/purchases', body)).status).toBe(422);
    const stale = await manager.send(
      'PATCH',
      `/suppliers/${supplier.id}`,
      { name: 'X' },
      { 'If-Match': '"0"' },
    );
    expect(stale.status).toBe(412);
    // The last administrator stays one: noticed after the roles were taken.
    const other = await test.asNewUser(unique('lone').replace(' ', ''), 'admin');
    await news();
    const id = await one('id', `SELECT id FROM users WHERE login = 'admin'`);
    await test.as('admin').patch(`/users/${other.userId}`, { is_active: false });
    await news();
    expect(refused(await test.as('admin').patch(`/users/${id}`, { roles: ['viewer'] }))).toEqual(['roles']);
    expect(await news()).toEqual([]);
  });

  it('is written once for a request that is repeated with its key', async () => {
    const body = { name: unique('Once') };
    const key = { 'Idempotency-Key': 'audit-key-1' };
    const first = await test.as('manager').send('POST', '/suppliers', body, key);
    const second = await test.as('manager').send('POST', '/suppliers', body, key);
    expect(second.body).toEqual(first.body);
    expect(what(await news())).toMatchObject([{ action: 'supplier.create', resource_id: first.body.id }]);
  });

  it('stops the change where it cannot be written', async () => {
    await test.database.query(`ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (id < 0) NOT VALID`);
    try {
      const { status } = await test.as('manager').post('/suppliers', { name: 'Unrecorded' });
      expect(status).toBe(500);
      expect(await test.database.query(`SELECT FROM suppliers WHERE name = 'Unrecorded'`)).toEqual([]);
    } finally {
      await test.database.query(`ALTER TABLE audit_entries DROP CONSTRAINT no_more`);
    }
  });
});

describe('reliability-34-audit-logins: logins and refusals', () => {
  it('a login, with its device, and a logout', async () => {
    const client = new Client(test.url);
    const fields = { email: 'viewer@test.example', password: PASSWORD, device_name: 'Pixel 9' };
    const { body } = await client.post('/auth/token', fields);
    const signedIn = new Client(test.url, body.token);
    await signedIn.post('/logout');
    const entries = await news();
    const token_id = tokenId(signedIn);
    const token = { user_id: body.user.id, device_name: 'Pixel 9' };
    expect(entries).toMatchObject([
      { action: 'login', resource: 'token', resource_id: token_id, before: null, after: token },
      { action: 'logout', resource: 'token', resource_id: token_id, before: token, after: null },
    ]);
    for (const entry of entries) {
      const by = { user_id: body.user.id, user_name: 'User viewer', token_id, address: '127.0.0.1' };
      expect(entry).toMatchObject({ ...by, request_id: expect.any(String) });
    }
  });

  it('another device of one’s own that is revoked', async () => {
    const client = await test.asNewUser(unique('lost').replace(' ', ''));
    const lost = await test.asNewUser(unique('lost').replace(' ', ''));
    await test.database.query(`UPDATE access_tokens SET user_id = $1 WHERE id = $2`, [
      client.userId,
      tokenId(lost),
    ]);
    await news();
    expect((await client.delete(`/me/tokens/${tokenId(lost)}`)).status).toBe(200);
    expect((await client.delete(`/me/tokens/${tokenId(lost)}`)).status).toBe(404);
    expect(await news()).toMatchObject([
      {
        action: 'token.revoke',
        user_id: client.userId,
        token_id: tokenId(client),
        resource_id: tokenId(lost),
      },
    ]);
  });

  it('a failed login, with the name as it was tried and whose it is', async () => {
    const id = await one('id', `SELECT id FROM users WHERE login = 'viewer'`);
    await test.anonymous.post('/login', { login: 'VIEWER', password: 'not the password' });
    await test.anonymous.post('/login', { login: 'stranger', password: 'not the password' });
    await test.anonymous.post('/auth/token', { email: 'viewer@test.example', password: 'not the password' });
    const entries = await news();
    expect(what(entries)).toEqual(
      [['VIEWER', id], ['stranger', null], ['viewer@test.example', id]].map(([login, resource_id]) => ({
        action: 'login.failed', resource: 'user', resource_id, before: null, after: { login },
      })),
    ); // prettier-ignore
    for (const entry of entries)
      expect(entry).toMatchObject({ ...NOBODY, address: '127.0.0.1', request_id: expect.any(String) });
  });

  it('who does not know the own password, as often as it is looked at', async () => {
    const client = await test.asNewUser('guesser', 'viewer');
    await news();
    const guess = (n: number) =>
      client.send(
        'PATCH',
        '/me/password',
        { current_password: `a guess ${n}`, password: 'a new password' },
        { 'X-Request-Id': `guess-${n}` },
      );
    const answers = [];
    for (let n = 1; n <= 6; n++) answers.push((await guess(n)).status);
    expect(answers).toEqual([422, 422, 422, 422, 422, 429]);
    expect(await news()).toMatchObject(
      [1, 2, 3, 4, 5].map((n) => ({
        user_id: client.userId,
        token_id: tokenId(client),
        address: '127.0.0.1',
        request_id: `guess-${n}`,
        action: 'user.password_failed',
        resource: 'user',
        resource_id: client.userId,
        before: null,
        after: null,
      })),
    );
  });

  it('what is forbidden, with the permission that is missing', async () => {
    const viewer = test.as('viewer');
    const { status } = await viewer.send(
      'PATCH',
      '/suppliers/1',
      { name: 'X' },
      { 'X-Request-Id': 'audit-403' },
    );
    expect(status).toBe(403);
    expect(await news()).toMatchObject([
      {
        user_name: 'User viewer',
        token_id: tokenId(viewer),
        address: '127.0.0.1',
        request_id: 'audit-403',
        action: 'forbidden',
        resource: null,
        after: { method: 'PATCH', route: '/api/v1/suppliers/{id}', permission: 'suppliers.update' },
      },
    ]);
  });

  it('is forbidden all the same where the entry cannot be written, and a failed login fails', async () => {
    await test.database.query(`ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (id < 0) NOT VALID`);
    try {
      expect((await test.as('viewer').post('/suppliers', { name: 'X' })).status).toBe(403);
      const { status } = await test.anonymous.post('/login', { login: 'viewer', password: 'wrong wrong' });
      expect(status).toBe(401);
    } finally {
      await test.database.query(`ALTER TABLE audit_entries DROP CONSTRAINT no_more`);
    }
  });

  it('reads, scans, refused bodies and requests without a known token leave none', async () => {
    const purchase = await make.purchase();
    await news();
    const viewer = test.as('viewer');
    for (const path of ['/me', '/articles', `/purchases/${purchase.id}`, `/scan/${purchase.code}`])
      expect((await viewer.get(path)).status).toBe(200);
    expect((await test.as('manager').post('/suppliers', {})).status).toBe(422);
    for (const token of [undefined, '1|x', `${tokenId(viewer)}|${'0'.repeat(40)}${'0'.repeat(8)}`])
      expect((await new Client(test.url, token).get('/articles')).status).toBe(401);
    // Whoever may look leaves nothing either; who was refused is counted.
    expect(await news()).toEqual([]);
    const { text } = await test.anonymous.get('//metrics');
    expect(text).toMatch(
      /http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/articles",status="401"\} [3-9]/,
    );
  });

  it('strangers who fail to log in write a hundred entries a minute at most', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask'],
    });
    try {
      const refusals = test.app.get((await import('../src/auth/refusals.js')).Refusals);
      jest.setSystemTime(Date.now() + 60_000);
      for (let n = 1; n <= 130; n++) await refusals.login({}, `stranger ${n}`);
      expect((await news()).map(({ after }) => after.login)).toEqual(
        Array.from({ length: 100 }, (_, at) => `stranger ${at + 1}`),
      );
      jest.setSystemTime(Date.now() + 60_000);
      await refusals.login({}, 'the next minute');
      expect(await news()).toMatchObject([{ after: { login: 'the next minute', unrecorded_before: 30 } }]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('reliability-34-audit-no-secrets', () => {
  it('no password, hash, token or key is in any entry', async () => {
    const admin = test.as('admin');
    const login = unique('secretive').replace(' ', '');
    const passwords = ['first secret of all', 'second secret of all', 'third secret of all', 'wrong secret'];
    const fields = {
      name: 'S',
      login,
      email: `${login}@test.example`,
      roles: ['manager'],
      password: passwords[0],
    };
    const { body } = await admin.send('POST', '/users', fields, { 'Idempotency-Key': 'the-secret-key' });
    await admin.patch(`/users/${body.id}`, { password: passwords[1], name: 'S2' });
    const answer = await test.anonymous.post('/login', { login, password: passwords[1] });
    const client = new Client(test.url, answer.body.token);
    await client.patch('/me/password', { current_password: passwords[3], password: passwords[2] });
    await client.patch('/me/password', { current_password: passwords[1], password: passwords[2] });
    await test.anonymous.post('/login', { login, password: passwords[3] });
    await client.post('/suppliers', { name: 'By the secretive' });
    await client.post('/logout');
    const actions = (await news()).map(({ action }) => action);
    expect(actions).toEqual([
      'user.create', 'user.grant', 'user.update', 'user.password', 'login', 'user.password_failed',
      'user.password', 'login.failed', 'supplier.create', 'logout',
    ]); // prettier-ignore

    const log = await one('log', `SELECT string_agg(e::text, ' ') AS log FROM audit_entries e`);
    const secrets = await test.database.query<{ secret: string }>(
      `SELECT password_hash AS secret FROM users UNION SELECT encode(secret_hash, 'hex') FROM access_tokens
       UNION SELECT encode(key_hash, 'hex') FROM idempotency_keys`,
    );
    const own = [client, admin].map(({ token }) => token!.split('|')[1]!);
    for (const secret of [
      ...passwords,
      ...own,
      PASSWORD,
      'the-secret-key',
      ...secrets.map((row) => row.secret),
    ])
      expect(log).not.toContain(secret);
    expect(log).not.toMatch(/argon2|password_hash|secret_hash/);
  });
});

describe('reliability-34-audit-append-only', () => {
  it.each([
    `UPDATE audit_entries SET user_id = 1`,
    `DELETE FROM audit_entries`,
    `DELETE FROM audit_entries WHERE false`,
    `TRUNCATE audit_entries`,
    `UPDATE audit_entries_default SET user_id = 1`,
    `DELETE FROM audit_entries_default`,
    `TRUNCATE audit_entries_default`,
    `UPDATE {month} SET user_id = 1`,
    `DELETE FROM {month}`,
    `TRUNCATE {month}`,
    `MERGE INTO audit_entries e USING users u ON u.id = e.user_id WHEN MATCHED THEN DELETE`,
    `INSERT INTO audit_entries SELECT * FROM audit_entries LIMIT 1 ON CONFLICT (at, id) DO UPDATE SET action = 'x'`,
    `SET session_replication_role = replica; DELETE FROM {month}; SET session_replication_role = DEFAULT`,
  ])('the owner, even a superuser, is refused %s', async (sql) => {
    const count = `SELECT count(*) AS n, md5(string_agg(e::text, '' ORDER BY id)) AS sum FROM audit_entries e`;
    const before = await test.database.query(count);
    const month = `audit_entries_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
    // On a connection of its own, since a setting may be left behind.
    const client = new pg.Client({ connectionString: test.database.url });
    await client.connect();
    await expect(client.query(sql.replaceAll('{month}', month))).rejects.toThrow('only ever appended to');
    await client.end();
    expect(await test.database.query(count)).toEqual(before);
  });
});

describe('GET /audit', () => {
  let other: TestApp;
  let ids: Record<'manager' | 'admin', number>;
  let supplier: any;
  beforeAll(async () => {
    other = await startApp({ TRUST_PROXY: '1' });
    const [manager, admin] = await other.database.query<{ id: number }>(
      `SELECT id FROM users WHERE login IN ('manager', 'admin') ORDER BY login DESC`,
    );
    ids = { manager: manager!.id, admin: admin!.id };
    supplier = await factories(other).supplier({ name: 'Filtered' });
    await other
      .as('manager')
      .send(
        'PATCH',
        `/suppliers/${supplier.id}`,
        { name: 'Filtered too' },
        { 'X-Request-Id': 'filter-1', 'X-Forwarded-For': '2001:db8::7' },
      );
    await factories(other).article();
    await other.as('viewer').post('/suppliers', { name: 'X' });
  });
  afterAll(() => other.stop());

  const get = (query: string) => other.as('admin').get(`/audit?${query}`);
  const actions = async (query: string) => (await get(query)).body.data.map(({ action }: any) => action);

  it.each([
    ['action=supplier.update', ['supplier.update']],
    ['action=nothing.such', []],
    ['resource=supplier', ['supplier.update', 'supplier.create']],
    ['resource=supplier&resource_id={supplier}', ['supplier.update', 'supplier.create']],
    ['resource=supplier&resource_id=4711', []],
    ['request_id=filter-1', ['supplier.update']],
    ['address=2001:db8::7', ['supplier.update']],
    ['user_id={manager}&action=supplier.create', ['supplier.create']],
    ['user_id={admin}&resource=supplier', []],
    ['token_id={token}&sort=at', ['supplier.create', 'supplier.update', 'article.create']],
    ['action=forbidden', ['forbidden']],
  ])('%s', async (query, expected) => {
    const values: Record<string, number> = {
      ...ids,
      supplier: supplier.id,
      token: tokenId(other.as('manager')),
    };
    const found = await actions(query.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])));
    // A token's first entry is its login.
    expect(found.filter((action: string) => action !== 'login')).toEqual(expected);
  });

  it('every kind of row that the log tells of', async () => {
    const kinds = await other.database.query<{ resource: string }>(
      `SELECT DISTINCT rtrim(encode(tgargs, 'escape'), '\\0') AS resource FROM pg_trigger
       WHERE tgfoid = 'audit_changes'::regproc`,
    );
    expect(kinds.length).toBeGreaterThan(10);
    for (const { resource } of kinds) {
      const { status } = await get(`resource=${resource}`);
      expect([resource, status]).toEqual([resource, 200]);
    }
  });

  it('from and to, both included', async () => {
    const { data } = (await get('resource=supplier')).body;
    const [last, first] = data;
    expect(await actions(`resource=supplier&from=${last.at}`)).toEqual(
      first.at === last.at ? ['supplier.update', 'supplier.create'] : ['supplier.update'],
    );
    expect(await actions(`resource=supplier&to=${last.at}`)).toEqual(['supplier.update', 'supplier.create']);
    expect(await actions(`from=${last.at.replace('Z', '%2B02:00')}`)).toContain('supplier.update');
    expect(await actions(`to=2001-01-01T00:00:00Z`)).toEqual([]);
  });

  it('newest first, by pages and by cursor; sort=at the other way round', async () => {
    const client = other.as('admin');
    const all = (await get('per_page=200')).body;
    expect(all.meta.total).toBe(all.data.length);
    const sorted = [...all.data].sort((a, b) => (b.at === a.at ? b.id - a.id : b.at.localeCompare(a.at)));
    expect(all.data).toEqual(sorted);
    for (const query of ['?per_page=3', '?per_page=3&sort=-at']) {
      expect(await readByPage(client, `/audit${query}`)).toEqual(sorted);
      expect(await readByCursor(client, `/audit${query}`)).toEqual(sorted);
    }
    expect(await readByCursor(client, '/audit?per_page=3&sort=at')).toEqual(sorted.toReversed());
    const { next_cursor } = (await get('per_page=3')).body.meta;
    expect(refused(await get(`sort=at&cursor=${next_cursor}`))).toEqual(['cursor']);
  });

  it('with updated_since, oldest first, never past a change that is under way', async () => {
    const since = new Date().toISOString();
    const open = await begin(other.database);
    await open.query(`INSERT INTO brands (name) VALUES ('Under way')`);
    await other.as('manager').post('/suppliers', { name: 'Meanwhile' });
    const first = (await get(`updated_since=${since}`)).body;
    expect(first.data).toEqual([]);
    await open.end('COMMIT');
    const second = (await get(`updated_since=${first.meta.synced_until}`)).body;
    expect(second.data.map(({ action }: any) => action)).toEqual(['brand.create', 'supplier.create']);
  });

  it('refuses what it does not know', async () => {
    for (const [query, field] of [
      ['resource=scan', 'resource'],
      ['from=2026-01-01', 'from'],
      ['to=yesterday', 'to'],
      ['sort=id', 'sort'],
      ['user_id=0', 'user_id'],
      ['who=me', 'who'],
    ])
      expect(refused(await get(query!))).toEqual([field]);
  });

  it('is for those who have audit.view', async () => {
    for (const role of ['viewer', 'operator', 'manager'] as const)
      expect((await other.as(role).get('/audit')).status).toBe(403);
    expect((await other.anonymous.get('/audit')).status).toBe(401);
    expect((await (await other.asNewUser('auditor', 'admin')).get('/audit')).status).toBe(200);
  });
});

describe('reliability-34-audit-commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recense-audit-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const os = userInfo().username;

  async function run(name: string, ...args: string[]): Promise<string[]> {
    const said: string[] = [];
    for (const method of ['log', 'error'] as const)
      jest.spyOn(console, method).mockImplementation((line: unknown) => void said.push(String(line)));
    await commands[name]!(args, test.database.url, loadEnv({}));
    return said;
  }

  it('an import of 150 rows: an entry for each, and one of the import itself', async () => {
    const file = join(folder, 'suppliers.csv');
    const lines = Array.from({ length: 150 }, (_, n) => `Imported ${n},I-${n}`);
    writeFileSync(file, `name,reference\n${lines.join('\n')}\n`);
    await run('import', 'suppliers', file, '--dry-run');
    expect(await news()).toEqual([]);
    await run('import', 'suppliers', file);
    const entries = await news();
    for (const entry of entries) expect(entry).toMatchObject({ ...NOBODY, command: 'import', user_name: os });
    expect(what(entries.slice(0, 150)).map(({ action, after }) => [action, after.name])).toEqual(
      lines.map((line) => ['supplier.create', line.split(',')[0]]),
    );
    expect(what(entries.slice(150))).toEqual([
      {
        action: 'import',
        resource: null,
        resource_id: null,
        before: null,
        after: { kind: 'suppliers', file: 'suppliers.csv', added: 150, updated: 0, unchanged: 0 },
      },
    ]);

    writeFileSync(file, 'name,reference\nOtherwise,I-0\nImported 1,I-1\n');
    await run('import', 'suppliers', file);
    expect(what(await news())).toMatchObject([
      { action: 'supplier.update', before: { name: 'Imported 0' }, after: { name: 'Otherwise' } },
      { action: 'import', after: { added: 0, updated: 1, unchanged: 1 } },
    ]);
    writeFileSync(file, 'name,reference\n,I-0\n');
    await run('import', 'suppliers', file);
    expect(await news()).toEqual([]);
  });

  it('user:create and user:password', async () => {
    const env = { DATABASE_URL: test.database.url };
    const args = ['--email', 'cli@test.example', '--login', 'cli', '--name', 'Cli', '--role', 'viewer'];
    const created = await runCommand(
      ['user:create', ...args, '--password-stdin'],
      env,
      'a password of its own',
    );
    expect(created).toMatchObject({ code: 0 });
    const changed = await runCommand(
      ['user:password', '--login', 'cli', '--password-stdin'],
      env,
      'yet another one',
    );
    expect(changed).toMatchObject({ code: 0 });
    const entries = await news();
    expect(entries.map(({ action, command, user_name }) => [action, command, user_name])).toEqual([
      ['user.create', 'user:create', os],
      ['user.grant', 'user:create', os],
      ['user.password', 'user:password', os],
    ]);
  });
});

describe('reliability-34-audit-partitions', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const partitions = async (): Promise<string[]> => {
    const rows = await database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_entries'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name.replace('audit_entries_', ''));
  };
  const month = (ahead: number): string => {
    const now = new Date();
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    return day.toISOString().slice(0, 7).replace('-', '_');
  };
  const AHEAD = [0, 1, 2, 3].map(month);
  /** An entry of the 15th, so many months ago; in the partition of its month if that is made. */
  const write = (ago: number) =>
    database.query(
      `INSERT INTO audit_entries (at, action) SELECT date_trunc('month', now()) + interval '14 days' - make_interval(months => $1), 'old'`,
      [ago],
    );
  const makePartition = (ago: number) =>
    database.query(`
      CREATE TABLE audit_entries_${month(-ago)} PARTITION OF audit_entries
      FOR VALUES FROM ('${month(-ago).replace('_', '-')}-01Z') TO ('${month(1 - ago).replace('_', '-')}-01Z')`);

  it('this month and three more are there after the migration', async () => {
    expect(await partitions()).toEqual([...AHEAD, 'default']);
  });

  it('five instances that start together make what is missing, once', async () => {
    for (const one of AHEAD.slice(1)) await database.query(`DROP TABLE audit_entries_${one}`);
    const apps = await Promise.all(Array.from({ length: 5 }, () => startApp({}, database)));
    expect(await partitions()).toEqual([...AHEAD, 'default']);
    const definition = (name: string) =>
      database.query<{ indexes: string[]; triggers: string[] }>(
        `SELECT ARRAY(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass ORDER BY 1) AS constraints,
           ARRAY(SELECT split_part(pg_get_indexdef(indexrelid), ' USING ', 2) FROM pg_index WHERE indrelid = $1::regclass ORDER BY 1) AS indexes,
           ARRAY(SELECT tgname || tgenabled::text FROM pg_trigger WHERE tgrelid = $1::regclass ORDER BY 1) AS triggers`,
        [`audit_entries_${name}`],
      );
    for (const app of apps) await app.stop();
    const [first] = await definition('default');
    expect(first!.indexes).toHaveLength(8);
    expect(first!.triggers).toEqual(['audit_entries_refuse_changeA']);
    for (const name of AHEAD) expect(await definition(name)).toEqual([first]);
  });

  it('makes them again every day, while writers go on', async () => {
    const app = await startApp({}, database);
    await database.query(`DROP TABLE audit_entries_${AHEAD[3]}`);
    const writer = await begin(database);
    await writer.query(`INSERT INTO brands (name) VALUES ('Under way')`);
    await app.app.get(AuditPartitions).make();
    expect(await partitions()).toEqual([...AHEAD, 'default']);
    await writer.end('COMMIT');
    await app.stop();
  });

  it('gives way where somebody holds the log for long', async () => {
    const app = await startApp({}, database);
    await database.query(`DROP TABLE audit_entries_${AHEAD[3]}`);
    const reader = await begin(database);
    await reader.query(`LOCK TABLE audit_entries_default IN ACCESS SHARE MODE`);
    await expect(app.app.get(AuditPartitions).make()).rejects.toThrow('lock timeout');
    await reader.end('COMMIT');
    await app.app.get(AuditPartitions).make();
    expect(await partitions()).toContain(AHEAD[3]);
    await app.stop();
  });

  it('a month that came before its partition is kept in the default one', async () => {
    for (const one of AHEAD) await database.query(`DROP TABLE audit_entries_${one}`);
    await database.query(`INSERT INTO brands (name) VALUES ('Early')`);
    await database.query(`SELECT make_audit_partitions()`);
    expect(await partitions()).toEqual([...AHEAD.slice(1), 'default']);
    const [entry] = await database.query<{ partition: string }>(
      `SELECT tableoid::regclass::text AS partition FROM audit_entries WHERE action = 'brand.create'`,
    );
    expect(entry?.partition).toBe('audit_entries_default');
  });

  async function prune(...args: string[]): Promise<string[]> {
    const said: string[] = [];
    jest.spyOn(console, 'log').mockImplementation((line: unknown) => void said.push(String(line)));
    expect(await commands['audit:prune']!(args, database.url, loadEnv({}))).toBe(0);
    return said;
  }

  it('audit:prune drops whole months, says which, and leaves an entry of that', async () => {
    for (const ago of [1, 2, 3, 4]) await makePartition(ago);
    for (const ago of [1, 2, 3, 3]) await write(ago);
    const all = await partitions();
    const said = (word: string) => [
      `${word} audit_entries_${month(-4)}: 0 entries.`,
      `${word} audit_entries_${month(-3)}: 2 entries.`,
    ];
    expect(await prune('--keep-months', '2', '--dry-run')).toEqual(said('Would drop'));
    expect(await partitions()).toEqual(all);
    expect(await prune('--keep-months', '2')).toEqual(said('Dropped'));
    expect(await partitions()).toEqual(all.slice(2));
    expect(await prune('--keep-months', '2')).toEqual(['There is nothing to drop.']);
    // Beside those of the migrations, which give permissions to roles.
    const entries = await database.query(
      `SELECT * FROM audit_entries WHERE action <> 'role.grant' ORDER BY at`,
    );
    expect(entries).toMatchObject([
      { action: 'old' },
      { action: 'old' },
      {
        ...NOBODY,
        command: 'audit:prune',
        user_name: userInfo().username,
        action: 'audit.prune',
        after: {
          keep_months: 2,
          dropped: [
            { name: `audit_entries_${month(-4)}`, entries: 0 },
            { name: `audit_entries_${month(-3)}`, entries: 2 },
          ],
        },
      },
    ]);
  });

  it('audit:prune empties the default partition once all of it is old', async () => {
    await write(3);
    await write(2);
    expect(await prune('--keep-months', '2')).toEqual(['There is nothing to drop.']);
    expect(await prune('--keep-months', '1')).toEqual(['Dropped audit_entries_default: 2 entries.']);
    expect(await partitions()).toEqual([...AHEAD, 'default']);
    await expect(database.query(`TRUNCATE audit_entries_default`)).rejects.toThrow('only ever appended to');
  });

  it('audit:prune keeps what is written into the default partition while it waits', async () => {
    await database.query(`DROP TABLE audit_entries_${AHEAD[0]}`);
    await write(3);
    const writer = await begin(database);
    await writer.query(`INSERT INTO brands (name) VALUES ('Under way')`);
    const pruned = prune('--keep-months', '2');
    await blocked(database);
    await writer.end('COMMIT');
    expect(await pruned).toEqual(['There is nothing to drop.']);
    const actions = await database.query(`SELECT action FROM audit_entries ORDER BY at`);
    expect(actions).toEqual([{ action: 'old' }, { action: 'brand.create' }]);
  });

  it('audit:prune twice at once drops once', async () => {
    await makePartition(1);
    const writer = await begin(database);
    await writer.query(`INSERT INTO brands (name) VALUES ('Under way')`);
    const said: string[] = [];
    jest.spyOn(console, 'log').mockImplementation((line: unknown) => void said.push(String(line)));
    const run = () => commands['audit:prune']!(['--keep-months', '0'], database.url, loadEnv({}));
    const both = Promise.all([run(), run()]);
    await blocked(database, 2);
    await writer.end('COMMIT');
    expect(await both).toEqual([0, 0]);
    expect(said).toEqual([`Dropped audit_entries_${month(-1)}: 0 entries.`, 'There is nothing to drop.']);
  });

  it('audit:prune waits in short turns for whoever is writing, and lets others by', async () => {
    await makePartition(1);
    const writer = await begin(database);
    await writer.query(`INSERT INTO brands (name) VALUES ('Under way')`);
    const pruned = prune('--keep-months', '0');
    await blocked(database);
    await database.query(`INSERT INTO brands (name) VALUES ('Meanwhile')`);
    await writer.end('COMMIT');
    expect(await pruned).toEqual([`Dropped audit_entries_${month(-1)}: 0 entries.`]);
  });

  it.each([[[]], [['--keep-months', 'x']], [['--keep-months', '-1']], [['--all']]])(
    'audit:prune %j is refused',
    async (args) => {
      await expect(commands['audit:prune']!(args, database.url, loadEnv({}))).rejects.toThrow(UsageError);
    },
  );

  it('a service that owns nothing writes, reads and makes them, but can neither prune nor change anything', async () => {
    const role = new URL(database.url).pathname.slice(1);
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
    await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await database.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    await database.query(`DROP TABLE audit_entries_${AHEAD[3]}`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'limited'];
    const limited = { ...database, url: url.href };
    expect(await migrate(url.href)).toEqual([]);
    const app = await startApp({}, limited);
    try {
      expect(await partitions()).toEqual([...AHEAD, 'default']);
      expect((await app.as('manager').post('/suppliers', { name: 'One' })).status).toBe(201);
      const { body } = await app.as('admin').get('/audit?resource=supplier');
      expect(body.data).toMatchObject([{ action: 'supplier.create', user_name: 'User manager' }]);
      expect((await app.as('manager').post('/articles', { name: 'One' })).status).toBe(201);
      const file = 'article,purchase_date\nOne,2026-01-15\n';
      expect(await endOfImport(app, 'purchases?dry_run=true', file)).toBe('checked');
      expect(await endOfImport(app, 'purchases', file)).toBe('done');
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await expect(client.query(`DELETE FROM audit_entries`)).rejects.toThrow('only ever appended to');
      for (const sql of [
        `DROP TABLE audit_entries_${AHEAD[0]}`,
        `ALTER TABLE audit_entries DISABLE TRIGGER ALL`,
        `TRUNCATE audit_entries`,
      ])
        await expect(client.query(sql)).rejects.toThrow(/must be owner|permission denied/);
      // What makes partitions runs as the owner: it must not read a table of the caller's in place of the log.
      await database.query(`DROP TABLE audit_entries_${AHEAD[3]}`);
      await client.query(`
        CREATE FUNCTION pg_temp.own() RETURNS timestamptz LANGUAGE plpgsql AS
        $$ BEGIN EXECUTE 'ALTER TABLE public.audit_entries DISABLE TRIGGER ALL'; RETURN now(); END $$`);
      await client.query(`CREATE TEMPORARY VIEW audit_entries_default AS SELECT pg_temp.own() AS at`);
      await client.query(`SELECT make_audit_partitions()`);
      expect(await partitions()).toEqual([...AHEAD, 'default']);
      await expect(client.query(`DELETE FROM audit_entries`)).rejects.toThrow('only ever appended to');
      await client.end();
    } finally {
      await app.stop();
      await database.query(`DROP OWNED BY ${role}`);
      await database.query(`DROP ROLE ${role}`);
    }
  });
});
