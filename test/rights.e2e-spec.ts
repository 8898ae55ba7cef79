import fc from 'fast-check';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

/** Roles beside those of the first migration. */
const OWN_ROLES = {
  clerk: ['users.manage'],
  auditor: ['audit.view'],
  buyer: ['purchases.view', 'purchases.create'],
  nothing: [],
};

type Person = Client & { userId: number };

let t: TestApp;
let admin: Client;
/** May manage users, and nothing else. */
let clerk: Person;
/** May manage users, and what operators may. */
let deputy: Person;
const permissions: Record<string, string[]> = {};
const roleIds: Record<string, number> = {};
let count = 0;

beforeAll(async () => {
  t = await startApp();
  admin = t.as('admin');
  for (const [name, own] of Object.entries(OWN_ROLES)) {
    const { status } = await admin.post('/roles', { name, permissions: own });
    expect(status).toBe(201);
  }
  for (const role of (await admin.get('/roles?per_page=200')).body.data) {
    permissions[role.name] = role.permissions;
    roleIds[role.name] = role.id;
  }
  clerk = await t.asNewUser('clerk', 'clerk');
  deputy = await t.asNewUser('deputy', 'clerk', 'operator');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

const person = (...roles: string[]): Promise<Person> => t.asNewUser(`person${++count}`, ...roles);
const newUser = (roles: string[]) => ({
  name: 'New',
  login: `new${++count}`,
  email: `new${count}@test.example`,
  password: 'ten terns over the tide',
  roles,
});
const newRole = (...own: string[]) => ({ name: `role ${++count}`, permissions: own });
const userRow = async (id: number) => (await admin.get(`/users/${id}`)).body;
const outcome = ({ status, body }: Answer) => [status, body.type ?? null];
const FORBIDDEN = [403, '/problems/forbidden'];

/** The newest entries of refusals of rights in the audit log. */
const refusals = async (client: Person) =>
  (await admin.get(`/audit?action=forbidden&user_id=${client.userId}`)).body.data;

const allOf = (roles: string[]) => new Set(roles.flatMap((name) => permissions[name]!));
const mayTouch = (caller: string[], stake: string[]) => {
  const has = allOf(caller);
  return has.has('users.manage') && stake.every((permission) => has.has(permission));
};

describe('reliability-39-rights: nobody gives what he does not have', () => {
  it('who manages users cannot make himself an administrator, nor anybody else', async () => {
    for (const id of [clerk.userId, (await person('viewer')).userId, (await person()).userId]) {
      const before = await userRow(id);
      const { status, body } = await clerk.patch(`/users/${id}`, { roles: ['admin'] });
      expect([status, body.type, body.detail]).toEqual([
        ...FORBIDDEN,
        expect.stringMatching(/^This needs permissions that you do not have: articles\.create, [^:]+\.$/),
      ]);
      expect(await userRow(id)).toEqual(before);
    }
    expect(outcome(await clerk.post('/users', newUser(['admin'])))).toEqual(FORBIDDEN);
    expect(outcome(await clerk.post('/roles', newRole('users.manage', 'audit.view')))).toEqual(FORBIDDEN);
    expect(outcome(await clerk.patch(`/roles/${roleIds.clerk}`, newRole('audit.view')))).toEqual(FORBIDDEN);
  });

  it.each([
    ['password', { password: 'ten terns over the tide' }],
    ['name', { name: 'Somebody else' }],
    ['login', { login: 'somebody-else' }],
    ['e-mail', { email: 'somebody@else.example' }],
    ['state', { is_active: false }],
    ['roles, all of them taken', { roles: [] }],
    ['roles, as they are', { roles: ['admin'] }],
  ])('nor change an administrator: %s', async (_, change) => {
    const target = await person('admin');
    const before = await userRow(target.userId);
    expect(outcome(await clerk.patch(`/users/${target.userId}`, change))).toEqual(FORBIDDEN);
    expect(await userRow(target.userId)).toEqual(before);
    expect((await target.get('/me')).status).toBe(200);
  });

  it('nor enable one who is disabled', async () => {
    const target = await person('admin');
    await admin.patch(`/users/${target.userId}`, { is_active: false });
    expect(outcome(await clerk.patch(`/users/${target.userId}`, { is_active: true }))).toEqual(FORBIDDEN);
  });

  it('what he has, he gives and takes; and his own account is his', async () => {
    expect((await deputy.post('/users', newUser(['operator', 'clerk']))).status).toBe(201);
    const { userId } = await person('operator');
    const changes = { name: 'N', password: 'ten terns over the tide', is_active: true, roles: ['viewer'] };
    expect((await deputy.patch(`/users/${userId}`, changes)).status).toBe(200);
    const role = await deputy.post('/roles', newRole('inventories.scan', 'users.manage'));
    expect(role.status).toBe(201);
    const changed = await deputy.patch(`/roles/${role.body.id}`, newRole('tiers.view'));
    expect(changed.status).toBe(200);
    const own = await person('clerk', 'viewer');
    expect((await own.patch(`/users/${own.userId}`, { name: 'Me', roles: ['clerk'] })).status).toBe(200);
    expect(outcome(await own.patch(`/users/${own.userId}`, { roles: ['clerk', 'viewer'] }))).toEqual(
      FORBIDDEN,
    );
  });

  it.each([
    ['renamed', { name: 'emperor' }],
    ['described', { description: 'x' }],
    ['emptied', { permissions: [] }],
    ['given one that he has', { permissions: ['users.manage', 'audit.view'] }],
  ])('a role with a permission that he lacks stays as it is: %s', async (_, change) => {
    const before = (await admin.get(`/roles/${roleIds.auditor}`)).body;
    expect(outcome(await clerk.patch(`/roles/${roleIds.auditor}`, change))).toEqual(FORBIDDEN);
    expect((await admin.get(`/roles/${roleIds.auditor}`)).body).toEqual(before);
  });

  const names = ['viewer', 'operator', 'manager', 'admin', ...Object.keys(OWN_ROLES)];
  const some = fc.subarray(names, { maxLength: 3 });

  it('of users: exactly who has what they have and what they are to have', async () => {
    const change = fc.oneof(
      fc.constantFrom<object>({ name: 'Changed' }, { is_active: true }, { is_active: false }),
      some.map((roles) => ({ roles })),
      fc.record({ name: fc.constant('Changed'), roles: some }),
    );
    const seen = { 200: 0, 201: 0, 403: 0 };
    const property = fc.asyncProperty(some, some, change, async (callers, targets, changes) => {
      const caller = await person('clerk', ...callers);
      const target = await person(...targets);
      const given = 'roles' in changes ? changes.roles : [];
      const isAllowed = mayTouch(['clerk', ...callers], [...allOf([...targets, ...given])]);
      const before = await userRow(target.userId);
      const { status } = await caller.patch(`/users/${target.userId}`, changes);
      const after = await userRow(target.userId);
      const expected = { ...before, ...changes, ...('roles' in changes && { roles: [...given].sort() }) };
      expect([status, { ...after, updated_at: null }]).toEqual(
        isAllowed ? [200, { ...expected, updated_at: null }] : [403, { ...before, updated_at: null }],
      );
      seen[status as 200]++;
    });
    await fc.assert(property, { numRuns: 40 });
    for (const roles of names) {
      const isAllowed = mayTouch(['clerk', 'operator'], [...allOf([roles])]);
      const { status } = await deputy.post('/users', newUser([roles]));
      expect([roles, status]).toEqual([roles, isAllowed ? 201 : 403]);
      seen[status as 201]++;
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('of roles: exactly who has what they allow and what they are to allow', async () => {
    const own = fc.subarray(permissions.admin!, { maxLength: 4 });
    const seen = { 200: 0, 201: 0, 403: 0 };
    const property = fc.asyncProperty(
      some,
      own,
      fc.option(own, { nil: undefined }),
      async (callers, old, next) => {
        const caller = await person('clerk', ...callers);
        const created = await caller.post('/roles', newRole(...old));
        expect(created.status).toBe(mayTouch(['clerk', ...callers], old) ? 201 : 403);
        seen[created.status as 201]++;
        const role = created.status === 201 ? created : await admin.post('/roles', newRole(...old));
        const body = { description: 'Changed', ...(next && { permissions: next }) };
        const { status } = await caller.patch(`/roles/${role.body.id}`, body);
        const isAllowed = mayTouch(['clerk', ...callers], [...old, ...(next ?? [])]);
        const after = (await admin.get(`/roles/${role.body.id}`)).body;
        const expected = isAllowed
          ? [200, 'Changed', [...(next ?? old)].sort()]
          : [403, null, [...old].sort()];
        expect([status, after.description, after.permissions]).toEqual(expected);
        seen[status as 200]++;
      },
    );
    await fc.assert(property, { numRuns: 30 });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('a body that is wrong → 422, no such row → 404, then 403, and only then what was seen and the rest of 422', async () => {
    const { userId } = await person('admin');
    const stale = { 'if-match': '"0-0"' };
    const send = (id: number, body: object) => clerk.send('PATCH', `/users/${id}`, body, stale);
    expect((await send(userId, { name: '' })).status).toBe(422);
    expect((await send(2_147_483_647, { name: 'X' })).status).toBe(404);
    expect((await send(userId, { name: 'X', roles: ['no such role'] })).status).toBe(403);
    expect((await send(userId, { login: 'viewer' })).status).toBe(403);
    const other = await person();
    expect((await send(other.userId, { roles: ['no such role'] })).status).toBe(412);
    expect((await clerk.patch(`/users/${other.userId}`, { roles: ['no such role'] })).status).toBe(422);
    expect((await clerk.post('/roles', newRole('no.such'))).status).toBe(422);
    expect((await clerk.send('PATCH', `/roles/${roleIds.admin}`, { name: 'X' }, stale)).status).toBe(403);
    expect((await clerk.patch('/roles/2147483647', { name: 'X' })).status).toBe(404);
    // Nothing is changed by a PATCH without a field, whoever sends it.
    expect((await clerk.patch(`/users/${userId}`, {})).status).toBe(200);
    expect((await clerk.patch(`/roles/${roleIds.admin}`, {})).status).toBe(200);
  });

  it('each refusal is an entry of the audit log, though its transaction is rolled back', async () => {
    const caller = await person('clerk');
    const target = await person('auditor');
    const body = { password: 'ten terns over the tide', roles: ['buyer'] };
    const id = { 'X-Request-Id': 'rights-403' };
    expect((await caller.send('PATCH', `/users/${target.userId}`, body, id)).status).toBe(403);
    expect((await caller.patch(`/roles/${roleIds.buyer}`, { name: 'X' })).status).toBe(403);
    expect((await caller.post('/roles', newRole('audit.view'))).status).toBe(403);
    const forbidden = { action: 'forbidden', user_id: caller.userId, address: '127.0.0.1', before: null };
    const buyer = ['purchases.create', 'purchases.view'];
    expect(await refusals(caller)).toMatchObject([
      { ...forbidden, resource: 'role', resource_id: null, after: { permissions: ['audit.view'] } },
      { ...forbidden, resource: 'role', resource_id: roleIds.buyer, after: { permissions: buyer } },
      {
        ...forbidden,
        request_id: 'rights-403',
        resource: 'user',
        resource_id: target.userId,
        after: { permissions: ['audit.view', ...buyer] },
      },
    ]);
  });

  it('past one a second they are answered 429, which is no entry', async () => {
    const limited = await startApp({ TOKEN_RATE_LIMIT: '100' }, t.database);
    const caller = await limited.asNewUser(`person${++count}`, 'clerk');
    const answers: Answer[] = [];
    for (let tries = 0; tries < 25; tries++) answers.push(await caller.post('/roles', newRole('audit.view')));
    const refused = answers.filter(({ status }) => status === 403).length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
    expect(await refusals(caller)).toHaveLength(refused);
    await limited.stop();
  });
});

describe('reliability-39-rights-in-races: what is at stake is judged as it is then', () => {
  /** Lets a request wait for a change of users and roles, that is made meanwhile. */
  async function during(change: [sql: string, ...values: unknown[]], request: () => Promise<Answer>) {
    const other = await begin(t.database);
    await other.query(`SELECT FROM permissions WHERE name = 'users.manage' FOR NO KEY UPDATE`);
    const answer = request();
    await blocked(t.database);
    const [sql, ...values] = change;
    await other.query(sql, values);
    await other.end('COMMIT');
    return outcome(await answer);
  }

  it('a role that gains a permission while it is given', async () => {
    const role = (await deputy.post('/roles', newRole('tiers.view'))).body;
    const gain = `INSERT INTO role_permissions (role_id, permission) VALUES ($1, $2)`;
    const request = () => deputy.post('/users', newUser([role.name]));
    expect(await during([gain, role.id, 'audit.view'], request)).toEqual(FORBIDDEN);
    const { userId } = await person();
    const again = () => deputy.patch(`/users/${userId}`, { roles: [role.name] });
    expect(await during([gain, role.id, 'imports.run'], again)).toEqual(FORBIDDEN);
  });

  it('a user who gets a role while he is changed', async () => {
    const { userId } = await person('viewer');
    const gain = `INSERT INTO user_roles (user_id, role_id) VALUES ($1, $2)`;
    const request = () => deputy.patch(`/users/${userId}`, { name: 'X' });
    expect(await during([gain, userId, roleIds.admin], request)).toEqual(FORBIDDEN);
  });

  it.each([
    ['loses a role', `DELETE FROM user_roles WHERE user_id = $1`],
    ['is disabled', `UPDATE users SET is_active = false WHERE id = $1`],
  ])('a caller who %s while he waits', async (_, sql) => {
    const target = await person();
    const requests: ((caller: Person) => Promise<Answer>)[] = [
      (caller) => caller.patch(`/users/${target.userId}`, { name: 'X' }),
      (caller) => caller.post('/users', newUser([])),
      (caller) => caller.post('/roles', newRole()),
      (caller) => caller.patch(`/roles/${roleIds.nothing}`, { description: 'X' }),
    ];
    for (const request of requests) {
      const caller = await person('clerk', 'operator');
      expect(await during([sql, caller.userId], () => request(caller))).toEqual(FORBIDDEN);
      expect((await refusals(caller))[0].after.permissions).toContain('users.manage');
    }
  });

  it('two who give and gain at once: nobody gets what the giver has not', async () => {
    for (let round = 0; round < 10; round++) {
      const role = (await admin.post('/roles', newRole('tiers.view'))).body;
      const { userId } = await person();
      const [gained, given] = await Promise.all([
        admin.patch(`/roles/${role.id}`, { permissions: ['tiers.view', 'audit.view'] }),
        deputy.patch(`/users/${userId}`, { roles: [role.name] }),
      ]);
      expect(gained.status).toBe(200);
      expect([200, 403]).toContain(given.status);
      expect((await userRow(userId)).roles).toEqual(given.status === 200 ? [role.name] : []);
    }
  });
});
