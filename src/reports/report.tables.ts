import { eurosOf } from '../amortization/asset.js';
import { render, say } from '../common/messages.js';
import type { Language, Message } from '../common/messages.js';
import { mapped } from '../exports/download.js';
import { columnMessages } from '../exports/exports.messages.js';
import type { Cell, Column, Table } from '../exports/table.js';
import { valueOf } from '../fields/values.js';
import type { FieldValues } from '../fields/values.js';
import { figureMessages, lineMessages, reportMessages, wordMessages } from './report.messages.js';
import { MISPLACED, MISSING, UNEXPECTED, UNKNOWN_CODES, linesIn } from './report.queries.js';
import type { LineRow, OwnColumn, UnknownRow } from './report.queries.js';
import type { Reading } from './report.reading.js';

type Titled = Omit<Column, 'title'> & { title: Message };

const COLUMNS = [
  { field: 'code', title: columnMessages.code, kind: 'text', width: 16 },
  { field: 'article', title: columnMessages.article, kind: 'text', width: 40 },
  { field: 'serial_number', title: lineMessages.serial_number, kind: 'text', width: 20 },
  { field: 'category', title: columnMessages.category, kind: 'text', width: 24 },
  { field: 'expected_location', title: lineMessages.expected_location, kind: 'text', width: 40 },
  { field: 'found_location', title: lineMessages.found_location, kind: 'text', width: 40 },
  { field: 'state', title: lineMessages.state, kind: 'text', width: 12 },
  { field: 'scanned_at', title: lineMessages.scanned_at, kind: 'instant', width: 17 },
  { field: 'scanned_by', title: lineMessages.scanned_by, kind: 'text', width: 24 },
  { field: 'condition', title: lineMessages.condition, kind: 'text', width: 13 },
  { field: 'purchase_price', title: lineMessages.purchase_price, kind: 'money', width: 15 },
  { field: 'net_book_value', title: lineMessages.net_book_value, kind: 'money', width: 22 },
] as const;
/** What no missing thing has. */
const OF_SCANS = ['found_location', 'state', 'scanned_at', 'scanned_by', 'condition'];

const UNKNOWN_COLUMNS = [
  { field: 'code', title: columnMessages.code, kind: 'text', width: 40 },
  { field: 'times', title: lineMessages.times, kind: 'integer', width: 12 },
  { field: 'first_at', title: lineMessages.first_at, kind: 'instant', width: 17 },
  { field: 'last_at', title: lineMessages.last_at, kind: 'instant', width: 17 },
  { field: 'status', title: lineMessages.status, kind: 'text', width: 12 },
  { field: 'reason', title: lineMessages.reason, kind: 'text', width: 60 },
] as const;

/** Those of fields of one's own, which have the names that people gave them. */
const ownColumns = ({ ownFields }: Reading): Column[] =>
  ownFields.map(({ key, name, type }) => ({
    field: `field.${key}`,
    title: name,
    kind: type === 'date' ? 'date' : type === 'number' ? 'decimal' : 'text',
    width: 20,
  }));

function ownCells(own: OwnColumn[], fields: string | null, truth: (value: boolean) => string): Cell[] {
  const values = fields === null ? {} : (JSON.parse(fields) as FieldValues);
  return own.map(({ key }) => {
    const value = valueOf(values, key);
    return typeof value === 'boolean' ? truth(value) : value;
  });
}

const columnsOf = (columns: readonly Titled[], language: Language): Column[] =>
  columns.map(({ title, ...column }) => ({ ...column, title: render(say(title), language) }));

/** The lines for programs: words and instants as JSON has them. */
export function linesTable(reading: Reading): Table {
  const rows = reading.rows<LineRow>(linesIn(reading.source), 'UTC');
  const line = cellsOf(reading, String, isoOf, String);
  const columns = [...columnsOf(COLUMNS, 'en'), ...ownColumns(reading)];
  return { title: '', columns, rows: mapped(rows, (batch) => batch.map(line)) };
}

/** For people: the lines of which `where` is true. */
function sheet(
  reading: Reading,
  title: Message,
  language: Language,
  timeZone: string,
  where?: string,
): Table {
  const word = wordsIn(language);
  const truth = (value: boolean) => word(value ? 'yes' : 'no');
  const line = cellsOf(reading, word, String, truth);
  const isShown = COLUMNS.map(({ field }) => where !== MISSING || !OF_SCANS.includes(field));
  const shown = <T>(cells: readonly T[]) => cells.filter((_, at) => isShown[at] ?? true);
  const rows = reading.rows<LineRow>(linesIn(reading.source, where), timeZone);
  return {
    title: render(say(title), language),
    columns: [...columnsOf(shown<Titled>(COLUMNS), language), ...ownColumns(reading)],
    rows: mapped(rows, (batch) => batch.map((row) => shown(line(row)))),
  };
}

/** Every sheet after the first. */
export const sheets = (reading: Reading, language: Language, timeZone: string): Table[] => [
  sheet(reading, figureMessages.missing, language, timeZone, MISSING),
  sheet(reading, figureMessages.misplaced, language, timeZone, MISPLACED),
  sheet(reading, figureMessages.unexpected, language, timeZone, UNEXPECTED),
  unknownSheet(reading, language, timeZone),
  sheet(reading, reportMessages.lines, language, timeZone),
];

function unknownSheet(reading: Reading, language: Language, timeZone: string): Table {
  const word = wordsIn(language);
  const rows = reading.rows<UnknownRow>(UNKNOWN_CODES, timeZone);
  return {
    title: render(say(figureMessages.unknown), language),
    columns: columnsOf(UNKNOWN_COLUMNS, language),
    rows: mapped(rows, (batch) =>
      batch.map(([code, times, first, last, status, reason]) => [
        code,
        Number(times),
        first,
        last,
        word(status),
        reason,
      ]),
    ),
  };
}

const WORDS = {
  scanned: wordMessages.scanned,
  missing: wordMessages.missing,
  unexpected: wordMessages.unexpected,
  good: wordMessages.good,
  damaged: wordMessages.damaged,
  unusable: wordMessages.unusable,
  open: wordMessages.open,
  linked: wordMessages.linked,
  dismissed: wordMessages.dismissed,
  yes: wordMessages.yes,
  no: wordMessages.no,
};
type Word = keyof typeof WORDS;

export function wordsIn(language: Language): (word: Word) => string {
  const words = Object.entries(WORDS).map(([word, message]) => [word, render(say(message), language)]);
  const known = Object.fromEntries(words) as Record<Word, string>;
  return (word) => known[word];
}

function cellsOf(
  { valuesOf, ownFields }: Reading,
  word: (word: Word) => string,
  instant: (at: string) => string,
  truth: (value: boolean) => string,
) {
  return ([
    code,
    article,
    serial,
    category,
    expected,
    found,
    state,
    at,
    by,
    condition,
    fields,
    ...value
  ]: LineRow): Cell[] => {
    const { gross, net } = valuesOf(value);
    return [
      code,
      article,
      serial,
      category,
      expected,
      found,
      word(state),
      at && instant(at),
      by,
      condition && word(condition),
      gross && eurosOf(gross),
      net && eurosOf(net),
      ...ownCells(ownFields, fields, truth),
    ];
  };
}

/** Of an instant in UTC, whose last zeros PostgreSQL leaves away. */
const isoOf = (at: string): string =>
  `${at.slice(0, 10)}T${at.slice(11, 19)}.${at.slice(20).padEnd(3, '0')}Z`;
