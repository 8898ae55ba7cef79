import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has changed in a row is found without this function since AuditUpdates1763600014000. */
export class FieldsUnlike1763600036000 implements MigrationInterface {
  name = 'FieldsUnlike1763600036000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION fields_unlike(jsonb, jsonb)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION fields_unlike(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
      $$ SELECT jsonb_object_agg(key, value) FROM jsonb_each($1) WHERE value IS DISTINCT FROM $2 -> key $$`);
  }
}
