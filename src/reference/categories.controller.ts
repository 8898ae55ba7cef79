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
import {
  CreateCategoryDto,
  CategoryDto,
  ReferenceQuery,
  UpdateCategoryDto,
  category,
} from './reference.dto.js';
import { Category } from './reference.entity.js';
import { ReferenceService } from './reference.service.js';

@ApiTags('Reference data')
@Controller('categories')
export class CategoriesController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view', { deleted: 'reference.manage' })
  @Get()
  @PageOperation({
    id: 'listCategories',
    summary: 'List categories',
    description: 'Names are unique, whatever the case, the white space and the form of accents.',
    answer: CategoryDto,
  })
  list(@CheckedQuery() query: ReferenceQuery) {
    return pageOf(category, this.reference.list(Category, query));
  }

  @Access('reference.manage')
  @Post()
  @Operation({
    id: 'createCategory',
    summary: 'Create a category',
    description:
      '422 on `name` where there is one of that name, whatever the case, the white space and the form of accents.',
    answer: CategoryDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateCategoryDto, @Creating() creation: Creation): Promise<CategoryDto> {
    return this.reference.create(Category, body, creation.of(category));
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

  @Access('reference.manage')
  @Patch(':id')
  @Operation({
    id: 'updateCategory',
    summary: 'Change a category',
    description: 'Articles and purchases show its name, so their entity tags change with it.',
    answer: CategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateCategoryDto,
    @Changing() change: Change,
  ): Promise<CategoryDto> {
    return change.update(category, (by) => this.reference.update(Category, id, body, by));
  }

  @Access('reference.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteCategory',
    summary: 'Delete a category',
    description: 'Refused while articles or inventory sessions are of it. Its name is free again.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(category, id, (by) => this.reference.delete(Category, id, by));
  }

  @Access('reference.manage')
  @Post(':id/restore')
  @Operation({
    id: 'restoreCategory',
    summary: 'Take the deletion of a category back',
    description:
      'One that is not deleted stays as it is. Refused where its name was given to another meanwhile.',
    answer: CategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<CategoryDto> {
    return reply.of(category, this.reference.restore(Category, id, actor));
  }
}
