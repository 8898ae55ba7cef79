import type { CsvFile } from './csv.js';

type Convert = (text: string, delimiter: CsvFile['delimiter']) => unknown;

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
export function cellValue(field: string, text: string, delimiter: CsvFile['delimiter']): unknown {
  return conversions[field]?.(text, delimiter) ?? text;
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
function toDecimal(text: string, delimiter: CsvFile['delimiter']): unknown {
  const decimal = delimiter === ';' ? text.replace(',', '.') : text;
  return /^-?\d{1,12}(\.\d{1,2}0*)?$/.test(decimal) ? Number(decimal) : undefined;
}
