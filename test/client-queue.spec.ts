import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { createClient, idempotencyKey, MemoryStorage, ScanQueue } from '../clients/typescript/src/index.js';
import type { QueuedScan, ScanItemDto, ScanQueueOptions } from '../clients/typescript/src/index.js';
import { Disk } from './support/disk.js';
import { until } from './support/process.js';

/** What the service answers to one batch: a status with headers, an outage, or the reason for each scan by its code. */
type Step =
  [status: number, headers?: Record<string, string>] | 'hang up' | ((code: string) => string | undefined);

const recorded = () => 'recorded';

/** A queue before a service that does what the script says, and records everything after its end. */
function begin(script: Step[], options: Partial<ScanQueueOptions> = {}) {
  const batches: string[][] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { scans } = JSON.parse(await request.text()) as { scans: ScanItemDto[] };
    request.signal.throwIfAborted();
    batches.push(scans.map(({ code }) => code));
    const step = script.shift() ?? recorded;
    if (step === 'hang up') throw new TypeError('fetch failed');
    const headers = { 'X-Request-Id': 'r', 'Content-Type': 'application/json' };
    if (typeof step !== 'function') {
      const [status, more] = step;
      const problem = { type: '/problems/x', status, detail: `HTTP ${status}` };
      const type = { 'Content-Type': 'application/problem+json' };
      return new Response(JSON.stringify(problem), { status, headers: { ...headers, ...type, ...more } });
    }
    const results = scans.flatMap(({ client_id, code }) => {
      const reason = step(code);
      const status = reason?.startsWith('error') ? 'error' : 'warning';
      return reason ? [{ client_id, code, reason, status }] : [];
    });
    return new Response(JSON.stringify({ results }), { headers });
  };
  const told: string[] = [];
  const queue = new ScanQueue({
    client: createClient({ baseUrl: 'http://x.example', fetch }),
    storage: new MemoryStorage(),
    inventoryId: 1,
    delayMs: 1,
    onResult: ({ item }, { reason }) => told.push(`${item.code} ${reason}`),
    ...options,
  });
  const idle = () => until(() => queue.state === 'idle');
  return { queue, batches, told, idle };
}

describe('ScanQueue', () => {
  it('sends one batch at a time, and what is added meanwhile after it', async () => {
    const { queue, batches, idle } = begin([], { batchSize: 2 });
    await Promise.all(['A', 'B', 'C', 'D'].map((code) => queue.add(code)));
    await idle();
    expect(batches.flat()).toEqual(['A', 'B', 'C', 'D']);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(2);
  });

  it('sets aside a scan that is too large by itself, and sends those behind it, as many as before', async () => {
    const { queue, batches, idle } = begin(['hang up', [413], [413]], { batchSize: 2, delayMs: 20 });
    for (const code of ['huge', 'A', 'B', 'C']) await queue.add(code);
    await idle();
    expect(batches).toEqual([['huge'], ['huge', 'A'], ['huge'], ['A', 'B'], ['C']]);
    expect(queue.aside.map(({ item, errors }) => [item.code, errors])).toEqual([
      ['huge', { scan: ['HTTP 413'] }],
    ]);
  });

  it('sends the scans of each session to it', async () => {
    const { queue, batches, idle } = begin(['hang up'], { delayMs: 20 });
    await queue.add('A');
    queue.inventoryId = 2;
    await queue.add('B');
    queue.inventoryId = 1;
    await queue.add('C');
    await idle();
    expect(batches).toEqual([['A'], ['A', 'C'], ['B']]);
  });

  it.each([403, 404])(
    'sends those of other sessions where one answers %d, and keeps its own',
    async (status) => {
      const { queue, batches } = begin([[status]]);
      await queue.add('A');
      queue.inventoryId = 2;
      await queue.add('B');
      await until(() => queue.state === 'stopped' && queue.waiting === 1);
      expect(batches).toEqual([['A'], ['B']]);
      expect([...queue.refused].map(([id, { response }]) => [id, response.status])).toEqual([[1, status]]);
      await queue.add('C');
      queue.inventoryId = 1;
      await queue.add('D');
      await until(() => queue.state === 'stopped' && queue.waiting === 2);
      expect(batches.slice(2)).toEqual([['C']]);
      await queue.send();
      expect([queue.state, batches.slice(3), queue.refused.size]).toEqual(['idle', [['A', 'D']], 0]);
    },
  );

  it('sends those of a session that was refused when it is called while it sends others', async () => {
    let taken = (): void => undefined;
    const taking = new Promise<void>((resolve) => (taken = resolve));
    const told: string[] = [];
    const onResult = ({ item }: QueuedScan) => (told.push(item.code), item.code === 'B' && taking);
    const { queue } = begin([[403]], { onResult });
    await queue.add('A');
    await until(() => queue.state === 'stopped');
    queue.inventoryId = 2;
    await queue.add('B');
    await until(() => told.length === 1);
    const sent = queue.send();
    taken();
    await sent;
    expect([queue.state, queue.error, told]).toEqual(['idle', undefined, ['B', 'A']]);
  });

  it('sends nothing once it has been stopped, at whatever moment', async () => {
    const stopAfter = async (steps: number) => {
      const { queue, batches } = begin([]);
      await queue.send();
      const added = queue.add('A');
      for (let step = 0; step < steps; step++) await Promise.resolve();
      await queue.stop();
      const sent = batches.length;
      await added;
      await sleep(20); // for what goes on nevertheless
      return [steps, queue.state, batches.length - sent];
    };
    const moments = Array.from({ length: 60 }, (_, steps) => steps);
    expect(await Promise.all(moments.map(stopAfter))).toEqual(moments.map((steps) => [steps, 'stopped', 0]));
  });

  it('writes each that is added once, however many wait, and at once what comes together', async () => {
    const disk = new Disk();
    const { queue } = begin(Array(20_000).fill('hang up'), { storage: disk.open(), delayMs: 60_000 });
    const adding = Array.from({ length: 10_000 }, (_, n) => queue.add(`C${n}`));
    await Promise.all(adding);
    await queue.add('last');
    await queue.stop();
    expect(disk.calls.filter(([name]) => name === 'load').length).toBe(1);
    expect(disk.calls.slice(1)).toEqual([
      ['put', 10_000],
      ['put', 1],
    ]);
    expect(queue.waiting).toBe(10_001);
  });

  it('goes on in the order of reading, also where the clock is set back', async () => {
    const storage = new MemoryStorage();
    const { queue } = begin(['hang up'], { storage, delayMs: 60_000 });
    const now = jest.spyOn(Date, 'now');
    await queue.add('A');
    await queue.add('B');
    await queue.stop();
    now.mockReturnValue(1);
    const { queue: next, batches, idle } = begin([], { storage });
    await next.add('C');
    now.mockRestore();
    await idle();
    expect(batches).toEqual([['A', 'B', 'C']]);
  });

  describe('while it waits', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());
    const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

    it('does so for as long as the answer says, whatever is added and whoever calls', async () => {
      const { queue, batches } = begin([[429, { 'Retry-After': '7' }]], { delayMs: 0 });
      const { order } = await queue.add('A');
      await pass(6900);
      expect([queue.state, batches.length]).toEqual(['waiting', 1]);
      expect([queue.since, queue.nextTry]).toEqual([order, order + 7000]);
      await queue.add('B');
      await queue.send();
      expect([queue.state, batches.length]).toEqual(['waiting', 1]);
      await pass(100);
      expect([queue.state, batches]).toEqual(['idle', [['A'], ['A', 'B']]]);
      expect([queue.since, queue.nextTry]).toEqual([undefined, undefined]);
    });

    it('comes again at once where it was called while it sent what then failed', async () => {
      const exclusively = (send: () => Promise<void>) => sleep(50).then(send);
      const { queue, batches } = begin(['hang up'], { delayMs: 600_000, exclusively });
      await queue.add('A');
      await queue.send();
      expect([queue.state, batches]).toEqual(['idle', [['A'], ['A']]]);
    });

    it('comes again at growing intervals, and at once when it is called', async () => {
      const random = jest.spyOn(Math, 'random').mockReturnValue(1);
      const { queue, batches } = begin(Array(9).fill('hang up'), { delayMs: 1000, maxDelayMs: 5000 });
      await queue.add('A');
      await pass(0);
      for (const pause of [1000, 2000, 4000, 5000, 5000]) {
        const before = batches.length;
        await pass(pause - 1);
        expect(batches.length).toBe(before);
        await pass(1);
        expect(batches.length).toBe(before + 1);
      }
      await queue.send();
      expect([queue.state, batches.length]).toEqual(['waiting', 7]);
      random.mockRestore();
      await queue.stop();
      await pass(100_000);
      expect([queue.state, queue.error, batches.length]).toEqual(['stopped', undefined, 7]);
    });

    it('begins with the first pause again after an answer', async () => {
      const random = jest.spyOn(Math, 'random').mockReturnValue(1);
      const script: Step[] = ['hang up', 'hang up', recorded, 'hang up'];
      const { queue, batches } = begin(script, { delayMs: 1000 });
      await queue.add('A');
      await pass(3000);
      expect([queue.state, batches.length]).toEqual(['idle', 3]);
      await queue.add('B');
      await pass(1000);
      expect([queue.state, batches.length]).toEqual(['idle', 5]);
      random.mockRestore();
    });

    it('does not come at once where it is to wait for longer than timers can', async () => {
      const { queue, batches } = begin([[503, { 'Retry-After': '9999999' }]]);
      await queue.add('A');
      await pass(1000);
      expect([queue.state, batches.length]).toEqual(['waiting', 1]);
    });
  });

  it.each([429, 500, 502, 503, 504])('sends again after %d', async (status) => {
    const { queue, told, idle } = begin([[status], [status]]);
    await queue.add('A');
    await idle();
    expect(told).toEqual(['A recorded']);
  });

  it.each([400, 401, 403, 404, 415, 422])('stops after %d, and goes on when it is called', async (status) => {
    const { queue, told } = begin([[status]]);
    await queue.add('A');
    await until(() => queue.state === 'stopped');
    expect([queue.error, queue.waiting]).toEqual([expect.objectContaining({ name: 'ApiError' }), 1]);
    await queue.send();
    expect([queue.state, queue.error, told]).toEqual(['idle', undefined, ['A recorded']]);
  });

  it.each([401, 403, 404, 511])('sends again after %d of somebody else', async (status) => {
    const { queue, told, idle } = begin([[status, { 'Content-Type': 'text/html' }]]);
    await queue.add('A');
    await idle();
    expect(told).toEqual(['A recorded']);
  });

  it('keeps what is late or came after the closing until there is another answer', async () => {
    let isOpen = false;
    const judge = (code: string) => (isOpen ? 'recorded' : code === 'A' ? 'late' : 'session-closed');
    const { queue, told, idle } = begin(Array(9).fill(judge), { delayMs: 10 });
    const [a] = [await queue.add('A'), await queue.add('B')];
    await idle();
    await queue.retry();
    await idle();
    expect(queue.aside.map((scan) => scan.result?.reason)).toEqual(['late', 'session-closed']);
    isOpen = true;
    await queue.retry([a.client_id]);
    await idle();
    expect(queue.aside.map(({ item }) => item.code)).toEqual(['B']);
    await queue.correct(queue.aside[0]!.client_id, { code: 'C' }); // only what was refused is to be corrected
    await queue.retry();
    await idle();
    expect([queue.aside, told.slice(-2)]).toEqual([[], ['A recorded', 'B recorded']]);
  });

  it('lets go of the others, whatever they say', async () => {
    const reasons = [
      'already-scanned',
      'unknown-code',
      'client-id-reused',
      'undone',
      'refused',
      'of tomorrow',
    ];
    const { queue, told, idle } = begin(Array(9).fill((code: string) => code));
    for (const reason of reasons) await queue.add(reason);
    await idle();
    expect([told, queue.aside, queue.waiting]).toEqual([
      reasons.map((reason) => `${reason} ${reason}`),
      [],
      0,
    ]);
  });

  it('keeps what is an error for a reason that it does not know, for the user to see', async () => {
    const { queue, told, idle } = begin([(code) => code, () => 'recorded']);
    for (const reason of ['error of tomorrow', 'warning of tomorrow']) await queue.add(reason);
    await idle();
    expect(told).toHaveLength(2);
    expect(queue.aside.map(({ result }) => result?.reason)).toEqual(['error of tomorrow']);
    await queue.retry();
    await idle();
    expect([told.slice(2), queue.aside]).toEqual([['error of tomorrow recorded'], []]);
  });

  it('keeps what the service has not answered for', async () => {
    const { queue, batches, told, idle } = begin(
      ['hang up', (code) => (code === 'A' ? undefined : 'recorded')],
      {
        delayMs: 10,
      },
    );
    await queue.add('A');
    await queue.add('B');
    await idle();
    expect([batches.at(-1), [...new Set(told)].sort()]).toEqual([
      expect.arrayContaining(['A']),
      ['A recorded', 'B recorded'],
    ]);
  });

  it('tells a result again where the app could not take it', async () => {
    const told: string[] = [];
    const onResult = ({ item }: QueuedScan) => {
      told.push(item.code);
      if (told.length === 2) throw new Error('The disk is full');
    };
    const { queue, batches, idle } = begin(['hang up'], { onResult, delayMs: 10 });
    for (const code of ['A', 'B', 'C']) await queue.add(code);
    await idle();
    expect([told, batches.slice(1)]).toEqual([
      ['A', 'B', 'B', 'C'],
      [
        ['A', 'B', 'C'],
        ['B', 'C'],
      ],
    ]);
  });

  it('keeps nothing that the storage has not, and all that it cannot let go of', async () => {
    const disk = new Disk();
    const { queue, told, idle } = begin([], { storage: disk.open() });
    disk.failure = new Error('The disk is full');
    await expect(queue.add('A')).rejects.toThrow('The disk is full');
    await queue.send();
    expect([queue.state, queue.error]).toEqual(['waiting', disk.failure]);
    disk.failure = undefined;
    await idle();
    expect([queue.waiting, told]).toEqual([0, []]);
    const failing = begin([], {
      storage: disk.open(),
      onResult: () => (disk.failure ??= new Error('The disk is full')),
    });
    await failing.queue.add('B');
    await until(() => failing.queue.state === 'waiting');
    await failing.queue.stop();
    disk.failure = undefined;
    await queue.send();
    expect([told, disk.rows.size]).toEqual([['B recorded'], 0]);
  });

  describe('before a storage that is full', () => {
    const late = (code: string) => (code === 'A' ? 'late' : 'recorded');
    const tooLarge: Step = [413];
    const alone = { name: 'alone', options: {} };
    const shared = { name: 'in turn', options: { exclusively: (send: () => Promise<void>) => send() } };

    /** Has scans, and no room for what the service says of them. */
    async function fill(script: Step[], options: Partial<ScanQueueOptions> = {}) {
      const disk = new Disk();
      const begun = begin(script, { storage: disk.open(), ...options });
      await begun.queue.stop();
      for (const code of ['A', 'B', 'C']) await begun.queue.add(code);
      disk.room = disk.used();
      return { disk, ...begun };
    }

    it.each([alone, shared])(
      'sets aside what is late, and lets go of the rest, $name',
      async ({ options }) => {
        const { disk, queue, told } = await fill(Array(9).fill(late), options);
        await queue.send();
        expect([queue.state, told]).toEqual(['idle', ['A late', 'B recorded', 'C recorded']]);
        expect(disk.scans()).toEqual([expect.objectContaining({ result: queue.aside[0]!.result! })]);
      },
    );

    it.each([alone, shared])('sets aside what is refused, and sends the rest, $name', async ({ options }) => {
      const { disk, queue, batches, told } = await fill([tooLarge, tooLarge], options);
      await queue.send();
      expect([queue.state, told]).toEqual(['idle', ['B recorded', 'C recorded']]);
      expect(batches).toEqual([['A', 'B', 'C'], ['A'], ['B', 'C']]);
      expect(disk.scans()).toEqual([expect.objectContaining({ errors: { scan: ['HTTP 413'] } })]);
      await queue.correct(disk.scans()[0]!.client_id, { code: 'D' });
      await until(() => queue.state === 'idle');
      expect([told.at(-1), disk.rows.size]).toEqual(['D recorded', 0]);
    });

    it('does not put back what is discarded before there is room', async () => {
      const onResult = () => queue.discard(queue.aside.map((scan) => scan.client_id));
      const { disk, queue } = await fill([tooLarge, tooLarge], { onResult });
      await queue.send();
      expect([queue.state, queue.aside, disk.rows.size]).toEqual(['idle', [], 0]);
    });

    it.each([alone, shared])(
      'says that it stays full, and sends it again later, $name',
      async ({ options }) => {
        const { disk, queue, told, idle } = await fill([late, late], options);
        disk.room = 0; // whatever goes
        await queue.send();
        expect([queue.state, queue.error]).toEqual(['waiting', new Error('The disk is full')]);
        disk.room = Infinity;
        await idle();
        expect(queue.aside.map(({ item }) => item.code)).toEqual(['A']);
        await queue.send();
        expect([told.slice(3), disk.scans()]).toEqual([['A late'], queue.aside]);
      },
    );
  });

  it('reads the storage again where that failed', async () => {
    const disk = new Disk();
    const { queue } = begin(['hang up'], { storage: disk.open(), delayMs: 60_000 });
    await queue.add('A');
    await queue.stop();
    disk.failure = new Error('The storage is locked');
    const next = begin([], { storage: disk.open() });
    await next.queue.send();
    await expect(next.queue.add('B')).rejects.toThrow('The storage is locked');
    // It tries again and again meanwhile.
    await until(() => next.queue.state === 'waiting');
    expect(next.queue.waiting).toBe(0);
    disk.failure = undefined;
    await next.idle();
    expect(next.told).toEqual(['A recorded']);
  });

  it('is not idle while somebody else reads the storage', async () => {
    const disk = new Disk();
    const { queue } = begin(['hang up'], { storage: disk.open(), delayMs: 60_000 });
    await queue.add('A');
    await queue.stop();
    const storage = disk.open();
    let reads = 0;
    const load = async () => {
      reads += 1;
      if (reads === 2) await sleep(50);
      if (reads < 3) throw new Error('The storage is locked');
      return storage.load();
    };
    const next = begin([], { storage: { ...storage, load }, delayMs: 1 });
    await next.queue.send();
    // Its pause ends while the scan waits for the storage.
    await expect(next.queue.add('B')).rejects.toThrow('The storage is locked');
    await until(() => next.told.length > 0);
    expect(next.told).toEqual(['A recorded']);
  });

  it('keeps what is added after a storage that could not be read, and nothing that it could not', async () => {
    const disk = new Disk();
    const { queue, told, idle } = begin([], { storage: disk.open() });
    disk.failure = new Error('The storage is locked');
    const lost = await Promise.allSettled([queue.add('A'), queue.add('B')]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    disk.failure = undefined;
    await queue.add('C');
    await idle();
    expect(told).toEqual(['C recorded']);
  });

  describe('that shares its storage', () => {
    /** Turns as by Web Locks. */
    function locks() {
      let last: Promise<unknown> = Promise.resolve();
      const request = (send: () => Promise<void>, signal: AbortSignal) => {
        const turn = last.then(() => (signal.throwIfAborted(), send()));
        last = turn.catch(() => undefined);
        return turn;
      };
      return { request, hold: (held: Promise<unknown>) => (last = held) };
    }

    it('sends each scan once, whoever’s turn it is', async () => {
      const disk = new Disk();
      const { request } = locks();
      const tabs = [1, 2, 3].map(() => begin([], { storage: disk.open(), exclusively: request }));
      await Promise.all(
        tabs.flatMap(({ queue }, tab) => ['A', 'B', 'C'].map((code) => queue.add(`${code}${tab}`))),
      );
      await Promise.all(tabs.map(({ queue }) => queue.send()));
      await until(() => tabs.every(({ queue }) => queue.state === 'idle'));
      const sent = tabs.flatMap(({ batches }) => batches.flat()).sort();
      expect(sent).toEqual(['A0', 'A1', 'A2', 'B0', 'B1', 'B2', 'C0', 'C1', 'C2']);
    });

    it('sends what was added while its turn ended', async () => {
      const { request } = locks();
      const slowly = async (send: () => Promise<void>, signal: AbortSignal) => {
        await request(send, signal);
        await sleep(20);
      };
      const { queue, batches, idle } = begin([], { exclusively: slowly });
      await queue.add('A');
      await until(() => batches.length === 1);
      await queue.add('B');
      await idle();
      expect(batches).toEqual([['A'], ['B']]);
    });

    it('does not put back what another one has discarded or sent', async () => {
      const disk = new Disk();
      const { queue } = begin([[413], [413]], { storage: disk.open() });
      const [discarded, corrected] = [await queue.add('A'), await queue.add('B')];
      await until(() => queue.aside.length === 2);
      const other = begin([], { storage: disk.open() });
      await other.queue.send();
      await queue.discard([discarded.client_id]);
      await queue.correct(corrected.client_id, { code: 'C' });
      await until(() => disk.rows.size === 0);
      expect(other.queue.aside.length).toBe(2);
      await other.queue.correct(discarded.client_id, { code: 'D' });
      await other.queue.correct(corrected.client_id, { code: 'D' });
      await other.idle();
      expect([other.queue.aside, other.batches, disk.rows.size]).toEqual([[], [], 0]);
    });

    it('is stopped while it waits for its turn', async () => {
      const { request, hold } = locks();
      let end = (): void => undefined;
      void hold(new Promise<void>((resolve) => (end = resolve)));
      const { queue, batches } = begin([], { exclusively: request });
      await queue.add('A');
      const stopped = queue.stop();
      end();
      await stopped;
      expect([queue.state, batches]).toEqual(['stopped', []]);
    });
  });

  it('forgets what is discarded while it is sent', async () => {
    const { queue, idle } = begin([() => 'session-closed'], {
      onResult: (scan) => queue.discard([scan.client_id]),
    });
    await queue.add('A');
    await idle();
    expect([queue.aside, queue.waiting]).toEqual([[], 0]);
  });

  it('tells of every change', async () => {
    const seen = new Set<string>();
    const { queue, idle } = begin(['hang up'], {
      onChange: ({ state, waiting }) => seen.add(`${state} ${waiting}`),
    });
    await queue.add('A');
    await idle();
    await queue.stop();
    expect([...seen]).toEqual(expect.arrayContaining(['sending 1', 'waiting 1', 'idle 0', 'stopped 0']));
  });
});

it('Keys differ where Math.random() comes round again', () => {
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const now = jest
    .spyOn(Date, 'now')
    .mockReturnValueOnce(1_800_000_000_000)
    .mockReturnValueOnce(1_800_000_000_001);
  try {
    expect([idempotencyKey(), idempotencyKey()]).toEqual([
      '01a3185c-5000-4888-8888-888888888888',
      '01a3185c-5001-4888-8888-888888888888',
    ]);
  } finally {
    Reflect.deleteProperty(crypto, 'randomUUID'); // that of its class is seen again
    random.mockRestore();
    now.mockRestore();
  }
});
