import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TimeoutError, createClient, retryingFetch } from '../clients/typescript/src/index.js';
import { pause } from '../clients/typescript/src/retry.js';
import { hurryTimers } from './support/clock.js';
import { until } from './support/process.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How the server answers one request: with a status, perhaps asking to wait so many seconds, or not at all. */
type Step = number | [status: number, retryAfter: string] | 'hang up';

let server: Server;
let url: string;
let steps: Step[];
/** What came, as `METHOD body`. */
let seen: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push(`${request.method} ${body}`.trim());
      const step = steps.shift() ?? 200;
      if (step === 'hang up') return request.socket.destroy();
      const [status, retryAfter] = typeof step === 'number' ? [step] : step;
      return response.writeHead(status, retryAfter ? { 'Retry-After': retryAfter } : {}).end(`${status}`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));

const meets = (...script: Step[]) => {
  steps = script;
  seen = [];
};
const send = (path: string, init?: RequestInit, options?: Parameters<typeof retryingFetch>[0]) =>
  retryingFetch({ delayMs: 1, ...options })(new Request(url + path, init));
const post = (path: string, headers: Record<string, string> = {}) =>
  send(path, { method: 'POST', body: 'x', headers });

describe('retryingFetch', () => {
  it('repeats a read that got no answer, 429, 502, 503 or 504', async () => {
    meets('hang up', 429, 502, 503, 504);
    expect(await (await send('/purchases')).text()).toBe('200');
    expect(seen).toEqual(['GET', 'GET', 'GET', 'GET', 'GET', 'GET']);
  });

  it('repeats a creation whose first try is still running', async () => {
    meets('hang up', [409, '0'], [409, '0']);
    expect((await post('/purchases', { 'Idempotency-Key': 'k' })).status).toBe(200);
    expect(seen).toEqual(['POST x', 'POST x', 'POST x', 'POST x']);
  });

  it('repeats a scan and a request with an Idempotency-Key, with their bodies', async () => {
    meets('hang up', 503);
    expect((await post('/inventories/1/scan')).status).toBe(200);
    expect(seen).toEqual(['POST x', 'POST x', 'POST x']);
    meets('hang up', 503);
    expect((await post('/purchases', { 'Idempotency-Key': 'k' })).status).toBe(200);
    expect(seen).toEqual(['POST x', 'POST x', 'POST x']);
  });

  it('sends once what might be done twice', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      meets(503);
      expect((await send('/purchases/1', { method })).status).toBe(503);
      meets('hang up');
      await expect(send('/purchases/1', { method })).rejects.toThrow('fetch failed');
      expect(seen).toEqual([method]);
    }
  });

  it('hands on every other answer', async () => {
    for (const status of [304, 401, 404, 409, 422, 500]) {
      meets(status);
      expect([(await send('/purchases')).status, seen]).toEqual([status, ['GET']]);
    }
  });

  it('gives up with the last answer or error', async () => {
    meets(503, 503, 429);
    expect((await send('/', {}, { tries: 3 })).status).toBe(429);
    meets(503, 'hang up');
    await expect(send('/', {}, { tries: 2 })).rejects.toThrow('fetch failed');
    expect(seen).toEqual(['GET', 'GET']);
  });

  it('waits for as long as the answer says', async () => {
    const answers = [new Response(null, { status: 503, headers: { 'Retry-After': '7' } }), new Response()];
    const fetch = jest.fn(() => Promise.resolve(answers.shift()!));
    jest.useFakeTimers();
    try {
      const answer = retryingFetch({ delayMs: 0, fetch })(new Request(url));
      await jest.advanceTimersByTimeAsync(6999);
      expect(fetch).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(fetch).toHaveBeenCalledTimes(2);
      expect((await answer).status).toBe(200);
    } finally {
      jest.useRealTimers();
    }
  });

  it('hands on an answer that asks for more patience than there is', async () => {
    meets([429, '31']);
    expect((await send('/')).status).toBe(429);
    expect(seen).toEqual(['GET']);
  });

  it('takes a Retry-After that is no number for none', async () => {
    meets([503, 'Fri, 31 Dec 2100 23:59:59 GMT']);
    expect((await send('/')).status).toBe(200);
  });

  it('does not pause once it is aborted', async () => {
    await expect(pause(86_400_000, AbortSignal.abort())).resolves.toBeUndefined();
  });

  it('ends when it is aborted, also while it waits', async () => {
    meets([503, '30']);
    const aborted = new AbortController();
    const answer = send('/', { signal: aborted.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    setTimeout(() => aborted.abort(), 50);
    await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await expect(send('/', { signal: aborted.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(seen).toEqual(['GET']);
  });
});

describe('An answer that comes line by line', () => {
  let server: Server;
  let url: string;
  /** What ends it, once it has begun; nothing does by itself. */
  let end: () => void;
  let tries: number;
  let isGone: boolean;

  beforeAll(async () => {
    server = createServer((request, response) => {
      tries++;
      isGone = false;
      response.on('close', () => (isGone = true));
      const [, type, fate] = /^\/(\w+)\/(\w*)/.exec(request.url!)!;
      const head = { 'Content-Type': TYPES[type!]!, 'X-Request-Id': 'x' };
      if (fate === 'silent' || (fate === 'late' && tries === 1)) return;
      if (fate === 'busy' && tries === 1) return void response.writeHead(503).end();
      response.writeHead(200, head).write('{"id":1}\n');
      end = () => void response.end('{"id":2}\n');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  beforeEach(() => (tries = 0));

  const TYPES: Record<string, string> = {
    lines: 'application/x-ndjson',
    events: 'text/event-stream; charset=utf-8',
    csv: 'text/csv; charset=utf-8',
    json: 'application/json',
  };
  const get = (path: string, { signal = null as AbortSignal | null, timeoutMs = 200 } = {}) =>
    retryingFetch({ delayMs: 1, timeoutMs, tries: 3 })(new Request(url + path, { signal }));
  const linesOf = ({ body }: Response) => {
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    return async () => (await reader.read()).value;
  };

  it.each(['/lines/', '/events/', '/lines/late', '/lines/busy'])(
    '%s is handed over with its head, and takes its time then',
    async (path) => {
      const timeoutMs = 10_000; // which a slow machine does not take
      hurryTimers();
      try {
        const answer = get(path, { timeoutMs });
        if (path.endsWith('late')) {
          await until(() => tries === 1);
          jest.advanceTimersByTime(timeoutMs);
        }
        const line = linesOf(await answer);
        expect(await line()).toBe('{"id":1}\n');
        jest.advanceTimersByTime(2 * timeoutMs);
        end();
        expect(await line()).toBe('{"id":2}\n');
        expect(await line()).toBeUndefined();
        expect(tries).toBe(path.endsWith('/') ? 1 : 2);
      } finally {
        jest.useRealTimers();
      }
    },
  );

  it('ends when it is aborted', async () => {
    const aborted = new AbortController();
    const line = linesOf(await get('/lines/', aborted));
    expect(await line()).toBe('{"id":1}\n');
    // What nobody holds any more must not be what tells it.
    for (let n = 0; n < 5; n++) {
      collectGarbage();
      await sleep(10);
    }
    const next = line();
    aborted.abort();
    await expect(next).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    while (!isGone) await sleep(5);
  });

  it.each(['/lines/silent', '/csv/', '/json/'])('%s has no more than its time else', async (path) => {
    await expect(get(path)).rejects.toThrow(TimeoutError);
    expect(tries).toBe(3);
  });

  it('is read through a client as it comes', async () => {
    const client = createClient({ baseUrl: `${url}/lines` });
    const { data, response } = await client.GET('/api/v1/inventories/{id}/pack', {
      params: { path: { id: 1 } },
      parseAs: 'stream',
    });
    expect(data).toBe(response.body);
    const line = linesOf(response);
    expect(await line()).toBe('{"id":1}\n');
    end();
    expect(await line()).toBe('{"id":2}\n');
  });
});

it('The client has the version of the service and the openapi-fetch that the app uses', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const [root, client] = [read('package.json'), read('clients/typescript/package.json')];
  expect(client).toMatchObject({
    version: root.version,
    engines: root.engines,
    dependencies: { 'openapi-fetch': root.dependencies['openapi-fetch'] },
  });
});
