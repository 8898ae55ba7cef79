/** Whether a session is there, how often it was opened again, and when what it shows was frozen. */
export interface FollowedRow {
  reopenings: number;
  frozen_at: Date | null;
}

export const FOLLOWED = `
  SELECT jsonb_array_length(i.reopened) AS reopenings, f.frozen_at
  FROM inventories i LEFT JOIN inventory_frozen f ON f.inventory_id = i.id AND i.closed_at IS NOT NULL
  WHERE i.id = $1 AND i.deleted_at IS NULL`;

/** The $1 open sessions that were opened last, whose figures are read before anybody asks. */
export const OPEN = `
  SELECT id FROM inventories WHERE closed_at IS NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT $1`;

/** A purchase of a session as it is counted: its `state` is 0 without a line, 1 when missing, 2 when scanned. */
export type CountedRow = [purchase: string, article: string, location: string | null, state: '0' | '1' | '2'];

/** Where it was expected, if it was found elsewhere and is there by now; as in the report. */
const EXPECTED = `coalesce(m.expected_id, p.location_id)`;
const MISPLACED = `LEFT JOIN inventory_misplaced m ON m.inventory_id = $1 AND m.purchase_id = p.id`;

/** What a session counts, of the purchases after $2 up to $3: said of both tables, or all of one would be read for each piece. */
export const COUNTED = `
  SELECT p.id, p.article_id, ${EXPECTED}, CASE WHEN l.scan_id IS NULL THEN 1 ELSE 2 END
  FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id ${MISPLACED}
  WHERE l.inventory_id = $1 AND l.purchase_id > $2 AND l.purchase_id <= $3 AND p.id > $2 AND p.id <= $3`;

/** What is to be known of a session before it is read in pieces: no row without lines. */
export interface AheadRow {
  reopenings: number;
  /** Of its purchases. */
  first: number;
  last: number;
}

export const AHEAD = `
  SELECT jsonb_array_length(i.reopened) AS reopenings, l.first, l.last
  FROM inventories i, (
    SELECT min(purchase_id) AS first, max(purchase_id) AS last FROM inventory_lines WHERE inventory_id = $1
  ) l WHERE i.id = $1 AND l.last IS NOT NULL`;

/** What may be counted otherwise since an instant that sync_horizon() has told; what was scanned since is read by SCANNED. */
export const RECOUNTED = `
  SELECT p.id, p.article_id, ${EXPECTED},
    CASE WHEN l.purchase_id IS NULL THEN 0 WHEN l.scan_id IS NULL THEN 1 ELSE 2 END
  FROM (
    SELECT purchase_id AS id FROM inventory_lines
    WHERE inventory_id = $1 AND recorded_at >= $2 AND recorded_at IS NOT NULL
    UNION SELECT purchase_id FROM inventory_undone_scans WHERE inventory_id = $1 AND undone_at >= $2
    UNION SELECT purchase_id FROM inventory_misplaced WHERE inventory_id = $1 AND changed_at >= $2
    UNION SELECT id FROM purchases WHERE updated_at >= $2
  ) changed
  JOIN purchases p ON p.id = changed.id ${MISPLACED}
  LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id`;

/**
 * What was scanned since: a tenth of the work of counting it anew. It changes nothing else of a purchase, unless it was found
 * elsewhere: then it counts where it was when it was looked for, though it was placed somewhere else until the scan was kept.
 */
export const SCANNED = `
  SELECT purchase_id FROM inventory_lines WHERE inventory_id = $1 AND scanned_at >= $2 AND scan_id IS NOT NULL`;

/** Whose category is which, in the order in which they are shown. */
export const CATEGORIES = `SELECT id, name FROM categories ORDER BY name, id`;
export const ARTICLES = `SELECT id, category_id FROM articles WHERE category_id IS NOT NULL`;

export interface PlaceRow {
  id: number;
  name: string;
  lineage: number[];
}

export const PLACES = `SELECT id, name, lineage FROM locations ORDER BY path, id`;
export const FROZEN_PLACES = `
  SELECT id, name, lineage FROM inventory_frozen_locations WHERE inventory_id = $1
  ORDER BY path COLLATE "und-x-icu", id`;

/** Of a session that is not frozen. */
export const USERS = `
  SELECT u.id AS key, u.name, n.scanned, NULL AS total
  FROM (
    SELECT scanned_by, count(*)::integer AS scanned FROM inventory_lines
    WHERE inventory_id = $1 AND scan_id IS NOT NULL GROUP BY 1
  ) n JOIN users u ON u.id = n.scanned_by ORDER BY u.name COLLATE "und-x-icu", u.id`;
export const FROZEN_USERS = `
  SELECT scanned_by AS key, scanner_name AS name, count(*)::integer AS scanned, NULL AS total
  FROM inventory_frozen_lines WHERE inventory_id = $1 AND state = 'scanned'
  GROUP BY 1, 2 ORDER BY scanner_name COLLATE "und-x-icu", 1`;
export const FROZEN_CATEGORIES = `
  SELECT category_id AS key, category_name AS name, (count(*) FILTER (WHERE state = 'scanned'))::integer AS scanned,
    count(*)::integer AS total
  FROM inventory_frozen_lines WHERE inventory_id = $1 AND state <> 'unexpected'
  GROUP BY 1, 2 ORDER BY category_name COLLATE "und-x-icu", 1`;

export interface PlaceCountRow {
  location_id: number | null;
  scanned: number;
  total: number;
}

export const FROZEN_PLACE_COUNTS = `
  SELECT expected_id AS location_id, (count(*) FILTER (WHERE state = 'scanned'))::integer AS scanned,
    count(*)::integer AS total
  FROM inventory_frozen_lines WHERE inventory_id = $1 AND state <> 'unexpected' GROUP BY 1`;

export interface QuarterRow {
  quarter: Date;
  scanned: number;
}

/** By quarters of an hour: clocks everywhere differ from UTC by so many of these, and no day or hour begins within one. */
const quarters = (lines: string) => `
  SELECT date_bin('15 minutes', scanned_at, '2000-01-01T00:00:00Z') AS quarter, count(*)::integer AS scanned
  FROM ${lines} GROUP BY 1 ORDER BY 1`;
export const QUARTERS = quarters('inventory_lines WHERE inventory_id = $1 AND scan_id IS NOT NULL');
export const FROZEN_QUARTERS = quarters(
  `inventory_frozen_lines WHERE inventory_id = $1 AND state = 'scanned'`,
);
