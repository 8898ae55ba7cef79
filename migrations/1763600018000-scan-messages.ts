import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What phones send beside the code, what each message of theirs was answered, and which scans were undone: a network
 * that loses answers, a day without one, and a thumb on the wrong label change no figure.
 */
export class ScanMessages1763600018000 implements MigrationInterface {
  name = 'ScanMessages1763600018000';

  async up(db: QueryRunner): Promise<void> {
    // All null: no row of before is written. scanned_at is the server's instant, device_scanned_at that of the phone.
    await db.query(`
      ALTER TABLE inventory_lines
        ADD COLUMN client_id uuid,
        ADD COLUMN device_scanned_at timestamptz(3),
        ADD COLUMN condition varchar(10),
        ADD COLUMN note varchar(500)`);
    await db.query(`
      ALTER TABLE inventory_lines ADD CONSTRAINT ck_inventory_lines_condition
        CHECK (condition IN ('good', 'damaged', 'unusable')) NOT VALID`);

    // The answer without its sentence, which is in the language of each request. A scan that is undone changes it.
    await db.query(`
      CREATE TABLE inventory_answers (
        inventory_id integer NOT NULL,
        client_id uuid NOT NULL,
        code_key text NOT NULL,
        scan_id bigint,
        answer jsonb NOT NULL,
        CONSTRAINT pk_inventory_answers PRIMARY KEY (inventory_id, client_id)
      )`);

    // Marks of what is no longer there: for lists of changes, and for whoever follows a session.
    await db.query(`
      CREATE TABLE inventory_undone_scans (
        inventory_id integer NOT NULL,
        scan_id bigint NOT NULL,
        purchase_id integer NOT NULL,
        undone_at timestamptz(3) NOT NULL,
        undone_by integer NOT NULL,
        CONSTRAINT pk_inventory_undone_scans PRIMARY KEY (inventory_id, scan_id),
        CONSTRAINT fk_inventory_undone_scans_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id),
        CONSTRAINT fk_inventory_undone_scans_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id),
        CONSTRAINT fk_inventory_undone_scans_user FOREIGN KEY (undone_by) REFERENCES users (id)
      )`);
    await db.query(`
      CREATE INDEX ix_inventory_undone_scans_at ON inventory_undone_scans (inventory_id, undone_at, scan_id)`);

    await db.query(`INSERT INTO permissions (name) VALUES ('inventories.review')`);
    await db.query(`
      INSERT INTO role_permissions (role_id, permission)
      SELECT id, 'inventories.review' FROM roles WHERE name IN ('manager', 'admin')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM role_permissions WHERE permission = 'inventories.review'`);
    await db.query(`DELETE FROM permissions WHERE name = 'inventories.review'`);
    await db.query(`DROP TABLE inventory_undone_scans, inventory_answers`);
    await db.query(`ALTER TABLE inventory_lines DROP CONSTRAINT ck_inventory_lines_condition`);
    for (const column of ['client_id', 'device_scanned_at', 'condition', 'note']) {
      await db.query(`ALTER TABLE inventory_lines DROP COLUMN ${column}`);
    }
  }
}
