import { compare } from '../../support/compare.js';
import { tally } from '../../support/report.js';
import { makeWorld, openSession } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { Cluster } from './cluster.js';
import { Crew, stopCrews } from './crew.js';
import type { Node } from './node.js';
import { Readers } from './readers.js';

const PURCHASES = 12_000;
const PHONES = 50;

/** A cluster for all drills of a file, and what they work on. */
export class Stage {
  cluster: Cluster;
  private world: World;

  /** To be called where tests are declared. */
  static forAll(purchases = PURCHASES): Stage {
    const stage = new Stage();
    beforeAll(async () => {
      stage.cluster = await Cluster.start();
      stage.world = await makeWorld(await stage.cluster.primary(), purchases, PHONES);
      await stage.cluster.settle();
    });
    afterEach(stopCrews);
    afterAll(() => (stage.cluster as Cluster | undefined)?.remove());
    return stage;
  }

  /**
   * Fifty phones at work in a session of their own; `direct`: every fifth of them past HAProxy, to an instance of its
   * own, so that what the instances say themselves is seen, too.
   */
  async trial(where: 'behind HAProxy' | 'direct'): Promise<Trial> {
    const session = await openSession(this.cluster);
    const { service, addresses } = this.cluster;
    const url = (nth: number) =>
      where === 'direct' && nth % 5 === 0 ? addresses[(nth / 5) % addresses.length]! : service;
    const trial = new Trial(this.cluster, session, new Crew({ ...this.world, session }, url));
    await trial.crew.goesOn(5 * PHONES);
    return trial;
  }

  /** Who reads its session meanwhile. */
  readers({ session, crew }: Trial): Readers {
    return new Readers(this.cluster.service, { session, admin: this.world.admin }, crew);
  }
}

export class Trial {
  /** When things began to break, by performance.now(). */
  began = performance.now();

  constructor(
    private readonly cluster: Cluster,
    readonly session: number,
    readonly crew: Crew,
  ) {}

  /** Resolves when every phone is answered again, to the milliseconds until every instance was ready and had requests. */
  async isWell(): Promise<number> {
    await this.cluster.untilReady();
    const readyAfter = performance.now() - this.began;
    await this.crew.isWholeSince(performance.now());
    return readyAfter;
  }

  /** What failed, by status, with the reason where there was no answer. */
  get failures(): Record<string, number> {
    return tally(this.crew.failures.map(({ status, error }) => error ?? status));
  }

  /**
   * Ends it. Every scan that was acknowledged is on each of the three servers, and none twice; what failed was told so
   * by one of `statuses`, or by a connection that was refused or reset.
   */
  async expectKept(statuses: number[]): Promise<void> {
    await this.crew.stop();
    const { acknowledged, strange } = this.crew;
    await this.cluster.untilReplayed();
    for (const node of this.cluster.nodes) await compare(node, this.session, acknowledged);
    expect(strange).toEqual([]);
    const allowed = [...statuses.map(String), 'ECONNREFUSED', 'ECONNRESET'];
    expect(Object.keys(this.failures).filter((kind) => !allowed.includes(kind))).toEqual([]);
  }
}

/** The old primary follows another one, and has no connection of the service. */
export async function expectLeft(old: Node): Promise<void> {
  expect(await old.query('SELECT pg_is_in_recovery() AS follows')).toEqual([{ follows: true }]);
  expect(
    await old.query(
      `SELECT pid, state, query FROM pg_stat_activity WHERE application_name = 'recense' OR usename = 'recense'`,
    ),
  ).toEqual([]);
}
