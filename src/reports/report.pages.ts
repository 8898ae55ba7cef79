import type { Readable } from 'node:stream';
import type { Message } from '../common/messages.js';
import { columnMessages } from '../exports/exports.messages.js';
import { drawTable } from '../exports/page-table.js';
import type { PageColumn } from '../exports/page-table.js';
import { Pages } from '../exports/pages.js';
import { BAR, drawBars, drawProgress } from './report.charts.js';
import { cover } from './report.cover.js';
import type { Report } from './report.dto.js';
import { figureMessages, lineMessages, pageMessages, reportMessages } from './report.messages.js';
import { curveOf, longestOf } from './report.curve.js';
import { MISPLACED, MISSING, UNEXPECTED, UNKNOWN_CODES, firstLinesIn } from './report.queries.js';
import type { LineRow, UnknownRow } from './report.queries.js';
import type { Reading } from './report.reading.js';
import { nameOf } from './report.summary.js';
import { wordsIn } from './report.tables.js';
import type { Wording } from './report.wording.js';

/** Lines of a section. */
const MAX_LINES = 2000;

/** What a manager signs: the figures, how it went, and what to look for. */
export async function reportPages(reading: Reading, report: Report, words: Wording): Promise<Readable> {
  const pages = await Pages.of(nameOf(report.session, words.language), words.locale);
  await cover(pages, report, words);
  pages.newPage();
  charts(pages, report, words);
  pages.newPage();
  await missing(pages, reading, report, words);
  await elsewhere(pages, reading, report, words);
  await unknown(pages, reading, report, words);
  return pages.end(words.say(pageMessages.made, words.instant(new Date())), (page, count) =>
    words.say(pageMessages.page, page, count),
  );
}

function charts(pages: Pages, report: Report, words: Wording): void {
  const { total, scanned } = report.session;
  pages.heading('H2', words.say(pageMessages.progress));
  const curve = curveOf(report.hours, words);
  if (!curve) pages.paragraph(words.say(pageMessages.nothing));
  else {
    const { moments, label } = curve;
    const [first, last] = [moments[0]!.at, moments.at(-1)!.at].map(label);
    const values = [first!, last!, words.number(scanned), words.number(total)];
    pages.figure(words.say(pageMessages.progress_drawn, ...values), 240, (box) =>
      drawProgress(pages, box, moments, total, { number: words.number, moment: label }),
    );
  }
  pages.heading('H2', words.say(reportMessages.by_category));
  const groups = longestOf(report.by.category, words);
  const told = (one: (typeof groups)[number]) =>
    `${words.number(one.scanned)} / ${words.number(one.total)} (${words.percent(one.scanned, one.total)})`;
  const alt = groups.map((one) => `${one.name} ${told(one)}`).join(', ');
  if (groups.length === 0) pages.paragraph(words.say(pageMessages.nothing));
  else
    pages.figure(words.say(pageMessages.categories_drawn, alt), groups.length * BAR, (box) =>
      drawBars(pages, box, groups, told),
    );
}

const column = (words: Wording, title: Message, width: number, isNumber = false): PageColumn => ({
  title: words.say(title),
  width,
  isNumber,
});

/** Those that come first, as texts. */
async function firstOf<Row extends (string | null)[]>(
  rows: AsyncIterable<Row[]>,
  textsOf: (row: Row) => (string | null)[],
): Promise<string[][]> {
  const texts: string[][] = [];
  for await (const batch of rows) texts.push(...batch.map((row) => textsOf(row).map((text) => text ?? '')));
  return texts;
}

async function missing(pages: Pages, reading: Reading, report: Report, words: Wording): Promise<void> {
  const { count, gross, net } = report.figures.missing;
  const rows = await firstOf(
    reading.rows<LineRow>(firstLinesIn(reading.source, MISSING, MAX_LINES), 'UTC'),
    ([code, article, serial, , expected, , , , , , , ...value]) => {
      const worth = reading.valuesOf(value);
      return [code, article, serial, expected, words.money(worth.gross), words.money(worth.net)];
    },
  );
  const columns = [
    column(words, columnMessages.code, 72),
    column(words, columnMessages.article, 120),
    column(words, lineMessages.serial_number, 68),
    column(words, lineMessages.expected_location, 105.28),
    column(words, pageMessages.gross, 70, true),
    column(words, pageMessages.net, 70, true),
  ];
  const sums = [
    words.say(pageMessages.sum),
    words.number(count),
    '',
    '',
    words.money(gross),
    words.money(net),
  ];
  await section(pages, words, figureMessages.missing, count, columns, rows, sums);
}

/** What is not where it belongs, or not expected at all. */
async function elsewhere(pages: Pages, reading: Reading, report: Report, words: Wording): Promise<void> {
  const columns = [
    column(words, columnMessages.code, 80),
    column(words, columnMessages.article, 125.28),
    column(words, lineMessages.expected_location, 105),
    column(words, lineMessages.found_location, 105),
    column(words, lineMessages.scanned_by, 90),
  ];
  for (const [name, title, where] of [
    ['misplaced', figureMessages.misplaced, MISPLACED],
    ['unexpected', figureMessages.unexpected, UNEXPECTED],
  ] as const) {
    const rows = await firstOf(
      reading.rows<LineRow>(firstLinesIn(reading.source, where, MAX_LINES), 'UTC'),
      ([code, article, , , expected, found, , , by]) => [code, article, expected, found, by],
    );
    await section(pages, words, title, report.figures[name].count, columns, rows);
  }
}

async function unknown(pages: Pages, reading: Reading, report: Report, words: Wording): Promise<void> {
  const word = wordsIn(words.language);
  const rows = await firstOf(
    reading.rows<UnknownRow>(`${UNKNOWN_CODES} LIMIT ${MAX_LINES}`, 'UTC'),
    ([code, times, , , status, reason]) => [code, words.number(Number(times)), word(status), reason],
  );
  const columns = [
    column(words, columnMessages.code, 200),
    column(words, lineMessages.times, 60, true),
    column(words, lineMessages.status, 75),
    column(words, lineMessages.reason, 170.28),
  ];
  await section(pages, words, figureMessages.unknown, report.unknown.count, columns, rows);
}

async function section(
  pages: Pages,
  words: Wording,
  title: Message,
  count: number,
  columns: PageColumn[],
  rows: string[][],
  sums?: string[],
): Promise<void> {
  pages.heading('H2', `${words.say(title)} (${words.number(count)})`);
  if (rows.length === 0) pages.paragraph(words.say(pageMessages.nothing));
  else await drawTable(pages, columns, rows, { sums });
  const more = count - rows.length;
  if (more === 1) pages.paragraph(words.say(pageMessages.one_more), 'bold');
  else if (more > 1) pages.paragraph(words.say(pageMessages.more, words.number(more)), 'bold');
}
