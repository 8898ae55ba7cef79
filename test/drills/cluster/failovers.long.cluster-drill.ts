import { report, seconds } from '../support/report.js';
import { FAILOVER_MS, freezePrimary, killPrimary, killReplica } from './support/breaking.js';
import { Stage } from './support/trial.js';

const stage = Stage.forAll();
const FAILOVERS = 5;
const LIMIT_MS = FAILOVERS * 120_000;

describe('reliability-40-killed-primary', () => {
  it(
    'five times: no acknowledged scan is lost, and scans are acknowledged again within 30 s',
    async () => {
      const outages: number[] = [];
      while (outages.length < FAILOVERS) {
        const { outage, figures } = await killPrimary(stage);
        report('reliability-40-killed-primary', figures);
        outages.push(outage);
      }
      const worst = Math.max(...outages);
      expect(worst).toBeLessThan(FAILOVER_MS);
      report('reliability-40-killed-primary', `worst of ${FAILOVERS}: ${seconds(worst)}`);
    },
    LIMIT_MS,
  );
});

describe('reliability-40-frozen-primary', () => {
  it('the same, and once it is thawed it writes nothing, and no connection of the service is with it', async () => {
    const { outage, figures } = await freezePrimary(stage);
    expect(outage).toBeLessThan(FAILOVER_MS);
    report('reliability-40-frozen-primary', figures);
  });
});

describe('reliability-40-killed-replica', () => {
  it('the replica that every commit waits for killed: another one takes its place', async () => {
    const { outage, figures } = await killReplica(stage);
    expect(outage).toBeLessThan(FAILOVER_MS);
    report('reliability-40-killed-replica', figures);
  });
});
