import { setImmediate } from 'node:timers/promises';
import { say } from '../common/messages.js';
import type { Message } from '../common/messages.js';
import { importMessages } from './imports.messages.js';
import { ForeignFileError } from './table.js';

const PIECE = 1_048_576;
/** Of the rectangle that reaches from A1 to the last cell: one far out makes it large, however few there are. */
const MAX_CELLS = 5_000_000;
const MAX_ROWS = 1_048_576;
const PLACED = /<(?:[^\s<>/:]+:)?(row|c)(?=[\s/>])[^<]*/g;
const PLACE = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ADDRESS = /^([A-Z]{0,3})(\d{1,7})$/;
/** Far longer than the texts of cells may be; what reads the sheet comes to no end over a tag or a text of megabytes. */
const MAX_TOKEN = 262_144;
/** What may have any number of tags within. */
const VEILED: [string, string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * How a cell says that it holds an error, such as #N/A, or a day; with `str` it holds the text that a formula gave. The
 * reader takes errors for empty cells, and empty ones erase, and a day without a zone for one of where the service is.
 */
const OTHER_TYPE = /(<(?:\w+:)?c\b[^<>]*) t="[ed]"/g;

export const refused = (message: Message): ForeignFileError => new ForeignFileError(say(message));

/**
 * A part of a workbook as it is read: one that would fill the memory or never end is refused.
 * @throws ForeignFileError
 */
export async function readable(part: Buffer): Promise<Buffer> {
  if (hasLongToken(part) || !(await isSmall(part))) throw refused(importMessages.file_bomb);
  return withOtherTypesAsTexts(part);
}

/** Some whole tags at a time, or such that end with `last`; others have their turn in between. */
export async function* piecesOf(part: Buffer, last?: string): AsyncGenerator<string> {
  for (let at = 0; at < part.length;) {
    const next = part.indexOf(last ?? '<', at + PIECE);
    const end = next < 0 ? part.length : next + (last?.length ?? 0);
    yield part.toString('latin1', at, end);
    at = end;
    await setImmediate();
  }
}

function hasLongToken(part: Buffer): boolean {
  const isLong = (from: number, end: number) => (end < 0 ? part.length : end) - from > MAX_TOKEN;
  for (let at = 0; at < part.length; at += MAX_TOKEN) if (isLong(at, part.indexOf('<', at))) return true;
  return VEILED.some(([begin, close]) => {
    for (let at = part.indexOf(begin); at >= 0;) {
      const end = part.indexOf(close, at);
      if (isLong(at, end)) return true;
      at = end < 0 ? end : part.indexOf(begin, end);
    }
    return false;
  });
}

/** By its cells from A1 to the last row and the last column. */
async function isSmall(part: Buffer): Promise<boolean> {
  let [rows, last, columns] = [0, 0, 1];
  for await (const piece of piecesOf(part)) {
    for (const [tag, name] of piece.matchAll(PLACED)) {
      if (name === 'row') rows++;
      for (const [, double, single] of tag.matchAll(PLACE)) {
        const [, letters, digits] = ADDRESS.exec(double ?? single!) ?? [];
        // Another number, such as 1e9, would be taken for one too.
        if (digits === undefined) throw refused(importMessages.file_damaged);
        const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
        last = Math.max(last, Number(digits));
        columns = Math.max(columns, column);
      }
    }
  }
  const height = Math.max(rows, last);
  return height <= MAX_ROWS && height * columns <= MAX_CELLS;
}

async function withOtherTypesAsTexts(part: Buffer): Promise<Buffer> {
  if (!part.includes(' t="e"') && !part.includes(' t="d"')) return part;
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(part))
    pieces.push(Buffer.from(piece.replace(OTHER_TYPE, '$1 t="str"'), 'latin1'));
  return Buffer.concat(pieces);
}
