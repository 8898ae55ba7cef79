import { pbkdf2 } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { stopClock } from './support/clock.js';
import { factories } from './support/factories.js';
import { until } from './support/process.js';
import { PDF, upload } from './support/upload.js';

/** A connection by hand, and what came back on it. */
interface Wire {
  socket: Socket;
  received: string;
  isOver: boolean;
}

function open(test: TestApp, localAddress = '127.0.0.1'): Wire {
  const socket = connect({ port: Number(new URL(test.url).port), host: '127.0.0.1', localAddress });
  const wire: Wire = { socket, received: '', isOver: false };
  socket.on('data', (data) => (wire.received += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (wire.isOver = true));
  return wire;
}

const statuses = ({ received }: Wire): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

/** What is answered to these bytes before the connection ends, or to so many requests. */
async function answered(test: TestApp, bytes: string | Buffer, count?: number): Promise<number[]> {
  const wire = open(test);
  wire.socket.write(bytes);
  await until(() => wire.isOver || (count !== undefined && statuses(wire).length >= count));
  wire.socket.destroy();
  return statuses(wire);
}

const HEALTH = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const GARBAGE = 'GARBAGE\r\n\r\n';

function post(test: TestApp, path: string, body: string, ...headers: string[]): string {
  const lines = [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${test.as('manager').token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
const article = (name: string) => JSON.stringify({ name });

afterEach(() => void jest.useRealTimers());

describe('A connection', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startApp();
  });
  afterAll(() => test.stop());

  const named = async (name: string): Promise<number> =>
    (await test.as('manager').get(`/articles?search=${encodeURIComponent(name)}`)).body.meta.total;

  it.each([
    ['garbage', GARBAGE],
    [
      'a request that breaks off',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
    ],
    ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an endless address', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('reliability-38-in-their-order: what was carried out is answered before %s', async (kind, bytes) => {
    const requests = [`before ${kind} 1`, `before ${kind} 2`].map((name) =>
      post(test, '/articles', article(name)),
    );
    const last = kind === 'an endless address' ? 414 : 400;
    expect(await answered(test, requests.join('') + bytes)).toEqual([201, 201, last]);
    expect(await named(`before ${kind}`)).toBe(2);
    // Also when it comes later.
    const wire = open(test);
    wire.socket.write(requests[0]!);
    await until(() => statuses(wire).length === 1);
    wire.socket.write(bytes);
    await until(() => wire.isOver);
    expect(statuses(wire)).toEqual([201, last]);
  });

  it('reliability-38-in-their-order: nothing is carried out behind garbage, or behind an end', async () => {
    const behind = post(test, '/articles', article('behind'));
    expect(await answered(test, GARBAGE + behind)).toEqual([400]);
    const last = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await answered(test, last + behind)).toEqual([200]);
    expect(await named('behind')).toBe(0);
  });

  it('answers requests in their order, and begins none before the one ahead of it is answered', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `in order ${String(n).padStart(2, '0')}`);
    const requests = names.map((name) => post(test, '/articles', article(name)));
    expect(await answered(test, requests.join(''), names.length)).toEqual(names.map(() => 201));
    const { data } = (await test.as('manager').get('/articles?search=in+order&per_page=100')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('goes on after a refused request whose body was not read', async () => {
    const refused = post(test, '/articles', 'x'.repeat(100_000)).replace(/Bearer .*/, 'Bearer x');
    expect(await answered(test, refused + HEALTH, 2)).toEqual([401, 200]);
    const head = refused.slice(0, refused.indexOf('\r\n\r\n') + 4);
    const wire = open(test);
    wire.socket.write(head);
    await until(() => statuses(wire).length === 1); // answered before any of it has come
    wire.socket.write(refused.slice(head.length) + HEALTH);
    await until(() => statuses(wire).length === 2);
    expect(statuses(wire)).toEqual([401, 200]);
    wire.socket.destroy();
  });

  it('takes a file that comes slowly, as over a weak network, and gives up one that does not come', async () => {
    stopClock('performance');
    const slow = await startApp({}, test.database);
    const path = `/purchases/${(await factories(slow).purchase()).id}/attachments`;
    const begin = (length: number) =>
      post(slow, path, '').replace(
        /application\/json[^]*/,
        `multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`,
      );
    const form = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
      PDF,
      Buffer.alloc(3_000_000, ' '),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const taken: Socket[] = [];
    slow.app.getHttpServer().on('connection', (socket: Socket) => taken.push(socket));
    const [photo, nothing] = [open(slow), open(slow)];
    photo.socket.write(begin(form.length));
    nothing.socket.write(begin(form.length) + '--x\r\n');
    photo.socket.write(form.subarray(0, 2_500_000));
    // Of both: what counts is what the service has read.
    await until(() => taken.length === 2 && taken.every(({ bytesRead }) => bytesRead > 0));
    await until(() => taken.some(({ bytesRead }) => bytesRead >= 2_500_000));
    jest.advanceTimersByTime(60_000);
    await until(() => nothing.isOver);
    expect([statuses(nothing), statuses(photo)]).toEqual([[503], []]);
    await sleep(1500); // looked at again
    photo.socket.write(form.subarray(2_500_000));
    await until(() => statuses(photo).length === 1);
    expect(statuses(photo)).toEqual([201]);
    photo.socket.destroy();
    await slow.stop();
  });

  it.each([
    ['chunks without end', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n', '1\r\nx\r\n'],
    ['a body of 10 GB', 'Content-Length: 10000000000\r\n\r\nx', 'x'],
    ['a body that waits to be asked for', 'Expect: 100-continue\r\nContent-Length: 10\r\n\r\n', ''],
  ])('ends with the answer to a stranger with %s', async (_, begin, more) => {
    const wire = open(test);
    wire.socket.write(
      `POST /api/v1/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${begin}`,
    );
    await until(() => statuses(wire).length === 1);
    expect(wire.received).toMatch(/\r\nConnection: close\r\n/);
    const trickle = setInterval(() => wire.socket.write(more), 50);
    await until(() => wire.isOver, 5000).finally(() => clearInterval(trickle));
    expect(statuses(wire)).toEqual([401]);
  });

  it('asks for a body that waits to be asked for, once it is known who sends it', async () => {
    const body = article('asked for');
    const whole = post(test, '/articles', body, 'Expect: 100-continue');
    const wire = open(test);
    wire.socket.write(whole.slice(0, -body.length));
    await until(() => statuses(wire).length === 1);
    wire.socket.write(body);
    await until(() => statuses(wire).length === 2);
    expect(statuses(wire)).toEqual([100, 201]);
    wire.socket.destroy();
  });

  it('answers a refused upload of 1 MiB to a client that reads only when all is sent', async () => {
    const request = post(test, '/articles', 'x'.repeat(1_048_576)).replace(/Bearer .*/, 'Bearer x');
    const wire = open(test);
    wire.socket.pause();
    await new Promise((resolve) => wire.socket.write(request, resolve));
    wire.socket.resume();
    await until(() => statuses(wire).length === 1);
    expect(statuses(wire)).toEqual([401]);
    wire.socket.destroy();
  });

  it('reliability-37-unread-bodies: a bomb of a stranger is answered before it is inflated', async () => {
    const bomb = gzipSync(`[${'{},'.repeat(349_000)}{}]`);
    const head = `POST /api/v1/suppliers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    expect(await answered(test, head, 1)).toEqual([401]); // without any of it
    expect(await answered(test, Buffer.concat([Buffer.from(head), bomb, Buffer.from(HEALTH)]), 2)).toEqual([
      401, 200,
    ]);
    const manager = { authorization: `Bearer ${test.as('manager').token}`, 'content-encoding': 'gzip' };
    const headers = { 'content-type': 'application/json', ...manager };
    const answer = await fetch(`${test.url}/api/v1/suppliers`, { method: 'POST', headers, body: bomb });
    expect(answer.status).toBe(422); // too many values, and none of them made
  });

  it('reliability-38-unread-answers: thousands of requests and no reader hold few of them in memory', async () => {
    const wires = Array.from({ length: 20 }, () => open(test));
    for (const { socket } of wires) {
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1700));
    }
    await sleep(1000);
    expect((await test.anonymous.get('//health/live')).status).toBe(200);
    // Past what may wait in all, connections are cut: then nothing is answered behind the first few.
    for (const { socket } of wires) socket.resume();
    await until(() => wires.filter(({ isOver }) => isOver).length >= 18);
    const counts = wires.filter(({ isOver }) => isOver).map((wire) => statuses(wire).length);
    expect(Math.max(...counts)).toBeLessThan(1700);
    expect(wires.every((wire) => statuses(wire).every((status) => status === 200))).toBe(true);
    for (const { socket } of wires) socket.destroy();
  });
});

describe('reliability-38-connections: connections', () => {
  const answer = (wire: Wire): Promise<void> => until(() => wire.isOver || statuses(wire).length === 1);
  const ask = async (test: TestApp, request: string, from?: string): Promise<Wire> => {
    const wire = open(test, from);
    wire.socket.write(request);
    await answer(wire);
    return wire;
  };
  const ME = 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n';

  it('above MAX_CONNECTIONS are told to come back, but for health checks', async () => {
    const test = await startApp({ MAX_CONNECTIONS: '10' });
    const wires = Array.from({ length: 10 }, () => open(test));
    for (const wire of wires) wire.socket.write(ME);
    await Promise.all(wires.map(answer));
    for (const request of [ME, ME.replace('/api/v1/me', '/openapi.json')]) {
      const refused = await ask(test, request);
      expect(statuses(refused)).toEqual([503]);
      expect(refused.received).toMatch(/\r\nRetry-After: 1\r\n/);
      await until(() => refused.isOver);
    }
    // However many stand in the way.
    const idle = Array.from({ length: 150 }, () => open(test));
    expect(statuses(await ask(test, HEALTH))).toEqual([200]);
    expect(statuses(await ask(test, HEALTH.replace('live', 'ready')))).toEqual([200]);
    await until(() => idle.filter(({ isOver }) => isOver).length >= 50);
    await until(() => idle.every(({ isOver }) => isOver), 10_000);
    wires[0]!.socket.write(ME); // those who were there before go on
    await until(() => statuses(wires[0]!).length === 2);
    wires[1]!.socket.destroy();
    await until(async () => statuses(await ask(test, ME))[0] === 401);
    for (const { socket } of wires) socket.destroy();
    await test.stop();
  });

  it('of one address have a limit of their own, where no proxy stands in front', async () => {
    for (const proxies of [0, 1]) {
      const test = await startApp({ MAX_CONNECTIONS_PER_ADDRESS: '1000', TRUST_PROXY: String(proxies) });
      const wires = Array.from({ length: 1000 }, () => open(test));
      for (const { socket } of wires) socket.write(HEALTH);
      const isDone = () => wires.every(({ received, isOver }) => received !== '' || isOver);
      while (!isDone()) await sleep(50);
      expect(wires.every((wire) => statuses(wire)[0] === 200 && !wire.isOver)).toBe(true);
      expect(statuses(await ask(test, ME))).toEqual([proxies ? 401 : 503]);
      expect(statuses(await ask(test, HEALTH))).toEqual([200]);
      expect(statuses(await ask(test, ME, '127.0.0.2'))).toEqual([401]);
      for (const { socket } of wires) socket.destroy();
      await test.stop();
    }
  }, 120_000);
});

describe('A request that breaks off while it is answered', () => {
  const CHUNKED = 'Transfer-Encoding: chunked';
  const BROKEN = 'ZZ\r\n';
  const get = (path: string, token: string) =>
    `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: gzip\r\n${CHUNKED}\r\n\r\n`;
  /** Has Node's four threads be busy, which pack answers and read files. */
  const busy = () =>
    Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('x', 'y', 400_000, 32, 'sha512')));

  it('is told so once, though it was about to be told to come back', async () => {
    const test = await startApp({ MAX_CONNECTIONS: '10' });
    const wires = Array.from({ length: 10 }, () => open(test));
    for (const wire of wires) wire.socket.write(HEALTH);
    await until(() => wires.every((wire) => statuses(wire).length === 1));
    const login = `POST /api/v1/login HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\n${BROKEN}`;
    for (let n = 0; n < 3; n++) expect(await answered(test, login)).toEqual([400]);
    expect(await answered(test, login.slice(0, login.indexOf(CHUNKED)) + '\r\n', 1)).toEqual([503]);
    for (const { socket } of wires) socket.destroy();
    await test.stop();
  });

  it('is told so once, though a list was being packed for it, or a file was about to be read', async () => {
    const test = await startApp();
    const make = factories(test);
    const { id } = await make.purchase();
    for (let n = 0; n < 10; n++) await make.brand({ name: `Packed ${n} ${'x'.repeat(200)}` });
    const token = test.as('manager').token!;
    const file = (await upload(test.as('manager'), `/purchases/${id}/attachments`, PDF)).body;
    for (const path of ['/brands?per_page=200', `/attachments/${file.id}`, '/brands?format=csv']) {
      expect((await test.as('manager').get(path)).status).toBe(200);
      const working = busy();
      const wire = open(test);
      wire.socket.write(get(path, token));
      await sleep(100);
      wire.socket.write(BROKEN);
      await until(() => wire.isOver);
      await working;
      expect(wire.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
      expect(wire.received).not.toMatch(/\r\ncontent-(encoding|disposition)/i);
    }
    await until(() => !openFiles().some((name) => name.includes('/files/')));
    expect((await test.as('manager').get('/brands')).status).toBe(200);
    await test.stop();
  });
});

/** Where the system tells what a process has open. */
function openFiles(): string[] {
  try {
    return readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ''; // it was closed meanwhile
      }
    });
  } catch {
    return [];
  }
}

describe('Connections that have asked nothing', () => {
  it.each([
    ['that say nothing, as browsers open them in advance', ''],
    ['that stop in the middle of a head', 'GET /health/live HTTP/1.1\r\nHos'],
  ])('do not hold up a stop: %s', async (_, said) => {
    const test = await startApp();
    const wire = open(test);
    await new Promise((resolve) => wire.socket.once('connect', resolve));
    wire.socket.write(said);
    await answered(test, HEALTH, 1); // by now it was accepted
    await test.stop();
    await until(() => wire.isOver);
    expect(wire.received).toBe(''); // it was not the limit of a head that has ended it, which is told
  });
});
