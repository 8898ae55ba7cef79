import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { CreateFieldDto, FieldDto, FieldQuery, UpdateFieldDto, ownField } from './fields.dto.js';
import { FieldsService } from './fields.service.js';

@ApiTags('Fields of one’s own')
@Controller('fields')
export class FieldsController {
  constructor(private readonly fields: FieldsService) {}

  @Access('reference.view')
  @Get()
  @PageOperation({
    id: 'listFields',
    summary: 'List the fields of one’s own',
    description: 'What articles and purchases have in `fields`, beside what everybody has.',
    answer: FieldDto,
  })
  list(@CheckedQuery() query: FieldQuery) {
    return pageOf(ownField, this.fields.list(query));
  }

  @Access('reference.manage')
  @Post()
  @Operation({
    id: 'createField',
    summary: 'Create a field',
    description:
      'Of articles or of purchases. Its key is made of the name: `n_marche` of `N° marché`, with a number where there is one already.',
    answer: FieldDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateFieldDto, @Creating() creation: Creation): Promise<FieldDto> {
    return this.fields.create(body, creation.of(ownField));
  }

  @Access('reference.view')
  @Get(':id')
  @Operation({
    id: 'getField',
    summary: 'One field',
    description: 'A deleted field is not found.',
    answer: FieldDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<FieldDto> {
    return reply.of(ownField, this.fields.get(id));
  }

  @Access('reference.manage')
  @Patch(':id')
  @Operation({
    id: 'updateField',
    summary: 'Change a field',
    description: 'Its type, its key and what has it stay.',
    answer: FieldDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateFieldDto,
    @Changing() change: Change,
  ): Promise<FieldDto> {
    return change.update(ownField, (by) => this.fields.update(id, body, by));
  }

  @Access('reference.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteField',
    summary: 'Delete a field',
    description: 'Refused while a row has a value of it, also one that is deleted: deactivate it instead.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(ownField, id, (by) => this.fields.delete(id, by));
  }
}
