import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { borrow } from './borrow.js';
import { Connection } from './connection.js';
import { probePool, replicaPool } from './options.js';
import type { ReplicaSettings } from './options.js';
import { Watch } from './watch.js';

/** How far the primary has come: everything that it has acknowledged lies before. */
interface Position {
  cluster: string;
  timeline: number;
  lsn: string;
}

const POSITION = {
  name: 'wal-position',
  text: `
    SELECT system_identifier::text AS cluster, lsn::text,
      ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline
    FROM pg_control_system(), pg_current_wal_flush_lsn() lsn`,
};

interface Standing {
  is_standby: boolean;
  is_following: boolean;
  cluster: string;
  timeline: number;
  /** Null where it has replayed nothing yet. */
  replayed: string | null;
}

/**
 * One that was promoted, or was the primary, may have come further than the primary, elsewhere: nobody sends it anything,
 * and it may be on a later timeline.
 */
const STANDING = `
  SELECT pg_is_in_recovery() AS is_standby, EXISTS (SELECT FROM pg_stat_wal_receiver) AS is_following,
    system_identifier::text AS cluster, timeline_id AS timeline, pg_last_wal_replay_lsn()::text AS replayed
  FROM pg_control_system(), pg_control_checkpoint()`;

/**
 * The primary writes its log by whole pages, so that it may end in the middle of a record that nobody waits for, such
 * as a hint; what is written after it brings the rest. It says nothing, so that it need not wait until another server has
 * it: while commits do, readers would take the connections of all others.
 */
const NUDGE = {
  name: 'wal-nudge',
  text: `SELECT set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'recense', '')`,
};

const WAIT_MS = 1000;
const LOOK_EVERY_MS = 10;
const NUDGE_AFTER_MS = 50;
const REST_MS = 1000;

type Query = <Row extends object>(statement: QueryConfig & { name: string }) => Promise<Row[]>;

/**
 * A standby, or a balancer before several, for what takes long to read. Nobody reads the past of it: a reader waits for
 * a second at most until it has replayed everything that the primary had acknowledged when the reader came.
 */
export class Replica {
  private readonly pool: Pool;
  private readonly watch: Watch;
  private restsUntil = 0;

  constructor(
    url: string,
    settings: ReplicaSettings,
    private readonly primary: Query,
  ) {
    this.pool = replicaPool(url, settings);
    this.watch = new Watch(probePool(url, settings.DATABASE_MAX_AGE_S, Connection));
  }

  /** Whether to try: one that was away or behind is left alone for a moment, so that nobody else waits for it. */
  get isWorthATry(): boolean {
    return performance.now() >= this.restsUntil;
  }

  /** @throws Error where it is away, behind, no standby or of another cluster, beside what `work` throws */
  async read<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const position = await this.position();
    return borrow(this.pool, async (client) => {
      await this.catchUp(client, position);
      return this.watch.over(client, () => work(client));
    });
  }

  rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  /** Bytes that it has not replayed yet. @throws Error where it cannot be read */
  async lag(): Promise<number> {
    const position = await this.position();
    return borrow(this.pool, (client) => this.behind(client, position));
  }

  async end(): Promise<void> {
    await Promise.all([this.pool.end(), this.watch.end()]);
  }

  private async position(): Promise<Position> {
    const [position] = await this.primary<Position>(POSITION);
    return position!;
  }

  private async catchUp(client: PoolClient, position: Position): Promise<void> {
    const began = performance.now();
    for (let isNudged = false; ; await sleep(LOOK_EVERY_MS)) {
      const bytes = await this.behind(client, position);
      const waited = performance.now() - began;
      if (bytes === 0) return;
      if (waited > WAIT_MS) throw new Error(`The replica is ${bytes} bytes behind`);
      if (waited > NUDGE_AFTER_MS && !isNudged) {
        isNudged = true;
        this.primary(NUDGE).catch(() => undefined); // then it is read on the primary, and told there
      }
    }
  }

  /** How many bytes it has not replayed yet. @throws Error where it is not a standby of the primary */
  private async behind(client: PoolClient, { cluster, timeline, lsn }: Position): Promise<number> {
    const { rows } = await client.query<Standing>(STANDING);
    const standing = rows[0]!;
    if (!standing.is_standby) throw new Error('DATABASE_REPLICA_URL leads to no standby');
    if (standing.cluster !== cluster)
      throw new Error('DATABASE_REPLICA_URL leads to a standby of another cluster');
    const { replayed } = standing;
    // It may have replayed what came since, but nothing that the primary has not come to: as one does that still follows
    // the cluster which this one was restored from.
    const isAhead =
      replayed !== null &&
      bytesTo(replayed) > bytesTo(lsn) &&
      bytesTo(replayed) > bytesTo((await this.position()).lsn);
    if (!standing.is_following || standing.timeline > timeline || isAhead)
      throw new Error('DATABASE_REPLICA_URL leads to a standby that does not follow the primary');
    return replayed === null ? Infinity : Math.max(0, Number(bytesTo(lsn) - bytesTo(replayed)));
  }
}

/** Of a position in the log, such as `16/B374D848`. */
function bytesTo(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
