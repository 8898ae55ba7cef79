import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { importMessages } from './imports.messages.js';
import { ForeignFileError } from './table.js';
import { readable, refused } from './workbook-cells.js';

/** Of all parts that are read, once they are inflated: a sheet of a million cells has half of it. */
const MAX_INFLATED = 128 * 1_048_576;
const MAX_PARTS = 2000;
/** The workbook, its texts, its styles and its sheets; no pictures, no printer settings. */
const READ =
  /^(\[Content_Types\]\.xml|_rels\/\.rels|xl\/([^/]+\.xml|_rels\/[^/]+\.rels|worksheets\/[^/]+\.xml))$/;
/** What lists the sheets, and what they are. */
export const WORKBOOK = 'xl/workbook.xml';
export const RELATIONS = 'xl/_rels/workbook.xml.rels';
const MACROS = /(^|\/)vbaProject\.bin$/i;
const IS_ENCRYPTED = 1;

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
      // Any of them may be taken for a sheet, wherever it lies.
      parts.set(fileName, await readable(await read(zip, entry)));
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
