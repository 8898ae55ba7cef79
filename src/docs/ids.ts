import { MAX_ID } from '../contract/fields.js';
import { KINDS } from '../imports/imports.dto.js';

/** Of the demo organisation: the first of its open session. */
export const SCAN_ID = 3748;

/**
 * Of the demo organisation: the article of purchase 1, a supplier with every field, the open session of everything; a
 * closed one with things that it did not expect, a closed one that may be opened again, one that was; what was disposed of,
 * what may be, and a closed session that missed something.
 */
const EXAMPLE_IDS = [
  ['/articles/', 13],
  ['/dispose/undo', 8],
  ['/dispose-missing', 1],
  ['/dispose', 1595],
  ['/unexpected', 4],
  ['/{id}/reopen', 2],
  ['/late-scans', 5],
  ['/inventories/', 3],
  ['/locations/', 5],
  ['/suppliers/', 4],
] as const;
/**
 * What no other example needs: a purchase, a supplier without purchases, the second login. Every article, brand,
 * category and session of the demo organisation is in use, so of these what the examples of POST make.
 */
const DELETED_IDS = [
  ['/amortization-categories/', 13],
  ['/articles/', 301],
  ['/attachments/', 2],
  ['/brands/', 41],
  ['/categories/', 26],
  ['/fields/', 3],
  ['/inventories/', 6],
  ['/locations/', 18],
  ['/me/tokens/', 2],
  ['/purchases/', 2],
  ['/suppliers/', 43],
  ['/webhooks/', 2],
] as const;

const LONG_ID = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const ID = { type: 'integer', minimum: 1, maximum: MAX_ID };

/** What else is named in a path: of each decision another row that waits for it, or may be taken back. */
const OTHERS: Record<
  string,
  { row: string; schema: object; examples: readonly (readonly [string, number])[] }
> = {
  scan_id: { row: 'scan', schema: LONG_ID, examples: [['/scans/', SCAN_ID]] },
  purchase_id: {
    row: 'purchase',
    schema: ID,
    examples: [
      ['/move', 225],
      ['/ignore', 258],
    ],
  },
  uid: {
    row: 'unknown code',
    schema: LONG_ID,
    examples: [
      ['/link', 7],
      ['/dismiss', 8],
      ['/reopen', 9],
    ],
  },
  late_id: {
    row: 'late scan',
    schema: LONG_ID,
    examples: [
      ['/accept', 5],
      ['/refuse', 6],
    ],
  },
  delivery_id: { row: 'delivery', schema: LONG_ID, examples: [['/resend', 2]] },
};

/** What the document says of an id in the path of a route; nothing of what is no id. */
export function idInPath(method: string, path: string, name: string): object {
  const of = (examples: readonly (readonly [string, number])[]): number =>
    examples.find(([part]) => path.includes(part))?.[1] ?? 1;
  if (method === 'post' && path.endsWith('/imports/{id}'))
    return {
      description: 'What the file holds.',
      schema: {
        type: 'string',
        enum: KINDS,
        'x-enum-varnames': KINDS.map((kind) => kind.toUpperCase().replace('-', '_')),
      },
      example: 'brands',
    };
  // The session of a scan that is deleted stays.
  const isDeleted = method === 'delete' && path.endsWith('{id}');
  if (name === 'id')
    return { description: 'Id of the row.', schema: ID, example: of(isDeleted ? DELETED_IDS : EXAMPLE_IDS) };
  const other = OTHERS[name];
  return other
    ? { description: `Id of the ${other.row}.`, schema: other.schema, example: of(other.examples) }
    : {};
}
