import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll, until } from '../support/process.js';
import { compare } from './support/compare.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report, seconds } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-23-stopped-database';

describe(DRILL, () => {
  let postgres: Postgres;
  let world: World;
  let service: Service;

  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, 20_000);
    service = await Service.start(postgres.url());
  });
  afterEach(stopCampaigns);
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
  });

  it.each([
    ['stopped', 'SIGINT'],
    ['stopped at once', 'SIGQUIT'],
  ] as const)('%s: 503 within 2 s, and well within 5 s of its return', async (how, signal) => {
    const session = await openSession(postgres);
    const campaign = new Campaign({ ...world, session }, world.codes, () => service.url);
    const running = campaign.run();
    await until(() => campaign.acknowledged.length > 200);
    const stopping = postgres.stop(signal);
    await stopping;
    const stopped = performance.now();
    await sleep(2500);
    expect(await service.health('live')).toBe(200);
    const asked = performance.now();
    expect(await service.health('ready')).toBe(503);
    expect(performance.now() - asked).toBeLessThan(2000);
    // Everything that is not a scan too, one at a time.
    const admin = new Phone(world.admin, () => service.url);
    const others = [
      await admin.send('GET', '/articles'),
      await admin.send('GET', `/scan/${world.codes[0]}`),
      await admin.send('POST', '/articles', { name: 'Écran' }),
      await admin.send('POST', '/inventories', { year: 2026, inventory_date: '2026-11-16' }),
      await admin.send('POST', `/inventories/${session}/close`),
    ];
    expect(others.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    const down = campaign.failures.filter(({ at }) => at > stopped);
    expect(down.length).toBeGreaterThan(100);
    const slowest = Math.max(...[...campaign.failures, ...others].map(({ ms }) => ms));
    expect(slowest).toBeLessThan(2000);

    await postgres.start();
    const back = performance.now();
    const before = campaign.acknowledged.length;
    await until(() => campaign.acknowledged.length > before + 20);
    const resumed = performance.now() - back;
    await until(async () => (await service.health('ready')) === 200);
    const ready = performance.now() - back;
    expect(Math.max(ready, resumed)).toBeLessThan(5000);
    campaign.stop();
    await running;
    admin.hangUp();

    expect(campaign.failures.filter(({ status }) => status !== 503)).toEqual([]);
    await compare(postgres, session, campaign.acknowledged);
    report(
      DRILL,
      `${how}: 503 after ${seconds(slowest)} at most, scans again ${seconds(resumed)} and ready ` +
        `${seconds(ready)} after its return`,
    );
  });
});
