import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has joined the open sessions later than it was made, while others were closed, which may be opened again. */
const NOTED = `
    INSERT INTO purchase_joins (purchase_id, at)
    SELECT id, change_instant() FROM purchases
    WHERE id = ANY (joined) AND created_at <= (SELECT max(closed_at) FROM inventories WHERE deleted_at IS NULL)
    ON CONFLICT (purchase_id) DO UPDATE SET at = excluded.at;`;

const moveLines = (noted: string) => `
  CREATE OR REPLACE FUNCTION move_lines(joined integer[], gone integer[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    session_id integer;
    scope record;
    part smallint;
    added integer;
    removed integer;
    seen integer;
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
      SELECT scope_location_ids AS locations, scope_category_ids AS categories INTO scope
      FROM inventories WHERE id = session_id;
      IF scope.locations IS NULL AND scope.categories IS NULL THEN
        INSERT INTO inventory_lines (inventory_id, purchase_id) SELECT session_id, unnest(joined)
        ON CONFLICT DO NOTHING;
      ELSE
        INSERT INTO inventory_lines (inventory_id, purchase_id)
        SELECT session_id, e.id FROM expected_purchases(scope.locations, scope.categories) e WHERE e.id = ANY (joined)
        ON CONFLICT DO NOTHING;
      END IF;
      GET DIAGNOSTICS added = ROW_COUNT;
      seen := expect_scanned(session_id, joined);
      DELETE FROM inventory_lines
      WHERE inventory_id = session_id AND purchase_id = ANY (gone) AND scan_id IS NULL;
      GET DIAGNOSTICS removed = ROW_COUNT;
      UPDATE inventory_counters SET scanned = scanned + seen, total = total + added - removed
      WHERE inventory_id = session_id AND shard = part;
    END LOOP;${noted}
  END $$`;

/**
 * When a purchase was expected by what was open, where that is later than it was made: it was restored, is no longer
 * disposed of, or was made while a session was being closed. A session of a scope that is opened again takes it in by that.
 */
export class PurchaseJoins1763600180000 implements MigrationInterface {
  name = 'PurchaseJoins1763600180000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE purchase_joins (
        purchase_id integer NOT NULL,
        at timestamptz(3) NOT NULL,
        CONSTRAINT pk_purchase_joins PRIMARY KEY (purchase_id),
        CONSTRAINT fk_purchase_joins_purchase FOREIGN KEY (purchase_id) REFERENCES purchases (id)
      )`);
    await db.query(moveLines(NOTED));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(moveLines(''));
    await db.query(`DROP TABLE purchase_joins`);
  }
}
