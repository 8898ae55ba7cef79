import type { CategoryTerms } from './asset.js';

export interface CategoryRow extends CategoryTerms {
  id: number;
  name: string;
}

/** The amortization categories, by name. */
export const CATEGORIES = `
  SELECT id, name, method, duration_years, declining_coefficient FROM amortization_categories ORDER BY name, id`;

export type BoughtRow = [
  amortizationCategory: string | null,
  price: string | null,
  purchased: string,
  inService: string,
];

/** Bought by the day $1, and not disposed of by its end. */
const HELD = `p.deleted_at IS NULL AND p.purchase_date <= $1 AND (p.disposed_on IS NULL OR p.disposed_on > $1)`;

/** Of what was held on the day $1, no more than its value takes. */
export const BOUGHT = `
  SELECT a.amortization_category_id, p.purchase_price, p.purchase_date, coalesce(p.in_service_date, p.purchase_date)
  FROM purchases p JOIN articles a ON a.id = p.article_id
  WHERE ${HELD}`;

export type AssetRow = [
  code: string,
  article: string,
  category: string | null,
  amortizationCategory: string | null,
  amortizationCategoryId: string | null,
  price: string | null,
  purchased: string,
  inService: string,
];

/** The same with what tells them apart, as they were entered. */
export const ASSETS = `
  SELECT p.code, a.name, c.name, ac.name, ac.id, p.purchase_price, p.purchase_date,
    coalesce(p.in_service_date, p.purchase_date)
  FROM purchases p JOIN articles a ON a.id = p.article_id
  LEFT JOIN categories c ON c.id = a.category_id
  LEFT JOIN amortization_categories ac ON ac.id = a.amortization_category_id
  WHERE ${HELD}
  ORDER BY p.id`;
