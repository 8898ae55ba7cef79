import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a purchase is; the purchases that are there already are nowhere yet. */
export class PurchaseLocations1763600016000 implements MigrationInterface {
  name = 'PurchaseLocations1763600016000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases ADD COLUMN location_id integer`);
    await db.query(`
      ALTER TABLE purchases ADD CONSTRAINT fk_purchases_location
      FOREIGN KEY (location_id) REFERENCES locations (id) NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchases DROP COLUMN location_id`);
  }
}
