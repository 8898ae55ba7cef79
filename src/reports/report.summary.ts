import { eurosOf } from '../amortization/asset.js';
import { render, say } from '../common/messages.js';
import type { Language, Message } from '../common/messages.js';
import type { Cell, Table } from '../exports/table.js';
import { columnMessages } from '../exports/exports.messages.js';
import type { Report } from './report.dto.js';
import { FIGURES } from './report.figures.js';
import type { Group } from './progress.dto.js';
import { changeMessages, figureMessages, lineMessages, reportMessages } from './report.messages.js';
import { CHANGES } from '../inventories/comparison.queries.js';

export const FIGURE_TITLES = {
  expected: figureMessages.expected,
  scanned: figureMessages.scanned,
  missing: figureMessages.missing,
  unexpected: figureMessages.unexpected,
  misplaced: figureMessages.misplaced,
};

export const CHANGE_TITLES = {
  newly_missing: changeMessages.newly_missing,
  missing_again: changeMessages.missing_again,
  reappeared: changeMessages.reappeared,
  bought: changeMessages.bought,
  disposed: changeMessages.disposed,
};

/** What a session is called. */
export const nameOf = ({ label, year }: Report['session'], language: Language): string =>
  label ?? `${render(say(reportMessages.title), language)} ${year}`;

/** The first sheet: whatever the report tells before its lines. */
export function summaryTable(report: Report, language: Language): Table {
  const text = (message: Message) => render(say(message), language);
  const columns = [
    { field: 'section', title: text(lineMessages.section), kind: 'text', width: 30 },
    { field: 'item', title: text(lineMessages.item), kind: 'text', width: 40 },
    { field: 'date', title: text(lineMessages.date), kind: 'date', width: 13 },
    { field: 'count', title: text(lineMessages.count), kind: 'integer', width: 12 },
    { field: 'total', title: text(lineMessages.total), kind: 'integer', width: 12 },
    { field: 'gross', title: text(columnMessages.gross), kind: 'money', width: 17 },
    { field: 'net', title: text(columnMessages.net), kind: 'money', width: 17 },
  ] as const;
  return {
    title: text(reportMessages.summary),
    columns: [...columns],
    rows: once(rowsOf(report, language, text)),
  };
}

function rowsOf(report: Report, language: Language, text: (message: Message) => string): Cell[][] {
  const { session, figures, unknown, late, comparison, by } = report;
  const row = (
    section: Message,
    item: string | null,
    cells: Partial<Record<'date' | 'count' | 'total' | 'gross' | 'net', Cell>>,
  ) => {
    const { date = null, count = null, total = null, gross = null, net = null } = cells;
    return [text(section), item, date, count, total, gross, net];
  };
  const euros = ({ count, gross }: { count: number; gross: number }) => ({ count, gross: eurosOf(gross) });
  const parts = (section: Message, all: Group[]) =>
    all.map(({ name, scanned, total }) =>
      row(section, name ?? text(reportMessages.none), { count: scanned, total }),
    );
  const { scanned: count, total, inventory_date: date } = session;
  return [
    row(reportMessages.session, nameOf(session, language), { date, count, total }),
    ...FIGURES.map((name) =>
      row(reportMessages.figures, text(FIGURE_TITLES[name]), {
        ...euros(figures[name]),
        net: eurosOf(figures[name].net),
      }),
    ),
    row(reportMessages.figures, text(figureMessages.unknown), { count: unknown.count }),
    row(reportMessages.figures, text(figureMessages.unknown_open), { count: unknown.open }),
    row(reportMessages.figures, text(figureMessages.late), { count: late.count }),
    row(reportMessages.figures, text(figureMessages.late_open), { count: late.open }),
    ...(comparison
      ? [
          row(changeMessages.title, nameOf(comparison.session, language), {
            date: comparison.session.inventory_date,
          }),
          ...CHANGES.map((name) =>
            row(changeMessages.title, text(CHANGE_TITLES[name]), euros(comparison.changes[name])),
          ),
        ]
      : []),
    ...parts(reportMessages.by_category, by.category),
    ...parts(reportMessages.by_location, by.location),
    ...parts(reportMessages.by_user, by.user),
    ...by.day.map(({ name, scanned }) => row(reportMessages.by_day, null, { date: name, count: scanned })),
  ];
}

async function* once<T>(rows: T[]): AsyncGenerator<T[]> {
  yield await Promise.resolve(rows);
}
