import type { MigrationInterface, QueryRunner } from 'typeorm';

const HOLDERS = ['articles', 'purchases'];
/** Rows without fields are in none of them. */
const INDEXES = {
  fields: `USING gin (fields jsonb_path_ops) WHERE fields <> '{}'`,
  fields_text: `USING gin (fold(fields_text(fields)) gin_trgm_ops) WHERE fields <> '{}'`,
};

/** Finds rows by the fields of one's own. */
export class OwnFieldIndexes1763600141000 implements MigrationInterface {
  name = 'OwnFieldIndexes1763600141000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of HOLDERS) {
      await db.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ck_${table}_fields`);
      for (const [name, index] of Object.entries(INDEXES)) {
        await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_${name}`);
        await db.query(`CREATE INDEX CONCURRENTLY ix_${table}_${name} ON ${table} ${index}`);
      }
    }
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const table of HOLDERS)
      for (const name of Object.keys(INDEXES))
        await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_${name}`);
    await db.query(`RESET lock_timeout`);
    for (const table of HOLDERS) {
      await db.query(`
        ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_fields,
        ADD CONSTRAINT ck_${table}_fields CHECK (jsonb_typeof(fields) = 'object') NOT VALID`);
    }
  }
}
