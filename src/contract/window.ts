import type { SelectQueryBuilder } from 'typeorm';
import type { Position } from './cursor.js';
import type { SyncWindow } from './sync.js';

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
