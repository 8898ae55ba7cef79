import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readBarcodes } from 'zxing-wasm/reader';
import { codeOf, drawing, prepareReader, sheets, textOf } from '../../test/support/drawings.js';
import { encode } from './encode.js';
import { layOut } from './layout.js';
import { pagesOf } from './pages.js';
import { drawable, measure, pngOf, svgOf } from './picture.js';
import { SHEETS } from './sheets.js';
import { SYMBOLS } from './symbol.js';
import type { SymbolName } from './symbol.js';
import { escaped, zplOf } from './zpl.js';

const DPIS = [203, 300];
const cases = sheets.flatMap((sheet) => SYMBOLS.map((symbol) => [sheet, symbol] as const));

/** Bars of 11 characters have no room on the smallest. */
const hasRoom = (sheet: string, symbol: SymbolName) => !(sheet === 'l4731' && symbol === 'code128');

beforeAll(prepareReader);

describe.each(cases)('A label of %s with %s', (sheet, symbol) => {
  it('is read back from its picture, at the dots of a printer', async () => {
    for (const dpi of DPIS) {
      const made = drawing(sheet, symbol, 17, dpi);
      expect(made !== null).toBe(hasRoom(sheet, symbol));
      const read = made ? await readBarcodes(await pngOf(made, dpi)) : [];
      expect(read.map(({ text }) => text)).toEqual(made ? [textOf(symbol, 17)] : []);
    }
  });

  it('has nothing beyond its edge, and no text in the white around the symbol', () => {
    const made = drawing(sheet, symbol, 17);
    if (!made) return;
    const { box, lines, width, height } = made;
    const { columns, rows, quiet } = made.symbol;
    expect(lines[0]!.text).toBe(codeOf(17));
    for (const [at, { text, x, y, size, isBold }] of lines.entries()) {
      expect(x + measure(text, isBold) * size).toBeLessThanOrEqual(width);
      expect(y + 0.24 * size).toBeLessThanOrEqual(height);
      expect(y - 0.93 * size).toBeGreaterThanOrEqual(at === 0 ? 0 : lines[at - 1]!.y);
      const right = box.x + (columns + quiet) * box.module;
      const below = box.y + box.height;
      expect(x >= right - 1e-6 || y - 0.93 * size >= below || rows === 0).toBe(true);
    }
  });
});

describe('Letters that the font does not have', () => {
  const [name, shown] = ['漢字 27" 모니터', '□□ 27" □□□'];

  it('are boxes, in pictures and sheets', async () => {
    const label = { code: 'REC-1', name, more: '', organisation: '市役所' };
    const made = layOut(label, encode('qr', 'REC-1'), { ...SHEETS['62mm'], dot: 0 }, measure)!;
    expect(drawable(name, false)).toBe(shown);
    expect(measure(name, false)).toBe(measure(shown, false));
    for (const dpi of DPIS)
      expect((await readBarcodes(await pngOf(made, dpi))).map(({ text }) => text)).toEqual(['REC-1']);
    expect(svgOf(made)).toContain('<path');
    const pdf = await buffer(await pagesOf(Readable.from([made]), SHEETS['62mm'], { skip: 0, dx: 0, dy: 0 }));
    expect(pdf.length).toBeGreaterThan(1000);
  });
});

describe('ZPL', () => {
  it('escapes what it would take for a command', () => {
    expect(escaped('a^b~c_d\\e\n é')).toBe('a_5eb_7ec_5fd_5ce_0a é');
  });

  it('has the whole label, in UTF-8', () => {
    const zpl = zplOf(drawing('62mm', 'qr', 1, 203)!, 203);
    expect(zpl).toMatch(
      /^\^XA\n\^CI28\n\^PW496\^LL232\n\^FO\d+,\d+\^BQN,2,\d+\^FH\^FDMA,https:\/\/inv\.example\.org\/scan\/REC-000001K\^FS\n/,
    );
    expect(zpl).toMatch(/\^FH\^FDREC-000001K\^FS\n[^]*Écran[^]*\^XZ\n$/);
  });
});
