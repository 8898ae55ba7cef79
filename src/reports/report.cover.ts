import type { Message } from '../common/messages.js';
import { drawTable } from '../exports/page-table.js';
import type { PageColumn } from '../exports/page-table.js';
import { COLOURS, CONTENT_WIDTH } from '../exports/pages.js';
import type { Pages } from '../exports/pages.js';
import type { Report } from './report.dto.js';
import { FIGURES } from './report.figures.js';
import { changeMessages, figureMessages, lineMessages, pageMessages } from './report.messages.js';
import { CHANGES } from '../inventories/comparison.queries.js';
import { CHANGE_TITLES, FIGURE_TITLES, nameOf } from './report.summary.js';
import type { Wording } from './report.wording.js';

const FIGURE_WIDTHS = [150, 65, 65, 65, 80, CONTENT_WIDTH - 425];

/** What the session was, what it has found, what has changed since the one before, and room to sign. */
export async function cover(pages: Pages, report: Report, words: Wording): Promise<void> {
  const { session, comparison } = report;
  pages.paragraph(words.say(pageMessages.title).toLocaleUpperCase(words.locale), 'bold', COLOURS.accent);
  pages.heading('H1', nameOf(session, words.language));
  pages.paragraph(words.say(pageMessages.date, words.day(session.inventory_date)));
  pages.paragraph(
    session.closed_at
      ? words.say(pageMessages.closed, words.instant(session.closed_at), session.closer!.name)
      : words.say(pageMessages.open, words.instant(new Date())),
  );
  pages.paragraph(scopeOf(session, words));
  pages.space(10);
  await drawTable(pages, ...figures(report, words));
  pages.paragraph(words.say(pageMessages.values), 'plain', COLOURS.muted);
  if (comparison) {
    pages.heading('H2', `${words.say(changeMessages.title)} – ${nameOf(comparison.session, words.language)}`);
    await drawTable(pages, ...changes(comparison.changes, words));
  }
  pages.space(16);
  await signature(pages, words);
}

function scopeOf({ scope }: Report['session'], words: Wording): string {
  const names = [...(scope?.locations ?? []), ...(scope?.categories ?? [])].map(({ name }) => name);
  return names.length === 0
    ? words.say(pageMessages.everything)
    : words.say(pageMessages.scope, names.join(', '));
}

const columnsOf = (words: Wording, titles: (Message | null)[], widths: number[]): PageColumn[] =>
  titles.map((title, at) => ({ title: title ? words.say(title) : '', width: widths[at]!, isNumber: at > 0 }));

function figures({ figures: sums, unknown, late }: Report, words: Wording): [PageColumn[], string[][]] {
  const titles = [
    lineMessages.item,
    lineMessages.count,
    pageMessages.share,
    pageMessages.to_decide,
    pageMessages.gross,
    pageMessages.net,
  ];
  const rows = FIGURES.map((name) => {
    const { count, gross, net } = sums[name];
    const share = words.percent(count, sums.expected.count);
    return [
      words.say(FIGURE_TITLES[name]),
      words.number(count),
      share,
      '',
      words.money(gross),
      words.money(net),
    ];
  });
  const counted = (title: Message, { count, open }: Report['late']) => [
    words.say(title),
    words.number(count),
    '',
    words.number(open),
    '',
    '',
  ];
  return [
    columnsOf(words, titles, FIGURE_WIDTHS),
    [...rows, counted(figureMessages.unknown, unknown), counted(figureMessages.late, late)],
  ];
}

function changes(
  all: NonNullable<Report['comparison']>['changes'],
  words: Wording,
): [PageColumn[], string[][]] {
  const titles = [lineMessages.item, lineMessages.count, pageMessages.gross];
  return [
    columnsOf(words, titles, [FIGURE_WIDTHS[0]!, 65, 90]),
    CHANGES.map((name) => [
      words.say(CHANGE_TITLES[name]),
      words.number(all[name].count),
      words.money(all[name].gross),
    ]),
  ];
}

/** Three columns of nothing, high enough to write in. */
async function signature(pages: Pages, words: Wording): Promise<void> {
  const titles = [pageMessages.signed_at, pageMessages.signed_by, pageMessages.signature];
  const columns = titles.map((title) => ({ title: words.say(title), width: CONTENT_WIDTH / 3 }));
  await drawTable(pages, columns, [['', '', '']], { least: 70 });
}
