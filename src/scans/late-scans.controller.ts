import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath, LongIdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import type { Caller } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { LateScanDto, LateScanQuery, toLateScanDto } from './late-scans.dto.js';
import { LateScansService } from './late-scans.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class LateScansController {
  constructor(private readonly late: LateScansService) {}

  @Access('inventories.view')
  @Get(':id/late-scans')
  @PageOperation({
    id: 'listLateScans',
    summary: 'Scans that arrived after the closing',
    description:
      'Made before it, by the clock of their phone. They wait for a decision, while the session is open again.',
    answer: LateScanDto,
    errors: ['not-found'],
  })
  list(@IdInPath() id: number, @CheckedQuery() query: LateScanQuery) {
    return pageOf({ answer: toLateScanDto }, this.late.list(id, query));
  }

  @Access('inventories.review')
  @Post(':id/late-scans/:late_id/accept')
  @Operation({
    id: 'acceptLateScan',
    summary: 'Count a late scan',
    description:
      'While its session is open again. It counts from the instant of its phone; one whose code nobody knows becomes an open unknown code. Its message is answered with what became of it.',
    answer: LateScanDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async accept(
    @IdInPath() id: number,
    @LongIdInPath('late_id') lateId: number,
    @CurrentActor() caller: Caller,
  ): Promise<LateScanDto> {
    return toLateScanDto(await this.late.accept(id, lateId, caller));
  }

  @Access('inventories.review')
  @Post(':id/late-scans/:late_id/refuse')
  @Operation({
    id: 'refuseLateScan',
    summary: 'Do not count a late scan',
    description: 'While its session is open again. Its message is answered `refused` from now on.',
    answer: LateScanDto,
    errors: ['not-found', 'already-decided', 'session-closed'],
  })
  async refuse(
    @IdInPath() id: number,
    @LongIdInPath('late_id') lateId: number,
    @CurrentActor() caller: Caller,
  ): Promise<LateScanDto> {
    return toLateScanDto(await this.late.refuse(id, lateId, caller));
  }
}
