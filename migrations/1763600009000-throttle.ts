import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When passwords were tried, of each of those whom src/auth/attempts.service.ts counts. */
export class Throttle1763600009000 implements MigrationInterface {
  name = 'Throttle1763600009000';

  async up(db: QueryRunner): Promise<void> {
    // Unlogged: cheap to write, and emptied by a crash of PostgreSQL, after which everyone begins anew.
    await db.query(`
      CREATE UNLOGGED TABLE password_attempts (
        key_hash bytea NOT NULL,
        made_at timestamptz[] NOT NULL,
        CONSTRAINT pk_password_attempts PRIMARY KEY (key_hash),
        CONSTRAINT ck_password_attempts_key_hash CHECK (length(key_hash) = 32)
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE password_attempts`);
  }
}
