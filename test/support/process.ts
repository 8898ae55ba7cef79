import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAtRest } from '../../src/database/embedded/files.js';

const running = new Set<RunningProcess>();

/** Tests ask as fast as they can, all from one address. */
const NO_LIMITS = { TOKEN_RATE_LIMIT: '0', ADDRESS_RATE_LIMIT: '0' };

/** Of this Node.js, as npm is, whichever else the machine has. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

/**
 * A built entry point (`main` or `cli`) as a process of its own, as an operator starts it; or another program, in a
 * process group of its own, as one from a terminal is.
 */
export class RunningProcess {
  output = '';
  errors = '';
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  /** Without `input` its standard input stays open, for the test to write to. */
  constructor(
    entry: 'main' | 'cli' | 'npm' | 'sh',
    args: string[],
    env: Record<string, string>,
    input: string | Buffer | null = '',
    cwd?: string,
  ) {
    const settings = { PATH, LOG_LEVEL: 'warn', PORT: '0', ...NO_LIMITS, ...env };
    this.child =
      entry === 'main' || entry === 'cli'
        ? spawn(process.execPath, [`dist/${entry}.js`, ...args], { env: settings, cwd })
        : spawn(entry, args, { env: settings, cwd, detached: true });
    this.child.stdout?.on('data', (data: Buffer) => (this.output += data.toString()));
    this.child.stderr?.on('data', (data: Buffer) => (this.errors += data.toString()));
    if (input !== null) this.child.stdin?.end(input);
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      return code as number | null;
    });
    running.add(this);
  }

  /** Waits until the output matches, and returns the match. */
  async says(pattern: RegExp, where: 'output' | 'errors' = 'output'): Promise<RegExpExecArray> {
    for (let left = 1200; left > 0; left--) {
      const match = pattern.exec(this[where]);
      if (match) return match;
      if (!running.has(this)) break;
      await sleep(50);
    }
    throw new Error(`Never said ${pattern}:\n${this.output}\n${this.errors}`);
  }

  /** The address that the service announces once it is ready. */
  async url(): Promise<string> {
    return (await this.says(/Swagger UI: (http:\S+)\/docs/))[1]!;
  }

  signal(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Whether it ends by its own hand when it is told to: before that, Node.js itself heeds no SIGHUP. */
export function listens({ child }: RunningProcess): boolean {
  const caught = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return (BigInt(`0x${caught?.[1] ?? 0}`) & 1n) === 1n;
}

/** Runs a command to its end. */
export async function runCommand(args: string[], env: Record<string, string>, input: string | Buffer = '') {
  const command = new RunningProcess('cli', args, env, input);
  return { code: await command.ended, output: command.output, errors: command.errors };
}

/** Ends what a test has left running. */
export async function stopAll(): Promise<void> {
  for (const process of running) await process.signal('SIGTERM');
}

/** Waits until the check holds, for `patience` ms at most. */
export async function until(check: () => boolean | Promise<boolean>, patience = 20_000): Promise<void> {
  for (const deadline = Date.now() + patience; !(await check()); await sleep(2)) {
    if (Date.now() > deadline) throw new Error(`Never: ${check}`);
  }
}

/** The processes whose command line names the path, or that work in it. */
export function processesOn(path: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path) ||
        readlinkSync(`/proc/${pid}/cwd`) === path
      );
    } catch {
      return false; // gone since
    }
  });
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'recense-start-'));
  chmodSync(path, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const NPM = { npm_config_update_notifier: 'false' };

/** Nothing that uses the folder runs, and PostgreSQL has ended in good order. */
export async function expectEnd(dataDir: string): Promise<void> {
  await until(() => processesOn(dataDir).length === 0);
  expect(isAtRest(dataDir)).toBe(true);
  expect(existsSync(join(dataDir, 'lock'))).toBe(false);
}
