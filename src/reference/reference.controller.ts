import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { Reply, Replying, pageOf } from '../contract/resource.js';
import {
  AmortizationCategoryDto,
  BrandDto,
  CategoryDto,
  ReferenceQuery,
  amortizationCategory,
  brand,
  category,
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
  list(@Query() query: ReferenceQuery) {
    return pageOf(brand, this.reference.list(Brand, query));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<BrandDto> {
    return reply.of(brand, this.reference.get(Brand, id));
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
  list(@Query() query: ReferenceQuery) {
    return pageOf(category, this.reference.list(Category, query));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<CategoryDto> {
    return reply.of(category, this.reference.get(Category, id));
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
  list(@Query() query: ReferenceQuery) {
    return pageOf(amortizationCategory, this.reference.list(AmortizationCategory, query));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<AmortizationCategoryDto> {
    return reply.of(amortizationCategory, this.reference.get(AmortizationCategory, id));
  }
}
