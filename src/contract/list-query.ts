import { ChoiceField, TextField } from './fields.js';
import { FileQuery } from './file-query.js';
import { BooleanParam, InstantParam, IntegerParam } from './params.js';

/** A cursor holds a value of the sort: the longest is a name of 255 characters that JSON escapes, in base64. */
const MAX_CURSOR = 2200;

export const PerPageParam = (): PropertyDecorator =>
  IntegerParam({ min: 1, max: 200, default: 50, description: 'How many rows a page holds.' });

export const CursorParam = (): PropertyDecorator =>
  TextField({
    optional: true,
    min: 0,
    max: MAX_CURSOR,
    pattern: '^[A-Za-z0-9_-]*$', // base64url
    description:
      'Cursor mode: empty to begin, then the `next_cursor` of the answer before. Costs the same on every page.',
  });

/** Of a list whose rows do not tell when they have changed. */
export class PagesQuery extends FileQuery {
  @PerPageParam()
  per_page?: number;

  @IntegerParam({
    min: 1,
    max: 1_000_000,
    description: 'Page to read, from 1. Not together with `cursor`.',
  })
  page?: number;

  @CursorParam()
  cursor?: string;
}

/** The part of a list's query that is the same for all others. */
export class ListQuery extends PagesQuery {
  @InstantParam({
    description:
      'Only what was created or changed at this instant or later, oldest change first, in cursor mode: the `synced_until` of the answer before. A row counts as changed when a field of its own is; what it shows of other rows comes with their lists. Not together with `page`, `sort` or a filter, since what no longer fits a filter would never be told.',
  })
  updated_since?: string;

  @BooleanParam({
    description: 'With `updated_since`: `deleted` says which rows of the list were deleted since.',
  })
  include_deleted?: boolean;

  sort?: string;

  /** Of those lists that say so. */
  deleted?: boolean;
}

/** Of a list whose rows are deleted by a mark; its route says who may ask, see Access. */
export const DeletedParam = (): PropertyDecorator =>
  BooleanParam({
    description:
      'Only what was deleted, for who may delete, else 403; `updated_at` tells when, and `restore` takes it back.',
  });

export const SortParam = (...fields: string[]): PropertyDecorator => OrderParam('`id`', ...fields);

/** Of a list that has an order of its own where none is asked for. */
export function OrderParam(unasked: string, ...fields: string[]): PropertyDecorator {
  return ChoiceField({
    optional: true,
    of: fields.flatMap((field) => [field, `-${field}`]),
    names: fields.flatMap((field) => [field.toUpperCase(), `${field.toUpperCase()}_DESC`]),
    // Not as the `default` of the document, which Swagger UI would send along with updated_since.
    description: `Order, ${unasked} unless told otherwise; a minus sign in front means descending. \`id\` breaks ties.`,
  });
}

export function SearchParam(what: string, more = ''): PropertyDecorator {
  return TextField({
    optional: true,
    min: 0,
    max: 255,
    description: `Matches anywhere in ${what}, whatever the case and the accents.${more}`,
  });
}
