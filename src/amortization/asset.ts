import type { AmortizationMethod } from '../reference/reference.entity.js';
import { dayOf } from './amortization.js';
import type { Asset, FiscalYears, Terms } from './amortization.js';

/** An amortization category, as the database has it. */
export interface CategoryTerms {
  method: AmortizationMethod;
  duration_years: number;
  declining_coefficient: number | null;
}

/** What of a purchase decides on its value. */
export interface Bought {
  purchase_price: number | null;
  purchase_date: string;
  in_service_date: string | null;
  disposed_on: string | null;
  article: { amortization_category: CategoryTerms | null };
}

export const centsOf = (euros: number): number => Math.round(euros * 100);
export const eurosOf = (cents: number): number => cents / 100;

export const termsOf = ({ method, duration_years, declining_coefficient }: CategoryTerms): Terms => ({
  method,
  years: duration_years,
  coefficient: Math.round((declining_coefficient ?? 1) * 100),
});

/** Null where nothing is amortized: the article has no amortization category, or the purchase no price. */
export function assetOf(bought: Bought): Asset | null {
  const { purchase_price, purchase_date, in_service_date, disposed_on, article } = bought;
  const category = article.amortization_category;
  if (!category || purchase_price === null) return null;
  return {
    base: centsOf(purchase_price),
    purchased: dayOf(purchase_date),
    inService: dayOf(in_service_date ?? purchase_date),
    terms: termsOf(category),
    ...(disposed_on && { disposed: dayOf(disposed_on) }),
  };
}

/** Net book value after a day, in euros: once it was disposed of, what it was then; null where nothing is amortized. */
export function netBookValue(bought: Bought, years: FiscalYears, day: string): number | null {
  const asset = assetOf(bought);
  return asset && eurosOf(years.netOn(asset, dayOf(day)));
}
