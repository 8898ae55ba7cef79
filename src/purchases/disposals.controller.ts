import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation } from '../contract/openapi.js';
import { Change, Changing } from '../contract/resource.js';
import { CheckedBody } from '../contract/validation.pipe.js';
import { DisposeDto } from './disposal.dto.js';
import { DisposalsService } from './disposals.service.js';
import { PurchaseDetailDto, purchaseDetail } from './purchase-detail.dto.js';
import { PurchasesService } from './purchases.service.js';

@ApiTags('Purchases')
@Controller('purchases')
export class DisposalsController {
  constructor(
    private readonly disposals: DisposalsService,
    private readonly purchases: PurchasesService,
  ) {}

  @Access('purchases.dispose')
  @Post(':id/dispose')
  @Operation({
    id: 'disposePurchase',
    summary: 'Take a purchase out of the register',
    description:
      'Sold, scrapped, lost: it leaves the open sessions in which it was not scanned, and its amortization ends on that day. It stays in the lists, and its code is found: a scan answers `warning`, `disposed`, and is kept as unexpected.',
    answer: PurchaseDetailDto,
    tagged: true,
    errors: ['not-found', 'already-disposed'],
  })
  dispose(
    @IdInPath() id: number,
    @CheckedBody() body: DisposeDto,
    @Changing() change: Change,
  ): Promise<PurchaseDetailDto> {
    return change.update(this.purchase, (by) => this.disposals.dispose(id, body, by));
  }

  @Access('purchases.dispose')
  @Post(':id/dispose/undo')
  @Operation({
    id: 'undoPurchaseDisposal',
    summary: 'Take a purchase back into the register',
    description:
      'It joins the open sessions like a new one; in those that scanned it meanwhile it is scanned, as of that scan.',
    answer: PurchaseDetailDto,
    tagged: true,
    errors: ['not-found', 'not-disposed'],
  })
  undo(@IdInPath() id: number, @Changing() change: Change): Promise<PurchaseDetailDto> {
    return change.update(this.purchase, (by) => this.disposals.undo(id, by));
  }

  private get purchase() {
    return purchaseDetail(this.purchases.asOf());
  }
}
