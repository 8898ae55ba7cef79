import type { Size } from './dataset.js';
import {
  INTRODUCTION,
  COMPARED,
  OPEN,
  GROWTH,
  PAST,
  OPENING,
  CLOSING,
  LONG_ANSWERS,
  RESTING,
  IMPORTING,
  UPLOADING,
  SENDING,
  BROWSING,
} from './headings.js';
import { milliseconds, number, spread, table } from './format.js';
import type { Open, Results, Run } from './results.js';
import { SCENARIOS } from './scenarios.js';
import { SERVERS } from './server.js';
import {
  browsingTable,
  importingTable,
  longTable,
  openingTable,
  restingTable,
  sendingTable,
  uploadingTable,
} from './tables.js';
import type { Case, Standing, Turn } from './turns.js';

type Measured = [name: string, { run: Run; cases: Case[] }];

export const nameOf = ({ purchases, closed }: Size): string =>
  closed > 0 ? `${number(purchases)} + ${closed}` : number(purchases);

/** The Markdown of everything that is known. */
export function render({
  start,
  compared,
  growth,
  past,
  open,
  opening,
  closing,
  long,
  resting,
  importing,
  uploading,
  sending,
  browsing,
}: Results): string {
  const parts = [INTRODUCTION];
  if (start) {
    const { median, min, max } = start.seconds;
    parts.push('## Start', context(start.run));
    parts.push(
      `From \`node dist/main.js\` on a migrated database to ready: ${number(median, 2)} s (${number(min, 2)}–${number(max, 2)} s).`,
    );
    if (start.cold) parts.push(coldTable(start.cold));
  }
  parts.push(
    ...inRuns(COMPARED, compared, comparison),
    ...(open ? [OPEN, context(open.run), ...openTables(open.cases)] : []),
    ...inRuns(GROWTH, growth, growthTables),
    ...inRuns(PAST, past, growthTables),
  );
  if (opening) parts.push(OPENING, context(opening.run), openingTable(opening.sizes));
  if (closing) parts.push(CLOSING, context(closing.run), openingTable(closing.sizes));
  if (long) parts.push(LONG_ANSWERS, context(long.run), longTable(long.sizes));
  if (resting) parts.push(RESTING, context(resting.run), restingTable(resting.sizes));
  if (importing) parts.push(IMPORTING, context(importing.run), importingTable(importing.sizes));
  if (uploading) parts.push(UPLOADING, context(uploading.run), uploadingTable(uploading.sizes));
  if (sending) parts.push(SENDING, context(sending.run), sendingTable(sending.sizes));
  if (browsing) parts.push(BROWSING, context(browsing.run), browsingTable(browsing.measured));
  return parts.join('\n\n');
}

const context = ({ date, machine, settings }: Run) => `_${date}: ${machine}; ${settings}._`;

/** Scenarios in their order, those of one run together. */
function inRuns(heading: string, by: Results['compared'], tables: (of: Measured[]) => string[]): string[] {
  const runs = new Map<string, Measured[]>();
  for (const { name } of SCENARIOS) {
    const measured = by[name];
    if (!measured) continue;
    const key = context(measured.run);
    runs.set(key, [...(runs.get(key) ?? []), [name, measured]]);
  }
  return runs.size === 0 ? [] : [heading, ...[...runs].flatMap(([run, of]) => [run, ...tables(of)])];
}

const FIGURES = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'main thread', 'RSS MiB'];
const figures = ({ rate, p50, p99, cpu, main, rss }: Turn) => [
  number(rate),
  milliseconds(p50),
  milliseconds(p99),
  ...[cpu, main].map((micros) => (micros == null ? '' : number(micros))),
  number(rss),
];

function comparison(of: Measured[]): string[] {
  const isAlone = ([, { cases }]: Measured) => cases[0]!.standings.length === 1;
  const tables = casesOf(of.filter((measured) => !isAlone(measured))).map(({ title, standings }) =>
    table(
      [title, ...FIGURES, 'Recense to it'],
      standings.map(({ name, median, ratio }) => [
        name,
        ...figures(median),
        name === SERVERS.recense ? '' : spread(ratio, 2),
      ]),
    ),
  );
  return [...tables, ...pageModeApart(of.filter(isAlone)).map(aloneTable)];
}

function aloneTable(of: Measured[]): string {
  const cases = casesOf(of);
  const isCompared = cases.some(({ ratio }) => ratio);
  const rows = cases.map(({ title, standings, ratio }) => [
    title,
    ...figures(standings[0]!.median),
    ...(isCompared ? [ratio ? spread(ratio, 2) : ''] : []),
  ]);
  return table(['Recense alone', ...FIGURES, ...(isCompared ? ['to the first'] : [])], rows);
}

const coldTable = (cold: number[]): string =>
  table(
    ['second after that', ...cold.map((_, at) => number(at + 1))],
    [['look-ups', ...cold.map((each) => number(each))]],
  );

const openTables = (cases: Open[]): string[] =>
  cases.map(({ title, rate, standings }) =>
    table(
      [`${title}, ${number(rate)} a second`, 'answers/s', 'p50 ms', 'p99 ms', 'p99.9 ms'],
      standings.map(({ name, waited }) => [
        name,
        number(waited.rate),
        ...[waited.p50, waited.p99, waited.p999].map(milliseconds),
      ]),
    ),
  );

const growthTables = (of: Measured[]) => pageModeApart(of).map(growthTable);

/** Lists by page number apart: all but purchases are counted, which takes the longer the more there is. */
function pageModeApart(of: Measured[]): Measured[][] {
  const isByNumber = ([name]: Measured) => name === 'page-mode';
  const parts = [of.filter((measured) => !isByNumber(measured)), of.filter(isByNumber)];
  return parts.filter(({ length }) => length > 0);
}

const casesOf = (of: Measured[]) => of.flatMap(([, { cases }]) => cases);

function growthTable(of: Measured[]): string {
  const cases = casesOf(of);
  const sizes = cases[0]!.standings.map(({ name }) => name);
  const time = ({ median }: Standing) => milliseconds(1000 / median.rate);
  const rows = cases.map(({ title, standings }) => [
    title,
    ...standings.map(time),
    spread(standings.at(-1)!.ratio, 2),
  ]);
  return table(['', ...sizes, `${sizes.at(-1)} / ${sizes[0]}`], rows);
}
