import { report, tally } from '../support/report.js';
import { FAILOVER_MS, killPrimary, SWITCHOVER_MS, switchOver } from './support/breaking.js';
import { Stage } from './support/trial.js';

const stage = Stage.forAll();

describe('reliability-41-planned', () => {
  it('a switchover: scans are acknowledged again within 10 s', async () => {
    const { outage, figures } = await switchOver(stage);
    expect(outage).toBeLessThan(SWITCHOVER_MS);
    report('reliability-41-planned', figures);
  });

  it('an instance killed loses no scan, and one that is told to end fails nobody', async () => {
    const { cluster } = stage;
    const trial = await stage.trial('behind HAProxy');
    const { crew } = trial;
    await cluster.instances[0]!.stop('SIGKILL');
    await crew.isWholeSince(performance.now());
    const failed = [...crew.failures];
    const begun = cluster.startInstance(0);

    const before = crew.acknowledged.length;
    expect(await cluster.instances[1]!.stop('SIGTERM')).toBe(0);
    await crew.isWholeSince(performance.now());
    const meanwhile = crew.acknowledged.length - before;
    await Promise.all([begun, cluster.startInstance(1)]);
    await trial.isWell();
    expect(crew.failures.slice(failed.length)).toEqual([]);
    // What was with the instance that died may be answered by HAProxy.
    await trial.expectKept([502]);
    const kinds = tally(failed.map(({ status, error }) => error ?? status));
    report(
      'reliability-41-planned',
      `one of three instances killed: none lost, none twice, ${JSON.stringify(kinds)} sent again; ` +
        `another one ended by SIGTERM: none of ${meanwhile} failed`,
    );
  });
});

describe('reliability-40-failover', () => {
  it('the primary killed: no acknowledged scan is lost, and scans are acknowledged again within 30 s', async () => {
    const { outage, figures } = await killPrimary(stage);
    expect(outage).toBeLessThan(FAILOVER_MS);
    report('reliability-40-failover', figures);
  });
});
