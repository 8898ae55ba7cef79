import type { InventoryLine } from '../inventories/inventory-line.entity.js';
import type { Position } from './position.js';

/** What happened in a session; null columns where its kind has no such thing. */
export interface EventRow {
  at: Date;
  rank: number;
  /** Of the scan or the unknown code, or the number of the reopening. */
  id: number;
  scanned_at: Date | null;
  user_id: number;
  user_name: string;
  purchase_id: number;
  code: string;
  article_id: number;
  article_name: string;
  client_id: string | null;
  device_scanned_at: Date | null;
  condition: 'good' | 'damaged' | 'unusable' | null;
  note: string | null;
  source: InventoryLine['source'];
  location: { id: number; name: string; path: string } | null;
  session_created_at: Date;
}

interface Source {
  table: string;
  rank: number;
  at: string;
  id: string;
  where?: string;
  /** Who did it. */
  user: string;
  isScan?: boolean;
}

const LINES = { table: 'inventory_lines', rank: 1, id: 'scan_id', user: 'scanned_by', isScan: true };
const SOURCES: Source[] = [
  { ...LINES, at: 'scanned_at', where: 'scan_id IS NOT NULL AND recorded_at IS NULL' },
  { ...LINES, at: 'recorded_at', where: 'recorded_at IS NOT NULL' }, // scans of the past that were decided upon later
  { ...LINES, table: 'inventory_unexpected', at: 'recorded_at' },
  { table: 'inventory_undone_scans', rank: 2, at: 'undone_at', id: 'scan_id', user: 'undone_by' },
  { table: 'inventory_unknown_codes', rank: 3, at: 'changed_at', id: 'id', user: 'last_by' },
];

/** With their types, since the database takes a column of nothing but NULL for text. */
const SCAN_COLUMNS = {
  scanned_at: 'timestamptz',
  client_id: 'uuid',
  device_scanned_at: 'timestamptz',
  condition: 'varchar',
  note: 'varchar',
  source: 'varchar',
  location_id: 'integer',
};
const NO_SCAN = Object.entries(SCAN_COLUMNS).map(([column, type]) => `NULL::${type} AS ${column}`);

const read = ({ table, rank, at, id, where = 'true', user, isScan = false }: Source): string => `(
  SELECT ${at} AS at, ${rank} AS rank, ${id} AS id, purchase_id, ${user} AS user_id,
    ${(isScan ? Object.keys(SCAN_COLUMNS) : NO_SCAN).join(', ')}
  FROM ${table}
  WHERE inventory_id = $1 AND ${where}
    AND ${at} >= $2 AND (${at}, ${rank}, ${id}) > ($2, $3::integer, $4::bigint) AND ${at} < $5
  ORDER BY ${at}, ${id} LIMIT $6)`;

/** The instant of a closing is that of the row's change, which no reader up to the horizon misses. */
const SESSION = `(
  SELECT at, rank, turns.id, NULL::integer AS purchase_id, NULL::integer AS user_id, ${NO_SCAN.join(', ')}
  FROM inventories i CROSS JOIN LATERAL (
    SELECT date_trunc('milliseconds', (r.value->>'at')::timestamptz) AS at, 4 AS rank, r.ordinality AS id
    FROM jsonb_array_elements(i.reopened) WITH ORDINALITY r
    UNION ALL
    SELECT i.updated_at, 5, 0 WHERE i.closed_at IS NOT NULL
  ) turns
  WHERE i.id = $1 AND (at, rank, turns.id) > ($2, $3::integer, $4::bigint) AND at < $5)`;

const PAGE = `
  SELECT * FROM (${[...SOURCES.map(read), SESSION].join('\n  UNION ALL\n')}) happened
  ORDER BY at, rank, id LIMIT $6`;

const valuesOf = (inventoryId: number, { at, rank, id }: Position, until: Date, limit: number) => [
  inventoryId,
  at,
  rank,
  id,
  until,
  limit,
];

/** What happened after a position and before an instant, in its order: of each table what an index finds. */
export const eventsAfter = (inventoryId: number, after: Position, until: Date, limit: number) => ({
  name: 'live-events',
  text: `
    WITH page AS MATERIALIZED (${PAGE})
    SELECT page.*, p.code, a.id AS article_id, a.name AS article_name, u.name AS user_name,
      CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name, 'path', l.path) END AS location,
      (SELECT created_at FROM inventories WHERE id = $1) AS session_created_at
    FROM page
    LEFT JOIN purchases p ON p.id = page.purchase_id
    LEFT JOIN articles a ON a.id = p.article_id
    LEFT JOIN users u ON u.id = page.user_id
    LEFT JOIN locations l ON l.id = page.location_id
    ORDER BY at, rank, page.id`,
  values: valuesOf(inventoryId, after, until, limit),
});

/** How many those are, up to a limit. */
export const countAfter = (inventoryId: number, after: Position, until: Date, limit: number) => ({
  name: 'live-count',
  text: `SELECT count(*) AS count FROM (${PAGE}) page`,
  values: valuesOf(inventoryId, after, until, limit),
});

/** Up to here nothing can come to light any more; asked in a statement of its own before the rows are read. */
export const horizon = { name: 'live-horizon', text: 'SELECT sync_horizon() AS until' };
