import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['brands', 'categories', 'amortization_categories'];

/** The indexes of the live names take the place of those of all, under the names that the release before knows. */
export class NamesOfTheLiving1763600032000 implements MigrationInterface {
  name = 'NamesOfTheLiving1763600032000';

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(`ALTER TABLE ${table} DROP CONSTRAINT uq_${table}_name`);
      await db.query(`ALTER INDEX uq_${table}_name_live RENAME TO uq_${table}_name`);
      await db.query(`ALTER INDEX uq_${table}_name_key RENAME TO uq_${table}_name_key_all`);
      await db.query(`ALTER INDEX uq_${table}_name_key_live RENAME TO uq_${table}_name_key`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(`ALTER INDEX uq_${table}_name_key RENAME TO uq_${table}_name_key_live`);
      await db.query(`ALTER INDEX uq_${table}_name_key_all RENAME TO uq_${table}_name_key`);
      await db.query(`ALTER INDEX uq_${table}_name RENAME TO uq_${table}_name_live`);
      await db.query(`ALTER TABLE ${table} ADD CONSTRAINT uq_${table}_name UNIQUE (name)`);
    }
  }
}
