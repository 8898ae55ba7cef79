import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
import {
  CreatePurchaseDto,
  PurchaseDto,
  PurchaseQuery,
  UpdatePurchaseDto,
  toPurchaseDto,
} from './purchases.dto.js';
import { PurchasesService } from './purchases.service.js';

@ApiTags('Purchases')
@Controller()
export class PurchasesController {
  constructor(private readonly purchases: PurchasesService) {}

  @Access('purchases.view')
  @Get('purchases')
  @PageOperation({ id: 'listPurchases', summary: 'List purchases', answer: PurchaseDto })
  async list(@Query() query: PurchaseQuery) {
    const today = this.purchases.today();
    return toPage(await this.purchases.list(query), (purchase) => toPurchaseDto(purchase, today));
  }

  @Access('purchases.create')
  @Post('purchases')
  @Operation({
    id: 'createPurchase',
    summary: 'Create a purchase',
    description: 'It joins every open session at once.',
    answer: PurchaseDto,
    status: 201,
  })
  async create(
    @Body() body: CreatePurchaseDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurchaseDto> {
    const purchase = await this.purchases.create(body);
    response.location(`${API_PREFIX}/purchases/${purchase.id}`);
    return toPurchaseDto(purchase, this.purchases.today());
  }

  @Access('purchases.view')
  @Get('purchases/:id')
  @Operation({ id: 'getPurchase', summary: 'One purchase', answer: PurchaseDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<PurchaseDto> {
    return toPurchaseDto(await this.purchases.get(id), this.purchases.today());
  }

  @Access('purchases.update')
  @Patch('purchases/:id')
  @Operation({
    id: 'updatePurchase',
    summary: 'Change a purchase',
    answer: PurchaseDto,
    errors: ['not-found'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdatePurchaseDto): Promise<PurchaseDto> {
    return toPurchaseDto(await this.purchases.update(id, body), this.purchases.today());
  }

  @Access('purchases.delete')
  @Delete('purchases/:id')
  @Operation({
    id: 'deletePurchase',
    summary: 'Delete a purchase',
    description: 'It leaves the open sessions in which it was not scanned. Its code is never used again.',
    answer: DeletedDto,
    errors: ['not-found'],
  })
  async delete(@IdInPath() id: number): Promise<DeletedDto> {
    await this.purchases.delete(id);
    return { id, deleted: true };
  }

  @Access('purchases.view')
  @Get('scan/:code')
  @ApiParam({ name: 'code', schema: { type: 'string', example: '0004521' }, description: 'Percent-encoded.' })
  @Operation({
    id: 'findPurchaseByCode',
    summary: 'The purchase behind a scanned code',
    description:
      'Takes what the scanner read: white space, control characters and symbology prefixes around a code are dropped, and of a URL the last path segment counts. Case does not matter; leading zeros do.',
    answer: PurchaseDto,
    errors: ['not-found'],
  })
  async scan(@Param('code') code: string): Promise<PurchaseDto> {
    return toPurchaseDto(await this.purchases.findByCode(code), this.purchases.today());
  }
}
