import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { API_PREFIX } from '../common/routes.js';
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
  toInventoryDto,
  toScanEntryDto,
} from './inventories.dto.js';
import { InventoriesService } from './inventories.service.js';
import { ScansService } from './scans.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class InventoriesController {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly scans: ScansService,
    private readonly purchases: PurchasesService,
  ) {}

  @Access('inventories.view')
  @Get()
  @PageOperation({
    id: 'listInventories',
    summary: 'List sessions with their progress',
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
  async open(
    @Body() body: CreateInventoryDto,
    @CurrentUser() user: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InventoryDto> {
    const session = await this.inventories.open(body, user.id);
    response.location(`${API_PREFIX}/inventories/${session.id}`);
    return toInventoryDto(session);
  }

  @Access('inventories.view')
  @Get(':id')
  @Operation({
    id: 'getInventory',
    summary: 'One session with its progress',
    description: 'The progress is exact at every moment; that of a closed session is frozen.',
    answer: InventoryDto,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number): Promise<InventoryDto> {
    return toInventoryDto(await this.inventories.get(id));
  }

  @Access('inventories.create')
  @Patch(':id')
  @Operation({
    id: 'updateInventory',
    summary: 'Change an open session',
    answer: InventoryDto,
    errors: ['not-found', 'session-closed'],
  })
  async update(@IdInPath() id: number, @Body() body: UpdateInventoryDto): Promise<InventoryDto> {
    return toInventoryDto(await this.inventories.update(id, body));
  }

  @Access('inventories.create')
  @Delete(':id')
  @Operation({
    id: 'deleteInventory',
    summary: 'Delete a session that has no scan',
    answer: DeletedDto,
    errors: ['not-found', 'session-has-scans'],
  })
  async delete(@IdInPath() id: number): Promise<DeletedDto> {
    await this.inventories.delete(id);
    return { id, deleted: true };
  }

  @Access('inventories.close')
  @Post(':id/close')
  @Operation({
    id: 'closeInventory',
    summary: 'Close a session',
    description:
      'Freezes its purchases and its figures for good. A scan is either in them or answered as too late.',
    answer: InventoryDto,
    errors: ['not-found', 'session-closed'],
  })
  async close(@IdInPath() id: number, @CurrentUser() user: Principal): Promise<InventoryDto> {
    return toInventoryDto(await this.inventories.close(id, user.id));
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
    answer: PurchaseDto,
    errors: ['not-found'],
  })
  async unscanned(@IdInPath() id: number, @Query() query: UnscannedQuery) {
    const today = this.purchases.today();
    return toPage(await this.scans.unscanned(id, query), (purchase) => toPurchaseDto(purchase, today));
  }

  @Access('inventories.view')
  @Get(':id/scans')
  @PageOperation({
    id: 'listScans',
    summary: 'What was scanned, when and by whom',
    answer: ScanEntryDto,
    errors: ['not-found'],
  })
  async scanned(@IdInPath() id: number, @Query() query: ScansQuery) {
    return toPage(await this.scans.list(id, query), toScanEntryDto);
  }
}
