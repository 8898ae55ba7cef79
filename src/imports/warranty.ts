import { isCalendarDate } from '../common/dates.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { importMessages } from './imports.messages.js';
import type { Line } from './kind.js';

const SPAN = /^(\d{1,3})\s*(?:m|mois|months?|(ans?|ann[ée]es?|y|yrs?|years?))?$/iu;
const MAX_MONTHS = 999;

/** How many months a cell says, or why it says none. */
export function readMonths(text: string): { months?: number; error?: string } {
  const [, number, years] = SPAN.exec(text.normalize('NFC')) ?? [];
  const months = Number(number) * (years ? 12 : 1);
  return months <= MAX_MONTHS ? { months } : { error: say(importMessages.warranty, MAX_MONTHS) };
}

/** Counts them from the day of purchase that stands in the end: that of the line, of a default or what is stored. */
export function endWarranty({ values, stored, errors, warranty_months: months }: Line): void {
  if (!months) return;
  const { purchase_date } = { ...stored, ...values };
  const end = monthsAfter(String(purchase_date), months);
  if (isCalendarDate(end)) values.warranty_end_date = end;
  else errors.warranty_end_date = [say(contractMessages.date)];
}

/** The same day so many months later, or the last of that month. */
function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const end = new Date(0);
  end.setUTCFullYear(year, month + months, 0);
  end.setUTCDate(Math.min(date, end.getUTCDate()));
  return end.toISOString().slice(0, 10);
}
