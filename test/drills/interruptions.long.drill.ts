import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAtRest } from '../../src/database/embedded/files.js';
import { listens, processesOn, RunningProcess, stopAll, temporaryFolder, until } from '../support/process.js';
import { percentile, report, seconds } from './support/report.js';

const DRILL = 'interruptions';
const TIMES = 100;
const WITHIN_MS = 5000;
/** The machine may be busy. */
const PATIENCE_MS = 120_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

describe(DRILL, () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const password = join(folder.path, 'demo-password');
  const isClean = () => processesOn(folder.path).length === 0 && !existsSync(join(folder.path, 'lock'));

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  /** Interrupts a start a hundred times, so long after the check holds; all of them end cleanly, in time. */
  async function interruptAll(what: string, check: (service: RunningProcess) => boolean, spread: number) {
    const took: number[] = [];
    for (let n = 0; n < TIMES; n++) {
      rmSync(password, { force: true });
      const service = new RunningProcess('main', [], env);
      await until(() => check(service), PATIENCE_MS);
      await sleep(Math.random() * spread);
      const began = performance.now();
      const code = await service.signal(SIGNALS[n % 3]!);
      took.push(performance.now() - began);
      expect([code, service.child.signalCode, service.errors, isClean()]).toEqual([0, null, '', true]);
    }
    expect(Math.max(...took)).toBeLessThan(WITHIN_MS);
    const [middle, last] = [percentile(took, 50), Math.max(...took)].map(seconds);
    report(
      DRILL,
      `${TIMES} ${what}: all with code 0, nothing left; ${middle} in the middle, ${last} at most`,
    );
  }

  it('while it hashes the passwords of the demo', async () => {
    await interruptAll('while it hashes', () => existsSync(password), 60);
  }, 3_600_000);

  it('at any moment', async () => {
    const first = new RunningProcess('main', [], env);
    await until(() => listens(first), PATIENCE_MS);
    const began = performance.now();
    await first.url();
    const start = performance.now() - began;
    expect(await first.signal('SIGTERM')).toBe(0);
    await interruptAll('at any moment', listens, start);
  }, 3_600_000);

  it.each([...SIGNALS, 'SIGKILL'] as const)('npm start by %s: all ends within 5 s', async (signal) => {
    const npm = new RunningProcess('npm', ['start'], { ...env, npm_config_update_notifier: 'false' });
    await npm.url();
    const began = performance.now();
    await npm.signal(signal);
    await until(isClean);
    const took = performance.now() - began;
    expect(took).toBeLessThan(WITHIN_MS);
    expect(isAtRest(folder.path)).toBe(true);
    report(DRILL, `npm start by ${signal}: nothing left after ${seconds(took)}`);
  });
});
