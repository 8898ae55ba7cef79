import type { Judged } from './judge.js';
import type { ScanOutcome } from './scans.dto.js';
import { IS_ASKED_FOR, MAX_UNDECIDED } from './scans.queries.js';

/** Whose the scans are, and from when they count where that is not now. */
export interface Scanner {
  id: number;
  name: string;
  counts_at?: Date;
}

/** What became of an item: its answer without a sentence. */
export interface ItemRow {
  n: number;
  answer: ScanOutcome;
}

/** Counts in an open session; where it was closed meanwhile there is nothing to count in. */
const COUNTED = `UPDATE inventory_counters c SET scanned = c.scanned + (SELECT count(*) FROM item WHERE target = 'line')
      WHERE (SELECT count(*) FROM unexpecting) >= 0 AND c.inventory_id = $1 AND c.shard = (SELECT counting_part())
      RETURNING change_instant() AS at`;
/** Of a closed one nothing is counted. Whoever deletes it is waited for, and then there is nothing to keep it in. */
const LATE = `SELECT change_instant() AS at
      FROM (SELECT FROM inventories WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE) session`;

/**
 * Of what is told (`told`), what the session expects: by `$3`, at `counts_at`. By where each line lies (`line_at`), which
 * leaves no choice of a plan: of sessions that it did not know yet, PostgreSQL went through all lines for each scan.
 */
export const MARKED = `marked AS (
      -- In the order of their lines. By another plan two might wait in a circle: of those one is tried again.
      UPDATE ONLY inventory_lines l
      SET scan_id = line.scan_id, scanned_at = line.counts_at, scanned_by = $3, client_id = line.client_id,
        device_scanned_at = line.device_scanned_at, condition = line.condition, note = line.note,
        source = line.source, location_id = line.location_id, recorded_at = line.recorded_at
      FROM (SELECT * FROM told WHERE target = 'line' ORDER BY purchase_id) line
      WHERE l.ctid = line.line_at AND l.scan_id IS NULL
      RETURNING 1
    )`;
/** For the webhooks. */
export const OUTBOX = `outbox AS (
      INSERT INTO webhook_outbox (at, event, inventory_id, items)
      SELECT min(at), 'scan.recorded', $1, jsonb_agg(jsonb_build_object('scan_id', scan_id, 'purchase_id', purchase_id,
        'scanned_at', counts_at, 'scanned_by', $3::integer, 'client_id', client_id, 'location_id', location_id,
        'device_scanned_at', device_scanned_at, 'condition', condition, 'note', note, 'source', source) ORDER BY n)
      FROM told WHERE target IS NOT NULL AND ${IS_ASKED_FOR}
      HAVING count(*) > 0
    )`;

const keeping = (counted: string): string => `
    WITH item AS MATERIALIZED (
      SELECT i.*, code_key(i.cleaned) AS code_key,
        CASE WHEN i.target IS NOT NULL THEN nextval('inventory_scan_seq') END AS scan_id
      FROM (
        SELECT * FROM jsonb_to_recordset($2) AS i (
          n integer, target text, purchase_id integer, disposed_on date, first_n integer, is_unknown boolean, is_late boolean,
          is_answered boolean, is_moved boolean, client_id uuid, code text, cleaned text,
          device_scanned_at timestamptz, location_id integer, expected_id integer, condition text, note text,
          source text, is_repeated boolean, repeats bigint, answer jsonb)
        ORDER BY n
      ) i
    ), unexpecting AS MATERIALIZED (
      SELECT p.id FROM item JOIN purchases p ON p.id = item.purchase_id
      WHERE item.target = 'unexpected' AND p.disposed_on IS NOT DISTINCT FROM item.disposed_on
      ORDER BY p.id FOR SHARE OF p
    ), counted AS (
      ${counted}
    ), told AS MATERIALIZED (
      SELECT item.*, counted.at, coalesce($4::timestamptz(3), counted.at) AS counts_at,
        CASE WHEN $4::timestamptz IS NOT NULL THEN counted.at END AS recorded_at,
        CASE WHEN target = 'line' THEN (
          SELECT ctid FROM ONLY inventory_lines WHERE inventory_id = $1 AND purchase_id = item.purchase_id) END AS line_at
      FROM item CROSS JOIN counted
    ), ${MARKED}, unexpected AS (
      INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at,
        location_id, client_id, device_scanned_at, condition, note, source, reason)
      SELECT $1, purchase_id, scan_id, counts_at, $3, at, location_id, client_id, device_scanned_at, condition, note, source,
        CASE WHEN disposed_on IS NULL THEN 'out-of-scope' ELSE 'disposed' END
      FROM told WHERE target = 'unexpected' AND purchase_id IN (SELECT id FROM unexpecting) ORDER BY purchase_id
      ON CONFLICT DO NOTHING RETURNING 1
    ), misplaced AS (
      INSERT INTO inventory_misplaced (inventory_id, purchase_id, scan_id, expected_id, found_id, found_at, found_by,
        resolution, resolved_at, resolved_by, changed_at)
      SELECT $1, purchase_id, scan_id, expected_id, location_id, counts_at, $3,
        CASE WHEN is_moved THEN 'moved' END, CASE WHEN is_moved THEN at END, CASE WHEN is_moved THEN $3 END, at
      FROM told WHERE expected_id IS NOT NULL ORDER BY purchase_id
      ON CONFLICT DO NOTHING RETURNING 1
    ), noted AS (
      INSERT INTO inventory_unknown_codes AS u (inventory_id, code, cleaned, code_key, times, first_at, first_by,
        first_device_at, first_location_id, first_condition, first_note, first_source, last_at, last_by, location_ids, notes,
        changed_at)
      SELECT $1, code, cleaned, code_key, times, counts_at, $3, device_at, location_id, condition, note, source, counts_at, $3,
        array(SELECT id FROM unnest(location_ids) WITH ORDINALITY p (id, n) GROUP BY id ORDER BY min(n) LIMIT 20), notes[:20], at
      FROM (
        SELECT *, row_number() OVER (PARTITION BY is_kept ORDER BY first_n) AS turn
        FROM (
          SELECT code_key, count(*) AS times, min(n) AS first_n, min(at) AS at, min(counts_at) AS counts_at,
            (array_agg(code ORDER BY n))[1] AS code, (array_agg(cleaned ORDER BY n))[1] AS cleaned,
            (array_agg(device_scanned_at ORDER BY n))[1] AS device_at, (array_agg(location_id ORDER BY n))[1] AS location_id,
            (array_agg(condition ORDER BY n))[1] AS condition, (array_agg(note ORDER BY n))[1] AS note,
            (array_agg(source ORDER BY n))[1] AS source,
            coalesce(array_agg(location_id ORDER BY n) FILTER (WHERE location_id IS NOT NULL), '{}') AS location_ids,
            coalesce(array_agg(note ORDER BY n) FILTER (WHERE note IS NOT NULL), '{}') AS notes,
            EXISTS (SELECT FROM inventory_unknown_codes k
              WHERE k.inventory_id = $1 AND md5(k.code_key) = md5(told.code_key)) AS is_kept
          FROM told WHERE is_unknown AND (SELECT count(*) FROM marked) >= 0 GROUP BY code_key -- after the lines
        ) reads
      ) turns
      WHERE is_kept OR turn <= ${MAX_UNDECIDED} - (SELECT count(*) FROM (
        SELECT FROM inventory_unknown_codes WHERE inventory_id = $1 AND status = 'open' LIMIT ${MAX_UNDECIDED}) open)
      ORDER BY code_key
      ON CONFLICT (inventory_id, md5(code_key)) DO UPDATE SET
        times = u.times + excluded.times,
        -- Reads do not come in the order of their instants, least of all those that were late and then accepted.
        (first_at, first_by, first_device_at, first_location_id, first_condition, first_note, first_source) = (
          SELECT * FROM (VALUES
            (u.first_at, u.first_by, u.first_device_at, u.first_location_id, u.first_condition, u.first_note, u.first_source),
            (excluded.first_at, excluded.first_by, excluded.first_device_at, excluded.first_location_id,
              excluded.first_condition, excluded.first_note, excluded.first_source)
          ) reads (at) ORDER BY at LIMIT 1),
        (last_at, last_by) = (
          SELECT at, who FROM (VALUES (u.last_at, u.last_by), (excluded.last_at, excluded.last_by)) reads (at, who)
          ORDER BY at DESC LIMIT 1),
        location_ids = (u.location_ids || array(
          SELECT id FROM unnest(excluded.location_ids) WITH ORDINALITY p (id, n) WHERE id <> ALL (u.location_ids) ORDER BY n))[:20],
        notes = (u.notes || excluded.notes)[:20], changed_at = excluded.changed_at,
        -- Where the purchase that it was linked to is gone, somebody has to decide again.
        (status, purchase_id, decided_at, decided_by) = (
          SELECT CASE WHEN is_gone THEN 'open' ELSE u.status END, CASE WHEN NOT is_gone THEN u.purchase_id END,
            CASE WHEN NOT is_gone THEN u.decided_at END, CASE WHEN NOT is_gone THEN u.decided_by END
          FROM (SELECT EXISTS (
            SELECT FROM purchases WHERE id = u.purchase_id AND deleted_at IS NOT NULL) AS is_gone) its)
      RETURNING code_key
    ), late AS (
      INSERT INTO inventory_late_scans (inventory_id, client_id, code, cleaned, code_key, purchase_id,
        device_scanned_at, received_at, scanned_by, location_id, condition, note, source, changed_at)
      SELECT $1, client_id, code, cleaned, code_key, purchase_id, device_scanned_at, at, $3, location_id, condition,
        note, source, at
      FROM told WHERE is_late ORDER BY n
      ON CONFLICT DO NOTHING RETURNING 1
    ), ${OUTBOX}, final AS MATERIALIZED (
      SELECT t.n, t.client_id, t.code_key, t.scan_id, CASE WHEN t.is_repeated THEN f.scan_id ELSE t.repeats END AS repeats,
        t.is_answered AND (t.is_unknown IS NOT TRUE OR t.code_key IN (SELECT code_key FROM noted)) AS is_answered,
        t.answer || CASE WHEN f.n IS NULL THEN '{}' ELSE
          jsonb_build_object('scan_id', f.scan_id, 'scanned_at', f.counts_at) || CASE WHEN f.n = t.n OR t.is_repeated THEN '{}'
          ELSE jsonb_build_object('first_scan', jsonb_build_object('at', f.counts_at, 'by', $5::jsonb)) END END AS answer
      FROM told t LEFT JOIN told f ON f.n = t.first_n
    ), kept AS (
      -- A message that another transaction answers meanwhile violates the key. ON CONFLICT would look for each of them
      -- first, and then have the statement fail all the same.
      INSERT INTO inventory_answers (inventory_id, client_id, code_key, scan_id, repeats, answer)
      SELECT $1, client_id, code_key, scan_id, repeats, answer FROM final WHERE is_answered ORDER BY client_id
    )
    SELECT n, answer, CASE WHEN (SELECT count(*) FROM marked) + (SELECT count(*) FROM unexpected)
        <> (SELECT count(target) FROM told) THEN scan_was_overtaken() END
    FROM final ORDER BY n`;
const IN_OPEN = { name: 'inventory-scan-keep', text: keeping(COUNTED) };
const IN_CLOSED = { name: 'inventory-scan-keep-late', text: keeping(LATE) };

/**
 * Keeps what was judged, in one statement: all of it or nothing. Where another transaction was faster it fails, or
 * gives no rows since the session is no longer what it was, so that figures and lines never differ.
 *
 * What is not expected is held first, since it may just be disposed of, or that undone: then it may be expected. Counting
 * comes next, then lines by their ids, then codes, and the rest after these, so that nobody waits in a circle: a part is
 * written where another one asks for what it returns.
 */
export const keep = (inventoryId: number, judged: Judged[], isOpen: boolean, by: Scanner) => ({
  ...(isOpen ? IN_OPEN : IN_CLOSED),
  values: [
    inventoryId,
    JSON.stringify(judged),
    by.id,
    by.counts_at ?? null,
    JSON.stringify({ id: by.id, name: by.name }),
  ],
});
