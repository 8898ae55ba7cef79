import bwip from '@bwip-js/node';
import type { DrawingContext } from '@bwip-js/node';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Drawing, Measure } from './layout.js';

const MM_PER_INCH = 25.4;
const read = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const FACES = { plain: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' };
let isLoaded = false;

/** The letters, with which bwip-js draws texts too. */
function load(): void {
  if (isLoaded) return;
  for (const face of Object.values(FACES)) bwip.loadFont(face, read(face));
  isLoaded = true;
}

const faceOf = (isBold: boolean) => (isBold ? FACES.bold : FACES.plain);

/** By the letters that are drawn. */
export const measure: Measure = (text, isBold) => {
  load();
  const font = bwip.FontLib.lookup(faceOf(isBold));
  return [...text].reduce(
    (sum, letter) => sum + bwip.FontLib.getpaths(font, letter.codePointAt(0)!, 1000, 1000).advance / 1000,
    0,
  );
};

export const pngOf = (drawing: Drawing, dpi: number): Promise<Buffer> =>
  paint(drawing, dpi, bwip.drawingZlibPng());

export const svgOf = (drawing: Drawing): string => paint(drawing, 10 * MM_PER_INCH, bwip.drawingSVG());

function paint<T>(drawing: Drawing, dpi: number, context: DrawingContext<T>): T {
  load();
  const { width, height, symbol, box, lines } = drawing;
  const dots = (mm: number) => Math.round((mm * dpi) / MM_PER_INCH);
  const module = dots(box.module);
  const left = dots(box.x);
  const top = dots(box.y);
  const high = symbol.rows === 1 ? dots(box.height) : module;
  context.setopts?.({
    bcid: 'qrcode',
    text: '',
    backgroundcolor: 'FFFFFF',
    paddingleft: 0,
    paddingright: 0,
    paddingtop: 0,
    paddingbottom: 0,
  });
  context.scale(1, 1);
  context.init(dots(width), dots(height));
  for (const { column, row, length } of symbol.runs) {
    const [x, y] = [left + column * module, top + row * high];
    const right = x + length * module;
    context.polygon([
      [x, y],
      [x, y + high],
      [right, y + high],
      [right, y],
    ]);
  }
  context.fill('000000');
  for (const { text, x, y, size, isBold } of lines) {
    const letters = dots(size);
    context.text(dots(x), dots(y), text, '000000', {
      name: faceOf(isBold),
      width: letters,
      height: letters,
      dx: 0,
    });
  }
  return context.end();
}
