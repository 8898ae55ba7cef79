import { say } from '../common/messages.js';
import type { Message } from '../common/messages.js';
import { importMessages } from './imports.messages.js';
import type { LineError } from './lines.js';
import type { Column } from './names.js';
import { TwoWays, readAmount, readPlain } from './numbers.js';
import type { Value } from './numbers.js';
import type { OwnColumns } from './own-columns.js';
import type { ImportOptions } from './options.js';
import { textOf } from './table.js';
import type { Cell, Table } from './table.js';
import { DAYS_TO_1904, readDay, readSerial } from './written-dates.js';

/** What a cell of a column says; its text where it says nothing so, and then the field tells what it must be. */
type Reading = (cell: Cell) => { value: unknown; doubt?: string };

/** How the columns of a file are read, by their place; the others are texts. */
export interface Survey {
  readings: Map<number, Reading>;
  errors: LineError[];
  /** How many rows there are. */
  rows: number;
}

const plain: Reading = (cell) => {
  const text = textOf(cell);
  return { value: typeof cell === 'number' ? cell : (readPlain(text) ?? text) };
};

const truth =
  (yes: RegExp, no: RegExp): Reading =>
  (cell) => {
    const text = textOf(cell);
    if (yes.test(text)) return { value: true };
    return { value: no.test(text) ? false : text };
  };

/** Spreadsheets write TRUE, or VRAI. */
const flag = truth(/^(true|vrai|1)$/i, /^(false|faux|0)$/i);

/** In columns of their own people write yes, or oui. */
const answer = truth(/^(true|vrai|yes|oui|1)$/i, /^(false|faux|no|non|0)$/i);

/** Columns whose rows decide how they are read. */
interface Sort {
  read: (text: string, way: 0 | 1) => Value | undefined;
  /** Of a cell that is a number already. */
  typed: (cell: number) => Value | undefined;
  /** Which way was asked for. */
  asked: 0 | 1 | undefined;
  /** Of a column that may be read in two ways, and of one whose rows are written in both. */
  unclear: Message;
  mixed?: Message;
  shown: (value: Value) => string;
}

const amounts = (asked: ImportOptions['decimal'] = 'auto'): Sort => ({
  read: (text, way) => readAmount(text, way === 0 ? 'point' : 'comma'),
  typed: (cell) => Number(cell.toPrecision(15)),
  asked: asked === 'auto' ? undefined : asked === 'point' ? 0 : 1,
  unclear: importMessages.two_amounts,
  shown: (value) => (Number.isInteger(value) ? Number(value).toFixed(2) : String(value)),
});

const days = (asked: ImportOptions['dates'] = 'auto', { isFrom1904 }: Table): Sort => ({
  read: (text, way) =>
    asked === 'iso' && !/^\d{4}/.test(text) ? undefined : readDay(text, way === 0 ? 'dmy' : 'mdy'),
  typed: (cell) => readSerial(isFrom1904 ? cell + DAYS_TO_1904 : cell),
  asked: asked === 'dmy' ? 0 : asked === 'mdy' ? 1 : undefined,
  unclear: importMessages.two_days,
  mixed: importMessages.mixed_days,
  shown: String,
});

const plainFields: Record<string, Reading> = {
  is_active: flag,
  duration_years: plain,
  declining_coefficient: plain,
};

const AMOUNTS = new Set(['purchase_price', 'disposal_proceeds']);
const DAYS = new Set([
  'purchase_date',
  'disposal_date',
  'warranty_end_date',
  'in_service_date',
  'commissioned_on',
]);

/** A text without marks of direction, as browsers and chats copy them along: of days and amounts they say nothing. */
const written = (cell: Cell): string =>
  textOf(cell)
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();

/** Reads all of a file once, since each column is read as all of its rows allow. */
export async function survey(
  table: Table,
  columns: Column[],
  own: OwnColumns['columns'],
  { decimal, dates }: ImportOptions,
): Promise<Survey> {
  const sorts = new Map<number, Sort & { ways: TwoWays }>();
  const readings = new Map<number, Reading>();
  for (const [at, { field }] of columns.entries()) {
    const type = field && own.get(field)?.type;
    const isAmount = (field !== null && AMOUNTS.has(field)) || type === 'number';
    const isDay = type === 'date' || (field !== null && DAYS.has(field));
    const sort = isAmount ? amounts(decimal) : isDay ? days(dates, table) : null;
    if (sort) sorts.set(at, { ...sort, ways: new TwoWays(sort.read) });
    else if (type === 'boolean') readings.set(at, answer);
    else if (field && plainFields[field]) readings.set(at, plainFields[field]);
  }
  const undecided = [...sorts].filter(([, { asked }]) => asked === undefined);
  let count = 0;
  for await (const { rows } of table.batches()) {
    count += rows.length;
    for (const { line, cells } of rows) {
      for (const [at, { ways }] of undecided) {
        const cell = cells[at];
        if (typeof cell === 'string' && cell !== '') ways.add(written(cell), line);
      }
    }
  }
  const errors = undecided.flatMap(([at, sort]) => problemOf(columns[at]!.name, sort));
  for (const [at, sort] of sorts) readings.set(at, readingOf(sort));
  return { readings, errors, rows: count };
}

function problemOf(field: string, { ways, unclear, mixed, shown }: Sort & { ways: TwoWays }): LineError[] {
  const { doubt, only } = ways;
  if (doubt) {
    const { line, text, readings } = doubt;
    const [one, other] = [shown(readings[0]), shown(readings[1])];
    return [{ line, field, value: text, message: say(unclear, text, one, other) }];
  }
  const [one, other] = only;
  if (!mixed || !one || !other) return [];
  const message = say(mixed, one.text, one.line, other.text, other.line);
  return [
    {
      line: Math.max(one.line, other.line),
      field,
      value: (one.line > other.line ? one : other).text,
      message,
    },
  ];
}

function readingOf({ ways, typed, read, asked, shown }: Sort & { ways: TwoWays }): Reading {
  const way = asked ?? ways.way;
  return (cell) => {
    if (typeof cell === 'number') return { value: typed(cell) ?? String(cell) };
    const text = written(cell);
    if (way !== 'each') return { value: read(text, way) ?? text };
    const [one, other] = [read(text, 0), read(text, 1)];
    if (one === undefined || other === undefined || one === other) return { value: one ?? other ?? text };
    return { value: one, doubt: say(importMessages.two_readings, shown(one), shown(other)) };
  };
}
