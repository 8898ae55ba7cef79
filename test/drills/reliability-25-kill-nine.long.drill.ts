import { freePort } from '../../src/database/embedded/free-port.js';
import { stopAll, until } from '../support/process.js';
import { compare } from './support/compare.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report, tally } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-25-kill-nine';
const SCANS = 10_000;
/** After so many scans. */
const KILLS = [2000, 5000, 8000];

describe(DRILL, () => {
  let postgres: Postgres;
  let world: World;
  let service: Service;
  let port: string;

  const startService = async () => {
    service = await Service.start(postgres.url(), { PORT: port });
  };

  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, SCANS);
    port = String(await freePort());
    await startService();
  });
  afterEach(stopCampaigns);
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
  });

  const killService = async () => {
    await service.stop('SIGKILL');
    await startService();
  };
  const killPostgres = async () => {
    await postgres.stop('SIGKILL');
    await postgres.start();
  };
  const killBoth = async () => {
    await Promise.all([service.stop('SIGKILL'), postgres.stop('SIGKILL')]);
    await postgres.start();
    await startService();
  };

  it.each([
    ['the service', killService],
    ['PostgreSQL', killPostgres],
    ['both', killBoth],
  ])(
    '%s, in the middle of 10 000 scans: every answered scan is there, and none twice',
    async (what, kill) => {
      const session = await openSession(postgres);
      const campaign = new Campaign({ ...world, session }, world.codes, () => `http://127.0.0.1:${port}`);
      const running = campaign.run();
      for (const count of KILLS) {
        await until(() => campaign.acknowledged.length >= count, 120_000);
        await kill();
      }
      await running;

      expect(await compare(postgres, session, campaign.acknowledged)).toBe(SCANS);
      expect(campaign.acknowledged).toHaveLength(SCANS);
      // While there is nobody to answer, there is no answer; all others are 503.
      expect(campaign.failures.filter(({ status }) => status !== 0 && status !== 503)).toEqual([]);
      const admin = new Phone(world.admin, () => service.url);
      const { body } = await admin.send('GET', `/inventories/${session}`);
      admin.hangUp();
      expect(body.progress).toEqual({ scanned: SCANS, total: SCANS, percentage: 100 });
      const { success = 0, warning = 0 } = tally(campaign.acknowledged.map(({ status }) => status));
      report(
        DRILL,
        `${what}, ${KILLS.length} times in ${SCANS} scans: none lost, none twice ` +
          `(${success} told “success”, ${warning} whose success was lost on the way)`,
      );
    },
  );
});
