import { say } from '../common/messages.js';
import { importMessages } from './imports.messages.js';
import { textOf } from './table.js';
import type { Cell } from './table.js';

/** What a thing is known by, and what a spreadsheet makes of one that is a long number: two may be the same then. */
const MARKS = new Set(['code', 'serial_number', 'epc', 'gs1']);
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d{2,3}$/i;
/** Of more digits it keeps these only. */
const MAX_DIGITS = 15;
/** What it shows where a formula gives nothing else: Excel, in any language, and LibreOffice. */
const FORMULA_ERROR = /^(?:#N\/A|#(?:DIV\/0|\p{Lu}+)[!?]|Err:\d{3})$/u;

/** What is wrong with a cell that a spreadsheet has spoilt, whatever its field may hold. */
export function spoiltBy(field: string, cell: Cell): string | undefined {
  const text = textOf(cell);
  if (FORMULA_ERROR.test(text)) return say(importMessages.formula_error);
  if (!MARKS.has(field)) return undefined;
  const isLong = typeof cell === 'number' && text.replace(/\D/g, '').length > MAX_DIGITS;
  return isLong || SHORTENED.test(text) ? say(importMessages.shortened) : undefined;
}
