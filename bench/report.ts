import type { Size } from './dataset.js';
import type { Import, Importing } from './importing.js';
import type { Long } from './long.js';
import type { Opening, Waits } from './opening.js';
import type { Case, Results, Run } from './results.js';
import { SCENARIOS } from './scenarios.js';
import { SERVERS } from './server.js';
import type { Spread, Standing, Turn } from './turns.js';

type Measured = [name: string, { run: Run; cases: Case[] }];

export const number = (value: number, digits = 0): string =>
  value
    .toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    .replaceAll(',', ' ');

export const nameOf = ({ purchases, closed }: Size): string =>
  closed > 0 ? `${number(purchases)} + ${closed}` : number(purchases);

const milliseconds = (value: number) => number(value, value < 1 ? 3 : value < 100 ? 1 : 0);
const spread = ({ median, min, max }: Spread, digits: number) =>
  `${number(median, digits)} (${number(min, digits)}–${number(max, digits)})`;

const INTRODUCTION = `# Results of \`npm run bench\`

Written by it; every figure comes from a run. The load generator, PostgreSQL and the server share the cores, so
ratios count more than the figures themselves, and are nearer to 1 than with machines of their own: how the servers
alone compare, the CPU time of a request tells. In every round each server has its turn while the others are idle.
Figures are medians of the rounds, ratios medians of the ratios of each round, with the least and the greatest in
parentheses. Lists by page number, which are counted, have tables of their own and are asked over one connection.`;

const COMPARED = `## Recense and others

The baselines do the same work: request id, duration histogram, log line, token check with a memory of a second, the
same SQL and the same answer; Nest with TypeORM in its own idiom, with repositories, relations and a transaction, and
without the figures of the session that a scan keeps. They have ten connections to the database in a pool; Recense has
four beside its pool, which take these statements without waiting for the answers to those before. “Recense to it” is
how many times as many requests a second Recense answers.`;

const GROWTH = `## With more purchases

Milliseconds of the service for a request: the time of a turn divided by its requests. The last column is how many
times as long a request takes with the most purchases as with the fewest, round by round.`;

const PAST = `## With sessions of the past

The same, “+ 20” with 20 closed sessions of 1 000 000 lines each, as they are a day after their closing.`;

const OPENING = `## Opening a session

Of scans and look-ups over half of the connections each, the p99, and the longest of all rounds in parentheses; from
before the session is opened until a second after it.`;

const CLOSING = `## Closing a session

The same, of a session of which four fifths are scanned: until what it shows is copied, so that nothing changes it.`;

const LONG_ANSWERS = `## Long answers

Whole, one at a time: seconds, MiB of the answer, and in parentheses how many MiB more the process held at most than
before.`;

const IMPORTING = `## Importing purchases

\`npm run import -- purchases\` from the start of its process to its end, once, and the most memory that the process
held. Again: the same file a second time, which changes nothing. Over HTTP: from the request until \`GET /imports/{id}\` says
that it is done, and the most that the service held.`;

/** The Markdown of everything that is known. */
export function render({
  start,
  compared,
  growth,
  past,
  opening,
  closing,
  long,
  importing,
}: Results): string {
  const parts = [INTRODUCTION];
  if (start) {
    const { median, min, max } = start.seconds;
    parts.push('## Start', context(start.run));
    parts.push(
      `From \`node dist/main.js\` on a migrated database to ready: ${number(median, 2)} s (${number(min, 2)}–${number(max, 2)} s).`,
    );
  }
  parts.push(
    ...inRuns(COMPARED, compared, comparison),
    ...inRuns(GROWTH, growth, growthTables),
    ...inRuns(PAST, past, growthTables),
  );
  if (opening) parts.push(OPENING, context(opening.run), openingTable(opening.sizes));
  if (closing) parts.push(CLOSING, context(closing.run), openingTable(closing.sizes));
  if (long) parts.push(LONG_ANSWERS, context(long.run), longTable(long.sizes));
  if (importing) parts.push(IMPORTING, context(importing.run), importingTable(importing.sizes));
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

const FIGURES = ['requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'RSS MiB'];
const figures = ({ rate, p50, p99, cpu, rss }: Turn) => [
  number(rate),
  milliseconds(p50),
  milliseconds(p99),
  cpu === null ? '' : number(cpu),
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
  const rows = casesOf(of).map(({ title, standings }) => [title, ...figures(standings[0]!.median)]);
  return table(['Recense alone', ...FIGURES], rows);
}

const growthTables = (of: Measured[]) => pageModeApart(of).map(growthTable);

/** Lists by page number apart: they are counted, which takes the longer the more there is. */
function pageModeApart(of: Measured[]): Measured[][] {
  const isCounted = ([name]: Measured) => name === 'page-mode';
  const parts = [of.filter((measured) => !isCounted(measured)), of.filter(isCounted)];
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

function openingTable(sizes: Opening[]): string {
  const heading = [
    'purchases',
    'loaded in s',
    'alone, s',
    'beside both, s',
    'scans before, ms',
    'meanwhile',
    'look-ups before, ms',
    'meanwhile',
  ];
  const waits = ({ p99, longest }: Waits) => `${number(p99)} (${number(longest)})`;
  const rows = sizes.map((size) => [
    size.name,
    number(size.loaded, 1),
    number(size.alone, 2),
    number(size.underLoad, 2),
    waits(size.scansBefore),
    waits(size.scansMeanwhile),
    waits(size.readsBefore),
    waits(size.readsMeanwhile),
  ]);
  return table(heading, rows);
}

function longTable(sizes: { name: string; answers: Long[] }[]): string {
  const rows = sizes[0]!.answers.map(({ title }, row) => [
    title,
    ...sizes.map(({ answers }) => {
      const { seconds, size, grown } = answers[row]!;
      return `${number(seconds, 2)} s, ${number(size, 1)} MiB (+${number(grown)})`;
    }),
  ]);
  return table(['', ...sizes.map(({ name }) => name)], rows);
}

function importingTable(sizes: Importing[]): string {
  const titles = ['new', 'again', 'CSV over HTTP', 'XLSX over HTTP'];
  const heading = ['lines', ...titles.flatMap((title) => [`${title}, s`, 'RSS MiB'])];
  const figures = ({ seconds, rss }: Import) => [number(seconds, 1), number(rss)];
  return table(
    heading,
    sizes.map(({ lines, fresh, again, csv, xlsx }) => [
      number(lines),
      ...[fresh, again, csv, xlsx].flatMap(figures),
    ]),
  );
}

function table(heading: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = heading.map((_, column) => (column === 0 ? '---' : '--:'));
  return [heading, rule, ...rows].map(line).join('\n');
}
