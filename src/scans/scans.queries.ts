import type { ScanOutcome } from './scans.dto.js';

/** What the scan statement answers; null columns where nothing matches. */
export interface ScanRow {
  is_closed: boolean;
  purchase_id: number | null;
  code: string;
  article_id: number;
  article_name: string;
  /** When this statement recorded the scan; null when it did not. */
  recorded_at: Date | null;
  /** Of what this statement recorded, or of the first scan. */
  scan_id: number | null;
  first_at: Date | null;
  first_by_id: number;
  first_by_name: string;
}

/** SQLSTATE of the scan statement when another transaction was faster: nothing was written, so try again. */
export const OVERTAKEN = 'RC001';

/**
 * The whole scan in one statement and one round trip: finds the purchase, and if the session is open and the
 * purchase not scanned yet, counts it and marks its line. No row: there is no such session.
 *
 * Counting comes first and finds no counter once the session is closed; marking finds no line once another phone was
 * faster or the purchase was deleted. In both cases the statement fails as a whole, so that the figures and the lines
 * never differ, and the next try sees what has happened. Backends count in different parts, so phones do not wait.
 */
export const scan = (inventoryId: number, candidates: string[], userId: number) => ({
  name: 'inventory-scan',
  text: `
    WITH session AS (
      SELECT id, closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 AND deleted_at IS NULL
    ), asked AS (
      SELECT p.id AS purchase_id, p.code, a.id AS article_id, a.name AS article_name,
        l.scan_id IS NOT NULL AS is_scanned, l.scan_id, l.scanned_at, l.scanned_by
      FROM unnest($2::text[]) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
      WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL
      ORDER BY tried.rank LIMIT 1
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + 1
      FROM session, asked
      WHERE NOT session.is_closed AND NOT asked.is_scanned
        AND c.inventory_id = $1 AND c.shard = pg_backend_pid() % 16
      RETURNING asked.purchase_id
    ), marked AS (
      UPDATE inventory_lines l
      SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(), scanned_by = $3
      FROM counted
      WHERE l.inventory_id = $1 AND l.purchase_id = counted.purchase_id AND l.scan_id IS NULL
      RETURNING l.scan_id, l.scanned_at
    )
    SELECT session.is_closed, asked.purchase_id, asked.code, asked.article_id, asked.article_name,
      marked.scanned_at AS recorded_at, coalesce(marked.scan_id, asked.scan_id) AS scan_id,
      asked.scanned_at AS first_at, u.id AS first_by_id, u.name AS first_by_name,
      CASE WHEN NOT session.is_closed AND NOT asked.is_scanned AND marked.scanned_at IS NULL
        THEN scan_was_overtaken() END
    FROM session LEFT JOIN asked ON true LEFT JOIN marked ON true LEFT JOIN users u ON u.id = asked.scanned_by`,
  values: [inventoryId, candidates, userId],
});

/** A scan with all that a phone may send; `n` is its place among those of one message. */
export interface ScanItem {
  n: number;
  /** The code as it is kept where no label has it. */
  cleaned: string;
  candidates: string[];
  client_id?: string;
  device_scanned_at?: Date;
  condition?: string;
  note?: string;
}

/** What became of an item: its answer without a sentence. */
export interface ItemRow {
  n: number;
  answer: ScanOutcome;
}

/**
 * Scans as phones send them, many at once or one with more than its code: in one statement and one round trip. They
 * take effect in their order, each by itself. A message that was answered before is answered the same; of several scans
 * of one purchase the first counts. No row: there is no such session.
 *
 * Counting comes first, then lines by their ids, then messages by theirs, so that nobody waits in a circle; as in a
 * single scan it fails as a whole where another transaction was faster.
 */
export const scanItems = (inventoryId: number, items: ScanItem[], userId: number) => ({
  name: 'inventory-scan-items',
  text: `
    WITH session AS (
      SELECT id, closed_at IS NOT NULL AS is_closed FROM inventories WHERE id = $1 AND deleted_at IS NULL
    ), asked AS MATERIALIZED (
      SELECT i.*, code_key(i.cleaned) AS code_key, session.is_closed, known.*, found.*
      FROM session CROSS JOIN jsonb_to_recordset($2) AS i (
        n integer, cleaned text, candidates text[], client_id uuid, device_scanned_at timestamptz,
        condition text, note text)
      LEFT JOIN LATERAL (
        SELECT code_key AS known_key, answer AS known FROM inventory_answers
        WHERE inventory_id = $1 AND client_id = i.client_id LIMIT 1
      ) known ON true
      LEFT JOIN LATERAL (
        SELECT p.id AS purchase_id, p.code, l.scan_id, l.scanned_at, l.scanned_by,
          jsonb_build_object('id', p.id, 'code', p.code, 'article', jsonb_build_object('id', a.id, 'name', a.name)) AS purchase
        FROM unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
        JOIN purchases p ON p.code_key = code_key(tried.code)
        JOIN articles a ON a.id = p.article_id
        LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
        WHERE p.deleted_at IS NULL OR l.scan_id IS NOT NULL
        ORDER BY tried.rank LIMIT 1
      ) found ON known.known IS NULL
    ), due AS MATERIALIZED (
      SELECT n, purchase_id, CASE WHEN is_first THEN nextval('inventory_scan_seq') END AS new_scan_id
      FROM (
        SELECT n, purchase_id, n = min(n) OVER (PARTITION BY purchase_id) AS is_first
        FROM asked WHERE purchase_id IS NOT NULL AND scan_id IS NULL AND NOT is_closed ORDER BY n
      ) turn
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + (SELECT count(new_scan_id) FROM due)
      WHERE c.inventory_id = $1 AND c.shard = pg_backend_pid() % 16 AND EXISTS (SELECT FROM due)
      RETURNING change_instant() AS at
    ), told AS MATERIALIZED (
      SELECT asked.*, due.new_scan_id, coalesce(asked.scan_id, max(due.new_scan_id) OVER (PARTITION BY asked.purchase_id)) AS first_id,
        coalesce(asked.scanned_at, counted.at) AS first_at, coalesce(asked.scanned_by, $3) AS first_by
      FROM asked LEFT JOIN due ON due.n = asked.n LEFT JOIN counted ON true
    ), held AS MATERIALIZED (
      SELECT told.* FROM told
      JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = told.purchase_id AND l.scan_id IS NULL
      WHERE told.new_scan_id IS NOT NULL AND EXISTS (SELECT FROM counted) ORDER BY l.purchase_id FOR UPDATE OF l
    ), marked AS (
      UPDATE inventory_lines l
      SET scan_id = held.new_scan_id, scanned_at = held.first_at, scanned_by = $3, client_id = held.client_id,
        device_scanned_at = held.device_scanned_at, condition = held.condition, note = held.note
      FROM held WHERE l.inventory_id = $1 AND l.purchase_id = held.purchase_id
      RETURNING 1
    ), judged AS MATERIALIZED (
      SELECT t.n, t.client_id, t.code_key, t.known IS NULL AND NOT t.is_closed AS is_new, t.new_scan_id,
        CASE WHEN t.known_key = t.code_key THEN t.known ELSE jsonb_build_object(
          'reason', CASE WHEN t.known IS NOT NULL THEN 'client-id-reused' WHEN t.is_closed THEN 'session-closed'
            WHEN t.purchase_id IS NULL THEN 'unknown-code' WHEN t.new_scan_id IS NULL THEN 'already-scanned'
            ELSE 'recorded' END,
          'code', coalesce(t.code, t.cleaned), 'purchase', t.purchase) || CASE
            WHEN t.known IS NOT NULL OR t.is_closed OR t.purchase_id IS NULL
              THEN jsonb_build_object('scanned_at', clock_timestamp(), 'scan_id', NULL)
            WHEN t.new_scan_id IS NOT NULL THEN jsonb_build_object('scanned_at', t.first_at, 'scan_id', t.first_id)
            ELSE jsonb_build_object('scanned_at', t.first_at, 'scan_id', t.first_id, 'first_scan', jsonb_build_object(
              'at', t.first_at, 'by', jsonb_build_object('id', u.id, 'name', u.name))) END
        END AS answer
      FROM told t LEFT JOIN users u ON u.id = t.first_by
    ), kept AS (
      INSERT INTO inventory_answers (inventory_id, client_id, code_key, scan_id, answer)
      SELECT $1, client_id, code_key, new_scan_id, answer FROM judged
      WHERE is_new AND client_id IS NOT NULL ORDER BY client_id
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT n, answer,
      CASE WHEN (SELECT count(*) FROM marked) <> (SELECT count(new_scan_id) FROM due)
          OR (SELECT count(*) FROM kept) <> (SELECT count(client_id) FROM judged WHERE is_new)
        THEN scan_was_overtaken() END
    FROM judged ORDER BY n`,
  values: [inventoryId, JSON.stringify(items), userId],
});
