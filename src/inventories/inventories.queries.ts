import { scopeOf, scopeVersion } from './inventory.entity.js';
import type { Inventory } from './inventory.entity.js';

/** A row where something was read in session `$1` that it did not expect, which is kept all the same. */
export const HAS_READS = `
  SELECT WHERE EXISTS (SELECT FROM inventory_unexpected WHERE inventory_id = $1)
    OR EXISTS (SELECT FROM inventory_unknown_codes WHERE inventory_id = $1)
    OR EXISTS (SELECT FROM inventory_late_scans WHERE inventory_id = $1)`;

interface UserShown {
  id: number;
  name: string;
  version: number;
}

/** A session with all that its answer shows, whether TypeORM or the statement below has read it. */
export interface SessionRow extends Pick<
  Inventory,
  | 'id'
  | 'year'
  | 'inventory_date'
  | 'label'
  | 'closed_at'
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'scope'
  | 'scope_version'
  | 'reopened'
  | 'scanned'
  | 'total'
> {
  opener: UserShown;
  closer: UserShown | null;
}

export const userShown = (user: string): string =>
  `json_build_object('id', ${user}.id, 'name', ${user}.name, 'version', ${user}.version)`;

/**
 * A session with its figures as they are at one moment: also inside the transactions that open and close it.
 * @param isDeleted whether it may be deleted
 */
export const session = (id: number, { isDeleted = false } = {}) => ({
  name: isDeleted ? 'inventory-session-of-any' : 'inventory-session',
  text: `
    SELECT i.id, i.year, i.inventory_date, i.label, i.closed_at, i.created_at, i.updated_at, i.version, i.reopened,
      ${scopeOf('i')} AS scope, ${scopeVersion('i')} AS scope_version,
      ${userShown('o')} AS opener,
      CASE WHEN c.id IS NOT NULL THEN ${userShown('c')} END AS closer,
      coalesce(i.final_scanned, n.scanned, 0)::integer AS scanned, coalesce(i.final_total, n.total, 0)::integer AS total
    FROM inventories i
    JOIN users o ON o.id = i.opened_by
    LEFT JOIN users c ON c.id = i.closed_by
    CROSS JOIN LATERAL (
      SELECT sum(scanned) AS scanned, sum(total) AS total FROM inventory_counters WHERE inventory_id = i.id) n
    WHERE i.id = $1 ${isDeleted ? '' : 'AND i.deleted_at IS NULL'}`,
  values: [id],
});
