import type { NamedDto } from '../contract/openapi.js';
import { photoUrlBy } from '../contract/photo.js';
import type { Step } from '../contract/walk.js';
import type { Article } from './article.entity.js';

type Named = 'brand' | 'category' | 'amortization_category';

/** An article as lists show it: what it names of others, and no versions, of which entity tags are made. */
export type ArticleRow = Omit<Article, Named | 'deleted_at' | 'version'> & Record<Named, NamedDto | null>;

/** A page of a walk through all that are not deleted, as toArticleDto() has them. */
export const articlesOnWalk = ({ name, values, end }: Step) => ({
  name,
  text: `
    SELECT article.id, article.name, article.reference, article.brand_id, b.id AS "brand.id", b.name AS "brand.name",
      article.category_id, c.id AS "category.id", c.name AS "category.name", article.amortization_category_id,
      ac.id AS "amortization_category.id", ac.name AS "amortization_category.name", article.is_active, article.fields,
      ${photoUrlBy('article.photo_id')} AS photo_url, article.created_at, article.updated_at
    FROM articles article
    LEFT JOIN brands b ON b.id = article.brand_id
    LEFT JOIN categories c ON c.id = article.category_id
    LEFT JOIN amortization_categories ac ON ac.id = article.amortization_category_id
    WHERE article.deleted_at IS NULL ${end}`,
  values,
  json: {},
});

/** How many there are that are not deleted. */
export const COUNTED = {
  name: 'articles-total',
  text: `SELECT count(*)::integer AS total FROM articles WHERE deleted_at IS NULL`,
};
