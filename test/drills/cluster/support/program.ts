import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { processesOn, until } from '../../../support/process.js';

type Account = Record<'uid' | 'gid', number>;

/** What must be there, and the package of Debian that has it. */
const PACKAGES = {
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/lib/postgresql': 'postgresql',
  '/usr/bin/setpriv': 'util-linux',
};

/** @throws Error naming the packages that are missing. */
export function expectPrograms(packages: Record<string, string> = PACKAGES): void {
  const missing = Object.entries(packages).filter(([path]) => !fs.existsSync(path));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name).join(' ');
  throw new Error(`This drill needs more: apt-get install --no-install-recommends ${names}`);
}

/** PostgreSQL's programs, of the newest version that the system has. */
export function postgresqlPrograms(): string {
  const versions = fs.readdirSync('/usr/lib/postgresql').map(Number);
  return `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
}

/** Who runs the cluster: whoever runs the drill, but for root, as whom PostgreSQL refuses to run. */
export function account(): Account | undefined {
  if (process.getuid!() !== 0) return undefined;
  const { uid, gid } = fs.statSync('/var/lib/postgresql');
  return { uid, gid };
}

/** A program of the system that runs until it is ended, or this process ends. */
export class Program {
  private child?: ChildProcess;

  constructor(
    private readonly command: string[],
    private readonly log: string,
    /** All processes that name one of these, or work in it, belong to it. */
    private readonly folders: string[],
  ) {}

  start(): void {
    const log = fs.openSync(this.log, 'a', 0o600);
    this.child = spawn('/usr/bin/setpriv', ['--pdeathsig', 'TERM', ...this.command], {
      ...account(),
      cwd: '/',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Its own process first, so that it starts no others meanwhile. */
  signal(signal: NodeJS.Signals): void {
    const others = this.folders.flatMap(processesOn).map(Number);
    for (const pid of new Set([this.pid, ...others])) send(pid, signal);
  }

  /** Everything of it at once, and whatever came of it at the same time. */
  async kill(): Promise<void> {
    await until(() => {
      this.signal('SIGKILL');
      return this.folders.every((folder) => processesOn(folder).length === 0);
    });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since.
  }
}

let next = 20_000 + (process.pid % 10_000);

/**
 * A port that nobody has, below those that the kernel gives to outgoing connections: one of these could take the port of
 * a server that is down for a while, even to connect with itself.
 */
export async function lowPort(): Promise<number> {
  for (;;) {
    const port = next++;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
