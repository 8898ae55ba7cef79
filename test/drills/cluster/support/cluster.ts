import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { migrate } from '../../../../src/database/migrate.js';
import { stopAll, until } from '../../../support/process.js';
import { Service } from '../../support/service.js';
import { Etcd } from './etcd.js';
import { Haproxy } from './haproxy.js';
import { DYNAMIC, Node } from './node.js';
import { Pooler } from './pooler.js';
import { expectPrograms, lowPort } from './program.js';

/** As Patroni has it in GET /cluster. */
interface Member {
  name: string;
  role: 'leader' | 'replica' | 'sync_standby';
}

const NAMES = ['a', 'b', 'c'];
const PATIENCE_MS = 60_000;
/** Between two looks: who looks all the time takes the processors from whom he looks at. */
const LOOK_MS = 100;
/** Resolves when it holds; what cannot be asked at the moment does not. */
const holds = (check: () => Promise<boolean>): Promise<void> =>
  until(
    () =>
      sleep(LOOK_MS)
        .then(check)
        .catch(() => false),
    PATIENCE_MS,
  );

/** Three PostgreSQL under Patroni, and three instances of the service, with HAProxy in front of both. */
export class Cluster {
  readonly instances: Service[] = [];
  private pooler?: Pooler;

  private constructor(
    readonly folder: string,
    readonly etcd: Etcd,
    readonly nodes: Node[],
    readonly haproxy: Haproxy,
    private readonly ports: number[],
    private readonly password: string,
  ) {}

  /** With a primary and the schema in the database `drill`, which belongs to `recense`, who is no superuser. */
  static async start(): Promise<Cluster> {
    expectPrograms();
    const folder = fs.mkdtempSync(join(tmpdir(), 'recense-cluster-'));
    fs.chmodSync(folder, 0o755); // root gives the cluster to another account, who must be able to enter
    const password = randomBytes(24).toString('hex');
    const etcd = await Etcd.start(folder);
    const nodes: Node[] = [];
    for (const name of NAMES) nodes.push(await Node.create(folder, name, { etcd: etcd.addresses, password }));
    nodes.forEach((node) => node.start());
    const ports = [await lowPort(), await lowPort(), await lowPort()];
    const haproxy = await Haproxy.start(folder, nodes, ports);
    const cluster = new Cluster(folder, etcd, nodes, haproxy, ports, password);
    try {
      await cluster.prepare();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  private async prepare(): Promise<void> {
    await holds(() => this.primary().then(Boolean));
    const primary = await this.primary();
    await primary.query(`CREATE ROLE recense LOGIN PASSWORD '${this.password}'`, undefined, 'postgres');
    await primary.query('CREATE DATABASE drill OWNER recense', undefined, 'postgres');
    await this.untilUp(`primary/${primary.name}`);
    await migrate(this.url);
    await Promise.all(this.ports.map((_, n) => this.startInstance(n)));
    await this.untilReady();
  }

  /** Of the database, as the service has it. */
  get url(): string {
    return this.urlBy(this.haproxy.primary);
  }

  /** By the port of HAProxy for one kind of server, of a single one, or of PgBouncer. */
  urlBy(port: number): string {
    return `postgres://recense:${this.password}@127.0.0.1:${port}/drill?sslmode=disable`;
  }

  /** Starts PgBouncer in front of the primary. Resolves to the port. */
  async startPooler(): Promise<number> {
    this.pooler = await Pooler.start(this.folder, this.haproxy.primary, this.password);
    return this.pooler.port;
  }

  /** Of the service, through HAProxy. */
  get service(): string {
    return `http://127.0.0.1:${this.haproxy.service}`;
  }

  /** Of each instance, past HAProxy. */
  get addresses(): string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  async startInstance(n: number, settings: Record<string, string> = {}): Promise<void> {
    this.instances[n] = await Service.start(this.url, {
      PORT: String(this.ports[n]),
      TRUST_PROXY: '1',
      SHUTDOWN_DELAY_MS: '1500', // HAProxy asks every 0.5 s
      ...settings,
    });
  }

  /** With these settings from now on. */
  async restartInstance(n: number, settings: Record<string, string>): Promise<void> {
    await this.instances[n]!.stop();
    await this.startInstance(n, settings);
  }

  /** Who may write. @throws Error while there is nobody */
  async primary(): Promise<Node> {
    const [primary] = await primariesOf(this.nodes);
    if (!primary) throw new Error('There is no primary');
    return primary;
  }

  /** Resolves when somebody else may write. */
  untilAnotherThan(old: Node): Promise<void> {
    const others = this.nodes.filter((node) => node !== old);
    return holds(async () => (await primariesOf(others)).length > 0);
  }

  /** The replica whose answer every commit waits for, as Patroni has it. */
  async synchronousReplica(): Promise<Node> {
    const { text } = await (await this.primary()).ask('/cluster');
    const { members } = JSON.parse(text) as { members: Member[] };
    const found = members.find(({ role }) => role === 'sync_standby');
    if (!found) throw new Error('There is no synchronous replica');
    return this.nodes.find(({ name }) => name === found.name)!;
  }

  /** The replica that no commit waits for. */
  async otherReplica(): Promise<Node> {
    const busy = [await this.primary(), await this.synchronousReplica()];
    return this.nodes.find((node) => !busy.includes(node))!;
  }

  /** Resolves when there are a primary and two replicas, for one of which every commit waits, and all of them answer. */
  untilWhole(): Promise<void> {
    return holds(async () => {
      await this.synchronousReplica();
      const health = await Promise.all(this.nodes.map((node) => node.ask('/health')));
      const replicas = await this.query<{ sync_state: string }>(
        `SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming' ORDER BY 1`,
      );
      const states = replicas.map(({ sync_state }) => sync_state);
      return health.every(({ status }) => status === 200) && states.join() === 'async,sync';
    });
  }

  /** Resolves when it is whole for the first time, and Patroni looks no more often than in production. */
  async settle(): Promise<void> {
    await this.untilWhole();
    const { loop_wait } = DYNAMIC;
    const { status, text } = await (await this.primary()).ask('/config', { loop_wait }, 'PATCH');
    if (status !== 200) throw new Error(`No settings: ${status} ${text}`);
  }

  /** Resolves when the replicas have everything that the primary has now. */
  async untilReplayed(): Promise<void> {
    const [{ lsn }] = (await this.query('SELECT pg_current_wal_lsn() AS lsn')) as [{ lsn: string }];
    const sql = 'SELECT FROM pg_stat_replication WHERE replay_lsn >= $1::pg_lsn';
    await holds(async () => (await this.query(sql, [lsn])).length === this.nodes.length - 1);
  }

  /** Resolves when every instance is ready and gets requests. */
  async untilReady(): Promise<void> {
    await holds(async () => (await this.health()).every((status) => status === 200));
    for (const n of this.ports.keys()) await this.untilUp(`service/s${n}`);
  }

  /** Whether each instance is ready, as it says by itself: 200, 503, or 0 for no answer. */
  health(): Promise<number[]> {
    return Promise.all(this.instances.map((instance) => instance.health('ready')));
  }

  /** A figure of the metrics of all instances together. */
  async figure(name: string): Promise<number> {
    const figures = await Promise.all(this.instances.map((instance) => instance.figure(name)));
    return figures.reduce((sum, figure) => sum + figure, 0);
  }

  /** Resolves when HAProxy sends requests to this one. */
  untilUp(server: string): Promise<void> {
    return holds(async () => (await this.haproxy.up()).includes(server));
  }

  /** Resolves when Patroni has another primary. */
  async switchover(): Promise<void> {
    const primary = await this.primary();
    const { status, text } = await primary.ask('/switchover', { leader: primary.name });
    if (status !== 200) throw new Error(`No switchover: ${status} ${text}`);
  }

  /** On the primary. */
  async query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    return (await this.primary()).query<Row>(sql, values);
  }

  async remove(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop('SIGKILL')));
    await stopAll();
    const owners = [...this.etcd.members, ...(this.pooler ? [this.pooler] : [])];
    const programs = [...this.nodes, this.haproxy, ...owners.map(({ program }) => program)];
    await Promise.all(programs.map((program) => program.kill()));
    if (!process.env.DRILL_KEEP) fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Those of them that may write, as their Patroni says. */
async function primariesOf(nodes: Node[]): Promise<Node[]> {
  const answers = await Promise.all(nodes.map((node) => node.ask('/primary').catch(() => undefined)));
  return nodes.filter((_, n) => answers[n]?.status === 200);
}
