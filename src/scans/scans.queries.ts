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
    ), item AS MATERIALIZED (
      SELECT i.*, code_key(i.cleaned) AS code_key
      FROM jsonb_to_recordset($2) AS i (
        n integer, cleaned text, candidates text[], client_id uuid, device_scanned_at timestamptz,
        condition text, note text)
    ), known AS (
      SELECT i.n, a.code_key = i.code_key AS is_same, a.answer
      FROM item i JOIN inventory_answers a ON a.inventory_id = $1 AND a.client_id = i.client_id
    ), asked AS MATERIALIZED (
      SELECT DISTINCT ON (i.n) i.n, p.id AS purchase_id, p.code, l.scan_id, l.scanned_at, l.scanned_by,
        jsonb_build_object('id', p.id, 'code', p.code, 'article', jsonb_build_object('id', a.id, 'name', a.name)) AS purchase
      FROM item i
      CROSS JOIN unnest(i.candidates) WITH ORDINALITY AS tried (code, rank)
      JOIN purchases p ON p.code_key = code_key(tried.code)
      JOIN articles a ON a.id = p.article_id
      LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
      WHERE (p.deleted_at IS NULL OR l.scan_id IS NOT NULL) AND NOT EXISTS (SELECT FROM known WHERE known.n = i.n)
      ORDER BY i.n, tried.rank
    ), due AS MATERIALIZED (
      SELECT first.n, first.purchase_id, nextval('inventory_scan_seq') AS scan_id
      FROM (
        SELECT DISTINCT ON (purchase_id) n, purchase_id FROM asked, session
        WHERE scan_id IS NULL AND NOT is_closed ORDER BY purchase_id, n
      ) first ORDER BY first.n
    ), counted AS (
      UPDATE inventory_counters c SET scanned = c.scanned + (SELECT count(*) FROM due)
      WHERE c.inventory_id = $1 AND c.shard = pg_backend_pid() % 16 AND EXISTS (SELECT FROM due)
      RETURNING change_instant() AS at
    ), held AS MATERIALIZED (
      SELECT l.purchase_id FROM inventory_lines l
      WHERE l.inventory_id = $1 AND l.scan_id IS NULL AND EXISTS (SELECT FROM counted)
        AND l.purchase_id = ANY (ARRAY (SELECT purchase_id FROM due))
      ORDER BY l.purchase_id FOR UPDATE
    ), marked AS (
      UPDATE inventory_lines l
      SET scan_id = due.scan_id, scanned_at = counted.at, scanned_by = $3, client_id = i.client_id,
        device_scanned_at = i.device_scanned_at, condition = i.condition, note = i.note
      FROM held, due, item i, counted
      WHERE due.purchase_id = held.purchase_id AND i.n = due.n
        AND l.inventory_id = $1 AND l.purchase_id = held.purchase_id
      RETURNING due.n, l.purchase_id, l.scan_id, l.scanned_at, l.scanned_by
    ), judged AS MATERIALIZED (
      SELECT i.n, i.client_id, i.code_key, known.n IS NULL AND NOT session.is_closed AS is_new, mine.scan_id AS recorded,
        CASE WHEN known.is_same THEN known.answer
          WHEN known.n IS NOT NULL THEN jsonb_build_object(
            'reason', 'client-id-reused', 'code', i.cleaned, 'scanned_at', clock_timestamp(), 'purchase', NULL, 'scan_id', NULL)
          WHEN session.is_closed THEN jsonb_build_object(
            'reason', 'session-closed', 'code', coalesce(asked.code, i.cleaned), 'scanned_at', clock_timestamp(),
            'purchase', asked.purchase, 'scan_id', NULL)
          WHEN asked.n IS NULL THEN jsonb_build_object(
            'reason', 'unknown-code', 'code', i.cleaned, 'scanned_at', clock_timestamp(), 'purchase', NULL, 'scan_id', NULL)
          ELSE jsonb_build_object(
            'reason', CASE WHEN mine.n IS NULL THEN 'already-scanned' ELSE 'recorded' END, 'code', asked.code,
            'scanned_at', first.scanned_at, 'purchase', asked.purchase, 'scan_id', first.scan_id)
            || CASE WHEN mine.n IS NULL THEN jsonb_build_object('first_scan', jsonb_build_object(
              'at', first.scanned_at, 'by', jsonb_build_object('id', u.id, 'name', u.name))) ELSE '{}' END
        END AS answer
      FROM session CROSS JOIN item i
      LEFT JOIN known ON known.n = i.n
      LEFT JOIN asked ON asked.n = i.n
      LEFT JOIN marked mine ON mine.n = i.n
      LEFT JOIN marked other ON other.purchase_id = asked.purchase_id
      CROSS JOIN LATERAL (
        SELECT coalesce(asked.scan_id, other.scan_id) AS scan_id, coalesce(asked.scanned_at, other.scanned_at) AS scanned_at,
          coalesce(asked.scanned_by, other.scanned_by) AS scanned_by) first
      LEFT JOIN users u ON u.id = first.scanned_by
    ), kept AS (
      INSERT INTO inventory_answers (inventory_id, client_id, code_key, scan_id, answer)
      SELECT $1, client_id, code_key, recorded, answer FROM judged
      WHERE is_new AND client_id IS NOT NULL ORDER BY client_id
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT n, answer,
      CASE WHEN (SELECT count(*) FROM marked) <> (SELECT count(*) FROM due)
          OR (SELECT count(*) FROM kept) <> (SELECT count(client_id) FROM judged WHERE is_new)
        THEN scan_was_overtaken() END
    FROM judged ORDER BY n`,
  values: [inventoryId, JSON.stringify(items), userId],
});
