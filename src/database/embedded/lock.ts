import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type Purpose = 'service' | 'command';

/** What the lock file says about the process that holds it. */
export interface Holder {
  pid: number;
  start: string;
  purpose: Purpose;
}

/** Takes the lock file, or returns the live process that holds it. A lock left by a dead one is no hindrance. */
export async function takeLock(lock: string, purpose: Purpose): Promise<Holder | undefined> {
  // Linked into place, so that the lock appears together with its content, and for one contender only.
  const mine = `${lock}.${randomUUID()}`;
  fs.writeFileSync(mine, JSON.stringify({ pid: process.pid, start: processStart(process.pid), purpose }));
  try {
    for (;;) {
      if (link(mine, lock)) return undefined;
      const holder = readHolder(lock);
      if (!holder) continue;
      if (!isStale(holder)) return holder;
      // A stale lock is removed under a lock of its own: else a slow contender could remove its successor.
      const breaking = `${lock}.break`;
      if (await takeLock(breaking, purpose)) {
        await sleep(10);
      } else {
        if (isStale(readHolder(lock))) fs.rmSync(lock);
        fs.rmSync(breaking);
      }
    }
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

function link(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(lock: string): Holder | undefined {
  if (!fs.existsSync(lock)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return { pid: 0, start: '', purpose: 'command' }; // e.g. emptied by a power failure
  }
}

const isStale = (holder?: Holder) => holder !== undefined && processStart(holder.pid) !== holder.start;

/** Tells a process from a later one with the same pid; undefined once it is gone. */
export function processStart(pid: number): string | undefined {
  try {
    if (process.platform === 'win32') {
      process.kill(pid, 0); // throws once it is gone
      return 'running';
    }
    if (process.platform !== 'linux') return ps(pid, 'lstart') || undefined;
    // After the name in parentheses come the fields from the third on: the state, …, the start (the 22nd).
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${fields[19]} ${boot}`;
  } catch {
    return undefined;
  }
}

export function commandLine(pid: number): string {
  try {
    if (process.platform !== 'linux') return ps(pid, 'command');
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function ps(pid: number, field: string): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  return execFileSync('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)], { env, stdio: 'pipe' })
    .toString()
    .trim();
}

/** A signal, and how many milliseconds the process gets to end on it. */
export type Step = [signal: NodeJS.Signals, patience: number];

/** Signals the process till it is gone. */
export async function endProcess(pid: number, steps: Step[]): Promise<void> {
  const start = processStart(pid);
  const isGone = () => start === undefined || processStart(pid) !== start;
  for (const [signal, patience] of steps) {
    if (isGone()) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    for (const deadline = Date.now() + patience; !isGone() && Date.now() < deadline;) await sleep(10);
  }
}
