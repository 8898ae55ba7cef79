import type { MigrationInterface, QueryRunner } from 'typeorm';

const registerOtherCodes = (uris: string): string => `
  CREATE OR REPLACE FUNCTION register_other_codes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      UPDATE purchase_codes c SET alias = NULL FROM (
        SELECT o.id, code_key(other) AS key FROM before o JOIN written n ON n.id = o.id
        CROSS JOIN other_codes(o.epc, o.gs1) other WHERE (n.epc, n.gs1) IS DISTINCT FROM (o.epc, o.gs1)
        EXCEPT SELECT n.id, code_key(other) FROM written n CROSS JOIN other_codes(n.epc, n.gs1) other
      ) gone WHERE c.code_key = gone.key AND c.purchase_id = gone.id AND NOT c.is_linked;
    END IF;
    IF EXISTS (SELECT FROM written WHERE epc IS NOT NULL OR gs1 <> '{}') THEN
      UPDATE purchase_codes c SET alias = other
      FROM written w CROSS JOIN other_codes(w.epc, w.gs1) other
      WHERE c.code_key = code_key(other) AND c.purchase_id = w.id AND c.alias IS NULL;
      INSERT INTO purchase_codes (code_key, purchase_id, alias)
      SELECT DISTINCT ON (w.id, code_key(other)) code_key(other), w.id, other
      FROM written w CROSS JOIN other_codes(w.epc, w.gs1) other
      WHERE NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = code_key(other) AND c.purchase_id = w.id);${uris}
    END IF;
    RETURN NULL;
  END $$`;

/** No alias, since its key finds the purchase already. One that stood on another label before leaves its purchase as it was. */
const URIS = `
      IF TG_OP = 'UPDATE' THEN
        INSERT INTO purchase_codes (code_key, purchase_id)
        SELECT code_key(n.epc), n.id FROM before o JOIN written n ON n.id = o.id
        WHERE n.epc <> coalesce(o.epc, '')
          AND NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = code_key(n.epc) AND c.purchase_id = n.id);
      ELSE
        INSERT INTO purchase_codes (code_key, purchase_id)
        SELECT code_key(w.epc), w.id FROM written w
        WHERE w.epc IS NOT NULL
          AND NOT EXISTS (SELECT FROM purchase_codes c WHERE c.code_key = code_key(w.epc) AND c.purchase_id = w.id);
      END IF;`;

/** An EPC as it is answered is a code of its purchase, too, which no other one may have on its label. */
export class EpcUris1763600193000 implements MigrationInterface {
  name = 'EpcUris1763600193000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(registerOtherCodes(URIS));
    await db.query(`
      INSERT INTO purchase_codes (code_key, purchase_id)
      SELECT code_key(epc), id FROM purchases WHERE epc IS NOT NULL ON CONFLICT (code_key) DO NOTHING`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(registerOtherCodes(''));
    await db.query(`
      DELETE FROM purchase_codes c USING purchases p
      WHERE p.id = c.purchase_id AND c.code_key = code_key(p.epc) AND c.alias IS NULL AND c.code_key <> p.code_key`);
  }
}
