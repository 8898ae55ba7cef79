import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/process.js';
import { report, seconds } from '../support/report.js';
import { Stage } from './support/trial.js';

const stage = Stage.forAll();
/** The lease of the primary, and what Patroni needs to notice. */
const NOTICED_MS = 40_000;
const WELL_MS = 60_000;
/** How long the majority stays away once there is no primary. */
const AWAY_MS = 5000;

describe('reliability-43-etcd-leader', () => {
  it('killed: scans go on, and nobody fails', async () => {
    const { cluster } = stage;
    const trial = await stage.trial('direct');
    const primary = await cluster.primary();
    const leader = await cluster.etcd.leader();
    trial.began = performance.now();
    await leader.program.kill();
    // Longer than the lease of the primary, which it has to renew with the others.
    await sleep(25_000);
    expect(await cluster.primary()).toBe(primary);
    leader.program.start();
    await trial.isWell();
    expect(trial.crew.failures).toEqual([]);
    await trial.expectKept([]);
    report(
      'reliability-43-etcd-leader',
      `killed for 25 s: none of ${trial.crew.acknowledged.length} scans failed, the same primary, ` +
        `the longest pause of all phones ${seconds(trial.crew.outage(trial.began))}`,
    );
  });
});

describe('reliability-43-etcd-majority', () => {
  it('frozen: nobody may write, which is 503; all is well by itself after the thaw', async () => {
    const { cluster } = stage;
    const trial = await stage.trial('direct');
    const leader = await cluster.etcd.leader();
    const [other] = cluster.etcd.members.filter((member) => member !== leader);
    const frozen = [leader, other!];
    trial.began = performance.now();
    frozen.forEach(({ program }) => program.signal('SIGSTOP'));
    await until(async () => (await cluster.health()).every((status) => status === 503), NOTICED_MS);
    const noticed = performance.now() - trial.began;
    const hasPrimary = () => cluster.primary().then(Boolean, () => false);
    await until(async () => !(await hasPrimary()), NOTICED_MS);
    const before = trial.crew.acknowledged.length;
    await sleep(AWAY_MS);
    expect(trial.crew.acknowledged).toHaveLength(before);

    const thawed = performance.now();
    frozen.forEach(({ program }) => program.signal('SIGCONT'));
    const readyAfter = trial.began + (await trial.isWell()) - thawed;
    expect(readyAfter).toBeLessThan(WELL_MS);
    await cluster.untilWhole();
    await trial.expectKept([503]);
    report(
      'reliability-43-etcd-majority',
      `frozen: all instances 503 after ${seconds(noticed)}; thawed: ready after ${seconds(readyAfter)}; ` +
        `none lost, none twice, failed and sent again: ${JSON.stringify(trial.failures)}`,
    );
  });
});
