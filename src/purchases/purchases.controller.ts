import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import {
  CreatePurchaseDto,
  PurchaseDto,
  PurchaseQuery,
  UpdatePurchaseDto,
  purchase,
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
  list(@Query() query: PurchaseQuery) {
    return pageOf(this.purchase, this.purchases.list(query));
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
  create(@Body() body: CreatePurchaseDto, @Creating() creation: Creation): Promise<PurchaseDto> {
    return this.purchases.create(body, creation.of(this.purchase));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<PurchaseDto> {
    return reply.of(this.purchase, this.purchases.get(id));
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
  update(
    @IdInPath() id: number,
    @Body() body: UpdatePurchaseDto,
    @Changing() change: Change,
  ): Promise<PurchaseDto> {
    return change.update(this.purchase, (by) => this.purchases.update(id, body, by));
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
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(this.purchase, id, (by) => this.purchases.delete(id, by));
  }

  private get purchase() {
    return purchase(this.purchases.today());
  }
}
