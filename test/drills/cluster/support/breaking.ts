import { seconds } from '../../support/report.js';
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
export async function killPrimary(stage: Stage): Promise<Outage> {
  const { cluster } = stage;
  const trial = await stage.trial('direct');
  const old = await cluster.primary();
  trial.began = performance.now();
  await old.kill();
  await cluster.untilAnotherThan(old);
  old.start();
  const readyAfter = await trial.isWell();
  await cluster.untilWhole();
  await expectLeft(old);
  await trial.expectKept([503]);
  return toOutage('primary and its Patroni killed', trial, readyAfter);
}

/** Stops the primary and its Patroni under load, and lets them go on when there is another one. */
export async function freezePrimary(stage: Stage): Promise<Outage> {
  const { cluster } = stage;
  const trial = await stage.trial('direct');
  const old = await cluster.primary();
  trial.began = performance.now();
  old.freeze();
  await cluster.untilAnotherThan(old);
  const readyAfter = await trial.isWell();
  old.thaw();
  await cluster.untilWhole();
  await trial.isWell();
  await expectLeft(old);
  await trial.expectKept([503]);
  return toOutage('primary and its Patroni frozen, then thawed', trial, readyAfter);
}

/** Has Patroni make another one the primary, under load. */
export async function switchOver(stage: Stage): Promise<Outage> {
  const { cluster } = stage;
  const trial = await stage.trial('direct');
  const old = await cluster.primary();
  trial.began = performance.now();
  await cluster.switchover();
  await cluster.untilAnotherThan(old);
  const readyAfter = await trial.isWell();
  await cluster.untilWhole();
  await expectLeft(old);
  await trial.expectKept([503]);
  return toOutage('switchover', trial, readyAfter);
}

/** Kills the replica for which every commit waits, under load; afterwards it is a replica again. */
export async function killReplica(stage: Stage): Promise<Outage> {
  const { cluster } = stage;
  const trial = await stage.trial('direct');
  const replica = await cluster.synchronousReplica();
  trial.began = performance.now();
  await replica.kill();
  await trial.crew.goesOn(5, FAILOVER_MS);
  const readyAfter = await trial.isWell();
  replica.start();
  await cluster.untilWhole();
  await trial.expectKept([503]);
  return toOutage('the synchronous replica killed', trial, readyAfter);
}

function toOutage(what: string, { began, crew, failures }: Trial, readyAfter: number): Outage {
  const outage = crew.outage(began);
  const figures =
    `${what}: nobody served for ${seconds(outage)}, the last phone after ${seconds(crew.longestWait(began))}, ` +
    `all instances ready after ${seconds(readyAfter)}; ${crew.acknowledged.length} scans acknowledged, ` +
    `none lost, none twice; failed and sent again: ${JSON.stringify(failures)}`;
  return { outage, figures };
}
