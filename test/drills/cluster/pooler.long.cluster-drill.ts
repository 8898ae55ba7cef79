import { report } from '../support/report.js';
import { FAILOVER_MS, killPrimary } from './support/breaking.js';
import { Stage } from './support/trial.js';

const stage = Stage.forAll();

describe('reliability-40-pooler', () => {
  it('an instance by PgBouncer in transaction mode: the primary killed loses no scan there either', async () => {
    const { cluster } = stage;
    const url = cluster.urlBy(await cluster.startPooler());
    await cluster.restartInstance(0, { DATABASE_URL: url, DATABASE_POOLER: 'transaction' });
    await cluster.untilReady();
    const { outage, figures } = await killPrimary(stage);
    expect(outage).toBeLessThan(FAILOVER_MS);
    report('reliability-40-pooler', figures);
  });
});
