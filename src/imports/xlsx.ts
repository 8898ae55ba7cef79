import { readSheet } from 'read-excel-file/node';
import yazl from 'yazl';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { importMessages } from './imports.messages.js';
import { ForeignFileError } from './table.js';
import type { Batch, Cell, Row, Table } from './table.js';
import { WORKBOOK, partsOf } from './workbook-parts.js';
import { sheetOf } from './workbook-sheets.js';
import { DAY_MS, EXCEL_EPOCH } from './written-dates.js';

const ROWS_AT_ONCE = 500;
/** Those before are one off: Excel takes 1900 for a leap year. */
const FIRST_DAY = new Date('1900-03-01');
const BEHIND_LAST_DAY = new Date('+010000-01-01');

/**
 * The table in a sheet of an Excel workbook: the first one that is not hidden, or that of a name. Its cells are numbers where they are
 * there, days YYYY-MM-DD, and texts; of a formula what it gave.
 * @throws ForeignFileError
 */
export async function openXlsx(workbook: Buffer, sheet?: string): Promise<Table> {
  const parts = await partsOf(workbook);
  const data = await read(parts, sheetOf(parts.get(WORKBOOK)!, sheet));
  const rows = data.map((cells, at): Row => ({ line: at + 1, cells: cells.map(cellOf) }));
  const header = rows.findIndex(({ cells }) => cells.some((cell) => cell !== ''));
  const width = Math.max(0, (rows[header]?.cells.findLastIndex((cell) => cell !== '') ?? -1) + 1);
  const errors = header < 0 ? [{ line: 1, field: 'header', message: say(contractMessages.required) }] : [];
  const { line = 1, cells = [] } = rows[header] ?? {};
  const below = rows.slice(header + 1);
  return {
    header: { line, cells: cells.slice(0, width).map(String) },
    errors,
    batches: () => inBatches(below, width),
  };
}

/** A piece at a time, so that others are answered meanwhile. */
async function read(parts: Map<string, Buffer>, sheet: number | string): Promise<unknown[][]> {
  // Packed anew, so that it reads what was measured, and nothing else that the archive may hold.
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name, { compress: false });
  zip.end();
  try {
    return await readSheet(zip.outputStream as never, sheet, { trim: false });
  } catch (error) {
    const { name } = error as Error;
    throw new ForeignFileError(
      name === 'SheetNotFoundError' ? say(importMessages.no_sheet, sheet) : say(importMessages.file_damaged),
    );
  }
}

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return dayOf(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

/** What stands there where it is no day that Excel shows right, such as the 0 that a formula makes of an empty cell. */
function dayOf(day: Date): Cell {
  if (day >= FIRST_DAY && day < BEHIND_LAST_DAY) return day.toISOString().slice(0, 10);
  const serial = (day.getTime() - EXCEL_EPOCH) / DAY_MS;
  return Number.isNaN(serial) ? '#NUM!' : serial;
}

/** Each row as wide as the header: empty cells at its end are not in the file. */
// eslint-disable-next-line @typescript-eslint/require-await -- as any file comes
async function* inBatches(rows: Row[], width: number): AsyncGenerator<Batch> {
  const filled = ({ line, cells }: Row): Row => {
    const missing = Array.from<Cell>({ length: Math.max(0, width - cells.length) }).fill('');
    return { line, cells: [...cells, ...missing] };
  };
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    yield { rows: rows.slice(at, at + ROWS_AT_ONCE).map(filled), errors: [] };
}
