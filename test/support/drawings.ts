import { readFileSync } from 'node:fs';
import { prepareZXingModule } from 'zxing-wasm/reader';
import { layOut } from '../../src/labels/layout.js';
import type { Drawing } from '../../src/labels/layout.js';
import { measure } from '../../src/labels/picture.js';
import { SHEETS } from '../../src/labels/sheets.js';
import { encode } from '../../src/labels/encode.js';
import type { SymbolName } from '../../src/labels/symbol.js';

const MM_PER_INCH = 25.4;

export const sheets = Object.keys(SHEETS) as (keyof typeof SHEETS)[];

export const codeOf = (at: number) => `REC-${String(at).padStart(6, '0')}K`;
export const textOf = (symbol: SymbolName, at: number) =>
  symbol === 'code128' ? codeOf(at) : `https://inv.example.org/scan/${codeOf(at)}`;

/** The label of a thing, laid out for a sheet; at the dots of a printer, if any. */
export function drawing(sheet: keyof typeof SHEETS, name: SymbolName, at: number, dpi = 0): Drawing | null {
  const label = {
    code: codeOf(at),
    name: 'Écran 27 pouces à dalle incurvée, réglable',
    more: 'Région',
    organisation: 'Ville de Brest',
  };
  const dot = dpi && MM_PER_INCH / dpi;
  return layOut(label, encode(name, textOf(name, at)), { ...SHEETS[sheet], dot }, measure);
}

/** Its wasm comes from a public host unless it is given. */
export function prepareReader(): void {
  const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } });
}
