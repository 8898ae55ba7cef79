import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { CurrentActor } from '../http/actor.js';
import type { Actor } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, recordTag, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import {
  CreateSupplierDto,
  SupplierDto,
  SupplierQuery,
  UpdateSupplierDto,
  toSupplierDto,
} from './suppliers.dto.js';
import { SuppliersService } from './suppliers.service.js';

@ApiTags('Suppliers')
@Controller('suppliers')
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Access('suppliers.view')
  @Get()
  @PageOperation({
    id: 'listSuppliers',
    summary: 'List suppliers',
    description: 'Inactive suppliers included: `is_active` is for pick lists and hides nothing.',
    answer: SupplierDto,
  })
  async list(@Query() query: SupplierQuery) {
    return toPage(await this.suppliers.list(query), toSupplierDto);
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
  create(
    @Body() body: CreateSupplierDto,
    @CurrentActor() actor: Actor,
    @Creating() creation: Creation,
  ): Promise<SupplierDto> {
    return this.suppliers.create(body, actor, creation.as('/suppliers', recordTag, toSupplierDto));
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
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<SupplierDto> {
    const supplier = await this.suppliers.get(id);
    return tagged(response, recordTag(supplier), toSupplierDto(supplier));
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
  async update(
    @IdInPath() id: number,
    @Body() body: UpdateSupplierDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SupplierDto> {
    const supplier = await this.suppliers.update(id, body, actor, expected.by(recordTag));
    return tagged(response, recordTag(supplier), toSupplierDto(supplier));
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
  async delete(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
  ): Promise<DeletedDto> {
    await this.suppliers.delete(id, actor, expected.by(recordTag));
    return { id, deleted: true };
  }
}
