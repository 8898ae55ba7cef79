import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * New purchases bring codes that nobody may have had, so there is nothing to look for before they are registered. An
 * import's search was planned for the empty register and compared each of its codes with all others.
 */
export class RegisterCodes1763600013000 implements MigrationInterface {
  name = 'RegisterCodes1763600013000';

  async up(db: QueryRunner): Promise<void> {
    // A purchase that is written again may have its code, or take back one of its own.
    await db.query(`
      CREATE OR REPLACE FUNCTION register_purchase_codes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO purchase_codes (code_key, purchase_id) SELECT code_key, id FROM written;
        ELSE
          INSERT INTO purchase_codes (code_key, purchase_id)
          SELECT w.code_key, w.id FROM written w
          WHERE NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = w.code_key AND c.purchase_id = w.id);
        END IF;
        RETURN NULL;
      END $$`);
    await db.query(`ALTER FUNCTION audit_author() ROWS 1`);
    await db.query(`ALTER FUNCTION audit_author(text) ROWS 1`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER FUNCTION audit_author(text) ROWS 1000`);
    await db.query(`ALTER FUNCTION audit_author() ROWS 1000`);
    await db.query(`
      CREATE OR REPLACE FUNCTION register_purchase_codes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO purchase_codes (code_key, purchase_id)
        SELECT w.code_key, w.id FROM written w
        WHERE NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = w.code_key AND c.purchase_id = w.id);
        RETURN NULL;
      END $$`);
  }
}
