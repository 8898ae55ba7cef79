import { connect } from 'node:net';
import { startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { stopAll, until } from '../support/process.js';
import { Bystanders } from './support/bystanders.js';
import { report } from './support/report.js';

const DRILL = 'reliability-28-half-open-connections';
const HALF_OPEN = 500;
const POST = 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** What each connection begins with, what it goes on with every second, and when it must be over, in seconds. */
const KINDS = {
  'nothing at all': { begin: '', more: '', limit: 10 },
  'headers that never end': { begin: 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n', more: 'A: b\r\n', limit: 10 },
  'a body that never ends': { begin: `${POST}Content-Length: 1000\r\n\r\n{`, more: ' ', limit: 30 },
  'chunks that never end': {
    begin: `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    more: '1\r\n \r\n',
    limit: 30,
  },
};
/** Beyond the limit: it is looked at every second, a second is for reading why, and this machine may be busy. */
const MARGIN = 5;

type Kind = keyof typeof KINDS;

interface Over {
  kind: Kind;
  seconds: number;
  answer: string;
}

/** A connection that is never closed by its client; resolves once the server ends it. */
function halfOpen(port: number, kind: Kind): Promise<Over> {
  const { begin, more } = KINDS[kind];
  return new Promise((resolve) => {
    const start = performance.now();
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(begin));
    const trickle = setInterval(() => socket.writable && socket.write(more), 1000);
    const over = () => {
      clearInterval(trickle);
      resolve({ kind, seconds: (performance.now() - start) / 1000, answer });
    };
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => undefined); // reset, once it writes on
    socket.on('end', over).on('close', over);
  });
}

describe(DRILL, () => {
  let test: TestApp;
  let bystanders: Bystanders;

  beforeAll(async () => {
    test = await startApp();
    bystanders = await Bystanders.start(test);
  });
  afterAll(async () => {
    await stopAll();
    await test.stop();
  });

  /** Files and sockets that the service has open. */
  async function openFiles(): Promise<number> {
    const { text } = await new Client(bystanders.url).get('//metrics');
    return Number(/^process_open_fds (\d+)$/m.exec(text)?.[1]);
  }

  it(`${HALF_OPEN} are dropped in time, and the others are served meanwhile`, async () => {
    const before = await openFiles();
    const kinds = Object.keys(KINDS) as Kind[];
    let over: Over[] = [];
    let most = 0;
    const attack = async () => {
      const port = Number(new URL(bystanders.url).port);
      const attacks = Array.from({ length: HALF_OPEN }, (_, n) => halfOpen(port, kinds[n % kinds.length]!));
      await until(async () => (most = await openFiles()) >= before + HALF_OPEN);
      over = await Promise.all(attacks);
    };
    const looks = await bystanders.during(attack);
    for (const { kind, seconds, answer } of over) {
      const { limit, begin } = KINDS[kind];
      expect([kind, seconds > limit - 1, seconds < limit + MARGIN]).toEqual([kind, true, true]);
      expect(answer).toMatch(begin === '' ? /^$/ : /^HTTP\/1\.1 400 [^]*"type":"\/problems\/bad-request"/);
    }
    expect(looks.statuses).toEqual([200]);
    expect(looks.count).toBeGreaterThan(HALF_OPEN);
    // Gone here too, though their clients have never closed them.
    await until(async () => (await openFiles()) < before + HALF_OPEN / 10);
    const slowest = (which: Over[]) => Math.max(...which.map(({ seconds }) => seconds)).toFixed(1);
    const [headers, bodies] = [10, 30].map((limit) =>
      slowest(over.filter(({ kind }) => KINDS[kind].limit === limit)),
    );
    report(
      DRILL,
      `${most - before} open: headers dropped after ${headers} s, bodies after ${bodies} s; ` +
        `${looks.count} look-ups meanwhile, p99 ${looks.p99} ms`,
    );
  }, 120_000);
});
