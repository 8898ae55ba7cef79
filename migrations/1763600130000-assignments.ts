import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has a purchase: somebody in words, and a third party. */
export class Assignments1763600130000 implements MigrationInterface {
  name = 'Assignments1763600130000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE purchases ADD COLUMN assigned_to varchar(255), ADD COLUMN assigned_tier_id integer`,
    );
    await db.query(`
      ALTER TABLE purchases ADD CONSTRAINT fk_purchases_assigned_tier
      FOREIGN KEY (assigned_tier_id) REFERENCES tiers (id) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases DROP COLUMN assigned_tier_id, DROP COLUMN assigned_to`);
  }
}
