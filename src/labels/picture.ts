import bwip from '@bwip-js/node';
import type { DrawingContext } from '@bwip-js/node';
import { FACES, readFont } from '../common/fonts.js';
import type { Face } from '../common/fonts.js';
import type { Drawing, Measure } from './layout.js';
import { MM_PER_INCH } from './sheets.js';

const BOX = '□';
let isLoaded = false;

/** The letters, with which bwip-js draws texts too. */
function load(): void {
  if (isLoaded) return;
  for (const face of FACES) bwip.loadFont(face, readFont(face));
  isLoaded = true;
}

const faceOf = (isBold: boolean): Face => (isBold ? 'bold' : 'plain');

/** How wide letters are at a size of 1, null where the font does not have them: to be asked for takes a third of a label. */
const widths = { plain: new Map<string, number | null>(), bold: new Map<string, number | null>() };

function widthOf(letter: string, isBold: boolean): number | null {
  const known = widths[faceOf(isBold)];
  let width = known.get(letter);
  if (width === undefined) {
    load();
    const font = bwip.FontLib.lookup(faceOf(isBold));
    const paths = bwip.FontLib.getpaths(font, letter.codePointAt(0)!, 1000, 1000) as {
      advance: number;
    } | null;
    width = paths && paths.advance / 1000;
    known.set(letter, width);
  }
  return width;
}

/** A text as it can be drawn: with a box for each letter that the font does not have, such as those of Chinese. */
export const drawable = (text: string, isBold: boolean): string =>
  [...text].map((letter) => (widthOf(letter, isBold) === null ? BOX : letter)).join('');

/** By the letters that are drawn. */
export const measure: Measure = (text, isBold) =>
  [...text].reduce((sum, letter) => sum + (widthOf(letter, isBold) ?? widthOf(BOX, isBold)!), 0);

export const pngOf = (drawing: Drawing, dpi: number): Promise<Buffer> =>
  paint(drawing, (mm) => Math.round((mm * dpi) / MM_PER_INCH), bwip.drawingZlibPng());

/** In tenths of a millimetre, not whole ones: what is rounded of a module adds up to the end of the symbol. */
export const svgOf = (drawing: Drawing): string => paint(drawing, (mm) => 10 * mm, bwip.drawingSVG());

/** As bwip-js trims all other numbers of an SVG. */
const trimmed = (size: number) => Number(size.toFixed(2));

/** bwip-js draws none that are narrower, in dots. */
const NARROWEST = 8;

/**
 * Letters are a whole number of dots wide, which adds up where they are small: they are narrower, or else closer, where
 * they would leave the label. What does so is drawn on its other side, over the symbol.
 */
function fontOf(context: DrawingContext<unknown>, text: string, name: string, height: number, room: number) {
  const isWithin = (width: number) => context.measure(text, name, width, height).width <= room;
  let width = height;
  while (width > NARROWEST && !isWithin(width)) width--;
  return { name, width, height, dx: isWithin(width) ? 0 : -1 };
}

/** @param dots how many of what the picture is made of are so many millimetres */
function paint<T>(drawing: Drawing, dots: (mm: number) => number, context: DrawingContext<T>): T {
  load();
  const { width, height, symbol, box, lines } = drawing;
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
  context.init(trimmed(dots(width)), trimmed(dots(height)));
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
    const drawn = drawable(text, isBold);
    const font = fontOf(context, drawn, faceOf(isBold), dots(size), dots(width - x));
    context.text(dots(x), dots(y), drawn, '000000', font);
  }
  return context.end();
}
