import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'ix_inventory_answers_repeats';

/** Finds the repeats of a scan; messages that repeat none cost it nothing. */
export class RepeatedReadsIndex1763600183000 implements MigrationInterface {
  name = 'RepeatedReadsIndex1763600183000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`);
    await db.query(
      `CREATE INDEX CONCURRENTLY ${NAME} ON inventory_answers (inventory_id, repeats) WHERE repeats IS NOT NULL`,
    );
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${NAME}`);
    await db.query(`RESET lock_timeout`);
  }
}
