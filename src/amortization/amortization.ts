import type { AmortizationMethod } from '../reference/reference.entity.js';

/**
 * How things lose their value by the rules of France: linear (PCG, articles 214-13 and 214-14) and declining (CGI,
 * article 39 A, and its annexe II, article 23; BOI-BIC-AMT-20-20-30). Amounts are whole cents, and days are numbers
 * such as 20260401, since a report does this a million times.
 */
export interface Terms {
  method: AmortizationMethod;
  years: number;
  /** In hundredths; 100 where the method is linear. */
  coefficient: number;
}

export interface Asset {
  /** In cents. */
  base: number;
  purchased: number;
  inService: number;
  terms: Terms;
  /** The last day that counts, where it was disposed of. */
  disposed?: number;
}

/** A fiscal year of a schedule; amounts in cents. */
export interface Annuity {
  fiscalYear: string;
  from: number;
  to: number;
  opening: number;
  annuity: number;
  accumulated: number;
  closing: number;
}

/** 20260401 of 2026-04-01. */
export function dayOf(text: string): number {
  let day = 0;
  for (const at of DIGITS) day = day * 10 + text.charCodeAt(at) - ZERO;
  return day;
}

const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9];
const ZERO = 48;

const LAST_DAY = 9999_12_31;

/** 2026-04-01 of 20260401; the calendar of PostgreSQL and RFC 3339 ends with the year 9999. */
export function textOf(day: number): string {
  const digits = String(Math.min(day, LAST_DAY)).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

const yearOf = (day: number): number => Math.floor(day / 10_000);
/** Months since the year 0. */
const monthOf = (day: number): number => yearOf(day) * 12 + (Math.floor(day / 100) % 100) - 1;

function lengthOfMonth(year: number, month: number): number {
  if (month !== 2) return 30 + ((month + (month >> 3)) & 1);
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Of the anniversary of a 29 February too, which not every year has. */
function dayBefore(day: number): number {
  if (day % 100 > 1) return day - 1;
  const year = yearOf(day);
  const month = Math.floor(day / 100) % 100;
  return month === 1 ? day - 8870 : day - (day % 100) - 100 + lengthOfMonth(year, month - 1);
}

const isLastOfMonth = (day: number): boolean =>
  day % 100 === lengthOfMonth(yearOf(day), Math.floor(day / 100) % 100);

/** Number of a day where every month has 30: a 31st is a 30th (30E/360). */
const thirtieth = (day: number): number => monthOf(day) * 30 + Math.min(day % 100, 30);

/** amount × numerator / denominator, a half rounded up; exact, since no product leaves the safe integers. */
export function portion(amount: number, numerator: number, denominator: number): number {
  const rest = amount % denominator;
  const doubled = 2 * rest * numerator + denominator;
  const divisor = 2 * denominator;
  return ((amount - rest) / denominator) * numerator + (doubled - (doubled % divisor)) / divisor;
}

/** The day on which the amortization begins. */
export function startOf({ terms, purchased, inService }: Asset): number {
  return terms.method === 'linear' ? inService : purchased - (purchased % 100) + 1;
}

/** Fiscal years that begin on the same day of every year. */
export class FiscalYears {
  /** Such as 801: the year begins on 1 August. */
  readonly begin: number;

  /** @param begin MM-DD, of every year, so not 02-29 */
  constructor(begin: string) {
    this.begin = dayOf(`0000-${begin}`);
  }

  /** The year in which the fiscal year of a day begins. */
  private of(day: number): number {
    return yearOf(day) - (day % 10_000 < this.begin ? 1 : 0);
  }

  private firstDay(year: number): number {
    return year * 10_000 + this.begin;
  }

  private lastDay(year: number): number {
    return dayBefore(this.firstDay(year + 1));
  }

  /** The last day before the fiscal year of a day. */
  before(day: number): number {
    return dayBefore(this.firstDay(this.of(day)));
  }

  /** 2026, or 2026-2027 where it does not end in the year in which it begins. */
  private nameOf(year: number): string {
    const years = [year, yearOf(this.lastDay(year))].map((one) => String(one).padStart(4, '0'));
    return [...new Set(years)].join('-');
  }

  /** Every fiscal year until the whole base is amortized, or until the disposal. */
  schedule(asset: Asset): Annuity[] {
    const rows: Annuity[] = [];
    this.walk(asset, LAST_DAY, (year, from, to, opening, annuity) => {
      const closing = opening - annuity;
      const accumulated = asset.base - closing;
      rows.push({ fiscalYear: this.nameOf(year), from, to, opening, annuity, accumulated, closing });
    });
    return rows;
  }

  /**
   * In cents, after that day: what is not amortized yet. The running year counts in proportion, by days of 30E/360 with
   * both ends counted (linear) or by the months that have ended (declining), and with its last day as a whole.
   */
  netOn(asset: Asset, day: number): number {
    return this.walk(asset, day);
  }

  /** Tells of each fiscal year until a day or the disposal, and answers what is left then. */
  private walk(
    { base, purchased, inService, terms, disposed = LAST_DAY }: Asset,
    day: number,
    tell?: (year: number, from: number, to: number, opening: number, annuity: number) => void,
  ): number {
    const { method, years, coefficient } = terms;
    const isLinear = method === 'linear';
    const whole = isLinear ? 360 : 12;
    const until = Math.min(day, disposed);
    const begin = isLinear ? inService : purchased;
    const firstYear = this.of(begin);
    const firstUnits = isLinear ? this.daysFrom(begin) : this.monthsFrom(begin);
    const count = isLinear && firstUnits < whole ? years + 1 : years;
    const lastDay = this.lastDay(firstYear + count - 1);
    const end = isLinear ? Math.min(dayBefore(begin + years * 10_000), lastDay) : lastDay;
    if (!tell && until >= end) return 0;
    let from = isLinear ? begin : Math.max(begin - (begin % 100) + 1, this.firstDay(firstYear));
    let left = base;
    for (let at = 0; at < count && from <= until; at++) {
      const to = Math.min(end, this.lastDay(firstYear + at));
      const units = at === 0 ? firstUnits : whole;
      const yearsLeft = years - at;
      // At the declining rate until the rest by the years left is more, and from then on that.
      const isDeclining = !isLinear && coefficient * yearsLeft >= 100 * years;
      const of = isLinear ? base : left;
      const numerator = isDeclining ? coefficient : 1;
      const denominator = isDeclining ? 100 * years : isLinear ? years : yearsLeft;
      const amount = (some: number) => Math.min(left, portion(of, numerator * some, denominator * whole));
      let annuity = at === count - 1 ? left : amount(units);
      if (until < to) {
        const elapsed = isLinear ? daysOf(from, until) : monthsOf(from, until);
        annuity = Math.min(annuity, amount(Math.min(elapsed, units)));
      }
      tell?.(firstYear + at, from, Math.min(to, until), left, annuity);
      left -= annuity;
      from = this.firstDay(firstYear + at + 1);
    }
    return left;
  }

  /** From a day to the end of its fiscal year, which is no more than 360 days and ends with all 30 of a February. */
  private daysFrom(day: number): number {
    const last = this.lastDay(this.of(day));
    const end = isLastOfMonth(last) ? monthOf(last) * 30 + 30 : thirtieth(last);
    return Math.min(360, end - thirtieth(day) + 1);
  }

  /** From the first of the month of a day to the end of its fiscal year. */
  private monthsFrom(day: number): number {
    return 12 - Math.min(11, monthOf(day) - monthOf(this.firstDay(this.of(day))));
  }
}

/** Both ends counted. */
const daysOf = (from: number, to: number): number => thirtieth(to) - thirtieth(from) + 1;

/** Those that have ended by the end of `to`. */
const monthsOf = (from: number, to: number): number =>
  monthOf(to) - monthOf(from) + (isLastOfMonth(to) ? 1 : 0);
