import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { layOut } from './layout.js';
import type { Drawing } from './layout.js';
import { pagesOf } from './pages.js';
import { drawable, measure, pngOf, svgOf } from './picture.js';
import { SHEETS } from './sheets.js';
import { SYMBOLS, symbolOf } from './symbol.js';
import type { SymbolName } from './symbol.js';
import { escaped, zplOf } from './zpl.js';

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
const MM_PER_INCH = 25.4;
const DPIS = [203, 300];
const sheets = Object.keys(SHEETS) as (keyof typeof SHEETS)[];
const cases = sheets.flatMap((sheet) => SYMBOLS.map((symbol) => [sheet, symbol] as const));

const codeOf = (at: number) => `REC-${String(at).padStart(6, '0')}K`;
const textOf = (symbol: SymbolName, at: number) =>
  symbol === 'code128' ? codeOf(at) : `https://inv.example.org/scan/${codeOf(at)}`;

function drawing(sheet: keyof typeof SHEETS, name: SymbolName, at: number, dpi = 0): Drawing | null {
  const label = {
    code: codeOf(at),
    name: 'Écran 27 pouces à dalle incurvée, réglable',
    more: 'Région',
    organisation: 'Ville de Brest',
  };
  const dot = dpi && MM_PER_INCH / dpi;
  return layOut(label, symbolOf(name, textOf(name, at)), { ...SHEETS[sheet], dot }, measure);
}

/** Bars of 11 characters have no room on the smallest. */
const hasRoom = (sheet: string, symbol: SymbolName) => !(sheet === 'l4731' && symbol === 'code128');

beforeAll(() => prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } }));

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

/** Of Debian's poppler-utils; the check of the project installs it. */
const canDraw = spawnSync('pdftoppm', ['-v']).error === undefined;

describe('Sheets as PDF', () => {
  (canDraw ? it : it.skip).each(sheets)(
    'of %s are read back from their pages, every label',
    async (sheet) => {
      const perPage = SHEETS[sheet].columns * SHEETS[sheet].rows;
      const skip = Math.floor(perPage / 2);
      const count = perPage === 1 ? 2 : perPage;
      const drawings = Array.from({ length: count }, (_, at) => drawing(sheet, 'qr', at)!);
      const folder = mkdtempSync(join(tmpdir(), 'recense-labels-'));
      const pdf = await buffer(
        await pagesOf(Readable.from(drawings), SHEETS[sheet], { skip, dx: 0.5, dy: -0.5 }),
      );
      spawnSync('pdftoppm', ['-r', '300', '-gray', '-png', '-', join(folder, 'page')], { input: pdf });
      const pages = readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name)));
      rmSync(folder, { recursive: true });
      const read = await Promise.all(
        pages.map((page) => readBarcodes(page, { maxNumberOfSymbols: 255, formats: ['QRCode'] })),
      );
      expect(pages).toHaveLength(2);
      expect(
        read
          .flat()
          .map(({ text }) => text)
          .sort(),
      ).toEqual(drawings.map((_, at) => textOf('qr', at)).sort());
    },
  );
});

describe('Letters that the font does not have', () => {
  const [name, shown] = ['漢字 27" 모니터', '□□ 27" □□□'];

  it('are boxes, in pictures and sheets', async () => {
    const label = { code: 'REC-1', name, more: '', organisation: '市役所' };
    const made = layOut(label, symbolOf('qr', 'REC-1'), { ...SHEETS['62mm'], dot: 0 }, measure)!;
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
