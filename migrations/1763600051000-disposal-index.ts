import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHECKS = {
  ck_purchases_disposed_on: 'CHECK (disposed_on >= purchase_date)',
  ck_purchases_disposal: `CHECK (CASE WHEN disposed_on IS NULL
    THEN num_nonnulls(disposal_reason, disposal_proceeds, disposal_note) = 0
    ELSE disposal_reason IS NOT NULL AND coalesce(disposal_proceeds, 0) >= 0 END)`,
};

/** Finds what was disposed of; all else costs it nothing. */
export class DisposalIndex1763600051000 implements MigrationInterface {
  name = 'DisposalIndex1763600051000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const name of Object.keys(CHECKS)) {
      await db.query(`ALTER TABLE purchases VALIDATE CONSTRAINT ${name}`);
    }
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_purchases_disposed`);
    await db.query(`
      CREATE INDEX CONCURRENTLY ix_purchases_disposed ON purchases (id) WHERE disposed_on IS NOT NULL`);
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_purchases_disposed`);
    await db.query(`RESET lock_timeout`);
    for (const [name, check] of Object.entries(CHECKS)) {
      await db.query(
        `ALTER TABLE purchases DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} ${check} NOT VALID`,
      );
    }
  }
}
