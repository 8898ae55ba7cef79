import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/database/embedded/free-port.js';
import type { Shutdown } from '../src/shutdown.js';
import type { Dataset } from './dataset.js';

export const SERVERS = {
  'http-bare': 'node:http and pg, without duties',
  'express-bare': 'Express 5 and pg, without duties',
  http: 'node:http and pg',
  express: 'Express 5 and pg',
  nest: 'Nest and TypeORM',
  recense: 'Recense',
};
export type ServerName = keyof typeof SERVERS;

const START_LIMIT = 30_000;

/** A server as a process of its own, as an operator runs it: its log goes to a file. */
export class Server {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Resolves once it is ready. */
  static async start(name: ServerName, data: Dataset, folder: string, shutdown: Shutdown): Promise<Server> {
    const log = join(folder, `${name}-${data.name}.log`);
    const output = openSync(log, 'a');
    const port = await freePort();
    const child = spawn(process.execPath, [...optionsOf(name), scriptOf(name)], {
      detached: true, // or Linux has it share with the bench what it gives each process of PostgreSQL: see PROFILES.md
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        DATABASE_URL: data.url,
        PORT: String(port),
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
        DATA_DIR: join(folder, `${name}-${data.name}`),
        SESSION_TIMEOUT_MS: '900000', // as docs/scale.md has it for ten million
        WEBHOOK_ALLOW: '127.0.0.0/8', // who listens is here
        // So high that nobody reaches them: requests are counted as everywhere, of 32 tokens and one address.
        TOKEN_RATE_LIMIT: '1000000',
        ADDRESS_RATE_LIMIT: '1000000',
      },
    });
    const server = new Server(`http://127.0.0.1:${port}`, child);
    shutdown.add(() => server.stop());
    for (const deadline = Date.now() + START_LIMIT; !(await server.isReady()); await sleep(2)) {
      if (child.exitCode === null && Date.now() < deadline) continue;
      throw new Error(`${SERVERS[name]} does not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    return server;
  }

  /**
   * CPU seconds since its start, and the memory that it holds, in bytes: every server tells in its metrics. Those of its
   * main thread, where Linux tells them: the threads beside it collect garbage and compile.
   */
  async usage(): Promise<{ cpu: number; main: number | null; rss: number }> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const value = (name: string) => {
      const [, found] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
      if (!found) throw new Error(`No ${name} in ${this.url}/metrics`);
      return Number(found);
    };
    const { pid } = this.child;
    const ofMain = `/proc/${pid}/task/${pid}/schedstat`; // nanoseconds first
    return {
      cpu: value('process_cpu_seconds_total'),
      main: existsSync(ofMain) ? parseInt(readFileSync(ofMain, 'utf8')) / 1e9 : null,
      rss: value('process_resident_memory_bytes'),
    };
  }

  /** How much more memory the process held at most than before the work, in MiB, as Linux tells it. */
  async grown(work: () => Promise<unknown>): Promise<number> {
    const { pid } = this.child;
    const status = (name: string) => {
      const text = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
    };
    writeFileSync(`/proc/${pid}/clear_refs`, '5'); // what it held at most begins anew
    const before = status('VmRSS');
    await work();
    return status('VmHWM') - before;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  private async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/health/ready`)).ok;
    } catch {
      return false;
    }
  }
}

/** As `npm start` has it. */
const optionsOf = (name: ServerName): string[] =>
  name === 'recense' ? ['--max-semi-space-size=8', '--v8-pool-size=1'] : [];

const scriptOf = (name: ServerName): string =>
  name === 'recense'
    ? realpathSync('dist/main.js')
    : fileURLToPath(new URL(`./baselines/${name}.js`, import.meta.url));
