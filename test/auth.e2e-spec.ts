import { jest } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { TokensService } from '../src/auth/tokens.service.js';
import { Sql } from '../src/database/sql.js';
import { PASSWORD, PASSWORD_HASH, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';
import { stopClock } from './support/clock.js';
import { until } from './support/process.js';
import { begin, rollbackAll } from './support/transactions.js';

const DAY = 86_400_000;
const REALM = 'Bearer realm="inventory"';
const INVALID = `${REALM}, error="invalid_token"`;
const NEW_PASSWORD = 'eight gannets on a rock';

let test: TestApp;
let other: TestApp;

beforeAll(async () => {
  test = await startApp();
  other = await startApp({}, test.database);
});
afterEach(rollbackAll);
afterAll(async () => {
  await other.stop();
  await test.stop();
});

const sql = (text: string, values: unknown[] = []) =>
  test.database.query<Record<string, unknown>>(text, values);
const idOf = (token: string | undefined) => Number(token?.split('|')[0]);
const secretOf = (token: string | undefined) => token?.split('|')[1] ?? '';
/** The same token on another instance. */
const elsewhere = (client: Client) => new Client(other.url, client.token);
const login = (name: string, password = PASSWORD) => test.anonymous.post('/login', { login: name, password });
const statusOf = async (client: Client, path = '/me') => (await client.get(path)).status;

/**
 * How many connections of the pool are taken, so how many times the database is asked, while `work` runs: the fewest of
 * three times, since a chore of the service may come in between.
 */
async function databaseUses(work: () => Promise<unknown>): Promise<number> {
  const { pool } = test.app.get(Sql);
  const rounds = [0, 0, 0];
  for (const round of rounds.keys()) {
    const count = () => rounds[round]!++;
    pool.on('acquire', count);
    await work();
    pool.off('acquire', count);
  }
  return Math.min(...rounds);
}

describe('POST /auth/token', () => {
  it('answers a token, the user and the end of the token', async () => {
    const { status, body, headers } = await test.anonymous.post('/auth/token', {
      email: 'operator@test.example',
      password: PASSWORD,
    });
    expect(status).toBe(200);
    expect(headers.get('location')).toBeNull();
    expect(body).toEqual({
      token: expect.any(String),
      user: { id: expect.any(Number), name: 'User operator' },
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('takes the address in any case, and white space around it', async () => {
    const { status } = await test.anonymous.post('/auth/token', {
      email: ' OPERATOR@Test.Example ',
      password: PASSWORD,
    });
    expect(status).toBe(200);
  });

  it.each([
    ['a user name instead of an address', { email: 'operator', password: PASSWORD }, 'email'],
    ['no e-mail', { password: PASSWORD }, 'email'],
    ['no password', { email: 'operator@test.example' }, 'password'],
    ['an empty password', { email: 'operator@test.example', password: '' }, 'password'],
    ['a null password', { email: 'operator@test.example', password: null }, 'password'],
    ['a number as password', { email: 'operator@test.example', password: 12345678 }, 'password'],
    ['login', { email: 'operator@test.example', password: PASSWORD, login: 'operator' }, 'login'],
    ['an object as e-mail', { email: { $ne: null }, password: PASSWORD }, 'email'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await test.anonymous.post('/auth/token', body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });
});

describe('POST /login', () => {
  it('answers the same with its type', async () => {
    const { status, body } = await login('operator');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'token', 'token_type', 'user']);
    expect(body.token_type).toBe('Bearer');
    expect(body.user).toEqual({ id: expect.any(Number), name: 'User operator' });
  });

  it.each(['operator', 'OPERATOR', ' operator ', 'operator@test.example', 'Operator@TEST.example'])(
    'takes %j',
    async (name) => {
      expect((await login(name)).body.user.name).toBe('User operator');
    },
  );

  it('does not trim passwords', async () => {
    expect((await login('operator', ` ${PASSWORD}`)).status).toBe(401);
    expect((await login('operator', `${PASSWORD} `)).status).toBe(401);
  });

  it.each([
    ['no login', { password: PASSWORD }, 'login'],
    ['an empty login', { login: '  ', password: PASSWORD }, 'login'],
    ['NUL in the login', { login: 'a\0b', password: PASSWORD }, 'login'],
    ['NUL in the password', { login: 'operator', password: 'a\0b' }, 'password'],
    ['a lone surrogate in the password', { login: 'operator', password: 'a\ud800b' }, 'password'],
    ['a password of 257 characters', { login: 'operator', password: 'x'.repeat(257) }, 'password'],
    ['email', { login: 'operator', password: PASSWORD, email: 'operator@test.example' }, 'email'],
    ['a device name of 101 characters', deviceNamed('x'.repeat(101)), 'device_name'],
    ['a number as device name', deviceNamed(1), 'device_name'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await test.anonymous.post('/login', body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('both kinds of tokens are good on the routes of both documents', async () => {
    const one = (await login('viewer')).body.token;
    const credentials = { email: 'viewer@test.example', password: PASSWORD };
    const two = (await test.anonymous.post('/auth/token', credentials)).body.token;
    for (const token of [one, two]) {
      const client = new Client(test.url, token);
      expect(await statusOf(client, '/equipments')).toBe(200);
      expect(await statusOf(client, '/purchases')).toBe(200);
    }
  });

  it('a token in the header does not matter', async () => {
    const stranger = new Client(test.url, 'nonsense');
    expect((await stranger.post('/login', { login: 'viewer', password: PASSWORD })).status).toBe(200);
  });
});

function deviceNamed(device_name: unknown) {
  return { login: 'devices', password: PASSWORD, device_name };
}

describe('device_name', () => {
  it('names the token in the list; left out, empty or null it is null', async () => {
    const first = await test.asNewUser('devices', 'viewer');
    for (const name of ['  Pixel 9 – magasin ', 'x'.repeat(100), '', null]) {
      expect((await test.anonymous.post('/login', deviceNamed(name))).status).toBe(200);
    }
    await login('devices');
    const { data } = (await first.get('/me/tokens')).body;
    const names = data.map((device: { device_name: string }) => device.device_name);
    expect(names).toEqual([null, 'Pixel 9 – magasin', 'x'.repeat(100), null, null, null]);
  });
});

describe('reliability-07-same-answer: wrong credentials', () => {
  const attempts: Record<string, [string, string]> = {
    'unknown user': ['nobody', PASSWORD],
    'wrong password': ['viewer', 'wrong password'],
    'disabled user': ['disabled', PASSWORD],
  };

  beforeAll(async () => {
    await test.asNewUser('disabled', 'viewer');
    await sql(`UPDATE users SET is_active = false WHERE login = 'disabled'`);
  });

  it('an unknown user, a wrong password and a disabled user get the same answer', async () => {
    const answers = await Promise.all(Object.values(attempts).map((attempt) => login(...attempt)));
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(REALM);
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]!.body, request_id: '' });
    }
    expect(answers[0]!.body.type).toBe('/problems/bad-credentials');
  });

  it('POST /auth/token answers the same too', async () => {
    const answers = await Promise.all(
      Object.values(attempts).map(([name, password]) =>
        test.anonymous.post('/auth/token', { email: `${name}@test.example`, password }),
      ),
    );
    const bodies = answers.map(({ status, body }) => ({ ...body, request_id: '', status }));
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
    expect(bodies[0]).toMatchObject({ status: 401, type: '/problems/bad-credentials' });
  });

  it('takes the same work for all of them, and so about the same time: one argon2 each', async () => {
    for (const attempt of Object.values(attempts)) {
      let hashed = 0;
      // The binding's work in the thread pool is the one kind of asynchronous resource without a name.
      const hook = createHook({
        init: (_, type) => void (hashed += type === 'undefined' ? 1 : 0),
      });
      hook.enable();
      await login(...attempt);
      hook.disable();
      expect(hashed).toBe(1);
    }
  });

  it('issues no token', async () => {
    const count = () => sql('SELECT count(*) FROM access_tokens');
    const before = await count();
    for (const attempt of Object.values(attempts)) await login(...attempt);
    expect(await count()).toEqual(before);
  });
});

describe('reliability-03-token-forms: a token', () => {
  it('is an id, a bar, 40 base62 characters and their CRC-32 in hex', async () => {
    const { token } = (await login('viewer')).body;
    const [, random, sum] = /^[1-9]\d*\|([0-9A-Za-z]{40})([0-9a-f]{8})$/.exec(token) ?? [];
    expect(sum).toBe(crc32(random!).toString(16).padStart(8, '0'));
  });

  it('is another one on every login', async () => {
    const tokens = await Promise.all([1, 2, 3].map(async () => (await login('viewer')).body.token));
    expect(new Set(tokens.map(secretOf)).size).toBe(3);
  });

  it('reliability-04-hashed-tokens: is in the database only as the SHA-256 of its secret', async () => {
    const { token } = (await login('viewer')).body;
    const [row] = await sql('SELECT t.secret_hash, t::text AS text FROM access_tokens t WHERE id = $1', [
      idOf(token),
    ]);
    expect(row!.secret_hash).toEqual(createHash('sha256').update(secretOf(token)).digest());
    expect(row!.text).not.toContain(secretOf(token).slice(0, 10));
  });

  it('with a wrong checksum or form is refused without the database', async () => {
    const { token } = test.as('viewer');
    const typo = token!.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const forms = [typo, token!.toUpperCase(), '1|', 'x', `99999999999|${secretOf(token)}`];
    const statuses: number[] = [];
    const uses = await databaseUses(async () => {
      for (const form of forms) statuses.push(await statusOf(new Client(test.url, form)));
    });
    expect(statuses).toEqual(Array(15).fill(401));
    expect(uses).toBe(0);
  });

  const forms = [
    '1|',
    '|x',
    'abc|x',
    '99999999999|x',
    '0|x',
    '-1|x',
    '1|x|y',
    '1',
    '|',
    'null',
    '1|%00',
    "1|' OR 1=1 --",
    '1|é',
    `1|${'x'.repeat(10_000)}`,
    `${'9'.repeat(10_000)}|x`,
  ];
  it.each(forms.map((form) => [form.slice(0, 20), form]))('%s → 401', async (_, token) => {
    const { status, headers, body } = await new Client(test.url, token).get('/me');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(INVALID);
    expect(body.type).toBe('/problems/unauthenticated');
  });

  it.each([
    ['of no row', (token: string) => `2147483647|${secretOf(token)}`],
    ['beyond the last id', (token: string) => `2147483648|${secretOf(token)}`],
    ['of another token', (token: string) => `${idOf(test.as('admin').token)}|${secretOf(token)}`],
    ['with leading zeros', (token: string) => `0${token}`],
    ['with a sign', (token: string) => `+${token}`],
  ])('a good secret with an id %s → 401', async (_, change) => {
    const { token } = test.as('viewer');
    expect(await statusOf(test.as('viewer'))).toBe(200);
    expect(await statusOf(new Client(test.url, change(token!)))).toBe(401);
  });

  it('that is remembered is not good with another secret', async () => {
    const [one, two] = [await login('viewer'), await login('viewer')].map(({ body }) => body.token);
    expect(await statusOf(new Client(test.url, one))).toBe(200);
    expect(await statusOf(new Client(test.url, `${idOf(one)}|${secretOf(two)}`))).toBe(401);
  });

  it('is checked in the database once a second at most', async () => {
    const client = await test.asNewUser('busy', 'viewer');
    const uses = await databaseUses(async () => {
      for (let request = 0; request < 10; request++) await client.get('/me');
    });
    expect(uses).toBeLessThan(4);
  });
});

describe('The Authorization header', () => {
  const me = (authorization?: string) =>
    test.anonymous.send('GET', '/me', undefined, authorization === undefined ? {} : { authorization });
  const token = () => test.as('viewer').token!;

  it('reliability-01-challenge: left out → 401 with the realm alone', async () => {
    const { status, headers, body } = await me();
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(REALM);
    expect(body.type).toBe('/problems/unauthenticated');
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('the scheme may be spelled %j', async (scheme) => {
    const { body } = await login('viewer');
    expect((await me(`${scheme} ${body.token}`)).status).toBe(200);
  });

  it.each([
    ['Basic', () => `Basic ${Buffer.from('viewer:x').toString('base64')}`],
    ['Basic with a token', () => `Basic ${token()}`],
    ['Token', () => `Token ${token()}`],
    ['no scheme', token],
    ['the scheme alone', () => 'Bearer'],
  ])(
    'reliability-02-bearer-only: %s → 401 with the realm alone, for no token was sent',
    async (_, authorization) => {
      const { status, headers } = await me(authorization());
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(REALM);
    },
  );

  it.each([
    ['two tokens', () => `Bearer ${token()} ${token()}`],
    ['two headers, joined', () => `Bearer ${token()}, Bearer ${token()}`],
    ['a comma', () => `Bearer ${token()},`],
    ['quotes', () => `Bearer "${token()}"`],
  ])('reliability-01-challenge: %s → 401 with error="invalid_token"', async (_, authorization) => {
    const { status, headers } = await me(authorization());
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(INVALID);
  });

  it('reliability-02-header-only: a token in the query, the body or a cookie → 401', async () => {
    const encoded = encodeURIComponent(token());
    expect((await test.anonymous.get(`/me?access_token=${encoded}`)).status).toBe(401);
    expect((await test.anonymous.get(`/me?token=${encoded}`)).status).toBe(401);
    expect((await test.anonymous.post('/logout', { access_token: token() })).status).toBe(401);
    expect((await test.anonymous.get('/me', { cookie: `access_token=${token()}` })).status).toBe(401);
    expect((await test.anonymous.get('/me', { 'x-access-token': token() })).status).toBe(401);
    expect(await statusOf(test.as('viewer'))).toBe(200);
  });

  it('beside a token in the query: 422, for there is no such parameter', async () => {
    const { status, body } = await test.as('viewer').get('/me?access_token=x');
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['access_token']);
  });
});

describe('POST /logout', () => {
  it('reliability-05-logout: revokes this token at once, and no other', async () => {
    const phone = await test.asNewUser('leaver', 'viewer');
    const tablet = await test.asNewUser('leaver');
    expect(await statusOf(phone)).toBe(200);
    const { status, body } = await phone.post('/logout');
    expect(status).toBe(200);
    expect(body).toEqual({ revoked: true });
    expect((await phone.get('/me')).headers.get('www-authenticate')).toBe(INVALID);
    expect(await statusOf(phone)).toBe(401);
    expect(await statusOf(tablet)).toBe(200);
    expect(await sql('SELECT deleted_at FROM access_tokens WHERE id = $1', [idOf(phone.token)])).toEqual([
      { deleted_at: expect.any(Date) },
    ]);
  });

  it('a second time → 401', async () => {
    const phone = await test.asNewUser('leaver', 'viewer');
    await phone.post('/logout');
    expect((await phone.post('/logout')).status).toBe(401);
  });

  it('many times at once, on two instances: revoked or not signed in any more, nothing else', async () => {
    const phone = await test.asNewUser('leaver', 'viewer');
    await Promise.all([phone.get('/me'), elsewhere(phone).get('/me')]);
    const clients = [phone, elsewhere(phone), phone, elsewhere(phone), phone];
    const answers = await Promise.all(clients.map((client) => client.post('/logout')));
    for (const { status } of answers) expect([200, 401]).toContain(status);
  });
});

describe('reliability-05-revocation: what counts at once here, and within a second on every other instance', () => {
  type User = Awaited<ReturnType<TestApp['asNewUser']>>;
  const cases: [string, string, string, number, (user: User) => Promise<{ status: number }>][] = [
    ['a logout', 'gone1', '/me', 401, (user) => user.post('/logout')],
    ['a revoked phone', 'gone2', '/me', 401, (user) => user.delete(`/me/tokens/${idOf(user.token)}`)],
    [
      'a disabled user',
      'gone3',
      '/me',
      401,
      (user) => test.as('admin').patch(`/users/${user.userId}`, { is_active: false }),
    ],
    [
      'a password set by an admin',
      'gone4',
      '/me',
      401,
      (user) => test.as('admin').patch(`/users/${user.userId}`, { password: NEW_PASSWORD }),
    ],
    [
      'a role taken away',
      'gone5',
      '/articles',
      403,
      (user) => test.as('admin').patch(`/users/${user.userId}`, { roles: [] }),
    ],
    [
      'a permission taken from the role',
      'gone6',
      '/articles',
      403,
      async () => {
        const [role] = await sql(`SELECT id FROM roles WHERE name = 'gone6'`);
        return test.as('admin').patch(`/roles/${role!.id}`, { permissions: [] });
      },
    ],
  ];

  it.each(cases)('%s', async (_, name, path, refused, act) => {
    await sql(`INSERT INTO roles (name) VALUES ($1)`, [name]);
    await sql(`INSERT INTO role_permissions SELECT id, 'articles.view' FROM roles WHERE name = $1`, [name]);
    const here = await test.asNewUser(name, name);
    const there = elsewhere(here);
    expect([await statusOf(here, path), await statusOf(there, path)]).toEqual([200, 200]);
    expect((await act(here)).status).toBe(200);
    expect(await statusOf(here, path)).toBe(refused);
    await sleep(1050);
    expect(await statusOf(there, path)).toBe(refused);
  });

  it('a logout, where the clock of the other instance is set back meanwhile', async () => {
    const here = await test.asNewUser('set-back', 'viewer');
    const there = elsewhere(here);
    expect(await statusOf(there)).toBe(200);
    stopClock('Date', Date.now() - 3_600_000);
    try {
      expect((await here.post('/logout')).status).toBe(200);
      await sleep(1050);
      expect(await statusOf(there)).toBe(401);
    } finally {
      jest.useRealTimers();
    }
  });

  it('a role given', async () => {
    const here = await test.asNewUser('promoted');
    expect(await statusOf(here, '/articles')).toBe(403);
    await test.as('admin').patch(`/users/${here.userId}`, { roles: ['viewer'] });
    expect(await statusOf(here, '/articles')).toBe(200);
  });

  it('an enabled user logs in again, but the old tokens stay revoked', async () => {
    const here = await test.asNewUser('returned', 'viewer');
    const admin = test.as('admin');
    await admin.patch(`/users/${here.userId}`, { is_active: false });
    await admin.patch(`/users/${here.userId}`, { is_active: true });
    expect(await statusOf(here)).toBe(401);
    expect((await login('returned')).status).toBe(200);
  });
});

describe('GET /me', () => {
  it('answers who one is, and what one may do', async () => {
    const { status, body } = await test.as('operator').get('/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'User operator',
      email: 'operator@test.example',
      roles: ['operator'],
      permissions: [
        'articles.view',
        'equipments.view',
        'inventories.scan',
        'inventories.view',
        'locations.view',
        'purchases.view',
        'reference.view',
        'reports.view',
        'suppliers.view',
        'tiers.view',
      ],
    });
  });

  it('several roles add up, each permission once', async () => {
    const { body } = await (await test.asNewUser('several', 'viewer', 'manager')).get('/me');
    expect(body.roles).toEqual(['manager', 'viewer']);
    expect(new Set(body.permissions).size).toBe(body.permissions.length);
    expect(body.permissions).toContain('purchases.create');
  });

  it('without a role one is someone who may do nothing', async () => {
    const { status, body } = await (await test.asNewUser('nothing')).get('/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({ roles: [], permissions: [] });
  });
});

describe('GET and DELETE /me/tokens', () => {
  it('lists the own devices alone', async () => {
    const phone = await test.asNewUser('lister', 'viewer');
    const tablet = await test.asNewUser('lister');
    const { status, body } = await phone.get('/me/tokens');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toEqual({
      id: idOf(phone.token),
      device_name: null,
      is_current: true,
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(body.data[1]).toMatchObject({ id: idOf(tablet.token), is_current: false });
    expect(body.meta).toEqual({ current_page: 1, per_page: 50, total: 2, last_page: 1, next_cursor: null });
  });

  it('by pages and by cursor', async () => {
    const phone = await test.asNewUser('pager', 'viewer');
    for (let device = 0; device < 4; device++) await test.asNewUser('pager');
    const { body } = await phone.get('/me/tokens?per_page=2&page=3');
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({ current_page: 3, per_page: 2, total: 5, last_page: 3 });
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer = await phone.get(`/me/tokens?per_page=2&sort=-id&cursor=${cursor}`);
      expect(Object.keys(body.meta).sort()).toEqual(['next_cursor', 'per_page']);
      seen.push(...body.data.map((device: { id: number }) => device.id));
      cursor = body.meta.next_cursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...seen].sort((a, b) => b - a));
  });

  it('a lost phone is revoked from another device', async () => {
    const phone = await test.asNewUser('loser', 'viewer');
    const laptop = await test.asNewUser('loser');
    expect(await statusOf(phone)).toBe(200);
    const { status, body } = await laptop.delete(`/me/tokens/${idOf(phone.token)}`);
    expect(status).toBe(200);
    expect(body).toEqual({ id: idOf(phone.token), deleted: true });
    expect(await statusOf(phone)).toBe(401);
    expect(await statusOf(laptop)).toBe(200);
    expect((await laptop.delete(`/me/tokens/${idOf(phone.token)}`)).status).toBe(404);
  });

  it("reliability-10-hidden-rows: someone else's token → 404 as if there were none, and it stays", async () => {
    const victim = await test.asNewUser('victim', 'viewer');
    const foreign = await test.as('admin').delete(`/me/tokens/${idOf(victim.token)}`);
    const missing = await test.as('admin').delete('/me/tokens/2147483647');
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, instance: '', request_id: '' }).toEqual({
      ...missing.body,
      instance: '',
      request_id: '',
    });
    expect(await statusOf(victim)).toBe(200);
  });
});

describe('PATCH /me/password', () => {
  const change = (client: Client, password: unknown, current_password: unknown = PASSWORD) =>
    client.patch('/me/password', { current_password, password });

  it('changes it, revokes all other tokens and keeps this one', async () => {
    const phone = await test.asNewUser('changer', 'viewer');
    const lost = await test.asNewUser('changer');
    expect(await statusOf(lost)).toBe(200);
    const { status, body } = await change(phone, NEW_PASSWORD);
    expect(status).toBe(200);
    expect(body).toEqual((await phone.get('/me')).body);
    expect(await statusOf(lost)).toBe(401);
    expect((await login('changer')).status).toBe(401);
    expect((await login('changer', NEW_PASSWORD)).status).toBe(200);
  });

  it('a wrong current password → 422 on that field, and nothing changes', async () => {
    const phone = await test.asNewUser('mistaken', 'viewer');
    const tablet = await test.asNewUser('mistaken');
    const { status, body } = await change(phone, NEW_PASSWORD, 'not my password');
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['current_password']);
    expect(await statusOf(tablet)).toBe(200);
    expect((await login('mistaken')).status).toBe(200);
  });

  it.each([
    ['7 characters', 'seven 7'],
    ['7 characters beyond the BMP', '🐦'.repeat(7)],
    ['257 characters', 'x'.repeat(257)],
    ['a common one', 'password'],
    ['a common one in capitals', 'PASSWORD'],
    ['another common one', '12345678'],
    ['a common one that is a sequence', '987654321'],
    ['a common one that is a repeat', '00000000'],
    ['a number', 12345678],
    ['null', null],
    ['nothing', undefined],
    ['NUL', 'eight gannets\0'],
    ['a lone surrogate', 'eight gannets \udc00'],
  ])('%s → 422 on password', async (_, password) => {
    const { status, body } = await change(test.as('operator'), password);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['password']);
    expect((await login('operator')).status).toBe(200);
  });

  it('is the same however the keyboard composes its accents, also where it was set long ago', async () => {
    const phone = await test.asNewUser('accents', 'viewer');
    const password = 'étés à venir';
    const forms = ['NFC', 'NFD'] as const;
    let current = PASSWORD;
    for (const form of forms) {
      const next = password.normalize(form);
      expect((await change(phone, next, current)).status).toBe(200);
      current = next;
      for (const typed of forms) expect((await login('accents', password.normalize(typed))).status).toBe(200);
    }
    await test.database.query(`UPDATE users SET password_hash = $1 WHERE login = 'accents'`, [
      await hash(password.normalize('NFD')),
    ]);
    expect((await login('accents', password.normalize('NFD'))).status).toBe(200);
  });

  it('8 characters will do, and 256 are never truncated', async () => {
    const phone = await test.asNewUser('lengthy', 'viewer');
    const long = `${'ü'.repeat(254)}🐦x`;
    expect((await change(phone, 'ékj 4é√e')).status).toBe(200);
    expect((await change(phone, long, 'ékj 4é√e')).status).toBe(200);
    expect((await login('lengthy', long)).status).toBe(200);
    expect((await login('lengthy', long.slice(0, -1))).status).toBe(401);
    expect((await login('lengthy', `${long.slice(0, -1)}y`)).status).toBe(401);
  });

  it('a login with the old password that is under way meanwhile leaves no token behind', async () => {
    const phone = await test.asNewUser('overtaken', 'viewer');
    // Whoever writes a token has to wait in line: the revocation is the first, the login the second.
    const holder = await begin(test.database);
    await holder.query('LOCK TABLE access_tokens IN SHARE MODE');
    const changed = change(phone, NEW_PASSWORD);
    await until(waiting('%UPDATE access_tokens SET deleted_at'));
    const late = login('overtaken');
    await until(waiting('%INSERT INTO access_tokens'));
    await holder.end('ROLLBACK');
    expect((await changed).status).toBe(200);
    const { status, body } = await late;
    expect([status, body.type]).toEqual([401, '/problems/bad-credentials']);
    expect((await phone.get('/me/tokens')).body.meta.total).toBe(1);
  });

  /** Whether a statement waits for a lock. */
  const waiting = (statement: string) => async () => {
    const waits = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    return (await sql(waits, [`${statement}%`])).length > 0;
  };

  it('no fields → 422 on both', async () => {
    const { status, body } = await test.as('operator').patch('/me/password', {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(['current_password', 'password']);
  });
});

describe('The end of a token', () => {
  const age = (client: Client, unusedDays: number, ageDays = unusedDays) =>
    sql(
      `UPDATE access_tokens SET last_used_at = now() - $2 * interval '24 hours' + interval '5 seconds',
         created_at = now() - $3 * interval '24 hours' + interval '5 seconds' WHERE id = $1`,
      [idOf(client.token), unusedDays, ageDays],
    );
  const deviceOf = async (client: Client) =>
    (await client.get('/me/tokens')).body.data.find((device: { is_current: boolean }) => device.is_current);

  it('is 30 days after the login, as the login says and the list repeats', async () => {
    const { body } = await login('viewer');
    const device = await deviceOf(new Client(test.url, body.token));
    expect(device.expires_at).toBe(body.expires_at);
    expect(Date.parse(device.expires_at) - Date.parse(device.created_at)).toBe(30 * DAY);
  });

  it.each([
    ['29 days unused', 29, 29, 200],
    ['30 days unused', 30.01, 30.01, 401],
    ['364 days old, used yesterday', 1, 364, 200],
    ['365 days old, used just now', 0, 365.01, 401],
  ])('%s', async (_, unused, old, status) => {
    const client = await test.asNewUser('aged', 'viewer');
    await age(client, unused, old);
    expect(await statusOf(client)).toBe(status);
  });

  it('expires_at is the sooner of the two, and use moves it', async () => {
    const client = await test.asNewUser('used', 'viewer');
    await age(client, 0, 350);
    const old = await deviceOf(client);
    expect(Date.parse(old.expires_at) - Date.parse(old.created_at)).toBe(365 * DAY);
    const young = await test.asNewUser('used');
    await age(young, 10);
    expect(await statusOf(young)).toBe(200);
    await usedJustNow(young);
    const device = await deviceOf(young);
    expect(Date.parse(device.expires_at) - Date.parse(device.last_used_at)).toBe(30 * DAY);
  });

  it('a token that has ended is not in the list', async () => {
    const client = await test.asNewUser('tidy', 'viewer');
    const ended = await test.asNewUser('tidy');
    await age(ended, 31);
    expect((await client.get('/me/tokens')).body.meta.total).toBe(1);
  });

  it('TOKEN_TTL_DAYS sets how long a token may be unused', async () => {
    const short = await startApp({ TOKEN_TTL_DAYS: '2' }, test.database);
    const client = await short.asNewUser('short', 'viewer');
    const device = await deviceOf(client);
    expect(Date.parse(device.expires_at) - Date.parse(device.last_used_at)).toBe(2 * DAY);
    const unused = await short.asNewUser('short');
    await age(unused, 2.01);
    expect(await statusOf(unused)).toBe(401);
    await short.stop();
  });

  it('last_used_at is written at most once a minute, however many requests come', async () => {
    const client = await test.asNewUser('frequent', 'viewer');
    const ago = (seconds: number) =>
      sql(`UPDATE access_tokens SET last_used_at = now() - $2 * interval '1 second' WHERE id = $1`, [
        idOf(client.token),
        seconds,
      ]);
    await ago(50);
    await sql(`CREATE TABLE token_writes (id integer)`);
    await sql(`CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO token_writes VALUES (NEW.id); RETURN NULL; END $$`);
    await sql(`CREATE TRIGGER count AFTER UPDATE OF last_used_at ON access_tokens
      FOR EACH ROW EXECUTE FUNCTION count_write()`);
    const writes = async () => (await sql('SELECT id FROM token_writes')).length;
    await Promise.all(Array.from({ length: 10 }, () => client.get('/me')));
    await sleep(200);
    expect(await writes()).toBe(0);
    await sql(`ALTER TABLE access_tokens DISABLE TRIGGER count`);
    await ago(61);
    await sql(`ALTER TABLE access_tokens ENABLE TRIGGER count`);
    await sleep(1050); // until the token is not remembered any more
    const clients = [client, elsewhere(client)];
    await Promise.all(Array.from({ length: 20 }, (_, at) => clients[at % 2]!.get('/me')));
    await usedJustNow(client);
    expect(await writes()).toBe(1);
    await sql(`DROP TRIGGER count ON access_tokens`);
    await sql(`DROP FUNCTION count_write()`);
    await sql(`DROP TABLE token_writes`);
  });

  /** The use is written outside the request. */
  async function usedJustNow(client: Client): Promise<void> {
    const isFresh = `SELECT FROM access_tokens WHERE id = $1 AND last_used_at > now() - interval '20 seconds'`;
    await until(async () => (await sql(isFresh, [idOf(client.token)])).length === 1);
  }
});

describe('Secrets', () => {
  it('passwords are argon2id, 19 MiB, 2 passes, 1 lane, each with a salt of its own', async () => {
    const client = await test.asNewUser('hashed', 'viewer');
    const hashOf = async () =>
      (await sql(`SELECT password_hash FROM users WHERE login = 'hashed'`))[0]!.password_hash as string;
    await client.patch('/me/password', { current_password: PASSWORD, password: NEW_PASSWORD });
    const first = await hashOf();
    await client.patch('/me/password', { current_password: NEW_PASSWORD, password: NEW_PASSWORD });
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashOf()).not.toBe(first);
  });

  it('reliability-10-no-hash: no answer contains a hash', async () => {
    const admin = test.as('admin');
    const { body } = await admin.get('/me');
    const answers = await Promise.all([
      admin.get('/me'),
      admin.get('/me/tokens'),
      admin.get('/users'),
      admin.get(`/users/${body.id}`),
      admin.patch(`/users/${body.id}`, {}),
      admin.post('/users', {
        name: 'H',
        login: 'no-hash',
        email: 'no-hash@test.example',
        password: NEW_PASSWORD,
        roles: [],
      }),
      login('viewer'),
    ]);
    for (const { status, text } of answers) {
      expect([200, 201]).toContain(status);
      expect(text).not.toMatch(/argon2|_hash|"password|secret/);
    }
  });

  it('the memory of checked tokens is bounded', async () => {
    const tokens = test.app.get(TokensService);
    const { userId } = await test.asNewUser('crowd', 'viewer');
    const made = await Promise.all(
      Array.from({ length: 20 }, async () => (await tokens.issue(userId, null, PASSWORD_HASH, {}))!),
    );
    // 10 100 tokens with the secrets of those 20.
    await sql(
      `INSERT INTO access_tokens (id, user_id, secret_hash)
       SELECT 1000000 + n, t.user_id, t.secret_hash FROM generate_series(1, 10100) n
       JOIN access_tokens t ON t.id = ($1::integer[])[1 + n % 20]`,
      [made.map(({ token }) => idOf(token))],
    );
    for (let from = 1; from <= 10_100; from += 100) {
      const ids = Array.from({ length: 100 }, (_, at) => from + at);
      const checks = ids.map((n) => tokens.check(`${1_000_000 + n}|${secretOf(made[n % 20]!.token)}`));
      expect((await Promise.all(checks)).every((user) => user?.id === userId)).toBe(true);
    }
    const { remembered } = tokens as unknown as { remembered: Map<number, unknown> };
    expect(remembered.size).toBe(10_000);
    expect(remembered.has(1_000_001)).toBe(false);
    expect(remembered.has(1_010_100)).toBe(true);
  });
});
