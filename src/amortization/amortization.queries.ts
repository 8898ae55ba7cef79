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

/** Of what was bought by the day $1, no more than its value takes. */
export const BOUGHT = `
  SELECT a.amortization_category_id, p.purchase_price, p.purchase_date, coalesce(p.in_service_date, p.purchase_date)
  FROM purchases p JOIN articles a ON a.id = p.article_id
  WHERE p.deleted_at IS NULL AND p.purchase_date <= $1`;
