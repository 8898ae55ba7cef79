import type { EntityManager } from 'typeorm';
import type { Position } from '../contract/cursor.js';
import type { SortKey } from '../contract/pagination.js';
import type { SyncWindow } from '../contract/sync.js';
import { inOrder, inWindow } from '../contract/window.js';
import type { Change } from '../contract/window.js';
import { UndoneScan } from '../inventories/undone-scan.entity.js';

/** Of a list that scans come to. */
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
  lists.flat().sort(inOrder).slice(0, limit);
