import type { JsonRow } from '../database/json-row.js';
import { JsonPage } from '../http/json-page.js';
import type { SortType } from './cursor.js';
import type { ListQuery } from './list-query.js';
import { pageMeta, readAfter } from './pagination.js';
import type { SortKey } from './pagination.js';
import { whole } from './whole.js';

/** The most rows of a page, and those of one that is not told how many. */
const SIZES = [200, 50, undefined];

/**
 * Whether a list is asked for as those do who read all of it: first its first page, and then by its cursors, in the order of
 * its ids, without filters. Such a page is one statement, of which connections keep the plan, since its text is one of a
 * few: a tenth to three tenths less CPU. To plan it anew each time would take longer than to choose ids first and then
 * read what is shown of them, as other pages do (bench/PROFILES.md).
 */
export const isWalk = (query: ListQuery): boolean =>
  (query.page === undefined || (query.page === 1 && query.cursor === undefined)) &&
  SIZES.includes(query.per_page) &&
  Object.keys(query).every((name) => ['page', 'cursor', 'per_page', 'sort'].includes(name)) &&
  /^-?id$/.test(query.sort ?? 'id') &&
  !whole.current;

/** What somebody walks by: as in the cursors of `paginate`, so that its pages go on behind those of a walk, and they behind its. */
export interface Path {
  table: string;
  id: string;
  type: SortType;
  /** $1 and so on in what chooses the rows. */
  values?: unknown[];
  /** How many there are in all. */
  counted: () => Promise<number>;
}

/** For the statement of one page. */
export interface Step {
  name: string;
  values: unknown[];
  /** Behind the conditions of what chooses the rows. */
  end: string;
  /** A table of their ids and their ranks, given what chooses them: `purchases purchase WHERE …`. */
  ids: (rows: string) => string;
}

/**
 * A page of a walk; of the first one, where no cursor asks for it, with how many there are.
 * @throws DomainError validation-failed for a cursor that is not of this list and order
 */
export async function walk(
  { table, id, type, values = [], counted }: Path,
  { sort = 'id', per_page = 50, cursor }: ListQuery,
  read: (step: Step) => Promise<JsonRow[]>,
): Promise<JsonPage> {
  const [direction, beyond, rank] = sort === 'id' ? ['ASC', '>', id] : ['DESC', '<', `-${id}`];
  const list = `${table}:${id}:${direction}`;
  const key: SortKey<JsonRow> = { by: id, type, of: (row) => row.id };
  const total = cursor === undefined ? await counted() : undefined;
  const page = await readAfter(list, [key, key], { cursor, per_page }, (after, limit) => {
    if (total === 0) return Promise.resolve([]); // what has come since then would not be counted
    const behind = after ? `AND ${id} ${beyond} $${values.length + 1}` : '';
    // The limit as it is: of one that it does not know, PostgreSQL expects a tenth of all rows.
    const end = `${behind} ORDER BY ${id} ${direction} LIMIT ${limit}`;
    return read({
      name: `${list}:${limit}${after ? ':after' : ''}`,
      values: after ? [...values, after[1]] : values,
      end,
      ids: (chosen) => `(SELECT ${id}, ${rank} FROM ${chosen} ${end})`,
    });
  });
  return new JsonPage(page.rows, pageMeta(page, per_page, 1, total));
}
