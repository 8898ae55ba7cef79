import type { Step } from '../contract/walk.js';
import type { InventoryLine } from '../inventories/inventory-line.entity.js';

/** A phone whose instant is later than ours by more than this has another clock. */
export const CLOCKS_DIFFER_MS = 5 * 60_000;

/** A scan as the list, the stream of events and webhooks tell it, with what they show of other rows. */
export interface EntryRow extends Pick<
  InventoryLine,
  'client_id' | 'device_scanned_at' | 'condition' | 'note' | 'source' | 'location_id'
> {
  id: number;
  scanned_at: Date;
  user_id: number;
  user_name: string;
  purchase_id: number;
  code: string;
  article_id: number;
  article_name: string;
  location_name: string;
  location_path: string;
  session_created_at: Date;
}

/** Of the rows that a scan `s` of a session `i` names. */
export const SHOWN = `p.code, a.id AS article_id, a.name AS article_name, u.id AS user_id, u.name AS user_name,
      l.name AS location_name, l.path AS location_path, i.created_at AS session_created_at`;

/** @param user whoever did it, as SQL */
export const relationsBy = (user: string): string => `
    LEFT JOIN purchases p ON p.id = s.purchase_id
    LEFT JOIN articles a ON a.id = p.article_id
    LEFT JOIN users u ON u.id = ${user}
    LEFT JOIN locations l ON l.id = s.location_id`;

const ENTRY = `s.scan_id AS id, s.scanned_at, s.purchase_id, s.client_id, s.device_scanned_at, s.condition, s.note,
      s.source, s.location_id, ${SHOWN}`;
/** As toScanEntryDto() has it, by their paths in the answer. */
const ANSWERED = {
  id: 's.scan_id',
  scanned_at: 's.scanned_at',
  'scanned_by.id': 'u.id',
  'scanned_by.name': 'u.name',
  'purchase.id': 'p.id',
  'purchase.code': 'p.code',
  'purchase.article.id': 'a.id',
  'purchase.article.name': 'a.name',
  client_id: 's.client_id',
  device_scanned_at: 's.device_scanned_at',
  clock_ahead: `coalesce(s.device_scanned_at > s.scanned_at + interval '${CLOCKS_DIFFER_MS} ms', false)`,
  clock_behind: 'coalesce(s.device_scanned_at < i.created_at, false)',
  'location.id': 'l.id',
  'location.name': 'l.name',
  'location.path': 'l.path',
  condition: 's.condition',
  note: 's.note',
  source: 's.source',
};

/** The columns of rows that are read as JSON. */
export const columnsOf = (answered: Record<string, string>, within = ''): string =>
  Object.entries(answered)
    .map(([path, column]) => `${column} AS "${within}${path}"`)
    .join(', ');

/** Those of a scan. */
export const entryColumns = (within = ''): string => columnsOf(ANSWERED, within);

/** Of a session ($1), by a table of their ids and their ranks. */
const many = (shown: string, ids: string): string => `
    SELECT ${shown}
    FROM ${ids} AS asked (id, rank)
    JOIN inventory_lines s ON s.inventory_id = $1 AND s.scan_id = asked.id
    JOIN inventories i ON i.id = s.inventory_id ${relationsBy('s.scanned_by')}
    ORDER BY asked.rank`;

/** Those of a page, in the order of their ids. */
export const entriesByIds = (inventoryId: number, scanIds: number[]) => ({
  name: 'scan-entries',
  text: many(ENTRY, 'unnest($2::bigint[]) WITH ORDINALITY'),
  values: [inventoryId, `{${scanIds.join()}}`], // pg would quote each
});

/** A page of a walk through all of a session, as it is answered. */
export const entriesOnWalk = ({ name, values, ids }: Step) => ({
  name,
  text: many(
    entryColumns(),
    ids('inventory_lines line WHERE line.inventory_id = $1 AND line.scan_id IS NOT NULL'),
  ),
  values,
  json: {},
});
