import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('Requests of a token', () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await startApp({ TRUST_PROXY: '1', TOKEN_RATE_LIMIT: '3', ADDRESS_RATE_LIMIT: '2' });
  });
  afterAll(() => limited.stop());

  const many = (client: Client, count: number, path = '/me', from = '192.0.2.1') =>
    Promise.all(times(count, () => client.get(path, { 'x-forwarded-for': from })));
  const accepted = (answers: Answer[]) => answers.filter(({ status }) => status !== 429).length;

  it('beyond the limit are answered 429 with Retry-After, and those of no other token', async () => {
    const greedy = await limited.asNewUser('greedy', 'viewer');
    const answers = await many(greedy, 100);
    expect(accepted(answers)).toBeGreaterThanOrEqual(30);
    expect(accepted(answers)).toBeLessThanOrEqual(60); // where one window ended and another began meanwhile
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      type: '/problems/too-many-requests',
      detail: 'Too many requests. Please try again in a moment.',
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    const modest = await limited.asNewUser('greedy'); // the same user on another phone
    expect((await modest.get('/me')).status).toBe(200);
  });

  it('of fifty phones behind one address do not add up, whatever else that address sends', async () => {
    const phones = await Promise.all(times(50, () => limited.asNewUser('crew', 'viewer')));
    await many(limited.anonymous, 60);
    await many(new Client(limited.url, '1|x'), 60);
    const answers = await Promise.all(phones.map((phone) => many(phone, 10)));
    expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('that are forbidden, each an entry of the audit log, are refused past one a second', async () => {
    const curious = await limited.asNewUser('curious', 'viewer');
    const answers = await Promise.all(times(25, () => curious.get('/audit')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
    expect(accepted(answers)).toBeLessThanOrEqual(20);
    expect((await curious.get('/me')).status).toBe(200);
  });

  it('without a good token are counted by address: none, a bad one, logins', async () => {
    const bad = new Client(limited.url, `1|${'0'.repeat(40)}963fbb8e`);
    const login = (from: string) =>
      limited.anonymous.send('POST', '/login', { login: 'x', password: 'y' }, { 'x-forwarded-for': from });
    const answers = [
      await many(limited.anonymous, 20, '/me', '198.51.100.1'),
      await many(bad, 20, '/me', '198.51.100.1'),
      await Promise.all(times(20, () => login('198.51.100.1'))),
    ].flat();
    expect(accepted(answers)).toBeLessThanOrEqual(40);
    expect(accepted(answers)).toBeGreaterThanOrEqual(20);
    expect((await login('198.51.100.2')).status).toBe(401);
  });

  it('for documents and figures are counted with those of an address', async () => {
    for (const [n, path] of ['//openapi.json', '//docs', '//docs/recense.js', '//metrics'].entries()) {
      const answers = await many(limited.anonymous, 60, path, `198.51.100.${10 + n}`);
      expect(accepted(answers)).toBeGreaterThanOrEqual(20);
      expect(accepted(answers)).toBeLessThanOrEqual(40);
      expect(answers.find(({ status }) => status === 429)?.body.type).toBe('/problems/too-many-requests');
    }
  });

  it('for the app in the browser are counted by themselves, so that a site of phones may open it at once', async () => {
    await many(limited.anonymous, 60, '/me', '198.51.100.7');
    const files = await many(limited.anonymous, 400, '//app', '198.51.100.7');
    expect(accepted(files)).toBe(400);
    const more = await many(limited.anonymous, 1400, '//app/sessions/1', '198.51.100.7');
    expect(accepted(more)).toBeLessThan(1400);
  });

  it('for health are counted by themselves, and those of the proxy not at all', async () => {
    const from = '198.51.100.20';
    await many(limited.anonymous, 60, '/me', from);
    for (const path of ['//health/live', '//health/ready']) {
      expect((await limited.anonymous.get(path)).status).toBe(200);
      const own = await Promise.all(times(60, () => limited.anonymous.get(path)));
      expect(accepted(own)).toBe(60);
    }
    const passedOn = await many(limited.anonymous, 60, '//health/live', from);
    expect(accepted(passedOn)).toBeGreaterThanOrEqual(20);
    expect(accepted(passedOn)).toBeLessThanOrEqual(40);
  });
});
