import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may read what the assets are worth: every role that comes with the service. */
export class Reports1763600019000 implements MigrationInterface {
  name = 'Reports1763600019000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`INSERT INTO permissions (name) VALUES ('reports.view')`);
    await db.query(`
      INSERT INTO role_permissions (role_id, permission)
      SELECT id, 'reports.view' FROM roles WHERE name IN ('viewer', 'operator', 'manager', 'admin')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM role_permissions WHERE permission = 'reports.view'`);
    await db.query(`DELETE FROM permissions WHERE name = 'reports.view'`);
  }
}
