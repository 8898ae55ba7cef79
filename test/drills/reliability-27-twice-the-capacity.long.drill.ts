import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll } from '../support/process.js';
import { compare } from './support/compare.js';
import type { Acknowledged } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { percentile, report, seconds, tally } from './support/report.js';
import { Service } from './support/service.js';
import { Wire } from './support/wire.js';
import type { Reply } from './support/wire.js';
import { makeWorld } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-27-twice-the-capacity';
const OVERLOAD_MS = 60_000;
const MEASURED_MS = 6000;
const TICK_MS = 5;
const CONNECTIONS = 2000;
const NORMAL_WITHIN_MS = 10_000;
const MEGABYTE = 1024 * 1024;

describe(DRILL, () => {
  let postgres: Postgres;
  let world: World;
  let service: Service;
  let port: number;
  const acknowledged: Acknowledged[] = [];

  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, 50_000, 50);
    service = await Service.start(postgres.url());
    port = Number(new URL(service.url).port);
  });
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
  });

  let asked = 0;
  /** Scans the next code, with the next phone. Null where the wire has no connection free. */
  const scanNext = (wire: Wire): Promise<Reply> | null => {
    const code = world.codes[asked % world.codes.length]!;
    const reply = wire.scan(world.session, world.phones[asked % world.phones.length]!, code);
    if (!reply) return null;
    asked++;
    return reply.then((told) => {
      if (told.status === 200) {
        const { status, scanned_at } = JSON.parse(told.text) as Record<string, string>;
        acknowledged.push({ code, status: status!, scannedAt: scanned_at! });
      }
      return told;
    });
  };

  /** What the service holds in memory. */
  const resident = (): number => {
    const status = fs.readFileSync(`/proc/${service.process.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
  };

  /** Requests a second over so many connections that are always busy. */
  async function capacity(connections: number): Promise<{ rate: number; replies: Reply[] }> {
    const wire = new Wire(port, connections);
    const replies: Reply[] = [];
    const began = performance.now();
    const work = async () => {
      while (performance.now() - began < MEASURED_MS) replies.push((await scanNext(wire))!);
    };
    await Promise.all(Array.from({ length: connections }, work));
    const rate = (replies.length / (performance.now() - began)) * 1000;
    wire.hangUp();
    return { rate, replies };
  }

  it('for 60 s: only 429 and 503 beside the successes, flat memory, and back to normal within 10 s', async () => {
    await capacity(16); // warm
    const normal = await capacity(16);
    expect(tally(normal.replies.map(({ status }) => status))).toEqual({ 200: normal.replies.length });
    const rate = 2 * normal.rate;

    // The phones are there before the rush. Their requests come when they come, whether others are answered or not.
    const wire = new Wire(port, CONNECTIONS);
    while (wire.connections < CONNECTIONS) {
      const asks = Array.from({ length: wire.connections + 50 }, () => scanNext(wire));
      await Promise.all(asks.filter((reply) => reply !== null));
    }
    const replies: Reply[] = [];
    const memory: number[] = [];
    const ready: number[] = [];
    let [offered, turnedAway, isOver] = [0, 0, false];
    const watch = (async () => {
      while (!isOver) {
        memory.push(resident());
        ready.push(await service.health('ready'));
        await sleep(1000);
      }
    })();
    const began = performance.now();
    const pending = new Set<Promise<unknown>>();
    for (let now = began; now - began < OVERLOAD_MS; now = performance.now()) {
      for (const due = ((now - began) / 1000) * rate; offered + turnedAway < due;) {
        const reply = scanNext(wire);
        if (!reply) {
          turnedAway++;
          continue;
        }
        offered++;
        const done = reply.then((told) => replies.push(told)).finally(() => pending.delete(done));
        pending.add(done);
      }
      await sleep(TICK_MS);
    }
    const ended = performance.now();

    // Normal: a second's worth of requests of one phone after the other, each answered 200 at once.
    const calm = new Wire(port, 1);
    for (let good = 0; good < 100;) {
      const { status, ms } = (await scanNext(calm))!;
      good = status === 200 && ms < 100 ? good + 1 : 0;
      if (performance.now() - ended > NORMAL_WITHIN_MS) throw new Error('Not back to normal within 10 s');
    }
    const back = performance.now() - ended;
    await Promise.all(pending);
    isOver = true;
    await watch;
    wire.hangUp();
    calm.hangUp();

    expect(tally(replies.filter(({ status }) => status === 0).map(({ text }) => text))).toEqual({});
    const statuses = tally(replies.map(({ status }) => status));
    expect(Object.keys(statuses).filter((status) => !['200', '429', '503'].includes(status))).toEqual([]);
    // It really was an overload, and refusing was not all that was done in it.
    expect(statuses['503']).toBeGreaterThan(1000);
    expect(statuses['200']).toBeGreaterThan(0.1 * normal.rate * (OVERLOAD_MS / 1000));
    const [early, late] = [memory.slice(10, 25), memory.slice(-15)].map((part) => Math.max(...part));
    expect(late! - early!).toBeLessThan(50 * MEGABYTE);
    expect(Math.max(...memory)).toBeLessThan(600 * MEGABYTE);
    expect(tally(ready)).toEqual({ 200: ready.length });
    await compare(postgres, world.session, acknowledged);

    const ok = replies.filter(({ status }) => status === 200).map(({ ms }) => ms);
    report(
      DRILL,
      `${Math.round(normal.rate)} scans/s alone; ${Math.round(offered / 60)}/s offered for 60 s ` +
        `(${turnedAway} more found ${CONNECTIONS} phones waiting): ` +
        `${JSON.stringify(statuses)}, p99 of the 200s ${seconds(percentile(ok, 99))}, ` +
        `memory ${Math.round(early! / MEGABYTE)} MB after 10 to 25 s, ${Math.round(late! / MEGABYTE)} MB in the last 15, ` +
        `normal ${seconds(back)} after the end`,
    );
  }, 240_000);
});
