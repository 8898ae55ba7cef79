import { seconds } from '../../support/report.js';
import type { Node } from './node.js';
import { expectLeft } from './trial.js';
import type { Stage, Trial } from './trial.js';

/** Within these, scans are acknowledged again. */
export const FAILOVER_MS = 30_000;
export const SWITCHOVER_MS = 10_000;

export interface Outage {
  /** How long nobody's scan was acknowledged, in milliseconds. */
  outage: number;
  figures: string;
}

/** Kills the primary and its Patroni under load; afterwards the old one is a replica. */
export const killPrimary = (stage: Stage): Promise<Outage> =>
  changePrimary(stage, 'primary and its Patroni killed', async (old) => {
    await old.kill();
    await stage.cluster.untilAnotherThan(old);
    old.start();
  });

/** Stops the primary and its Patroni under load, and lets them go on when there is another one. */
export const freezePrimary = (stage: Stage): Promise<Outage> =>
  changePrimary(
    stage,
    'primary and its Patroni frozen, then thawed',
    async (old) => {
      old.freeze();
      await stage.cluster.untilAnotherThan(old);
    },
    async (old, trial) => {
      old.thaw();
      await stage.cluster.untilWhole();
      await trial.isWell();
    },
  );

/** Has Patroni make another one the primary, under load. */
export const switchOver = (stage: Stage): Promise<Outage> =>
  changePrimary(stage, 'switchover', async (old) => {
    await stage.cluster.switchover();
    await stage.cluster.untilAnotherThan(old);
  });

/** Kills the replica for which every commit waits, under load; afterwards it is a replica again. */
export const killReplica = (stage: Stage): Promise<Outage> =>
  underLoad(stage, 'the synchronous replica killed', async (trial) => {
    const replica = await stage.cluster.synchronousReplica();
    trial.began = performance.now();
    await replica.kill();
    await trial.crew.goesOn(5, FAILOVER_MS);
    const readyAfter = await trial.isWell();
    replica.start();
    return readyAfter;
  });

/** `after`: what happens to the old one once all is well with the new one. */
const changePrimary = (
  stage: Stage,
  what: string,
  change: (old: Node) => Promise<void>,
  after?: (old: Node, trial: Trial) => Promise<void>,
): Promise<Outage> =>
  underLoad(stage, what, async (trial) => {
    const { cluster } = stage;
    const old = await cluster.primary();
    trial.began = performance.now();
    await change(old);
    const readyAfter = await trial.isWell();
    await after?.(old, trial);
    await cluster.untilWhole();
    await expectLeft(old);
    return readyAfter;
  });

/** `fail` resolves to the milliseconds until every instance was ready again. */
async function underLoad(
  stage: Stage,
  what: string,
  fail: (trial: Trial) => Promise<number>,
): Promise<Outage> {
  const trial = await stage.trial('direct');
  const readyAfter = await fail(trial);
  await stage.cluster.untilWhole();
  await trial.expectKept([503]);
  return toOutage(what, trial, readyAfter);
}

function toOutage(what: string, { began, crew, failures }: Trial, readyAfter: number): Outage {
  const outage = crew.outage(began);
  const figures =
    `${what}: nobody served for ${seconds(outage)}, the last phone after ${seconds(crew.longestWait(began))}, ` +
    `all instances ready after ${seconds(readyAfter)}; ${crew.acknowledged.length} scans acknowledged, ` +
    `none lost, none twice; failed and sent again: ${JSON.stringify(failures)}`;
  return { outage, figures };
}
