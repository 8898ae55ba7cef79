import fs from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { askOnce } from '../../support/ask.js';
import { account, lowPort, postgresqlPrograms, Program } from './program.js';

/** A failover fits in 30 s: the lease of a dead primary ends after `ttl` at most, and no shorter one is allowed. */
export const DYNAMIC = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  primary_start_timeout: 0,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    // What is read on a replica is not cancelled for what the primary cleans up.
    parameters: { max_connections: 100, shared_buffers: '64MB', hot_standby_feedback: true },
  },
};

export interface Access {
  /** host:port of each. */
  etcd: string[];
  password: string;
}

/** One PostgreSQL, and the Patroni that looks after it. */
export class Node {
  private constructor(
    readonly name: string,
    readonly port: number,
    /** Of Patroni's REST interface. */
    readonly rest: number,
    private readonly program: Program,
    private readonly file: string,
    private readonly password: string,
  ) {}

  static async create(folder: string, name: string, { etcd, password }: Access): Promise<Node> {
    const [port, rest] = [await lowPort(), await lowPort()];
    const home = join(folder, name);
    const file = join(home, 'patroni.json');
    const data = join(home, 'data');
    const here = `127.0.0.1:${port}`;
    const settings = {
      scope: 'recense',
      name,
      restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
      // By etcd's API 2: by API 3, Patroni 3.0.2 has a primary that was frozen take the lead from its successor.
      etcd: { hosts: etcd },
      bootstrap: {
        // Until the cluster is whole, Patroni looks more often.
        dcs: { ...DYNAMIC, loop_wait: 1 },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: here,
        connect_address: here,
        data_dir: data,
        bin_dir: postgresqlPrograms(),
        pgpass: join(home, 'pgpass'),
        parameters: { unix_socket_directories: '' },
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replicator', password },
        },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication replicator 127.0.0.1/32 scram-sha-256',
        ],
        basebackup: [{ checkpoint: 'fast' }],
      },
    };
    fs.mkdirSync(home, { mode: 0o700 });
    fs.writeFileSync(file, JSON.stringify(settings), { mode: 0o600 }); // JSON is YAML, too
    const owner = account();
    if (owner) [home, file].forEach((path) => fs.chownSync(path, owner.uid, owner.gid));
    // Each process of PostgreSQL works in its data.
    const program = new Program(['patroni', file], join(folder, `${name}.log`), [home, data]);
    return new Node(name, port, rest, program, file, password);
  }

  start(): void {
    this.program.start();
  }

  /** PostgreSQL and its Patroni, with SIGKILL. */
  kill(): Promise<void> {
    return this.program.kill();
  }

  /** Twice, for what the first of them had started before it stopped. */
  freeze(): void {
    this.program.signal('SIGSTOP');
    this.program.signal('SIGSTOP');
  }

  thaw(): void {
    this.program.signal('SIGCONT');
  }

  /** As a replica, it replays what is so old, and nothing younger. Patroni undoes what it was not told itself. */
  async lag(seconds: number): Promise<void> {
    const settings = JSON.parse(fs.readFileSync(this.file, 'utf8')) as { postgresql: object };
    const recovery_conf = { recovery_min_apply_delay: `${seconds}s` };
    const postgresql = { ...settings.postgresql, recovery_conf };
    fs.writeFileSync(this.file, JSON.stringify({ ...settings, postgresql }));
    const { status, text } = await this.ask('/reload', {});
    if (status !== 202) throw new Error(`Not told: ${status} ${text}`);
  }

  /** As `patronictl reinit` does. */
  async makeAnew(): Promise<void> {
    const { status, text } = await this.ask('/reinitialize', { force: true });
    if (status !== 200) throw new Error(`Not made anew: ${status} ${text}`);
  }

  /** Asks its Patroni. */
  async ask(path: string, body?: object, method = 'POST'): Promise<{ status: number; text: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.rest}${path}`, {
      ...(body && { method, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(body ? 30_000 : 2000),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Asks this PostgreSQL, whatever it is at the moment, as its superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[], database = 'drill'): Promise<Row[]> {
    const { port, password } = this;
    const server = { host: '127.0.0.1', port, user: 'postgres', password, database };
    return askOnce<Row>({ ...server, connectionTimeoutMillis: 5000 }, sql, values);
  }
}
