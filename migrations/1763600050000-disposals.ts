import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a session may expect of the purchases `p`, and what of a row of a transition table is so. */
const live = (row: string, isDisposable: boolean): string =>
  isDisposable ? `(${row}.deleted_at IS NULL AND ${row}.disposed_on IS NULL)` : `(${row}.deleted_at IS NULL)`;

const lockPurchases = (columns: string): string => `
  CREATE OR REPLACE TRIGGER purchases_lock BEFORE INSERT OR UPDATE OF ${columns} ON purchases
  FOR EACH STATEMENT EXECUTE FUNCTION lock_purchases_for_writing()`;

/** Lines follow what is bought, deleted and, after this, disposed of. */
const linesFollow = (isDisposable: boolean): string[] => [
  `CREATE OR REPLACE FUNCTION add_lines_of_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM move_lines((SELECT array_agg(id) FROM new_rows n WHERE ${live('n', isDisposable)}), NULL);
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION move_lines_of_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM move_lines(
       array_agg(n.id) FILTER (WHERE NOT ${live('o', isDisposable)} AND ${live('n', isDisposable)}),
       array_agg(n.id) FILTER (WHERE ${live('o', isDisposable)} AND NOT ${live('n', isDisposable)})
     ) FROM new_rows n JOIN old_rows o ON o.id = n.id;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION expected_purchases(location_ids integer[], category_ids integer[])
   RETURNS TABLE (id integer) LANGUAGE sql STABLE AS $$
     SELECT p.id FROM purchases p
     JOIN articles a ON a.id = p.article_id
     LEFT JOIN locations l ON l.id = p.location_id
     WHERE ${live('p', isDisposable)}
       AND ($1 IS NULL OR l.lineage && $1) AND ($2 IS NULL OR a.category_id = ANY ($2))
   $$`,
];

const moveLines = (takesScans: boolean): string => `
  CREATE OR REPLACE FUNCTION move_lines(joined integer[], gone integer[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    session_id integer;
    scope record;
    part smallint;
    added integer;
    removed integer;
    ${takesScans ? 'seen integer;' : ''}
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
      ${takesScans ? 'seen := expect_scanned(session_id, joined);' : ''}
      DELETE FROM inventory_lines
      WHERE inventory_id = session_id AND purchase_id = ANY (gone) AND scan_id IS NULL;
      GET DIAGNOSTICS removed = ROW_COUNT;
      UPDATE inventory_counters SET ${takesScans ? 'scanned = scanned + seen, ' : ''}total = total + added - removed
      WHERE inventory_id = session_id AND shard = part;
    END LOOP;
  END $$`;

/** The lines of a session as they are now, and as they are kept once it is closed: expected ones and unexpected ones. */
const sessionLines = (isDisposable: boolean): string => `
  CREATE OR REPLACE FUNCTION session_lines(session_id integer) RETURNS SETOF inventory_frozen_lines LANGUAGE sql STABLE AS $$
    SELECT $1, p.id, l.state, p.code, a.id, a.name, a.reference, p.serial_number, c.id, c.name,
      coalesce(m.expected_id, p.location_id), l.location_id, m.purchase_id IS NOT NULL,
      l.scan_id, l.scanned_at, l.scanned_by, u.name, l.condition, l.note,
      p.purchase_date, p.in_service_date, p.purchase_price,
      ac.method, ac.duration_years, ac.declining_coefficient,
      NOT ${live('p', isDisposable)}${isDisposable ? ', p.disposed_on' : ''}
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
  $$`;

/** Things that were sold, scrapped or lost: when, why, for how much. */
export class Disposals1763600050000 implements MigrationInterface {
  name = 'Disposals1763600050000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE purchases
        ADD COLUMN disposed_on date,
        ADD COLUMN disposal_reason varchar(10),
        ADD COLUMN disposal_proceeds numeric(12,2),
        ADD COLUMN disposal_note varchar(500)`);
    await db.query(`
      ALTER TABLE purchases
        ADD CONSTRAINT ck_purchases_disposed_on CHECK (disposed_on >= purchase_date) NOT VALID,
        ADD CONSTRAINT ck_purchases_disposal CHECK (CASE WHEN disposed_on IS NULL
          THEN num_nonnulls(disposal_reason, disposal_proceeds, disposal_note) = 0
          ELSE disposal_reason IS NOT NULL AND coalesce(disposal_proceeds, 0) >= 0 END) NOT VALID`);
    // Why a session did not expect what it scanned; all of before were outside its scope.
    await db.query(`
      ALTER TABLE inventory_unexpected ADD COLUMN reason varchar(12) NOT NULL DEFAULT 'out-of-scope'`);
    await db.query(`ALTER TABLE inventory_frozen_lines ADD COLUMN disposed_on date`);
    await db.query(sessionLines(true));

    // What a session scanned as unexpected and expects from now on is scanned: the scan goes to its line, under a number of
    // its own, so that lists of changes tell of both. Answers how many of these purchases that are.
    await db.query(`
      CREATE FUNCTION expect_scanned(session_id integer, ids integer[]) RETURNS integer LANGUAGE plpgsql AS $$
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
            condition = scan.condition, note = scan.note, recorded_at = change_instant()
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
      END $$`);
    await db.query(moveLines(true));
    for (const statement of linesFollow(true)) await db.query(statement);
    await db.query(lockPurchases('deleted_at, disposed_on'));

    await db.query(`INSERT INTO permissions (name) VALUES ('purchases.dispose')`);
    await db.query(`
      INSERT INTO role_permissions (role_id, permission)
      SELECT id, 'purchases.dispose' FROM roles WHERE name IN ('manager', 'admin')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM role_permissions WHERE permission = 'purchases.dispose'`);
    await db.query(`DELETE FROM permissions WHERE name = 'purchases.dispose'`);
    // What was disposed of is expected again, as it was before anybody could say so.
    await db.query(`
      UPDATE purchases SET disposed_on = NULL, disposal_reason = NULL, disposal_proceeds = NULL, disposal_note = NULL
      WHERE disposed_on IS NOT NULL`);
    await db.query(lockPurchases('deleted_at'));
    for (const statement of linesFollow(false)) await db.query(statement);
    await db.query(moveLines(false));
    await db.query(`DROP FUNCTION expect_scanned(integer, integer[])`);
    await db.query(`ALTER TABLE inventory_frozen_lines DROP COLUMN disposed_on`);
    await db.query(sessionLines(false));
    await db.query(`ALTER TABLE inventory_unexpected DROP COLUMN reason`);
    await db.query(
      `ALTER TABLE purchases DROP CONSTRAINT ck_purchases_disposal, DROP CONSTRAINT ck_purchases_disposed_on`,
    );
    for (const column of ['disposed_on', 'disposal_reason', 'disposal_proceeds', 'disposal_note']) {
      await db.query(`ALTER TABLE purchases DROP COLUMN ${column}`);
    }
  }
}
