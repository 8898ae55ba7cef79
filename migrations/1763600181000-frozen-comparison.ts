import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * With which session a closed one is compared, and what has changed since that: `{"session": id, "updated_at": …,
 * "changes": {…}}`, an object without them where there is none. Null of what was closed before: that is compared anew each time.
 */
export class FrozenComparison1763600181000 implements MigrationInterface {
  name = 'FrozenComparison1763600181000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_frozen ADD COLUMN comparison jsonb`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_frozen DROP COLUMN comparison`);
  }
}
