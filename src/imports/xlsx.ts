import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { readSheet } from 'read-excel-file/node';
import yazl from 'yazl';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { importMessages } from './imports.messages.js';
import { ForeignFileError, OPENING_ROWS, headerAt } from './table.js';
import type { Batch, Cell, IsName, Row, Table } from './table.js';
import { refused } from './workbook-cells.js';
import { RELATIONS, WORKBOOK, partsOf } from './workbook-parts.js';
import { countingFrom1904, sheetOf } from './workbook-sheets.js';
import { withZeros } from './workbook-zeros.js';
import { DAY_MS, EXCEL_EPOCH } from './written-dates.js';

const ROWS_AT_ONCE = 500;
/** Of all texts together, and of those that are handed on at a time: cells may share one of megabytes. */
const MAX_CHARACTERS = 128 * 1_048_576;
const CHARACTERS_AT_ONCE = 2 * 1_048_576;
/** Those before are one off: Excel takes 1900 for a leap year. */
const FIRST_DAY = new Date('1900-03-01');
const BEHIND_LAST_DAY = new Date('+010000-01-01');

/**
 * The table in a sheet of an Excel workbook: the first one that is not hidden, or that of a name. Its cells are numbers
 * where they are there, days YYYY-MM-DD, and texts; of a formula what it gave.
 * @throws ForeignFileError
 */
export async function openXlsx(
  workbook: Buffer,
  sheet?: string,
  isName: IsName = () => false,
): Promise<Table> {
  const parts = await withZeros(await partsOf(workbook));
  const from1904 = countingFrom1904(parts.get(WORKBOOK)!);
  if (from1904) parts.set(WORKBOOK, from1904);
  const data = await read(parts, sheetOf(parts.get(WORKBOOK)!, parts.get(RELATIONS), sheet));
  const first = data.findIndex((cells) => cells.some((cell) => cellOf(cell) !== ''));
  const opening = data.slice(Math.max(first, 0)).slice(0, OPENING_ROWS);
  const at = first + headerAt(opening.map(textsOf), isName);
  const named = textsOf(data[at] ?? []);
  if (lengthOf(named) > CHARACTERS_AT_ONCE) throw refused(importMessages.file_bomb);
  // A copy: each of its texts, as part of the whole sheet, would keep that in memory.
  const header = structuredClone(named);
  const width = header.findLastIndex((cell) => cell !== '') + 1;
  const errors = at < 0 ? [{ line: 1, field: 'header', message: say(contractMessages.required) }] : [];
  const below = await packed(data, at + 1, width);
  return {
    header: { line: Math.max(at, 0) + 1, cells: header.slice(0, width) },
    errors,
    isFrom1904: from1904 !== null,
    batches: () => unpacked(below),
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

const textsOf = (cells: unknown[]): string[] => cells.map((cell) => String(cellOf(cell)));

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

/**
 * The rows from there on, each as wide as the header at least: empty cells at its end are not in the file. They are read
 * twice, and take a tenth of the memory in between as bytes. Others have their turn meanwhile.
 */
async function packed(data: unknown[][], from: number, width: number): Promise<Buffer[]> {
  const batches: Buffer[] = [];
  let left = MAX_CHARACTERS;
  let [rows, characters]: [Row[], number] = [[], 0];
  for (let at = from; at < data.length; at++) {
    const values = data[at]!;
    const cells = Array.from({ length: Math.max(width, values.length) }, (_, n) => cellOf(values[n]));
    const length = lengthOf(cells);
    left -= length;
    if (left < 0) throw refused(importMessages.file_bomb);
    rows.push({ line: at + 1, cells });
    characters += length;
    const isLast = at === data.length - 1;
    if (rows.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE && !isLast) continue;
    batches.push(serialize(rows));
    [rows, characters] = [[], 0];
    await setImmediate();
  }
  return batches;
}

const lengthOf = (cells: Cell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);

// eslint-disable-next-line @typescript-eslint/require-await -- as any file comes
async function* unpacked(batches: Buffer[]): AsyncGenerator<Batch> {
  for (const batch of batches) yield { rows: deserialize(batch) as Row[], errors: [] };
}
