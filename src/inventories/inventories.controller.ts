import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import { CurrentActor } from '../http/actor.js';
import type { Actor, Caller } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Expected, IfMatch, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import { PurchaseDto, toPurchaseDto } from '../purchases/purchases.dto.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import {
  CreateInventoryDto,
  InventoryDto,
  InventoryQuery,
  ScanDto,
  ScanEntryDto,
  ScanResultDto,
  ScansQuery,
  UnscannedQuery,
  UpdateInventoryDto,
  inventoryTag,
  toInventoryDto,
  toScanEntryDto,
} from './inventories.dto.js';
import { InventoriesService } from './inventories.service.js';
import { ScansService } from './scans.service.js';
import { UnscannedService } from './unscanned.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class InventoriesController {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly scans: ScansService,
    private readonly missing: UnscannedService,
    private readonly purchases: PurchasesService,
  ) {}

  @Access('inventories.view')
  @Get()
  @PageOperation({
    id: 'listInventories',
    summary: 'List sessions with their progress',
    description:
      'With `updated_since`, open sessions always come along, since their progress may have changed.',
    answer: InventoryDto,
  })
  async list(@Query() query: InventoryQuery) {
    return toPage(await this.inventories.list(query), toInventoryDto);
  }

  @Access('inventories.create')
  @Post()
  @Operation({
    id: 'openInventory',
    summary: 'Open a session',
    description:
      'It expects every purchase there is; one bought later joins it. Several may be open at once.',
    answer: InventoryDto,
    status: 201,
  })
  open(
    @Body() body: CreateInventoryDto,
    @CurrentActor() caller: Caller,
    @Creating() creation: Creation,
  ): Promise<InventoryDto> {
    return this.inventories.open(body, caller, creation.as('/inventories', inventoryTag, toInventoryDto));
  }

  @Access('inventories.view')
  @Get(':id')
  @Operation({
    id: 'getInventory',
    summary: 'One session with its progress',
    description:
      'The progress is exact at every moment; that of a closed session is frozen. Its entity tag changes with every scan.',
    answer: InventoryDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<InventoryDto> {
    const session = await this.inventories.get(id);
    return tagged(response, inventoryTag(session), toInventoryDto(session));
  }

  @Access('inventories.create')
  @Patch(':id')
  @Operation({
    id: 'updateInventory',
    summary: 'Change an open session',
    description:
      'Year, date and label, while it is open. Its entity tag changes with every scan: during a campaign, `If-Match` will often be stale.',
    answer: InventoryDto,
    tagged: true,
    errors: ['not-found', 'session-closed'],
  })
  async update(
    @IdInPath() id: number,
    @Body() body: UpdateInventoryDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InventoryDto> {
    const session = await this.inventories.update(id, body, actor, expected.by(inventoryTag));
    return tagged(response, inventoryTag(session), toInventoryDto(session));
  }

  @Access('inventories.create')
  @Delete(':id')
  @Operation({
    id: 'deleteInventory',
    summary: 'Delete a session that has no scan',
    description: 'For one that was opened by mistake. What was scanned is never deleted.',
    answer: DeletedDto,
    errors: ['not-found', 'session-has-scans'],
  })
  async delete(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: Expected,
  ): Promise<DeletedDto> {
    await this.inventories.delete(id, actor, expected.by(inventoryTag));
    return { id, deleted: true };
  }

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
  scan(
    @IdInPath() id: number,
    @Body() { code }: ScanDto,
    @CurrentUser() user: Principal,
  ): Promise<ScanResultDto> {
    return this.scans.scan(id, code, user.id);
  }

  @Access('inventories.view')
  @Get(':id/unscanned')
  @PageOperation({
    id: 'listUnscanned',
    summary: 'What is still missing',
    description:
      'Purchases of the session that are not scanned yet; of a closed one, as they were when it was closed. With `updated_since` and `include_deleted`, `deleted` says which were scanned or deleted since.',
    answer: PurchaseDto,
    errors: ['not-found'],
  })
  async unscanned(@IdInPath() id: number, @Query() query: UnscannedQuery) {
    const today = this.purchases.today();
    return toPage(await this.missing.list(id, query), (purchase) => toPurchaseDto(purchase, today));
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
  async scanned(@IdInPath() id: number, @Query() query: ScansQuery) {
    return toPage(await this.scans.list(id, query), toScanEntryDto);
  }

  @Access('inventories.close')
  @Post(':id/close')
  @Operation({
    id: 'closeInventory',
    summary: 'Close a session',
    description:
      'Freezes its purchases and its figures for good. A scan is either in them or answered as too late.',
    answer: InventoryDto,
    tagged: true,
    errors: ['not-found', 'session-closed'],
  })
  async close(
    @IdInPath() id: number,
    @CurrentActor() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InventoryDto> {
    const session = await this.inventories.close(id, caller);
    return tagged(response, inventoryTag(session), toInventoryDto(session));
  }
}
