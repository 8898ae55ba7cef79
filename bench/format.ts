import type { Spread } from './turns.js';

export const number = (value: number, digits = 0): string =>
  value
    .toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replaceAll(',', ' ');

export const milliseconds = (value: number) => number(value, value < 1 ? 3 : value < 100 ? 1 : 0);

export const spread = ({ median, min, max }: Spread, digits: number) =>
  `${number(median, digits)} (${number(min, digits)}–${number(max, digits)})`;

/** In Markdown. */
export function table(heading: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = heading.map((_, column) => (column === 0 ? '---' : '--:'));
  return [heading, rule, ...rows].map(line).join('\n');
}
