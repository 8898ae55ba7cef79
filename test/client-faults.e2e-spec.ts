import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  createClient,
  idempotencyKey,
  retryingFetch,
  unwrap,
} from '../clients/typescript/src/index.js';
import type { RecenseClient, RetryOptions } from '../clients/typescript/src/index.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { hurryTimers } from './support/clock.js';
import { factories } from './support/factories.js';
import { FaultyProxy } from './support/faulty-proxy.js';
import type { Fate } from './support/faulty-proxy.js';
import { until } from './support/process.js';

const SCANS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('The TypeScript client on a bad network', () => {
  let app: TestApp;
  let proxy: FaultyProxy;
  let session: number;
  /** What becomes of the next answers; all others pass. */
  let fates: Fate[];

  beforeAll(async () => {
    app = await startApp();
    proxy = await FaultyProxy.to(app.url, () => fates.shift() ?? 'passes');
    const { body } = await app
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
    session = body.id as number;
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(async () => {
    await proxy.close();
    await app.stop();
  });

  const meets = (...next: Fate[]) => {
    fates = next;
    proxy.seen.length = 0;
  };
  /** With all that it has by default, but for the pauses. */
  const connect = (options: RetryOptions = {}): RecenseClient =>
    createClient({
      baseUrl: proxy.url,
      token: app.as('manager').token!,
      fetch: retryingFetch({ delayMs: 1, ...options }),
    });
  const scan = (client: RecenseClient, code: string) =>
    unwrap(
      client.POST('/api/v1/inventories/{id}/scan', { params: { path: { id: session } }, body: { code } }),
    );
  const me = (client: RecenseClient) => unwrap(client.GET('/api/v1/me'));
  const buy = (client: RecenseClient, header: { 'Idempotency-Key'?: string } = {}) =>
    client.POST('/api/v1/suppliers', { params: { header }, body: { name: `Supplier ${idempotencyKey()}` } });

  it('records 500 scans once each, where a fifth of the answers is lost or cut off', async () => {
    const { code: first, article_id } = await factories(app).purchase();
    await app.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date, in_service_date)
           SELECT $1, 'FAULT-' || n, '2026-01-15', '2026-01-15' FROM generate_series(2, $2) n`,
      [article_id, SCANS],
    );
    const codes = [first as string, ...Array.from({ length: SCANS - 1 }, (_, n) => `FAULT-${n + 2}`)];
    // The same faults in every run: Lehmer's generator from 1 on.
    let state = 1;
    const dice = (sides: number) => (state = (state * 48_271) % 2_147_483_647) % sides;
    const faults: Fate[] = ['lost', 'broken', 'half'];
    meets(...Array.from({ length: 2 * SCANS }, () => (dice(5) === 0 ? faults[dice(3)]! : 'passes')));

    const phone = connect();
    const answers: string[] = [];
    for (const code of codes) answers.push((await scan(phone, code)).status);

    expect(new Set(answers)).toEqual(new Set(['success', 'warning']));
    const repeats = proxy.seen.length - SCANS;
    expect(answers.filter((status) => status === 'warning').length).toBeGreaterThan(SCANS / 10);
    expect(repeats).toBeGreaterThan(SCANS / 10);
    meets();
    const { data } = await phone.GET('/api/v1/inventories/{id}', { params: { path: { id: session } } });
    expect(data?.progress).toEqual({ scanned: SCANS, total: SCANS, percentage: 100 });
  }, 120_000);

  it.each<Fate>(['lost', 'broken', 'half', 502, 504])(
    'repeats what is safe where the answer is %s',
    async (fate) => {
      const { code } = await factories(app).purchase();
      const client = connect();
      meets(fate, fate);
      expect((await me(client)).roles).toEqual(['manager']);
      meets(fate, fate);
      expect((await scan(client, code as string)).purchase?.code).toBe(code);
      meets(fate, fate);
      expect((await buy(client, { 'Idempotency-Key': idempotencyKey() })).response.status).toBe(201);
      expect(proxy.seen).toEqual(Array.from({ length: 3 }, () => 'POST /api/v1/suppliers'));
    },
  );

  it.each<Fate>(['lost', 'broken', 'half', 502, 504])(
    'sends once what is not safe where it is %s',
    async (fate) => {
      meets(fate);
      const call = unwrap(buy(connect()));
      // A SyntaxError never.
      await expect(call).rejects.toMatchObject({ name: expect.stringMatching(/^(TypeError|ApiError)$/) });
      expect(proxy.seen).toEqual(['POST /api/v1/suppliers']);
    },
  );

  it.each<Fate>(['silence', 'stalled'])('gives each try its time where there is %s', async (fate) => {
    const timeoutMs = 10_000; // which a slow machine does not take
    const pass = async (tries: number) => {
      for (let nth = 1; nth <= tries; nth++) {
        await until(() => proxy.seen.length === nth);
        await sleep(100); // by then half of the answer has come, where there is any
        jest.advanceTimersByTime(timeoutMs);
      }
    };
    hurryTimers();
    const client = connect({ timeoutMs });
    meets(fate, fate);
    const [user] = await Promise.all([me(client), pass(2)]);
    expect(user.roles).toEqual(['manager']);
    expect(proxy.seen.length).toBe(3);
    meets(fate);
    const once = expect(buy(client)).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'No answer within 10000 ms',
    });
    await Promise.all([once, pass(1)]);
    meets(fate, fate);
    const twice = expect(me(connect({ timeoutMs, tries: 2 }))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await Promise.all([twice, pass(2)]);
  });

  it.each<Fate>(['silence', 'stalled'])(
    'ends all by the signal of the call where there is %s',
    async (fate) => {
      meets(fate, fate);
      const user = new AbortController();
      const call = connect().GET('/api/v1/me', { signal: user.signal });
      setTimeout(() => user.abort(), 200);
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
      expect(proxy.seen).toEqual(['GET /api/v1/me']);
    },
  );

  it.each<Fate>(['portal', 'portal in JSON'])('says that an answer of a %s is not ours', async (fate) => {
    const client = connect();
    for (const call of [() => me(client), () => scan(client, 'X'), () => client.GET('/api/v1/me')]) {
      meets(fate);
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw error;
      expect(error.message).toContain('HTTP 200: not an answer of Recense');
      expect([error.problem, error.response.status, proxy.seen.length]).toEqual([undefined, 200, 1]);
    }
  });

  it('says so when every try was cut off', async () => {
    meets('half', 'half');
    const call = me(connect({ tries: 2 }));
    await expect(call).rejects.toMatchObject({
      name: 'ApiError',
      message: 'HTTP 200: the answer was cut off',
    });
  });

  it('throws no half of a problem', async () => {
    meets('half');
    const call = connect({ tries: 1 }).GET('/api/v1/purchases/{id}', { params: { path: { id: 999_999 } } });
    await expect(unwrap(call)).rejects.toMatchObject({ name: 'ApiError', problem: undefined });
  });

  describe('without what React Native has not', () => {
    const missing: [object, string][] = [
      [globalThis.crypto, 'randomUUID'],
      [Object.getPrototypeOf(globalThis.crypto) as object, 'randomUUID'],
      [AbortSignal, 'timeout'],
      [AbortSignal, 'any'],
      [globalThis, 'structuredClone'],
      [Response.prototype, 'body'],
      [Request.prototype, 'body'],
    ];
    const kept = missing.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
    beforeAll(() => missing.forEach(([owner, name]) => Reflect.deleteProperty(owner, name)));
    afterAll(() =>
      missing.forEach(([owner, name], at) => kept[at] && Object.defineProperty(owner, name, kept[at])),
    );

    it('reads, scans and creates', async () => {
      expect('randomUUID' in globalThis.crypto || 'timeout' in AbortSignal).toBe(false);
      const { code } = await factories(app).purchase();
      const client = connect({ timeoutMs: 2000 });
      meets('broken', 'half', 'silence');
      expect((await scan(client, code as string)).purchase?.code).toBe(code);
      meets('lost', 502);
      const [key, other] = [idempotencyKey(), idempotencyKey()];
      expect([key, other]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
      expect(key).not.toBe(other);
      const created = await unwrap(buy(client, { 'Idempotency-Key': key }));
      expect(created.id).toEqual(expect.any(Number));
    });
  });
});
