import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import type { Caller } from '../database/audit.js';
import type { Language } from '../common/messages.js';
import { IdInPath, LongIdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { isWalk } from '../contract/walk.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { CurrentActor } from '../http/actor.js';
import { Preferred } from '../http/language.js';
import { AmendService } from './amend.service.js';
import { RemarksDto, ScanEntryDto, ScansQuery, toScanEntryDto } from './scan-entries.dto.js';
import { ScanBatchDto, ScanDto, UpdateScanDto } from './scan-requests.dto.js';
import { ScanResultDto, ScanResultsDto, toScanResultDto, toScanResultsDto } from './scans.dto.js';
import { ScanListService } from './scan-list.service.js';
import { ScansService } from './scans.service.js';
import { UndoService } from './undo.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class ScansController {
  constructor(
    private readonly scans: ScansService,
    private readonly entries: ScanListService,
    private readonly undos: UndoService,
    private readonly amends: AmendService,
  ) {}

  @Access('inventories.scan')
  @Post(':id/scan')
  @Operation({
    id: 'scanPurchase',
    summary: 'Scan a code',
    description:
      'Always 200 where the session exists: `success` when it was recorded now, `warning` when this session had it already, `error` for an unknown code or a closed session. Something that was disposed of or is outside the scope is a `warning` too, and kept as unexpected. Safe to repeat.',
    answer: ScanResultDto,
    errors: ['not-found'],
  })
  async scan(
    @IdInPath() id: number,
    @CheckedBody() body: ScanDto,
    @CurrentUser() { permissions }: Principal,
    @CurrentActor() caller: Caller,
    @Preferred('fr') language: Language,
  ): Promise<ScanResultDto> {
    return toScanResultDto(await this.scans.scan(id, body, { caller, permissions }), language);
  }

  @Access('inventories.scan')
  @Post(':id/scans')
  @Operation({
    id: 'scanPurchases',
    summary: 'Scan many codes',
    description:
      'What a phone has gathered, 1 to 1 000 scans in the order in which they were read. Each takes effect by itself and is answered as a single one would be, in the same order; where one is no scan at all, nothing of the batch is recorded. Safe to repeat, whole or in part, in any order: a `client_id` that is known is answered as it was the first time.',
    answer: ScanResultsDto,
    errors: ['not-found'],
  })
  async scanAll(
    @IdInPath() id: number,
    @CheckedBody() { scans }: ScanBatchDto,
    @CurrentUser() { permissions }: Principal,
    @CurrentActor() caller: Caller,
    @Preferred('fr') language: Language,
  ): Promise<ScanResultsDto> {
    return toScanResultsDto(await this.scans.scanAll(id, scans, { caller, permissions }), language);
  }

  @Access('inventories.review', { own: 'inventories.scan' })
  @Delete(':id/scans/:scan_id')
  @Operation({
    id: 'undoScan',
    summary: 'Undo a scan',
    description:
      'While the session is open; with `inventories.scan` alone one’s own. Its purchase is missing again; one that was deleted or disposed of since leaves the session.',
    answer: DeletedDto,
    errors: ['not-found', 'session-closed'],
  })
  undo(
    @IdInPath() id: number,
    @LongIdInPath('scan_id') scanId: number,
    @CurrentUser() { permissions }: Principal,
    @CurrentActor() caller: Caller,
  ): Promise<DeletedDto> {
    return this.undos.undo(id, scanId, caller, permissions.includes('inventories.review'));
  }

  @Access('inventories.review', { own: 'inventories.scan' })
  @Patch(':id/scans/:scan_id')
  @Operation({
    id: 'updateScan',
    summary: 'Say more of a scan',
    description:
      'In what condition the thing was found, and a note: while the session is open; with `inventories.scan` alone of one’s own scan. Whoever follows the session is told of the scan again.',
    answer: RemarksDto,
    errors: ['not-found', 'session-closed'],
  })
  amend(
    @IdInPath() id: number,
    @LongIdInPath('scan_id') scanId: number,
    @CheckedBody() body: UpdateScanDto,
    @CurrentUser() { permissions }: Principal,
    @CurrentActor() caller: Caller,
  ): Promise<RemarksDto> {
    return this.amends.amend(id, scanId, body, caller, permissions.includes('inventories.review'));
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
  scanned(@IdInPath() id: number, @CheckedQuery() query: ScansQuery) {
    if (isWalk(query)) return this.entries.walk(id, query);
    return pageOf({ answer: toScanEntryDto }, this.entries.list(id, query));
  }
}
