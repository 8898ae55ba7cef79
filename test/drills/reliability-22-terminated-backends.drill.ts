import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll, until } from '../support/process.js';
import { compare } from './support/compare.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { Proxy } from './support/proxy.js';
import { report } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-22-terminated-backends';
const ROUNDS = 10;
/** What is sent so long after the last connection has ended finds new ones. */
const NOTICED_MS = 100;

describe(DRILL, () => {
  let postgres: Postgres;
  let proxy: Proxy;
  let world: World;
  let service: Service;

  beforeAll(async () => {
    postgres = await Postgres.create();
    proxy = await Proxy.to(postgres.port);
    world = await makeWorld(postgres, 20_000);
    service = await Service.start(postgres.url(proxy.port));
  });
  afterEach(stopCampaigns);
  afterAll(async () => {
    await stopAll();
    await proxy.close();
    await postgres.remove();
  });

  /** Resolves when they are gone: a slow machine has some of them go on for a while. */
  async function terminate(): Promise<void> {
    const pids = await postgres.backends();
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, [pids]);
    await until(async () => !(await postgres.backends()).some((pid) => pids.includes(pid)));
  }

  it.each([
    ['every backend terminated', terminate],
    ['every connection cut by the network', () => Promise.resolve(proxy.cut())],
  ])('%s: nothing fails but what was in flight, and the next requests work', async (how, end) => {
    const session = await openSession(postgres);
    const campaign = new Campaign({ ...world, session }, world.codes, () => service.url);
    const running = campaign.run();
    const admin = new Phone(world.admin, () => service.url);
    for (let round = 0; round < ROUNDS; round++) {
      const before = campaign.acknowledged.length;
      await until(() => campaign.acknowledged.length > before + 50);
      await end();
      const ended = performance.now();
      await sleep(2 * NOTICED_MS);
      expect(service.process.errors).toBe(''); // it says here what it dies of
      expect(campaign.failures.filter(({ at }) => at > ended + NOTICED_MS)).toEqual([]);
      expect((await admin.send('GET', `/inventories/${session}`)).status).toBe(200);
      expect(await service.health('ready')).toBe(200);
    }
    campaign.stop();
    await running;
    admin.hangUp();

    expect(service.isAlive).toBe(true);
    expect(campaign.failures.filter(({ status }) => status !== 503)).toEqual([]);
    const failed = campaign.failures.length;
    expect(failed).toBeLessThanOrEqual(ROUNDS * world.phones.length);
    await compare(postgres, session, campaign.acknowledged);
    const all = failed + campaign.acknowledged.length;
    report(DRILL, `${how}, ${ROUNDS} times under load: ${failed} of ${all} scans 503, no other failure`);
  });
});
