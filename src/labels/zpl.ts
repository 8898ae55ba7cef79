import type { Drawing } from './layout.js';
import { MM_PER_INCH } from './sheets.js';

/**
 * A label for a Zebra printer (ZPL II): `^CI28` says that texts are UTF-8, and `^FH` that what ZPL would take for a
 * command is written in hex. Symbols are the printer's own.
 */
export function zplOf({ width, height, symbol, box, lines }: Drawing, dpi: number): string {
  const dots = (mm: number) => Math.round((mm * dpi) / MM_PER_INCH);
  const module = Math.max(1, dots(box.module));
  const at = (x: number, y: number) => `^FO${dots(x)},${dots(y)}`;
  const code = {
    // Its own white of 10 dots lies above it.
    qr: () =>
      `^FO${dots(box.x)},${Math.max(0, dots(box.y) - 10)}^BQN,2,${module}^FH^FDMA,${escaped(symbol.text)}^FS`,
    datamatrix: () =>
      `${at(box.x, box.y)}^BXN,${module},200,,,,${signNotIn(symbol.text)}^FH^FD${escaped(symbol.text)}^FS`,
    code128: () =>
      `^BY${module}${at(box.x, box.y)}^BCN,${dots(box.height)},N,N,N,A^FH^FD${escaped(symbol.text)}^FS`,
  }[symbol.name];
  const fields = lines.map(({ text: line, x, y, size }) => {
    const letters = dots(size);
    return `${at(x, y - size * 0.93)}^A0N,${letters},${letters}^FH^FD${escaped(line)}^FS`;
  });
  return ['^XA', '^CI28', `^PW${dots(width)}^LL${dots(height)}`, code(), ...fields, '^XZ', ''].join('\n');
}

/** Printable ones but `^` `~` `_` and the comma: more than a code has. */
const SIGNS = Array.from({ length: 93 }, (_, at) => String.fromCharCode(33 + at)).filter(
  (sign) => !/[,^_]/.test(sign),
);

/**
 * What is to begin a control sequence within a Data Matrix. Unless printers are told, it is a tilde or, of old ones, a low
 * line: of `A~1` they make an A and an FNC1.
 */
const signNotIn = (text: string): string => SIGNS.find((sign) => !text.includes(sign))!;

/** What begins a command, and what `^FH` itself takes; as the bytes of UTF-8 in hex. */
export const escaped = (text: string): string =>
  text.replace(/[\^~_\\\p{Cc}]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );
