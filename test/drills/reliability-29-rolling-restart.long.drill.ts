import { freePort } from '../../src/database/embedded/free-port.js';
import { stopAll, until } from '../support/process.js';
import { begin, rollbackAll } from '../support/transactions.js';
import { Balancer } from './support/balancer.js';
import { compare } from './support/compare.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report, seconds } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-29-rolling-restart';
/** What orchestrators give. */
const LIMIT_MS = 30_000;

describe(DRILL, () => {
  let postgres: Postgres;
  let world: World;
  const ports: number[] = [];
  const services: Service[] = [];
  const urls = () => ports.map((port) => `http://127.0.0.1:${port}`);

  const start = async (n: number) => {
    const settings = { PORT: String(ports[n]), SHUTDOWN_DELAY_MS: '1500' };
    services[n] = await Service.start(postgres.url(), settings);
  };

  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, 20_000);
    ports.push(await freePort(), await freePort());
    await Promise.all([start(0), start(1)]);
  });
  afterEach(async () => {
    stopCampaigns();
    await rollbackAll();
  });
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
  });

  /** Restarts one after the other, each when the one before is ready; resolves to the longest time to its end. */
  async function restartAll(isTaken: (n: number) => boolean): Promise<number> {
    let longest = 0;
    for (const n of [0, 1]) {
      const began = performance.now();
      const ended = services[n]!.stop('SIGTERM');
      await until(async () => (await services[n]!.health('ready')) === 503);
      // Not ready, and yet it answers: nobody is turned away before the balancer has noticed.
      expect(await services[n]!.health('live')).toBe(200);
      expect(await ended).toBe(0);
      longest = Math.max(longest, performance.now() - began);
      await start(n);
      await until(() => isTaken(n));
    }
    return longest;
  }

  it('behind a balancer that asks for readiness: not one failed request', async () => {
    const session = await openSession(postgres);
    const balancer = await Balancer.before(urls());
    const campaign = new Campaign({ ...world, session }, world.codes, () => balancer.url, true);
    const running = campaign.run();
    await until(() => campaign.acknowledged.length > 200);
    const longest = await restartAll((n) => balancer.isReady(urls()[n]!));
    const before = campaign.acknowledged.length;
    await until(() => campaign.acknowledged.length > before + 200);
    campaign.stop();
    await running;
    await balancer.close();
    expect(campaign.failures).toEqual([]);
    expect(longest).toBeLessThan(LIMIT_MS);
    await compare(postgres, session, campaign.acknowledged);
    report(
      DRILL,
      `two instances behind a balancer: ${campaign.acknowledged.length} requests, 0 failed; ` +
        `${seconds(longest)} from SIGTERM to the end, 1.5 s of it for the balancer`,
    );
  });

  it('phones that keep their connection to one of two: they are told, and go to the other without a failure', async () => {
    const session = await openSession(postgres);
    const campaign = new Campaign({ ...world, session }, world.codes, () => urls()[0]!, true);
    let moves = 0;
    campaign.onTold = (phone, { closes }) => {
      if (!closes) return;
      moves++;
      const [here] = urls().filter((url) => url === phone.url());
      const [other] = urls().filter((url) => url !== here);
      phone.url = () => other!;
    };
    const running = campaign.run();
    await until(() => campaign.acknowledged.length > 200);
    await restartAll(() => true);
    campaign.stop();
    await running;
    expect(campaign.failures).toEqual([]);
    expect(moves).toBe(2 * world.phones.length);
    await compare(postgres, session, campaign.acknowledged);
    report(
      DRILL,
      `phones on kept connections: ${campaign.acknowledged.length} requests, 0 failed, ` +
        `${moves} connections ended by their answer`,
    );
  });

  it('what is in flight at SIGTERM is finished, even without a time for the balancer', async () => {
    const alone = await Service.start(postgres.url());
    const admin = new Phone(world.admin, () => alone.url);
    const holder = await begin({ url: postgres.url() });
    await holder.query(`SELECT FROM articles WHERE id = 1 FOR UPDATE`);
    const changing = admin.send('PATCH', '/articles/1', { name: 'changed in flight' });
    await until(
      async () =>
        (await postgres.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length > 0,
    );
    const ended = alone.stop('SIGTERM');
    await until(async () => (await alone.health('live')) === 0); // the port is closed
    expect(alone.isAlive).toBe(true);
    await holder.end('ROLLBACK');
    expect((await changing).status).toBe(200);
    const answered = performance.now();
    expect(await ended).toBe(0);
    report(
      DRILL,
      `in flight at SIGTERM: finished, the end ${seconds(performance.now() - answered)} after its answer`,
    );
    admin.hangUp();
  });
});
