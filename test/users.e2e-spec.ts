import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';

const GOOD_PASSWORD = 'ten terns over the tide';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let test: TestApp;
let admin: Client;

beforeAll(async () => {
  test = await startApp();
  admin = test.as('admin');
});
afterAll(() => test.stop());

const userNamed = (login: string, changes: object = {}) => ({
  name: `User ${login}`,
  login,
  email: `${login}@test.example`,
  password: GOOD_PASSWORD,
  roles: ['viewer'],
  ...changes,
});
const create = async (login: string, changes: object = {}): Promise<number> =>
  (await admin.post('/users', userNamed(login, changes))).body.id;
const login = (name: string, password = GOOD_PASSWORD) =>
  test.anonymous.post('/login', { login: name, password });
const fieldsOf = ({ status, body }: Answer) => [status, ...Object.keys(body.errors ?? {}).sort()];
const names = ({ body }: Answer): string[] => body.data.map((row: { name: string }) => row.name);

/** All rows of a list, page after page by cursor. */
async function walk(path: string): Promise<{ id: number; name: string }[]> {
  const rows: { id: number; name: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await admin.get(`${path}&cursor=${cursor}`);
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return rows;
}

describe('POST /users', () => {
  it('creates a user who can log in', async () => {
    const answer = await admin.post('/users', userNamed('newcomer', { roles: ['operator', 'viewer'] }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/v1/users/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'User newcomer',
      login: 'newcomer',
      email: 'newcomer@test.example',
      roles: ['operator', 'viewer'],
      is_active: true,
      created_at: INSTANT,
      updated_at: INSTANT,
    });
    expect((await admin.get(`/users/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await login('newcomer')).status).toBe(200);
  });

  it('trims texts, and not the password', async () => {
    const answer = await admin.post(
      '/users',
      userNamed('x', {
        name: ' Ann ',
        login: ' ann ',
        email: ' ann@test.example ',
        password: `  ${PASSWORD}`,
      }),
    );
    expect(answer.body).toMatchObject({ name: 'Ann', login: 'ann', email: 'ann@test.example' });
    expect((await login('ann', PASSWORD)).status).toBe(401);
    expect((await login('ann', `  ${PASSWORD}`)).status).toBe(200);
  });

  it('a user may have no role at all, and may begin disabled', async () => {
    const { status, body } = await admin.post('/users', userNamed('idle', { roles: [], is_active: false }));
    expect(status).toBe(201);
    expect(body).toMatchObject({ roles: [], is_active: false });
    expect((await login('idle')).status).toBe(401);
  });

  it('takes the longest values', async () => {
    const changes = { name: 'é'.repeat(255), login: 'l'.repeat(100), email: `${'e'.repeat(64)}@a.example` };
    const { status, body } = await admin.post('/users', userNamed('x', changes));
    expect(status).toBe(201);
    expect(body).toMatchObject(changes);
  });

  it('an empty body → 422 on every required field', async () => {
    expect(fieldsOf(await admin.post('/users', {}))).toEqual([
      422,
      'email',
      'login',
      'name',
      'password',
      'roles',
    ]);
  });
});

describe('A list with a bad item', () => {
  it.each([
    ['roles', ['viewer', 'janitor', 'baker'], 'has items that do not exist: janitor, baker'],
    ['roles', ['viewer', 'viewer'], 'has an item twice: viewer'],
    ['roles', ['viewer', 5], 'has an item that is no string of 1 to 60 characters, number 2'],
    ['roles', 'viewer', 'must be a list of at most 100 strings'],
  ])('names it: %s %j', async (field, value, message) => {
    const { status, body } = await admin.post('/users', userNamed('listed', { [field]: value }));
    expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
  });

  it('names it among permissions too', async () => {
    const permissions = ['articles.view', 'articles.burn'];
    const { status, body } = await admin.post('/roles', { name: 'arsonist', permissions });
    expect([status, body.errors]).toEqual([
      422,
      { permissions: ['has items that do not exist: articles.burn'] },
    ]);
  });
});

const wrong: [string, string, unknown][] = [
  ['name', 'empty', ' '],
  ['name', 'null', null],
  ['name', 'of 256 characters', 'x'.repeat(256)],
  ['name', 'a number', 5],
  ['name', 'with NUL', 'a\0b'],
  ['name', 'with a lone surrogate', 'a\ud800'],
  ['login', 'empty', ''],
  ['login', 'null', null],
  ['login', 'of 101 characters', 'x'.repeat(101)],
  ['login', 'with @', 'a@b.example'],
  ['login', 'with a full-width @, which folds to @', 'viewer＠test.example'],
  ['login', 'with white space', 'a b'],
  ['login', 'taken', 'viewer'],
  ['login', 'taken in other case', 'VIEWER'],
  ['email', 'empty', ''],
  ['email', 'null', null],
  ['email', 'no address', 'viewer'],
  [
    'email',
    'of 255 characters',
    `${'e'.repeat(60)}@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(64)}.example`,
  ],
  ['email', 'taken', 'viewer@test.example'],
  ['email', 'taken in other case', 'Viewer@TEST.Example'],
  ['password', 'of 7 characters', 'seven 7'],
  ['password', 'of 257 characters', 'x'.repeat(257)],
  ['password', 'null', null],
  ['password', 'common', 'password1'],
  ['password', 'a list', [GOOD_PASSWORD]],
  ['roles', 'null', null],
  ['roles', 'a string', 'viewer'],
  ['roles', 'an object', { 0: 'viewer' }],
  ['roles', 'unknown', ['viewer', 'emperor']],
  ['roles', 'in other case', ['Viewer']],
  ['roles', 'repeated', ['viewer', 'viewer']],
  ['roles', 'ids', [1]],
  ['roles', 'with NUL', ['viewer\0']],
  ['roles', 'of 101 names', Array.from({ length: 101 }, (_, at) => `role ${at}`)],
  ['is_active', 'null', null],
  ['is_active', 'a string', 'true'],
  ['is_active', 'a number', 1],
  ['id', 'unknown here', 1],
  ['created_at', 'unknown here', '2026-01-01T00:00:00Z'],
  ['password_hash', 'unknown here', 'x'],
];

describe('422 on the field', () => {
  let id: number;
  beforeAll(async () => {
    id = await create('target');
  });

  it.each(wrong)('%s %s', async (field, _, value) => {
    const before = (await admin.get(`/users/${id}`)).body;
    const total = (await admin.get('/users')).body.meta.total;
    expect(fieldsOf(await admin.post('/users', userNamed('wrong', { [field]: value })))).toEqual([
      422,
      field,
    ]);
    expect(fieldsOf(await admin.patch(`/users/${id}`, { name: 'Changed', [field]: value }))).toEqual([
      422,
      field,
    ]);
    expect((await admin.get(`/users/${id}`)).body).toEqual(before);
    expect((await admin.get('/users')).body.meta.total).toBe(total);
  });

  it('several wrong fields are all named', async () => {
    const answer = await admin.patch(`/users/${id}`, { name: '', email: 'x', is_active: 'no', age: 3 });
    expect(fieldsOf(answer)).toEqual([422, 'age', 'email', 'is_active', 'name']);
  });

  it('the same login created ten times at once → one 201, nine 422', async () => {
    const racers = Array.from({ length: 10 }, (_, at) =>
      admin.post('/users', userNamed('racer', { email: `racer${at}@test.example` })),
    );
    const statuses = (await Promise.all(racers)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(422)]);
  });
});

describe('GET /users', () => {
  beforeAll(async () => {
    for (const [login, name] of [
      ['zz-elodie', 'Élodie Zéphyr'],
      ['zz-ansel', 'ansel Zephyr'],
      ['zz-bob', 'Bob 100% Zephyr'],
      ['zz-off', 'Zephyr_off'],
    ] as const) {
      await create(login, { name, is_active: login !== 'zz-off' });
    }
  });

  it('lists users in the order of their ids', async () => {
    const { status, body } = await admin.get('/users?per_page=2');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    expect(body.meta).toEqual({
      current_page: 1,
      per_page: 2,
      total: expect.any(Number),
      last_page: Math.ceil(body.meta.total / 2),
      next_cursor: expect.any(String),
    });
    expect(body.data[0].id).toBeLessThan(body.data[1].id);
    expect(body.data[0]).toEqual((await admin.get(`/users/${body.data[0].id}`)).body);
  });

  it.each([
    ['ZEPHYR', 4],
    ['zéphyr', 4],
    ['elodie', 1],
    ['zz-', 4],
    ['ZZ-BOB@test', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 1],
    ['\\', 0],
    ['nobody of that name', 0],
    ["' OR 1=1 --", 0],
  ])('search=%s finds %i', async (search, total) => {
    const { status, body } = await admin.get(`/users?search=${encodeURIComponent(search)}`);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(total);
    expect(body.data).toHaveLength(total);
  });

  it('an empty search finds all', async () => {
    const all = (await admin.get('/users')).body.meta.total;
    expect((await admin.get('/users?search=')).body.meta.total).toBe(all);
  });

  it.each(['false', '0'])('is_active=%s', async (value) => {
    expect(names(await admin.get(`/users?search=zephyr&is_active=${value}`))).toEqual(['Zephyr_off']);
  });

  it.each(['true', '1'])('is_active=%s', async (value) => {
    expect((await admin.get(`/users?search=zephyr&is_active=${value}`)).body.meta.total).toBe(3);
  });

  it.each(['id', '-id', 'name', '-name', 'created_at', '-created_at'])(
    'sort=%s: pages and cursors give the same rows, each once',
    async (sort) => {
      const all = (await admin.get(`/users?per_page=200&sort=${sort}`)).body.data;
      const ids = (rows: { id: number }[]) => rows.map((row) => row.id);
      expect(ids(await walk(`/users?per_page=3&sort=${sort}`))).toEqual(ids(all));
      const second = (await admin.get(`/users?per_page=3&page=2&sort=${sort}`)).body.data;
      expect(ids(second)).toEqual(ids(all.slice(3, 6)));
    },
  );

  it('sort=name goes by the alphabet of people, as in every list: case and accents come last', async () => {
    expect(names(await admin.get('/users?search=zephyr&sort=name'))).toEqual([
      'ansel Zephyr',
      'Bob 100% Zephyr',
      'Élodie Zéphyr',
      'Zephyr_off',
    ]);
  });

  it.each(['login', 'email', 'password_hash', 'name,id', '', '--id'])('sort=%s → 422', async (sort) => {
    expect(fieldsOf(await admin.get(`/users?sort=${sort}`))).toEqual([422, 'sort']);
  });

  it('a page beyond the last is empty', async () => {
    const { status, body } = await admin.get('/users?page=1000');
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.meta.next_cursor).toBeNull();
  });
});

describe('GET /users/{id}', () => {
  it('an unknown one → 404', async () => {
    expect((await admin.get('/users/2147483647')).status).toBe(404);
  });
});

describe('PATCH /users/{id}', () => {
  it('changes what it is given, and nothing else', async () => {
    const id = await create('patched');
    const before = (await admin.get(`/users/${id}`)).body;
    const { status, body } = await admin.patch(`/users/${id}`, { name: 'Renamed' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Renamed', updated_at: INSTANT });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect((await login('patched')).status).toBe(200);
  });

  it('with no field, or with no body, changes nothing, updated_at included', async () => {
    const id = await create('still');
    const before = (await admin.get(`/users/${id}`)).body;
    expect(await admin.patch(`/users/${id}`, {})).toMatchObject({ status: 200, body: before });
    expect(await admin.patch(`/users/${id}`)).toMatchObject({ status: 200, body: before });
    expect((await admin.get(`/users/${id}`)).body).toEqual(before);
  });

  it('of the roles moves updated_at too', async () => {
    const id = await create('moved');
    const before = (await admin.get(`/users/${id}`)).body;
    const { body } = await admin.patch(`/users/${id}`, { roles: ['manager', 'operator'] });
    expect(body.roles).toEqual(['manager', 'operator']);
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  it('one may keep the own login and e-mail, in other case too', async () => {
    const id = await create('keeper');
    const { status, body } = await admin.patch(`/users/${id}`, {
      login: 'Keeper',
      email: 'KEEPER@test.example',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ login: 'Keeper', email: 'KEEPER@test.example' });
    expect((await login('keeper')).status).toBe(200);
  });

  it('a new login counts, the old one does not', async () => {
    const id = await create('before');
    await admin.patch(`/users/${id}`, { login: 'after', email: 'after@test.example' });
    expect((await login('before')).status).toBe(401);
    expect((await login('before@test.example')).status).toBe(401);
    expect((await login('after')).status).toBe(200);
  });

  it('a new password counts, and the tokens are revoked', async () => {
    const phone = await test.asNewUser('forgetful', 'viewer');
    await admin.patch(`/users/${phone.userId}`, { password: GOOD_PASSWORD });
    expect((await phone.get('/me')).status).toBe(401);
    expect((await login('forgetful', PASSWORD)).status).toBe(401);
    expect((await login('forgetful')).status).toBe(200);
  });

  it('a disabled user loses the tokens and cannot log in; enabled again one can', async () => {
    const phone = await test.asNewUser('disabled', 'viewer');
    const { status, body } = await admin.patch(`/users/${phone.userId}`, { is_active: false });
    expect(status).toBe(200);
    expect(body.is_active).toBe(false);
    expect((await phone.get('/me')).status).toBe(401);
    expect((await login('disabled', PASSWORD)).status).toBe(401);
    await admin.patch(`/users/${phone.userId}`, { is_active: true });
    expect((await phone.get('/me')).status).toBe(401);
    expect((await login('disabled', PASSWORD)).status).toBe(200);
  });

  it('an unknown user → 404, and 422 goes before it', async () => {
    expect((await admin.patch('/users/2147483647', { name: 'X' })).status).toBe(404);
    expect((await admin.patch('/users/2147483647', {})).status).toBe(404);
    expect(fieldsOf(await admin.patch('/users/2147483647', { name: '' }))).toEqual([422, 'name']);
  });

  it('users are never deleted', async () => {
    const { status, headers } = await admin.delete(`/users/${await create('lasting')}`);
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, PATCH');
  });
});

describe('/roles', () => {
  it('the four roles are there from the start, with their permissions', async () => {
    const { status, body } = await admin.get('/roles');
    expect(status).toBe(200);
    expect(body.data.map((role: { name: string }) => role.name)).toEqual([
      'viewer',
      'operator',
      'manager',
      'admin',
    ]);
    expect(body.data[1]).toEqual({
      id: expect.any(Number),
      name: 'operator',
      description: expect.any(String),
      permissions: expect.arrayContaining(['inventories.scan', 'articles.view']),
      created_at: INSTANT,
      updated_at: INSTANT,
    });
    expect((await admin.get(`/roles/${body.data[1].id}`)).body).toEqual(body.data[1]);
  });

  it('a role of the own making works', async () => {
    const answer = await admin.post('/roles', {
      name: ' auditor ',
      permissions: ['audit.view', 'articles.view'],
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/v1/roles/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      name: 'auditor',
      description: null,
      permissions: ['articles.view', 'audit.view'],
    });
    const auditor = await test.asNewUser('auditor', 'auditor');
    expect((await auditor.get('/articles')).status).toBe(200);
    expect((await auditor.get('/purchases')).status).toBe(403);
    await admin.patch(`/roles/${answer.body.id}`, { permissions: ['purchases.view'] });
    expect((await auditor.get('/articles')).status).toBe(403);
    expect((await auditor.get('/purchases')).status).toBe(200);
    expect((await auditor.get('/me')).body).toMatchObject({
      roles: ['auditor'],
      permissions: ['purchases.view'],
    });
  });

  it('a renamed role stays with its users', async () => {
    const { id } = (await admin.post('/roles', { name: 'old name', permissions: ['tiers.view'] })).body;
    const user = await test.asNewUser('renamed-role', 'old name');
    const { body } = await admin.patch(`/roles/${id}`, {
      name: 'new name',
      description: 'Reads third parties',
    });
    expect(body).toMatchObject({
      name: 'new name',
      description: 'Reads third parties',
      permissions: ['tiers.view'],
    });
    expect((await user.get('/me')).body.roles).toEqual(['new name']);
  });

  it('null or an empty text clears the description', async () => {
    const role = { name: 'described', description: 'For now', permissions: [] };
    const { id } = (await admin.post('/roles', role)).body;
    expect((await admin.patch(`/roles/${id}`, { description: null })).body.description).toBeNull();
    await admin.patch(`/roles/${id}`, { description: 'Again' });
    expect((await admin.patch(`/roles/${id}`, { description: ' ' })).body.description).toBeNull();
  });

  it('a PATCH with no field changes nothing, updated_at included; one of the permissions moves it', async () => {
    const { body } = await admin.post('/roles', { name: 'resting', permissions: ['tiers.view'] });
    expect(await admin.patch(`/roles/${body.id}`, {})).toMatchObject({ status: 200, body });
    expect((await admin.get(`/roles/${body.id}`)).body).toEqual(body);
    const changed = (await admin.patch(`/roles/${body.id}`, { permissions: [] })).body;
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(body.updated_at));
  });

  it.each<[string, string, unknown]>([
    ['name', 'empty', ''],
    ['name', 'null', null],
    ['name', 'of 61 characters', 'x'.repeat(61)],
    ['name', 'taken', 'viewer'],
    ['description', 'of 256 characters', 'x'.repeat(256)],
    ['description', 'a number', 1],
    ['permissions', 'null', null],
    ['permissions', 'a string', 'articles.view'],
    ['permissions', 'unknown', ['articles.view', 'articles.burn']],
    ['permissions', 'a wildcard', ['*']],
    ['permissions', 'repeated', ['articles.view', 'articles.view']],
    ['permissions', 'numbers', [1]],
    ['id', 'unknown here', 1],
  ])('422: %s %s', async (field, _, value) => {
    const body = { name: 'wrong', permissions: [], [field]: value };
    expect(fieldsOf(await admin.post('/roles', body))).toEqual([422, field]);
    const { id } = (await admin.get('/roles?sort=-id')).body.data[0];
    const before = (await admin.get(`/roles/${id}`)).body;
    expect(fieldsOf(await admin.patch(`/roles/${id}`, { [field]: value }))).toEqual([422, field]);
    expect((await admin.get(`/roles/${id}`)).body).toEqual(before);
  });

  it('required fields are all named', async () => {
    expect(fieldsOf(await admin.post('/roles', {}))).toEqual([422, 'name', 'permissions']);
  });

  it('an unknown one → 404, and roles are never deleted', async () => {
    expect((await admin.get('/roles/2147483647')).status).toBe(404);
    expect((await admin.patch('/roles/2147483647', {})).status).toBe(404);
    expect((await admin.delete('/roles/1')).status).toBe(405);
  });

  it.each(['id', '-id', 'name', '-name'])('sort=%s, by cursor too', async (sort) => {
    const all = (await admin.get(`/roles?sort=${sort}`)).body.data;
    expect(await walk(`/roles?per_page=2&sort=${sort}`)).toEqual(all);
  });

  it('neither search nor another order', async () => {
    expect(fieldsOf(await admin.get('/roles?search=a'))).toEqual([422, 'search']);
    expect(fieldsOf(await admin.get('/roles?sort=created_at'))).toEqual([422, 'sort']);
  });
});

describe('The last active admin', () => {
  let lone: TestApp;
  let one: Client & { userId: number };
  let two: Client & { userId: number };
  const adminRole = async (client: Client) =>
    (await client.get('/roles')).body.data.find((role: { name: string }) => role.name === 'admin')
      .id as number;

  beforeEach(async () => {
    lone = await startApp();
    one = await lone.asNewUser('admin');
    two = await lone.asNewUser('two', 'admin');
    await one.patch(`/users/${two.userId}`, { is_active: false });
  });
  afterEach(() => lone.stop());

  it.each([
    ['disabled', { is_active: false }, 'is_active'],
    ['demoted', { roles: ['manager'] }, 'roles'],
    ['left without a role', { roles: [] }, 'roles'],
  ])('cannot be %s, not even by oneself', async (_, change, field) => {
    const before = (await one.get(`/users/${one.userId}`)).body;
    expect(fieldsOf(await one.patch(`/users/${one.userId}`, { name: 'X', ...change }))).toEqual([422, field]);
    expect((await one.get(`/users/${one.userId}`)).body).toEqual(before);
  });

  it('may be given another role that manages users, and then the admin role may go', async () => {
    const id = await adminRole(one);
    const { permissions } = (await one.get(`/roles/${id}`)).body;
    await one.post('/roles', { name: 'boss', permissions });
    expect((await one.patch(`/users/${one.userId}`, { roles: ['boss'] })).status).toBe(200);
    expect((await one.patch(`/roles/${id}`, { permissions: [] })).status).toBe(200);
  });

  it('the permission cannot be taken from the role', async () => {
    const id = await adminRole(one);
    const before = (await one.get(`/roles/${id}`)).body;
    expect(fieldsOf(await one.patch(`/roles/${id}`, { permissions: ['audit.view'] }))).toEqual([
      422,
      'permissions',
    ]);
    expect((await one.get(`/roles/${id}`)).body).toEqual(before);
    expect((await one.get('/users')).status).toBe(200);
  });

  it.each([
    ['disabled', { is_active: false }, 'is_active'],
    ['demoted', { roles: ['viewer'] }, 'roles'],
  ])('cannot be %s where who else manages users could not make another', async (_, change, field) => {
    await one.post('/roles', { name: 'personnel', permissions: ['users.manage'] });
    const personnel = await lone.asNewUser('personnel', 'personnel');
    expect((await personnel.patch(`/users/${two.userId}`, { is_active: true })).status).toBe(403);
    expect(fieldsOf(await one.patch(`/users/${one.userId}`, change))).toEqual([422, field]);
    expect((await one.get('/me')).body.roles).toEqual(['admin']);
    expect((await one.patch(`/users/${personnel.userId}`, { roles: [] })).status).toBe(200);
  });

  it('keeps every permission, since what nobody has, nobody gives', async () => {
    const id = await adminRole(one);
    const { permissions } = (await one.get(`/roles/${id}`)).body;
    const fewer = permissions.filter((name: string) => name !== 'webhooks.manage');
    expect(fieldsOf(await one.patch(`/roles/${id}`, { permissions: fewer }))).toEqual([422, 'permissions']);
    await one.patch(`/users/${two.userId}`, { is_active: true, roles: ['manager'] });
    expect((await one.patch(`/users/${two.userId}`, { roles: [] })).status).toBe(200);
  });

  it('where nobody has every permission, only who manages users is kept', async () => {
    await lone.database.query(`DELETE FROM role_permissions WHERE permission = 'webhooks.manage'`);
    const id = await adminRole(one);
    const { permissions } = (await one.get(`/roles/${id}`)).body;
    const fewer = permissions.filter((name: string) => name !== 'audit.view');
    expect((await one.patch(`/roles/${id}`, { permissions: fewer })).status).toBe(200);
    expect(fieldsOf(await one.patch(`/users/${one.userId}`, { roles: [] }))).toEqual([422, 'roles']);
  });

  it('may be disabled once there is another one', async () => {
    await one.patch(`/users/${two.userId}`, { is_active: true });
    const second = await lone.asNewUser('two');
    expect((await second.patch(`/users/${one.userId}`, { is_active: false })).status).toBe(200);
    expect((await one.get('/me')).status).toBe(401);
  });

  it('two admins who disable or demote each other at the same time: one is left', async () => {
    await one.patch(`/users/${two.userId}`, { is_active: true });
    for (const change of [{ is_active: false }, { roles: [] }]) {
      const second = await lone.asNewUser('two');
      const first = await lone.asNewUser('admin');
      const answers = await Promise.all([
        first.patch(`/users/${two.userId}`, change),
        second.patch(`/users/${one.userId}`, change),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      // The slower one is too late: it is the last admin who would go, or its own token is gone already.
      expect(statuses[0]).toBe(200);
      expect([401, 403, 422]).toContain(statuses[1]);
      const left = await lone.database.query(
        `SELECT u.id FROM users u JOIN user_roles ON user_id = u.id JOIN roles r ON r.id = role_id
         WHERE r.name = 'admin' AND u.is_active`,
      );
      expect(left).toHaveLength(1);
      await lone.database.query(`UPDATE users SET is_active = true`);
      await lone.database.query(
        `INSERT INTO user_roles SELECT u.id, r.id FROM users u, roles r
         WHERE u.login IN ('admin', 'two') AND r.name = 'admin' ON CONFLICT DO NOTHING`,
      );
    }
  });
});

describe('At the same moment', () => {
  it('a password that an administrator sets is not overwritten by a change under way', async () => {
    for (const round of [1, 2, 3, 4]) {
      const name = `reset${round}`;
      const id = await create(name);
      const { token } = (await login(name)).body;
      const thief = new Client(test.url, token);
      const [change, reset] = await Promise.all([
        thief.patch('/me/password', { current_password: GOOD_PASSWORD, password: 'what the thief wants' }),
        admin.patch(`/users/${id}`, { password: 'what the admin sets' }),
      ]);
      expect(reset.status).toBe(200);
      expect([200, 401, 422]).toContain(change.status);
      expect((await login(name, 'what the thief wants')).status).toBe(401);
      expect((await login(name, 'what the admin sets')).status).toBe(200);
    }
  });

  it('roles that are created and renamed do not wait for each other in a circle', async () => {
    for (const round of [1, 2, 3]) {
      const rivals = Array.from({ length: 4 }, (_, n) => `rival${round}-${n}`);
      const made = await Promise.all(rivals.map((name) => admin.post('/roles', { name, permissions: [] })));
      const answers = await Promise.all(
        made.flatMap(({ body }) => [
          admin.post('/roles', { name: `wanted${round}`, permissions: ['users.manage', 'audit.view'] }),
          admin.patch(`/roles/${body.id}`, { name: `wanted${round}` }),
        ]),
      );
      const won = answers.filter(({ status }) => status < 300);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(7);
    }
  });
});
