import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import {
  CreateSupplierDto,
  SupplierDto,
  SupplierQuery,
  UpdateSupplierDto,
  supplier,
} from './suppliers.dto.js';
import { SuppliersService } from './suppliers.service.js';

@ApiTags('Suppliers')
@Controller('suppliers')
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Access('suppliers.view', { deleted: 'suppliers.delete' })
  @Get()
  @PageOperation({
    id: 'listSuppliers',
    summary: 'List suppliers',
    description: 'Inactive suppliers included: `is_active` is for pick lists and hides nothing.',
    answer: SupplierDto,
  })
  list(@CheckedQuery() query: SupplierQuery) {
    return pageOf(supplier, this.suppliers.list(query));
  }

  @Access('suppliers.create')
  @Post()
  @Operation({
    id: 'createSupplier',
    summary: 'Create a supplier',
    description: 'Two suppliers may have the same name or reference.',
    answer: SupplierDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateSupplierDto, @Creating() creation: Creation): Promise<SupplierDto> {
    return this.suppliers.create(body, creation.of(supplier));
  }

  @Access('suppliers.view')
  @Get(':id')
  @Operation({
    id: 'getSupplier',
    summary: 'One supplier',
    description: 'A deleted supplier is not found.',
    answer: SupplierDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<SupplierDto> {
    return reply.of(supplier, this.suppliers.get(id));
  }

  @Access('suppliers.update')
  @Patch(':id')
  @Operation({
    id: 'updateSupplier',
    summary: 'Change a supplier',
    description: 'Fields that are left out stay as they are; `null` clears one.',
    answer: SupplierDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateSupplierDto,
    @Changing() change: Change,
  ): Promise<SupplierDto> {
    return change.update(supplier, (by) => this.suppliers.update(id, body, by));
  }

  @Access('suppliers.delete')
  @Delete(':id')
  @Operation({
    id: 'deleteSupplier',
    summary: 'Delete a supplier',
    description: 'Refused while live purchases name it: deactivate it instead.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(supplier, id, (by) => this.suppliers.delete(id, by));
  }

  @Access('suppliers.delete')
  @Post(':id/restore')
  @Operation({
    id: 'restoreSupplier',
    summary: 'Take the deletion of a supplier back',
    description: 'One that is not deleted stays as it is.',
    answer: SupplierDto,
    tagged: true,
    errors: ['not-found'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<SupplierDto> {
    return reply.of(supplier, this.suppliers.restore(id, actor));
  }
}
