import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, NumberAnswer, WordAnswer } from '../contract/answers.js';
import { PatchOf } from '../contract/field.js';
import { ChoiceField, IntegerField, NameField } from '../contract/fields.js';
import { DeletedParam, ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { CoefficientField } from './coefficient.js';
import { AMORTIZATION_METHODS } from './reference.entity.js';
import type { AmortizationCategory, AmortizationMethod, Brand, Category } from './reference.entity.js';
import { recordTag } from '../contract/etag.js';
import type { Resource } from '../contract/resource.js';

export class ReferenceQuery extends ListQuery {
  @SearchParam('the name')
  search?: string;

  @DeletedParam()
  declare deleted?: boolean;

  @SortParam('id', 'name')
  declare sort?: string;
}

export class CreateBrandDto {
  @NameField({ max: 255, example: 'Framework' })
  name: string;
}

export class UpdateBrandDto extends PatchOf(CreateBrandDto) {
  @NameField({ optional: true, max: 255, example: 'Dell' })
  declare name?: string;
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

export class CreateCategoryDto {
  @NameField({ max: 255, example: 'Écrans tactiles' })
  name: string;
}

export class UpdateCategoryDto extends PatchOf(CreateCategoryDto) {
  @NameField({ optional: true, max: 255, example: 'Ordinateurs portables' })
  declare name?: string;
}

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

const FACTOR =
  'Factor of the linear rate, for a declining category alone; by its duration when absent: 1.25 for 3 and 4 years, 1.75 for 5 and 6, 2.25 for more.';

export class CreateAmortizationCategoryDto {
  @NameField({ max: 255, example: 'Informatique – 5 ans dégressif' })
  name: string;

  @ChoiceField({ of: AMORTIZATION_METHODS, example: 'declining' })
  method: AmortizationMethod;

  @IntegerField({ min: 1, max: 100, example: 5 })
  duration_years: number;

  @CoefficientField({
    optional: true,
    nullable: true,
    example: 1.75,
    description: FACTOR,
  })
  declining_coefficient?: number | null;
}

export class UpdateAmortizationCategoryDto extends PatchOf(CreateAmortizationCategoryDto) {
  @NameField({ optional: true, max: 255, example: 'Informatique – 3 ans linéaire' })
  declare name?: string;

  @ChoiceField({ optional: true, of: AMORTIZATION_METHODS, example: 'linear' })
  declare method?: AmortizationMethod;

  @IntegerField({ optional: true, min: 1, max: 100, example: 3 })
  declare duration_years?: number;

  @CoefficientField({ optional: true, nullable: true, example: null, description: FACTOR })
  declare declining_coefficient?: number | null;
}

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

const byName = { name: ({ name }: { name: string }) => name };

export const brand: Resource<Brand, BrandDto> = { tag: recordTag, answer: toBrandDto, columns: byName };
export const category: Resource<Category, CategoryDto> = {
  tag: recordTag,
  answer: toCategoryDto,
  columns: byName,
};
export const amortizationCategory: Resource<AmortizationCategory, AmortizationCategoryDto> = {
  tag: recordTag,
  answer: toAmortizationCategoryDto,
  columns: {
    name: (row) => row.name,
    method: (row) => row.method,
    duration_years: (row) => row.duration_years,
    declining_coefficient: (row) => row.declining_coefficient,
  },
};
