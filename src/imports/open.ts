import { openCsv } from './csv.js';
import type { Source } from './encoding.js';
import type { ImportOptions } from './options.js';
import type { Row, Table } from './table.js';

/**
 * The table in a file, whatever program wrote it.
 * @throws ForeignFileError where there is none in it
 */
export async function openTable(source: Source, options: ImportOptions): Promise<Table> {
  const table = await openCsv(source, options);
  return { ...table, batches: () => withoutBlanks(table) };
}

/** Spreadsheets write separators alone for a row with nothing in it. */
const isBlank = ({ cells }: Row): boolean =>
  cells.length > 1 && cells.every((cell) => typeof cell === 'string' && cell.trim() === '');

async function* withoutBlanks(table: Table): ReturnType<Table['batches']> {
  for await (const { rows, errors } of table.batches())
    yield { rows: rows.filter((row) => !isBlank(row)), errors };
}
