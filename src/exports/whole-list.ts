import { ColumnRows, whole } from '../contract/whole.js';
import type { Whole } from '../contract/whole.js';
import type { Snapshot } from '../database/snapshot.js';
import type { Cell, Column, Table } from './table.js';

/** What a list answers of some of its rows: by their columns, or as JSON. */
export type Answer = ColumnRows | { data: object[] };

type Row = Record<string, unknown>;

/** What the importer takes for a number with decimals; those of whole numbers need no more than their digits. */
const MONEY = /^(purchase_price|disposal_proceeds|declining_coefficient)$/;
const DATE = /(_date|_on)$/;

const WIDTH = 20;

/**
 * All of a list, a batch at a time, as of the instant of the snapshot.
 * @param fields of its items, for a list whose rows have no columns of their own
 */
export async function wholeList(
  title: string,
  snapshot: Snapshot,
  fields: string[],
  page: () => Promise<Answer>,
): Promise<Table> {
  const state: Whole = { after: null, isDone: false };
  const read = () => snapshot.within(() => whole.run(state, page));
  const first = await read();
  const [names, kinds] = first instanceof ColumnRows ? [first.columns, first.kinds] : [fields, {}];
  const columns = names.map((field): Column => {
    // One's own are named by people: their names tell nothing.
    const kind = kinds[field] ?? (field.startsWith('field.') ? 'text' : kindOf(field));
    return { field, title: field, kind, width: WIDTH };
  });
  async function* rows(): AsyncGenerator<Cell[][]> {
    yield cellsOf(first, fields);
    while (!state.isDone) yield cellsOf(await read(), fields);
  }
  return { title, columns, rows: rows() };
}

function kindOf(field: string): Column['kind'] {
  if (MONEY.test(field)) return 'money';
  return DATE.test(field) ? 'date' : 'text';
}

const cellsOf = (answer: Answer, fields: string[]): Cell[][] =>
  answer instanceof ColumnRows
    ? answer.data.map((row) => row.map(cellOf))
    : answer.data.map((item) => fields.map((field) => cellOf((item as Row)[field])));

/** Of what an item shows of another row, its name. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => String(cellOf(item) ?? '')).join(', ');
  if (typeof value === 'object' && typeof (value as Row).name === 'string')
    return (value as Row).name as string;
  return JSON.stringify(value);
}
