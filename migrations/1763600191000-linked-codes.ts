import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Other codes of a purchase, which scans no longer find once it does not have them, unless they were linked to it. */
const registerOtherCodes = (unless: string): string => `
  CREATE OR REPLACE FUNCTION register_other_codes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      UPDATE purchase_codes c SET alias = NULL FROM (
        SELECT o.id, code_key(other) AS key FROM before o JOIN written n ON n.id = o.id
        CROSS JOIN other_codes(o.epc, o.gs1) other WHERE (n.epc, n.gs1) IS DISTINCT FROM (o.epc, o.gs1)
        EXCEPT SELECT n.id, code_key(other) FROM written n CROSS JOIN other_codes(n.epc, n.gs1) other
      ) gone WHERE c.code_key = gone.key AND c.purchase_id = gone.id${unless};
    END IF;
    IF EXISTS (SELECT FROM written WHERE epc IS NOT NULL OR gs1 <> '{}') THEN
      UPDATE purchase_codes c SET alias = other
      FROM written w CROSS JOIN other_codes(w.epc, w.gs1) other
      WHERE c.code_key = code_key(other) AND c.purchase_id = w.id AND c.alias IS NULL;
      INSERT INTO purchase_codes (code_key, purchase_id, alias)
      SELECT DISTINCT ON (w.id, code_key(other)) code_key(other), w.id, other
      FROM written w CROSS JOIN other_codes(w.epc, w.gs1) other
      WHERE NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = code_key(other) AND c.purchase_id = w.id);
    END IF;
    RETURN NULL;
  END $$`;

/** Which codes somebody has linked to a purchase: those it has for ever, also where they were its GS1 for a while. */
export class LinkedCodes1763600191000 implements MigrationInterface {
  name = 'LinkedCodes1763600191000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE purchase_codes ADD COLUMN is_linked boolean NOT NULL DEFAULT false`);
    await db.query(`
      UPDATE purchase_codes c SET is_linked = true FROM inventory_unknown_codes u
      WHERE u.status = 'linked' AND c.purchase_id = u.purchase_id AND c.code_key = u.code_key`);
    await db.query(registerOtherCodes(' AND NOT c.is_linked'));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(registerOtherCodes(''));
    await db.query(`ALTER TABLE purchase_codes DROP COLUMN is_linked`);
  }
}
