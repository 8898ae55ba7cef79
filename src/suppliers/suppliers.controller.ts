import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
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
  @PageOperation({ id: 'listSuppliers', summary: 'List suppliers', answer: SupplierDto })
  async list(@Query() query: SupplierQuery) {
    return toPage(await this.suppliers.list(query), toSupplierDto);
  }

  @Access('suppliers.create')
  @Post()
  @Operation({
    id: 'createSupplier',
    summary: 'Create a supplier',
    answer: SupplierDto,
    status: 201,
  })
  async create(
    @Body() body: CreateSupplierDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SupplierDto> {
    const supplier = await this.suppliers.create(body);
    response.location(`${API_PREFIX}/suppliers/${supplier.id}`);
    return toSupplierDto(supplier);
  }

  @Access('suppliers.view')
  @Get(':id')
  @Operation({ id: 'getSupplier', summary: 'One supplier', answer: SupplierDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<SupplierDto> {
    return toSupplierDto(await this.suppliers.get(id));
  }

  @Access('suppliers.update')
  @Patch(':id')
  @Operation({
    id: 'updateSupplier',
    summary: 'Change a supplier',
    answer: SupplierDto,
    errors: ['not-found'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdateSupplierDto): Promise<SupplierDto> {
    return toSupplierDto(await this.suppliers.update(id, body));
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
  async delete(@IdInPath() id: number): Promise<DeletedDto> {
    await this.suppliers.delete(id);
    return { id, deleted: true };
  }
}
