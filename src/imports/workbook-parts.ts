import { setImmediate } from 'node:timers/promises';
import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { say } from '../common/messages.js';
import type { Message } from '../common/messages.js';
import { importMessages } from './imports.messages.js';
import { ForeignFileError } from './table.js';

/** Of all parts that are read, once they are inflated: a sheet of a million cells has half of it. */
const MAX_INFLATED = 128 * 1_048_576;
const MAX_PARTS = 2000;
/** The workbook, its texts, its styles and its sheets; no pictures, no printer settings. */
const READ =
  /^(\[Content_Types\]\.xml|_rels\/\.rels|xl\/([^/]+\.xml|_rels\/[^/]+\.rels|worksheets\/[^/]+\.xml))$/;
/** What lists the sheets. */
export const WORKBOOK = 'xl/workbook.xml';
const SHEETS = 'xl/worksheets/';
/** Of the rectangle that reaches from A1 to the last cell: one far out makes it large, however few there are. */
const MAX_CELLS = 5_000_000;
const ADDRESS = /\br="([A-Z]{0,3})(\d{1,7})"/g;
const PIECE = 1_048_576;
/** How a cell says that it holds an error, such as #N/A; with `str` it holds the text that a formula gave. */
const ERROR = /(<(?:\w+:)?c\b[^<>]*) t="e"/g;
const MACROS = /(^|\/)vbaProject\.bin$/i;
const IS_ENCRYPTED = 1;

const refused = (message: Message): ForeignFileError => new ForeignFileError(say(message));

/**
 * The parts of a workbook that hold its cells, inflated, by their names, as the directory of the archive has them: each
 * is no larger than it says there, and all together are no larger than we take.
 * @throws ForeignFileError
 */
export async function partsOf(workbook: Buffer): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  let size = 0;
  const others = new Set<string>();
  try {
    const zip = await open(workbook);
    await eachEntry(zip, async (entry) => {
      const { fileName, uncompressedSize, generalPurposeBitFlag } = entry;
      if (MACROS.test(fileName)) throw refused(importMessages.file_macros);
      if (!READ.test(fileName)) {
        if (fileName === 'content.xml') others.add(fileName);
        return;
      }
      if (generalPurposeBitFlag & IS_ENCRYPTED) throw refused(importMessages.file_encrypted);
      size += uncompressedSize;
      if (size > MAX_INFLATED || parts.size > MAX_PARTS) throw refused(importMessages.file_bomb);
      const bytes = await read(zip, entry);
      if (fileName.startsWith(SHEETS) && (await cellsOf(bytes)) > MAX_CELLS)
        throw refused(importMessages.file_bomb);
      parts.set(fileName, fileName.startsWith(SHEETS) ? await withErrorsAsTexts(bytes) : bytes);
    });
  } catch (error) {
    throw error instanceof ForeignFileError ? error : refused(importMessages.file_damaged);
  }
  if (!parts.has(WORKBOOK))
    throw refused(others.size > 0 ? importMessages.file_ods : importMessages.file_zip);
  return parts;
}

const open = (archive: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(archive, { lazyEntries: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

function eachEntry(zip: ZipFile, work: (entry: Entry) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      work(entry).then(() => zip.readEntry(), reject);
    });
    zip.on('end', resolve).on('error', reject);
    zip.readEntry();
  });
}

/** An error where it is larger than its directory says. */
const read = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error);
      else filled(stream, entry.uncompressedSize).then(resolve, reject);
    });
  });

/** Without its chunks beside it: a sheet is large. */
async function filled(stream: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for await (const chunk of stream) at += chunk.copy(bytes, at);
  return bytes;
}

/** How many cells there are from A1 to the last row and the last column; others have their turn in between. */
async function cellsOf(sheet: Buffer): Promise<number> {
  let [rows, columns] = [0, 0];
  for (let at = 0; at < sheet.length; at += PIECE) {
    // The next piece begins with what this one may have cut.
    for (const [, letters, digits] of sheet.toString('latin1', at, at + PIECE + 20).matchAll(ADDRESS)) {
      const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
      rows = Math.max(rows, Number(digits));
      columns = Math.max(columns, column);
    }
    await setImmediate();
  }
  return rows * columns;
}

/** As a CSV has them: what reads the sheet takes the cells of errors for empty ones, and empty ones erase. */
async function withErrorsAsTexts(sheet: Buffer): Promise<Buffer> {
  if (!sheet.includes(' t="e"')) return sheet;
  const pieces: Buffer[] = [];
  for (let at = 0; at < sheet.length;) {
    // Each piece ends with a tag.
    const end = Math.max(at + PIECE, sheet.indexOf('>', at + PIECE) + 1);
    pieces.push(Buffer.from(sheet.toString('latin1', at, end).replace(ERROR, '$1 t="str"'), 'latin1'));
    at = end;
    await setImmediate();
  }
  return Buffer.concat(pieces);
}
