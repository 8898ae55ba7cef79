import { CsvError, parse } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { importMessages } from './imports.messages.js';

/** A message about a line of the file; the first one is line 1. */
export interface LineError {
  line: number;
  field: string;
  message: string;
}

/** A record with the line that it starts on: with line breaks inside quotes the two are counted apart. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export interface CsvFile {
  delimiter: ',' | ';';
  header: CsvRecord;
  records: CsvRecord[];
  /** Why the file cannot be read (the header is empty then), or not to its end. */
  errors: LineError[];
}

const LF = 10;
const CR = 13;
const BOM = Buffer.from('\uFEFF');

/** UTF-8 with or without a byte order mark, separated by `,` or `;`, lines ended by LF, CRLF or CR. */
export function readCsv(file: Buffer): CsvFile {
  const bytes = file.subarray(0, BOM.length).equals(BOM) ? file.subarray(BOM.length) : file;
  const delimiter = delimiterOf(bytes);
  const lineAfter = lineCounter(bytes);
  const records: CsvRecord[] = [];
  const errors = foreignLines(bytes);
  if (errors.length > 0) return { delimiter, header: { line: 1, cells: [] }, records, errors };
  let end = 0;
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], info) => {
        records.push({ line: lineAfter(end), cells });
        end = info.bytes;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = say(
      error.code === 'CSV_QUOTE_NOT_CLOSED' ? importMessages.quote_open : importMessages.quote_inside,
    );
    errors.push({ line: lineAfter(end), field: 'record', message });
  }
  const header = records.shift() ?? { line: 1, cells: [] };
  if (header.cells.length === 0 && errors.length === 0) {
    errors.push({ line: 1, field: 'header', message: say(contractMessages.required) });
  }
  return { delimiter, header, records, errors };
}

/** No name of a field has either of them, so the header tells. */
function delimiterOf(bytes: Buffer): ',' | ';' {
  const [header = ''] = /[^\r\n]+/.exec(bytes.toString('utf8', 0, 65_536)) ?? [];
  const bare = header.replace(/"[^"]*"/g, '');
  return bare.split(';').length > bare.split(',').length ? ';' : ',';
}

/** Tells the line on which the record after this many bytes starts. To be asked in ascending order. */
function lineCounter(bytes: Buffer): (end: number) => number {
  let line = 1;
  let at = 0;
  return (end) => {
    while (at < end || bytes[at] === LF || bytes[at] === CR) {
      if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) line++;
      at++;
    }
    return line;
  };
}

/** The lines that are not UTF-8: as a rule all that have an accent, since the file was saved in another encoding. */
function foreignLines(bytes: Buffer): LineError[] {
  if (isUtf8(bytes)) return [];
  // Latin-1 keeps every byte, and in UTF-8 no byte of a longer character looks like a line end.
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
  return lines.flatMap((text, index) =>
    isUtf8(Buffer.from(text, 'latin1'))
      ? []
      : [{ line: index + 1, field: 'encoding', message: say(importMessages.not_utf8) }],
  );
}
