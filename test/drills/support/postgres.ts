import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { choosePlace, createCluster, readPassword } from '../../../src/database/embedded/files.js';
import type { Place } from '../../../src/database/embedded/files.js';
import { processStart } from '../../../src/database/embedded/lock.js';
import { freePort } from '../../../src/database/embedded/free-port.js';
import { migrate } from '../../../src/database/migrate.js';
import { until } from '../../support/process.js';
import { askOnce } from './ask.js';

/** Whoever can be asked: one PostgreSQL, or a cluster of them. */
export interface Queries {
  query: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;
}

/** A PostgreSQL of a drill's own, as durable as in production, that nobody restarts but the drill. */
export class Postgres {
  private child?: ChildProcess;
  /** The one that is asked unless another is named. */
  database = 'drill';

  private constructor(
    readonly folder: string,
    readonly place: Place,
    readonly port: number,
    private readonly settings: Record<string, string>,
  ) {}

  /** Running, with the schema in the database `drill`. */
  static async create(settings: Record<string, string> = {}): Promise<Postgres> {
    const folder = fs.mkdtempSync(join(tmpdir(), 'recense-drill-'));
    fs.chmodSync(folder, 0o755); // where root runs the drills, PostgreSQL's account must be able to enter
    const place = choosePlace(folder);
    await createCluster(folder, place, true, new AbortController().signal);
    const postgres = new Postgres(folder, place, await freePort(), settings);
    await postgres.start();
    await postgres.query('CREATE DATABASE drill', undefined, 'postgres');
    await migrate(postgres.url());
    return postgres;
  }

  /** By its own port, or that of a proxy. */
  url(port = this.port, database = this.database): string {
    return `postgres://recense:${readPassword(this.folder)}@127.0.0.1:${port}/${database}?sslmode=disable`;
  }

  query<Row extends pg.QueryResultRow>(
    sql: string,
    values?: unknown[],
    database = this.database,
  ): Promise<Row[]> {
    const connectionString = this.url(this.port, database);
    return askOnce<Row>({ connectionString, application_name: 'drill' }, sql, values);
  }

  /** Resolves once it answers. */
  async start(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...this.settings };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = fs.openSync(join(this.folder, 'postgres.log'), 'a', 0o600);
    const { native, cluster, account } = this.place;
    this.child = spawn(
      join(native, 'bin', 'postgres'),
      ['-D', cluster, '-p', String(this.port), '-c', 'shared_buffers=64MB', ...options],
      { ...account, cwd: cluster, stdio: ['ignore', log, log] },
    );
    fs.closeSync(log);
    const isUp = () => this.query('SELECT 1', undefined, 'postgres').then(Boolean, () => false);
    await until(async () => {
      // The processes of a killed predecessor may still be going away.
      if (this.child!.exitCode !== null) return this.start().then(() => true);
      return isUp();
    });
  }

  /** SIGINT: fast, SIGQUIT: at once, SIGKILL: every process, as a power cut does. Resolves when all its processes are gone. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const others = this.processes();
    child.kill(signal);
    if (signal === 'SIGKILL') others.forEach(kill);
    await ended;
    while (others.some((pid) => processStart(pid) !== undefined)) await sleep(5);
  }

  /** Its processes beside the first. */
  processes(): number[] {
    const pid = this.child!.pid!;
    return fs
      .readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number);
  }

  /** The backends of the service. */
  async backends(): Promise<number[]> {
    const rows = await this.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'recense' ORDER BY pid`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Transactions of the service that stay open while nothing runs in them. */
  openTransactions(): Promise<object[]> {
    return this.query(
      `SELECT pid, state, query FROM pg_stat_activity
       WHERE application_name = 'recense' AND state LIKE 'idle in transaction%'`,
    );
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    fs.rmSync(this.folder, { recursive: true, force: true });
    if (!this.place.cluster.startsWith(this.folder))
      fs.rmSync(this.place.cluster, { recursive: true, force: true });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}
