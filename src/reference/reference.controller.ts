import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { recordTag, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import {
  AmortizationCategoryDto,
  BrandDto,
  CategoryDto,
  ReferenceQuery,
  toAmortizationCategoryDto,
  toBrandDto,
  toCategoryDto,
} from './reference.dto.js';
import { AmortizationCategory, Brand, Category } from './reference.entity.js';
import { ReferenceService } from './reference.service.js';

@ApiTags('Reference data')
@Controller('brands')
export class BrandsController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view')
  @Get()
  @PageOperation({
    id: 'listBrands',
    summary: 'List brands',
    description: 'Names are unique. Nothing is ever deleted from this list.',
    answer: BrandDto,
  })
  async list(@Query() query: ReferenceQuery) {
    return toPage(await this.reference.list(Brand, query), toBrandDto);
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({
    id: 'getBrand',
    summary: 'One brand',
    description: 'Articles and purchases show its name, so their entity tags change with it.',
    answer: BrandDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<BrandDto> {
    const row = await this.reference.get(Brand, id);
    return tagged(response, recordTag(row), toBrandDto(row));
  }
}

@ApiTags('Reference data')
@Controller('categories')
export class CategoriesController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view')
  @Get()
  @PageOperation({
    id: 'listCategories',
    summary: 'List categories',
    description: 'Names are unique. Nothing is ever deleted from this list.',
    answer: CategoryDto,
  })
  async list(@Query() query: ReferenceQuery) {
    return toPage(await this.reference.list(Category, query), toCategoryDto);
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({
    id: 'getCategory',
    summary: 'One category',
    description: 'Articles and purchases show its name, so their entity tags change with it.',
    answer: CategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<CategoryDto> {
    const row = await this.reference.get(Category, id);
    return tagged(response, recordTag(row), toCategoryDto(row));
  }
}

@ApiTags('Reference data')
@Controller('amortization-categories')
export class AmortizationCategoriesController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view')
  @Get()
  @PageOperation({
    id: 'listAmortizationCategories',
    summary: 'List amortization categories',
    description:
      'Method, duration and coefficient by which articles lose their value. Nothing is ever deleted from this list.',
    answer: AmortizationCategoryDto,
  })
  async list(@Query() query: ReferenceQuery) {
    return toPage(await this.reference.list(AmortizationCategory, query), toAmortizationCategoryDto);
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({
    id: 'getAmortizationCategory',
    summary: 'One amortization category',
    description: 'The coefficient multiplies the linear rate; a linear category has none.',
    answer: AmortizationCategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(
    @IdInPath() id: number,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AmortizationCategoryDto> {
    const row = await this.reference.get(AmortizationCategory, id);
    return tagged(response, recordTag(row), toAmortizationCategoryDto(row));
  }
}
