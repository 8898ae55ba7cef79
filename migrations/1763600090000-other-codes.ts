import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The EPC of an RFID tag, and GIAIs and GRAIs, which are codes of a purchase beside that of its label. */
export class OtherCodes1763600090000 implements MigrationInterface {
  name = 'OtherCodes1763600090000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE purchases
        ADD COLUMN epc varchar(128),
        ADD COLUMN gs1 varchar(40)[] NOT NULL DEFAULT '{}'`);
    await db.query(`
      ALTER TABLE purchases
        ADD CONSTRAINT ck_purchases_epc CHECK (epc ~ '^urn:epc:id:(giai:[0-9]{6,12}|grai:[0-9]{6,12}[.][0-9]{0,6})[.][!-~]+$')
          NOT VALID,
        ADD CONSTRAINT ck_purchases_gs1 CHECK (cardinality(gs1) <= 20 AND array_position(gs1, NULL) IS NULL
          AND ' ' || array_to_string(gs1, ' ') ~ '^( [(]800[34][)][!-~]{4,30})* ?$') NOT VALID`);

    // The GIAI or GRAI that an EPC says: company and reference without the dot, a GRAI with a zero before its twelve
    // digits and a check digit behind them; seven characters are percent-encoded in a URI.
    await db.query(`
      CREATE FUNCTION epc_key(epc text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT replace(replace(replace(replace(replace(replace(replace(
          CASE WHEN $1 LIKE 'urn:epc:id:giai:%' THEN '(8004)' || regexp_replace(substr($1, 17), '[.]', '')
          ELSE (
            SELECT '(8003)0' || digits || (
                SELECT (10 - sum(substr(digits, n, 1)::integer * CASE WHEN n % 2 = 0 THEN 3 ELSE 1 END) % 10) % 10
                FROM generate_series(1, 12) n
              ) || regexp_replace(substr($1, 17), '^[0-9]+[.][0-9]*[.]', '')
            FROM (SELECT split_part(substr($1, 17), '.', 1) || split_part(substr($1, 17), '.', 2) AS digits) d
          ) END,
          '%22', '"'), '%26', '&'), '%2F', '/'), '%3C', '<'), '%3E', '>'), '%3F', '?'), '%25', '%')
      $$`);
    await db.query(`
      CREATE FUNCTION other_codes(epc text, gs1 varchar[]) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 2 AS $$
        SELECT epc_key($1) WHERE $1 IS NOT NULL UNION ALL SELECT unnest($2)
      $$`);

    // They are registered as other codes of their purchase are, and stay so when they are no longer read.
    await db.query(`
      CREATE FUNCTION register_other_codes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          UPDATE purchase_codes c SET alias = NULL FROM (
            SELECT o.id, code_key(other) AS key FROM before o JOIN written n ON n.id = o.id
            CROSS JOIN other_codes(o.epc, o.gs1) other WHERE (n.epc, n.gs1) IS DISTINCT FROM (o.epc, o.gs1)
            EXCEPT SELECT n.id, code_key(other) FROM written n CROSS JOIN other_codes(n.epc, n.gs1) other
          ) gone WHERE c.code_key = gone.key AND c.purchase_id = gone.id;
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
      END $$`);
    // After those of the labels, by their names, which one of these may repeat.
    await db.query(`
      CREATE TRIGGER purchases_register_other_codes_insert AFTER INSERT ON purchases
      REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION register_other_codes()`);
    await db.query(`
      CREATE TRIGGER purchases_register_other_codes_update AFTER UPDATE ON purchases
      REFERENCING OLD TABLE AS before NEW TABLE AS written
      FOR EACH STATEMENT EXECUTE FUNCTION register_other_codes()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TRIGGER purchases_register_other_codes_update ON purchases`);
    await db.query(`DROP TRIGGER purchases_register_other_codes_insert ON purchases`);
    await db.query(`DROP FUNCTION register_other_codes(), other_codes(text, varchar[]), epc_key(text)`);
    await db.query(`ALTER TABLE purchases DROP COLUMN gs1, DROP COLUMN epc`);
  }
}
