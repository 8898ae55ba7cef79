import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import type { Language } from '../common/messages.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { Preferred } from '../http/language.js';
import {
  ScanDto,
  ScanEntryDto,
  ScanResultDto,
  ScansQuery,
  toScanEntryDto,
  toScanResultDto,
} from './scans.dto.js';
import { ScansService } from './scans.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class ScansController {
  constructor(private readonly scans: ScansService) {}

  @Access('inventories.scan')
  @Post(':id/scan')
  @Operation({
    id: 'scanPurchase',
    summary: 'Scan a code',
    description:
      'Always 200 where the session exists: `success` when it was recorded now, `warning` when this session had it already, `error` for an unknown code or a closed session. Safe to repeat.',
    answer: ScanResultDto,
    errors: ['not-found'],
  })
  async scan(
    @IdInPath() id: number,
    @Body() { code }: ScanDto,
    @CurrentUser() user: Principal,
    @Preferred('fr') language: Language,
  ): Promise<ScanResultDto> {
    return toScanResultDto(await this.scans.scan(id, code, user.id), language);
  }

  @Access('inventories.view')
  @Get(':id/scans')
  @PageOperation({
    id: 'listScans',
    summary: 'What was scanned, when and by whom',
    description:
      'Each purchase at most once: its first scan in the session. It stays when the purchase is deleted.',
    answer: ScanEntryDto,
    errors: ['not-found'],
  })
  scanned(@IdInPath() id: number, @Query() query: ScansQuery) {
    return pageOf({ answer: toScanEntryDto }, this.scans.list(id, query));
  }
}
