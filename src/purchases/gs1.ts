import { SYMBOLOGY } from './symbology.js';

/**
 * What others have printed on their things, as GS1 General Specifications and GS1 Digital Link have it: a GIAI
 * (application identifier 8004) for one thing, a GRAI (8003) for one that goes out and comes back. Each has one
 * spelling here, its key, such as `(8004)061414112345400`.
 */
const FNC1 = '\x1d';
/** All others. */
const CONTROLS = new RegExp(`(?!${FNC1})\\p{Cc}`, 'gu');
/** The 82 characters of GS1 (General Specifications, figure 7.11-1). */
export const CHARACTERS = '[!"%&\'()*+,\\-./0-9:;<=>?A-Z_a-z]';
/** It starts with a company's prefix, of four digits at least. */
const GIAI = new RegExp(`^(?=\\d{4})${CHARACTERS}{1,30}$`);
/** A zero that fills, twelve digits of company and type, a check digit, and a serial number if there is one. */
const GRAI = new RegExp(`^0(\\d{12})(\\d)${CHARACTERS}{0,16}$`);
const IDENTIFIER = /\((\d{2,4})\)/;
/** Elements of a known length, with their identifiers: all that may stand before others without FNC1. */
const LENGTHS: Record<string, number> = {
  '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, '11': 8, '12': 8, '13': 8, '14': 8, '15': 8, '16': 8, '17': 8,
  '18': 8, '19': 8, '20': 4, '31': 10, '32': 10, '33': 10, '34': 10, '35': 10, '36': 10, '41': 16,
}; // prettier-ignore
const DIGITAL_LINK = /^https?:\/\/[^/?#]+(\/[^?#]*)/i;

/** The key of a GIAI or GRAI that is written as an element string or a Digital Link; null where there is none. */
export function gs1Key(text: string): string | null {
  const read = text.replace(CONTROLS, '').trim().replace(SYMBOLOGY, '').trim();
  const path = DIGITAL_LINK.exec(read)?.[1];
  if (path !== undefined) return ofPath(path);
  return read.startsWith('(') ? ofBrackets(read.replaceAll(FNC1, '')) : ofElements(read);
}

/** The key of a value; null where it is none. */
export function keyOf(identifier: string, value: string): string | null {
  // What looks like an identifier would be taken for one when the key is read again.
  if (IDENTIFIER.test(value)) return null;
  if (identifier === '8004') return GIAI.test(value) ? `(8004)${value}` : null;
  const [, digits = '', check] = GRAI.exec(value) ?? [];
  return identifier === '8003' && check === checkDigit(digits) ? `(8003)${value}` : null;
}

/** Of the twelve digits of a GRAI, as of every other key of GS1: those at even places count three times. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

function ofBrackets(text: string): string | null {
  const [before, ...parts] = text.split(IDENTIFIER);
  const at = parts.findIndex((part, n) => n % 2 === 0 && isAsset(part));
  return before === '' && at >= 0 ? keyOf(parts[at]!, parts[at + 1]!.trim()) : null;
}

function ofElements(text: string): string | null {
  for (let rest of text.split(FNC1)) {
    for (;;) {
      const length = LENGTHS[rest.slice(0, 2)];
      if (length === undefined || rest.length < length) break;
      rest = rest.slice(length);
    }
    if (isAsset(rest.slice(0, 4))) return keyOf(rest.slice(0, 4), rest.slice(4));
    if (!/^(\d\d|$)/.test(rest)) return null;
  }
  return null;
}

function ofPath(path: string): string | null {
  const [value, identifier] = path.split('/').filter(Boolean).reverse();
  if (value === undefined || identifier === undefined || !isAsset(identifier)) return null;
  try {
    return keyOf(identifier, decodeURIComponent(value));
  } catch {
    return null;
  }
}

const isAsset = (identifier: string): boolean => identifier === '8003' || identifier === '8004';
