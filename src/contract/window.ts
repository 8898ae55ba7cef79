import type { SelectQueryBuilder } from 'typeorm';
import type { Position } from './cursor.js';
import type { Changed } from './pagination.js';
import type { SyncWindow } from './sync.js';

/** A row that came to a list, again where it is otherwise, or the mark of one that left it. */
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

export type Place = Pick<Change, 'id' | 'changed_at'>;

export const inOrder = (a: Place, b: Place): number =>
  a.changed_at.getTime() - b.changed_at.getTime() || a.id - b.id;

/** Rows of `{ id, changed_at, … }` that changed within the window, in the order of their changes. */
export function inWindow<Row extends object>(
  rows: SelectQueryBuilder<object>,
  changedAt: string,
  rowId: string,
  { from, until }: SyncWindow,
  after: Position | null,
  limit: number,
): Promise<Row[]> {
  rows.andWhere(`${changedAt} >= :from AND ${changedAt} < :until`, { from, until });
  if (after) {
    rows.andWhere(`(${changedAt}, ${rowId}) > (CAST(:after_at AS timestamptz), :after_id)`, {
      after_at: after[0],
      after_id: after[1],
    });
  }
  return rows.orderBy(changedAt).addOrderBy(rowId).limit(limit).getRawMany<Row>();
}
