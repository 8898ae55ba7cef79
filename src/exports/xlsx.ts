import { Readable } from 'node:stream';
import type { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Cell, Column, Table } from './table.js';
import { STYLES, workbookParts } from './workbook.js';
import { HEAD, IMPOSSIBLE, escaped } from './xml.js';

/** Rows of a sheet, of which Excel takes 1 048 576; those of a last batch may go beyond, and more go to another sheet. */
const SHEET_ROWS = 1_000_000;
/** Of deflate: what is sent is a fifth larger than with 6, and takes a third of the time. */
const LEVEL = 1;
/** Rows that are written at once: longer texts are garbage that is collected late. */
const ROWS_A_PIECE = 50;
const AT_A_TIME = { highWaterMark: 1 };
const MAX_TEXT = 32_767;
const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);
/** Before it Excel counts a day that never was. */
const FIRST_DAY = '1900-03-01';

const STYLE_OF = {
  text: STYLES.plain,
  integer: STYLES.plain,
  decimal: STYLES.plain,
  date: STYLES.date,
  instant: STYLES.instant,
  money: STYLES.money,
};

/**
 * A workbook (ECMA-376) of these tables, one after the other, made while it is read: neither the rows nor their texts
 * are kept, which therefore stand in their cells.
 */
export function xlsxOf(tables: Table[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  write(zip, output, tables).catch((error: unknown) => {
    if (!output.destroyed) output.destroy(error as Error);
  });
  return output;
}

async function write(zip: ZipFile, output: PassThrough, tables: Table[]): Promise<void> {
  const titles: string[] = [];
  for (const { title, columns, rows } of tables) {
    const batches = rows[Symbol.asyncIterator]();
    const state = { isDone: false };
    try {
      for (let number = 1; !state.isDone; number++) {
        titles.push(number === 1 ? title : `${title} ${number}`);
        const sheet = Readable.from(sheetOf(columns, batches, state), AT_A_TIME);
        output.once('close', () => sheet.destroy()); // where nobody reads on
        zip.addReadStream(sheet, `xl/worksheets/sheet${titles.length}.xml`, { compressionLevel: LEVEL });
        await finished(sheet);
      }
    } finally {
      await batches.return?.();
    }
  }
  for (const [path, text] of Object.entries(workbookParts(titles))) zip.addBuffer(Buffer.from(text), path);
  zip.end();
}

/** As many of the batches as go into one sheet. */
async function* sheetOf(
  columns: Column[],
  batches: AsyncIterator<Cell[][]>,
  state: { isDone: boolean },
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const letters = columns.map((_, at) => letterOf(at));
  const titles = columns.map(({ title }, at) => textCell(`${letters[at]}1`, title, STYLES.header));
  let number = 1;
  yield `${HEAD}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row>${titles.join('')}</row>`;
  while (number <= SHEET_ROWS) {
    const next = await batches.next();
    state.isDone = next.done === true;
    if (next.done) break;
    for (let at = 0; at < next.value.length; at += ROWS_A_PIECE) {
      const piece = next.value.slice(at, at + ROWS_A_PIECE);
      yield piece.map((row) => rowOf(row, columns, letters, ++number)).join('');
    }
  }
  yield '</sheetData></worksheet>';
}

const rowOf = (row: Cell[], columns: Column[], letters: string[], number: number): string =>
  `<row>${row.map((cell, at) => cellOf(`${letters[at]}${number}`, cell, columns[at]!)).join('')}</row>`;

function cellOf(place: string, cell: Cell, { kind }: Column): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberCell(place, cell, STYLE_OF[kind]);
  if ((kind === 'date' || kind === 'instant') && cell >= FIRST_DAY)
    return numberCell(place, serialOf(cell), STYLE_OF[kind]);
  return textCell(place, cell, STYLES.plain);
}

const numberCell = (place: string, value: number, style: number): string =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;

/**
 * What XML cannot hold, and what would be read as the code of a character, such as `_x0041_` as A: both have their codes
 * instead (ECMA-376, ST_Xstring).
 */
const CODED = new RegExp(`${IMPOSSIBLE.source}|_(?=x[0-9A-Fa-f]{4}(?:_|${IMPOSSIBLE.source}))`, 'g');
const codeOf = (letter: string): string =>
  `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Of what a spreadsheet would run the importer takes one apostrophe away (csv.ts): one that was there is doubled. */
const HARMLESS = /^'(?='*[=+\-@\t\r])/;

/** Whatever it begins with, it is a text. */
function textCell(place: string, text: string, style: number): string {
  const shown = escaped(text.replace(HARMLESS, "''").slice(0, MAX_TEXT).replace(CODED, codeOf));
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`;
}

/** A, B … Z, AA … of a column. */
function letterOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : letterOf(Math.floor(at / 26) - 1) + letter;
}

/** Days since 1899-12-30. */
const serialOf = (text: string): number =>
  (Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00'}Z`) - EPOCH) / DAY_MS;
