import type { Cell, Table } from './table.js';

/** With it Excel takes the file for UTF-8. */
const BOM = '\ufeff';
/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const TO_BE_QUOTED = /[",\r\n]/;

/** As RFC 4180 has it; a text that a spreadsheet would run begins with an apostrophe instead. */
export async function* csvOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield BOM + lineOf(columns.map(({ field }) => field));
  const write = columns.map(({ kind }) => (kind === 'money' ? moneyOf : valueOf));
  for await (const batch of rows)
    yield batch.map((row) => lineOf(row.map((cell, at) => write[at]!(cell)))).join('');
}

const lineOf = (fields: string[]): string => `${fields.join(',')}\r\n`;

const moneyOf = (cell: Cell): string => (typeof cell === 'number' ? cell.toFixed(2) : valueOf(cell));

function valueOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell;
  return TO_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
