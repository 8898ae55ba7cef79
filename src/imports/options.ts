import type { Delimiter } from '../contract/delimiter.js';
import type { ENCODINGS } from './encoding.js';

export const FORMATS = ['recense', 'list', 'snipe-it', 'shelf', 'homebox'] as const;
export const DECIMALS = ['auto', 'comma', 'point'] as const;
export const DATES = ['auto', 'iso', 'dmy', 'mdy'] as const;
export const MODES = ['upsert', 'create', 'update'] as const;

/** How a file is read, where it does not say so by itself; and what its lines may do. */
export interface ImportOptions {
  /** Which program wrote it. */
  format?: (typeof FORMATS)[number];
  delimiter?: Delimiter;
  /** Of a workbook: its name; the first one where there is none. */
  sheet?: string;
  encoding?: (typeof ENCODINGS)[number];
  decimal?: (typeof DECIMALS)[number];
  dates?: (typeof DATES)[number];
  /** YYYY-MM-DD, for lines without. */
  default_purchase_date?: string;
  mode?: (typeof MODES)[number];
  /** Checks only. */
  dry_run?: boolean;
}
