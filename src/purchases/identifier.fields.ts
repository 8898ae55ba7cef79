import { say } from '../common/messages.js';
import { field } from '../contract/field.js';
import type { FieldOptions } from '../contract/field.js';
import { readEpc } from './epc.js';
import { gs1Key } from './gs1.js';
import { purchaseMessages } from './purchases.messages.js';

const MAX_TEXT = 2048;
const MAX_LIST = 20;

type Reader = (text: string) => string | null;
const epcUri: Reader = (text) => readEpc(text)?.uri ?? null;

/** As it is kept; what cannot be read stays as it is, which the check refuses. */
const readBy = (read: Reader) => (value: unknown) =>
  typeof value === 'string' && value.length <= MAX_TEXT ? (read(value) ?? value) : value;
const isRead = (read: Reader, value: unknown): boolean => typeof value === 'string' && read(value) === value;

const text = (min: number) => ({ type: 'string', minLength: min, maxLength: MAX_TEXT });

/** An EPC as hexadecimal digits or URI, kept as its pure identity URI. An empty text clears one that may be null. */
export function EpcField(options: FieldOptions): PropertyDecorator {
  const convert = readBy(epcUri);
  return field(
    options,
    text(options.nullable ? 0 : 1),
    (value) => (isRead(epcUri, value) ? null : say(purchaseMessages.epc)),
    (value) => (options.nullable && typeof value === 'string' && value.trim() === '' ? null : convert(value)),
  );
}

const checkGs1 = (value: unknown): string | null =>
  isRead(gs1Key, value) ? null : say(purchaseMessages.gs1);

/** A GIAI or GRAI as element string or Digital Link, kept as its key. */
export function Gs1Field(options: FieldOptions): PropertyDecorator {
  return field(options, text(1), checkGs1, readBy(gs1Key));
}

/** By the first spelling of each: codes are the same in either case. */
function once(keys: unknown[]): unknown[] {
  const folded = keys.map((key) => (typeof key === 'string' ? key.toUpperCase() : key));
  return keys.filter((_, at) => folded.indexOf(folded[at]) === at);
}

/** Some of them, each kept once; null is none of them. */
export function Gs1ListField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'array', items: text(1), maxItems: MAX_LIST },
    (value) =>
      Array.isArray(value) && value.length <= MAX_LIST ? null : say(purchaseMessages.gs1_list, MAX_LIST),
    (value) => {
      if (value === null) return [];
      return Array.isArray(value) && value.length <= MAX_LIST ? once(value.map(readBy(gs1Key))) : value;
    },
    { each: checkGs1 },
  );
}
