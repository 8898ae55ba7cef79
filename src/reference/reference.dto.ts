import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, NumberAnswer, WordAnswer } from '../contract/answers.js';
import { ListQuery, SearchParam, SortParam } from '../contract/pagination.js';
import { AMORTIZATION_METHODS } from './reference.entity.js';
import type { AmortizationCategory, AmortizationMethod, Brand, Category } from './reference.entity.js';
import { recordTag } from '../contract/etag.js';
import type { Resource } from '../contract/resource.js';

export class ReferenceQuery extends ListQuery {
  @SearchParam('the name')
  search?: string;

  @SortParam('id', 'name')
  declare sort?: string;
}

export class BrandDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Dell' })
  name: string;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toBrandDto = ({ id, name, created_at, updated_at }: Brand): BrandDto => ({
  id,
  name,
  created_at,
  updated_at,
});

export class CategoryDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Ordinateurs portables' })
  name: string;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toCategoryDto = ({ id, name, created_at, updated_at }: Category): CategoryDto => ({
  id,
  name,
  created_at,
  updated_at,
});

export class AmortizationCategoryDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Informatique – 3 ans linéaire' })
  name: string;

  @WordAnswer(AMORTIZATION_METHODS, { example: 'linear' })
  method: AmortizationMethod;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, example: 3 })
  duration_years: number;

  @NumberAnswer({
    nullable: true,
    example: null,
    description: 'Factor of the linear rate; null for a linear category.',
  })
  declining_coefficient: number | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toAmortizationCategoryDto = (category: AmortizationCategory): AmortizationCategoryDto => ({
  id: category.id,
  name: category.name,
  method: category.method,
  duration_years: category.duration_years,
  declining_coefficient: category.declining_coefficient,
  created_at: category.created_at,
  updated_at: category.updated_at,
});

export const brand: Resource<Brand, BrandDto> = { tag: recordTag, answer: toBrandDto };
export const category: Resource<Category, CategoryDto> = { tag: recordTag, answer: toCategoryDto };
export const amortizationCategory: Resource<AmortizationCategory, AmortizationCategoryDto> = {
  tag: recordTag,
  answer: toAmortizationCategoryDto,
};
