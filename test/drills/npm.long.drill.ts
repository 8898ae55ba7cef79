import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAtRest } from '../../src/database/embedded/files.js';
import {
  expectEnd,
  NPM,
  processesOn,
  RunningProcess,
  stopAll,
  temporaryFolder,
  until,
} from '../support/process.js';

describe('Whoever stops npm stops what it runs', () => {
  const folder = temporaryFolder();
  const env = { ...NPM, DATA_DIR: folder.path };

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('npm start, by %s', async (signal) => {
    const npm = new RunningProcess('npm', ['start'], env);
    await npm.url();
    await npm.signal(signal);
    await expectEnd(folder.path);
  });

  it.each(['npm start', 'node deploy/run.mjs main'])(
    '%s outlives the shell that started it',
    async (start) => {
      const shell = new RunningProcess('sh', ['-c', `${start} & echo "started $!"`], env, null);
      const [, pid] = await shell.says(/started (\d+)/);
      const url = await shell.url();
      expect(shell.child.exitCode).toBe(0);
      await sleep(1500); // longer than it takes to notice
      const { status } = await fetch(`${url}/health/ready`);
      process.kill(Number(pid), 'SIGTERM');
      await shell.ended; // as does whatever has its output
      expect(status).toBe(200);
      await expectEnd(folder.path);
    },
  );

  it('the service killed: its PostgreSQL ends by itself', async () => {
    const service = new RunningProcess('main', [], env);
    await service.url();
    await service.signal('SIGKILL');
    await until(() => processesOn(folder.path).length === 0);
    expect(isAtRest(folder.path)).toBe(true);
  });
});

describe('npm stopped before there is anything to run', () => {
  const clone = temporaryFolder();
  const builds = join(clone.path, '.build');
  /** Folders of the build and its lock, but for an empty lock. */
  const leftovers = () =>
    readdirSync(builds, { recursive: true, encoding: 'utf8' }).filter((name) => name !== '.lock');

  beforeAll(() => {
    const parts = [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'ormconfig.ts',
    ];
    for (const part of [...parts, 'deploy', 'migrations', 'src']) {
      cpSync(part, join(clone.path, part), { recursive: true, preserveTimestamps: true });
    }
  });
  afterAll(async () => {
    await stopAll();
    clone.remove();
  });

  async function interrupt(npm: RunningProcess, signal: NodeJS.Signals): Promise<void> {
    await npm.signal(signal);
    await until(() => processesOn(clone.path).length === 0);
    expect(leftovers()).toEqual([]);
    expect(existsSync(join(clone.path, 'dist'))).toBe(false);
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'while it installs, by %s: no installation goes on',
    async (signal) => {
      const registry = createServer().listen(0, '127.0.0.1'); // answers nothing
      await until(() => registry.listening);
      const asked = new Promise((resolve) => registry.once('connection', resolve));
      const { port } = registry.address() as AddressInfo;
      const settings = {
        ...NPM,
        npm_config_registry: `http://127.0.0.1:${port}`,
        npm_config_cache: join(clone.path, 'cache'),
      };
      const npm = new RunningProcess('npm', ['start'], settings, '', clone.path);
      await asked;
      await interrupt(npm, signal);
      registry.close();
    },
  );

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'while it builds, by %s: no half of a build stays',
    async (signal) => {
      // Link by link, so that nothing can empty the real one.
      const modules = join(clone.path, 'node_modules');
      rmSync(modules, { recursive: true, force: true });
      mkdirSync(modules);
      for (const name of readdirSync('node_modules'))
        symlinkSync(resolve('node_modules', name), join(modules, name));
      const npm = new RunningProcess('npm', ['start'], { ...NPM }, '', clone.path);
      await until(() => processesOn(builds).length > 0); // the compiler, which is told where to put it
      await interrupt(npm, signal);
    },
  );
});
