import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['inventory_undone_scans', 'inventory_late_scans'];

/**
 * Find the few scans of a purchase that were undone or came late, for its history. Those of the sessions are found by
 * the keys of their lines: an index more there would cost every scan.
 */
export class HistoryIndexes1763600120000 implements MigrationInterface {
  name = 'HistoryIndexes1763600120000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of TABLES) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_purchase`);
      await db.query(`
        CREATE INDEX CONCURRENTLY ix_${table}_purchase ON ${table} (purchase_id) WHERE purchase_id IS NOT NULL`);
    }
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of TABLES) await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_purchase`);
    await db.query(`RESET lock_timeout`);
  }
}
