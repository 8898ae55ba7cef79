import { report, seconds } from '../support/report.js';
import { Stage } from './support/trial.js';

const stage = Stage.forAll();
/** Within this, phones go on when HAProxy was restarted. */
const RESTART_MS = 2000;

describe('reliability-41-rolling-restart', () => {
  it('all three instances, one after the other: not one failed request', async () => {
    const { cluster } = stage;
    const trial = await stage.trial('behind HAProxy');
    for (const n of cluster.instances.keys()) {
      expect(await cluster.instances[n]!.stop('SIGTERM')).toBe(0);
      await cluster.startInstance(n);
      await cluster.untilReady();
    }
    const readyAfter = await trial.isWell();
    expect(trial.crew.failures).toEqual([]);
    await trial.expectKept([]);
    report(
      'reliability-41-rolling-restart',
      `three instances anew in ${seconds(readyAfter)}: none of ${trial.crew.acknowledged.length} scans failed`,
    );
  });
});

describe('reliability-41-balancer', () => {
  it('HAProxy restarted, in front of the service and of the database: phones go on within 2 s', async () => {
    const { cluster } = stage;
    const trial = await stage.trial('behind HAProxy');
    trial.began = performance.now();
    await cluster.haproxy.restart();
    const restarted = performance.now() - trial.began;
    const readyAfter = await trial.isWell();
    const outage = trial.crew.outage(trial.began);
    expect(outage).toBeLessThan(RESTART_MS);
    await trial.expectKept([503]);
    report(
      'reliability-41-balancer',
      `HAProxy killed and started anew within ${seconds(restarted)}: nobody served for ${seconds(outage)}, all ` +
        `instances ready after ${seconds(readyAfter)}; failed and sent again: ${JSON.stringify(trial.failures)}`,
    );
  });
});
