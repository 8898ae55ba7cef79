import { createHash } from 'node:crypto';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { isCalendarDate, parseInstant } from './dates.js';
import { invalid } from './errors.js';
import { ChoiceField, MAX_ID, TextField } from './fields.js';
import { IntegerParam } from './params.js';
import { say } from './messages.js';

/** A cursor holds a value of the sort: the longest is a name of 255 characters that JSON escapes, in base64. */
const MAX_CURSOR = 2200;

/** The part of a list's query that is the same for all lists. */
export class ListQuery {
  @IntegerParam({ min: 1, max: 200, default: 50, description: 'How many rows a page holds.' })
  per_page?: number;

  @IntegerParam({
    min: 1,
    max: 1_000_000,
    description: 'Page to read, from 1. Not together with `cursor`.',
  })
  page?: number;

  @TextField({
    optional: true,
    min: 0,
    max: MAX_CURSOR,
    description:
      'Cursor mode: empty to begin, then the `next_cursor` of the answer before. Costs the same on every page.',
  })
  cursor?: string;

  sort?: string;
}

export function SortParam(...fields: string[]): PropertyDecorator {
  return ChoiceField({
    optional: true,
    of: fields.flatMap((field) => [field, `-${field}`]),
    default: 'id',
    description: 'Order; a minus sign in front means descending. `id` breaks ties.',
  });
}

export function SearchParam(what: string): PropertyDecorator {
  return TextField({
    optional: true,
    min: 0,
    max: 255,
    description: `Matches anywhere in ${what}, whatever the case and the accents.`,
  });
}

type SortType = 'integer' | 'bigint' | 'text' | 'date' | 'timestamptz' | 'numeric';

/** How a list sorts by a field: an SQL expression that is never null, its type, and its value in a row read. */
export interface SortKey<Row> {
  by: string;
  type: SortType;
  of: (row: Row) => string | number | Date;
}

/** `id` is unique in the list and breaks the ties of all others. */
export type Sorts<Row> = { id: SortKey<Row> } & Record<string, SortKey<Row>>;

export interface PageMeta {
  current_page?: number;
  per_page: number;
  total?: number;
  last_page?: number;
  next_cursor: string | null;
}

export interface Page<Row> {
  rows: Row[];
  meta: PageMeta;
}

/**
 * Reads one page of `rows`: by number with a count, or after a cursor (keyset, no count). `counted` tells the count
 * where it is known without counting.
 * @throws DomainError validation-failed for a cursor that is not of this list and order, or comes with a page
 */
export async function paginate<Row extends ObjectLiteral>(
  rows: SelectQueryBuilder<Row>,
  query: ListQuery,
  sorts: Sorts<Row>,
  counted: () => Promise<number> = () => count(rows),
): Promise<Page<Row>> {
  const { per_page = 50, sort = 'id', cursor } = query;
  const field = sort.replace('-', '');
  const key = sorts[field];
  if (!key) throw new Error(`No sort key ${field}`);
  if (cursor !== undefined && query.page !== undefined) throw invalid({ cursor: [say('cursor_and_page')] });
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const list = `${rows.expressionMap.mainAlias?.metadata.tableName}:${key.by}:${direction}`;
  const after = cursor ? decodeCursor(list, cursor, [key.type, sorts.id.type]) : null;
  const page = query.page ?? 1;
  const total = cursor === undefined ? await counted() : null;

  rows.orderBy(key.by, direction);
  if (key !== sorts.id) rows.addOrderBy(sorts.id.by, direction);
  if (after) {
    const beyond = direction === 'ASC' ? '>' : '<';
    if (key === sorts.id) rows.andWhere(`${key.by} ${beyond} :after_id`);
    else
      rows.andWhere(`(${key.by}, ${sorts.id.by}) ${beyond} (CAST(:after_value AS ${key.type}), :after_id)`);
    rows.setParameters({ after_value: after[0], after_id: after[1] });
  }
  // One row more than asked for tells whether there is a next page.
  if (cursor === undefined) rows.offset((page - 1) * per_page);
  const found = await rows.limit(per_page + 1).getMany();
  const data = found.slice(0, per_page);
  const last = found.length > per_page ? data.at(-1) : undefined;
  const next_cursor = last ? encodeCursor(list, [plain(key.of(last)), Number(sorts.id.of(last))]) : null;
  return {
    rows: data,
    meta:
      total === null
        ? { per_page, next_cursor }
        : {
            current_page: page,
            per_page,
            total,
            last_page: Math.max(1, Math.ceil(total / per_page)),
            next_cursor,
          },
  };
}

/** Counts rows; TypeORM's getCount() would count distinct ids, although every join of the lists is to one row. */
async function count(rows: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const row = await rows.clone().select('count(*)', 'total').getRawOne<{ total: number }>();
  return row?.total ?? 0;
}

type Position = [value: string | number, id: number];

const plain = (value: string | number | Date): string | number =>
  value instanceof Date ? value.toISOString() : value;

// The sum tells a damaged cursor, and one of another list or order. It needs no secret: a cursor grants nothing,
// it only names a place in a list that its bearer may read anyway.
const sumOf = (list: string, position: string): string =>
  createHash('sha256').update(`${list}|${position}`).digest('base64url').slice(0, 12);

export function encodeCursor(list: string, position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(sumOf(list, text) + text).toString('base64url');
}

// Whoever knows the sum can write a cursor too, so what it holds must be something that its column compares with.
const fits: Record<SortType, (value: unknown) => boolean> = {
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_ID,
  bigint: Number.isSafeInteger,
  numeric: Number.isFinite,
  text: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
  date: (value) => value === '-infinity' || isCalendarDate(value),
  timestamptz: (value) => typeof value === 'string' && parseInstant(value)?.toISOString() === value,
};

/** @throws DomainError validation-failed when it was not made for this list with values of these types */
export function decodeCursor(list: string, cursor: string, types: [SortType, SortType]): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.slice(12);
  const isCanonical = Buffer.from(text).toString('base64url') === cursor;
  if (isCanonical && text.slice(0, 12) === sumOf(list, position)) {
    const values = parsed(position);
    if (Array.isArray(values) && types.every((type, at) => fits[type](values[at]))) return values as Position;
  }
  throw invalid({ cursor: [say('cursor')] });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The answer of a list. */
export function toPage<Row, Item>(
  page: Page<Row>,
  toItem: (row: Row) => Item,
): { data: Item[]; meta: PageMeta } {
  return { data: page.rows.map(toItem), meta: page.meta };
}
