import type { Terms } from '../amortization/amortization.js';
import type { Definition } from '../fields/values.js';
import { PREVIOUS, linesOf } from '../inventories/comparison.queries.js';
import type { Changes } from '../inventories/comparison.queries.js';
import { OWN_FIELDS } from '../inventories/freeze.queries.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import type { Condition } from '../inventories/inventory-line.entity.js';

/** Where the lines of a session and its places are read: `$1` is the session. */
export interface Source {
  lines: string;
  places: string;
}

/** A closed session is read as it was kept; one that was closed before anything was kept, as of now. */
export const sourceOf = (isFrozen: boolean): Source => ({
  lines: linesOf(isFrozen),
  places: isFrozen ? `(SELECT * FROM inventory_frozen_locations WHERE inventory_id = $1)` : `locations`,
});

type FrozenSession = Pick<SessionRow, 'opener' | 'closer' | 'scope'>;

export type OwnColumn = Pick<Definition, 'key' | 'name' | 'type'>;

export interface HeadRow {
  /** Null where nothing is kept of it. */
  fiscal_year_start: string | null;
  /** As it was called then, where that is kept. */
  frozen: FrozenSession | null;
  previous_id: number | null;
  is_previous_frozen: boolean;
  /** Fields of one's own: those that purchases have, or had when the session was closed. */
  own_fields: OwnColumn[];
  previous_frozen: FrozenSession | null;
  /** Since the previous one; null where they are not kept. */
  changes: Changes | null;
  /** Before it was deleted, if it was since. */
  previous_updated_at: Date | null;
}

/** How a session is read, and with which it is compared. */
export const HEAD = `
  SELECT f.fiscal_year_start, f.session AS frozen,
    CASE WHEN f.inventory_id IS NULL THEN (${OWN_FIELDS}) ELSE coalesce(f.own_fields, '[]') END AS own_fields,
    p.id AS previous_id, pf.inventory_id IS NOT NULL AS is_previous_frozen, pf.session AS previous_frozen,
    f.comparison -> 'changes' AS changes, (f.comparison ->> 'updated_at')::timestamptz(3) AS previous_updated_at
  FROM inventories i
  LEFT JOIN inventory_frozen f ON f.inventory_id = i.id AND i.closed_at IS NOT NULL
  CROSS JOIN LATERAL (
    SELECT CASE WHEN f.comparison IS NULL THEN (${PREVIOUS}) ELSE (f.comparison ->> 'session')::integer END AS id
  ) p
  LEFT JOIN inventory_frozen pf ON pf.inventory_id = p.id
  WHERE i.id = $1`;

type LineState = 'scanned' | 'missing' | 'unexpected';

/** Of which COPY makes texts; what decides on the value comes last. */
export type ValueRow = [
  price: string | null,
  purchased: string,
  inService: string,
  method: Terms['method'] | null,
  years: string | null,
  coefficient: string | null,
  disposed: string | null,
];
const VALUE = `l.purchase_price, l.purchase_date, coalesce(l.in_service_date, l.purchase_date),
    l.method, l.duration_years, l.declining_coefficient, l.disposed_on`;

export type FigureRow = [
  state: LineState,
  isMisplaced: 't' | 'f',
  categoryId: string | null,
  categoryName: string | null,
  rootId: string | null,
  scannerId: string | null,
  scannerName: string | null,
  hour: string | null,
  ...value: ValueRow,
];

/** Every line, with what it counts for; hours are those of the time zone $2. */
export const figuresIn = ({ lines, places }: Source): string => `
  SELECT l.state, l.is_misplaced, l.category_id, l.category_name, e.lineage[1], l.scanned_by, l.scanner_name,
    date_trunc('hour', l.scanned_at AT TIME ZONE $2), ${VALUE}
  FROM ${lines} l LEFT JOIN ${places} e ON e.id = l.expected_id`;

/** The outermost places of the lines. */
export const rootsIn = ({ places }: Source): string => `
  SELECT id, name FROM ${places} r WHERE cardinality(lineage) = 1`;

export type LineRow = [
  code: string,
  article: string,
  serialNumber: string | null,
  category: string | null,
  expected: string | null,
  found: string | null,
  state: LineState,
  scannedAt: string | null,
  scanner: string | null,
  condition: Condition | null,
  /** JSON, null where it has none. */
  fields: string | null,
  ...value: ValueRow,
];

const LINE = `l.code, l.article_name, l.serial_number, l.category_name, e.path, f.path, l.state,
    l.scanned_at AT TIME ZONE $2, l.scanner_name, l.condition, l.fields, ${VALUE}`;
const placed = ({ lines, places }: Source): string =>
  `${lines} l LEFT JOIN ${places} e ON e.id = l.expected_id LEFT JOIN ${places} f ON f.id = l.found_id`;

/** The lines of which something is true, by purchase; instants are those of the time zone $2. */
export const linesIn = (source: Source, where = 'true', order = 'l.purchase_id'): string => `
  SELECT ${LINE} FROM ${placed(source)} WHERE ${where} ORDER BY ${order}`;

/** For who goes to look: by place, no more than that. */
export const firstLinesIn = (source: Source, where: string, limit: number): string =>
  linesIn(source, where, `e.path COLLATE "und-x-icu", l.code, l.purchase_id LIMIT ${limit}`);

export const MISSING = `l.state = 'missing'`;
export const MISPLACED = `l.is_misplaced`;
export const UNEXPECTED = `l.state = 'unexpected'`;

export type UnknownRow = [
  code: string,
  times: string,
  firstAt: string,
  lastAt: string,
  status: 'open' | 'linked' | 'dismissed',
  reason: string | null,
];

/** The codes that nobody knew, as they came. */
export const UNKNOWN_CODES = `
  SELECT code, times, first_at AT TIME ZONE $2, last_at AT TIME ZONE $2, status, reason
  FROM inventory_unknown_codes WHERE inventory_id = $1 ORDER BY id`;

export interface CountsRow {
  unknown: number;
  unknown_open: number;
  late: number;
  late_open: number;
}

/** Of codes that nobody knew, and of scans that came after the closing. */
export const COUNTS = `
  SELECT u.count AS unknown, u.open AS unknown_open, l.count AS late, l.open AS late_open
  FROM
    (SELECT count(*)::integer, (count(*) FILTER (WHERE status = 'open'))::integer AS open
     FROM inventory_unknown_codes WHERE inventory_id = $1) u,
    (SELECT count(*)::integer, (count(*) FILTER (WHERE status = 'waiting'))::integer AS open
     FROM inventory_late_scans WHERE inventory_id = $1) l`;
