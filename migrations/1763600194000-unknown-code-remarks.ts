import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was said of a thing when its code was read first: it is said of its scan, once somebody knows which thing it is. */
export class UnknownCodeRemarks1763600194000 implements MigrationInterface {
  name = 'UnknownCodeRemarks1763600194000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE inventory_unknown_codes ADD COLUMN first_condition varchar(10), ADD COLUMN first_note varchar(500)`);
    await db.query(`
      ALTER TABLE inventory_unknown_codes ADD CONSTRAINT ck_inventory_unknown_codes_condition
        CHECK (first_condition IN ('good', 'damaged', 'unusable')) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_unknown_codes DROP COLUMN first_condition, DROP COLUMN first_note`);
  }
}
