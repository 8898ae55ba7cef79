import { DELIMITERS } from '../contract/delimiter.js';
import type { Delimiter } from '../contract/delimiter.js';
import type { Cell, Table } from './table.js';

/** With it Excel takes the file for UTF-8. */
const BOM = '\ufeff';

/** What a spreadsheet would run as a formula, and what is written of it here: the importer takes one apostrophe away. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * As RFC 4180 has it, but rows may be wider or narrower than the header; a text that a spreadsheet would run begins with
 * an apostrophe instead. Where semicolons separate, amounts have a decimal comma, as spreadsheets have it in France, and
 * the importer too.
 */
export async function* csvOf({ columns, rows }: Table, delimiter: Delimiter = ','): AsyncGenerator<string> {
  // Of a file with one column nobody could tell what separates.
  const separators = columns.length === 1 ? DELIMITERS.join('') : delimiter;
  const toBeQuoted = new RegExp(`["\\r\\n${separators}]`);
  const lineOf = (fields: string[]): string => `${fields.join(delimiter)}\r\n`;
  const textOf = (cell: string): string => {
    const text = FORMULA.test(cell) ? `'${cell}` : cell;
    return toBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const valueOf = (cell: Cell): string => {
    if (typeof cell === 'string') return textOf(cell);
    return cell === null ? '' : String(cell);
  };
  const moneyOf = (cell: Cell): string => {
    if (typeof cell !== 'number') return valueOf(cell);
    return delimiter === ';' ? cell.toFixed(2).replace('.', ',') : cell.toFixed(2);
  };
  // Three decimals would be read as thousands.
  const decimalOf = (cell: Cell): string => {
    if (typeof cell !== 'number') return valueOf(cell);
    const text = String(cell).replace(/\.\d{3}$/, (decimals) => `${decimals}0`);
    return delimiter === ';' ? text.replace('.', ',') : text;
  };
  const write = columns.map(({ kind }) => {
    if (kind === 'money') return moneyOf;
    return kind === 'decimal' ? decimalOf : valueOf;
  });
  yield BOM + lineOf(columns.map(({ field }) => textOf(field)));
  for await (const batch of rows)
    yield batch.map((row) => lineOf(row.map((cell, at) => (write[at] ?? valueOf)(cell)))).join('');
}
