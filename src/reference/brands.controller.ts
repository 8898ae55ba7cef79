import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import type { Actor } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { CreateBrandDto, BrandDto, ReferenceQuery, UpdateBrandDto, brand } from './reference.dto.js';
import { Brand } from './reference.entity.js';
import { ReferenceService } from './reference.service.js';

@ApiTags('Reference data')
@Controller('brands')
export class BrandsController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view', { deleted: 'reference.manage' })
  @Get()
  @PageOperation({
    id: 'listBrands',
    summary: 'List brands',
    description: 'Names are unique, whatever the case, the white space and the form of accents.',
    answer: BrandDto,
  })
  list(@CheckedQuery() query: ReferenceQuery) {
    return pageOf(brand, this.reference.list(Brand, query));
  }

  @Access('reference.manage')
  @Post()
  @Operation({
    id: 'createBrand',
    summary: 'Create a brand',
    description:
      '422 on `name` where there is one of that name, whatever the case, the white space and the form of accents.',
    answer: BrandDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateBrandDto, @Creating() creation: Creation): Promise<BrandDto> {
    return this.reference.create(Brand, body, creation.of(brand));
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

  @Access('reference.manage')
  @Patch(':id')
  @Operation({
    id: 'updateBrand',
    summary: 'Change a brand',
    description: 'Articles and purchases show its name, so their entity tags change with it.',
    answer: BrandDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateBrandDto,
    @Changing() change: Change,
  ): Promise<BrandDto> {
    return change.update(brand, (by) => this.reference.update(Brand, id, body, by));
  }

  @Access('reference.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteBrand',
    summary: 'Delete a brand',
    description: 'Refused while articles are of it. Its name is free again.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(brand, id, (by) => this.reference.delete(Brand, id, by));
  }

  @Access('reference.manage')
  @Post(':id/restore')
  @Operation({
    id: 'restoreBrand',
    summary: 'Take the deletion of a brand back',
    description:
      'One that is not deleted stays as it is. Refused where its name was given to another meanwhile.',
    answer: BrandDto,
    tagged: true,
    errors: ['not-found'],
  })
  restore(@IdInPath() id: number, @CurrentActor() actor: Actor, @Replying() reply: Reply): Promise<BrandDto> {
    return reply.of(brand, this.reference.restore(Brand, id, actor));
  }
}
