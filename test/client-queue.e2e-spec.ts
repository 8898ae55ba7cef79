import { createClient, pages, retryingFetch, ScanQueue } from '../clients/typescript/src/index.js';
import type {
  ApiError,
  QueuedScan,
  RecenseClient,
  ScanEntryDto,
  ScanQueueOptions,
  ScanResultDto,
} from '../clients/typescript/src/index.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Disk } from './support/disk.js';
import { factories } from './support/factories.js';
import { FaultyProxy } from './support/faulty-proxy.js';
import type { Fate } from './support/faulty-proxy.js';
import { until } from './support/process.js';

const SCANS = 500;

describe('The queue of scans', () => {
  let app: TestApp;
  let proxy: FaultyProxy;
  let session: number;
  let disk: Disk;
  /** Codes of purchases that are there. */
  let codes: string[];
  /** What becomes of the next answers; all others pass. */
  let fates: Fate[];
  let fate: () => Fate;
  const queues: ScanQueue[] = [];

  beforeAll(async () => {
    app = await startApp();
    proxy = await FaultyProxy.to(app.url, () => fate());
    const { article_id } = await factories(app).purchase();
    await app.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date)
       SELECT $1, 'Q-' || n, '2026-01-15' FROM generate_series(1, $2) n`,
      [article_id, SCANS],
    );
    codes = Array.from({ length: SCANS }, (_, n) => `Q-${n + 1}`);
  });
  afterAll(async () => {
    await proxy.close();
    await app.stop();
  });

  beforeEach(async () => {
    session = await open();
    disk = new Disk();
    fates = [];
    fate = () => fates.shift() ?? 'passes';
    proxy.seen.length = 0;
  });
  // Not waited for: those of apps that died never end.
  afterEach(() => queues.splice(0).forEach((queue) => void queue.stop()));

  const open = async (): Promise<number> =>
    (await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body
      .id as number;
  const connect = (token = app.as('operator').token): RecenseClient =>
    createClient({ baseUrl: proxy.url, token, fetch: retryingFetch({ timeoutMs: 2000 }) });

  /** A queue of an app that has begun, and what that app was told. */
  function begin(options: Partial<ScanQueueOptions> = {}) {
    const results: [code: string, reason: string][] = [];
    const refused: QueuedScan[] = [];
    const queue = new ScanQueue({
      client: connect(),
      storage: disk.open(),
      inventoryId: session,
      delayMs: 1,
      maxDelayMs: 5,
      onResult: ({ item }, { reason }) => results.push([item.code, reason]),
      onRefused: (scan) => refused.push(scan),
      ...options,
    });
    queues.push(queue);
    return { queue, results, refused };
  }
  const isIdle = (queue: ScanQueue) => () => queue.state === 'idle';
  const isStopped = (queue: ScanQueue) => () => queue.state === 'stopped';

  async function recorded(): Promise<ScanEntryDto[]> {
    const rows: ScanEntryDto[] = [];
    const list = pages((cursor) =>
      createClient({ baseUrl: app.url, token: app.as('manager').token! }).GET(
        '/api/v1/inventories/{id}/scans',
        {
          params: { path: { id: session }, query: { cursor, per_page: 200 } },
        },
      ),
    );
    for await (const { data } of list) rows.push(...data);
    return rows;
  }
  const recordedCodes = async () => (await recorded()).map(({ purchase }) => purchase.code);

  it('sends what is read, with the fields and the instant of the phone', async () => {
    const { queue, results } = begin();
    const before = new Date().toISOString();
    const scan = await queue.add(']C1Q-1\r\n', { condition: 'damaged', note: 'Écran rayé' });
    expect(scan.item.scanned_at! >= before).toBe(true);
    await queue.add('nothing');
    await queue.add('Q-1');
    await until(isIdle(queue));
    expect(results).toEqual([
      [']C1Q-1\r\n', 'recorded'],
      ['nothing', 'unknown-code'],
      ['Q-1', 'already-scanned'],
    ]);
    expect(await recorded()).toEqual([
      expect.objectContaining({
        client_id: scan.client_id,
        device_scanned_at: scan.item.scanned_at,
        condition: 'damaged',
        note: 'Écran rayé',
      }),
    ]);
    expect([queue.waiting, queue.aside, disk.rows.size]).toEqual([0, [], 0]);
  });

  it('records 500 scans once each and in their order, whatever is lost and however often the app dies', async () => {
    // The same faults in every run: Lehmer's generator from 1 on.
    let state = 1;
    const dice = (sides: number) => (state = (state * 48_271) % 2_147_483_647) % sides;
    const faults: Fate[] = ['lost', 'broken', 'half', 502, 504, 'portal', 'portal in JSON'];
    let faulty = 0;
    fate = () => (dice(5) === 0 && ++faulty ? faults[dice(faults.length)]! : 'passes');

    const told = new Map<string, ScanResultDto>();
    let lives = 0;
    for (let read = 0; read < SCANS || disk.rows.size > 0; lives++) {
      const storage = disk.open(() => (dice(40) > 0 ? undefined : dice(2) === 0 ? 'before' : 'after'));
      const { queue } = begin({
        storage,
        batchSize: 4,
        onResult: ({ client_id }, result) => told.set(client_id, result),
      });
      let isAlive = true;
      const life = async () => {
        void queue.send();
        // Who has heard no beep reads the thing again.
        for (; isAlive && read < SCANS; read++) await queue.add(codes[read]!);
        await until(isIdle(queue));
      };
      await Promise.race([life(), storage.death]);
      isAlive = false;
      void queue.stop();
    }

    expect(await recordedCodes()).toEqual(codes);
    const ofScan = new Map([...told.values()].map((result) => [result.scan_id, result.code]));
    expect(ofScan.size).toBe(SCANS);
    const again = [...told.values()].filter(({ reason }) => reason !== 'recorded');
    // But for what was read again after a death, sending again never made a warning.
    expect(told.size - SCANS).toBe(again.length);
    expect(again.length).toBeLessThan(lives);
    expect([lives > 10, faulty > SCANS / 4 / 5, proxy.seen.length > SCANS / 4 + faulty]).toEqual([
      true,
      true,
      true,
    ]);
  }, 120_000);

  it('sends what was read without a network in batches, once it is back', async () => {
    fate = () => 'lost';
    const { queue, results } = begin({ batchSize: 40, delayMs: 60_000, maxDelayMs: 600_000 });
    for (const code of codes.slice(0, 100)) await queue.add(code);
    await until(() => queue.state === 'waiting');
    expect([queue.waiting, disk.rows.size, String(queue.error)]).toEqual([
      100,
      100,
      'TypeError: fetch failed',
    ]);
    fate = () => 'passes';
    proxy.seen.length = 0;
    await Promise.all([queue.send(), queue.send()]);
    expect([queue.state, queue.waiting, queue.error, disk.rows.size]).toEqual(['idle', 0, undefined, 0]);
    expect(proxy.seen).toEqual(Array(3).fill(`POST /api/v1/inventories/${session}/scans`));
    expect(results.map(([code]) => code)).toEqual(codes.slice(0, 100));
    expect(new Set(results.map(([, reason]) => reason))).toEqual(new Set(['recorded']));
    expect(await recordedCodes()).toEqual(codes.slice(0, 100));
  });

  it.each<Fate>(['lost', 'broken', 'half', 502, 504, 'portal', 'portal in JSON', 'silence', 'stalled'])(
    'sends again by itself where the answer is %s',
    async (faulty) => {
      fates = [faulty, faulty];
      const client = connect();
      const brief = createClient({
        baseUrl: proxy.url,
        token: client.token!,
        fetch: retryingFetch({ timeoutMs: 200 }),
      });
      const { queue, results } = begin({ client: brief });
      await queue.add('Q-1');
      await until(isIdle(queue));
      expect([results, proxy.seen.filter((line) => line.endsWith('/scans')).length]).toEqual([
        [['Q-1', 'recorded']],
        3,
      ]);
      expect(await recordedCodes()).toEqual(['Q-1']);
    },
  );

  it('sets aside what is no scan, and goes on with the rest', async () => {
    fate = () => 'lost';
    const { queue, results, refused } = begin();
    const note = 'x'.repeat(501);
    await queue.add('Q-1');
    const bad = await queue.add('Q-2', { note });
    await queue.add('Q-3');
    const worse = await queue.add('', { note });
    fate = () => 'passes';
    await until(isIdle(queue));
    expect(results.map(([code]) => code)).toEqual(['Q-1', 'Q-3']);
    expect(queue.aside).toEqual([
      { ...bad, errors: { note: [expect.any(String)] } },
      { ...worse, errors: { note: [expect.any(String)], code: [expect.any(String)] } },
    ]);
    expect([refused, queue.waiting]).toEqual([queue.aside, 0]);

    const { queue: next, results: later } = begin();
    await next.send();
    expect([next.aside, next.waiting]).toEqual([queue.aside, 0]);
    await next.discard([worse.client_id]);
    await next.correct(bad.client_id, { note: 'short' });
    await until(isIdle(next));
    expect([later, next.aside, disk.rows.size]).toEqual([[['Q-2', 'recorded']], [], 0]);
    expect((await recorded()).map((row) => [row.client_id, row.note])).toContainEqual([
      bad.client_id,
      'short',
    ]);
  });

  it('keeps what came after the session was closed', async () => {
    const { queue, results } = begin();
    const first = await queue.add('Q-1');
    await until(isIdle(queue));
    await app.as('manager').post(`/inventories/${session}/close`);
    const late = await queue.add('Q-2');
    await until(isIdle(queue));
    expect(results).toEqual([
      ['Q-1', 'recorded'],
      ['Q-2', 'session-closed'],
    ]);
    expect(queue.aside).toEqual([{ ...late, result: expect.objectContaining({ reason: 'session-closed' }) }]);
    await disk.open().put([first]); // as if the app had died before it let go of it

    const { queue: next, results: later } = begin({ inventoryId: await open() });
    await next.retry();
    await until(isIdle(next));
    await next.retry(['of no scan']);
    await next.send();
    expect(later).toEqual(results);
    expect(next.aside).toMatchObject([{ client_id: late.client_id, result: { reason: 'session-closed' } }]);
    await next.add('Q-2'); // into the session of today
    await until(isIdle(next));
    expect(later.at(-1)).toEqual(['Q-2', 'recorded']);
  });

  it('sends again what came too late, once the session is open again and somebody has decided', async () => {
    const manager = app.as('manager');
    const path = `/inventories/${session}`;
    const { queue, results } = begin();
    fate = () => 'lost';
    await queue.add('Q-1');
    await queue.add('Q-2');
    // Their scans arrive, their answers do not: after the closing they are told as they were the first time.
    await until(async () => (await recorded()).length === 2);
    await queue.stop();
    await manager.post(`${path}/close`);
    fate = () => 'passes';
    await queue.send();
    expect(results.splice(0)).toEqual([['Q-1', 'recorded'], ['Q-2', 'recorded']]); // prettier-ignore

    await manager.post(`${path}/reopen`, { reason: 'Un téléphone en retard' });
    await queue.stop();
    for (const code of ['Q-3', 'Q-4', 'nothing']) await queue.add(code);
    await manager.post(`${path}/close`);
    await queue.send();
    await queue.add('Q-5');
    await until(isIdle(queue));
    const told = () => results.splice(0).map(([code, reason]) => `${code} ${reason}`);
    expect(told()).toEqual(['Q-3 late', 'Q-4 late', 'nothing late', 'Q-5 session-closed']);
    expect(queue.aside.map(({ item, result }) => [item.code, result?.reason])).toEqual([
      ['Q-3', 'late'],
      ['Q-4', 'late'],
      ['nothing', 'late'],
      ['Q-5', 'session-closed'],
    ]);

    await manager.post(`${path}/reopen`, { reason: 'Un téléphone en retard' });
    await queue.retry();
    await until(isIdle(queue));
    expect(told()).toEqual(['Q-3 late', 'Q-4 late', 'nothing late', 'Q-5 recorded']);
    const waiting = (await manager.get(`${path}/late-scans`)).body.data as { id: number; code: string }[];
    for (const { id, code } of waiting)
      await manager.post(`${path}/late-scans/${id}/${code === 'Q-4' ? 'refuse' : 'accept'}`);
    await queue.retry();
    await until(isIdle(queue));
    expect(told()).toEqual(['Q-3 recorded', 'Q-4 refused', 'nothing unknown-code']);
    expect([queue.aside, queue.waiting, disk.rows.size]).toEqual([[], 0, 0]);
    expect((await recordedCodes()).toSorted()).toEqual(['Q-1', 'Q-2', 'Q-3', 'Q-5']);
  });

  it('stops where the token has ended, and goes on after the login', async () => {
    const erwan = await app.asNewUser('erwan', 'operator');
    const { queue, results } = begin({ client: connect(erwan.token) });
    await erwan.post('/logout');
    await queue.add('Q-1');
    await until(isStopped(queue));
    expect((queue.error as ApiError).problem?.type).toBe('/problems/unauthenticated');
    await queue.add('Q-2');
    expect([proxy.seen.length, queue.waiting, results]).toEqual([1, 2, []]);

    const again = connect((await app.asNewUser('erwan', 'operator')).token);
    const { queue: next } = begin({ client: again });
    await next.send();
    expect([next.state, next.waiting, await recordedCodes()]).toEqual(['idle', 0, ['Q-1', 'Q-2']]);
    await queue.send(); // it finds nothing more
    expect([queue.state, queue.waiting]).toEqual(['idle', 0]);
  });

  it.each([
    ['may not scan', 403, () => ({ client: connect(app.as('viewer').token) })],
    ['has no such session', 404, () => ({ inventoryId: 2_147_483_647 })],
  ])('stops and says so where one %s', async (_, status, options) => {
    const { queue } = begin(options());
    const { client_id } = await queue.add('Q-1');
    await until(isStopped(queue));
    expect([(queue.error as ApiError).problem?.status, queue.waiting]).toEqual([status, 1]);
    await queue.discard([client_id]);
    await queue.send();
    expect([queue.state, disk.rows.size]).toEqual(['idle', 0]);
  });

  it('loses and doubles nothing where two tabs have one storage', async () => {
    fate = () => 'lost';
    const [one, two] = [begin({ batchSize: 3 }), begin({ batchSize: 5 })];
    for (const code of codes.slice(0, 20)) {
      await one.queue.add(code);
      await two.queue.add(code.replace('Q-', 'Q-1'));
    }
    fate = () => 'passes';
    await Promise.all([one.queue.send(), two.queue.send()]);
    await until(() => isIdle(one.queue)() && isIdle(two.queue)());
    expect([disk.rows.size, (await recorded()).length]).toEqual([0, new Set(await recordedCodes()).size]);
    const all = codes.slice(0, 20).flatMap((code) => [code, code.replace('Q-', 'Q-1')]);
    expect(new Set(await recordedCodes())).toEqual(new Set(all));
  });

  it('sets aside what the user may not move, until it is to be scanned without', async () => {
    fate = () => 'lost';
    const { id } = await factories(app).location();
    const { queue, refused } = begin();
    await queue.add('Q-1');
    const moving = await queue.add('Q-2', { location_id: id, move: true });
    await queue.add('Q-3');
    fate = () => 'passes';
    await until(isIdle(queue));
    expect(await recordedCodes()).toEqual(['Q-1', 'Q-3']);
    expect(refused).toEqual([{ ...moving, errors: { move: [expect.stringContaining('moving')] } }]);
    await queue.correct(moving.client_id, { move: false });
    await until(isIdle(queue));
    expect([await recordedCodes(), queue.aside]).toEqual([['Q-1', 'Q-3', 'Q-2'], []]);
  });

  it('sends smaller batches where one is too large', async () => {
    fate = () => 'lost';
    const { queue, results, refused } = begin({ batchSize: 1000 });
    const long = (code: string) => `https://x.example/${'é'.repeat(2000)}/${code}`;
    const most = codes.slice(0, 400);
    for (const code of most) await queue.add(long(code), { note: 'ü'.repeat(500) });
    const huge = await queue.add('x'.repeat(1_100_000));
    fate = () => 'passes';
    await until(isIdle(queue));
    expect([results.length, await recordedCodes()]).toEqual([400, most]);
    expect(refused).toEqual([{ ...huge, errors: { scan: [expect.any(String)] } }]);
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

    it('keeps and sends', async () => {
      fates = ['lost', 'half', 'portal'];
      const { queue } = begin();
      await queue.add('Q-1');
      await queue.add('Q-2');
      await until(isIdle(queue));
      expect(await recordedCodes()).toEqual(['Q-1', 'Q-2']);
    });
  });
});
