import type { NamedDto } from '../contract/openapi.js';
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

/** Everything that an answer shows of the purchases `p`: TypeORM's relations take five times as long. */
const SHOWN = `
    p.id, p.code, p.epc, p.gs1, p.purchase_date, p.purchase_price, p.warranty_end_date, p.in_service_date, p.serial_number,
      p.notes, p.assigned_to, p.fields, p.disposed_on, p.disposal_reason, p.disposal_proceeds, p.disposal_note, p.photo_id, p.created_at, p.updated_at,
      json_build_object('id', a.id, 'name', a.name, 'reference', a.reference,
        'brand', CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'name', b.name) END,
        'category', CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name) END,
        'amortization_category', CASE WHEN ac.id IS NOT NULL THEN json_build_object('id', ac.id, 'name', ac.name,
          'method', ac.method, 'duration_years', ac.duration_years,
          'declining_coefficient', ac.declining_coefficient) END
      ) AS article,
      CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'name', s.name, 'reference', s.reference) END AS supplier,
      CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name, 'code', l.code, 'path', l.path) END AS location,
      CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name, 'reference', t.reference) END AS assigned_tier`;
const RELATIONS = `
    JOIN articles a ON a.id = p.article_id
    LEFT JOIN brands b ON b.id = a.brand_id
    LEFT JOIN categories c ON c.id = a.category_id
    LEFT JOIN amortization_categories ac ON ac.id = a.amortization_category_id
    LEFT JOIN suppliers s ON s.id = p.supplier_id
    LEFT JOIN locations l ON l.id = p.location_id
    LEFT JOIN tiers t ON t.id = p.assigned_tier_id`;

/** The scanned code's purchase. */
export const findByCode = (candidates: string[]) => ({
  name: 'purchase-by-code',
  text: `
    SELECT ${SHOWN}
    FROM unnest($1::text[]) WITH ORDINALITY AS tried (code, rank)
    JOIN purchases p ON p.code_key = code_key(tried.code) AND p.deleted_at IS NULL ${RELATIONS}
    ORDER BY tried.rank LIMIT 1`,
  values: [candidates],
});

/** The purchase of another code than that of its label. */
export const findByAlias = (candidates: string[]) => ({
  name: 'purchase-by-alias',
  text: `
    SELECT ${SHOWN}
    FROM unnest($1::text[]) WITH ORDINALITY AS tried (code, rank)
    JOIN purchase_codes k ON k.code_key = code_key(tried.code) AND k.alias IS NOT NULL
    JOIN purchases p ON p.id = k.purchase_id AND p.deleted_at IS NULL ${RELATIONS}
    ORDER BY tried.rank LIMIT 1`,
  values: [candidates],
});

/** The purchases of a page, in the order of the ids; deleted ones included. */
export const findByIds = (ids: number[]) => ({
  name: 'purchases-by-ids',
  text: `
    SELECT ${SHOWN}
    FROM unnest($1::integer[]) WITH ORDINALITY AS asked (id, rank)
    JOIN purchases p ON p.id = asked.id ${RELATIONS}
    ORDER BY asked.rank`,
  values: [ids],
});
