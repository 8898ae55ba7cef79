import { isEmail } from 'class-validator';
import { INSTANT, isCalendarDate, parseInstant } from '../common/dates.js';
import { MAX_CODE, isPrintable } from '../common/printable.js';
import { field } from './field.js';
import type { FieldOptions } from './field.js';
import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';

export const MAX_ID = 2_147_483_647;
export const MAX_MONEY = 9_999_999_999.99;

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const trimToNull = (value: unknown): unknown => (trim(value) === '' ? null : trim(value));
/** In the document: of a text that is trimmed something must be left. */
const NOT_BLANK = '\\S';
const FORMAT_CHARACTER = /\p{Cf}/u;
/** In the document: those below U+10000, in a class of characters, since few languages have \p{Cf}. */
export const FORMAT_CHARACTERS =
  '\\u00AD\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u180E\\u200B-\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u2064\\u2066-\\u206F\\uFEFF\\uFFF9-\\uFFFB';
const VISIBLE = `[^${FORMAT_CHARACTERS}]*$`;
/** In the document: isPrintable(), and no format characters. */
const CONTROLS = `\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029${FORMAT_CHARACTERS}`;
const PRINTABLE = `[^${CONTROLS}]*$`;
/** In the document: PostgreSQL and RFC 3339 agree on the years 1 to 9999. */
const NOT_YEAR_0 = '^(?!0000)';
const MODERN = '^(?:(?:19|20|21)\\d\\d|2200)-';

const lengthOf = (value: string): number => [...value].length;

/** Text that PostgreSQL can hold, trimmed, counted in code points. */
export function checkText(value: unknown, min: number, max: number): string | null {
  if (typeof value !== 'string') return say(contractMessages.text);
  if (value.includes('\0') || !value.isWellFormed()) return say(contractMessages.text_characters);
  if (min > 0 && value === '') return say(contractMessages.not_empty);
  if (lengthOf(value) < min) return say(contractMessages.text_min, min);
  if (lengthOf(value) > max) return say(contractMessages.text_max, max);
  return null;
}

export interface TextOptions extends FieldOptions {
  max: number;
  min?: number;
  /** A further check of a text that is well formed. */
  check?: (value: string) => string | null;
  format?: string;
  /** What `check` means, in the document. */
  pattern?: string;
}

/** An empty text clears a field that may be null, and is refused elsewhere unless `min` is 0. */
export function TextField(options: TextOptions): PropertyDecorator {
  const { min = options.nullable ? 0 : 1, max, check, format } = options;
  const { pattern = min > 0 && !format ? NOT_BLANK : undefined } = options;
  return field(
    options,
    {
      type: 'string',
      minLength: min,
      maxLength: max,
      ...(format && { format }),
      ...(pattern && { pattern }),
    },
    (value) => checkText(value, min, max) ?? check?.(value as string) ?? null,
    options.nullable ? trimToNull : trim,
  );
}

/** What rows are told apart by, such as a name or a code: two that look the same should be the same. */
export function NameField({ check, ...options }: TextOptions): PropertyDecorator {
  const isEmptyAllowed = options.nullable === true || options.min === 0;
  return TextField({
    pattern: isEmptyAllowed ? `^${VISIBLE}` : `^(?=\\s*\\S)${VISIBLE}`,
    ...options,
    check: (value) =>
      FORMAT_CHARACTER.test(value) ? say(contractMessages.text_format) : (check?.(value) ?? null),
  });
}

/** What a label says, of a thing or of a place. */
export function CodeField(options: FieldOptions): PropertyDecorator {
  return NameField({
    ...options,
    max: MAX_CODE,
    check: (value) => (isPrintable(value) ? null : say(contractMessages.text_control)),
    pattern: options.nullable ? `^${PRINTABLE}` : `^(?=.*\\S)${PRINTABLE}`,
  });
}

/** What a file is called when it is saved, without folders. */
export function FileNameField(options: TextOptions): PropertyDecorator {
  return NameField({
    ...options,
    check: (value) => {
      if (!isPrintable(value)) return say(contractMessages.text_control);
      return /[/\\]/.test(value) ? say(contractMessages.file_name) : null;
    },
    pattern: `^(?=.*\\S)[^\\/\\\\${CONTROLS}]*$`,
  });
}

/** One that may be null is cleared by an empty text too, which the format in the document cannot say. */
export function EmailField(options: FieldOptions): PropertyDecorator {
  const clearing = options.nullable ? 'An empty text clears it, as null does.' : undefined;
  const description = [options.description, clearing].filter(Boolean).join(' ');
  return NameField({
    ...options,
    ...(description && { description }),
    max: 254,
    format: 'email',
    pattern: `^${VISIBLE}`,
    check: (value) => (isEmail(value) ? null : say(contractMessages.email)),
  });
}

/** A password: as it was typed, never trimmed. */
export function PasswordField(options: FieldOptions & { min: number }): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'password', minLength: options.min, maxLength: 256 },
    (value) => checkText(value, options.min, 256),
  );
}

/** Anything that a scanner may read: control characters, NUL and broken surrogates included. */
export function ScannedField(options: FieldOptions & { max: number }): PropertyDecorator {
  return field(
    options,
    { type: 'string', minLength: 1, maxLength: options.max, pattern: NOT_BLANK },
    (value) => {
      if (typeof value !== 'string') return say(contractMessages.text);
      if (value.trim() === '') return say(contractMessages.not_empty);
      return lengthOf(value) > options.max ? say(contractMessages.text_max, options.max) : null;
    },
  );
}

export function IntegerField(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(options, { type: 'integer', minimum: min, maximum: max }, (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      ? null
      : say(contractMessages.integer, min, max),
  );
}

export function IdField(options: FieldOptions): PropertyDecorator {
  return IntegerField({ ...options, min: 1, max: MAX_ID });
}

/** At most 2 decimals, so that what is stored is what was sent. */
export function isMoney(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_MONEY && Number(value.toFixed(2)) === value;
}

export function MoneyField(options: FieldOptions): PropertyDecorator {
  const schema = { type: 'number', format: 'double', minimum: 0, maximum: MAX_MONEY, multipleOf: 0.01 };
  return field(options, schema, (value) => (isMoney(value) ? null : say(contractMessages.money)));
}

export interface DateOptions extends FieldOptions {
  /** Takes the years that an inventory session takes too, and no others. */
  modern?: boolean;
}

export function DateField({ modern, ...options }: DateOptions): PropertyDecorator {
  const pattern = modern ? MODERN : NOT_YEAR_0;
  return field(
    options,
    { type: 'string', format: 'date', pattern },
    (value) => {
      if (!isCalendarDate(value)) return say(contractMessages.date);
      return new RegExp(pattern).test(value) ? null : say(contractMessages.modern_date);
    },
    trim,
  );
}

/** In the first and the last year an offset may leave the calendar of PostgreSQL. */
const STORABLE = INSTANT.replace('(?!0000)', '(?!000[01]|9999)');
const isStorable = new RegExp(STORABLE);

/** As parsed; of any offset. */
export function InstantField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'date-time', pattern: STORABLE },
    (value) => (value instanceof Date ? null : say(contractMessages.instant)),
    (value) => (typeof value === 'string' && isStorable.test(value) ? (parseInstant(value) ?? value) : value),
  );
}

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const isUuid = new RegExp(UUID);

/** In lower case: two that differ in case are one. */
export function UuidField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'string', format: 'uuid', pattern: UUID },
    (value) => (typeof value === 'string' && isUuid.test(value) ? null : say(contractMessages.uuid)),
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  );
}

export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: 'boolean' }, (value) =>
    typeof value === 'boolean' ? null : say(contractMessages.boolean),
  );
}

interface ChoiceOptions extends FieldOptions {
  of: readonly string[];
  /** What generated clients call the choices where these are no names: an enum of Kotlin cannot hold `name`. */
  names?: readonly string[];
}

export function ChoiceField(options: ChoiceOptions): PropertyDecorator {
  // Generators make a word of a null that stands among those of a choice.
  const choice = options.nullable
    ? { 'x-extensible-enum': options.of, pattern: `^(${options.of.join('|')})$` }
    : { enum: options.of, ...(options.names && { 'x-enum-varnames': options.names }) };
  return field(
    options,
    { type: 'string', ...choice },
    (value) =>
      options.of.includes(value as string) ? null : say(contractMessages.choice, options.of.join(', ')),
    trim,
  );
}
