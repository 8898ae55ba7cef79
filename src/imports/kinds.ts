import { CreateArticleDto } from '../articles/articles.dto.js';
import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import { CreateAmortizationCategoryDto } from '../reference/reference.dto.js';
import { CreateSupplierDto } from '../suppliers/suppliers.dto.js';
import { coefficientRule } from '../reference/coefficient.js';
import type { Kind } from './kind.js';
import { findLocations, locationConstraints, locationRule, placeLines } from './locations.js';
import { codeTaken, compareCodes, findByCodeKey, makeCodes, purchaseRule } from './purchases.js';
import { codeKeys } from './references.js';
import { EquipmentRow, LocationRow, NameRow, PurchaseRow, TierRow } from './rows.js';
import { contractMessages } from '../contract/contract.messages.js';

/** Everything that can be imported, by the word of the command. */
export const kinds: Record<string, Kind> = {
  brands: {
    table: 'brands',
    row: NameRow,
    key: ['name'],
    constraints: taken('brands', 'name'),
  },

  categories: {
    table: 'categories',
    row: NameRow,
    key: ['name'],
    constraints: taken('categories', 'name'),
  },

  'amortization-categories': {
    table: 'amortization_categories',
    row: CreateAmortizationCategoryDto,
    key: ['name'],
    constraints: taken('amortization_categories', 'name'),
    stored: ['method', 'duration_years', 'declining_coefficient'],
    rule: coefficientRule,
    filled: ['declining_coefficient'],
  },

  suppliers: {
    table: 'suppliers',
    row: CreateSupplierDto,
    key: ['reference', 'name'],
    defaults: { is_active: true },
  },

  locations: {
    table: 'locations',
    row: LocationRow,
    key: ['code'],
    defaults: { is_active: true },
    constraints: locationConstraints,
    keysOf: codeKeys,
    find: findLocations,
    rule: locationRule,
    complete: placeLines,
    filled: ['code', 'name', 'parent_id'],
    fixed: ['code'], // as it stands on the door
    texts: ['parent'],
    numbered: true,
  },

  articles: {
    table: 'articles',
    ownFields: 'article',
    row: CreateArticleDto,
    key: ['reference', 'name'],
    references: {
      brand: { field: 'brand_id', table: 'brands', by: ['name'] },
      category: { field: 'category_id', table: 'categories', by: ['name'] },
      amortization_category: {
        field: 'amortization_category_id',
        table: 'amortization_categories',
        by: ['name'],
      },
    },
    defaults: { is_active: true },
    stored: ['fields'],
  },

  purchases: {
    table: 'purchases',
    ownFields: 'purchase',
    row: PurchaseRow,
    key: ['code'],
    references: {
      article: { field: 'article_id', table: 'articles', by: ['reference', 'name'] },
      supplier: { field: 'supplier_id', table: 'suppliers', by: ['reference', 'name'] },
      location: { field: 'location_id', table: 'locations', by: ['code', 'path', 'name'] },
      assigned_tier: { field: 'assigned_tier_id', table: 'tiers', by: ['reference', 'name'] },
    },
    renamed: { disposal_date: 'disposed_on' },
    more: ['article_name', 'article_reference', 'brand', 'category', 'warranty_months'],
    lookups: { brand: { table: 'brands', by: ['name'] }, category: { table: 'categories', by: ['name'] } },
    defaults: { gs1: [] },
    lists: ['gs1'],
    compare: compareCodes,
    constraints: { uq_purchases_code_key: codeTaken, pk_purchase_codes: codeTaken },
    keysOf: codeKeys,
    find: findByCodeKey,
    rule: purchaseRule,
    complete: makeCodes,
    filled: ['code'],
    fixed: ['code'], // as it stands on the label, also where the file spells it in another case
  },

  equipments: {
    table: 'equipments',
    row: EquipmentRow,
    key: ['reference'],
    references: { tier: { field: 'tier_id', table: 'tiers', by: ['reference'] } },
    defaults: { status: 'in_service' },
    constraints: taken('equipments', 'reference'),
  },

  tiers: {
    table: 'tiers',
    row: TierRow,
    key: ['reference'],
    defaults: { type: 'other', is_active: true },
    constraints: taken('tiers', 'reference'),
  },
};

/** As it is spelled, or as names are compared. */
function taken(table: string, field: string): Record<string, FieldErrors> {
  const errors = { [field]: [say(contractMessages.taken)] };
  return { [`uq_${table}_${field}`]: errors, [`uq_${table}_${field}_key`]: errors };
}
