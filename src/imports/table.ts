import type { LineError } from './lines.js';

/** A number where a workbook holds one; else the text as it stands there. */
export type Cell = string | number;

/** A row with the line that it starts on: with line breaks inside quotes the two are counted apart. */
export interface Row {
  line: number;
  cells: Cell[];
}

/** Some rows of a file: those that can be read, and what is wrong with the others. */
export interface Batch {
  rows: Row[];
  errors: LineError[];
}

/** A table that somebody brings, of any size. */
export interface Table {
  /** Without cells where it cannot be read; `errors` says why. */
  header: { line: number; cells: string[] };
  errors: LineError[];
  /** The rest of the file, in its order; each call begins anew. */
  batches: () => AsyncGenerator<Batch>;
}

/** A file that is no table as a whole; the message says what it is. */
export class ForeignFileError extends Error {}

/** What the exports set before a text that a spreadsheet would run as a formula. */
const HARMLESS = /^'(?='*[=+\-@\t\r])/;

/** The text of a cell as it is meant. */
export const textOf = (cell: Cell | undefined): string =>
  cell === undefined ? '' : typeof cell === 'number' ? String(cell) : cell.replace(HARMLESS, '').trim();

/** PostgreSQL holds neither NUL nor half a character. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
