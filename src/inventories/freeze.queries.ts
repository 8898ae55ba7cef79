import { PREVIOUS } from './comparison.queries.js';
import { userShown } from './inventories.queries.js';
import { scopeOf } from './inventory.entity.js';

/** Those that purchases have now; a report has a column for each. */
export const OWN_FIELDS = `
    SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'name', name, 'type', type) ORDER BY id), '[]') FROM fields
    WHERE applies_to = 'purchase' AND is_active AND deleted_at IS NULL`;

/** Copies session $1, with the FISCAL_YEAR_START $2. One statement, which sees all of it at one moment. */
export const FREEZE = `
  WITH places AS (
    INSERT INTO inventory_frozen_locations (inventory_id, id, name, path, lineage)
    SELECT $1, id, name, path, lineage FROM locations
  ), lines AS (
    INSERT INTO inventory_frozen_lines SELECT * FROM session_lines($1)
  )
  INSERT INTO inventory_frozen (inventory_id, frozen_at, fiscal_year_start, own_fields, session)
  SELECT i.id, now(), $2, (${OWN_FIELDS}),
    jsonb_build_object('opener', ${userShown('o')}, 'closer', ${userShown('c')}, 'scope', ${scopeOf('i')})
  FROM inventories i JOIN users o ON o.id = i.opened_by JOIN users c ON c.id = i.closed_by
  WHERE i.id = $1`;

export interface PreviousRow {
  id: number;
  updated_at: Date;
  is_frozen: boolean;
}

/** With which session `$1` is compared. */
export const PREVIOUS_OF = `
  SELECT o.id, o.updated_at, f.inventory_id IS NOT NULL AS is_frozen
  FROM inventories i JOIN inventories o ON o.id = (${PREVIOUS}) LEFT JOIN inventory_frozen f ON f.inventory_id = o.id
  WHERE i.id = $1`;
