import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What String.trim() takes away, whatever the locale of the database. */
const BLANKS =
  ' \\t\\n\\u000b\\f\\r\\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a' +
  '\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/**
 * Choices as they are taken now: without blanks around them, which no value has, each once, and null of what is no
 * choice. Where nothing but blanks was to choose from they stay, since a choice must have some.
 */
export class TrimmedChoices1763600190000 implements MigrationInterface {
  name = 'TrimmedChoices1763600190000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    // What somebody gives other choices meanwhile is left to the next round.
    let changed: number;
    do {
      [, changed] = (await db.query(`
        UPDATE fields f SET choices = kept.choices FROM (
          SELECT id, fields.choices AS given, trimmed.choices::varchar(100)[] AS choices FROM fields CROSS JOIN LATERAL (
            SELECT array_agg(choice ORDER BY at) AS choices FROM (
              SELECT btrim(given, E'${BLANKS}') AS choice, min(at) AS at
              FROM unnest(choices) WITH ORDINALITY AS one (given, at) GROUP BY 1
            ) AS once WHERE choice <> ''
          ) AS trimmed
          WHERE fields.choices IS DISTINCT FROM trimmed.choices::varchar(100)[]
            AND (trimmed.choices IS NOT NULL OR type <> 'choice')
          LIMIT 100
        ) AS kept WHERE f.id = kept.id AND f.choices = kept.given`)) as [unknown, number];
    } while (changed > 0);
    await db.query(`RESET lock_timeout`);
  }

  /** The schema is the same, and the release before reads what is trimmed as well. */
  async down(): Promise<void> {}
}
