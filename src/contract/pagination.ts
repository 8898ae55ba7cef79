import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Position, SortType } from './cursor.js';
import { drain } from '../common/drain.js';
import { invalid } from '../common/errors.js';
import type { ListQuery } from './list-query.js';
import { readRows } from './page-rows.js';
import { say } from '../common/messages.js';
import { splitDeleted, syncWindow, syncedUntil } from './sync.js';
import type { SyncWindow, Tombstone } from './sync.js';
import { BATCH, whole } from './whole.js';
import { contractMessages } from './contract.messages.js';

/** How a list sorts by a field: an SQL expression that is never null, its type, and its value in a row read. */
export interface SortKey<Row> {
  by: string;
  /** What its cursors call it, where `by` is not always the same. */
  known?: string;
  type: SortType;
  of: (row: Row) => string | number | Date;
}

/** `id` is unique in the list and breaks the ties of all others. */
export type Sorts<Row> = { id: SortKey<Row> } & Record<string, SortKey<Row>>;

/** How a list tells when a row was changed; SQL for those that may change at any time, and so always count. */
export interface Changed<Row> extends SortKey<Row> {
  type: 'timestamptz';
  of: (row: Row) => Date;
  always?: string;
}

export interface PageMeta {
  current_page?: number;
  per_page: number;
  total?: number;
  last_page?: number;
  next_cursor: string | null;
  synced_until?: Date;
}

export interface Page<Row> {
  rows: Row[];
  deleted?: Tombstone[];
  meta: PageMeta;
  /** Of changes: those from this instant on are not told yet. */
  until?: Date;
}

/** A page begins so many rows behind the first one of those from an id on, or else of all. */
export interface Place {
  from?: number;
  offset: number;
}

/** What is known of a list without counting it, or walking through it. */
export interface Counts {
  counted?: () => Promise<number>;
  /** Where the first so many rows by id end. */
  place?: (offset: number, direction: 'ASC' | 'DESC') => Promise<Place>;
}

interface PageOptions<Row> extends Counts {
  /** The order where the query names none; by `id` otherwise. */
  order?: string;
  /** Where it is not `updated_at`. */
  changed?: Changed<Row>;
}

/**
 * Reads one page of `rows`: by number with a count, or after a cursor (keyset, no count). Leaves out rows that are
 * marked as deleted, unless their tombstones are asked for.
 * @throws DomainError validation-failed for a cursor that is not of this list and order, or comes with a page
 */
export async function paginate<Row extends ObjectLiteral>(
  rows: SelectQueryBuilder<Row>,
  query: ListQuery,
  sorts: Sorts<Row>,
  {
    order = 'id',
    counted = () => count(rows),
    place = (offset) => Promise.resolve({ offset }),
    changed = recordChanged(rows.alias),
  }: PageOptions<Row> = {},
): Promise<Page<Row>> {
  const { per_page = 50, page = 1, cursor } = query;
  if (cursor !== undefined && query.page !== undefined)
    throw invalid({ cursor: [say(contractMessages.cursor_and_page)] });
  const window = await syncWindow(rows.dataSource, query);
  const sort = window ? 'id' : (query.sort ?? order);
  const field = sort.replace('-', '');
  const key = window ? changed : sorts[field];
  if (!key) throw new Error(`No sort key ${field}`);
  const isDeletable = rows.expressionMap.mainAlias?.metadata.findColumnWithPropertyName('deleted_at');
  if (isDeletable && !query.include_deleted)
    rows.andWhere(`${rows.alias}.deleted_at IS ${query.deleted ? 'NOT ' : ''}NULL`);
  if (window) {
    const isDue = [`${changed.by} >= :sync_from`, ...(changed.always ? [changed.always] : [])].join(' OR ');
    rows.andWhere(`(${isDue}) AND ${changed.by} < :sync_until`);
    rows.setParameters({ sync_from: window.from, sync_until: window.until });
  }
  const isCounted = cursor === undefined && window === null && !whole.current;
  const total = isCounted ? await counted() : 0;

  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const skipped = (page - 1) * per_page;
  if (isCounted) {
    const { from, offset } =
      key === sorts.id && page > 1 ? await place(skipped, direction) : { offset: skipped };
    const isBehind = direction === 'ASC' ? '>=' : '<=';
    if (from !== undefined) rows.andWhere(`${key.by} ${isBehind} :from_id`, { from_id: from });
    rows.offset(offset);
  }
  const list = `${rows.expressionMap.mainAlias?.metadata.tableName}:${key.known ?? key.by}:${direction}`;
  const read = await readAfter(list, [key, sorts.id], query, (after, limit) => {
    rows.orderBy(key.by, direction);
    if (key !== sorts.id) rows.addOrderBy(sorts.id.by, direction);
    const beyond = direction === 'ASC' ? '>' : '<';
    if (after && key === sorts.id) rows.andWhere(`${key.by} ${beyond} :after_id`);
    else if (after)
      rows.andWhere(`(${key.by}, ${sorts.id.by}) ${beyond} (CAST(:after_value AS ${key.type}), :after_id)`);
    if (after) rows.setParameters({ after_value: after[0], after_id: after[1] });
    return isCounted && skipped >= total ? Promise.resolve([]) : readRows(rows.limit(limit));
  });
  if (window) return pageOfChanges(read, query, window, changed);
  return {
    rows: read.rows,
    meta: pageMeta(read, per_page, page, isCounted ? total : undefined),
  };
}

/** Of a page by number where it was `counted` how many there are in all. Rows may have come or gone before they were read. */
export function pageMeta(
  { rows, next_cursor }: ReadRows<unknown>,
  per_page: number,
  current_page: number,
  counted?: number,
): PageMeta {
  const meta = { per_page, next_cursor };
  if (counted === undefined) return meta;
  const seen = (current_page - 1) * per_page + rows.length;
  const isLast = next_cursor === null && rows.length > 0;
  const total = isLast ? seen : next_cursor ? Math.max(counted, seen + 1) : Math.min(counted, seen);
  return { current_page, total, last_page: Math.max(1, Math.ceil(total / per_page)), ...meta };
}

interface ReadRows<Row> {
  rows: Row[];
  next_cursor: string | null;
  /** Where the next page begins, if that is not after the last row. */
  passed?: Date;
}

/**
 * Reads the rows after a cursor, where there is one. `read` gets the position to begin after, and how many rows to
 * read: one more than asked for, which tells whether there is a next page.
 */
export async function readAfter<Row>(
  list: string,
  [key, id]: [key: SortKey<Row>, id: SortKey<Row>],
  { cursor, per_page = 50 }: Pick<ListQuery, 'cursor' | 'per_page'>,
  read: (after: Position | null, limit: number) => Promise<Row[]>,
): Promise<ReadRows<Row>> {
  const all = whole.current;
  if (all) {
    const rows = await read(all.after, BATCH);
    const last = rows.at(-1);
    all.isDone = rows.length < BATCH;
    if (last) all.after = [plain(key.of(last)), Number(id.of(last))];
    return { rows, next_cursor: null };
  }
  const after = cursor ? decodeCursor(list, cursor, [key.type, id.type]) : null;
  const rows = await read(after, per_page + 1);
  const hasMore = rows.length > per_page;
  if (hasMore) rows.pop(); // no copy: nobody would let go of what is in the other, see drain()
  const last = hasMore ? rows.at(-1) : undefined;
  const next_cursor = last ? encodeCursor(list, [plain(key.of(last)), Number(id.of(last))]) : null;
  return { rows, next_cursor };
}

const plain = (value: string | number | Date): string | number =>
  value instanceof Date ? value.toISOString() : value;

/** The page of a list that was asked with `updated_since`. */
export function pageOfChanges<Row extends { id?: number; deleted_at?: Date | null }>(
  { rows, next_cursor, passed }: ReadRows<Row>,
  { per_page = 50, include_deleted }: ListQuery,
  window: SyncWindow,
  changed: Changed<Row>,
): Page<Row> {
  const last = next_cursor === null ? undefined : rows.at(-1);
  const synced_until = syncedUntil(window, passed ?? (last ? changed.of(last) : null));
  const meta = { per_page, next_cursor, synced_until };
  const { until } = window;
  if (!include_deleted) return { rows, meta, until };
  return { ...splitDeleted(rows), meta, until };
}

/**
 * A page with its rows as they were read after it was chosen. Of changes, those are left out that were changed once more
 * meanwhile: they are told the next time, and a phone that goes on from the newest instant it has seen would pass over
 * what else was changed until then.
 */
export function withRows<Row extends { updated_at: Date }>(page: Page<unknown>, rows: Row[]): Page<Row> {
  const { until } = page;
  return { ...page, rows: until ? rows.filter(({ updated_at }) => updated_at < until) : rows };
}

const recordChanged = <Row>(alias: string): Changed<Row> => ({
  by: `${alias}.updated_at`,
  type: 'timestamptz',
  of: (row) => (row as { updated_at: Date }).updated_at,
});

/** Counts rows; TypeORM's getCount() would count distinct ids, although every join of the lists is to one row. */
async function count(rows: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const row = await rows.clone().select('count(*)', 'total').getRawOne<{ total: number }>();
  return row?.total ?? 0;
}

/** The answer of a list, which lets go of its rows. */
export function toPage<Row, Item>(
  page: Page<Row>,
  toItem: (row: Row) => Item,
): { data: Item[]; deleted?: Tombstone[]; meta: PageMeta } {
  const { rows, deleted, meta } = page;
  return { data: drain(rows, toItem), ...(deleted && { deleted }), meta };
}
