import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { readBarcodes } from 'zxing-wasm/reader';
import { codeOf, drawing, prepareReader, sheets, textOf } from '../../test/support/drawings.js';
import { encode } from './encode.js';
import { layOut } from './layout.js';
import type { Drawing } from './layout.js';
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

/** The label of a code, where any size of its modules will do. */
const labelOf = (sheet: keyof typeof SHEETS, symbol: SymbolName, code: string) => {
  const label = { code, name: 'Écran 27 pouces', more: 'Région', organisation: 'Ville de Brest' };
  return layOut(label, encode(symbol, code), { ...SHEETS[sheet], dot: 0 }, measure);
};

/** From where to where its paths go, the symbol first; in millimetres. */
const extentsOf = (svg: string) =>
  [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path]) => {
    const numbers = path!.match(/-?[\d.]+/g)!.map((number) => Number(number) / 10);
    const [across, down] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd));
    const [left, top] = [Math.min(...across!), Math.min(...down!)];
    return { left, top, right: Math.max(...across!), bottom: Math.max(...down!) };
  });

it('An SVG is as large as its label, to a tenth of a millimetre and less', () => {
  const made = labelOf('62mm', 'qr', 'REC-3')!;
  expect(svgOf({ ...made, width: 12.34, height: 57.3 })).toContain('viewBox="0 0 123.4 573"');
});

describe.each(cases)('The SVG of %s with %s', (sheet, symbol) => {
  const codes = ['REC-3', 'LAPTOP-FR-A', 'REC-000123-WW-WW', '0123456789'.repeat(2)];
  const drawings = codes.flatMap((code) => labelOf(sheet, symbol, code) ?? []);

  it('has all of the symbol, and the white that a decoder wants around it', () => {
    for (const made of drawings) {
      const { box, width, height } = made;
      const { columns, rows, quiet } = made.symbol;
      const svg = svgOf(made);
      expect(svg).toContain(`viewBox="0 0 ${Math.round(width * 10)} ${Math.round(height * 10)}"`);
      const [drawn, ...texts] = extentsOf(svg);
      const white = quiet * box.module;
      expect(drawn!.left).toBeCloseTo(box.x, 2);
      expect(drawn!.top).toBeCloseTo(box.y, 2);
      expect(drawn!.right).toBeCloseTo(box.x + columns * box.module, 2);
      expect(drawn!.bottom).toBeCloseTo(box.y + box.height, 2);
      expect(drawn!.left).toBeGreaterThanOrEqual(white - 0.002);
      expect(drawn!.right).toBeLessThanOrEqual(width - white + 0.002);
      if (rows > 1) {
        expect(drawn!.top).toBeGreaterThanOrEqual(white - 0.002);
        expect(drawn!.bottom).toBeLessThanOrEqual(height - white + 0.002);
      }
      for (const { left, top, right, bottom } of texts) {
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect([right <= width, bottom <= height]).toEqual([true, true]);
      }
    }
  });

  it('is read back', async () => {
    for (const made of drawings) {
      const picture = await sharp(Buffer.from(svgOf(made)), { density: 144 })
        .png()
        .toBuffer();
      expect((await readBarcodes(picture)).map(({ text }) => text)).toEqual([made.symbol.text]);
    }
  });
});

describe('A code that is too long for a line', () => {
  const code = 'ANTENNE-DE-BREST/BATIMENT-B/ETAGE-2/BUREAU-214/ECRAN-27-POUCES-4';
  const partsOf = ({ lines }: Drawing) => lines.filter(({ isBold }) => isBold);

  it.each(['l7160', '62mm', 'l7636'] as const)('is whole on %s, in letters that can be read', (sheet) => {
    for (const symbol of ['qr', 'datamatrix'] as const) {
      const made = labelOf(sheet, symbol, code)!;
      const parts = partsOf(made);
      expect(parts.map(({ text }) => text).join('')).toBe(code);
      expect(parts).toEqual(made.lines.slice(0, parts.length));
      for (const { size } of made.lines) expect(size).toBeGreaterThanOrEqual(1.4);
      for (const [at, { text, x, y, size, isBold }] of made.lines.entries()) {
        expect(x + measure(text, isBold) * size).toBeLessThanOrEqual(made.width);
        expect(y - 0.93 * size).toBeGreaterThanOrEqual(at === 0 ? 0 : made.lines[at - 1]!.y);
        expect(y + 0.24 * size).toBeLessThanOrEqual(made.height);
      }
      const zpl = zplOf(made, 203);
      for (const { text } of parts) expect(zpl).toContain(`^FD${text}^FS`);
    }
  });

  it('takes no more lines than it needs', () => {
    expect(partsOf(labelOf('l7636', 'qr', 'REC-000123-WW-WW')!)).toHaveLength(1);
    const made = labelOf('l7636', 'qr', 'REC-000123-WWWWW-WWWWW')!;
    expect(made.lines.map(({ text }) => text)).toEqual([
      'REC-000123-',
      'WWWWW-WWWWW',
      'Écran 27 po…',
      'Région',
      'Ville de Brest',
    ]);
  });

  it('is in as many lines as make its letters the largest where none make them large', () => {
    const made = labelOf('l4731', 'datamatrix', code)!;
    const parts = partsOf(made);
    expect([parts.map(({ text }) => text).join(''), parts.length]).toEqual([code, made.lines.length]);
    for (const { size } of parts) expect(size).toBeGreaterThan(1.2);
  });

  it('is refused where it could not be read', () => {
    const frame = { width: 14, height: 6, dot: 0 };
    const label = { code, name: '', more: '', organisation: '' };
    expect(layOut(label, encode('datamatrix', 'SHORT'), frame, measure)).toBeNull();
  });
});

describe('Letters as small as any', () => {
  const small = { width: 10, height: 7 };
  const long = '28A98488BA2BA28008A571B1343A363356084071086A57B17911972421A429';

  it.each([
    ['datamatrix', 'INV002451R', small],
    ['datamatrix', 'INV002451W', small],
    ['qr', long, SHEETS.l4731],
    ['datamatrix', long, SHEETS.l4731],
    ['datamatrix', 'W'.repeat(40), SHEETS.l4731],
  ] as const)('stay on the label beside a symbol that is read: %s of %s', async (symbol, code, sheet) => {
    for (const dpi of DPIS) {
      const label = { code, name: 'Écran', more: '', organisation: '' };
      const made = layOut(label, encode(symbol, code), { ...sheet, dot: 25.4 / dpi }, measure)!;
      for (const { size } of made.lines) expect(size).toBeGreaterThanOrEqual(1);
      const png = await pngOf(made, dpi);
      expect((await readBarcodes(png)).map(({ text }) => text)).toEqual([code]);
      // Letters that leave the label come back at its left edge, where nothing but white is.
      const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
      const white = Math.round((made.box.x * dpi) / 25.4);
      for (let y = 0; y < info.height; y++)
        expect([...data.subarray(y * info.width, y * info.width + white)].every((grey) => grey === 255)).toBe(
          true,
        );
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
