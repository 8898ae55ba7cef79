import { ApiProperty } from '@nestjs/swagger';
import type { EntityManager } from 'typeorm';
import { isCalendarDate } from '../common/dates.js';
import { invalid, noErrors } from '../common/errors.js';
import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { field } from '../contract/field.js';
import type { FieldOptions } from '../contract/field.js';
import { checkText } from '../contract/fields.js';
import { TABLES } from './field.entity.js';
import { whole } from '../contract/whole.js';
import type { MoreColumns } from '../contract/whole.js';
import type { Holder, OwnField } from './field.entity.js';
import { fieldMessages } from './fields.messages.js';

const MAX_TEXT = 1000;
const MAX_VALUES = 100;
const MAX_NUMBER = 999_999_999_999;

export type FieldValue = string | number | boolean;
/** What a row has of fields of one's own, by their keys. */
export type FieldValues = Record<string, FieldValue>;

/** What it takes to judge a value. */
export type Definition = Pick<OwnField, 'name' | 'key' | 'type' | 'choices' | 'is_required'>;

const isValue = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The values of a request, by the keys of the fields; null clears one. Which there are is known later, by `written`. */
export const ValuesField = (options: FieldOptions): PropertyDecorator =>
  field(
    { optional: true, ...options },
    { type: 'object', additionalProperties: true, maxProperties: MAX_VALUES },
    (given) => {
      const isGood =
        typeof given === 'object' &&
        !Array.isArray(given) &&
        Object.keys(given as object).length <= MAX_VALUES &&
        Object.values(given as object).every(isValue);
      return isGood ? null : say(fieldMessages.values, MAX_VALUES);
    },
    undefined,
    { isObject: true },
  );

/** Of the values in a request. */
export const GIVEN =
  'Fields of one’s own, by the keys that `/fields` lists. Those that are left out stay as they are; `null` clears one.';

/** The values in an answer. */
export const ValuesAnswer = (example: FieldValues): PropertyDecorator =>
  ApiProperty({
    type: 'object',
    additionalProperties: true,
    example,
    description: 'Fields of one’s own, by their keys: those that have a value.',
  });

/** A key may be that of something which all objects have, such as `constructor`. */
export const valueOf = (fields: FieldValues, key: string) =>
  Object.hasOwn(fields, key) ? fields[key]! : null;

/** Of a file of a list: a column for each field that takes values, as the importer calls it. */
export async function fieldColumns(
  manager: EntityManager,
  of: Holder,
): Promise<MoreColumns<{ fields: FieldValues }> | undefined> {
  if (!whole.current) return undefined;
  const known = await definitions(manager, of);
  const more: MoreColumns<{ fields: FieldValues }> = { columns: {}, kinds: {} };
  for (const { key, type } of known) {
    more.columns[`field.${key}`] = ({ fields }) => valueOf(fields, key);
    if (type === 'number') more.kinds[`field.${key}`] = 'decimal';
    if (type === 'date') more.kinds[`field.${key}`] = 'date';
  }
  return more;
}

/**
 * The fields of articles or of purchases, in the order in which they were made; those alone that take values where
 * `isActive`. Held until the transaction ends where `lock` says so: nobody takes a choice away meanwhile.
 */
export const definitions = (
  manager: Pick<EntityManager, 'query'>,
  of: Holder,
  { isActive = true, lock = '' }: { isActive?: boolean; lock?: '' | 'FOR SHARE' } = {},
): Promise<Definition[]> =>
  manager.query(
    `SELECT name, key, type, choices, is_required FROM fields
     WHERE applies_to = $1 AND deleted_at IS NULL ${isActive ? 'AND is_active' : ''} ORDER BY id ${lock}`,
    [of],
  );

/** As it is kept: a text without blanks around it, null where nothing is left. */
const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || null : value);

/** What is wrong with a value that is no null. */
export function checkValue({ type, choices }: Definition, value: unknown): string | null {
  switch (type) {
    case 'text':
      return checkText(value, 1, MAX_TEXT);
    case 'number':
      return isNumber(value) ? null : say(fieldMessages.number);
    case 'date':
      return isCalendarDate(value) ? null : say(contractMessages.date);
    case 'boolean':
      return typeof value === 'boolean' ? null : say(contractMessages.boolean);
    case 'choice':
      return choices!.includes(value as string) ? null : say(contractMessages.choice, choices!.join(', '));
  }
}

/** With no more decimals than are shown, so that what is stored is what was sent. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) <= MAX_NUMBER && Number(value.toFixed(6)) === value;

/**
 * What a row has once it was given these values.
 * @param stored of a row that is there already; it may go on without a required value that it never had
 * @returns errors by key
 */
export function merged(
  known: Definition[],
  given: Record<string, unknown>,
  stored?: FieldValues,
): { values: FieldValues; errors: FieldErrors } {
  const values = new Map(Object.entries(stored ?? {}));
  const errors = noErrors();
  for (const [key, text] of Object.entries(given)) {
    const definition = known.find((one) => one.key === key);
    const value = plain(text);
    // What an inactive field has left behind may be cleared.
    if (value === null && (definition ?? values.has(key))) values.delete(key);
    // A row is sent back as it was read, also with what it has of an inactive field.
    else if (!definition && value === values.get(key)) continue;
    else if (!definition) errors[key] = [say(fieldMessages.unknown)];
    else {
      const problem = checkValue(definition, value);
      if (problem === null) values.set(key, value as FieldValue);
      else errors[key] = [problem];
    }
  }
  for (const { key, is_required } of known) {
    const isMissing = is_required && !values.has(key) && (!stored || Object.hasOwn(given, key));
    if (isMissing) errors[key] ??= [say(contractMessages.required)];
  }
  return { values: Object.fromEntries(values), errors };
}

/**
 * What is written into a row by a request that gives these values; undefined where it leaves them as they are.
 * @param id of a row that is there already, and held
 * @throws DomainError validation-failed on fields.<key>
 */
export async function written(
  manager: EntityManager,
  of: Holder,
  given: Record<string, unknown> | undefined,
  id?: number,
): Promise<FieldValues | undefined> {
  if (!given && id !== undefined) return undefined;
  const known = await definitions(manager, of, { lock: given ? 'FOR SHARE' : '' });
  const { values, errors } = merged(
    known,
    given ?? {},
    id === undefined ? undefined : await stored(manager, of, id),
  );
  const named = Object.entries(errors).map(([key, messages]) => [`fields.${key}`, messages] as const);
  if (named.length > 0) throw invalid(Object.fromEntries(named));
  return values;
}

async function stored(manager: EntityManager, of: Holder, id: number): Promise<FieldValues> {
  const [row] = await manager.query<{ fields: FieldValues }[]>(
    `SELECT fields FROM ${TABLES[of]} WHERE id = $1`,
    [id],
  );
  return row!.fields;
}
