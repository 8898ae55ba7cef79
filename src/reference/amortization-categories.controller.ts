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
  CreateAmortizationCategoryDto,
  AmortizationCategoryDto,
  ReferenceQuery,
  UpdateAmortizationCategoryDto,
  amortizationCategory,
} from './reference.dto.js';
import { AmortizationCategory } from './reference.entity.js';
import { ReferenceService } from './reference.service.js';

@ApiTags('Reference data')
@Controller('amortization-categories')
export class AmortizationCategoriesController {
  constructor(private readonly reference: ReferenceService) {}

  @Access('reference.view', { deleted: 'reference.manage' })
  @Get()
  @PageOperation({
    id: 'listAmortizationCategories',
    summary: 'List amortization categories',
    description: 'Method, duration and coefficient by which articles lose their value.',
    answer: AmortizationCategoryDto,
  })
  list(@CheckedQuery() query: ReferenceQuery) {
    return pageOf(amortizationCategory, this.reference.list(AmortizationCategory, query));
  }

  @Access('reference.manage')
  @Post()
  @Operation({
    id: 'createAmortizationCategory',
    summary: 'Create an amortization category',
    description:
      'A declining category of 3 years or more has the usual coefficient by its duration unless another is given; a shorter one needs one, and a linear one takes none.',
    answer: AmortizationCategoryDto,
    status: 201,
  })
  create(
    @CheckedBody() body: CreateAmortizationCategoryDto,
    @Creating() creation: Creation,
  ): Promise<AmortizationCategoryDto> {
    return this.reference.create(AmortizationCategory, body, creation.of(amortizationCategory));
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

  @Access('reference.manage')
  @Patch(':id')
  @Operation({
    id: 'updateAmortizationCategory',
    summary: 'Change an amortization category',
    description:
      'What is amortized by it is reckoned anew; closed sessions keep their figures. To `linear` drops the coefficient.',
    answer: AmortizationCategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateAmortizationCategoryDto,
    @Changing() change: Change,
  ): Promise<AmortizationCategoryDto> {
    return change.update(amortizationCategory, (by) =>
      this.reference.update(AmortizationCategory, id, body, by),
    );
  }

  @Access('reference.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteAmortizationCategory',
    summary: 'Delete an amortization category',
    description: 'Refused while articles are of it. Its name is free again.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(amortizationCategory, id, (by) =>
      this.reference.delete(AmortizationCategory, id, by),
    );
  }

  @Access('reference.manage')
  @Post(':id/restore')
  @Operation({
    id: 'restoreAmortizationCategory',
    summary: 'Take the deletion of an amortization category back',
    description:
      'One that is not deleted stays as it is. Refused where its name was given to another meanwhile.',
    answer: AmortizationCategoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<AmortizationCategoryDto> {
    return reply.of(amortizationCategory, this.reference.restore(AmortizationCategory, id, actor));
  }
}
