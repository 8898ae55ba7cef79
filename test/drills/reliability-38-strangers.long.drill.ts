import fs from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { stopAll, until } from '../support/process.js';
import { Campaign, stopCampaigns } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { percentile, report, seconds, tally } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-38-strangers';
const BOMBS = 120;
const BOMBS_MS = 10_000;
/** Connections that send 64 kB of requests and more, and never read an answer; some of answers that the kernel holds. */
const DEAF = 20;
const DEAF_REQUESTS = ['/openapi.json', '/health/live'].map((path) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(1700),
);
const CLOSED_WITHIN_MS = 45_000;
const MEGABYTE = 1024 * 1024;

describe(DRILL, () => {
  let postgres: Postgres;
  let world: World;
  let service: Service;

  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, 20_000, 20);
    service = await Service.start(postgres.url());
  });
  afterAll(async () => {
    stopCampaigns();
    await stopAll();
    await postgres.remove();
  });

  /** What the service holds in memory. */
  const resident = (): number => {
    const status = fs.readFileSync(`/proc/${service.process.child.pid}/status`, 'utf8');
    return (Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024) / MEGABYTE;
  };
  const port = () => Number(new URL(service.url).port);

  /** 1 kB that would be 1 MiB, without a token. */
  async function throwBombs(): Promise<number[]> {
    const body = gzipSync(`[${'{},'.repeat(349_000)}{}]`);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answers: Promise<number>[] = [];
    for (let n = 0; n < BOMBS; n++) {
      const sent = fetch(`${service.url}/api/v1/suppliers`, { method: 'POST', headers, body });
      answers.push(sent.then(async (answer) => (await answer.arrayBuffer(), answer.status)));
      await sleep(BOMBS_MS / BOMBS);
    }
    return Promise.all(answers);
  }

  /** Sockets of the service towards the deaf ones, of their ports. */
  function held(ports: Set<number>): number {
    const lines = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
    return lines.filter((line) => {
      const [, local = '', remote = '', state] = line.trim().split(/\s+/);
      const [from, to] = [local, remote].map((address) => parseInt(address.split(':')[1] ?? '', 16));
      return from === port() && ports.has(to!) && state === '01'; // established
    }).length;
  }

  it(`${BOMBS} bombs and ${DEAF} that never read do not slow 20 phones that scan`, async () => {
    const campaign = new Campaign(world, world.codes, () => service.url, true);
    const running = campaign.run();
    await sleep(5000); // warm
    const before = resident();
    campaign.times.length = 0;

    const sockets: Socket[] = [];
    const ports = new Set<number>();
    const began = performance.now();
    for (let n = 0; n < DEAF; n++) {
      const socket = connect({ port: port(), host: '127.0.0.1' }).pause();
      socket.on('error', () => undefined);
      socket.on('connect', () => ports.add(socket.localPort!));
      socket.write(DEAF_REQUESTS[n % 4 === 0 ? 1 : 0]!);
      sockets.push(socket);
    }
    await until(() => ports.size === DEAF);
    let most = before;
    let isOver = false as boolean;
    const watch = (async () => {
      while (!isOver) {
        most = Math.max(most, resident());
        await sleep(100);
      }
    })();
    const bombs = await throwBombs();
    await until(() => held(ports) === 0, CLOSED_WITHIN_MS);
    const closed = performance.now() - began;
    isOver = true;
    await watch;
    campaign.stop();
    await running;
    for (const socket of sockets) socket.destroy();

    const p99 = percentile(campaign.times, 99);
    report(
      DRILL,
      `${BOMBS} bombs in 10 s (${JSON.stringify(tally(bombs))}) and ${DEAF} connections that never read, all closed ` +
        `after ${seconds(closed)}: ${campaign.times.length} scans meanwhile, p99 ${Math.round(p99)} ms; ` +
        `${Math.round(before)} MB before, ${Math.round(most)} MB at most`,
    );
    expect(tally(bombs)).toEqual({ 401: BOMBS });
    expect(campaign.failures).toEqual([]);
    expect(closed).toBeLessThan(CLOSED_WITHIN_MS);
    expect(most - before).toBeLessThan(50);
    expect(p99).toBeLessThan(100);
  }, 120_000);
});
