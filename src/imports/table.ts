import { say } from '../common/messages.js';
import { importMessages } from './imports.messages.js';
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
  /** Whether numbers that are days count from 1904, as those of a workbook of an old Mac do. */
  isFrom1904?: boolean;
  /** What is below the header, in the order of the file; each call begins anew. */
  batches: () => AsyncGenerator<Batch>;
}

/** Whether a text is the name of a column that is known. */
export type IsName = (text: string) => boolean;

/** How far down the header is looked for: people set titles above it. */
export const OPENING_ROWS = 20;
/** As many as Excel has. */
const MAX_COLUMNS = 16_384;

/**
 * The place of the header among the first rows: the first with a text, unless one names more columns, and two at least.
 * @throws ForeignFileError for a table of more columns than a spreadsheet has
 */
export function headerAt(rows: string[][], isName: IsName): number {
  if (rows.some((cells) => cells.length > MAX_COLUMNS))
    throw new ForeignFileError(say(importMessages.too_wide, MAX_COLUMNS));
  const named = rows.slice(0, OPENING_ROWS).map((cells) => cells.filter(isName).length);
  const most = Math.max(...named);
  if (most > 1) return named.indexOf(most);
  return Math.max(
    0,
    rows.findIndex((cells) => cells.some((text) => text.trim() !== '')),
  );
}

/** A file that is no table as a whole; the message says what it is. */
export class ForeignFileError extends Error {}

/** What the exports set before a text that a spreadsheet would run as a formula. */
const HARMLESS = /^'(?='*[=+\-@\t\r])/;

export const withoutApostrophe = (text: string): string => text.replace(HARMLESS, '');

/** The text of a cell as it is meant. */
export const textOf = (cell: Cell | undefined): string =>
  cell === undefined ? '' : typeof cell === 'number' ? String(cell) : withoutApostrophe(cell).trim();
