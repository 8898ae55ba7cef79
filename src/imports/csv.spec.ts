import fc from 'fast-check';
import { render } from '../common/messages.js';
import { openCsv } from './csv.js';
import type { LineError } from './lines.js';
import { ForeignFileError } from './table.js';
import type { IsName, Row } from './table.js';

// eslint-disable-next-line @typescript-eslint/require-await -- as a file comes
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** All of a file, which comes in pieces of this many bytes. */
async function read(
  content: string | Buffer,
  size = 65_536,
  form: Parameters<typeof openCsv>[1] = {},
  isName?: IsName,
) {
  const bytes = Buffer.from(content as string);
  const file = await openCsv(() => pieces(bytes, size), form, isName);
  const records: Row[] = [];
  const errors: LineError[] = [...file.errors];
  if (errors.length === 0) {
    for await (const batch of file.batches()) {
      records.push(...batch.rows);
      errors.push(...batch.errors);
    }
  }
  return { ...file, records, errors };
}
const lines = async (text: string | Buffer) => (await read(text)).records.map(({ line }) => line);
const errors = async (text: string | Buffer, size?: number) =>
  (await read(text, size, { encoding: 'utf-8' })).errors.map(
    ({ line, field, message }) => `${line}: ${field}: ${render(message)}`,
  );
const firstCells = async (text: string) => (await read(text)).records[0]?.cells;

function encoded(text: string, encoding: 'utf8' | 'utf16le' | 'utf16be'): Buffer {
  return encoding === 'utf16be' ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, encoding);
}

describe('openCsv', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', ' ', 'é', '\t', '='), maxLength: 8 }),
  );
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const file = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    encoding: fc.constantFrom('utf8', 'utf16le', 'utf16be'),
    hasBom: fc.boolean(),
    width: fc.integer({ min: 1, max: 4 }),
    rows: fc.array(
      fc.record({
        cells: fc.array(fc.record({ text, isQuoted: fc.boolean() }), { minLength: 4, maxLength: 4 }),
        end,
        blanks: fc.array(end, { maxLength: 2 }),
      }),
      { maxLength: 8 },
    ),
    endsOpen: fc.boolean(),
  });

  it('reads back whatever was written, and knows the line of each record', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 40 }), async (given, size) => {
        const { delimiter, encoding, hasBom, width, rows, endsOpen } = given;
        const names = ['name', 'reference', 'email', 'notes'].slice(0, width);
        const written = rows.map(({ cells }) => cells.slice(0, width));
        let text = `${names.join(delimiter)}\n`;
        const starts: number[] = [];
        rows.forEach((row, index) => {
          starts.push(text.length);
          const cells = written[index]!.map(({ text, isQuoted }) => {
            const mustBeQuoted = /[",;\t|\r\n]/.test(text) || (width === 1 && text === '');
            return isQuoted || mustBeQuoted ? `"${text.replaceAll('"', '""')}"` : text;
          });
          text += cells.join(delimiter);
          if (!endsOpen || index < rows.length - 1) text += row.end + row.blanks.join('');
        });
        const lineOf = (start: number) => text.slice(0, start).split(/\r\n|\n|\r/).length;

        const result = await read(encoded((hasBom ? '\uFEFF' : '') + text, encoding), size);

        expect(result.errors).toEqual([]);
        expect(result.header).toEqual({ line: 1, cells: names });
        if (width > 1) expect(result.delimiter).toBe(delimiter);
        expect(result.records.map(({ cells }) => cells)).toEqual(
          written.map((cells) => cells.map((cell) => cell.text)),
        );
        expect(result.records.map(({ line }) => line)).toEqual(starts.map(lineOf));
      }),
      { numRuns: 200 },
    );
  });

  it('never fails otherwise than by saying so, whatever the bytes', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      text,
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 20 }), async (bytes, size) => {
        try {
          const { header, records, errors } = await read(bytes, size);
          expect(header.cells.length > 0 || errors.length > 0).toBe(true);
          expect([...records].sort((one, other) => one.line - other.line)).toEqual(records);
        } catch (error) {
          expect(error).toBeInstanceOf(ForeignFileError);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('counts the lines inside quotes, whatever ends them', async () => {
    expect(await lines('a,b\r\n1,"x\r\ny\r\nz"\r\n2,x\r\n')).toEqual([2, 5]);
    expect(await lines('a,b\n1,"x\ny"\n\n\n2,x')).toEqual([2, 6]);
    expect(await lines('a,b\r1,"x\ry"\r2,x')).toEqual([2, 4]);
    expect(await lines('a,b\n1,x\r\n2,y\r3,z')).toEqual([2, 3, 4]);
  });

  it('is told the delimiter by the header', async () => {
    expect(await firstCells('a;b\n1,5;2')).toEqual(['1,5', '2']);
    expect(await firstCells('"a";"b"\n1,5;2')).toEqual(['1,5', '2']);
    expect(await firstCells('a,b\n1;5,2')).toEqual(['1;5', '2']);
    expect(await firstCells('"a;x",b\n1;5,2')).toEqual(['1;5', '2']);
    expect(await firstCells('a\n1;5,2')).toEqual(['1;5', '2']);
  });

  it('takes tabs and bars, and what the first line says separates', async () => {
    expect(await firstCells('a\tb\nDell, Inc.;x\t2')).toEqual(['Dell, Inc.;x', '2']);
    expect(await firstCells('a|b\n1|2')).toEqual(['1', '2']);
    const told = await read('sep=;\r\na,b;c\r\n1;2\r\n');
    expect(told.header).toEqual({ line: 2, cells: ['a,b', 'c'] });
    expect(told.records).toEqual([{ line: 3, cells: ['1', '2'] }]);
    expect((await read('a;b,c\n1,2', undefined, { delimiter: ',' })).header.cells).toEqual(['a;b', 'c']);
  });

  it('finds the header below titles, by the names of its columns', async () => {
    const isName = (text: string) => /^"?(code|name|price)"?$/i.test(text);
    const file = 'Register, as of 31/12, of:;;\nACME\n;;\n\nCode;"Name";Price\n1;name;2\ncode;name;price\n';
    const { header, records, delimiter } = await read(file, 5, {}, isName);
    expect({ header, delimiter }).toEqual({
      header: { line: 5, cells: ['Code', 'Name', 'Price'] },
      delimiter: ';',
    });
    expect(records).toEqual([
      { line: 6, cells: ['1', 'name', '2'] },
      { line: 7, cells: ['code', 'name', 'price'] },
    ]);
    // One name alone may be a value.
    expect((await read('Title\nname\nx', 5, {}, isName)).header).toEqual({ line: 1, cells: ['Title'] });
    expect((await read(';\nTitle;x\n1;2', 5, {}, isName)).header).toEqual({ line: 2, cells: ['Title', 'x'] });
    const far = `${'Title\n'.repeat(20)}code,name\n1,2`;
    expect((await read(far, 5, {}, isName)).header.line).toBe(1);
  });

  it('reads Windows-1252 where a file cannot be UTF-8, however far down that is seen', async () => {
    const rows = Array.from({ length: 20_000 }, () => 'x;1').join('\n');
    const file = Buffer.concat([Buffer.from(`a;b\n${rows}\nCaf`), Buffer.from([0xe9, 0x3b, 0x80, 0x31])]);
    for (const size of [1001, 65_536])
      expect((await read(file, size)).records.at(-1)!.cells).toEqual(['Café', '€1']);
    expect((await read(Buffer.from('a\nÉté €', 'utf8'), 1)).records[0]!.cells).toEqual(['Été €']);
    expect(
      (await read(Buffer.from('a\nÉté', 'utf8'), 7, { encoding: 'windows-1252' })).records[0]!.cells,
    ).toEqual(['Ã‰tÃ©']);
  });

  it('names the lines with bytes that Windows-1252 does not have either, and never takes something else for them', async () => {
    const bytes = Buffer.from('name\r\nCaf\xe9\r\n\x8ecran \x90\r\nB\xfbche\r\n', 'latin1');
    const { records, errors } = await read(bytes);
    expect(records.map(({ cells }) => cells)).toEqual([['Café'], ['Bûche']]);
    expect(errors).toMatchObject([{ line: 3, field: 'encoding' }]);
  });

  it('names the lines that are broken where a file is in UTF-8 otherwise, and takes no letter for two', async () => {
    const [before, after] = ['name\nÉté\nCaf', '\nBûche\nŒuvre\n'].map((text) => Buffer.from(text));
    const { records, errors } = await read(Buffer.concat([before!, Buffer.from([0xc3]), after!]), 3);
    expect(records.map(({ cells }) => cells)).toEqual([['Été'], ['Bûche'], ['Œuvre']]);
    expect(errors).toMatchObject([{ line: 3, field: 'encoding' }]);
    // One letter of two bytes may be there by chance.
    const chance = Buffer.from('name\nÃ©té\nÉté\n', 'latin1');
    expect((await read(chance)).records.map(({ cells }) => cells)).toEqual([['Ã©té'], ['Été']]);
  });

  it('names the line of a broken quote, and reads what is before it', async () => {
    const open = 'a,b\n1,"x\ny"\n2,"never closed\n3,y\n';
    expect(await errors(open)).toEqual(['4: record: has a quote that is never closed']);
    expect(await lines(open)).toEqual([2]);
    expect(await errors('a,b\n1,13" screen\n')).toEqual([
      expect.stringMatching(/^2: record: has a quote in the middle/),
    ]);
    expect(await errors('a,b\n1,x\n2,"x"y\n')).toEqual([
      expect.stringMatching(/^3: record: has a quote in the middle/),
    ]);
    expect(await errors('"a,b')).toEqual(['1: record: has a quote that is never closed']);
  });

  it('names every line in another encoding', async () => {
    const latin1 = Buffer.from('name\nEté\nHiver\r\nÉté\n', 'latin1');
    const why = 'encoding: is not UTF-8; save the file as CSV UTF-8';
    expect(await errors(latin1)).toEqual([`2: ${why}`, `4: ${why}`]);
    const header = Buffer.from('naïf\nx\n', 'latin1');
    expect(await errors(header)).toEqual([`1: ${why}`]);
    const both = Buffer.from('name,notes\nx,"Été\ny"\nz,"\n', 'latin1');
    expect(await errors(both)).toEqual([`2: ${why}`, '4: record: has a quote that is never closed']);
  });

  const mebibyte = 1_048_576;
  it.each([10_001, 65_536, 4 * mebibyte])(
    'names lines of more than 1 MiB, read in pieces of %i',
    async (size) => {
      const long = 'x'.repeat(mebibyte + 1);
      const fits = 'y'.repeat(mebibyte - 2);
      const why = 'record: is longer than 1 MiB';
      const file = ['a,b', `1,${fits}`, `2,${long}`, `3,"${long}`, 'still 3"', '4,z', `5,"${long}"`, '6'];
      for (const end of ['\n', '\r\n', '\r']) {
        const result = await read(file.join(end) + end, size);
        expect(result.errors.map(({ line, message }) => [line, render(message)])).toEqual(
          [3, 4, 7].map((line) => [line, 'is longer than 1 MiB']),
        );
        expect(result.records.map(({ line, cells }) => [line, cells.length])).toEqual([
          [2, 2],
          [6, 2],
          [8, 1],
        ]);
      }
      expect(await errors(`a\n${long}`, size)).toEqual([`2: ${why}`]);
      expect(await errors(long, size)).toEqual([`1: ${why}`]);
    },
  );

  it('names a record of more than 1 MiB, whose quote may never be closed', async () => {
    const file = `a,b\n1,"open\n${'2,x\n'.repeat(mebibyte / 2)}`;
    expect(await errors(file)).toEqual([
      '2: record: is longer than 1 MiB; a quote before it may never be closed',
    ]);
  });

  it.each<[string, string | Buffer]>([
    ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    [
      'protected by a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    ],
    ['compressed by gzip', Buffer.from('1f8b0800', 'hex')],
    ['a PDF document', '%PDF-1.7\n%âãÏÓ\n'],
    ['a web page', '\uFEFF\n<!DOCTYPE html>\n<html>'],
    ['a web page', '<table><tr><td>name</td></tr></table>'],
    ['XML', '<?xml version="1.0"?><rows/>'],
    ['JSON', '[{"name":"Dell"}]'],
    ['JSON', '{ "data": [] }'],
    ['no text', 'name\0\nDell\n'],
    ['no text', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('says that a file is %s', async (what, content) => {
    for (const size of [1, 65_536]) {
      const error = await read(content, size).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ForeignFileError);
      expect(render((error as Error).message)).toMatch(new RegExp(`^is ${what}\\b.*; `));
      expect(render((error as Error).message, 'fr')).toMatch(/^(n’)?est .* ; /);
    }
  });

  it('takes control characters below the header, which texts may have', async () => {
    expect(await errors('name\nBell\u0007 brand\n')).toEqual([]);
  });

  it('needs a header', async () => {
    for (const nothing of ['', '\uFEFF', '\n\r\n'])
      expect(await errors(nothing)).toEqual(['1: header: is required']);
  });

  it('has as many columns as a spreadsheet at most', async () => {
    const wide = (columns: number) => `name${','.repeat(columns - 1)}\nx\n`;
    expect((await read(wide(16_384))).header.cells).toHaveLength(16_384);
    const error = await read(wide(16_385)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ForeignFileError);
    expect(render((error as Error).message)).toMatch(/^has more than 16384 columns/);
  });
});
