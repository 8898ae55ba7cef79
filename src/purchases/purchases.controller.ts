import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { CurrentActor } from '../http/actor.js';
import type { Actor } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, tagged } from '../contract/etag.js';
import type { Precondition } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import type { Purchase } from './purchase.entity.js';
import {
  CreatePurchaseDto,
  PurchaseDto,
  PurchaseQuery,
  UpdatePurchaseDto,
  purchaseTag,
  toPurchaseDto,
} from './purchases.dto.js';
import { PurchasesService } from './purchases.service.js';

@ApiTags('Purchases')
@Controller()
export class PurchasesController {
  constructor(private readonly purchases: PurchasesService) {}

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

  @Access('purchases.view')
  @Get('purchases')
  @PageOperation({
    id: 'listPurchases',
    summary: 'List purchases',
    description:
      'Each with its article, supplier and warranty, so that a phone needs no second call. `search` also looks into the article. The state of a warranty is that of today: a phone that holds purchases offline compares `warranty.end_date` itself.',
    answer: PurchaseDto,
  })
  async list(@Query() query: PurchaseQuery) {
    const today = this.purchases.today();
    return toPage(await this.purchases.list(query), (purchase) => toPurchaseDto(purchase, today));
  }

  @Access('purchases.create')
  @Post('purchases')
  @Operation({
    id: 'createPurchase',
    summary: 'Create a purchase',
    description:
      'It joins every open session at once. Without a `code` the service makes one that survives being typed by hand: prefix, number, check character.',
    answer: PurchaseDto,
    status: 201,
  })
  create(
    @Body() body: CreatePurchaseDto,
    @CurrentActor() actor: Actor,
    @Creating() creation: Creation,
  ): Promise<PurchaseDto> {
    const today = this.purchases.today();
    const once = creation.as(
      '/purchases',
      (purchase: Purchase) => purchaseTag(purchase, today),
      (purchase) => toPurchaseDto(purchase, today),
    );
    return this.purchases.create(body, actor, once);
  }

  @Access('purchases.view')
  @Get('purchases/:id')
  @Operation({
    id: 'getPurchase',
    summary: 'One purchase',
    description: 'The state of the warranty is that of today, so its entity tag may change at midnight.',
    answer: PurchaseDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<PurchaseDto> {
    return this.answer(response, await this.purchases.get(id));
  }

  @Access('purchases.update')
  @Patch('purchases/:id')
  @Operation({
    id: 'updatePurchase',
    summary: 'Change a purchase',
    description:
      'Fields that are left out stay as they are; `null` clears one. After a new `code` the old one is no longer found, and never given to another purchase.',
    answer: PurchaseDto,
    tagged: true,
    errors: ['not-found'],
  })
  async update(
    @IdInPath() id: number,
    @Body() body: UpdatePurchaseDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurchaseDto> {
    return this.answer(response, await this.purchases.update(id, body, actor, this.unchanged(expected)));
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
  async delete(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
  ): Promise<DeletedDto> {
    await this.purchases.delete(id, actor, this.unchanged(expected));
    return { id, deleted: true };
  }

  private answer(response: Response, purchase: Purchase): PurchaseDto {
    const today = this.purchases.today();
    return tagged(response, purchaseTag(purchase, today), toPurchaseDto(purchase, today));
  }

  private unchanged(expected: Expected): Precondition<Purchase> {
    const today = this.purchases.today();
    return expected.by((purchase) => purchaseTag(purchase, today));
  }
}
