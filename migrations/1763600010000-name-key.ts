import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what names and references are compared: `Café SA` is one name however its accent, case and spaces are written. */
export class NameKey1763600010000 implements MigrationInterface {
  name = 'NameKey1763600010000';

  async up(db: QueryRunner): Promise<void> {
    // Taken apart first, so that a letter and its accent are told alike; lower() before upper() as in code_key(). The
    // white space of Unicode that NFKC leaves is named, since what \s means depends on the locale of the database.
    await db.query(`
      CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
        SELECT btrim(regexp_replace(translate(
          normalize(upper(lower(normalize($1, NFKD) COLLATE "und-x-icu")), NFKC),
          E'\\t\\n\\x0B\\f\\r\\u0085\\u1680\\u2028\\u2029', repeat(' ', 9)), ' {2,}', ' ', 'g'))
      $$`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION name_key(text)`);
  }
}
