import { jest } from '@jest/globals';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client } from '../support/client.js';
import {
  listens,
  processesOn,
  RunningProcess,
  runCommand,
  stopAll,
  temporaryFolder,
  until,
} from '../support/process.js';

jest.setTimeout(120_000); // what starts many processes takes long on a busy machine

async function login(url: string, credentials: object): Promise<Client> {
  const { body } = await new Client(url).post('/login', credentials);
  return new Client(url, body.token);
}

/** How many rows the embedded server of the data directory gives; undefined while there is no server. */
async function lookInto(dataDir: string, sql: string): Promise<number | undefined> {
  let client: pg.Client | undefined;
  try {
    const port = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3]);
    const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8');
    client = new pg.Client({ host: '127.0.0.1', port, user: 'recense', password, database: 'recense' });
    client.on('error', () => undefined);
    await client.connect();
    return (await client.query(sql)).rowCount ?? 0;
  } catch {
    return undefined;
  } finally {
    await client?.end();
  }
}

describe('Interrupted', () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const log = () => {
    const path = join(folder.path, 'postgres.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  /** Sends the signal to a new start as soon as the check holds; its end must leave nothing behind. */
  async function interrupt(
    signal: NodeJS.Signals,
    check: (service: RunningProcess) => boolean | Promise<boolean>,
  ) {
    const service = new RunningProcess('main', [], env);
    await until(() => check(service));
    expect(await service.signal(signal)).toBe(0);
    expect(service.errors).toBe('');
    expect(processesOn(folder.path)).toEqual([]);
    expect(readdirSync(folder.path).filter((name) => /^(lock|unfinished)/.test(name))).toEqual([]);
  }

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  // Each start goes on from what the one before it has left.
  it('while it makes the cluster', async () => {
    await interrupt('SIGINT', () => readdirSync(folder.path).some((name) => name.startsWith('unfinished-')));
  });

  it('while it waits for PostgreSQL', async () => {
    const before = log();
    await interrupt('SIGTERM', () => log() !== before);
  });

  it('while it migrates', async () => {
    const sql = `SELECT FROM pg_tables WHERE tablename = 'migrations'`;
    await interrupt('SIGINT', async () => (await lookInto(folder.path, sql)) === 1);
  });

  it('while it loads the demo', async () => {
    const password = join(folder.path, 'demo-password');
    rmSync(password, { force: true }); // the one before may have come as far
    await interrupt('SIGINT', () => existsSync(password));
  });

  // A hundred more of any moment: test/drills/interruptions.long.drill.ts.
  it.each([
    [0, 'SIGHUP'],
    [800, 'SIGTERM'],
  ] as const)('%i ms after it has begun to listen to signals, by %s', async (delay, signal) => {
    await interrupt(signal, async (service) => listens(service) && (await sleep(delay, true)));
  });

  it('while PostgreSQL recovers from a crash', async () => {
    const service = new RunningProcess('main', [], env);
    await service.url();
    // PostgreSQL first, as it ends in good order when its service is gone.
    for (const pid of processesOn(folder.path)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // One that PostgreSQL had begun for a moment has ended by itself.
      }
    }
    await service.signal('SIGKILL');
    const { length } = log();
    await interrupt('SIGINT', () => log().includes('was interrupted', length));
  });

  it('the start after all that works; a second Ctrl-C at its end leaves no PostgreSQL either', async () => {
    const service = new RunningProcess('main', [], env);
    const [, credentials] = await service.says(/-d '(\{.*\})'/);
    const client = await login(await service.url(), JSON.parse(credentials!));
    expect((await client.get('/purchases')).body.meta.total).toBe(2500);
    const impatience = setInterval(() => service.child.kill('SIGINT'), 5);
    expect(await service.ended).toBe(130);
    clearInterval(impatience);
    await until(() => processesOn(folder.path).length === 0);
    expect(existsSync(join(folder.path, 'lock'))).toBe(false);
  });
});

describe('Commands that share a server', () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const isConnected = ({ child }: RunningProcess) =>
    lookInto(folder.path, `SELECT FROM pg_stat_activity WHERE application_name = 'recense-${child.pid}'`);

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it('keep it until the last of them is done, and no service starts meanwhile', async () => {
    const who = ['--email', 'ada@example.org', '--login', 'ada', '--name', 'Ada', '--role', 'admin'];
    const owner = new RunningProcess('cli', ['user:create', ...who, '--password-stdin'], env, null);
    await until(() => existsSync(join(folder.path, 'lock')));
    const joiner = new RunningProcess(
      'cli',
      ['user:password', '--login', 'ada', '--password-stdin'],
      env,
      null,
    );
    await until(async () => (await isConnected(joiner)) === 1); // it waits for its password, between two uses

    owner.child.stdin?.end('seven gulls in flight\n');
    await owner.says(/^Created user 1/);
    await owner.says(/^Waiting for other commands .*\n$/, 'errors');
    const service = new RunningProcess('main', [], env);
    expect(await service.ended).toBe(1);
    expect(service.errors).toMatch(
      /^The data directory .* is in use by a running command \(process \d+\)\.\n$/,
    );

    joiner.child.stdin?.end('un phare dans la brume\n');
    expect([await joiner.ended, joiner.errors]).toEqual([0, '']);
    expect(await owner.ended).toBe(0);
    expect(processesOn(folder.path)).toEqual([]);
    expect(existsSync(join(folder.path, 'lock'))).toBe(false);
  });

  it('a joiner that is interrupted leaves the server to its owner, who ends it when interrupted', async () => {
    const args = ['user:password', '--login', 'ada', '--password-stdin'];
    const owner = new RunningProcess('cli', args, env, null);
    await until(() => existsSync(join(folder.path, 'lock')));
    const joiner = new RunningProcess('cli', args, env, null);
    await until(async () => (await isConnected(joiner)) === 1);
    expect(await joiner.signal('SIGTERM')).toBe(143); // it did not do what was asked
    expect(await isConnected(owner)).toBe(0); // which also waits for a password; the server answers
    expect(await owner.signal('SIGINT')).toBe(130);
    expect([owner.errors, joiner.errors]).toEqual(['', '']);
    expect(processesOn(folder.path)).toEqual([]);
  });

  it('whenever one comes while another goes, all of them work', async () => {
    const start = async (n: number) => sleep(n * 150).then(() => runCommand(['migrate'], env));
    for (const { code, errors } of await Promise.all([0, 1, 2, 3, 4, 5].map(start))) {
      expect([code, errors.replace(/^Waiting .*\n$/, '')]).toEqual([0, '']);
    }
    expect(processesOn(folder.path)).toEqual([]);
  });
});
