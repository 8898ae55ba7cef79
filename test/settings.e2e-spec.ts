import { openEmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import { checkSettings } from '../src/database/check-settings.js';
import { EnvError } from '../src/config/env.js';
import { migrate } from '../src/database/migrate.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { RunningProcess, runCommand, stopAll, temporaryFolder } from './support/process.js';

const check = (url: string, settings: { DATABASE_POOL?: number; TIME_ZONE?: string }) =>
  checkSettings(url, {
    DATABASE_POOL: 10,
    DATABASE_TIMEOUT_MS: 3000,
    TIME_ZONE: 'Europe/Paris',
    ...settings,
  });

async function expectRefused(env: Record<string, string>, line: RegExp): Promise<void> {
  const service = new RunningProcess('main', [], env);
  expect(await service.ended).toBe(1);
  expect(service.errors).toMatch(line);
}

describe('reliability-30-settings-and-database: a start on a database that the settings do not fit', () => {
  afterAll(stopAll);

  describe('TIME_ZONE', () => {
    const url = process.env.TEST_DATABASE_URL!;

    it.each(['CET', 'EET', 'IST', 'SystemV/EST5EDT'])(
      '%s, of which PostgreSQL has other days',
      async (name) => {
        const checked = check(url, { TIME_ZONE: name });
        await expect(checked).rejects.toThrow(EnvError);
        await expect(checked).rejects.toThrow(
          new RegExp(`^TIME_ZONE ${name} has other days [^\\n]+ \\d{4}-\\d\\d-\\d\\d\\.$`),
        );
      },
    );

    it('US/Pacific-New, which PostgreSQL does not know', async () => {
      await expect(check(url, { TIME_ZONE: 'US/Pacific-New' })).rejects.toThrow(
        /^TIME_ZONE US\/Pacific-New is not known to the database\.$/,
      );
    });

    it.each(['UTC', 'Etc/GMT+12', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'])(
      '%s is the same to both',
      (name) => check(url, { TIME_ZONE: name }),
    );

    it.each(['CET', 'SystemV/EST5EDT'])('%s ends the start with one line', async (name) => {
      const database = await createTestDatabase();
      await expectRefused({ DATABASE_URL: database.url, TIME_ZONE: name }, /^TIME_ZONE [^\n]+\n$/);
      await database.drop();
    });
  });

  describe('DATABASE_POOL', () => {
    it('beyond what the embedded server has for it', async () => {
      const folder = temporaryFolder();
      await expectRefused(
        { DATA_DIR: folder.path, DATABASE_POOL: '86' },
        /^DATABASE_POOL 86 and the 5 connections beside it are more than the 90 of the database\.\n$/,
      );
      folder.remove();
    });

    it('beyond what the server of DATABASE_URL has for it', async () => {
      const folder = temporaryFolder();
      const settings = {
        max_connections: '20',
        superuser_reserved_connections: '3',
        reserved_connections: '1',
      };
      const server = await openEmbeddedServer(folder.path, 'service', { settings });
      await check(server.url, { DATABASE_POOL: 11 });
      await expectRefused(
        { DATABASE_URL: server.url, DATABASE_POOL: '12' },
        /^DATABASE_POOL 12 and the 5 connections beside it are more than the 16 of the database\.\n$/,
      );
      await server.stop();
      folder.remove();
    });
  });

  describe('DATABASE_POOLER', () => {
    let database: TestDatabase;
    const settings = { DATABASE_POOLER: 'transaction' };
    const withLimits = (limits: string) => {
      const url = new URL(database.url);
      url.searchParams.set('options', limits);
      return { ...settings, DATABASE_URL: url.href };
    };
    const LIMITS =
      '-c statement_timeout=3000 -c lock_timeout=2700 -c idle_in_transaction_session_timeout=6000';

    beforeEach(async () => (database = await createTestDatabase('template0')));
    afterEach(async () => {
      await stopAll();
      await database.drop();
    });

    it('that leaves its sessions without limits: the line says what it is to be told', async () => {
      await expectRefused(
        withLimits('-c statement_timeout=3000'),
        /^DATABASE_POOLER sets no idle_in_transaction_session_timeout, lock_timeout: its connect_query must be "SET statement_timeout = 3000; SET lock_timeout = 2700; SET idle_in_transaction_session_timeout = 6000"\.\n$/,
      );
    });

    it('before a database that lacks migrations, which are applied past it', async () => {
      await expectRefused(
        withLimits(LIMITS),
        /^DATABASE_POOLER: \d+ migrations are to be applied past the pooler first: /,
      );
    });

    it('refuses commands, which are run past it', async () => {
      const env = { ...settings, DATABASE_URL: database.url };
      expect(await runCommand(['migrate'], env)).toEqual({
        code: 1,
        output: '',
        errors: 'DATABASE_POOLER: commands are run without it, with the DATABASE_URL of the server itself.\n',
      });
    });

    it('that is none, or in session mode: a line says so, and all goes on', async () => {
      await migrate(database.url);
      const service = new RunningProcess('main', [], withLimits(LIMITS));
      expect((await fetch(`${await service.url()}/health/ready`)).status).toBe(200);
      expect(service.errors).toMatch(
        /^DATABASE_POOLER is transaction, but each connection has a session of its own/,
      );
    });
  });
});
