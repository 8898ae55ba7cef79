import { setTimeout as sleep } from 'node:timers/promises';
import { createHook } from 'node:async_hooks';
import { AttemptsService } from '../src/auth/attempts.service.js';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';

const WRONG = 'not the password';

/** Two instances on one database; both trust one proxy, which tells them the addresses of the callers. */
let test: TestApp;
let other: TestApp;

beforeAll(async () => {
  test = await startApp({ TRUST_PROXY: '1' });
  other = await startApp({ TRUST_PROXY: '1' }, test.database);
});
afterAll(async () => {
  await other.stop();
  await test.stop();
});

interface Guess {
  name?: string;
  password?: string;
  from?: string;
  at?: TestApp;
  path?: '/login' | '/auth/token';
}

function guess({ name = 'viewer', password = WRONG, from = '192.0.2.1', at = test, path = '/login' }: Guess) {
  const field = path === '/login' ? 'login' : 'email';
  return at.anonymous.send('POST', path, { [field]: name, password }, { 'x-forwarded-for': from });
}
/** As clients do it: again where the service has no time for it, which is no attempt. A slow machine hashes slowly. */
async function untilLooked(one: Guess): Promise<Answer> {
  for (;;) {
    const answer = await guess(one);
    if (answer.status !== 503) return answer;
  }
}
const statusesOf = async (answers: Promise<Answer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

function expectThrottled({ status, headers, body }: Answer): void {
  expect([status, body.type]).toEqual([429, '/problems/too-many-requests']);
  expect(body.detail).toBe('Too many failed attempts. Please wait before the next one.');
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
}

/** As if so many seconds had passed. */
const pass = (seconds: number) =>
  test.database.query(
    `UPDATE password_attempts SET made_at = ARRAY(SELECT at - $1 * interval '1 second' FROM unnest(made_at) at)`,
    [seconds],
  );
const forget = () => test.database.query(`DELETE FROM password_attempts`);

/** How many argon2 are begun while `work` runs. */
async function hashed(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  // The binding's work in the thread pool is the one kind of asynchronous resource without a name.
  const hook = createHook({ init: (_, type) => void (count += type === 'undefined' ? 1 : 0) });
  hook.enable();
  await work();
  hook.disable();
  return count;
}

describe('reliability-06-throttled-logins: a login', () => {
  beforeEach(forget);

  it('fails five times a minute from one address, then 429 with Retry-After, from no other', async () => {
    expect(await statusesOf(times(5, () => guess({})))).toEqual([401, 401, 401, 401, 401]);
    expectThrottled(await guess({}));
    expect((await guess({ from: '192.0.2.2' })).status).toBe(401);
    expect((await guess({ name: 'operator' })).status).toBe(401);
  });

  it('fails twenty times a minute from all addresses', async () => {
    const tries = times(25, (n) => untilLooked({ from: `192.0.2.${n}` }));
    const statuses = await statusesOf(tries);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expectThrottled(await guess({ from: '198.51.100.1' }));
    expect((await guess({ name: 'operator', from: '198.51.100.1' })).status).toBe(401);
  });

  it('that is refused counts for nobody: one address alone cannot lock a user out', async () => {
    await statusesOf(times(40, () => guess({})));
    expect((await guess({ from: '192.0.2.2', password: PASSWORD })).status).toBe(200);
  });

  it('under a name that reads like another with its address counts for that one only', async () => {
    await statusesOf(times(5, () => guess({ name: 'from 192.0.2.2 viewer' })));
    expect((await guess({ from: '192.0.2.2', password: PASSWORD })).status).toBe(200);
  });

  it('is refused with the right password too, without looking at it', async () => {
    await statusesOf(times(5, () => guess({})));
    const work = async () => expectThrottled(await guess({ password: PASSWORD }));
    expect(await hashed(work)).toBe(0);
  });

  it('that comes in resets what was counted for its address, and takes itself back elsewhere', async () => {
    for (let round = 0; round < 4; round++) {
      await statusesOf(times(4, () => guess({})));
      expect((await guess({ password: PASSWORD })).status).toBe(200);
    }
    const [row] = await test.database.query<{ most: number }>(
      `SELECT max(cardinality(made_at)) AS most FROM password_attempts`,
    );
    expect(row?.most).toBe(16);
  });

  it('is counted by all instances and by both routes together, whatever the case and the accents', async () => {
    await test.asNewUser('Zoé');
    const name = 'zoé@test.example';
    const statuses = [
      await guess({ name, path: '/auth/token' }),
      await guess({ name: 'ZOÉ@test.example', at: other }),
      await guess({ name: ` ${name} ` }),
      await guess({ name: 'zoe@TEST.example', at: other, path: '/auth/token' }),
      await guess({ name }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    for (const at of [test, other])
      for (const path of ['/login', '/auth/token'] as const) expectThrottled(await guess({ name, at, path }));
  });

  it('may be tried again once the first failure is a minute ago, and only as often as failures have ended', async () => {
    await statusesOf(times(3, () => guess({})));
    await pass(40);
    await statusesOf(times(2, () => guess({})));
    const refused = await guess({});
    expectThrottled(refused);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
    await pass(21);
    expect(await statusesOf([guess({}), guess({}), guess({})])).toEqual([401, 401, 401]);
    expectThrottled(await guess({}));
  });

  it('cannot be counted for another address by a forged X-Forwarded-For', async () => {
    const statuses = await statusesOf(times(8, (n) => guess({ from: `10.0.0.${n}, 192.0.2.1` })));
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    await forget();
    const open = await startApp({}, test.database); // trusts no proxy
    const forged = times(8, (n) => guess({ from: `10.0.0.${n}`, at: open }));
    expect((await statusesOf(forged)).filter((status) => status === 429)).toHaveLength(3);
    await open.stop();
  });

  it('is counted for the whole network of an IPv6 address', async () => {
    const statuses = await statusesOf(times(6, (n) => guess({ from: `2001:db8:1:2::${n}` })));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('50 wrong ones at the same moment, on two instances: 5 are looked at', async () => {
    let statuses: number[] = [];
    const guesses = () => times(50, (n) => guess({ at: n % 2 ? test : other }));
    const work = async () => (statuses = await statusesOf(guesses()));
    expect(await hashed(work)).toBe(5);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  it('50 right ones at the same moment, of one account from one address, all come in', async () => {
    const statuses = await statusesOf(times(50, () => untilLooked({ password: PASSWORD })));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('that fails for another reason was no attempt', async () => {
    await test.database.query(`ALTER TABLE users RENAME COLUMN is_active TO was_active`);
    const statuses = await statusesOf(times(6, () => guess({ password: PASSWORD })));
    await test.database.query(`ALTER TABLE users RENAME COLUMN was_active TO is_active`);
    expect(new Set(statuses)).toEqual(new Set([500]));
    expect((await guess({ password: PASSWORD })).status).toBe(200);
  });

  it('that is no valid request was none either', async () => {
    for (let tries = 0; tries < 6; tries++) expect((await guess({ password: '' })).status).toBe(422);
    expect((await guess({})).status).toBe(401);
  });

  it('is answered in French where that is preferred', async () => {
    await statusesOf(times(5, () => guess({})));
    const headers = { 'accept-language': 'fr', 'x-forwarded-for': '192.0.2.1' };
    const { body } = await test.anonymous.send(
      'POST',
      '/login',
      { login: 'viewer', password: WRONG },
      headers,
    );
    expect(body.detail).toBe('Trop de tentatives échouées. Veuillez patienter avant la prochaine.');
  });
});

describe('reliability-08-fair-line: logins', () => {
  beforeAll(forget);

  it('of one address, however many, keep nobody else from coming in', async () => {
    let looked = 0;
    const flood = times(150, async (n) => {
      const { status } = await guess({ name: `nobody${n}` });
      if (status === 401) looked++;
      return status;
    });
    const isFull = flood.map(async (answer) => expect(await answer).toBe(503));
    await Promise.any(isFull);
    const before = looked;
    expect((await guess({ from: '192.0.2.2', password: PASSWORD })).status).toBe(200);
    expect(looked - before).toBeLessThan(50); // of the hundred that were there before
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
  });
});

describe('reliability-07-same-answer: throttled', () => {
  beforeAll(forget);

  it('an unknown, a disabled and a known user get the same answers, one after the other', async () => {
    await test.asNewUser('off');
    await test.database.query(`UPDATE users SET is_active = false WHERE login = 'off'`);
    const answersTo = async (name: string, password: string) => {
      const answers: unknown[] = [];
      for (let tries = 0; tries < 7; tries++) {
        const { status, body, headers } = await guess({ name, password });
        const { 'retry-after': after, date: _, 'x-request-id': __, ...others } = Object.fromEntries(headers);
        answers.push({ status, ...body, request_id: '', others, waits: Number(after) > 50 });
      }
      return answers;
    };
    const known = await answersTo('viewer', WRONG);
    expect(await answersTo('nobody', PASSWORD)).toEqual(known);
    expect(await answersTo('off', PASSWORD)).toEqual(known);
  });
});

describe('reliability-06-guessed-own-password: PATCH /me/password', () => {
  beforeEach(forget);
  const change = (client: Client, current_password: string) =>
    client.patch('/me/password', { current_password, password: PASSWORD });

  it('takes five wrong current passwords a minute of a user, on all instances and devices', async () => {
    const phone = await test.asNewUser('guessed', 'viewer');
    const tablet = new Client(other.url, (await test.asNewUser('guessed')).token);
    const work = () => Promise.all(times(20, (n) => change(n % 2 ? phone : tablet, WRONG)));
    let answers: Answer[] = [];
    expect(await hashed(async () => (answers = await work()))).toBe(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expectThrottled(await change(tablet, PASSWORD));
    expect((await change(await test.asNewUser('another'), PASSWORD)).status).toBe(200);
    await pass(61);
    expect((await change(phone, PASSWORD)).status).toBe(200);
  });
});

describe('What is kept of attempts', () => {
  it('names neither users nor addresses, and is cleared once it is a minute old', async () => {
    await forget();
    await guess({});
    await guess({ name: 'x'.repeat(254) });
    const rows = await test.database.query<{ text: string; size: number }>(
      `SELECT a::text AS text, length(key_hash) AS size FROM password_attempts a`,
    );
    expect(rows).toHaveLength(4);
    for (const { text, size } of rows) {
      expect(text).not.toMatch(/viewer|192/);
      expect(size).toBe(32);
    }
    const attempts = test.app.get(AttemptsService);
    await attempts.clear();
    expect(await test.database.query(`SELECT FROM password_attempts`)).toHaveLength(4);
    await pass(61);
    await guess({ name: 'someone else' });
    await attempts.clear();
    expect(await test.database.query(`SELECT FROM password_attempts`)).toHaveLength(2);
  });

  it('is counted in the metrics, also what was refused', async () => {
    await forget();
    const counts = async () => {
      await sleep(1000); // they are made at most once a second
      const { text } = await test.anonymous.get('//metrics');
      return ['success', 'failure', 'throttled'].map((outcome) => {
        const [, count] =
          new RegExp(`^password_attempts_total\\{kind="login",outcome="${outcome}"\\} (\\d+)$`, 'm').exec(
            text,
          ) ?? [];
        return Number(count);
      });
    };
    const before = await counts();
    await guess({ password: PASSWORD });
    for (let tries = 0; tries < 8; tries++) await guess({});
    expect((await counts()).map((count, at) => count - before[at]!)).toEqual([1, 5, 3]);
  });
});
