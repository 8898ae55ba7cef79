import type { EntityManager } from 'typeorm';
import type { Position } from '../contract/cursor.js';
import type { Changed, SortKey } from '../contract/pagination.js';
import type { SyncWindow } from '../contract/sync.js';
import { inWindow } from '../contract/window.js';
import { UndoneScan } from '../inventories/undone-scan.entity.js';

/** A row of a list that comes to it by a scan, or the mark of one that left it since its scan was undone. */
export interface Change {
  id: number;
  changed_at: Date;
  deleted_at: Date | null;
}

export const changed: Changed<Change> = {
  by: 'changed_at',
  type: 'timestamptz',
  of: (row) => row.changed_at,
};
export const changedId: SortKey<Change> = { by: 'id', type: 'bigint', of: (row) => row.id };

/**
 * Scans of a session that were undone within the window, by their own ids or, where they have not been found elsewhere
 * again since, by those of their purchases.
 */
export function undoneSince(
  manager: EntityManager,
  inventoryId: number,
  id: 'scan_id' | 'purchase_id',
  window: SyncWindow,
  after: Position | null,
  limit: number,
): Promise<Change[]> {
  const rows = manager
    .createQueryBuilder(UndoneScan, 'undone')
    .select(`undone.${id}`, 'id')
    .addSelect('undone.undone_at', 'changed_at')
    .addSelect('undone.undone_at', 'deleted_at')
    .where('undone.inventory_id = :inventoryId', { inventoryId });
  if (id === 'purchase_id')
    rows.andWhere(
      `NOT EXISTS (SELECT FROM inventory_misplaced m
         WHERE m.inventory_id = undone.inventory_id AND m.purchase_id = undone.purchase_id)`,
    );
  return inWindow<Change>(rows, 'undone.undone_at', `undone.${id}`, window, after, limit);
}

/** Lists in the order of their changes, as one. */
export const merged = (limit: number, ...lists: Change[][]): Change[] =>
  lists
    .flat()
    .sort((a, b) => a.changed_at.getTime() - b.changed_at.getTime() || a.id - b.id)
    .slice(0, limit);
