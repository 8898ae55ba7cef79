import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
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
  @PageOperation({ id: 'listBrands', summary: 'List brands', answer: BrandDto })
  async list(@Query() query: ReferenceQuery) {
    return toPage(await this.reference.list(Brand, query), toBrandDto);
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({ id: 'getBrand', summary: 'One brand', answer: BrandDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<BrandDto> {
    return toBrandDto(await this.reference.get(Brand, id));
  }
}

@ApiTags('Reference data')
@Controller('categories')
export class CategoriesController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view')
  @Get()
  @PageOperation({ id: 'listCategories', summary: 'List categories', answer: CategoryDto })
  async list(@Query() query: ReferenceQuery) {
    return toPage(await this.reference.list(Category, query), toCategoryDto);
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({ id: 'getCategory', summary: 'One category', answer: CategoryDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<CategoryDto> {
    return toCategoryDto(await this.reference.get(Category, id));
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
    answer: AmortizationCategoryDto,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number): Promise<AmortizationCategoryDto> {
    return toAmortizationCategoryDto(await this.reference.get(AmortizationCategory, id));
  }
}
