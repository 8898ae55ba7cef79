import { namedBy } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import type { Step } from '../contract/walk.js';
import type { Article } from './article.entity.js';

type Named = 'brand' | 'category' | 'amortization_category';

/** An article as lists show it: what it names of others, and no versions, of which entity tags are made. */
export type ArticleRow = Omit<Article, Named | 'deleted_at' | 'version'> & Record<Named, NamedDto | null>;

/** A row of the statement below: the names of others beside their ids. */
export type ReadRow = Omit<ArticleRow, Named> & Record<`${Named}_name`, string>;

/** A page of a walk through all that are not deleted. */
export const articlesOnWalk = ({ name, values, end }: Step) => ({
  name,
  text: `
    SELECT article.id, article.name, article.reference, article.brand_id, article.category_id,
      article.amortization_category_id, article.is_active, article.fields, article.photo_id, article.created_at,
      article.updated_at, b.name AS brand_name, c.name AS category_name, ac.name AS amortization_category_name
    FROM articles article
    LEFT JOIN brands b ON b.id = article.brand_id
    LEFT JOIN categories c ON c.id = article.category_id
    LEFT JOIN amortization_categories ac ON ac.id = article.amortization_category_id
    WHERE article.deleted_at IS NULL ${end}`,
  values,
});

/** How many there are that are not deleted. */
export const COUNTED = {
  name: 'articles-total',
  text: `SELECT count(*)::integer AS total FROM articles WHERE deleted_at IS NULL`,
};

export const articleOf = (row: ReadRow): ArticleRow => ({
  id: row.id,
  name: row.name,
  reference: row.reference,
  brand_id: row.brand_id,
  brand: namedBy(row.brand_id, row.brand_name),
  category_id: row.category_id,
  category: namedBy(row.category_id, row.category_name),
  amortization_category_id: row.amortization_category_id,
  amortization_category: namedBy(row.amortization_category_id, row.amortization_category_name),
  is_active: row.is_active,
  fields: row.fields,
  photo_id: row.photo_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
