export const SYMBOLS = ['qr', 'datamatrix', 'code128'] as const;
export type SymbolName = (typeof SYMBOLS)[number];

/** Black rectangles on a grid of modules, without the white around them. */
export interface Symbol {
  name: SymbolName;
  /** What it holds. */
  text: string;
  columns: number;
  /** Of Code 128 one, which is as high as there is room. */
  rows: number;
  quiet: number;
  runs: { column: number; row: number; length: number }[];
}
