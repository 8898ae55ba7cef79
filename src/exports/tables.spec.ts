import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import readWorkbook from 'read-excel-file/node';
import { buffer } from 'node:stream/consumers';
import { csvOf } from './csv.js';
import type { Cell, Column, Table } from './table.js';
import { xlsxOf } from './xlsx.js';

const COLUMNS: Column[] = [
  { field: 'name', title: 'Désignation', kind: 'text', width: 40 },
  { field: 'on', title: 'Date', kind: 'date', width: 12 },
  { field: 'count', title: 'Nombre', kind: 'integer', width: 8 },
  { field: 'price', title: 'Prix', kind: 'money', width: 12 },
];

async function* batchesOf(rows: Cell[][], size = 3): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < rows.length; at += size) yield await Promise.resolve(rows.slice(at, at + size));
}
const tableOf = (rows: Cell[][], title = 'Immobilisations'): Table => ({
  title,
  columns: COLUMNS,
  rows: batchesOf(rows),
});
const csv = async (rows: Cell[][]): Promise<string> => {
  let text = '';
  for await (const piece of csvOf(tableOf(rows))) text += piece;
  return text;
};
const xlsx = (...tables: Table[]): Promise<Buffer> => buffer(xlsxOf(tables));
const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);

const DANGEROUS = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'];

describe('CSV', () => {
  it('is UTF-8 with its mark, CRLF and quotes where they are needed', async () => {
    expect(
      await csv([
        ['Écran 27", noir', '2026-04-01', 3, 10.5],
        ['deux\nlignes', null, null, -1],
        ['', null, 0, 0],
      ]),
    ).toBe(
      '\ufeffname,on,count,price\r\n"Écran 27"", noir",2026-04-01,3,10.50\r\n"deux\nlignes",,,-1.00\r\n,,0,0.00\r\n',
    );
  });

  it('has no text that a spreadsheet would run', async () => {
    const rows = parse((await csv(DANGEROUS.map((text) => [text, null, null, null]))).slice(1), { from: 2 });
    expect(rows.map(([text]) => text)).toEqual(DANGEROUS.map((text) => `'${text}`));
  });

  it('gives back any text', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !/^'*[=+\-@\t\r]/.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 10 }), async (texts) => {
        const rows = parse((await csv(texts.map((one) => [one, null, 1, null]))).slice(1), { from: 2 });
        expect(rows.map(([one]) => one)).toEqual(texts);
      }),
    );
  });
});

describe('XLSX', () => {
  it('has real dates and numbers, under titles', async () => {
    const rows = await readSheet(
      await xlsx(
        tableOf([
          ['Écran 27" <noir> & co', '2026-04-01', 3, 10.5],
          ['deux\nlignes ', '1900-03-01', 0, -0.01],
          ['avant', '1899-12-31', null, null],
          ['après', '2200-12-31', 1, 9_999_999_999.99],
        ]),
      ),
      { trim: false },
    );
    expect(rows).toEqual([
      ['Désignation', 'Date', 'Nombre', 'Prix'],
      ['Écran 27" <noir> & co', utc('2026-04-01'), 3, 10.5],
      ['deux\nlignes ', utc('1900-03-01'), 0, -0.01],
      ['avant', '1899-12-31', null, null],
      ['après', utc('2200-12-31'), 1, 9_999_999_999.99],
    ]);
  });

  it('keeps a text a text, whatever it begins with, and any text as it is', async () => {
    const read = async (texts: string[]) =>
      (await readSheet(await xlsx(tableOf(texts.map((text) => [text, null, 1, null]))), { trim: false }))
        .slice(1)
        .map(([text]) => text ?? '');
    const coded = ['_x0041_', 'a_x000D_b', '_x005F_x0041_', '_xyz_', '_x00_x0041_'];
    for (const texts of [DANGEROUS, coded]) expect(await read(texts)).toEqual(texts);
    const parts = fc.constantFrom('_', '_x', '_x0041', '\x01', '\x1d', '\x0b', '\ufffe');
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3 }), parts),
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 10 }), async (texts) => {
        expect(await read(texts)).toEqual(texts);
      }),
      { numRuns: 50 },
    );
  });

  it('has what XML cannot hold by its code, as Excel does', async () => {
    const rows = await readSheet(await xlsx(tableOf([['a\x0b\x1fc\ufffe\uffff_x001D_', null, null, null]])), {
      trim: false,
    });
    expect(rows[1]![0]).toBe('a\x0b\x1fc\ufffe\uffff_x001D_');
    const zip = await xlsx(tableOf([], 'a\x0bb'));
    expect((await readWorkbook(zip)).map(({ sheet }) => sheet)).toEqual(['ab']);
  });

  it('has a sheet for each table, with a name that Excel takes', async () => {
    const sheets = await readWorkbook(
      await xlsx(tableOf([], 'Résumé: [2026] & "co"'), tableOf([['x', null, null, null]], 'T'.repeat(40))),
    );
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Résumé   2026  & "co"', 'T'.repeat(31)]);
    expect(sheets.map(({ data }) => data.length)).toEqual([1, 2]);
  });

  it('breaks off where the rows do, and stops them where nobody reads on', async () => {
    async function* broken(): AsyncGenerator<Cell[][]> {
      yield await Promise.resolve([['x', null, null, null]]);
      throw new Error('The database is away');
    }
    await expect(xlsx({ ...tableOf([]), rows: broken() })).rejects.toThrow('The database is away');
    let isStopped = false;
    async function* endless(): AsyncGenerator<Cell[][]> {
      try {
        for (;;) yield await Promise.resolve([[Math.random().toString(36), null, null, null]]);
      } finally {
        isStopped = true;
      }
    }
    let read = 0;
    for await (const piece of xlsxOf([{ ...tableOf([]), rows: endless() }])) {
      read += (piece as Buffer).length;
      if (read > 10_000) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isStopped).toBe(true);
  });
});
