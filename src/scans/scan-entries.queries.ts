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
/** As toScanEntryDto() has it. */
const ANSWERED = `s.scan_id AS id, s.scanned_at, u.id AS "scanned_by.id", u.name AS "scanned_by.name", p.id AS "purchase.id",
      p.code AS "purchase.code", a.id AS "purchase.article.id", a.name AS "purchase.article.name", s.client_id,
      s.device_scanned_at,
      coalesce(s.device_scanned_at > s.scanned_at + interval '${CLOCKS_DIFFER_MS} ms', false) AS clock_ahead,
      coalesce(s.device_scanned_at < i.created_at, false) AS clock_behind,
      l.id AS "location.id", l.name AS "location.name", l.path AS "location.path", s.condition, s.note, s.source`;

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
  text: many(ANSWERED, ids('inventory_lines line WHERE line.inventory_id = $1 AND line.scan_id IS NOT NULL')),
  values,
  json: {},
});
