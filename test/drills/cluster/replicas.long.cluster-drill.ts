import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/process.js';
import { report, seconds } from '../support/report.js';
import { SWITCHOVER_MS } from './support/breaking.js';
import type { Node } from './support/node.js';
import { READERS, stopReaders } from './support/readers.js';
import type { Readers } from './support/readers.js';
import { Stage } from './support/trial.js';
import type { Trial } from './support/trial.js';

const PURCHASES = 20_000;
const stage = Stage.forAll(PURCHASES);
const KILLS = 5;
const LIMIT_MS = KILLS * 120_000;
const LAG_S = 30;
const PATIENCE_MS = 60_000;

beforeAll(async () => {
  const { cluster } = stage;
  const DATABASE_REPLICA_URL = cluster.urlBy(cluster.haproxy.replicas);
  for (const n of cluster.instances.keys()) await cluster.restartInstance(n, { DATABASE_REPLICA_URL });
  await cluster.untilReady();
});
afterEach(stopReaders);

/** How many were read there since the instances began. */
const readsOn = (server: 'primary' | 'replica') =>
  stage.cluster.figure(`database_long_reads_total\\{server="${server}"\\}`);

/** Breaks something while phones scan and others read, and has all be well again. Resolves to the figures. */
async function whileReading(
  fail: (readers: Readers, trial: Trial) => Promise<void>,
  /** Whether there is no primary for a moment. */
  isAway = false,
): Promise<{ longest: number; figures: string }> {
  const { cluster } = stage;
  const trial = await stage.trial('behind HAProxy');
  const readers = stage.readers(trial);
  await readers.goOn();
  const before = { replica: await readsOn('replica'), primary: await readsOn('primary') };
  trial.began = performance.now();
  readers.longest = 0;
  await fail(readers, trial);
  await cluster.untilWhole();
  const whole = await readsOn('replica');
  await until(async () => (await readsOn('replica')) > whole, PATIENCE_MS);
  await trial.isWell();
  await readers.stop();
  const [replica, primary] = [await readsOn('replica'), await readsOn('primary')];
  await trial.expectKept([503]);
  await readers.expectRight(await cluster.primary());
  // While nobody can say what is acknowledged.
  const refused = readers.failures.filter((failure) => isAway && failure.endsWith(': 503'));
  expect(readers.failures.filter((failure) => !refused.includes(failure))).toEqual([]);
  expect(readers.brokenOff).toBeLessThanOrEqual(READERS);
  const figures =
    `${readers.count} answers were right, ${replica - before.replica} of a replica, ${primary - before.primary} of the ` +
    `primary, the longest took ${seconds(readers.longest)}; ${readers.brokenOff} broke off and were asked for again, ` +
    `${refused.length} were 503; ${trial.crew.acknowledged.length} scans acknowledged, failed and sent again: ` +
    JSON.stringify(trial.failures);
  return { longest: readers.longest, figures };
}

describe('reliability-42-killed-replica', () => {
  it(
    'five times, in turn one that no commit waits for and the one that they do: reading goes on without an error',
    async () => {
      const { cluster } = stage;
      const longest: number[] = [];
      while (longest.length < KILLS) {
        const isSynchronous = longest.length % 2 === 1;
        const told = await whileReading(async (readers) => {
          const replica = isSynchronous ? await cluster.synchronousReplica() : await cluster.otherReplica();
          await replica.kill();
          await readers.goOn();
          replica.start();
        });
        report(
          'reliability-42-killed-replica',
          `${isSynchronous ? 'synchronous' : 'other'}: ${told.figures}`,
        );
        longest.push(told.longest);
      }
      report('reliability-42-killed-replica', `worst of ${KILLS}: ${seconds(Math.max(...longest))}`);
    },
    LIMIT_MS,
  );
});

describe('reliability-42-lagging-replica', () => {
  it(`one of both ${LAG_S} s behind: nobody reads the past`, async () => {
    const { cluster } = stage;
    let lag = 0;
    const { figures } = await whileReading(async (readers) => {
      const replica = await cluster.otherReplica();
      await replica.lag(LAG_S);
      const before = await readsOn('primary');
      await until(async () => {
        await sleep(500);
        return (lag = await lagOf(replica)) >= LAG_S;
      }, 2000 * LAG_S);
      await readers.goOn();
      expect(await readsOn('primary')).toBeGreaterThan(before);
      await replica.lag(0);
      await until(async () => (await lagOf(replica)) < 1, PATIENCE_MS);
    });
    report('reliability-42-lagging-replica', `behind by ${lag.toFixed(1)} s: ${figures}`);
  });

  /** In seconds; NaN where it cancels even this, which it does once it is that late. */
  const lagOf = async (replica: Node) => {
    const sql = `SELECT extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS lag`;
    const [told] = await replica.query<{ lag: number }>(sql).catch(() => []);
    return told?.lag ?? NaN;
  };
});

describe('reliability-42-promoted-replica', () => {
  it('by hand, beside the primary: it is not read until it is made anew', async () => {
    const { cluster } = stage;
    const { figures } = await whileReading(async (readers) => {
      const [primary, replica] = [await cluster.primary(), await cluster.otherReplica()];
      await replica.query(`SELECT pg_promote(false)`);
      // Patroni ends it, and has it follow the primary, which it cannot: it has a history of its own.
      await readers.goOn(20);
      expect(await cluster.primary()).toBe(primary);
      await replica.makeAnew();
      await readers.goOn();
    });
    report('reliability-42-promoted-replica', `by hand: ${figures}`);
  });

  it('by a switchover: only 503 while there is no primary, and what is read is right', async () => {
    const { cluster } = stage;
    let outage = 0;
    const { figures } = await whileReading(async (readers, trial) => {
      const old = await cluster.primary();
      await cluster.switchover();
      await cluster.untilAnotherThan(old);
      await trial.isWell();
      outage = trial.crew.outage(trial.began);
      await readers.goOn();
    }, true);
    expect(outage).toBeLessThan(SWITCHOVER_MS);
    report('reliability-42-promoted-replica', `switchover, nobody served for ${seconds(outage)}: ${figures}`);
  });
});
