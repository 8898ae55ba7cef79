import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Logins and e-mail addresses are unique by name_key() instead of fold(), which took `zoé` and `zoe` for one. Under the
 * names of before, which the release before knows as well.
 */
export class LoginKeys1763600012000 implements MigrationInterface {
  name = 'LoginKeys1763600012000';

  async up(db: QueryRunner): Promise<void> {
    for (const index of ['uq_users_login', 'uq_users_email']) {
      await db.query(`DROP INDEX ${index}`);
      await db.query(`ALTER INDEX ${index}_key RENAME TO ${index}`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const column of ['login', 'email']) {
      await db.query(`ALTER INDEX uq_users_${column} RENAME TO uq_users_${column}_key`);
      await db.query(`CREATE UNIQUE INDEX uq_users_${column} ON users (fold(${column}))`);
    }
  }
}
