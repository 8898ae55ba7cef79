import type { MigrationInterface, QueryRunner } from 'typeorm';

const moveLines = (isScoped: boolean): string => `
  CREATE OR REPLACE FUNCTION move_lines(joined integer[], gone integer[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    session_id integer;
    ${isScoped ? 'scope record;' : ''}
    part smallint;
    added integer;
    removed integer;
  BEGIN
    IF joined IS NULL AND gone IS NULL THEN RETURN; END IF;
    FOR session_id IN SELECT DISTINCT inventory_id FROM inventory_counters ORDER BY 1 LOOP
      SELECT shard INTO part FROM inventory_counters WHERE inventory_id = session_id AND shard >= 16
      ORDER BY (shard + pg_backend_pid()) % 16 FOR UPDATE SKIP LOCKED LIMIT 1;
      IF NOT FOUND THEN
        SELECT shard INTO part FROM inventory_counters
        WHERE inventory_id = session_id AND shard = 16 + pg_backend_pid() % 16 FOR UPDATE;
      END IF;
      CONTINUE WHEN part IS NULL;
      ${
        isScoped
          ? `SELECT scope_location_ids AS locations, scope_category_ids AS categories INTO scope
      FROM inventories WHERE id = session_id;
      IF scope.locations IS NULL AND scope.categories IS NULL THEN
        INSERT INTO inventory_lines (inventory_id, purchase_id) SELECT session_id, unnest(joined)
        ON CONFLICT DO NOTHING;
      ELSE
        INSERT INTO inventory_lines (inventory_id, purchase_id)
        SELECT session_id, e.id FROM expected_purchases(scope.locations, scope.categories) e WHERE e.id = ANY (joined)
        ON CONFLICT DO NOTHING;
      END IF;`
          : `INSERT INTO inventory_lines (inventory_id, purchase_id) SELECT session_id, unnest(joined)
      ON CONFLICT DO NOTHING;`
      }
      GET DIAGNOSTICS added = ROW_COUNT;
      DELETE FROM inventory_lines
      WHERE inventory_id = session_id AND purchase_id = ANY (gone) AND scan_id IS NULL;
      GET DIAGNOSTICS removed = ROW_COUNT;
      UPDATE inventory_counters SET total = total + added - removed
      WHERE inventory_id = session_id AND shard = part;
    END LOOP;
  END $$`;

/** Sessions that expect what is in some places or categories, and what was read there that they did not expect. */
export class SessionScope1763600022000 implements MigrationInterface {
  name = 'SessionScope1763600022000';

  async up(db: QueryRunner): Promise<void> {
    // In the order of the ids, each once, so that two sessions of the same scope are told by comparing.
    await db.query(`
      ALTER TABLE inventories ADD COLUMN scope_location_ids integer[], ADD COLUMN scope_category_ids integer[]`);
    await db.query(`
      CREATE FUNCTION expected_purchases(location_ids integer[], category_ids integer[])
      RETURNS TABLE (id integer) LANGUAGE sql STABLE AS $$
        SELECT p.id FROM purchases p
        JOIN articles a ON a.id = p.article_id
        LEFT JOIN locations l ON l.id = p.location_id
        WHERE p.deleted_at IS NULL
          AND ($1 IS NULL OR l.lineage && $1) AND ($2 IS NULL OR a.category_id = ANY ($2))
      $$`);
    await db.query(moveLines(true));
    await db.query(`
      CREATE TABLE inventory_unexpected (
        inventory_id integer NOT NULL,
        purchase_id integer NOT NULL,
        scan_id bigint NOT NULL,
        scanned_at timestamptz(3) NOT NULL,
        scanned_by integer NOT NULL,
        recorded_at timestamptz(3) NOT NULL,
        location_id integer,
        client_id uuid,
        device_scanned_at timestamptz(3),
        condition varchar(10),
        note varchar(500),
        CONSTRAINT pk_inventory_unexpected PRIMARY KEY (inventory_id, purchase_id),
        CONSTRAINT uq_inventory_unexpected_scan UNIQUE (inventory_id, scan_id),
        CONSTRAINT ck_inventory_unexpected_condition CHECK (condition IN ('good', 'damaged', 'unusable')),
        CONSTRAINT fk_inventory_unexpected_inventory FOREIGN KEY (inventory_id) REFERENCES inventories (id),
        CONSTRAINT fk_inventory_unexpected_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id),
        CONSTRAINT fk_inventory_unexpected_location FOREIGN KEY (location_id) REFERENCES locations (id),
        CONSTRAINT fk_inventory_unexpected_user FOREIGN KEY (scanned_by) REFERENCES users (id)
      )`);
    await db.query(`
      CREATE INDEX ix_inventory_unexpected_recorded_at ON inventory_unexpected (inventory_id, recorded_at, scan_id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE inventory_unexpected`);
    await db.query(moveLines(false));
    await db.query(`DROP FUNCTION expected_purchases(integer[], integer[])`);
    for (const column of ['scope_location_ids', 'scope_category_ids']) {
      await db.query(`ALTER TABLE inventories DROP COLUMN ${column}`);
    }
  }
}
