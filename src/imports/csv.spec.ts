import fc from 'fast-check';
import { render } from '../common/messages.js';
import { readCsv } from './csv.js';

const read = (text: string | Buffer) => readCsv(Buffer.from(text));
const lines = (text: string | Buffer) => read(text).records.map(({ line }) => line);
const errors = (text: string | Buffer) =>
  read(text).errors.map(({ line, field, message }) => `${line}: ${field}: ${render(message)}`);

describe('readCsv', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', ' ', 'é', '\t', '='), maxLength: 8 }),
  );
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const file = fc.record({
    delimiter: fc.constantFrom(',', ';'),
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

  it('reads back whatever was written, and knows the line of each record', () => {
    fc.assert(
      fc.property(file, ({ delimiter, hasBom, width, rows, endsOpen }) => {
        const names = ['name', 'reference', 'email', 'notes'].slice(0, width);
        const written = rows.map(({ cells }) => cells.slice(0, width));
        let text = `${names.join(delimiter)}\n`;
        const starts: number[] = [];
        rows.forEach((row, index) => {
          starts.push(text.length);
          const cells = written[index]!.map(({ text, isQuoted }) => {
            const mustBeQuoted = /[",;\r\n]/.test(text) || (width === 1 && text === '');
            return isQuoted || mustBeQuoted ? `"${text.replaceAll('"', '""')}"` : text;
          });
          text += cells.join(delimiter);
          if (!endsOpen || index < rows.length - 1) text += row.end + row.blanks.join('');
        });
        const lineOf = (start: number) => text.slice(0, start).split(/\r\n|\n|\r/).length;

        const result = read((hasBom ? '\uFEFF' : '') + text);

        expect(result.errors).toEqual([]);
        expect(result.header).toEqual({ line: 1, cells: names });
        if (width > 1) expect(result.delimiter).toBe(delimiter);
        expect(result.records.map(({ cells }) => cells)).toEqual(
          written.map((cells) => cells.map((cell) => cell.text)),
        );
        expect(result.records.map(({ line }) => line)).toEqual(starts.map(lineOf));
      }),
      { numRuns: 1000 },
    );
  });

  it('never fails otherwise than by saying so, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
          text,
        ),
        (bytes) => {
          const { header, records, errors } = read(bytes);
          expect(header.cells.length > 0 || errors.length > 0).toBe(true);
          expect([...records].sort((one, other) => one.line - other.line)).toEqual(records);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('counts the lines inside quotes, whatever ends them', () => {
    expect(lines('a,b\r\n1,"x\r\ny\r\nz"\r\n2,x\r\n')).toEqual([2, 5]);
    expect(lines('a,b\n1,"x\ny"\n\n\n2,x')).toEqual([2, 6]);
    expect(lines('a,b\r1,"x\ry"\r2,x')).toEqual([2, 4]);
    expect(lines('a,b\n1,x\r\n2,y\r3,z')).toEqual([2, 3, 4]);
  });

  it('is told the delimiter by the header', () => {
    expect(read('a;b\n1,5;2').records[0]?.cells).toEqual(['1,5', '2']);
    expect(read('"a";"b"\n1,5;2').records[0]?.cells).toEqual(['1,5', '2']);
    expect(read('a,b\n1;5,2').records[0]?.cells).toEqual(['1;5', '2']);
    expect(read('"a;x",b\n1;5,2').records[0]?.cells).toEqual(['1;5', '2']);
    expect(read('a\n1;5,2').records[0]?.cells).toEqual(['1;5', '2']);
  });

  it('names the line of a broken quote, and reads what is before it', () => {
    const open = 'a,b\n1,"x\ny"\n2,"never closed\n3,y\n';
    expect(errors(open)).toEqual(['4: record: has a quote that is never closed']);
    expect(lines(open)).toEqual([2]);
    expect(errors('a,b\n1,13" screen\n')).toEqual([
      expect.stringMatching(/^2: record: has a quote in the middle/),
    ]);
    expect(errors('a,b\n1,x\n2,"x"y\n')).toEqual([
      expect.stringMatching(/^3: record: has a quote in the middle/),
    ]);
    expect(errors('"a,b')).toEqual(['1: record: has a quote that is never closed']);
  });

  it('names every line in another encoding', () => {
    const latin1 = Buffer.from('name\nEté\nHiver\r\nÉté\n', 'latin1');
    const why = 'encoding: is not UTF-8; save the file as CSV UTF-8';
    expect(errors(latin1)).toEqual([`2: ${why}`, `4: ${why}`]);
    expect(errors(Buffer.from('\uFEFFname\nEté\n', 'utf16le'))[0]).toBe(`1: ${why}`);
  });

  it('needs a header', () => {
    for (const nothing of ['', '\uFEFF', '\n\r\n'])
      expect(errors(nothing)).toEqual(['1: header: is required']);
  });
});
