import { COLOURS } from '../exports/pages.js';
import type { Box, Pages } from '../exports/pages.js';
import type { Group } from './progress.dto.js';

const AXIS = { left: 48, bottom: 18, top: 8, right: 8 };
const SMALL = 7.5;
const TICKS = 4;

export interface Moment {
  /** In milliseconds; of the clock on the wall. */
  at: number;
  scanned: number;
}

/** What was scanned by each moment, as a curve below the line of what is expected. */
export function drawProgress(
  pages: Pages,
  { x, y, width, height }: Box,
  moments: Moment[],
  total: number,
  say: { number: (value: number) => string; moment: (at: number) => string },
): void {
  const { doc } = pages;
  const [left, top] = [x + AXIS.left, y + AXIS.top];
  const [right, bottom] = [x + width - AXIS.right, y + height - AXIS.bottom];
  const [first, last] = [moments[0]!.at, moments.at(-1)!.at];
  const highest = Math.max(total, moments.at(-1)!.scanned, 1);
  const across = (at: number) => left + ((at - first) / (last - first)) * (right - left);
  const up = (value: number) => bottom - (value / highest) * (bottom - top);

  for (let value = 0; value <= highest; value += stepOf(highest)) {
    doc.moveTo(left, up(value)).lineTo(right, up(value)).lineWidth(0.4).stroke(COLOURS.line);
    const label = say.number(value);
    pages.line(label, left - 6 - pages.widthOf(label, 'plain', SMALL), up(value) - 5, SMALL, AXIS.left);
  }
  for (let tick = 0; tick <= TICKS; tick++) {
    const at = first + ((last - first) * tick) / TICKS;
    const moment = say.moment(at);
    const size = pages.widthOf(moment, 'plain', SMALL);
    pages.line(moment, Math.min(across(at) - size / 2, right - size), bottom + 5, SMALL, size + 1);
  }
  const trace = () => {
    doc.moveTo(left, up(moments[0]!.scanned));
    for (const { at, scanned } of moments) doc.lineTo(across(at), up(scanned));
  };
  trace();
  doc.lineTo(right, bottom).lineTo(left, bottom).closePath().fill(COLOURS.pale);
  trace();
  doc.lineWidth(1.6).stroke(COLOURS.accent);
  doc.moveTo(left, up(total)).lineTo(right, up(total));
  doc.lineWidth(0.8).dash(3, { space: 3 }).stroke(COLOURS.ink).undash();
}

/** 1, 2 or 5 of a power of ten, so that there are three to seven up to that. */
function stepOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / 3));
  const [step = 5] = [1, 2].filter((one) => highest / (one * power) <= 7);
  return Math.max(1, step * power);
}

export const BAR = 17;
const NAMES = 165;
const FIGURES = 120;

/** A bar for each, of how much of it is scanned. */
export function drawBars(
  pages: Pages,
  { x, y, width }: Box,
  groups: (Group & { total: number })[],
  say: (group: Group & { total: number }) => string,
): void {
  const { doc } = pages;
  const whole = width - NAMES - FIGURES;
  for (const [at, group] of groups.entries()) {
    const top = y + at * BAR;
    pages.line(group.name!, x, top + 2, 8, NAMES - 14, COLOURS.ink);
    doc.rect(x + NAMES, top + 2, whole, BAR - 7).fill(COLOURS.pale);
    const done = (whole * group.scanned) / Math.max(group.total, 1);
    if (done > 0) doc.rect(x + NAMES, top + 2, done, BAR - 7).fill(COLOURS.accent);
    pages.line(say(group), x + NAMES + whole + 8, top + 2, 8, FIGURES - 8, COLOURS.ink);
  }
}
