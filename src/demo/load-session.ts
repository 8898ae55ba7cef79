import type pg from 'pg';
import type { Env } from '../config/env.js';
import { FREEZE } from '../inventories/freeze.queries.js';
import { cleanCode } from '../purchases/code.js';
import type { DemoSession } from './organisation.js';

/** Of the rows of the demo organisation, which are counted from 0. */
const SCAN = `x (purchase integer, "user" integer, "scannedAt" timestamptz, location integer, condition text, note text, source text,
  expected integer, resolution text, "resolvedAt" timestamptz, "decidedAt" timestamptz)`;

/** Who scans has one device; those of the years before did not tell what they were. */
const DEVICES = ['camera', 'scanner'];
const sourceOf = ({ year }: DemoSession, user: number) =>
  year >= 2026 ? DEVICES[user % DEVICES.length] : null;

/** A closed session expects what was bought until its day, an open one everything, each in its scope. */
export async function loadSession(
  client: pg.Client,
  id: number,
  session: DemoSession,
  { FISCAL_YEAR_START }: Env,
): Promise<void> {
  const { year, inventoryDate, label, openedAt, closedAt, openedBy, closedBy, reopened } = session;
  const { locations, categories } = session.scope;
  const ids = (indexes: number[] | null) => indexes?.map((index) => index + 1) ?? null;
  await client.query(
    `INSERT INTO inventories (year, inventory_date, label, opened_by, created_at, scope_location_ids, scope_category_ids, reopened)
     SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN $8::text IS NULL THEN '[]' ELSE jsonb_build_array(
       jsonb_build_object('at', $8::text, 'by', jsonb_build_object('id', id, 'name', name), 'reason', $9::text)) END
     FROM users WHERE id = $4`,
    [
      ...[year, inventoryDate, label, openedBy + 1, openedAt, ids(locations), ids(categories)],
      ...[reopened?.at, reopened?.reason],
    ],
  );
  await loadScans(client, id, session);
  await loadUnknownCodes(client, id, session);
  await loadLateScans(client, id, session);
  const figures = `count(scan_id) AS scanned, count(*) AS total FROM inventory_lines WHERE inventory_id = $1`;
  if (closedAt === null) {
    await client.query(`SELECT open_counters($1, scanned, total) FROM (SELECT ${figures}) f`, [id]);
  } else {
    await client.query(
      `UPDATE inventories SET closed_at = $2, closed_by = $3, final_scanned = f.scanned, final_total = f.total
       FROM (SELECT ${figures}) f WHERE id = $1`,
      [id, closedAt, (closedBy ?? openedBy) + 1],
    );
    await client.query(FREEZE, [id, FISCAL_YEAR_START]);
  }
}

async function loadScans(client: pg.Client, id: number, session: DemoSession): Promise<void> {
  const told = <Scan extends { user: number }>(scans: Scan[]) =>
    scans.map((scan) => ({ ...scan, source: sourceOf(session, scan.user) }));
  const [scans, unexpected] = [told(session.scans), told(session.unexpected)];
  const { inventoryDate, closedAt, openedBy } = session;
  // Scans have their ids in the order in which they were recorded.
  await client.query(
    `INSERT INTO inventory_lines (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, location_id, condition, note, recorded_at, source)
     SELECT i.id, p.id, CASE WHEN x.purchase IS NOT NULL THEN nextval('inventory_scan_seq') END,
       x."scannedAt", x."user" + 1, x.location + 1, x.condition, x.note, x."decidedAt", x.source
     FROM inventories i
     CROSS JOIN LATERAL expected_purchases(i.scope_location_ids, i.scope_category_ids) e
     JOIN purchases p ON p.id = e.id
     LEFT JOIN json_to_recordset($2) AS ${SCAN} ON p.id = x.purchase + 1
     WHERE i.id = $1 AND (p.purchase_date <= $3 OR $4::timestamptz IS NULL)
     ORDER BY coalesce(x."decidedAt", x."scannedAt")`,
    [id, JSON.stringify(scans), inventoryDate, closedAt],
  );
  await client.query(
    `INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at,
       location_id, condition, note, source)
     SELECT $1, x.purchase + 1, nextval('inventory_scan_seq'), x."scannedAt", x."user" + 1, x."scannedAt",
       x.location + 1, x.condition, x.note, x.source
     FROM json_to_recordset($2) AS ${SCAN} ORDER BY x."scannedAt"`,
    [id, JSON.stringify(unexpected)],
  );
  await client.query(
    `INSERT INTO inventory_misplaced (inventory_id, purchase_id, scan_id, expected_id, found_id, found_at, found_by,
       resolution, resolved_at, resolved_by, changed_at)
     SELECT $1, s.purchase_id, s.scan_id, x.expected + 1, s.location_id, s.scanned_at, s.scanned_by, x.resolution,
       x."resolvedAt", CASE WHEN x.resolution IS NOT NULL THEN $3::integer END, coalesce(x."resolvedAt", s.scanned_at)
     FROM json_to_recordset($2) AS ${SCAN}
     JOIN (
       SELECT inventory_id, purchase_id, scan_id, location_id, scanned_at, scanned_by FROM inventory_lines
       UNION ALL
       SELECT inventory_id, purchase_id, scan_id, location_id, scanned_at, scanned_by FROM inventory_unexpected
     ) s ON s.inventory_id = $1 AND s.purchase_id = x.purchase + 1
     WHERE x.expected IS NOT NULL`,
    [id, JSON.stringify([...scans, ...unexpected]), openedBy + 1],
  );
}

async function loadUnknownCodes(client: pg.Client, id: number, session: DemoSession): Promise<void> {
  const rows = session.unknownCodes.map(({ code, reads, notes, purchase, reason, decidedAt }) => {
    const [first, last] = [reads[0]!, reads.at(-1)!];
    const places = reads.flatMap(({ location }) => (location === null ? [] : [location + 1]));
    return {
      code,
      cleaned: cleanCode(code),
      times: reads.length,
      first_at: first.at,
      first_by: first.user + 1,
      first_source: sourceOf(session, first.user),
      first_location_id: places[0],
      last_at: last.at,
      last_by: last.user + 1,
      location_ids: [...new Set(places)],
      notes,
      status: purchase !== null ? 'linked' : reason !== null ? 'dismissed' : 'open',
      purchase_id: purchase === null ? null : purchase + 1,
      reason,
      decided_at: decidedAt,
    };
  });
  await client.query(
    `INSERT INTO inventory_unknown_codes (inventory_id, code, cleaned, code_key, times, first_at, first_by,
       first_location_id, first_source, last_at, last_by, location_ids, notes, status, purchase_id, reason, decided_at, decided_by, changed_at)
     SELECT $1, code, cleaned, code_key(cleaned), times, first_at, first_by, first_location_id, first_source, last_at, last_by,
       location_ids, notes, status, purchase_id, reason, decided_at,
       CASE WHEN decided_at IS NOT NULL THEN $3::integer END, coalesce(decided_at, last_at)
     FROM json_populate_recordset(NULL::inventory_unknown_codes, $2)`,
    [id, JSON.stringify(rows), session.openedBy + 1],
  );
  await client.query(
    `INSERT INTO purchase_codes (code_key, purchase_id, alias)
     SELECT code_key, purchase_id, cleaned FROM inventory_unknown_codes WHERE inventory_id = $1 AND status = 'linked'`,
    [id],
  );
}

async function loadLateScans(client: pg.Client, id: number, session: DemoSession): Promise<void> {
  const rows = session.lateScans.map(
    ({ clientId, code, purchase, user, location, readAt, sentAt, ...late }) => ({
      client_id: clientId,
      code,
      purchase_id: purchase === null ? null : purchase + 1,
      device_scanned_at: readAt,
      received_at: sentAt,
      scanned_by: user + 1,
      source: sourceOf(session, user),
      location_id: location === null ? null : location + 1,
      status: late.status,
      decided_at: late.decidedAt,
    }),
  );
  await client.query(
    `INSERT INTO inventory_late_scans (inventory_id, client_id, code, cleaned, code_key, purchase_id, device_scanned_at,
       received_at, scanned_by, source, location_id, status, decided_at, decided_by, changed_at)
     SELECT $1, x.client_id, read.code, read.code, code_key(read.code), x.purchase_id, x.device_scanned_at,
       x.received_at, x.scanned_by, x.source, x.location_id, x.status, x.decided_at,
       CASE WHEN x.decided_at IS NOT NULL THEN $3::integer END, coalesce(x.decided_at, x.received_at)
     FROM json_populate_recordset(NULL::inventory_late_scans, $2) AS x
     LEFT JOIN purchases p ON p.id = x.purchase_id
     CROSS JOIN LATERAL (SELECT coalesce(p.code, x.code) AS code) read
     ORDER BY x.device_scanned_at`,
    [id, JSON.stringify(rows), session.openedBy + 1],
  );
  await client.query(
    `UPDATE inventory_lines l SET client_id = s.client_id, device_scanned_at = s.device_scanned_at
     FROM inventory_late_scans s
     WHERE s.status = 'accepted' AND s.inventory_id = $1 AND l.inventory_id = $1 AND l.purchase_id = s.purchase_id`,
    [id],
  );
  // What their phone is told when it sends them again.
  await client.query(
    `INSERT INTO inventory_answers (inventory_id, client_id, code_key, scan_id, answer)
     SELECT s.inventory_id, s.client_id, s.code_key, l.scan_id, jsonb_build_object(
       'reason', CASE s.status WHEN 'waiting' THEN 'late' WHEN 'accepted' THEN 'recorded' ELSE 'refused' END,
       'code', s.code, 'scanned_at', coalesce(l.scanned_at, s.received_at), 'scan_id', l.scan_id,
       'purchase', CASE WHEN p.id IS NOT NULL THEN jsonb_build_object('id', p.id, 'code', p.code,
         'article', jsonb_build_object('id', a.id, 'name', a.name)) END)
       || CASE WHEN place.id IS NULL THEN '{}' ELSE jsonb_build_object('misplaced', false, 'expected_location',
         jsonb_build_object('id', place.id, 'name', place.name, 'path', place.path)) END
     FROM inventory_late_scans s
     LEFT JOIN (purchases p JOIN articles a ON a.id = p.article_id) ON p.id = s.purchase_id
     LEFT JOIN locations place ON place.id = s.location_id
     LEFT JOIN inventory_lines l ON l.inventory_id = s.inventory_id AND l.client_id = s.client_id
     WHERE s.inventory_id = $1`,
    [id],
  );
}
