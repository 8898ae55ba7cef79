import type { EntityManager } from 'typeorm';
import { noErrors } from '../common/errors.js';
import { fieldNames } from '../contract/field.js';
import { say } from '../common/messages.js';
import { check } from '../contract/validation.pipe.js';
import { DISPOSAL, disposeGone, goneOf } from './disposals.js';
import type { Gone } from './disposals.js';
import type { Articles } from './articles.js';
import type { Kind, Line, Values } from './kind.js';
import type { FirstLines } from './first-lines.js';
import type { LineError } from './lines.js';
import { keyOf, matchLines } from './match.js';
import { plainName } from './names.js';
import type { Column } from './names.js';
import type { OwnColumns } from './own-columns.js';
import type { ImportOptions } from './options.js';
import type { References, Resolve } from './references.js';
import { spoiltBy } from './spoilt.js';
import type { Survey } from './survey.js';
import { asMeant, notedColumns, presetOf } from './presets.js';
import { textOf } from './table.js';
import type { Cell, Row, Table } from './table.js';
import { endWarranty, readMonths } from './warranty.js';
import { contractMessages } from '../contract/contract.messages.js';
import { httpMessages } from '../http/http.messages.js';
import { importMessages } from './imports.messages.js';

/** The columns that a file of this kind may have; what says more than one field comes first. */
export const fieldsOf = (kind: Kind, own: OwnColumns): string[] => [
  ...(kind.more ?? []),
  ...[...fieldNames(kind.row)].filter((field) => field !== 'fields').map((field) => columnOf(kind, field)),
  ...own.columns.keys(),
];

const isArticle = (field: string | null): boolean =>
  field === 'article' || field === 'article_name' || field === 'article_reference';

/** Columns that are there twice or missing. */
export function checkHeader(
  kind: Kind,
  columns: Column[],
  { line }: Table['header'],
  options: ImportOptions,
): LineError[] {
  const known = columns.filter(({ field }) => field !== null);
  const isRepeated = ({ field }: Column, at: number) =>
    known.findIndex((other) => other.field === field) < at;
  const repeated = new Map(known.filter(isRepeated).map((column) => [plainName(column.name), column.name]));
  const isThere = (field: string) =>
    known.some((column) => column.field === field || (field === 'article' && isArticle(column.field)));
  // What a line with nothing in it lacks.
  const defaults = defaultsOf(options);
  const lacked = Object.keys(check(kind.row, {}).errors ?? {})
    .filter((field) => !(field in defaults))
    .map((field) => columnOf(kind, field));
  // Of what is known, what tells it apart, which a path does too; and the article, where the file says more of it.
  const keys = kind.numbered ? [...kind.key, 'name'] : kind.key;
  const more = Object.keys(kind.lookups ?? {}).some(isThere) ? ['article'] : [];
  const ofKnown = keys.some(isThere) ? more : keys.slice(-1);
  const required = options.mode === 'update' ? ofKnown : lacked;
  const missing = required.filter((field) => !isThere(field));
  return [
    ...[...repeated.values()].map((field) => ({ line, field, message: say(httpMessages.given_twice) })),
    ...missing.map((field) => ({ line, field, message: say(contractMessages.required) })),
  ];
}

/** What stands for cells that are empty or not there. */
const defaultsOf = ({ default_purchase_date }: ImportOptions): Values =>
  default_purchase_date === undefined ? {} : { purchase_date: default_purchase_date };

/** What all lines of a file have in common. */
export interface Plan {
  kind: Kind;
  own: OwnColumns;
  columns: Column[];
  /** The columns of the table that the file fills: brand_id for `brand`. */
  fields: string[];
  readings: Survey['readings'];
  options: ImportOptions;
  /** Columns that go into the notes, after their names. */
  noted: number[];
  /** Columns that say that a thing is gone. */
  gone?: Gone | undefined;
}

export function planOf(
  kind: Kind,
  own: OwnColumns,
  columns: Column[],
  { readings }: Survey,
  options: ImportOptions,
): Plan {
  const preset = presetOf(options);
  const noted = preset ? notedColumns(preset, columns) : [];
  const named = new Set(columns.map(({ field }) => field));
  const given = [...named].flatMap((field) =>
    field === null || kind.more?.includes(field) || own.columns.has(field) ? [] : [fieldOf(kind, field)],
  );
  if ([...own.columns.keys()].some((field) => named.has(field))) given.push('fields');
  if (kind.lookups && [...named].some(isArticle)) given.push('article_id');
  if (named.has('warranty_months')) given.push('warranty_end_date');
  if (noted.length > 0) given.push('notes');
  const gone = preset?.gone && goneOf(preset.gone, columns);
  if (gone) given.push(...DISPOSAL);
  const defaults = Object.keys(defaultsOf(options)).filter((field) => fieldNames(kind.row).has(field));
  return {
    kind,
    own,
    columns,
    fields: [...new Set([...given, ...defaults])],
    readings,
    options,
    noted,
    gone,
  };
}

/** What lines before and rows of other tables are found by. */
interface Found {
  firstLines: FirstLines;
  references: References;
  /** Where several columns name the article. */
  articles?: Articles;
  today: string;
}

/** Everything that is wrong with some lines, alone, with those before and with what is stored. */
export async function checkLines(
  manager: EntityManager,
  plan: Plan,
  given: Row[],
  { firstLines, references, articles, today }: Found,
): Promise<Line[]> {
  const { kind, options, gone } = plan;
  const rows = asMeant(given, options);
  const resolve = await references.of(rows);
  const article = articles && (await articles.of(rows, resolve));
  const lines = rows.map((row) => toLine(plan, row, resolve, article));
  await matchLines(manager, kind, lines, firstLines);
  await kind.compare?.(manager, lines, firstLines);
  for (const [at, line] of lines.entries()) {
    plan.own.complete(line);
    const isGood = Object.keys(line.errors).length === 0;
    if (!isGood) continue;
    line.errors = checkMode(kind, line, options);
    if (line.stored) keepDates(line, options);
    endWarranty(line);
    if (gone) disposeGone(gone, line, rows[at]!.cells, today);
    if (kind.rule) line.errors = { ...kind.rule(line.values, line.stored, today), ...line.errors };
  }
  return lines;
}

/** Whether a line may make a row, or change one. A place without a code is found later, by its path. */
function checkMode(kind: Kind, { values, stored }: Line, { mode }: ImportOptions): Line['errors'] {
  const key = keyOf(kind, values);
  if (mode === 'create' && stored) return { [key!]: [say(importMessages.known_already)] };
  const isFoundLater = kind.numbered && key === undefined;
  const isUnknown = mode === 'update' && !stored && !isFoundLater;
  return isUnknown ? { [key ?? kind.key.at(-1)!]: [say(importMessages.not_known)] } : {};
}

/** What a default stands for is what is stored, where something is. */
function keepDates({ values, defaulted, stored }: Line, options: ImportOptions): void {
  for (const field of Object.keys(defaultsOf(options)))
    if (defaulted?.includes(field) && stored?.[field]) values[field] = stored[field];
}

function toLine(
  { kind, own, columns, fields, readings, options, noted }: Plan,
  { line, cells }: Row,
  resolve: Resolve,
  article?: (cells: Cell[]) => ReturnType<Resolve>,
): Line {
  // What stands beyond the last column is nothing as a rule.
  if (cells.length < columns.length || cells.slice(columns.length).some((cell) => cell !== '')) {
    const message = say(importMessages.columns, cells.length, columns.length);
    return { number: line, values: {}, errors: { record: [message] } };
  }
  const given: Values = {};
  const ownGiven: Values = {};
  const wrong = noErrors();
  for (const [at, { field }] of columns.entries()) {
    if (field === null) continue;
    const text = textOf(cells[at]);
    const spoilt = spoiltBy(field, cells[at]!);
    if (spoilt) {
      wrong[field] = [spoilt];
      continue;
    }
    if (kind.more?.includes(field) || (article && field === 'article')) continue;
    const reference = kind.references?.[field];
    const definition = own.columns.get(field);
    if (definition) ownGiven[definition.key] = null;
    if (text === '') continue;
    if (reference) {
      const { id, error } = resolve(field, text);
      given[reference.field] = id;
      if (error) wrong[field] = [error];
      continue;
    }
    const { value, doubt } = readings.get(at)?.(cells[at]!) ?? { value: text };
    if (doubt) wrong[field] = [doubt];
    if (definition) ownGiven[definition.key] = own.valueOf(definition, value);
    else
      given[fieldOf(kind, field)] = kind.lists?.includes(field)
        ? text.split(/[\s|]+/).filter(Boolean)
        : value;
  }
  if (article) {
    const { id, error } = article(cells);
    given.article_id = id;
    if (error) wrong.article = [error];
  }
  const defaults = defaultsOf(options);
  const defaulted = Object.keys(defaults).filter((field) => fields.includes(field) && !(field in given));
  for (const field of defaulted) given[field] = defaults[field];
  const span = textOf(cells[columns.findIndex(({ field }) => field === 'warranty_months')]);
  const isSpan = span !== '' && given.warranty_end_date === undefined && !('warranty_months' in wrong);
  const { months, error } = isSpan ? readMonths(span) : {};
  if (error) wrong.warranty_months = [error];
  const notes = noted.flatMap((at) =>
    textOf(cells[at]) ? [`${columns[at]!.name}: ${textOf(cells[at])}`] : [],
  );
  if (notes.length > 0) given.notes = [given.notes, ...notes].filter(Boolean).join('\n');
  const { value, errors = {} } = check<Values>(kind.row as new () => Values, given);
  const isOfKnown = options.mode === 'update' && keyOf(kind, value) !== undefined;
  for (const [path, messages] of Object.entries(errors)) {
    const field = path.split('.')[0]!;
    if (isOfKnown && !fields.includes(field)) continue; // as it is stored
    wrong[columnOf(kind, field)] ??= messages;
  }
  const values: Values = {};
  for (const field of fields) {
    values[field] = value[field] ?? kind.defaults?.[field] ?? null;
  }
  return { number: line, values, own: ownGiven, errors: wrong, defaulted, warranty_months: months };
}

/** `brand_id` for brand. */
const fieldOf = ({ references, renamed }: Kind, column: string): string =>
  references?.[column]?.field ?? renamed?.[column] ?? column;

/** `brand` for brand_id. */
function columnOf(kind: Kind, field: string): string {
  const columns = Object.keys({ ...kind.references, ...kind.renamed });
  return columns.find((column) => fieldOf(kind, column) === field) ?? field;
}
