import { ApiProperty } from '@nestjs/swagger';
import { tagOf } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { BooleanField, IdField, NameField } from '../contract/fields.js';
import { BooleanParam, IdParam } from '../contract/params.js';
import { InstantAnswer } from '../contract/answers.js';
import { FieldFilters } from '../fields/filters.js';
import { GIVEN, ValuesAnswer, ValuesField } from '../fields/values.js';
import type { FieldValues } from '../fields/values.js';
import { NamedAnswer, named } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import { PhotoAnswer, photoUrlOf } from '../contract/photo.js';
import { DeletedParam, ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import type { Resource } from '../contract/resource.js';
import type { Article } from './article.entity.js';
import type { ArticleRow } from './articles.queries.js';

export class ArticleQuery extends ListQuery {
  @SearchParam('name, reference and fields of one’s own')
  search?: string;

  @IdParam({ description: 'Articles of this category.' })
  category_id?: number;

  @IdParam({ description: 'Articles of this brand.' })
  brand_id?: number;

  @IdParam({ description: 'Articles of this amortization category.' })
  amortization_category_id?: number;

  @BooleanParam({ description: 'Only active or only inactive articles.' })
  is_active?: boolean;

  @FieldFilters()
  field?: never;

  @DeletedParam()
  declare deleted?: boolean;

  @SortParam('id', 'name', 'reference', 'created_at')
  declare sort?: string;
}

const empty = { optional: true, nullable: true };

export class CreateArticleDto {
  @NameField({ max: 255, example: 'HP EliteBook 840 G7' })
  name: string;

  @NameField({ ...empty, max: 100, example: 'PCP-0013', description: 'Need not be unique.' })
  reference?: string | null;

  @IdField({ ...empty, example: 2, description: 'A brand.' })
  brand_id?: number | null;

  @IdField({ ...empty, example: 1, description: 'A category.' })
  category_id?: number | null;

  @IdField({ ...empty, example: 2, description: 'An amortization category.' })
  amortization_category_id?: number | null;

  @BooleanField({
    optional: true,
    default: true,
    description: 'For filters and pick lists; forbids nothing.',
  })
  is_active?: boolean;

  @ValuesField({ example: { puissance_w: 65 }, description: GIVEN })
  fields?: FieldValues;
}

export class UpdateArticleDto extends PatchOf(CreateArticleDto) {}

export class ArticleDto {
  @ApiProperty({ type: 'integer', example: 13 })
  id: number;

  @ApiProperty({ example: 'HP EliteBook 840 G7' })
  name: string;

  @ApiProperty({ type: String, nullable: true, example: 'PCP-0013' })
  reference: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 2 })
  brand_id: number | null;

  @NamedAnswer({ id: 2, name: 'HP' })
  brand: NamedDto | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  category_id: number | null;

  @NamedAnswer({ id: 1, name: 'Ordinateurs portables' })
  category: NamedDto | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 2 })
  amortization_category_id: number | null;

  @NamedAnswer({ id: 2, name: 'Informatique mobile – 3 ans dégressif' })
  amortization_category: NamedDto | null;

  @ApiProperty({ example: true })
  is_active: boolean;

  @ValuesAnswer({ puissance_w: 65 })
  fields: FieldValues;

  @PhotoAnswer()
  photo_url: string | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toArticleDto = (article: ArticleRow): ArticleDto => ({
  id: article.id,
  name: article.name,
  reference: article.reference,
  brand_id: article.brand_id,
  brand: named(article.brand),
  category_id: article.category_id,
  category: named(article.category),
  amortization_category_id: article.amortization_category_id,
  amortization_category: named(article.amortization_category),
  is_active: article.is_active,
  fields: article.fields,
  photo_url: photoUrlOf(article),
  created_at: article.created_at,
  updated_at: article.updated_at,
});

/** In lists. */
export const articleRow: Omit<Resource<ArticleRow, ArticleDto>, 'tag'> = {
  answer: toArticleDto,
  columns: {
    name: (row) => row.name,
    reference: (row) => row.reference,
    brand: (row) => row.brand?.name ?? null,
    category: (row) => row.category?.name ?? null,
    amortization_category: (row) => row.amortization_category?.name ?? null,
    is_active: (row) => row.is_active,
  },
};

export const article: Resource<Article, ArticleDto> = {
  tag: ({ version, brand, category, amortization_category }) =>
    tagOf(version, brand?.version, category?.version, amortization_category?.version),
  ...articleRow,
};
