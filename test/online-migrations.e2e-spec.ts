import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CountingParts1763600026000 } from '../migrations/1763600026000-counting-parts.js';
import { migrate, undoMigration } from '../src/database/migrate.js';
import { migrations } from '../src/database/migrations.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

/** How to add an index to a table that is in use: the pattern of docs/releasing.md, "Migrations". */
class SupplierEmails1900000001000 implements MigrationInterface {
  name = 'SupplierEmails1900000001000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_suppliers_email`);
    await db.query(`CREATE UNIQUE INDEX CONCURRENTLY uq_suppliers_email ON suppliers (email)`);
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_suppliers_email`);
    await db.query(`RESET lock_timeout`);
  }
}

/** In a transaction: the lock is short, but it has to be had. */
class SupplierRatings1900000002000 implements MigrationInterface {
  name = 'SupplierRatings1900000002000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE suppliers ADD COLUMN rating integer`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE suppliers DROP COLUMN rating`);
  }
}

const withIndex = [...migrations, SupplierEmails1900000001000];
const withColumn = [...migrations, SupplierRatings1900000002000];

describe('reliability-31-online-migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await rollbackAll();
    await database.drop();
  });

  const insert = (email: string) => `INSERT INTO suppliers (name, email) VALUES ('Ponant', '${email}')`;
  const indexes = () =>
    database.query(
      `SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = to_regclass('uq_suppliers_email')`,
    );

  it('an index is built and dropped while writers go on', async () => {
    const writer = await begin(database);
    await writer.query(insert('a@x.example'));
    const migrating = migrate(database.url, withIndex);
    await blocked(database); // until that transaction ends
    await database.query(insert('b@x.example'));
    await writer.end('COMMIT');
    expect(await migrating).toEqual(['SupplierEmails1900000001000']);
    expect(await indexes()).toEqual([{ is_valid: true }]);

    const reader = await begin(database);
    await reader.query(`SELECT FROM suppliers`);
    const undoing = undoMigration(database.url, withIndex);
    await blocked(database);
    await database.query(insert('c@x.example'));
    await reader.end('COMMIT');
    expect(await undoing).toBe('SupplierEmails1900000001000');
    expect(await indexes()).toEqual([]);
  });

  it('an index that could not be finished is no hindrance to the next try', async () => {
    await database.query(insert('a@x.example'));
    await database.query(insert('a@x.example'));
    await expect(migrate(database.url, withIndex)).rejects.toThrow(/uq_suppliers_email/);
    expect(await indexes()).toEqual([{ is_valid: false }]);
    await database.query(`UPDATE suppliers SET email = NULL`);
    expect(await migrate(database.url, withIndex)).toEqual(['SupplierEmails1900000001000']);
    expect(await indexes()).toEqual([{ is_valid: true }]);
  });

  it('five instances that start together build an index once', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, withIndex)));
    expect(applied.flat()).toEqual(['SupplierEmails1900000001000']);
  });

  it('a migration that waits for a table lets requests pass, and gets it in the end', async () => {
    const reader = await begin(database);
    await reader.query(`SELECT FROM suppliers`);
    const migrating = migrate(database.url, withColumn);
    await blocked(database);
    await database.query(`SELECT FROM suppliers`); // behind it, while the first reader goes on
    await reader.end('COMMIT');
    expect(await migrating).toEqual(['SupplierRatings1900000002000']);
    expect(await undoMigration(database.url, withColumn)).toBe('SupplierRatings1900000002000');
  });

  it('what was applied before the wait is told of, and not applied again', async () => {
    const reader = await begin(database);
    await reader.query(`SELECT FROM suppliers`);
    class Empty1900000000000 implements MigrationInterface {
      name = 'Empty1900000000000';
      up = async (): Promise<void> => {};
      down = async (): Promise<void> => {};
    }
    const migrating = migrate(database.url, [
      ...migrations,
      Empty1900000000000,
      SupplierRatings1900000002000,
    ]);
    await until(
      async () => (await database.query(`SELECT FROM migrations WHERE name LIKE 'Empty%'`)).length === 1,
    );
    await blocked(database);
    await reader.end('COMMIT');
    expect(await migrating).toEqual(['Empty1900000000000', 'SupplierRatings1900000002000']);
  });

  it('CountingParts keeps the figures of open sessions, and waits for one that is being opened', async () => {
    const session = (id: number) => `
      INSERT INTO inventories (id, year, inventory_date, opened_by) VALUES (${id}, 2026, '2026-11-20', 1);
      SELECT open_counters(${id}, 0, 0)`;
    const add = (part: number) =>
      `UPDATE inventory_counters SET scanned = 1, total = 2 WHERE shard = ${part}`;
    const sums = () =>
      database.query(`
        SELECT inventory_id AS id, count(*)::int AS parts, sum(scanned)::int AS scanned, sum(total)::int AS total
        FROM inventory_counters GROUP BY 1 ORDER BY 1`);
    const upToIt = migrations.slice(0, migrations.indexOf(CountingParts1763600026000) + 1);
    for (let count = migrations.length; count > upToIt.length; count--) await undoMigration(database.url);

    await database.query(
      `INSERT INTO users (id, name, login, email, password_hash) VALUES (1, 'Ada', 'ada', 'a@x.example', '')`,
    );
    await database.query([session(1), ...[-48, -1, 0, 15, 31].map(add)].join(';'));
    await undoMigration(database.url, upToIt);
    expect(await sums()).toEqual([{ id: 1, parts: 32, scanned: 5, total: 10 }]);

    const opener = await begin(database);
    await opener.query(`SELECT pg_advisory_xact_lock(hashtext('inventories.open')); ${session(2)}`);
    const migrating = migrate(database.url, upToIt);
    await blocked(database);
    await opener.end('COMMIT');
    await migrating;
    expect(await sums()).toEqual([
      { id: 1, parts: 80, scanned: 5, total: 10 },
      { id: 2, parts: 80, scanned: 0, total: 0 },
    ]);
  });
});
