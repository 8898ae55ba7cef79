import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** DejaVu Sans, which has Latin, Greek and Cyrillic letters, and the narrow spaces in French numbers. */
const FILES = { plain: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' };

export type Face = keyof typeof FILES;
export const FACES = Object.keys(FILES) as Face[];

export const readFont = (face: Face): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FILES[face]}.ttf`));
