import { CsvError, parse } from 'csv-parse';
import type { Parser } from 'csv-parse';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { DELIMITERS } from '../contract/delimiter.js';
import type { Delimiter } from '../contract/delimiter.js';
import { encodingOf, inUtf8 } from './encoding.js';
import type { Source } from './encoding.js';
import { foreignFormat, foreignText, headerOf } from './formats.js';
import { importMessages } from './imports.messages.js';
import { CR, LF, MAX_LINE, wholeLines } from './lines.js';
import type { LineError } from './lines.js';
import type { ImportOptions } from './options.js';
import { ForeignFileError, OPENING_ROWS, headerAt } from './table.js';
import type { Batch, IsName, Row, Table } from './table.js';

/** What is handed on at a time: enough for a query to be worth it, and little enough to be held in memory. */
const MAX_RECORDS = 500;
const MAX_CHARACTERS = 2 * MAX_LINE;

/** How much of a file tells what it is. */
const HEAD = 65_536;
/** With it some programs tell Excel what separates. */
const SEPARATOR = /^"?sep=([,;\t|])"?\s*$/i;

interface Form {
  delimiter?: Delimiter;
  encoding?: ImportOptions['encoding'];
}

/**
 * Text in UTF-8, UTF-16 or Windows-1252, separated by `,` `;` tab or `|`, lines ended by LF, CRLF or CR, each of 1 MiB
 * at most: a file of any size in bounded memory.
 * @throws ForeignFileError
 */
export async function openCsv(
  source: Source,
  asked: Form = {},
  isName: IsName = () => false,
): Promise<Table & { delimiter: Delimiter }> {
  const start = await headOf(source());
  const format = foreignFormat(start);
  if (format) throw new ForeignFileError(say(format));
  const encoding = await encodingOf(source, start, asked.encoding);
  const text = () => inUtf8(source, encoding);
  const head = (await headOf(text())).toString('utf8');
  const foreign = foreignText(head);
  if (foreign) throw new ForeignFileError(say(foreign));
  const told = SEPARATOR.exec(/^[^\r\n]*/.exec(head)![0])?.[1] as Delimiter | undefined;
  const delimiter = asked.delimiter ?? told ?? delimiterOf(head, isName);
  const all = () => inBatches(readParts(text(), delimiter), told !== undefined);
  const [first = { rows: [], errors: [] }] = await taken(
    all(),
    ({ rows, errors }) => rows.length + errors.length > 0,
  );
  const cells = first.rows.slice(0, OPENING_ROWS).map((row) => row.cells.map(String));
  const header = first.rows[headerAt(cells, isName)];
  // What comes before the header is not for nothing: it may be the header.
  const errors = first.errors.filter(({ line }) => !header || line < header.line);
  if (!header && errors.length === 0)
    errors.push({ line: 1, field: 'header', message: say(contractMessages.required) });
  return {
    delimiter,
    header:
      errors.length > 0 || !header ? { line: 1, cells: [] } : { ...header, cells: header.cells.map(String) },
    errors,
    batches: () => below(all(), header?.line ?? 0),
  };
}

/** The first item that will do, if there is one. */
async function taken<T>(items: AsyncIterable<T>, willDo: (item: T) => boolean): Promise<T[]> {
  for await (const item of items) if (willDo(item)) return [item];
  return [];
}

async function headOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD) break;
  }
  return head.subarray(0, HEAD);
}

/** What tells most names of columns apart in one of the first lines; where none does, what the first line has most of. */
function delimiterOf(head: string, isName: IsName): Delimiter {
  const lines = head.split(/[\r\n]+/).slice(0, OPENING_ROWS);
  const names = (by: Delimiter) => Math.max(...lines.map((line) => line.split(by).filter(isName).length));
  const parts = (by: Delimiter) => headerOf(head).split(by).length;
  const isBetter = (one: Delimiter, other: Delimiter) =>
    names(one) === names(other) ? parts(one) > parts(other) : names(one) > names(other);
  return DELIMITERS.reduce((best, next) => (isBetter(next, best) ? next : best));
}

async function* below(batches: AsyncGenerator<Batch>, header: number): AsyncGenerator<Batch> {
  for await (const { rows, errors } of batches)
    yield {
      rows: rows[0] && rows[0].line > header ? rows : rows.filter(({ line }) => line > header),
      errors,
    };
}

/** @param isTold whether the first line says what separates, and nothing else */
async function* inBatches(parts: AsyncGenerator<Batch>, isTold: boolean): AsyncGenerator<Batch> {
  let [rows, errors]: [Row[], LineError[]] = [[], []];
  let characters = 0;
  for await (const part of parts) {
    if (isTold && part.rows[0]?.line === 1) part.rows.shift();
    rows.push(...part.rows);
    errors.push(...part.errors);
    for (const { cells } of part.rows) for (const cell of cells) characters += (cell as string).length;
    if (rows.length < MAX_RECORDS && characters < MAX_CHARACTERS && errors.length < MAX_RECORDS) continue;
    yield { rows, errors };
    [rows, errors, characters] = [[], [], 0];
  }
  yield { rows, errors };
}

async function* readParts(source: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<Batch> {
  const reader = new RecordReader(delimiter);
  for await (const { bytes, unreadable } of wholeLines(source)) {
    yield await reader.read(bytes, unreadable);
    if (reader.isBroken) return;
  }
  yield reader.end();
}

/** Takes whole lines, and gives the records of those that can be read. */
class RecordReader {
  isBroken = false;
  private rows: Row[] = [];
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
        if (!(this.unreadable[0]! <= last)) this.rows.push({ line, cells });
        return null;
      },
    });
    this.parser.on('error', () => undefined); // whoever writes is told
  }

  async read(bytes: Buffer, unreadable: LineError[]): Promise<Batch> {
    this.lines.add(bytes);
    for (const { line } of unreadable) this.unreadable.push(line);
    return this.take(unreadable, (done) => this.parser.write(bytes, done));
  }

  end(): Promise<Batch> {
    return this.take([], (done) => this.parser.end(done));
  }

  private async take(
    errors: LineError[],
    act: (done: (error?: Error | null) => void) => unknown,
  ): Promise<Batch> {
    try {
      await new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      this.isBroken = true;
      errors = [...errors, { line: this.lines.nextText(), field: 'record', message: reasonOf(error) }];
    }
    const rows = this.rows;
    this.rows = [];
    return { rows, errors };
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
