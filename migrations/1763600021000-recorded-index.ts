import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the few scans that count from an instant of the past, for lists of changes; others cost it nothing. */
export class RecordedIndex1763600021000 implements MigrationInterface {
  name = 'RecordedIndex1763600021000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_inventory_lines_recorded_at`);
    await db.query(`
      CREATE INDEX CONCURRENTLY ix_inventory_lines_recorded_at ON inventory_lines (inventory_id, recorded_at, scan_id)
      WHERE recorded_at IS NOT NULL`);
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_inventory_lines_recorded_at`);
    await db.query(`RESET lock_timeout`);
  }
}
