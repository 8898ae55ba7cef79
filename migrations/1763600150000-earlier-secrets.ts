import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets of webhooks that were rotated more than once within a day: those before the previous one still sign. */
export class EarlierSecrets1763600150000 implements MigrationInterface {
  name = 'EarlierSecrets1763600150000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE webhook_sending ADD COLUMN earlier jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT ck_webhook_sending_earlier CHECK (jsonb_typeof(earlier) = 'array') NOT VALID`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE webhook_sending DROP COLUMN earlier`);
  }
}
