import { jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { EntityMetadata } from 'typeorm';
import { readFileSync, readdirSync } from 'node:fs';
import { UsageError } from '../src/common/command-line.js';
import { ServiceDataSource } from '../src/database/data-source.js';
import { databaseOptions } from '../src/database/options.js';
import { migrate, undoMigration } from '../src/database/migrate.js';
import { migrations } from '../src/database/migrations.js';
import { startApp } from './support/app.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { until } from './support/process.js';

/** Everything that a migration can leave behind, as text. */
const SCHEMA = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS thing
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'sequence ' || sequencename FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL SELECT 'trigger ' || tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function ' || p.oid::regprocedure FROM pg_proc p
    WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY 1`;

const schemaOf = async (database: TestDatabase): Promise<string[]> =>
  (await database.query<{ thing: string }>(SCHEMA)).map((row) => row.thing);

describe('Migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase('template0');
  });
  afterEach(() => database.drop());

  /** As another process that migrates has it. */
  const holdLock = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtext('migrations'))`);
    return client;
  };

  it('are all listed', () => {
    const files = readdirSync('migrations').map((file) => file.replace('.ts', ''));
    const listed = migrations.map((migration) => {
      const [, name = '', stamp = ''] = /^(\w+?)(\d{13})$/.exec(migration.name) ?? [];
      const words = name.replace(/[A-Z]/g, (letter, at) => (at > 0 ? '-' : '') + letter.toLowerCase());
      return `${stamp}-${words}`;
    });
    expect(listed).toEqual(files.sort());
  });

  it('reliability-31-ways-down: go up, and each goes back down to what was before', async () => {
    const applied = await migrate(database.url);
    expect(applied).toEqual(migrations.map((migration) => migration.name));
    const full = await schemaOf(database);

    for (const name of applied.toReversed()) expect(await undoMigration(database.url)).toBe(name);
    expect(await undoMigration(database.url)).toBeNull();
    const left = (await schemaOf(database)).filter(
      (thing) => !/\bmigrations\b|PK_|migrations_id_seq/.test(thing),
    );
    expect(left).toEqual([]);

    await migrate(database.url);
    expect(await schemaOf(database)).toEqual(full);
  });

  it('reliability-31-ways-down: go back one at a time to exactly the schema before', async () => {
    const before: string[][] = [];
    const source = new DataSource({ type: 'postgres', url: database.url, migrations: [] });
    await source.initialize();
    const runner = source.createQueryRunner();
    for (const Migration of migrations) {
      before.push(await schemaOf(database));
      await new Migration().up(runner);
    }
    for (const Migration of migrations.toReversed()) {
      await new Migration().down(runner);
      expect(await schemaOf(database)).toEqual(before.pop());
    }
    await runner.release();
    await source.destroy();
  });

  it('reliability-31-five-instances: are applied once, in order, when five start together', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)));
    expect(applied.filter((names) => names.length > 0)).toEqual([
      migrations.map((migration) => migration.name),
    ]);
    const rows = await database.query<{ name: string }>(`SELECT name FROM migrations ORDER BY id`);
    expect(rows.map((row) => row.name)).toEqual(migrations.map((migration) => migration.name));
  });

  it('say so where another process migrates, and wait for it', async () => {
    const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const other = await holdLock();
    const applying = migrate(database.url);
    await until(() => said.mock.calls.length > 0);
    expect(said.mock.calls).toEqual([['Another process migrates the database; this one waits for it.']]);
    await other.end();
    expect(await applying).toHaveLength(migrations.length);
    said.mockRestore();
  });

  it('wait for nobody where none is missing', async () => {
    await migrate(database.url);
    const other = await holdLock();
    expect(await migrate(database.url)).toEqual([]);
    await other.end();
  });

  it('are refused before their turn where the session that applies them is, as by PgBouncer', async () => {
    await database.query(`CREATE ROLE test_single LOGIN PASSWORD 'single' CONNECTION LIMIT 1`);
    const url = Object.assign(new URL(database.url), { username: 'test_single', password: 'single' });
    const other = await holdLock();
    await expect(migrate(url.href)).rejects.toThrow('too many connections for role');
    await other.end();
    await database.query(`DROP ROLE test_single`);
  });

  it('of a newer release are taken back by that one: who does not know the last says so', async () => {
    const [last, ...others] = (await migrate(database.url)).toReversed();
    const older = migrations.filter(({ name }) => others.includes(name));
    await expect(undoMigration(database.url, older)).rejects.toThrow(
      new UsageError(`${last} is the last migration, of another release: only that one can take it back.`),
    );
  });

  it('refuse a database that is not UTF8', async () => {
    await database.query(`CREATE DATABASE test_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const url = new URL(database.url);
    url.pathname = '/test_latin1';
    await expect(migrate(url.href)).rejects.toThrow('UTF8');
    await database.query(`DROP DATABASE test_latin1`);
  });

  it('work on a database with the C locale, accents and case included', async () => {
    await database.query(`CREATE DATABASE test_c LOCALE 'C' ENCODING 'UTF8' TEMPLATE template0`);
    const url = new URL(database.url);
    url.pathname = '/test_c';
    await migrate(url.href);
    const source = new DataSource({ type: 'postgres', url: url.href });
    await source.initialize();
    const [row] = await source.query<object[]>(
      `SELECT fold('ÉCOLE Œuvre ﬁn') AS folded, code_key('é') = code_key('É') AS same_case,
         code_key('é') = code_key('e') AS same_accent, search_pattern('50%_\\') AS pattern`,
    );
    await source.destroy();
    await database.query(`DROP DATABASE test_c`);
    expect(row).toEqual({
      folded: 'ecole oeuvre fin',
      same_case: true,
      same_accent: false,
      pattern: '%50\\%\\_\\\\%',
    });
  });
});

describe('reliability-32-no-synchronize: The schema', () => {
  it('is changed by migrations alone, whatever the options of TypeORM say', async () => {
    const database = await createTestDatabase();
    await database.query(`ALTER TABLE articles ADD COLUMN of_a_newer_version integer`);
    const before = await schemaOf(database);
    const options = databaseOptions({ url: database.url, pool: 2, timeout: 5000 });
    const asked = new ServiceDataSource({ ...options, synchronize: true, dropSchema: true });
    await expect(asked.initialize()).rejects.toThrow('Only migrations');
    const { app, stop } = await startApp({ NODE_ENV: 'production', TYPEORM_SYNCHRONIZE: 'true' }, database);
    const source = app.get(DataSource);
    expect(source.options.synchronize).toBe(false);
    await expect(source.synchronize()).rejects.toThrow('Only migrations');
    await expect(source.dropDatabase()).rejects.toThrow('Only migrations');
    await stop();
    expect(await schemaOf(database)).toEqual(before);
    await database.drop();
  });
});

describe('The statements of docs/backup.md for after a restore', () => {
  it('tell of every row again that is told to who asks what has changed', async () => {
    const [, text] = /```sql\n(BEGIN;[^]*?COMMIT;)\n```/.exec(readFileSync('docs/backup.md', 'utf8'))!;
    const { database, stop } = await startApp();
    await database.query(text!);
    const tables = await database.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'changed_at' AND table_name LIKE 'inventory%'
       UNION SELECT tgrelid::regclass::text FROM pg_trigger
       WHERE tgfoid = 'record_change'::regproc`,
    );
    const untold = tables.filter(({ name }) => !new RegExp(`^UPDATE ${name} SET`, 'm').test(text!));
    expect(untold).toEqual([]);
    await stop();
  });
});

describe('Entities', () => {
  it('agree with the migrations, column by column', async () => {
    const app = await startApp();
    const source = app.app.get(DataSource);
    for (const entity of source.entityMetadatas) {
      expect([entity.tableName, await columnsOf(app.database, entity.tableName)]).toEqual([
        entity.tableName,
        expectedColumns(entity),
      ]);
    }
    const tables = await app.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    // Tables that the code reaches by SQL alone.
    const bySql = [
      'import_refusals',
      'idempotency_keys',
      'inventory_answers',
      'inventory_closed_lines',
      'inventory_counters',
      'inventory_frozen',
      'inventory_frozen_lines',
      'inventory_frozen_locations',
      'location_codes',
      'migrations',
      'password_attempts',
      'permissions',
      'purchase_codes',
      'purchase_counts',
      'purchase_joins',
      'webhook_outbox',
      'webhook_sending',
    ];
    const mapped = source.entityMetadatas.map((entity) => entity.tableName);
    expect(tables.map((table) => table.name).sort()).toEqual([...mapped, ...bySql].sort());
    await app.stop();
  });
});

/** Of a table: every column but those that the database computes. */
async function columnsOf(database: TestDatabase, table: string): Promise<Record<string, string>> {
  const rows = await database.query<{ name: string; type: string }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN '' ELSE ' null' END AS type
     FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
    [table],
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.type]));
}

function expectedColumns(entity: EntityMetadata): Record<string, string> {
  const names: Record<string, string | undefined> = {
    varchar: 'character varying',
    timestamptz: 'timestamp(3) with time zone',
  };
  return Object.fromEntries(
    entity.columns
      .filter((column) => !column.isVirtualProperty)
      .map((column) => {
        const type =
          names[column.type as string] ?? (column.type === Number ? 'integer' : String(column.type));
        const bounds = column.scale === undefined ? column.length : `${column.precision},${column.scale}`;
        return [
          column.databaseName,
          `${type}${bounds ? `(${bounds})` : ''}${column.isArray ? '[]' : ''}${column.isNullable ? ' null' : ''}`,
        ];
      }),
  );
}
