import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['brands', 'categories', 'amortization_categories'];

/**
 * A name is free again once what had it is deleted. Built beside the indexes of before, which still hold all names; by
 * the same keys, since those may leave twins beside each other.
 */
export class LiveNames1763600031000 implements MigrationInterface {
  name = 'LiveNames1763600031000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of TABLES) {
      for (const index of [`uq_${table}_name`, `uq_${table}_name_key`]) {
        const [{ keys }] = (await db.query(
          `SELECT substring(pg_get_indexdef('${index}'::regclass) FROM ' ON .*$') AS keys`,
        )) as [{ keys: string }];
        await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}_live`);
        await db.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index}_live${keys} WHERE deleted_at IS NULL`);
      }
    }
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of TABLES) {
      for (const index of [`uq_${table}_name`, `uq_${table}_name_key`])
        await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}_live`);
    }
    await db.query(`RESET lock_timeout`);
  }
}
