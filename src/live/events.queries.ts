import type { JsonRow } from '../database/json-row.js';
import { columnsOf, entryColumns, relationsBy } from '../scans/scan-entries.queries.js';
import type { Position } from './position.js';

/** What happened in a session. Its id is that of the scan or the unknown code, or the number of the reopening. */
export interface Happened extends Position {
  /** As JsonRow has it; null where its kind is told by what else there is of it. */
  json: string | null;
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

const LINES = { rank: 1, id: 'scan_id', user: 'scanned_by', isScan: true };
/** One at a time: of both together, where no session is closed, PostgreSQL sorts all that a session has after the position. */
const LINE_TABLES = ['ONLY inventory_lines', 'inventory_closed_lines'];
const SOURCES: Source[] = [
  ...LINE_TABLES.flatMap((table) => [
    { ...LINES, table, at: 'scanned_at', where: 'scan_id IS NOT NULL AND recorded_at IS NULL' },
    { ...LINES, table, at: 'recorded_at', where: 'recorded_at IS NOT NULL' }, // scans of the past that were decided upon later
  ]),
  { ...LINES, table: 'inventory_unexpected', at: 'recorded_at' },
  { table: 'inventory_undone_scans', rank: 2, at: 'undone_at', id: 'scan_id', user: 'undone_by' },
  { table: 'inventory_unknown_codes', rank: 3, at: 'changed_at', id: 'id', user: 'last_by' },
];

/** With their types, since the database takes a column of nothing but NULL for text. */
const SCAN_COLUMNS = {
  scan_id: 'bigint',
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
  SELECT ${at} AS at, ${rank} AS rank, ${id} AS id, purchase_id, ${user} AS acted_by,
    ${(isScan ? Object.keys(SCAN_COLUMNS) : NO_SCAN).join(', ')}
  FROM ${table}
  WHERE inventory_id = $1 AND ${where}
    AND ${at} >= $2 AND (${at}, ${rank}, ${id}) > ($2, $3::integer, $4::bigint) AND ${at} < $5
  ORDER BY ${at}, ${id} LIMIT $6)`;

/** The instant of a closing is that of the row's change, which no reader up to the horizon misses. */
const SESSION = `(
  SELECT at, rank, turns.id, NULL::integer AS purchase_id, NULL::integer AS acted_by, ${NO_SCAN.join(', ')}
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

/** As toUndoneDto() has it. */
const UNDONE = {
  id: 'CASE s.rank WHEN 2 THEN s.id END',
  undone_at: 's.at',
  'undone_by.id': 'u.id',
  'undone_by.name': 'u.name',
  'purchase.id': 'p.id',
  'purchase.code': 'p.code',
  'purchase.article.id': 'a.id',
  'purchase.article.name': 'a.name',
};

/** What happened after a position and before an instant, in its order: of each table what an index finds. */
export const eventsAfter = (inventoryId: number, after: Position, until: Date, limit: number) => ({
  name: 'live-events',
  text: `
    WITH page AS MATERIALIZED (${PAGE})
    SELECT s.id, s.at, s.rank, ${entryColumns('scan.')}, ${columnsOf(UNDONE, 'undone.')}
    FROM page s
    JOIN inventories i ON i.id = $1 ${relationsBy('s.acted_by')}
    ORDER BY s.at, s.rank, s.id`,
  values: valuesOf(inventoryId, after, until, limit),
  json: {},
});

/** The columns of the above; an object is null where its id is. */
const ROW = /^\{"id":\d+,"at":"(.+?)","rank":(\d),"scan":(.+),"undone":(.+)\}$/;

export function happened({ id, json }: JsonRow): Happened {
  const [, at, rank, ...told] = ROW.exec(json)!;
  return {
    id,
    at: new Date(at!),
    rank: Number(rank),
    json: told.find((object) => object !== 'null') ?? null,
  };
}

/** How many those are, up to a limit. */
export const countAfter = (inventoryId: number, after: Position, until: Date, limit: number) => ({
  name: 'live-count',
  text: `SELECT count(*) AS count FROM (${PAGE}) page`,
  values: valuesOf(inventoryId, after, until, limit),
});

/** Up to here nothing can come to light any more; asked in a statement of its own before the rows are read. */
export const horizon = { name: 'live-horizon', text: 'SELECT sync_horizon() AS until' };
