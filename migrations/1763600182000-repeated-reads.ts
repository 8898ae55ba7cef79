import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a session scanned as unexpected and expects from now on is scanned, with all that is known of its scan. */
const expectScanned = (ofRepeats: string): string => `
  CREATE OR REPLACE FUNCTION expect_scanned(session_id integer, ids integer[]) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    scan record;
    new_id bigint;
    seen integer := 0;
  BEGIN
    FOR scan IN
      DELETE FROM inventory_unexpected x USING unnest(ids) joined, inventory_lines l
      WHERE x.inventory_id = session_id AND x.purchase_id = joined
        AND l.inventory_id = session_id AND l.purchase_id = joined AND l.scan_id IS NULL
      RETURNING x.*
    LOOP
      new_id := nextval('inventory_scan_seq');
      UPDATE inventory_lines SET scan_id = new_id, scanned_at = scan.scanned_at, scanned_by = scan.scanned_by,
        client_id = scan.client_id, device_scanned_at = scan.device_scanned_at, location_id = scan.location_id,
        condition = scan.condition, note = scan.note, source = scan.source, recorded_at = change_instant()
      WHERE inventory_id = session_id AND purchase_id = scan.purchase_id;
      UPDATE inventory_misplaced SET scan_id = new_id, changed_at = change_instant()
      WHERE inventory_id = session_id AND scan_id = scan.scan_id;
      UPDATE inventory_answers SET scan_id = new_id, answer = answer || jsonb_build_object('scan_id', new_id)
      WHERE inventory_id = session_id AND client_id = scan.client_id;${ofRepeats}
      INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by)
      SELECT session_id, scan.scan_id, scan.purchase_id, change_instant(), coalesce(a.user_id, scan.scanned_by)
      FROM audit_author() a;
      seen := seen + 1;
    END LOOP;
    RETURN seen;
  END $$`;

/**
 * Of which scan a message is a repeat, as where a reader read its tag again within a batch: it is answered like that one,
 * also once that is undone or has another id.
 */
export class RepeatedReads1763600182000 implements MigrationInterface {
  name = 'RepeatedReads1763600182000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_answers ADD COLUMN repeats bigint`);
    await db.query(
      expectScanned(`
      UPDATE inventory_answers SET repeats = new_id, answer = answer || jsonb_build_object('scan_id', new_id)
      WHERE inventory_id = session_id AND repeats = scan.scan_id;`),
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(expectScanned(''));
    await db.query(`ALTER TABLE inventory_answers DROP COLUMN repeats`);
  }
}
