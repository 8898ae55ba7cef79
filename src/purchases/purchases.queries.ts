import { namedBy } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import { photoUrlBy } from '../contract/photo.js';
import type { Path, Step } from '../contract/walk.js';
import type { CategoryTerms } from '../amortization/asset.js';
import type { Purchase } from './purchase.entity.js';

/** A purchase with all that its answer shows, whether TypeORM or a statement below has read it. */
export interface PurchaseRow extends Omit<
  Purchase,
  | 'article'
  | 'supplier'
  | 'location'
  | 'assigned_tier'
  | 'article_id'
  | 'supplier_id'
  | 'location_id'
  | 'assigned_tier_id'
  | 'deleted_at'
  | 'version'
> {
  article: {
    id: number;
    name: string;
    reference: string | null;
    brand: NamedDto | null;
    category: NamedDto | null;
    amortization_category: (NamedDto & CategoryTerms) | null;
  };
  supplier: (NamedDto & { reference: string | null }) | null;
  location: { id: number; name: string; code: string | null; path: string } | null;
  assigned_tier: (NamedDto & { reference: string }) | null;
}

/** A row of the statements below: what it shows of other rows is beside its own, and null where there is none. */
export interface ShownRow extends Omit<PurchaseRow, 'article' | 'supplier' | 'location' | 'assigned_tier'> {
  article_id: number;
  article_name: string;
  article_reference: string | null;
  brand_id: number | null;
  brand_name: string;
  category_id: number | null;
  category_name: string;
  amortization_id: number | null;
  amortization_name: string;
  method: CategoryTerms['method'];
  duration_years: number;
  declining_coefficient: number | null;
  supplier_id: number | null;
  supplier_name: string;
  supplier_reference: string | null;
  location_id: number | null;
  location_name: string;
  location_code: string | null;
  location_path: string;
  tier_id: number | null;
  tier_name: string;
  tier_reference: string;
}

/**
 * What an answer shows of the purchases `p`, of their articles `a` and of the others that they name: TypeORM's relations
 * take five times as long, and objects that PostgreSQL makes half as long again.
 */
const OWN = `
    p.id, p.code, p.epc, p.gs1, p.purchase_date, p.purchase_price, p.warranty_end_date, p.in_service_date, p.serial_number,
      p.notes, p.assigned_to, p.fields, p.disposed_on, p.disposal_reason, p.disposal_proceeds, p.disposal_note, p.photo_id, p.created_at, p.updated_at`;
const OF_ARTICLE = `
      a.id AS article_id, a.name AS article_name, a.reference AS article_reference,
      b.id AS brand_id, b.name AS brand_name, c.id AS category_id, c.name AS category_name,
      ac.id AS amortization_id, ac.name AS amortization_name, ac.method, ac.duration_years, ac.declining_coefficient`;
const OF_OTHERS = `
      s.id AS supplier_id, s.name AS supplier_name, s.reference AS supplier_reference,
      l.id AS location_id, l.name AS location_name, l.code AS location_code, l.path AS location_path,
      t.id AS tier_id, t.name AS tier_name, t.reference AS tier_reference`;
const ARTICLE_RELATIONS = `
    LEFT JOIN brands b ON b.id = a.brand_id
    LEFT JOIN categories c ON c.id = a.category_id
    LEFT JOIN amortization_categories ac ON ac.id = a.amortization_category_id`;
const OTHER_RELATIONS = `
    LEFT JOIN suppliers s ON s.id = p.supplier_id
    LEFT JOIN locations l ON l.id = p.location_id
    LEFT JOIN tiers t ON t.id = p.assigned_tier_id`;

/**
 * Of one purchase, as phones ask. The article is looked up by itself: of nine tables at once PostgreSQL would compare all
 * orders for 9 ms, again on each connection and after each ANALYZE; so it takes 2 (bench/PROFILES.md).
 */
const ONE = `${OWN}, article.*, ${OF_OTHERS}`;
const ONE_RELATIONS = `
    JOIN LATERAL (
      SELECT ${OF_ARTICLE} FROM articles a ${ARTICLE_RELATIONS} WHERE a.id = p.article_id OFFSET 0
    ) article ON true ${OTHER_RELATIONS}`;

/** As TypeORM has it; made anew, since V8 keeps shapes that it makes for a row of so many columns until it collects them all. */
export const purchaseOf = (row: ShownRow): PurchaseRow => ({
  id: row.id,
  code: row.code,
  epc: row.epc,
  gs1: row.gs1,
  purchase_date: row.purchase_date,
  purchase_price: row.purchase_price,
  warranty_end_date: row.warranty_end_date,
  in_service_date: row.in_service_date,
  serial_number: row.serial_number,
  notes: row.notes,
  assigned_to: row.assigned_to,
  fields: row.fields,
  disposed_on: row.disposed_on,
  disposal_reason: row.disposal_reason,
  disposal_proceeds: row.disposal_proceeds,
  disposal_note: row.disposal_note,
  photo_id: row.photo_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  article: {
    id: row.article_id,
    name: row.article_name,
    reference: row.article_reference,
    brand: namedBy(row.brand_id, row.brand_name),
    category: namedBy(row.category_id, row.category_name),
    amortization_category:
      row.amortization_id === null
        ? null
        : {
            id: row.amortization_id,
            name: row.amortization_name,
            method: row.method,
            duration_years: row.duration_years,
            declining_coefficient: row.declining_coefficient,
          },
  },
  supplier:
    row.supplier_id === null
      ? null
      : { id: row.supplier_id, name: row.supplier_name, reference: row.supplier_reference },
  location:
    row.location_id === null
      ? null
      : {
          id: row.location_id,
          name: row.location_name,
          code: row.location_code,
          path: row.location_path,
        },
  assigned_tier:
    row.tier_id === null ? null : { id: row.tier_id, name: row.tier_name, reference: row.tier_reference },
});

/** The scanned code's purchase. */
export const findByCode = (candidates: string[]) => ({
  name: 'purchase-by-code',
  text: `
    SELECT ${ONE}
    FROM unnest($1::text[]) WITH ORDINALITY AS tried (code, rank)
    JOIN purchases p ON p.code_key = code_key(tried.code) AND p.deleted_at IS NULL ${ONE_RELATIONS}
    ORDER BY tried.rank LIMIT 1`,
  values: [candidates],
});

/** The purchase of another code than that of its label. */
export const findByAlias = (candidates: string[]) => ({
  name: 'purchase-by-alias',
  text: `
    SELECT ${ONE}
    FROM unnest($1::text[]) WITH ORDINALITY AS tried (code, rank)
    JOIN purchase_codes k ON k.code_key = code_key(tried.code) AND k.alias IS NOT NULL
    JOIN purchases p ON p.id = k.purchase_id AND p.deleted_at IS NULL ${ONE_RELATIONS}
    ORDER BY tried.rank LIMIT 1`,
  values: [candidates],
});

/** Of many, by a table of their ids and their ranks; deleted ones included. */
const many = (shown: string, ids: string): string => `
    SELECT ${shown}
    FROM ${ids} AS asked (id, rank)
    JOIN purchases p ON p.id = asked.id
    JOIN articles a ON a.id = p.article_id ${ARTICLE_RELATIONS} ${OTHER_RELATIONS}
    ORDER BY asked.rank`;

/** In the order of the ids. */
export const findByIds = (ids: number[]) => ({
  name: 'purchases-by-ids',
  text: many(`${OWN}, ${OF_ARTICLE}, ${OF_OTHERS}`, 'unnest($1::integer[]) WITH ORDINALITY'),
  values: [`{${ids.join()}}`], // pg would quote each
});

/** What all that are not deleted are walked by. */
export const ALL: Omit<Path, 'counted'> = { table: 'purchases', id: 'purchase.id', type: 'integer' };
export const NOT_DELETED = 'purchases purchase WHERE purchase.deleted_at IS NULL';

/** What toDisposalDto() reckons with, where there is one. */
const DISPOSED = `CASE WHEN p.disposed_on IS NOT NULL THEN json_build_object('disposed_on', p.disposed_on,
        'disposal_reason', p.disposal_reason, 'disposal_proceeds', p.disposal_proceeds, 'disposal_note', p.disposal_note,
        'purchase_price', p.purchase_price, 'purchase_date', p.purchase_date, 'in_service_date', p.in_service_date,
        'article', json_build_object('amortization_category', ac)) END`;
/** As toPurchaseDto() has it, on the day `today`. */
const answered = (today: string): string => `
      p.id, p.code, p.epc, p.gs1, p.article_id, a.id AS "article.id", a.name AS "article.name",
      a.reference AS "article.reference", b.id AS "article.brand.id", b.name AS "article.brand.name",
      c.id AS "article.category.id", c.name AS "article.category.name",
      ac.id AS "article.amortization_category.id", ac.name AS "article.amortization_category.name",
      p.purchase_date, p.purchase_price, p.supplier_id, s.id AS "supplier.id", s.name AS "supplier.name",
      p.location_id, l.id AS "location.id", l.name AS "location.name", l.path AS "location.path", p.assigned_to,
      p.assigned_tier_id, t.id AS "assigned_tier.id", t.name AS "assigned_tier.name", p.warranty_end_date,
      CASE WHEN p.warranty_end_date >= ${today} THEN 'active' WHEN p.warranty_end_date IS NULL THEN 'none'
        ELSE 'expired' END AS "warranty.status",
      p.warranty_end_date AS "warranty.end_date", coalesce(p.in_service_date, p.purchase_date) AS in_service_date,
      p.serial_number, p.notes, p.fields,
      ${DISPOSED} AS disposal,
      ${photoUrlBy('p.photo_id')} AS photo_url, p.created_at, p.updated_at`;

/** A page of a walk through `rows`, as it is answered. */
export const findOnWalk = (rows: string, { name, values, ids }: Step, today: string) => ({
  name,
  text: many(answered(`$${values.length + 1}::date`), ids(rows)),
  values: [...values, today],
});
