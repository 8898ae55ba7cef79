import { isUtf8 } from 'node:buffer';
import { say } from '../common/messages.js';
import { importMessages } from './imports.messages.js';

/** A message about a line of the file; the first one is line 1. */
export interface LineError {
  line: number;
  /** As the file calls the column, if it is one. */
  field: string;
  message: string;
  /** What stands in the cell. */
  value?: string;
}

/** How much an error tells of the name of a column, and of a cell. */
export const MAX_TOLD = 500;

/** The first characters of a text, none of them halved. */
export const beginning = (text: string, most = MAX_TOLD): string =>
  [...text.slice(0, 2 * most)].slice(0, most).join('');

/** Some whole lines of the file, with those blanked out that cannot be read. */
export interface Block {
  bytes: Buffer;
  unreadable: LineError[];
}

export const LF = 10;
export const CR = 13;
const QUOTE = 34;
const NONE = Buffer.alloc(0);

/** 1 MiB: far more than any row has, and little enough to be held in memory. */
export const MAX_LINE = 1_048_576;

/**
 * The lines of a file, in as little memory as the longest good one takes. Lines that are not UTF-8 (as a rule all that
 * have an accent, since the file was saved in another encoding) or too long are told of and left empty; of their
 * quotes one remains where they were odd in number, so that what begins or ends there still does.
 */
export async function* wholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  const reader = new LineReader();
  for await (const chunk of source) {
    const block = reader.add(chunk);
    if (block.bytes.length > 0) yield block;
  }
  yield reader.last();
}

class LineReader {
  private line = 1;
  private rest: Buffer = NONE;
  /** How many quotes there were in what has been dropped of a line that is too long. */
  private dropped?: number;

  add(chunk: Buffer): Block {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const end = afterLastLine(bytes);
    this.rest = bytes.subarray(end);
    if (end > 0) return this.check(bytes.subarray(0, end));
    if (bytes.length > MAX_LINE) {
      const kept = bytes.length - 1; // a CR there may be the end of the line, or half of it
      this.dropped = (this.dropped ?? 0) + quotes(bytes.subarray(0, kept));
      this.rest = bytes.subarray(kept);
    }
    return { bytes: NONE, unreadable: [] };
  }

  last(): Block {
    return this.check(this.rest);
  }

  private check(bytes: Buffer): Block {
    if (this.dropped === undefined && bytes.length <= MAX_LINE && isUtf8(bytes)) {
      for (let at = 0; at < bytes.length; at = lineEnd(bytes, at).next) this.line++;
      return { bytes, unreadable: [] };
    }
    return this.blankUnreadable(bytes);
  }

  private blankUnreadable(bytes: Buffer): Block {
    const kept: Buffer[] = [];
    const unreadable: LineError[] = [];
    for (let at = 0; at < bytes.length || this.dropped !== undefined;) {
      const { end, next } = lineEnd(bytes, at);
      const isTooLong = this.dropped !== undefined || end - at > MAX_LINE;
      const text = bytes.subarray(at, end);
      if (isTooLong || !isUtf8(text)) {
        const message = say(isTooLong ? importMessages.line_size : importMessages.not_utf8);
        unreadable.push({ line: this.line, field: isTooLong ? 'record' : 'encoding', message });
        if (((this.dropped ?? 0) + quotes(text)) % 2 > 0) kept.push(Buffer.from('"'));
      } else kept.push(text);
      kept.push(bytes.subarray(end, next));
      this.dropped = undefined;
      this.line++;
      at = next;
    }
    return { bytes: Buffer.concat(kept), unreadable };
  }
}

/** Behind the last line end. A CR as the last byte is none yet: an LF may follow. */
function afterLastLine(bytes: Buffer): number {
  const lastCr = bytes.lastIndexOf(CR, -2);
  return Math.max(bytes.lastIndexOf(LF), bytes.length > 1 ? lastCr : -1) + 1;
}

/** Where the text of the line ends that starts there, and where the next one starts. */
function lineEnd(bytes: Buffer, at: number): { end: number; next: number } {
  let end = at;
  while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
  const isPair = bytes[end] === CR && bytes[end + 1] === LF;
  return { end, next: Math.min(end + (isPair ? 2 : 1), bytes.length) };
}

function quotes(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) count++;
  return count;
}
