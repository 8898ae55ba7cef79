import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Actor } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { isWalk } from '../contract/walk.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { AmortizationDto, toAmortizationDto } from '../amortization/schedule.dto.js';
import type { Download } from '../http/download.js';
import { FILTERS_DESCRIPTION } from '../fields/filters.js';
import { LABEL_TYPES, LabelsService } from '../labels/labels.service.js';
import { PurchaseDetailDto, purchaseDetail } from './purchase-detail.dto.js';
import { CreatePurchaseDto, PurchaseDto, UpdatePurchaseDto, purchase } from './purchases.dto.js';
import { PurchaseLabelQuery, PurchaseQuery } from './purchase-query.dto.js';
import { PurchaseWalkService } from './purchase-walk.service.js';
import { PurchasesService } from './purchases.service.js';

@ApiTags('Purchases')
@Controller()
export class PurchasesController {
  constructor(
    private readonly purchases: PurchasesService,
    private readonly walk: PurchaseWalkService,
    private readonly printer: LabelsService,
  ) {}

  @Access('purchases.view')
  @Get('scan/:code')
  @ApiParam({ name: 'code', schema: { type: 'string', example: '0004521' }, description: 'Percent-encoded.' })
  @Operation({
    id: 'findPurchaseByCode',
    summary: 'The purchase behind a scanned code',
    description:
      'Takes what the scanner read: white space, control characters and symbology prefixes around a code are dropped, and of a URL the last path segment counts. Case does not matter; leading zeros do.',
    answer: PurchaseDetailDto,
    errors: ['not-found'],
  })
  async scan(@Param('code') code: string): Promise<PurchaseDetailDto> {
    return this.purchase.answer(await this.purchases.findByCode(code));
  }

  @Access('purchases.view', { deleted: 'purchases.delete' })
  @Get('purchases')
  @PageOperation({
    id: 'listPurchases',
    summary: 'List purchases',
    description: `Each with its article, supplier and warranty, so that a phone needs no second call. \`search\` also looks into the article. The state of a warranty is that of today: a phone that holds purchases offline compares \`warranty.end_date\` itself. ${FILTERS_DESCRIPTION}`,
    answer: PurchaseDto,
  })
  list(@CheckedQuery() query: PurchaseQuery) {
    if (isWalk(query)) return this.walk.all(query);
    return pageOf(purchase(this.purchases.asOf()), this.purchases.list(query));
  }

  @Access('purchases.view')
  @Get('purchases/labels')
  @Operation({
    id: 'printPurchaseLabels',
    summary: 'Print labels of purchases',
    description:
      'Of those with these ids, or of all that the filters leave, up to 5000: the symbol, the code to be read, the name of the article, and whose it is; what a field of one’s own says, where `own_field` names one. 422 on `ids` where one is not there, none is left, or too many are, on `sheet` or `symbol` where a code has no room in it.',
    files: Object.values(LABEL_TYPES),
  })
  labels(@CheckedQuery() query: PurchaseLabelQuery): Promise<Download> {
    return this.printer.print(query, (per_page) => this.purchases.labelled(query, per_page));
  }

  @Access('purchases.create')
  @Post('purchases')
  @Operation({
    id: 'createPurchase',
    summary: 'Create a purchase',
    description:
      'It joins every open session at once. Without a `code` the service makes one that survives being typed by hand: prefix, number, check character.',
    answer: PurchaseDetailDto,
    status: 201,
  })
  create(@CheckedBody() body: CreatePurchaseDto, @Creating() creation: Creation): Promise<PurchaseDetailDto> {
    return this.purchases.create(body, creation.of(this.purchase));
  }

  @Access('purchases.view')
  @Get('purchases/:id')
  @Operation({
    id: 'getPurchase',
    summary: 'One purchase',
    description:
      'The state of the warranty and the net book value are those of today, so its entity tag may change at midnight.',
    answer: PurchaseDetailDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<PurchaseDetailDto> {
    return reply.of(this.purchase, this.purchases.get(id));
  }

  @Access('purchases.view')
  @Get('purchases/:id/amortization')
  @Operation({
    id: 'getPurchaseAmortization',
    summary: 'The amortization of a purchase',
    description:
      'By fiscal year, until the whole price is amortized. Linear counts days of 30E/360, both ends counted, from the day in service; declining counts whole months from the first of the month of purchase, at its rate until the rest by the years left is more. Annuities are rounded half up to the cent, and the last is what remains. `method` is null and the schedule empty where the article has no amortization category or the purchase no price.',
    answer: AmortizationDto,
    errors: ['not-found'],
  })
  async amortization(@IdInPath() id: number): Promise<AmortizationDto> {
    return toAmortizationDto(await this.purchases.get(id), this.purchases.asOf().fiscalYears);
  }

  @Access('purchases.update')
  @Patch('purchases/:id')
  @Operation({
    id: 'updatePurchase',
    summary: 'Change a purchase',
    description:
      'Fields that are left out stay as they are; `null` clears one. After a new `code` the old one is no longer found, and never given to another purchase.',
    answer: PurchaseDetailDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdatePurchaseDto,
    @Changing() change: Change,
  ): Promise<PurchaseDetailDto> {
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

  @Access('purchases.delete')
  @Post('purchases/:id/restore')
  @Operation({
    id: 'restorePurchase',
    summary: 'Take the deletion of a purchase back',
    description:
      'It joins every open session, like a new one, and its code finds it again. One that is not deleted stays as it is. Refused while its article, supplier or place is deleted.',
    answer: PurchaseDetailDto,
    tagged: true,
    errors: ['not-found', 'refers-to-deleted'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<PurchaseDetailDto> {
    return reply.of(this.purchase, this.purchases.restore(id, actor));
  }

  private get purchase() {
    return purchaseDetail(this.purchases.asOf());
  }
}
