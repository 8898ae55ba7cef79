import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readBarcodes } from 'zxing-wasm/reader';
import { pagesOf } from '../src/labels/pages.js';
import { SHEETS } from '../src/labels/sheets.js';
import { drawing, prepareReader, sheets, textOf } from './support/drawings.js';

/** Pages as a printer has them, drawn by pdftoppm of Debian's poppler-utils. */
function printed(pdf: Buffer): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'recense-labels-'));
  const { error } = spawnSync('pdftoppm', ['-r', '300', '-gray', '-png', '-', join(folder, 'page')], {
    input: pdf,
  });
  if (error) throw error;
  const pages = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  return pages;
}

beforeAll(prepareReader);

describe('Sheets as PDF', () => {
  it.each(sheets)('of %s are read back from their pages, every label', async (sheet) => {
    const perPage = SHEETS[sheet].columns * SHEETS[sheet].rows;
    const skip = Math.floor(perPage / 2);
    const count = perPage === 1 ? 2 : perPage;
    const drawings = Array.from({ length: count }, (_, at) => drawing(sheet, 'qr', at)!);
    const pages = printed(
      await buffer(await pagesOf(Readable.from(drawings), SHEETS[sheet], { skip, dx: 0.5, dy: -0.5 })),
    );
    expect(pages).toHaveLength(2);
    const read = await Promise.all(
      pages.map((page) => readBarcodes(page, { maxNumberOfSymbols: 255, formats: ['QRCode'] })),
    );
    const texts = read.flat().map(({ text }) => text);
    expect(texts.sort()).toEqual(drawings.map((_, at) => textOf('qr', at)).sort());
  });
});
