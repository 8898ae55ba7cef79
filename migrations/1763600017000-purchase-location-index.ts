import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds what is in some places; purchases that are nowhere cost it nothing. */
export class PurchaseLocationIndex1763600017000 implements MigrationInterface {
  name = 'PurchaseLocationIndex1763600017000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`ALTER TABLE purchases VALIDATE CONSTRAINT fk_purchases_location`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_purchases_location`);
    await db.query(
      `CREATE INDEX CONCURRENTLY ix_purchases_location ON purchases (location_id, id) WHERE location_id IS NOT NULL`,
    );
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_purchases_location`);
    await db.query(`RESET lock_timeout`);
    await db.query(`
      ALTER TABLE purchases DROP CONSTRAINT fk_purchases_location,
      ADD CONSTRAINT fk_purchases_location FOREIGN KEY (location_id) REFERENCES locations (id) NOT VALID`);
  }
}
