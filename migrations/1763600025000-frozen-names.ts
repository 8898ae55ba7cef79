import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who opened and closed a session, and what it covered, as they were called when it was closed. */
export class FrozenNames1763600025000 implements MigrationInterface {
  name = 'FrozenNames1763600025000';

  async up(db: QueryRunner): Promise<void> {
    // Null where a service of before closed it: then they show as they are called now.
    await db.query(`ALTER TABLE inventory_frozen ADD COLUMN session jsonb`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_frozen DROP COLUMN session`);
  }
}
