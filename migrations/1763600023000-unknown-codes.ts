import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes that a session read and nobody knew: kept until somebody says what they are. */
export class UnknownCodes1763600023000 implements MigrationInterface {
  name = 'UnknownCodes1763600023000';

  async up(db: QueryRunner): Promise<void> {
    // The text of a code that was linked to its purchase; codes that were once on its label are not read any more.
    await db.query(`ALTER TABLE purchase_codes ADD COLUMN alias varchar(64)`);
    await db.query(`
      CREATE TABLE inventory_unknown_codes (
        id bigint GENERATED ALWAYS AS IDENTITY,
        inventory_id integer NOT NULL,
        code varchar(2048) NOT NULL,
        cleaned varchar(2048) NOT NULL,
        code_key text NOT NULL,
        times integer NOT NULL,
        first_at timestamptz(3) NOT NULL,
        first_by integer NOT NULL,
        first_device_at timestamptz(3),
        first_location_id integer,
        last_at timestamptz(3) NOT NULL,
        last_by integer NOT NULL,
        location_ids integer[] NOT NULL,
        notes text[] NOT NULL,
        status varchar(10) NOT NULL DEFAULT 'open',
        purchase_id integer,
        reason varchar(500),
        decided_at timestamptz(3),
        decided_by integer,
        changed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_inventory_unknown_codes PRIMARY KEY (id),
        CONSTRAINT ck_inventory_unknown_codes_status CHECK (CASE status
          WHEN 'open' THEN num_nonnulls(purchase_id, reason, decided_at, decided_by) = 0
          WHEN 'linked' THEN num_nulls(purchase_id, decided_at, decided_by) = 0 AND reason IS NULL
          WHEN 'dismissed' THEN num_nulls(reason, decided_at, decided_by) = 0 AND purchase_id IS NULL
          ELSE false END),
        CONSTRAINT fk_inventory_unknown_codes_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id),
        CONSTRAINT fk_inventory_unknown_codes_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id),
        CONSTRAINT fk_inventory_unknown_codes_location FOREIGN KEY (first_location_id) REFERENCES locations (id),
        CONSTRAINT fk_inventory_unknown_codes_first_by FOREIGN KEY (first_by) REFERENCES users (id),
        CONSTRAINT fk_inventory_unknown_codes_last_by FOREIGN KEY (last_by) REFERENCES users (id),
        CONSTRAINT fk_inventory_unknown_codes_decided_by FOREIGN KEY (decided_by) REFERENCES users (id)
      )`);
    // A text of any length; an index takes none as long as a code may be.
    await db.query(`
      CREATE UNIQUE INDEX uq_inventory_unknown_codes_code ON inventory_unknown_codes (inventory_id, md5(code_key))`);
    await db.query(`
      CREATE INDEX ix_inventory_unknown_codes_status ON inventory_unknown_codes (inventory_id, status, id)`);
    await db.query(`
      CREATE INDEX ix_inventory_unknown_codes_changed_at ON inventory_unknown_codes (inventory_id, changed_at, id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE inventory_unknown_codes`);
    await db.query(`ALTER TABLE purchase_codes DROP COLUMN alias`);
  }
}
