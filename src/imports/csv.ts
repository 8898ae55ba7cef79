import { CsvError, parse } from 'csv-parse';
import type { Parser } from 'csv-parse';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { foreignFormat, headerOf } from './formats.js';
import { importMessages } from './imports.messages.js';
import { CR, LF, MAX_LINE, wholeLines } from './lines.js';
import type { LineError } from './lines.js';

/** A record with the line that it starts on: with line breaks inside quotes the two are counted apart. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export type Delimiter = ',' | ';';

/** Some lines of a file: those that can be read, and what is wrong with the others. */
export interface CsvBatch {
  records: CsvRecord[];
  errors: LineError[];
}

export interface CsvFile {
  delimiter: Delimiter;
  /** Without cells where it cannot be read; `errors` says why. */
  header: CsvRecord;
  errors: LineError[];
  /** The rest of the file, in its order. To be read once. */
  batches: AsyncGenerator<CsvBatch>;
}

/** A file that is no CSV as a whole; the message says what it is. */
export class ForeignFileError extends Error {}

/** What is handed on at a time: enough for a query to be worth it, and little enough to be held in memory. */
const MAX_RECORDS = 500;
const MAX_CHARACTERS = 2 * MAX_LINE;

/** How much of a file tells what it is. */
const HEAD = 65_536;
const BOM = Buffer.from('\uFEFF');

/**
 * UTF-8 with or without a byte order mark, separated by `,` or `;`, lines ended by LF, CRLF or CR, each of 1 MiB at
 * most: a file of any size in bounded memory.
 * @throws ForeignFileError
 */
export async function openCsv(source: AsyncIterable<Buffer>): Promise<CsvFile> {
  const { head, all } = await peek(source);
  const format = foreignFormat(head);
  if (format) throw new ForeignFileError(say(format));
  const delimiter = delimiterOf(headerOf(head));
  const parts = readParts(all, delimiter);
  const batch: CsvBatch = { records: [], errors: [] };
  while (batch.records.length === 0 && batch.errors.length < MAX_RECORDS) {
    const next = await parts.next();
    if (next.done) break;
    batch.errors.push(...next.value.errors);
    batch.records.push(...next.value.records);
  }
  const [header, ...records] = batch.records;
  // What comes before the header is not for nothing: it may be the header.
  const errors = batch.errors.filter(({ line }) => !header || line < header.line);
  if (!header && errors.length === 0)
    errors.push({ line: 1, field: 'header', message: say(contractMessages.required) });
  const batches = inBatches({ records, errors: batch.errors }, parts);
  return { delimiter, header: errors.length > 0 ? { line: 1, cells: [] } : header!, errors, batches };
}

/** The beginning of a file, and the file. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const text = head.subarray(0, BOM.length).equals(BOM) ? head.subarray(BOM.length) : head;
  async function* all(): AsyncGenerator<Buffer> {
    yield text;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { head: head.subarray(0, HEAD), all: all() };
}

/** No name of a field has either of them, so the header tells. */
function delimiterOf(header: string): Delimiter {
  return header.split(';').length > header.split(',').length ? ';' : ',';
}

async function* inBatches(first: CsvBatch, parts: AsyncGenerator<CsvBatch>): AsyncGenerator<CsvBatch> {
  let { records, errors } = first;
  let characters = 0;
  for await (const part of parts) {
    records.push(...part.records);
    errors.push(...part.errors);
    for (const { cells } of part.records) for (const cell of cells) characters += cell.length;
    if (records.length < MAX_RECORDS && characters < MAX_CHARACTERS && errors.length < MAX_RECORDS) continue;
    yield { records, errors };
    [records, errors, characters] = [[], [], 0];
  }
  yield { records, errors };
}

async function* readParts(source: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<CsvBatch> {
  const reader = new RecordReader(delimiter);
  for await (const { bytes, unreadable } of wholeLines(source)) {
    const { records, errors } = await reader.read(bytes, unreadable);
    yield { records, errors };
    if (reader.isBroken) return;
  }
  yield reader.end();
}

/** Takes whole lines, and gives the records of those that can be read. */
class RecordReader {
  isBroken = false;
  private records: CsvRecord[] = [];
  private unreadable: number[] = [];
  private readonly lines = new LineCounter();
  private readonly parser: Parser;

  constructor(delimiter: Delimiter) {
    this.parser = parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_LINE,
      on_record: (cells: string[], info) => {
        const line = this.lines.nextText();
        const last = this.lines.advance(info.bytes);
        while (this.unreadable[0]! < line) this.unreadable.shift();
        if (!(this.unreadable[0]! <= last)) this.records.push({ line, cells });
        return null;
      },
    });
    this.parser.on('error', () => undefined); // whoever writes is told
  }

  async read(bytes: Buffer, unreadable: LineError[]): Promise<CsvBatch> {
    this.lines.add(bytes);
    for (const { line } of unreadable) this.unreadable.push(line);
    return this.take(unreadable, (done) => this.parser.write(bytes, done));
  }

  end(): Promise<CsvBatch> {
    return this.take([], (done) => this.parser.end(done));
  }

  private async take(
    errors: LineError[],
    act: (done: (error?: Error | null) => void) => unknown,
  ): Promise<CsvBatch> {
    try {
      await new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      this.isBroken = true;
      errors = [...errors, { line: this.lines.nextText(), field: 'record', message: reasonOf(error) }];
    }
    const records = this.records;
    this.records = [];
    return { records, errors };
  }
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return say(importMessages.quote_open);
  return say(code === 'CSV_MAX_RECORD_SIZE' ? importMessages.record_size : importMessages.quote_inside);
}

/** Tells on which line what was read begins and ends. */
class LineCounter {
  private line = 1;
  /** What may still be asked for, and how many bytes were before it. */
  private bytes: Buffer = Buffer.alloc(0);
  private before = 0;
  private at = 0;

  add(bytes: Buffer): void {
    const rest = this.bytes.subarray(this.at - this.before);
    this.bytes = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    this.before = this.at;
  }

  /** The line of the next record: that of the next byte which does not end a line. */
  nextText(): number {
    while (this.isAtEnd()) this.step();
    return this.line;
  }

  /** Goes on to after so many bytes of the file; the line of the last one. */
  advance(end: number): number {
    let last = this.line;
    while (this.at < end) {
      last = this.line;
      this.step();
    }
    return last;
  }

  private step(): void {
    const [byte, next] = [this.bytes[this.at - this.before], this.bytes[this.at - this.before + 1]];
    if (byte === LF || (byte === CR && next !== LF)) this.line++;
    this.at++;
  }

  private isAtEnd(): boolean {
    const byte = this.bytes[this.at - this.before];
    return byte === LF || byte === CR;
  }
}
