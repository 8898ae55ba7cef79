import { INSTANT, MOMENT, isCalendarDate, parseInstant } from '../common/dates.js';
import { field } from './field.js';
import type { FieldOptions } from './field.js';
import { DateField, MAX_ID } from './fields.js';
import type { DateOptions } from './fields.js';
import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';

// Query parameters arrive as strings.

const digits = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

export function IntegerParam(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(
    { optional: true, ...options },
    { type: 'integer', minimum: min, maximum: max },
    (value) =>
      typeof value === 'number' && value >= min && value <= max
        ? null
        : say(contractMessages.integer, min, max),
    digits,
  );
}

/** A foreign key as a filter: one that does not exist gives an empty list. */
export function IdParam(options: FieldOptions): PropertyDecorator {
  return IntegerParam({ ...options, min: 1, max: MAX_ID });
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** What a text in a query says; the text where it says neither. */
export const booleanOf = (text: string): boolean | string => BOOLEANS.get(text) ?? text;

export function BooleanParam(options: FieldOptions): PropertyDecorator {
  return field(
    { optional: true, ...options },
    { type: 'boolean' },
    (value) => (typeof value === 'boolean' ? null : say(contractMessages.query_boolean)),
    (value) => (typeof value === 'string' ? booleanOf(value) : value),
  );
}

export function DateParam(options: DateOptions): PropertyDecorator {
  return DateField({ optional: true, ...options });
}

/** An instant or a whole day; stays a string, since the day's bounds depend on the time zone of the service. */
export function MomentParam(options: FieldOptions): PropertyDecorator {
  // No anyOf of two formats, of which the generators of clients make a class instead of a string.
  const schema = { type: 'string', pattern: MOMENT };
  return field({ optional: true, ...options }, schema, (value) =>
    isCalendarDate(value) || (typeof value === 'string' && parseInstant(value))
      ? null
      : say(contractMessages.moment),
  );
}

/** An instant; stays a string, like every other parameter that the database compares. */
export function InstantParam(options: FieldOptions): PropertyDecorator {
  const schema = { type: 'string', format: 'date-time', pattern: INSTANT };
  return field({ optional: true, ...options }, schema, (value) =>
    typeof value === 'string' && parseInstant(value) ? null : say(contractMessages.instant),
  );
}
