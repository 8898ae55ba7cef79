import type { Position } from '../contract/cursor.js';

const FIRST: Position = ['infinity', Number.MAX_SAFE_INTEGER];

/** Of a source, what comes after the position and is of the kind, by its own index and no more than the page can hold. */
const part = (select: string, at: string, id: string, kind: string): string =>
  `(${select} AND ${at} <= $2 AND (${at}, ${id}) < ($2, $3::bigint) AND ($5::varchar IS NULL OR ${kind} = $5)
    ORDER BY ${at} DESC, ${id} DESC LIMIT $4)`;

const scan = (from: string, reason: string): string =>
  part(
    `SELECT s.scanned_at AS at, s.scan_id * 4 AS id, 'scanned' AS kind, s.scanned_by AS user_id,
       NULL::varchar AS user_name, NULL::jsonb AS before, NULL::jsonb AS after, NULL::integer AS attachment_id,
       i.id AS inventory_id, s.scan_id, s.device_scanned_at, s.location_id, s.condition, s.note, s.source,
       ${reason} AS reason, NULL::varchar AS status
     FROM inventories i CROSS JOIN LATERAL (
       SELECT * FROM ${from} WHERE inventory_id = i.id AND purchase_id = $1 LIMIT 1
     ) s WHERE i.deleted_at IS NULL AND s.scan_id IS NOT NULL`,
    's.scanned_at',
    's.scan_id * 4',
    `'scanned'`,
  );

const NO_SCAN = 'NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL';

/** What was refused is in the audit log alone. */
const IS_DONE = `e.action <> 'forbidden'`;

const CHANGE = `CASE e.action WHEN 'purchase.create' THEN 'created' WHEN 'purchase.delete' THEN 'deleted'
  WHEN 'purchase.restore' THEN 'restored' WHEN 'purchase.dispose' THEN 'disposed'
  WHEN 'purchase.dispose_undo' THEN 'disposal_undone'
  ELSE CASE WHEN e.after ? 'location_id' THEN 'moved' ELSE 'changed' END END`;

/** A line of an import may have moved what it disposed of, which is a move to who asks for those. */
const ASKED = `CASE WHEN $5 = 'moved' AND e.before IS NOT NULL AND e.after ? 'location_id' THEN 'moved' ELSE ${CHANGE} END`;

const changes = part(
  `SELECT e.at, e.id * 4 + 1, ${CHANGE},
     e.user_id, e.user_name, e.before, e.after, NULL, ${NO_SCAN}
   FROM audit_entries e WHERE e.resource = 'purchase' AND e.resource_id = $1 AND ${IS_DONE}`,
  'e.at',
  'e.id * 4 + 1',
  ASKED,
);

const ATTACHMENT = `CASE e.action WHEN 'attachment.create' THEN 'attached'
  WHEN 'attachment.delete' THEN 'detached' ELSE 'attachment_changed' END`;

const attached = (attachments: string, scan: string): string =>
  part(
    `SELECT e.at, e.id * 4 + 1, ${ATTACHMENT},
     e.user_id, e.user_name, e.before, e.after, a.id, ${scan}
   FROM (${attachments}) a CROSS JOIN LATERAL (
     SELECT * FROM audit_entries WHERE resource = 'attachment' AND resource_id = a.id OFFSET 0
   ) e WHERE ${IS_DONE}`,
    'e.at',
    'e.id * 4 + 1',
    ATTACHMENT,
  );

const itsOwn = attached('SELECT id FROM attachments WHERE purchase_id = $1', NO_SCAN);

const scanIn = (table: string): string =>
  `SELECT i.id AS inventory_id, one.scan_id FROM inventories i CROSS JOIN LATERAL (
     SELECT scan_id FROM ${table} WHERE inventory_id = i.id AND purchase_id = $1 LIMIT 1
   ) one`;

/** What was attached to its scans; to those too that were undone, which took it along. */
const ofScans = attached(
  `SELECT one.id, s.* FROM (
     ${scanIn('inventory_lines')}
     UNION ALL ${scanIn('inventory_unexpected')}
     UNION ALL SELECT inventory_id, scan_id FROM inventory_undone_scans WHERE purchase_id = $1
   ) s
   JOIN inventories i ON i.id = s.inventory_id AND i.deleted_at IS NULL
   CROSS JOIN LATERAL (
     SELECT id FROM attachments WHERE inventory_id = s.inventory_id AND scan_id = s.scan_id OFFSET 0
   ) one`,
  'a.inventory_id, a.scan_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL',
);

// A scan that went on as expected under another number was not undone.
const undone = part(
  `SELECT u.undone_at, u.scan_id * 4 + 2, 'scan_undone', u.undone_by, NULL, NULL, NULL, NULL,
     u.inventory_id, u.scan_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL
   FROM inventory_undone_scans u JOIN inventories i ON i.id = u.inventory_id AND i.deleted_at IS NULL
   WHERE u.purchase_id = $1 AND u.continued_as IS NULL`,
  'u.undone_at',
  'u.scan_id * 4 + 2',
  `'scan_undone'`,
);

const late = part(
  `SELECT s.received_at, s.id * 4 + 3, 'scanned_late', s.scanned_by, NULL, NULL, NULL, NULL,
     s.inventory_id, NULL, s.device_scanned_at, s.location_id, s.condition, s.note, s.source, NULL, s.status
   FROM inventory_late_scans s JOIN inventories i ON i.id = s.inventory_id AND i.deleted_at IS NULL
   WHERE s.purchase_id = $1`,
  's.received_at',
  's.id * 4 + 3',
  `'scanned_late'`,
);

const place = (alias: string): string =>
  `CASE WHEN ${alias}.id IS NOT NULL THEN
     jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'path', ${alias}.path) END`;

/** What happened to a purchase, newest first, after a position; of one kind, or of all. Sessions are few, so each is asked by its key. */
export const history = (
  purchaseId: number,
  kind: string | undefined,
  after: Position | null,
  limit: number,
) => ({
  name: 'purchase-history',
  text: `
    WITH entry AS MATERIALIZED (
      ${[scan('inventory_lines', 'NULL::varchar'), scan('inventory_unexpected', 'reason'), changes, itsOwn, ofScans, undone, late].join('\n      UNION ALL\n')}
      ORDER BY at DESC, id DESC LIMIT $4
    )
    SELECT e.at, e.id, e.kind, e.before, e.after, ${place('f')} AS from_place, ${place('t')} AS to_place,
      CASE WHEN e.user_id IS NOT NULL THEN
        jsonb_build_object('id', e.user_id, 'name', coalesce(e.user_name, u.name)) END AS user,
      CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('id', a.id, 'name', a.name, 'kind', a.kind) END AS attachment,
      CASE WHEN i.id IS NOT NULL THEN
        jsonb_build_object('id', i.id, 'year', i.year, 'inventory_date', i.inventory_date) END AS inventory,
      CASE WHEN i.id IS NOT NULL THEN jsonb_build_object('id', e.scan_id, 'device_scanned_at',
        to_char(e.device_scanned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'location', ${place('l')},
        'condition', e.condition, 'note', e.note, 'source', e.source, 'reason', e.reason, 'status', e.status) END AS scan
    FROM entry e
    LEFT JOIN users u ON u.id = e.user_id
    LEFT JOIN inventories i ON i.id = e.inventory_id
    LEFT JOIN attachments a ON a.id = e.attachment_id
    LEFT JOIN locations l ON l.id = e.location_id
    LEFT JOIN locations f ON f.id = (e.before ->> 'location_id')::integer
    LEFT JOIN locations t ON t.id = (e.after ->> 'location_id')::integer
    ORDER BY e.at DESC, e.id DESC`,
  values: [purchaseId, ...(after ?? FIRST), limit, kind ?? null],
});
