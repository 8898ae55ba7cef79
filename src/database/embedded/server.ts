import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EnvError } from '../../config/env.js';
import * as files from './files.js';
import type { Step } from './lock.js';
import { commandLine, endProcess } from './lock.js';
import { freePort } from './free-port.js';

type Settings = Record<string, string>;

export interface ServerOptions {
  settings?: Settings;
  onCrash?: (detail: string) => void;
}

/** What a process calls its server, so that nobody takes the orphan of a killed one for its successor's. */
export const processName = (pid: number) => `recense-${pid}`;

const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  superuser_reserved_connections: '10', // for commands: the service, which is one too, takes none of them
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: processName(process.pid),
};
export const START_LIMIT = 60_000;
const ROTATE_EVERY_MS = 3_600_000;

const LAST: Step = ['SIGKILL', 5_000];
const KILL: Step[] = [['SIGQUIT', 10_000], LAST];
const FAST: Step[] = [['SIGINT', 20_000], ...KILL];

/** Runs PostgreSQL until it is stopped; the signal interrupts the start, and then nothing runs. */
export async function startServer(
  dataDir: string,
  { settings, onCrash }: ServerOptions,
  signal: AbortSignal,
) {
  const place = files.choosePlace(dataDir);
  await clearOrphan(place.cluster);
  files.removeUnfinished(dirname(place.cluster));
  signal.throwIfAborted();
  if (!files.hasCluster(dataDir))
    await files.createCluster(dataDir, place, settings?.fsync !== 'off', signal);

  const log = await files.rotateLog(dataDir);
  const run = (port: number) => new Postmaster(place, port, { ...SETTINGS, ...settings }, log);
  const deadline = Date.now() + START_LIMIT;
  for (;;) {
    const port = await freePort();
    signal.throwIfAborted();
    const server = run(port);
    try {
      const fresh = await createDatabase(server, urlOf(dataDir, port, 'postgres'), deadline, signal);
      // Where the disk is full, there is none to rotate to; the next hour there may be.
      const rotate = () => void files.rotateLog(dataDir).catch(() => undefined);
      setInterval(rotate, ROTATE_EVERY_MS).unref();
      return { url: urlOf(dataDir, port), fresh, stop: supervise(server, () => run(port), onCrash) };
    } catch (error) {
      await server.stop(signal.aborted ? FAST : KILL);
      if (signal.aborted || !server.mayRetry() || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Restarts the server, on the port that its clients know, whenever it dies; returns what stops it for good. */
function supervise(server: Postmaster, restart: () => Postmaster, onCrash?: (detail: string) => void) {
  let stopping = false as boolean;
  const supervision = (async () => {
    for (let failures = 0; ; failures++) {
      const began = Date.now();
      const detail = await server.exit;
      if (stopping) return;
      if (Date.now() - began > 1_000) failures = 0;
      // The first restarts may fail while the processes of a killed server are still going away: no news.
      if (failures === 0 || failures > 6) onCrash?.(`PostgreSQL ${detail}; restarting it`);
      await sleep(Math.min(50 * 2 ** failures, 2_000));
      try {
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes during the sleep
        if (stopping) return;
        server = restart();
      } catch (error) {
        onCrash?.(`PostgreSQL cannot be restarted: ${(error as Error).message}`);
      }
    }
  })();
  return async () => {
    stopping = true;
    await server.stop(FAST);
    await supervision;
  };
}

/** One run of the `postgres` program. */
class Postmaster {
  readonly exit: Promise<string>;
  ended?: string;
  private readonly child: ChildProcess;
  private readonly logStart: number;

  constructor(
    { native, cluster, account }: files.Place,
    port: number,
    settings: Settings,
    private readonly log: string,
  ) {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const output = fs.openSync(log, 'a', 0o600);
    this.logStart = fs.fstatSync(output).size;
    // Detached: Ctrl-C in the terminal must reach only node, which stops PostgreSQL last.
    this.child = spawn(join(native, 'bin', 'postgres'), ['-D', cluster, '-p', String(port), ...options], {
      ...account,
      cwd: cluster,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', output, output],
    });
    fs.closeSync(output);
    this.child.unref();
    const watched =
      this.child.pid === undefined ? Promise.resolve() : endWithThisProcess(this.child, cluster, account);
    const abandon = () => this.child.kill('SIGQUIT'); // e.g. the second Ctrl-C: nobody waits for its end
    process.once('exit', abandon);
    this.exit = new Promise((resolve) => {
      const end = (how: string) => {
        process.off('exit', abandon);
        this.ended = how;
        void watched.then(() => resolve(how));
      };
      this.child.once('error', (error) => end(`could not be started: ${error.message}`));
      this.child.once('exit', (code, signal) =>
        end(signal ? `was ended by ${signal}` : `exited with ${code}`),
      );
    });
  }

  lastLines(): string {
    const text = fs.readFileSync(this.log).subarray(this.logStart).toString();
    return text.trim().split('\n').slice(-8).join('\n');
  }

  isReady(): boolean {
    return this.lastLines().includes('ready to accept connections');
  }

  /** Another program took the port, or the processes of a killed predecessor are still going away. */
  mayRetry(): boolean {
    return /could not create any TCP|pre-existing shared memory/.test(this.lastLines());
  }

  async stop(steps: Step[]): Promise<void> {
    this.child.ref(); // node must not end before it
    if (this.ended === undefined && this.child.pid) await endProcess(this.child.pid, steps);
    await this.exit;
  }
}

/**
 * PostgreSQL notices nothing when this process is killed. A shell does, as its standard input ends then: it stops
 * PostgreSQL in good order. Resolves when the shell has ended, which it does with PostgreSQL.
 */
async function endWithThisProcess(postgres: ChildProcess, cluster: string, account?: files.Place['account']) {
  if (process.platform === 'win32') return;
  const args = ['-c', 'read -r _; kill -INT "$0"', String(postgres.pid), cluster];
  const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
  const shell = spawn('/bin/sh', args, { ...account, cwd: cluster, detached: true, stdio });
  shell.unref();
  postgres.once('exit', () => {
    shell.ref(); // node must not end before it
    shell.kill('SIGKILL');
  });
  await once(shell, 'exit').catch(() => undefined); // there is no shell: the next start clears the orphan
}

/** Waits until the server answers and makes the database if there is none; tells whether it did. */
async function createDatabase(
  server: Postmaster,
  url: string,
  deadline: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (; ; await sleep(20, undefined, { signal })) {
    try {
      const found = await query(url, `SELECT FROM pg_database WHERE datname = 'recense'`);
      if (found.length === 0) await query(url, 'CREATE DATABASE recense');
      return found.length === 0;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (server.ended)
        throw new EnvError(`DATA_DIR: PostgreSQL ${server.ended}:\n${server.lastLines()}`, { cause: error });
      // Of ours, and not of another program's that took the port.
      if (code === '28P01' && server.isReady())
        throw new EnvError('DATA_DIR: its postgres-password is not that of its database.', { cause: error });
      // 57P03: it is recovering from a crash, which may take as long as it likes.
      if (code !== '57P03' && Date.now() > deadline)
        throw new EnvError(`DATA_DIR: PostgreSQL does not answer: ${message}`, { cause: error });
    }
  }
}

/** Makes way for our own server: nobody supervises one whose node process was killed. */
async function clearOrphan(cluster: string): Promise<void> {
  const { pid } = readPidFile(cluster);
  if (process.platform === 'win32') return;
  // None where a power failure has emptied the file, with which PostgreSQL would not start either.
  if (pid && commandLine(pid).includes(`postgres -D ${cluster} `)) await endProcess(pid, FAST);
  // If a foreign process has got the pid since, PostgreSQL would take it for its own and refuse to start.
  // Without the file it still notices processes of a killed predecessor, by their shared memory.
  fs.rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

export function readPidFile(cluster: string): { pid: number; port: number } {
  const file = join(cluster, 'postmaster.pid');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  return { pid: Number(lines[0] ?? 0), port: Number(lines[3] ?? 0) };
}

export function urlOf(dataDir: string, port: number, database = 'recense'): string {
  const parameters = `sslmode=disable&fallback_application_name=${processName(process.pid)}`;
  return `postgres://recense:${files.readPassword(dataDir)}@127.0.0.1:${port}/${database}?${parameters}`;
}

export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on('error', () => {}); // the call in progress fails as well
  await client.connect();
  return client;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    void client.end();
  }
}
