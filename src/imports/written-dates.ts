import { isCalendarDate } from '../common/dates.js';

/** Whether the day or the month comes first where both are digits. */
export type Order = 'dmy' | 'mdy';

const TIME = /^(.*?\d)[T ]\s*(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:\s*[ap]m)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const DAY_MONTH = /^(?:\p{L}+\.?,?\s+)?(\d{1,2})(?:er|st|nd|rd|th)?[\s.-]+(\p{L}+)\.?[\s,-]+(\d{4}|\d{2})$/u;
const MONTH_DAY = /^(?:\p{L}+\.?,?\s+)?(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u;
const SERIAL = /^\d{5}(\.\d+)?$/;
/** The beginnings of the months in English and French. */
const MONTHS = [
  /^jan/,
  /^f[eé][bv]/,
  /^mar(?!r)/, // but marraskuu
  /^(apr|avr)/,
  /^ma[iy]/,
  /^(june?|juin)$/,
  /^jui?l/,
  /^a(ug|o[uû])/,
  /^sep/,
  /^oct/,
  /^nov/,
  /^d[eé]c/,
];

/** Day 0 of Excel as its days since 1 March 1900 count. */
export const EXCEL_EPOCH = Date.UTC(1899, 11, 30);
export const DAY_MS = 86_400_000;
/** From there to day 0 of workbooks that count from 1904. */
export const DAYS_TO_1904 = 1462;

/** The day of one of Excel's serial numbers, from 1927 to 2173; undefined for others. */
export function readSerial(serial: number): string | undefined {
  if (!(serial >= 10_000 && serial < 100_000)) return undefined;
  return new Date(EXCEL_EPOCH + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The day, YYYY-MM-DD, that a text says; undefined where it says none so. A year of two digits is one of 1969 to 2068,
 * as POSIX has it; with dots the day comes first everywhere. A time is left out, but not one that makes it another day
 * elsewhere: only midnight has a zone.
 */
export function readDay(text: string, order: Order): string | undefined {
  const [, day, time, zone] = TIME.exec(text) ?? [undefined, text];
  if (zone && !/^0?0(:00)+(\.0+)?$/.test(time!)) return undefined;
  return SERIAL.test(text) ? readSerial(Number(text)) : (readDigits(day, order) ?? readWords(day));
}

function readDigits(text: string, order: Order): string | undefined {
  const first = YEAR_FIRST.exec(text);
  if (first) return dayOf(first[1]!, first[3] ?? first[5]!, first[4] ?? first[6]!);
  const [, one, mark, other, year] = YEAR_LAST.exec(text) ?? [];
  if (year === undefined) return undefined;
  return order === 'dmy' || mark === '.' ? dayOf(year, other!, one!) : dayOf(year, one!, other!);
}

function readWords(text: string): string | undefined {
  const [, day, word, year] = DAY_MONTH.exec(text) ?? [];
  if (word) return dayOf(year!, monthOf(word), day!);
  const [, month, ofMonth, ofYear] = MONTH_DAY.exec(text) ?? [];
  return month ? dayOf(ofYear!, monthOf(month), ofMonth!) : undefined;
}

/** 0 where there is no such month. */
const monthOf = (word: string): string =>
  String(MONTHS.findIndex((pattern) => pattern.test(word.normalize('NFC').toLowerCase())) + 1);

function dayOf(year: string, month: string, day: string): string | undefined {
  const full = year.length === 4 ? year : `${Number(year) < 69 ? 20 : 19}${year}`;
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}
