import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  ix_purchases_assigned_tier: `(assigned_tier_id, id) WHERE assigned_tier_id IS NOT NULL`,
  ix_purchases_assigned_to: `USING gin (fold(assigned_to) gin_trgm_ops) WHERE assigned_to IS NOT NULL`,
};

/** Finds what somebody has; purchases that nobody has cost it nothing. */
export class AssignmentIndexes1763600131000 implements MigrationInterface {
  name = 'AssignmentIndexes1763600131000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`ALTER TABLE purchases VALIDATE CONSTRAINT fk_purchases_assigned_tier`);
    for (const [name, index] of Object.entries(INDEXES)) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON purchases ${index}`);
    }
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const name of Object.keys(INDEXES)) await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await db.query(`RESET lock_timeout`);
    await db.query(`
      ALTER TABLE purchases DROP CONSTRAINT fk_purchases_assigned_tier,
      ADD CONSTRAINT fk_purchases_assigned_tier FOREIGN KEY (assigned_tier_id) REFERENCES tiers (id) NOT VALID`);
  }
}
