import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Sorts } from '../contract/pagination.js';
import { filterByFields, inFields } from '../fields/filters.js';
import { codeCandidates } from './code.js';
import type { Purchase } from './purchase.entity.js';
import type { PurchaseFilters } from './purchase-query.dto.js';
import { purchaseMessages } from './purchases.messages.js';

/** How their list sorts. */
export const SORTS: Sorts<Purchase> = {
  id: { by: 'purchase.id', type: 'integer', of: (row) => row.id },
  code: { by: 'purchase.code', type: 'text', of: (row) => row.code },
  purchase_date: { by: 'purchase.purchase_date', type: 'date', of: (row) => row.purchase_date },
  purchase_price: {
    by: 'coalesce(purchase.purchase_price, -1)',
    type: 'numeric',
    of: (row) => row.purchase_price ?? -1,
  },
  created_at: { by: 'purchase.created_at', type: 'timestamptz', of: (row) => row.created_at },
};

/** A warranty covers its last day. */
const WARRANTIES = {
  active: 'purchase.warranty_end_date >= :today',
  expired: 'purchase.warranty_end_date < :today',
  none: 'purchase.warranty_end_date IS NULL',
  expiring: 'purchase.warranty_end_date BETWEEN :today AND CAST(:today AS date) + :within_days::integer',
};
const WITHIN_DAYS = 60;

const REGISTERED = (code: string): string =>
  `purchase.id = (SELECT purchase_id FROM purchase_codes WHERE code_key = code_key(${code}))`;

/**
 * Narrows a query that has the alias `purchase`; `today` decides on warranties.
 * @throws DomainError validation-failed for days of no warranty that expires
 */
export async function filterPurchases(
  rows: SelectQueryBuilder<object>,
  query: PurchaseFilters,
  today: string,
): Promise<void> {
  const { search, article_id, code, supplier_id, category_id, brand_id, location_id, epc, gs1 } = query;
  const { assigned_to, assigned_tier_id } = query;
  const { purchased_from, purchased_to, disposed = 'any', warranty, within_days } = query;
  if (within_days !== undefined && warranty !== 'expiring')
    throw invalid({ within_days: [say(purchaseMessages.of_expiring)] });
  if (article_id) rows.andWhere('purchase.article_id = :article_id', { article_id });
  if (supplier_id) rows.andWhere('purchase.supplier_id = :supplier_id', { supplier_id });
  if (code) rows.andWhere('purchase.code_key = code_key(:code)', { code });
  // By the register, which has an index, and then what it is there.
  if (epc)
    rows.andWhere(`${REGISTERED('epc_key(:epc)')} AND code_key(purchase.epc) = code_key(:epc)`, { epc });
  if (gs1)
    rows.andWhere(
      `${REGISTERED(':gs1')} AND EXISTS (SELECT FROM unnest(purchase.gs1) one WHERE code_key(one) = code_key(:gs1))`,
      { gs1 },
    );
  if (assigned_to)
    rows.andWhere('fold(purchase.assigned_to) LIKE search_pattern(:assigned_to)', { assigned_to });
  if (assigned_tier_id) rows.andWhere('purchase.assigned_tier_id = :assigned_tier_id', { assigned_tier_id });
  if (purchased_from) rows.andWhere('purchase.purchase_date >= :purchased_from', { purchased_from });
  if (purchased_to) rows.andWhere('purchase.purchase_date <= :purchased_to', { purchased_to });
  if (disposed !== 'any') rows.andWhere(`purchase.disposed_on IS ${disposed === 'true' ? 'NOT ' : ''}NULL`);
  if (warranty) rows.andWhere(WARRANTIES[warranty], { today, within_days: within_days ?? WITHIN_DAYS });
  if (category_id) {
    rows.andWhere('purchase.article_id IN (SELECT id FROM articles WHERE category_id = :category_id)', {
      category_id,
    });
  }
  if (brand_id) {
    rows.andWhere('purchase.article_id IN (SELECT id FROM articles WHERE brand_id = :brand_id)', {
      brand_id,
    });
  }
  if (location_id) {
    rows.andWhere('purchase.location_id = ANY (:places)', {
      places: await placesIn(rows.dataSource.manager, location_id),
    });
  }
  await filterByFields(rows, 'purchase', 'purchase', query);
  if (search) {
    // Arrays rather than sub-selects: PostgreSQL then combines the indexes instead of reading every row.
    rows.andWhere(
      `(purchase.search_text LIKE search_pattern(:search) OR ${inFields('purchase')}
        OR purchase.id = ANY (ARRAY(SELECT purchase_id FROM purchase_codes
          WHERE alias IS NOT NULL AND code_key = ANY (ARRAY(SELECT code_key(one) FROM unnest(CAST(:codes AS text[])) one))))
        OR purchase.article_id = ANY (ARRAY(SELECT id FROM articles article
          WHERE article.search_text LIKE search_pattern(:search) OR ${inFields('article')})))`,
      { search, codes: codeCandidates(search) },
    );
  }
}

/**
 * A place and all that lie below it. Asked before the purchases are, since PostgreSQL finds those of a room and those of
 * a whole site in different ways, and can only choose well when it sees how many places there are.
 */
export async function placesIn(manager: EntityManager, id: number): Promise<number[]> {
  const sql = `SELECT id FROM locations WHERE lineage @> ARRAY[$1::integer]`;
  return (await manager.query<{ id: number }[]>(sql, [id])).map((place) => place.id);
}
