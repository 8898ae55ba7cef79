import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { render } from '../common/messages.js';
import type { Column } from '../exports/table.js';
import { xlsxOf } from '../exports/xlsx.js';
import { openTable } from './open.js';
import type { ImportOptions } from './options.js';
import type { IsName, Row } from './table.js';
import { countingFrom1904 } from './workbook-sheets.js';

/** All of a file, as the importer reads it. */
async function read(bytes: Buffer, options: ImportOptions = {}, isName?: IsName) {
  // eslint-disable-next-line @typescript-eslint/require-await -- as a file comes
  const source = async function* () {
    yield bytes;
  };
  const table = await openTable(source, options, isName);
  const rows: Row[] = [];
  for await (const batch of table.batches()) rows.push(...batch.rows);
  return { header: table.header, rows };
}

const refusal = (bytes: Buffer, options?: ImportOptions): Promise<string> =>
  read(bytes, options).then(
    () => 'nothing',
    (error: unknown) => render((error as Error).message),
  );

/** An archive of these parts. */
function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  return buffer(zip.outputStream);
}

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The parts of a workbook with these sheets, each the rows of its XML. */
function workbook(
  sheets: Record<string, string>,
  more: Record<string, string | Buffer> = {},
  states: string[] = [],
  properties = '',
) {
  const names = Object.keys(sheets);
  const stateOf = (at: number) => (states[at] ? ` state="${states[at]}"` : '');
  const file = (at: number) => `worksheets/sheet${at + 1}.xml`;
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}">${properties}<sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}"${stateOf(at)} r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Type="${RELATION}/worksheet" Target="${file(at)}"/>`)
      .join('')}<Relationship Id="rIdS" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/${file(at)}`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });
}
const text = (address: string, value: string) =>
  `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = `<row r="1">${text('A1', 'name')}</row>`;

describe('A workbook', () => {
  it('that the service itself exports is read as it was', async () => {
    const columns: Column[] = ['code', 'purchase_date', 'purchase_price', 'notes'].map((field) => ({
      field,
      title: field,
      kind: ({ purchase_date: 'date', purchase_price: 'money' } as const)[field] ?? 'text',
      width: 10,
    }));
    const rows = [
      ['00042', '2024-03-15', 1161.71, '=1+1'],
      ['é', null, 1.161, 'a\nb'],
    ];
    const stream = xlsxOf([
      {
        title: 'Achats',
        columns,
        // eslint-disable-next-line @typescript-eslint/require-await -- as rows come
        rows: (async function* () {
          yield rows;
        })(),
      },
    ]);
    expect(await read(await buffer(stream))).toEqual({
      header: { line: 1, cells: columns.map(({ field }) => field) },
      rows: [
        { line: 2, cells: ['00042', '2024-03-15', 1161.71, '=1+1'] },
        { line: 3, cells: ['é', '', 1.161, 'a\nb'] },
      ],
    });
  });

  it('may have titles above its header', async () => {
    const row = (at: number, ...cells: string[]) =>
      `<row r="${at}">${cells.map((cell, n) => text(`${'ABC'[n]}${at}`, cell)).join('')}</row>`;
    const rows = `${row(2, 'Register of assets')}${row(3, 'Site', 'Quimper')}${row(5, 'Code', 'Price', 'x')}${row(6, '1', '2', '3')}`;
    const isName = (name: string) => /^(code|price|site)$/i.test(name);
    expect(await read(await workbook({ One: rows }), {}, isName)).toEqual({
      header: { line: 5, cells: ['Code', 'Price', 'x'] },
      rows: [{ line: 6, cells: ['1', '2', '3'] }],
    });
  });

  it('may begin below, have empty cells and rows, formulas, flags and days', async () => {
    const rows = `<row r="3">${text('A3', 'a')}${text('B3', 'b')}${text('C3', 'c')}</row>
      <row r="4"><c r="B4"><v>45306</v></c></row>
      <row r="7"><c r="A7" t="str"><f>A1&amp;"x"</f><v>x</v></c><c r="B7" s="1"><v>45306</v></c><c r="C7" t="b"><v>1</v></c></row>`;
    expect(await read(await workbook({ One: rows }))).toEqual({
      header: { line: 3, cells: ['a', 'b', 'c'] },
      rows: [
        { line: 4, cells: ['', 45306, ''] },
        { line: 7, cells: ['x', '2024-01-15', 'TRUE'] },
      ],
    });
  });

  it('keeps the zeros that people see before a number', async () => {
    const styles = `<styleSheet xmlns="${MAIN}">
      <numFmts count="2"><numFmt numFmtId="164" formatCode="00000000"/><numFmt formatCode='0.000' numFmtId='165'/></numFmts>
      <cellStyleXfs><xf numFmtId="164"/></cellStyleXfs>
      <cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="165"/><xf applyNumberFormat="1" numFmtId="164"><alignment/></xf></cellXfs>
    </styleSheet>`;
    const cells = [
      '<c r="A2" s="2"><v>1234</v></c>',
      '<c r="A3" s="2" t="n"><f>A2+1</f><v>1235</v></c>',
      '<c r="A4" s="2"><v>123456789</v></c>',
      '<c r="A5" s="2"><v>12.5</v></c>',
      '<c r="A6" s="1"><v>7</v></c>',
      '<c r="A7"><v>7</v></c>',
      '<c r="A8" s="2" t="b"><v>1</v></c>',
    ];
    const rows = HEADER + cells.map((cell, at) => `<row r="${at + 2}">${cell}</row>`).join('');
    const book = await workbook({ One: rows }, { 'xl/styles.xml': styles });
    expect((await read(book)).rows.map((row) => row.cells[0])).toEqual([
      '00001234', '00001235', 123456789, 12.5, 7, 7, 'TRUE',
    ]); // prettier-ignore
    const many = Array.from({ length: 30_000 }, (_, n) => `<row r="${n + 2}"><c r="A${n + 2}" s="2"><v>${n}</v></c></row>`); // prettier-ignore
    const all = await read(await workbook({ One: HEADER + many.join('') }, { 'xl/styles.xml': styles }));
    expect(all.rows.map(({ cells: [cell] }) => cell)).toEqual(many.map((_, n) => String(n).padStart(8, '0')));
  });

  it('keeps the errors of formulas, which no cell may lose by the way', async () => {
    const rows = `${HEADER}<row r="2"><c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
      <row r="3">${text('A3', 'of a kind t="e" or t="s"')}</row><row r="4"><c t="e" r="A4" s="1"><v>#N/A</v></c></row>`;
    expect((await read(await workbook({ One: rows }))).rows.map(({ cells }) => cells)).toEqual([
      ['#DIV/0!'],
      ['of a kind t="e" or t="s"'],
      ['#N/A'],
    ]);
  });

  it('has no days before those that Excel counts right, nor after all others', async () => {
    // A formula makes 0 of an empty cell, which stands there as 00/01/1900.
    const numbers = ['0', '0.5', '60', '61', '2958465', '2958466', '-5', '1E300'];
    const rows = numbers.map((n, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="1"><v>${n}</v></c></row>`);
    const { rows: days } = await read(await workbook({ One: HEADER + rows.join('') }));
    expect(days.map(({ cells }) => cells[0])).toEqual([0, 0.5, 60, '1900-03-01', '9999-12-31', 2958466, -5, '#NUM!']); // prettier-ignore
  });

  it('says whether its days count from 1904, as those of old Macs do', async () => {
    const rows = `${HEADER}<row r="2"><c r="A2" s="1"><v>43893</v></c></row>`;
    const of = async (properties: string) => {
      const bytes = await workbook({ One: rows }, {}, [], properties);
      // eslint-disable-next-line @typescript-eslint/require-await -- as a file comes
      const { isFrom1904, batches } = await openTable(async function* () {
        yield bytes;
      }, {});
      for await (const { rows } of batches()) return [isFrom1904, rows[0]!.cells[0]];
    };
    expect(await of('')).toEqual([false, '2020-03-03']);
    expect(await of('<workbookPr date1904="0"/>')).toEqual([false, '2020-03-03']);
    for (const value of ['1', 'true'])
      expect(await of(`<workbookPr defaultThemeVersion="1" date1904="${value}"/>`)).toEqual([
        true,
        '2024-03-04',
      ]);
  });

  it('whose days count from 1904 may list names of megabytes', () => {
    const names = `<definedNames>${'é'.repeat(1_500_000)}</definedNames>`;
    const of = (value: string) => `<workbook><workbookPr date1904='${value}'/>${names}</workbook>`;
    expect(countingFrom1904(Buffer.from(of('true')))!.toString()).toBe(of('true').replace("'true'", '"1"'));
    expect(countingFrom1904(Buffer.from(of('false')))).toBeNull();
  });

  it('has the sheet that is asked for', async () => {
    const bytes = await workbook({ One: HEADER, Deux: `<row r="1">${text('A1', 'nom')}</row>` });
    expect((await read(bytes)).header.cells).toEqual(['name']);
    expect((await read(bytes, { sheet: 'Deux' })).header.cells).toEqual(['nom']);
    expect(await refusal(bytes, { sheet: 'Trois' })).toMatch(/^has no sheet of this name: Trois/);
  });

  it('has its sheets by their names in any case, as Excel does', async () => {
    const bytes = await workbook({ One: HEADER, 'A &amp; É': `<row r="1">${text('A1', 'nom')}</row>` });
    for (const sheet of ['A & É', 'a & é', 'A & E\u0301'])
      expect((await read(bytes, { sheet })).header.cells).toEqual(['nom']);
    expect(await refusal(bytes, { sheet: 'A & E' })).toMatch(/^has no sheet of this name/);
  });

  it('begins with the first sheet that people see; a hidden one is read where it is asked for', async () => {
    const lists = `<row r="1">${text('A1', 'lists')}</row>`;
    const sheets = { Lists: lists, Deep: lists, Things: HEADER };
    const bytes = await workbook(sheets, {}, ['hidden', 'veryHidden', 'visible']);
    expect((await read(bytes)).header.cells).toEqual(['name']);
    expect((await read(bytes, { sheet: 'lists' })).header.cells).toEqual(['lists']);
    const unseen = await workbook({ One: HEADER }, {}, ['hidden']);
    expect((await read(unseen)).header.cells).toEqual(['name']);
  });

  it('begins with the first sheet that is no chart', async () => {
    const file = { Values: 'chartsheet', Things: 'worksheet' };
    const relations = Object.values(file).map(
      (kind, at) =>
        `<Relationship Id="rId${at + 1}" Type="${RELATION}/${kind}" Target="${kind}s/sheet${at + 1}.xml"/>`,
    );
    const more = {
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
      'xl/chartsheets/sheet1.xml': `<chartsheet xmlns="${MAIN}"/>`,
    };
    expect((await read(await workbook({ Values: '', Things: HEADER }, more))).header.cells).toEqual(['name']);
  });

  it('is refused with macros, a password, or where it is none', async () => {
    expect(await refusal(await workbook({ One: HEADER }, { 'xl/vbaProject.bin': 'x' }))).toMatch(
      /^is a workbook with macros/,
    );
    const encrypted = await workbook({ One: HEADER });
    for (let at = encrypted.indexOf('PK\x01\x02'); at >= 0; at = encrypted.indexOf('PK\x01\x02', at + 4))
      encrypted[at + 8]! |= 1;
    expect(await refusal(encrypted)).toMatch(/^is protected by a password/);
    expect(await refusal(await zipOf({ 'assets.csv': 'name' }))).toMatch(/^is a ZIP archive/);
    expect(await refusal(await zipOf({ 'content.xml': 'x' }))).toMatch(/^is an OpenDocument spreadsheet/);
    const whole = await workbook({ One: HEADER });
    expect(await refusal(whole.subarray(0, whole.length - 30))).toMatch(/^is no workbook that can be read/);
    expect(await refusal(await workbook({ One: '<row r="1"><c r="A1" t="s"><v>7</v></c></row>' }))).toMatch(
      /^is no workbook that can be read/,
    );
  });

  it('that would fill the memory is refused before it does', async () => {
    const bytes = await workbook({ One: HEADER }, { 'xl/sharedStrings.xml': Buffer.alloc(1_048_576, ' ') });
    /** With another size of a part in the directory. */
    const saying = (size: number): Buffer => {
      const changed = Buffer.from(bytes);
      changed.writeUInt32LE(size, changed.lastIndexOf('xl/sharedStrings.xml') - 46 + 24);
      return changed;
    };
    expect(await refusal(saying(140 * 1_048_576))).toMatch(/^is far larger unpacked/);
    expect(await refusal(saying(1000))).toMatch(/^is no workbook that can be read/);
    // A single cell, as far out as there is one.
    expect(
      await refusal(await workbook({ One: `${HEADER}<row r="1048576">${text('XFD1048576', 'x')}</row>` })),
    ).toMatch(/^is far larger unpacked/);
  });

  it('whose cells share a long text is refused where they hold far more than the file', async () => {
    const sharing = (rows: number) => {
      const cells = Array.from(
        { length: 26 },
        (_, at) => `<c r="${String.fromCharCode(65 + at)}2" t="s"><v>0</v></c>`,
      );
      const row = (at: number) => `<row r="${at}">${cells.join('').replaceAll('2" t', `${at}" t`)}</row>`;
      const shared = `<sst xmlns="${MAIN}"><si><t>${'x'.repeat(200_000)}</t></si></sst>`;
      const below = Array.from({ length: rows }, (_, at) => row(at + 2)).join('');
      return workbook({ One: HEADER + below }, { 'xl/sharedStrings.xml': shared });
    };
    const { rows } = await read(await sharing(2));
    expect(rows.map(({ cells }) => cells.map((cell) => (cell as string).length))).toEqual([
      Array(26).fill(200_000),
      Array(26).fill(200_000),
    ]);
    expect(await refusal(await sharing(30))).toMatch(/^is far larger unpacked/);
  });

  it('that counts its rows in another way, or has sheets elsewhere, fills no memory either', async () => {
    for (const row of ['99999999', '1e8', '0x5F5E0FF', '&#57;9999999'])
      expect(
        await refusal(await workbook({ One: `${HEADER}<row r="${row}">${text('A2', 'x')}</row>` })),
      ).toMatch(/^is no workbook that can be read/);
    for (const row of [`<row spans='>' r='1e8'>`, `<row r = "99999999">`, `<row x:r="1e8">`])
      expect(await refusal(await workbook({ One: `${HEADER}${row}${text('A2', 'x')}</row>` }))).toMatch(
        /^is no workbook that can be read/,
      );
    expect(await refusal(await workbook({ One: `${HEADER}<row r="9999999"></row>` }))).toMatch(
      /^is far larger unpacked/,
    );
    const sheet = `<worksheet xmlns="${MAIN}"><sheetData><row r="9999999">${text('A9999999', 'x')}</row></sheetData></worksheet>`;
    expect(await refusal(await workbook({ One: HEADER }, { 'xl/styles.xml': sheet }))).toMatch(
      /^is far larger unpacked/,
    );
  });

  it('whose reading would never end is refused', async () => {
    const long = 'z'.repeat(2_000_000);
    for (const row of [
      `<row r="2" x="${long}">${text('A2', 'x')}</row>`,
      `<row r="2">${text('A2', long)}</row>`,
      `<row r="2">${text('A2', `<![CDATA[${'<'.repeat(2_000_000)}]]>`)}</row>`,
      `<!--${'<'.repeat(2_000_000)}--><row r="2">${text('A2', 'x')}</row>`,
    ])
      expect(await refusal(await workbook({ One: HEADER + row }))).toMatch(/^is far larger unpacked/);
    const most = '&quot;'.repeat(32_767);
    const { rows } = await read(await workbook({ One: `${HEADER}<row r="2">${text('A2', most)}</row>` }));
    expect(rows).toEqual([{ line: 2, cells: ['"'.repeat(32_767)] }]);
  });

  it('may write days as ISO has them, which are the same wherever the service is', async () => {
    const day = (address: string, value: string) => `<c r="${address}" t="d"><v>${value}</v></c>`;
    const bytes = await workbook({
      One: `${HEADER}<row r="2">${day('A2', '2024-03-15T00:00:00')}</row><row r="3">${day('A3', '2024-03-15')}</row>`,
    });
    expect((await read(bytes)).rows.map(({ cells }) => cells)).toEqual([
      ['2024-03-15T00:00:00'],
      ['2024-03-15'],
    ]);
  });
});
