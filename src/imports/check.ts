import type { EntityManager } from 'typeorm';
import { noErrors } from '../common/errors.js';
import { fieldNames } from '../contract/field.js';
import { say } from '../common/messages.js';
import { check } from '../contract/validation.pipe.js';
import { cellValue, twoReadings } from './cells.js';
import type { CsvBatch, CsvFile, CsvRecord, Delimiter } from './csv.js';
import type { Kind, Line, Values } from './kind.js';
import type { FirstLines } from './first-lines.js';
import type { LineError } from './lines.js';
import { matchLines } from './match.js';
import type { References, Resolve } from './references.js';
import { contractMessages } from '../contract/contract.messages.js';
import { httpMessages } from '../http/http.messages.js';
import { importMessages } from './imports.messages.js';

/** The columns that a file of this kind may have. */
export const columns = (kind: Kind): string[] =>
  [...fieldNames(kind.row)].map((field) => columnOf(kind, field));

/** Columns that are unknown, there twice or missing. */
export function checkHeader(kind: Kind, { line, cells }: CsvRecord): LineError[] {
  const given = cells.map((cell) => cell.trim());
  const known = columns(kind);
  // What a line with nothing in it lacks.
  const required = Object.keys(check(kind.row, {}).errors ?? {}).map((field) => columnOf(kind, field));
  const errors = [...new Set(given)].flatMap((column) => {
    const field = column || `column ${given.indexOf(column) + 1}`;
    if (!known.includes(column)) return [{ line, field, message: say(importMessages.unknown_column) }];
    const isRepeated = given.indexOf(column) !== given.lastIndexOf(column);
    return isRepeated ? [{ line, field, message: say(httpMessages.given_twice) }] : [];
  });
  const missing = required.filter((column) => !given.includes(column));
  return [...errors, ...missing.map((field) => ({ line, field, message: say(contractMessages.required) }))];
}

/** Everything that is wrong with some lines, alone, with those before and with what is stored. */
export async function checkLines(
  manager: EntityManager,
  kind: Kind,
  file: CsvFile,
  { records }: CsvBatch,
  { firstLines, references }: { firstLines: FirstLines; references: References },
): Promise<Line[]> {
  const resolve = await references.of(records);
  const columns = columnsOf(kind, file);
  const lines = records.map((record) => toLine(kind, columns, record, resolve));
  await matchLines(manager, kind, lines, firstLines);
  for (const line of lines) {
    const isGood = Object.keys(line.errors).length === 0;
    if (kind.rule && isGood) line.errors = kind.rule(line.values, line.stored);
  }
  return lines;
}

/** What all lines of a file have in common. */
interface Columns {
  names: string[];
  fields: string[];
  delimiter: Delimiter;
}

const columnsOf = (kind: Kind, { header, delimiter }: CsvFile): Columns => ({
  names: header.cells.map((cell) => cell.trim()),
  fields: fieldsOf(kind, header),
  delimiter,
});

function toLine(
  kind: Kind,
  { names, fields, delimiter }: Columns,
  { line, cells }: CsvRecord,
  resolve: Resolve,
): Line {
  if (cells.length !== names.length) {
    return {
      number: line,
      values: {},
      errors: { record: [say(importMessages.columns, cells.length, names.length)] },
    };
  }
  const given: Values = {};
  const wrong = noErrors();
  for (const [index, column] of names.entries()) {
    const text = cells[index]!.trim();
    const reference = kind.references?.[column];
    if (text === '') continue;
    if (!reference) {
      given[column] = cellValue(column, text, delimiter);
      const doubt = twoReadings(column, text, delimiter);
      if (doubt) wrong[column] = [doubt];
      continue;
    }
    const { id, error } = resolve(column, text);
    given[reference.field] = id;
    if (error) wrong[column] = [error];
  }
  const { value, errors = {} } = check<Values>(kind.row as new () => Values, given);
  for (const [field, messages] of Object.entries(errors)) wrong[columnOf(kind, field)] ??= messages;
  const values: Values = {};
  for (const field of fields) {
    values[field] = value[field] ?? kind.defaults?.[field] ?? null;
  }
  return { number: line, values, errors: wrong };
}

/** The columns of the table that a file fills: brand_id for `brand`. */
export const fieldsOf = (kind: Kind, header: CsvRecord): string[] =>
  header.cells.map((cell) => kind.references?.[cell.trim()]?.field ?? cell.trim());

/** `brand` for brand_id. */
function columnOf(kind: Kind, field: string): string {
  const references = Object.entries(kind.references ?? {});
  return references.find(([, reference]) => reference.field === field)?.[0] ?? field;
}
