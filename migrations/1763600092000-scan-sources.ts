import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = {
  inventory_lines: 'source',
  inventory_unexpected: 'source',
  inventory_late_scans: 'source',
  inventory_unknown_codes: 'first_source',
};

/** What a session scanned as unexpected and expects from now on is scanned, with all that is known of its scan. */
const expectScanned = (hasSource: boolean): string => `
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
        condition = scan.condition, note = scan.note,${hasSource ? ' source = scan.source,' : ''} recorded_at = change_instant()
      WHERE inventory_id = session_id AND purchase_id = scan.purchase_id;
      UPDATE inventory_misplaced SET scan_id = new_id, changed_at = change_instant()
      WHERE inventory_id = session_id AND scan_id = scan.scan_id;
      UPDATE inventory_answers SET scan_id = new_id, answer = answer || jsonb_build_object('scan_id', new_id)
      WHERE inventory_id = session_id AND client_id = scan.client_id;
      INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by)
      SELECT session_id, scan.scan_id, scan.purchase_id, change_instant(), coalesce(a.user_id, scan.scanned_by)
      FROM audit_author() a;
      seen := seen + 1;
    END LOOP;
    RETURN seen;
  END $$`;

/** What has read a code: a camera, a scanner, an RFID reader, or a hand that typed it. */
export class ScanSources1763600092000 implements MigrationInterface {
  name = 'ScanSources1763600092000';

  async up(db: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(TABLES)) {
      await db.query(`ALTER TABLE ${table} ADD COLUMN ${column} varchar(7)`);
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ck_${table}_source
          CHECK (${column} IN ('camera', 'scanner', 'rfid', 'manual')) NOT VALID`);
    }
    await db.query(expectScanned(true));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(expectScanned(false));
    for (const [table, column] of Object.entries(TABLES))
      await db.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
