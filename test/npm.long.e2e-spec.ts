import { jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectEnd, NPM, RunningProcess, stopAll, temporaryFolder, until } from './support/process.js';

jest.setTimeout(120_000); // what starts many processes takes long on a busy machine

describe('Whoever stops npm stops what it runs', () => {
  const folder = temporaryFolder();
  const env = { ...NPM, DATA_DIR: folder.path };

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  // By SIGKILL: test/start.e2e-spec.ts; by the others: test/drills/npm.long.drill.ts.
  it('npm start, by SIGTERM', async () => {
    const npm = new RunningProcess('npm', ['start'], env);
    await npm.url();
    await npm.signal('SIGTERM');
    await expectEnd(folder.path);
    expect(npm.errors.replace(/^npm warn .*\n/gm, '')).toBe('');
  });

  it('by Ctrl-C in its terminal, which reaches npm and all that it runs', async () => {
    const npm = new RunningProcess('npm', ['start'], env);
    await npm.url();
    process.kill(-npm.child.pid!, 'SIGINT');
    expect(await npm.ended).toBe(0);
    await expectEnd(folder.path);
  });

  it('a command, by SIGKILL', async () => {
    const who = ['--email', 'ada@example.org', '--login', 'ada', '--name', 'Ada Lovelace', '--role', 'admin'];
    const args = ['run', 'user:create', '--', ...who, '--password-stdin'];
    const npm = new RunningProcess('npm', args, env, null); // waits for the password
    await until(() => existsSync(join(folder.path, 'postgres/postmaster.pid')));
    expect(await npm.signal('SIGKILL')).not.toBe(0);
    await expectEnd(folder.path);
  });
});
