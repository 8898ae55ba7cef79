import { contractMessages } from './contract.messages.js';
import { field } from './field.js';
import type { FieldOptions } from './field.js';
import { MAX_ID, checkText } from './fields.js';
import { say } from '../common/messages.js';

const MAX_NAMES = 100;
const MAX_NAME = 60;

/** As all texts are: what is in a list would otherwise equal nothing that is given or stored elsewhere. */
const trimEach = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((name: unknown) => (typeof name === 'string' ? name.trim() : name))
    : value;

/** A list of names, each at most once. */
export function NamesField(options: FieldOptions): PropertyDecorator {
  const items = { type: 'string', minLength: 1, maxLength: MAX_NAME, pattern: '\\S' };
  return field(
    options,
    { type: 'array', items, uniqueItems: true, maxItems: MAX_NAMES },
    (value) => {
      if (!Array.isArray(value) || value.length > MAX_NAMES) return say(contractMessages.list, MAX_NAMES);
      const bad = value.findIndex((name) => checkText(name, 1, MAX_NAME) !== null);
      if (bad >= 0) return say(contractMessages.list_item, bad + 1, MAX_NAME);
      const repeated = (value as string[]).find((name, at) => value.indexOf(name) < at);
      return repeated === undefined ? null : say(contractMessages.list_repeated, repeated);
    },
    trimEach,
  );
}

/** Some of a few words, at least one, each at most once. */
export function ChoicesField({
  of,
  ...options
}: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  const items = { type: 'string', enum: of };
  return field(
    options,
    { type: 'array', items, uniqueItems: true, minItems: 1, maxItems: of.length },
    (value) => {
      if (!Array.isArray(value) || value.length < 1 || value.some((word) => !of.includes(word as string)))
        return say(contractMessages.choices, of.join(', '));
      const repeated = (value as string[]).find((word, at) => value.indexOf(word) < at);
      return repeated === undefined ? null : say(contractMessages.list_repeated, repeated);
    },
  );
}

const MAX_IDS = 1000;

/** A list of ids, at least one, each at most once. */
export function IdsField(options: FieldOptions): PropertyDecorator {
  const items = { type: 'integer', minimum: 1, maximum: MAX_ID };
  return field(
    options,
    { type: 'array', items, uniqueItems: true, minItems: 1, maxItems: MAX_IDS },
    (value) => {
      if (!Array.isArray(value) || value.length < 1 || value.length > MAX_IDS)
        return say(contractMessages.ids, MAX_IDS);
      const bad = value.findIndex((id) => !Number.isInteger(id) || id < 1 || id > MAX_ID);
      if (bad >= 0) return say(contractMessages.ids_item, bad + 1, MAX_ID);
      const ids = value as number[];
      return new Set(ids).size === ids.length ? null : say(contractMessages.ids_repeated);
    },
  );
}

interface ItemsOptions extends FieldOptions {
  of: new () => object;
  max: number;
}

/** A list of objects, at least one; what is wrong with one is told by its place: `scans.3.code`. */
export function ItemsField({ of, max, ...options }: ItemsOptions): PropertyDecorator {
  return field(
    options,
    { type: [of], minItems: 1, maxItems: max },
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= max
        ? null
        : say(contractMessages.items, max),
    undefined,
    { items: of },
  );
}
