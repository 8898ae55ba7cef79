import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where things were found, and which of them belong elsewhere. */
export class ScanPlaces1763600020000 implements MigrationInterface {
  name = 'ScanPlaces1763600020000';

  async up(db: QueryRunner): Promise<void> {
    // A scan that was decided upon later counts from an instant of the past; recorded_at says when it came to the list.
    await db.query(`
      ALTER TABLE inventory_lines ADD COLUMN location_id integer, ADD COLUMN recorded_at timestamptz(3)`);
    await db.query(`
      CREATE TABLE inventory_misplaced (
        inventory_id integer NOT NULL,
        purchase_id integer NOT NULL,
        scan_id bigint NOT NULL,
        expected_id integer NOT NULL,
        found_id integer NOT NULL,
        found_at timestamptz(3) NOT NULL,
        found_by integer NOT NULL,
        resolution varchar(10),
        resolved_at timestamptz(3),
        resolved_by integer,
        changed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_inventory_misplaced PRIMARY KEY (inventory_id, purchase_id),
        CONSTRAINT uq_inventory_misplaced_scan UNIQUE (inventory_id, scan_id),
        CONSTRAINT ck_inventory_misplaced_resolution CHECK (resolution IN ('moved', 'ignored')),
        CONSTRAINT ck_inventory_misplaced_resolved CHECK (num_nulls(resolution, resolved_at, resolved_by) IN (0, 3)),
        CONSTRAINT fk_inventory_misplaced_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id),
        CONSTRAINT fk_inventory_misplaced_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id),
        CONSTRAINT fk_inventory_misplaced_expected FOREIGN KEY (expected_id) REFERENCES locations (id),
        CONSTRAINT fk_inventory_misplaced_found FOREIGN KEY (found_id) REFERENCES locations (id),
        CONSTRAINT fk_inventory_misplaced_found_by FOREIGN KEY (found_by) REFERENCES users (id),
        CONSTRAINT fk_inventory_misplaced_resolved_by FOREIGN KEY (resolved_by) REFERENCES users (id)
      )`);
    await db.query(`
      CREATE INDEX ix_inventory_misplaced_changed_at ON inventory_misplaced (inventory_id, changed_at, purchase_id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE inventory_misplaced`);
    for (const column of ['location_id', 'recorded_at']) {
      await db.query(`ALTER TABLE inventory_lines DROP COLUMN ${column}`);
    }
  }
}
