import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { HistoryEntryDto, HistoryQuery, toHistoryEntryDto } from './history.dto.js';
import { HistoryService } from './history.service.js';

@ApiTags('Purchases')
@Controller('purchases')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Access('purchases.view')
  @Get(':id/history')
  @PageOperation({
    id: 'listPurchaseHistory',
    summary: 'What happened to a purchase',
    description:
      'The latest first: what was changed of it and by whom, its moves, its disposal, what was attached to it, and its scans in every session, those too that were unexpected, undone or late. Changes are those of the audit log, for as long as it is kept. Scans are at the instant from which they count; one that came late and was accepted is there twice, as it arrived and as it counts. Of a scan that was undone only that is told.',
    answer: HistoryEntryDto,
    errors: ['not-found'],
  })
  list(@IdInPath() id: number, @CheckedQuery() query: HistoryQuery) {
    return pageOf({ answer: toHistoryEntryDto }, this.history.of(id, query));
  }
}
