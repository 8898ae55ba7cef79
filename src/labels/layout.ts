import type { Symbol } from './symbol.js';

/** What stands on a label. */
export interface Label {
  code: string;
  /** Of the article, or of the place. */
  name: string;
  /** Below the name. */
  more: string;
  organisation: string;
}

/** A line of text: its baseline, in millimetres from the top left of the label. */
interface Line {
  text: string;
  x: number;
  y: number;
  /** Of the letters, in millimetres. */
  size: number;
  isBold: boolean;
}

/** A label, drawn: millimetres from its top left. */
export interface Drawing {
  width: number;
  height: number;
  symbol: Symbol;
  /** Where its black begins, and how large a module is; of Code 128, how high the bars are. */
  box: { x: number; y: number; module: number; height: number };
  lines: Line[];
}

/** How wide a text would be at a size of 1. */
export type Measure = (text: string, isBold: boolean) => number;

interface Frame {
  width: number;
  height: number;
  /** Modules are a whole number of these, for printers that make dots; 0 where any size will do. */
  dot: number;
}

/** Smaller modules are not read by phones, or not printed. */
const MIN_MODULE = 0.25;
const MAX_MODULE = 0.8;
const MARGIN = 1;
/** Of letters; those of a code are smaller than `min` where it has no room else, and never smaller than `least`. */
const SIZES = { least: 1, min: 1.4, code: 4.2, name: 3.2, organisation: 2.4 };
const LEADING = 1.25;
/** Of the size: where letters end below and begin above the baseline. */
const ASCENT = 0.93;

/** No font draws them: the words before and after would be one. */
const BREAKS = /[\t-\r\u2028\u2029]+/g;

/** Puts symbol and text side by side, or a bar code above its text. Null where the symbol or the code has no room. */
export function layOut(label: Label, symbol: Symbol, frame: Frame, measure: Measure): Drawing | null {
  return symbol.rows === 1 ? stacked(label, symbol, frame, measure) : beside(label, symbol, frame, measure);
}

function beside(label: Label, symbol: Symbol, frame: Frame, measure: Measure): Drawing | null {
  const { width, height } = frame;
  const across = symbol.rows + 2 * symbol.quiet;
  const module = moduleOf(Math.min(height, width / 2) / across, frame);
  if (module === null) return null;
  const side = across * module;
  const top = (height - side) / 2 + symbol.quiet * module;
  const box = { x: symbol.quiet * module, y: top, module, height: symbol.rows * module };
  const area = { x: side, y: MARGIN, width: width - side - MARGIN, height: height - 2 * MARGIN };
  const lines = linesIn(area, label, measure);
  return lines && { width, height, symbol, box, lines };
}

function stacked(label: Label, symbol: Symbol, frame: Frame, measure: Measure): Drawing | null {
  const { width, height } = frame;
  const module = moduleOf(width / (symbol.columns + 2 * symbol.quiet), frame);
  if (module === null) return null;
  const bars = height * 0.45 - MARGIN;
  const box = { x: (width - symbol.columns * module) / 2, y: MARGIN, module, height: bars };
  const y = MARGIN + bars + 0.5;
  const area = { x: 2 * MARGIN, y, width: width - 4 * MARGIN, height: height - y - MARGIN };
  const lines = linesIn(area, label, measure);
  return lines && { width, height, symbol, box, lines };
}

function moduleOf(room: number, { dot }: Frame): number | null {
  const wanted = Math.min(room, MAX_MODULE);
  const module = dot > 0 ? Math.floor(wanted / dot + 1e-6) * dot : wanted;
  return module < MIN_MODULE - 1e-3 ? null : module;
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The code whole, as large as it goes; the others cut where they are longer, and left out where there is no room. Null where
 * the code could not be read.
 */
function linesIn(area: Area, { code, name, more, organisation }: Label, measure: Measure): Line[] | null {
  const plain = Math.min(SIZES.name, Math.max(SIZES.min, area.height / 3.5));
  const small = Math.min(SIZES.organisation, Math.max(SIZES.min, area.height / 4));
  const lines: Line[] = [];
  let { y } = area;
  const put = (text: string, size: number, isBold: boolean) => {
    lines.push({ text, x: area.x, y: y + size * ASCENT, size, isBold });
    y += size * LEADING;
  };
  const { parts, size: whole } = codeIn(area, code, measure);
  if (whole < SIZES.least) return null;
  for (const part of parts) put(part, whole, true);
  for (const [given, size] of [
    [name, plain],
    [more, plain],
    [organisation, small],
  ] as const) {
    const text = given.normalize('NFC').replace(BREAKS, ' ');
    if (text === '' || y + size * LEADING > area.y + area.height + 1e-6) continue;
    put(
      cut(text, area.width / size, (part) => measure(part, false)),
      size,
      false,
    );
  }
  return lines;
}

/** In as few lines as it can be read in well; where there are none, in as many as make its letters the largest. */
function codeIn({ width, height }: Area, code: string, measure: Measure): { parts: string[]; size: number } {
  const letters = [...code];
  const inLines = (count: number) => {
    const parts = chunks(letters, Math.ceil(letters.length / count));
    const widest = Math.max(...parts.map((part) => measure(part, true)));
    const lines = 1 + (parts.length - 1) * LEADING;
    return { parts, size: Math.min(SIZES.code, height / lines, width / widest) };
  };
  let largest = inLines(1);
  for (let count = 2; largest.size < SIZES.min && count <= height / SIZES.least; count++) {
    const made = inLines(count);
    if (made.size > largest.size) largest = made;
  }
  return largest;
}

function chunks(letters: string[], length: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += length) parts.push(letters.slice(at, at + length).join(''));
  return parts;
}

/** As much of it as is no wider, with an ellipsis where that is not all. */
function cut(text: string, width: number, widthOf: (part: string) => number): string {
  if (widthOf(text) <= width) return text;
  const letters = [...text];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${letters.slice(0, middle).join('').trimEnd()}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${letters.slice(0, low).join('').trimEnd()}…`;
}
