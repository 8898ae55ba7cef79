import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a session showed when it was closed, what came too late for it, and when and why it was opened again. */
export class Closing1763600024000 implements MigrationInterface {
  name = 'Closing1763600024000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventories ADD COLUMN reopened jsonb NOT NULL DEFAULT '[]'`);
    // A closed session has a row here once its lines are copied; those closed before this get theirs when it is asked for.
    await db.query(`
      CREATE TABLE inventory_frozen (
        inventory_id integer NOT NULL,
        frozen_at timestamptz(3) NOT NULL,
        fiscal_year_start varchar(5) NOT NULL,
        CONSTRAINT pk_inventory_frozen PRIMARY KEY (inventory_id),
        CONSTRAINT fk_inventory_frozen_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id)
      )`);
    await db.query(`
      CREATE TABLE inventory_frozen_locations (
        inventory_id integer NOT NULL,
        id integer NOT NULL,
        name varchar(255) NOT NULL,
        path text NOT NULL,
        lineage integer[] NOT NULL,
        CONSTRAINT pk_inventory_frozen_locations PRIMARY KEY (inventory_id, id),
        CONSTRAINT fk_inventory_frozen_locations_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id)
      )`);
    // No foreign keys: a check per line would make closing a million take minutes; a session goes with its lines.
    await db.query(`
      CREATE TABLE inventory_frozen_lines (
        inventory_id integer NOT NULL,
        purchase_id integer NOT NULL,
        state varchar(10) NOT NULL,
        code varchar(64) COLLATE "und-x-icu" NOT NULL,
        article_id integer NOT NULL,
        article_name varchar(255) NOT NULL,
        article_reference varchar(255),
        serial_number varchar(255),
        category_id integer,
        category_name varchar(255),
        expected_id integer,
        found_id integer,
        is_misplaced boolean NOT NULL,
        scan_id bigint,
        scanned_at timestamptz(3),
        scanned_by integer,
        scanner_name varchar(255),
        condition varchar(10),
        note varchar(500),
        purchase_date date NOT NULL,
        in_service_date date,
        purchase_price numeric(12,2),
        method varchar(10),
        duration_years integer,
        declining_coefficient numeric(4,2),
        is_disposed boolean NOT NULL,
        CONSTRAINT pk_inventory_frozen_lines PRIMARY KEY (inventory_id, purchase_id),
        CONSTRAINT ck_inventory_frozen_lines_state CHECK (state IN ('scanned', 'missing', 'unexpected'))
      )`);
    // The lines of a session as they are now, and as they are kept once it is closed: expected ones and unexpected ones.
    await db.query(`
      CREATE FUNCTION session_lines(session_id integer) RETURNS SETOF inventory_frozen_lines LANGUAGE sql STABLE AS $$
        SELECT $1, p.id, l.state, p.code, a.id, a.name, a.reference, p.serial_number, c.id, c.name,
          coalesce(m.expected_id, p.location_id), l.location_id, m.purchase_id IS NOT NULL,
          l.scan_id, l.scanned_at, l.scanned_by, u.name, l.condition, l.note,
          p.purchase_date, p.in_service_date, p.purchase_price,
          ac.method, ac.duration_years, ac.declining_coefficient, p.deleted_at IS NOT NULL
        FROM (
          SELECT purchase_id, CASE WHEN scan_id IS NULL THEN 'missing' ELSE 'scanned' END AS state,
            location_id, scan_id, scanned_at, scanned_by, condition, note
          FROM inventory_lines WHERE inventory_id = $1
          UNION ALL
          SELECT purchase_id, 'unexpected', location_id, scan_id, scanned_at, scanned_by, condition, note
          FROM inventory_unexpected WHERE inventory_id = $1
        ) l
        JOIN purchases p ON p.id = l.purchase_id
        JOIN articles a ON a.id = p.article_id
        LEFT JOIN categories c ON c.id = a.category_id
        LEFT JOIN amortization_categories ac ON ac.id = a.amortization_category_id
        LEFT JOIN users u ON u.id = l.scanned_by
        LEFT JOIN inventory_misplaced m ON m.inventory_id = $1 AND m.purchase_id = l.purchase_id
      $$`);
    await db.query(`
      CREATE TABLE inventory_late_scans (
        id bigint GENERATED ALWAYS AS IDENTITY,
        inventory_id integer NOT NULL,
        client_id uuid,
        code varchar(2048) NOT NULL,
        cleaned varchar(2048) NOT NULL,
        code_key text NOT NULL,
        purchase_id integer,
        device_scanned_at timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL,
        scanned_by integer NOT NULL,
        location_id integer,
        condition varchar(10),
        note varchar(500),
        status varchar(10) NOT NULL DEFAULT 'waiting',
        decided_at timestamptz(3),
        decided_by integer,
        changed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_inventory_late_scans PRIMARY KEY (id),
        CONSTRAINT ck_inventory_late_scans_status CHECK (status IN ('waiting', 'accepted', 'refused')),
        CONSTRAINT ck_inventory_late_scans_decided
          CHECK (num_nulls(decided_at, decided_by) = CASE status WHEN 'waiting' THEN 2 ELSE 0 END),
        CONSTRAINT fk_inventory_late_scans_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id),
        CONSTRAINT fk_inventory_late_scans_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id),
        CONSTRAINT fk_inventory_late_scans_location FOREIGN KEY (location_id) REFERENCES locations (id),
        CONSTRAINT fk_inventory_late_scans_user FOREIGN KEY (scanned_by) REFERENCES users (id),
        CONSTRAINT fk_inventory_late_scans_decided_by FOREIGN KEY (decided_by) REFERENCES users (id)
      )`);
    // A phone that names its messages is known by them; of others the same read twice is one.
    await db.query(`
      CREATE UNIQUE INDEX uq_inventory_late_scans_client ON inventory_late_scans (inventory_id, client_id)
      WHERE client_id IS NOT NULL`);
    await db.query(`
      CREATE UNIQUE INDEX uq_inventory_late_scans_read
      ON inventory_late_scans (inventory_id, md5(code_key), device_scanned_at, scanned_by) WHERE client_id IS NULL`);
    await db.query(`
      CREATE INDEX ix_inventory_late_scans_status ON inventory_late_scans (inventory_id, status, id)`);
    await db.query(`
      CREATE INDEX ix_inventory_late_scans_changed_at ON inventory_late_scans (inventory_id, changed_at, id)`);

    await db.query(`INSERT INTO permissions (name) VALUES ('inventories.reopen')`);
    await db.query(`
      INSERT INTO role_permissions (role_id, permission)
      SELECT id, 'inventories.reopen' FROM roles WHERE name IN ('manager', 'admin')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM role_permissions WHERE permission = 'inventories.reopen'`);
    await db.query(`DELETE FROM permissions WHERE name = 'inventories.reopen'`);
    await db.query(`DROP FUNCTION session_lines(integer)`);
    await db.query(
      `DROP TABLE inventory_late_scans, inventory_frozen_lines, inventory_frozen_locations, inventory_frozen`,
    );
    await db.query(`ALTER TABLE inventories DROP COLUMN reopened`);
  }
}
