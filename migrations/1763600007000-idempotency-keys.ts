import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answers to creating requests that carried an Idempotency-Key, for as long as they may be repeated. */
export class IdempotencyKeys1763600007000 implements MigrationInterface {
  name = 'IdempotencyKeys1763600007000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE idempotency_keys (
        key_hash bytea NOT NULL,
        body_hash bytea NOT NULL,
        answer json NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (key_hash),
        CONSTRAINT ck_idempotency_keys_hashes CHECK (length(key_hash) = 32 AND length(body_hash) = 32)
      )`);
    await db.query(`CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE idempotency_keys`);
  }
}
