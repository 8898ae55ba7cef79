import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath, NamedIdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import type { Caller } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import {
  MisplacedDto,
  MisplacedQuery,
  UnexpectedDto,
  UnexpectedQuery,
  toMisplacedDto,
  toUnexpectedDto,
} from './findings.dto.js';
import { FindingsService } from './findings.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  @Access('inventories.view')
  @Get(':id/unexpected')
  @PageOperation({
    id: 'listUnexpected',
    summary: 'What was found and not expected',
    description:
      'Purchases out of the scope of the session that were scanned all the same, each once. Its id is that of the scan.',
    answer: UnexpectedDto,
    errors: ['not-found'],
  })
  unexpected(@IdInPath() id: number, @CheckedQuery() query: UnexpectedQuery) {
    return pageOf({ answer: toUnexpectedDto }, this.findings.unexpected(id, query));
  }

  @Access('inventories.view')
  @Get(':id/misplaced')
  @PageOperation({
    id: 'listMisplaced',
    summary: 'What was found where it does not belong',
    description:
      'Purchases whose scan told another place than theirs, neither in nor above nor below it. Its id is that of the purchase.',
    answer: MisplacedDto,
    errors: ['not-found'],
  })
  misplaced(@IdInPath() id: number, @CheckedQuery() query: MisplacedQuery) {
    return pageOf({ answer: toMisplacedDto }, this.findings.misplaced(id, query));
  }

  @Access('inventories.review')
  @Post(':id/misplaced/:purchase_id/move')
  @Operation({
    id: 'moveMisplaced',
    summary: 'Say that it belongs where it was found',
    description: 'The place of the purchase becomes the one where it was found.',
    answer: MisplacedDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async move(
    @IdInPath() id: number,
    @NamedIdInPath('purchase_id') purchaseId: number,
    @CurrentActor() caller: Caller,
  ): Promise<MisplacedDto> {
    return toMisplacedDto(await this.findings.resolve(id, purchaseId, 'moved', caller));
  }

  @Access('inventories.review')
  @Post(':id/misplaced/:purchase_id/ignore')
  @Operation({
    id: 'ignoreMisplaced',
    summary: 'Say that it was only there',
    description: 'The purchase goes on belonging where it did.',
    answer: MisplacedDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async ignore(
    @IdInPath() id: number,
    @NamedIdInPath('purchase_id') purchaseId: number,
    @CurrentActor() caller: Caller,
  ): Promise<MisplacedDto> {
    return toMisplacedDto(await this.findings.resolve(id, purchaseId, 'ignored', caller));
  }
}
