import { say } from '../common/messages.js';
import type { Delimiter } from './csv.js';
import { importMessages } from './imports.messages.js';

type Convert = (text: string, delimiter: Delimiter) => unknown;

/**
 * The fields that are no text. What is not written as such a field stays text, so that the field's own check
 * says what it must be.
 */
const conversions: Record<string, Convert> = {
  is_active: toBoolean,
  duration_years: toInteger,
  declining_coefficient: toDecimal,
  purchase_price: toDecimal,
};

/** The value of a cell that is not empty. */
export function cellValue(field: string, text: string, delimiter: Delimiter): unknown {
  return conversions[field]?.(text, delimiter) ?? text;
}

/**
 * Why a number cannot be taken: 1.000 is one where the point is decimal, and a thousand where it groups the digits.
 * Only of money, since a coefficient of a thousand there is not; and 12.345 is no price where the point is decimal.
 */
export function twoReadings(field: string, text: string, delimiter: Delimiter): string | undefined {
  const decimal = delimiter === ';' ? text.replace(',', '.') : text;
  const [, whole, part] = /^([1-9]\d{0,2})\.(\d\d0)$/.exec(decimal) ?? [];
  if (field !== 'purchase_price' || !whole || !part) return undefined;
  return say(importMessages.two_readings, `${whole}.${part.slice(0, 2)}`, `${whole}${part}.00`);
}

/** Spreadsheets write TRUE. */
function toBoolean(text: string): unknown {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

function toInteger(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** French spreadsheets write 1161,71, and separate by semicolons because of it. */
function toDecimal(text: string, delimiter: Delimiter): unknown {
  const decimal = delimiter === ';' ? text.replace(',', '.') : text;
  return /^-?\d{1,12}(\.\d{1,2}0*)?$/.test(decimal) ? Number(decimal) : undefined;
}
