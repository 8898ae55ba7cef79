import bwip from '@bwip-js/node';
import type { RawOptions } from '@bwip-js/node';
import type { Symbol, SymbolName } from './symbol.js';

/** White modules that a decoder wants around it: ISO/IEC 18004, 16022 and 15417. */
const QUIET: Record<SymbolName, number> = { qr: 4, datamatrix: 2, code128: 10 };
const BCIDS: Record<SymbolName, string> = { qr: 'qrcode', datamatrix: 'datamatrix', code128: 'code128' };

/** @throws Error where the text has what the symbol cannot hold, or too much of it */
export function encode(name: SymbolName, text: string): Symbol {
  // Of the others readers take what is not ASCII for another character; of QR codes they take it for UTF-8.
  if (name !== 'qr' && !/^[ -~]*$/.test(text)) throw new Error('Only ASCII');
  // With one mask for all: trying all eight, which decoders do not need, takes three times as long.
  const options = name === 'qr' ? { eclevel: 'M', mask: 4 } : {};
  const [raw] = bwip.raw({ bcid: BCIDS[name], text, ...options } as RawOptions);
  if (!raw) throw new Error('Nothing was made');
  if ('pixs' in raw)
    return { name, text, columns: raw.pixx, rows: raw.pixy, quiet: QUIET[name], runs: runsOf(raw) };
  const runs: Symbol['runs'] = [];
  let column = 0;
  for (const [at, length] of raw.sbs.entries()) {
    if (at % 2 === 0) runs.push({ column, row: 0, length });
    column += length;
  }
  return { name, text, columns: column, rows: 1, quiet: QUIET[name], runs };
}

/**
 * As large as a label printer makes it. All of its QR code is in one mode, where bwip-js has the digits of a text in less
 * room: it is a size larger then, and would lie over what stands beside it.
 */
export function encodeForPrinter(name: SymbolName, text: string): Symbol {
  if (name !== 'qr' || /^\d+$/.test(text)) return encode(name, text);
  const isShort = /^[\dA-Z $%*+\-./:]*$/.test(text);
  const alike = isShort ? 'A'.repeat(text.length) : 'a'.repeat(Buffer.byteLength(text));
  return { ...encode(name, alike), text };
}

function runsOf({ pixs, pixx, pixy }: { pixs: number[]; pixx: number; pixy: number }): Symbol['runs'] {
  const runs: Symbol['runs'] = [];
  for (let row = 0; row < pixy; row++)
    for (let column = 0; column < pixx; column++) {
      if (pixs[row * pixx + column] !== 1) continue;
      const start = column;
      while (column < pixx && pixs[row * pixx + column] === 1) column++;
      runs.push({ column: start, row, length: column - start });
    }
  return runs;
}
