import { say } from '../common/messages.js';
import { openCsv } from './csv.js';
import type { Source } from './encoding.js';
import { isZip } from './formats.js';
import { importMessages } from './imports.messages.js';
import type { ImportOptions } from './options.js';
import { isThing } from './presets.js';
import { ForeignFileError } from './table.js';
import type { IsName, Row, Table } from './table.js';

/** Packed: some millions of cells. */
const MAX_WORKBOOK = 64 * 1_048_576;

/**
 * The table in a file, whatever program wrote it.
 * @throws ForeignFileError where there is none in it
 */
export async function openTable(source: Source, options: ImportOptions, isName?: IsName): Promise<Table> {
  const table = (await isWorkbook(source))
    ? await (await import('./xlsx.js')).openXlsx(await all(source), options.sheet, isName)
    : await openCsv(source, options, isName);
  return { ...table, batches: () => onlyThings(table, isThing(options, table.header.cells)) };
}

async function isWorkbook(source: Source): Promise<boolean> {
  for await (const chunk of source()) return isZip(chunk);
  return false;
}

/** A workbook is read from its end, where its directory is. */
async function all(source: Source): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source()) {
    length += chunk.length;
    if (length > MAX_WORKBOOK) throw new ForeignFileError(say(importMessages.file_bomb));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Spreadsheets write separators alone for a row with nothing in it, and people blanks. */
const isBlank = ({ cells }: Row, width: number): boolean =>
  Math.max(width, cells.length) > 1 && cells.every((cell) => typeof cell === 'string' && cell.trim() === '');

async function* onlyThings(table: Table, is: (row: Row) => boolean): ReturnType<Table['batches']> {
  for await (const { rows, errors } of table.batches())
    yield { rows: rows.filter((row) => !isBlank(row, table.header.cells.length) && is(row)), errors };
}
