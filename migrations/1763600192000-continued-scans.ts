import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a session scanned as unexpected and expects from now on is scanned, with all that is known of its scan. */
const expectScanned = (undone: string, told: string): string => `
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
      WHERE inventory_id = session_id AND client_id = scan.client_id;
      UPDATE inventory_answers SET repeats = new_id, answer = answer || jsonb_build_object('scan_id', new_id)
      WHERE inventory_id = session_id AND repeats = scan.scan_id;
      ${undone}
      FROM audit_author() a;${told}
      seen := seen + 1;
    END LOOP;
    RETURN seen;
  END $$`;

const UNDONE = `
      INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by)
      SELECT session_id, scan.scan_id, scan.purchase_id, change_instant(), coalesce(a.user_id, scan.scanned_by)`;

const CONTINUED = `
      INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by, continued_as)
      SELECT session_id, scan.scan_id, scan.purchase_id, change_instant(), coalesce(a.user_id, scan.scanned_by), new_id`;

/** After the one that it takes the place of. */
const TOLD = `
      PERFORM tell_webhooks('scan.recorded', session_id, jsonb_build_array(jsonb_build_object('scan_id', new_id,
        'purchase_id', scan.purchase_id, 'scanned_at', scan.scanned_at, 'scanned_by', scan.scanned_by,
        'client_id', scan.client_id, 'location_id', scan.location_id, 'device_scanned_at', scan.device_scanned_at,
        'condition', scan.condition, 'note', scan.note, 'source', scan.source)));`;

/**
 * Under which number a scan went on as expected, since its thing was not disposed of after all, or is there again: it
 * was not undone then. Webhooks are told of that number too.
 */
export class ContinuedScans1763600192000 implements MigrationInterface {
  name = 'ContinuedScans1763600192000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE inventory_undone_scans ADD COLUMN continued_as bigint`);
    // As histories told the two apart before: the line has had its number since that instant.
    await db.query(`
      UPDATE inventory_undone_scans u SET continued_as = l.scan_id FROM inventory_lines l
      WHERE l.inventory_id = u.inventory_id AND l.purchase_id = u.purchase_id
        AND l.scan_id > u.scan_id AND coalesce(l.recorded_at, l.scanned_at) <= u.undone_at`);
    await db.query(expectScanned(CONTINUED.trim(), TOLD));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(expectScanned(UNDONE.trim(), ''));
    await db.query(`ALTER TABLE inventory_undone_scans DROP COLUMN continued_as`);
  }
}
