import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A table apart for the lines of sessions that were closed long ago, so that vacuuming what is open does not read them. */
export class ClosedLines1763600035000 implements MigrationInterface {
  name = 'ClosedLines1763600035000';

  async up(db: QueryRunner): Promise<void> {
    // Inherited: who reads inventory_lines reads these too, the release before as well; what is inserted goes to the
    // other one. Only insertions come here, so it is vacuumed for those alone, and what is frozen is not read again.
    await db.query(`
      CREATE TABLE inventory_closed_lines (
        CONSTRAINT pk_inventory_closed_lines PRIMARY KEY (inventory_id, purchase_id)
      ) INHERITS (inventory_lines) WITH (
        autovacuum_vacuum_insert_threshold = 100000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_freeze_min_age = 0
      )`);
    await db.query(`
      CREATE INDEX ix_inventory_closed_lines_unscanned ON inventory_closed_lines (inventory_id, purchase_id)
      WHERE scan_id IS NULL`);
    await db.query(`
      CREATE UNIQUE INDEX uq_inventory_closed_lines_scan ON inventory_closed_lines (inventory_id, scan_id)
      WHERE scan_id IS NOT NULL`);
    await db.query(`
      CREATE INDEX ix_inventory_closed_lines_scanned_at ON inventory_closed_lines (inventory_id, scanned_at, scan_id)
      WHERE scan_id IS NOT NULL`);
    await db.query(`
      CREATE INDEX ix_inventory_closed_lines_recorded_at ON inventory_closed_lines (inventory_id, recorded_at, scan_id)
      WHERE recorded_at IS NOT NULL`);

    // No key spans both tables: a session that is open has all of its lines in the one that lines are added to.
    await db.query(`
      CREATE FUNCTION return_lines() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH gone AS (DELETE FROM inventory_closed_lines WHERE inventory_id = NEW.id RETURNING *)
        INSERT INTO inventory_lines SELECT * FROM gone;
        RETURN NULL;
      END $$`);
    await db.query(`
      CREATE TRIGGER inventories_return_lines AFTER UPDATE OF closed_at ON inventories FOR EACH ROW
      WHEN (OLD.closed_at IS NOT NULL AND NEW.closed_at IS NULL) EXECUTE FUNCTION return_lines()`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TRIGGER inventories_return_lines ON inventories`);
    await db.query(`DROP FUNCTION return_lines()`);
    await db.query(`INSERT INTO inventory_lines SELECT * FROM inventory_closed_lines`);
    await db.query(`DROP TABLE inventory_closed_lines`);
  }
}
