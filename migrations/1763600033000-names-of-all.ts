import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = {
  brands: 'brand_id',
  categories: 'category_id',
  amortization_categories: 'amortization_category_id',
};

/** Nobody asks any more for the index of all names, deleted ones included. */
export class NamesOfAll1763600033000 implements MigrationInterface {
  name = 'NamesOfAll1763600033000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of Object.keys(TABLES))
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_${table}_name_key_all`);
    await db.query(`RESET lock_timeout`);
  }

  /** What was deleted is removed: its name may have been given to another. Only deleted articles may be of it. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const [table, field] of Object.entries(TABLES)) {
      await db.query(
        `UPDATE articles SET ${field} = NULL WHERE ${field} IN (SELECT id FROM ${table} WHERE deleted_at IS NOT NULL)`,
      );
      await db.query(`DELETE FROM ${table} WHERE deleted_at IS NOT NULL`);
      const [{ keys }] = (await db.query(
        `SELECT substring(pg_get_indexdef('uq_${table}_name_key'::regclass) FROM ' ON .*\\)(?= WHERE )') AS keys`,
      )) as [{ keys: string }];
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_${table}_name_key_all`);
      await db.query(`CREATE UNIQUE INDEX CONCURRENTLY uq_${table}_name_key_all${keys}`);
    }
    await db.query(`RESET lock_timeout`);
  }
}
