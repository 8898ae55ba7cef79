import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FILTERS_DESCRIPTION } from '../fields/filters.js';
import { Access } from '../auth/access.js';
import { CurrentActor } from '../http/actor.js';
import type { Caller } from '../database/audit.js';
import { Creating, Creation } from '../contract/creation.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { isWalk } from '../contract/walk.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import { PurchaseDto, purchase } from '../purchases/purchases.dto.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import {
  CreateInventoryDto,
  DisposeMissingDto,
  DisposedMissingDto,
  InventoryDto,
  InventoryQuery,
  ReopenInventoryDto,
  UnscannedQuery,
  UpdateInventoryDto,
  inventory,
} from './inventories.dto.js';
import { InventoriesService } from './inventories.service.js';
import { MissingService } from './missing.service.js';
import { ReopenService } from './reopen.service.js';
import { UnscannedService } from './unscanned.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class InventoriesController {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly reopening: ReopenService,
    private readonly unscannedList: UnscannedService,
    private readonly missing: MissingService,
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
  list(@CheckedQuery() query: InventoryQuery) {
    return pageOf(inventory, this.inventories.list(query));
  }

  @Access('inventories.create')
  @Post()
  @Operation({
    id: 'openInventory',
    summary: 'Open a session',
    description:
      'It expects every purchase there is, or with `location_ids` and `category_ids` those that lie in or below one of the places and are of one of the categories; one bought later joins it. A purchase that is placed or called otherwise later neither joins nor leaves. Several may be open at once.',
    answer: InventoryDto,
    status: 201,
  })
  open(@CheckedBody() body: CreateInventoryDto, @Creating() creation: Creation): Promise<InventoryDto> {
    return this.inventories.open(body, creation.of(inventory));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<InventoryDto> {
    return reply.of(inventory, this.inventories.polled(id));
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
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateInventoryDto,
    @Changing() change: Change,
  ): Promise<InventoryDto> {
    return change.update(inventory, (by) => this.inventories.update(id, body, by));
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
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(inventory, id, (by) => this.inventories.delete(id, by));
  }

  @Access('inventories.view')
  @Get(':id/unscanned')
  @PageOperation({
    id: 'listUnscanned',
    summary: 'What is still missing',
    description: `Purchases of the session that are not scanned yet; of a closed one, those that were not when it was closed. They are shown and filtered as they are today; as they were then, the report has them. With \`updated_since\` and \`include_deleted\`, \`deleted\` says which changed ones are none of these (any more): scanned, deleted, disposed of, or never of the session. ${FILTERS_DESCRIPTION}`,
    answer: PurchaseDto,
    errors: ['not-found'],
  })
  unscanned(@IdInPath() id: number, @CheckedQuery() query: UnscannedQuery) {
    if (isWalk(query)) return this.unscannedList.walk(id, query);
    return pageOf(purchase(this.purchases.asOf()), this.unscannedList.list(id, query));
  }

  @Access('inventories.close')
  @Post(':id/close')
  @Operation({
    id: 'closeInventory',
    summary: 'Close a session',
    description:
      'Freezes its purchases, its figures and what its report shows of them. A scan is either in them or answered as too late.',
    answer: InventoryDto,
    tagged: true,
    errors: ['not-found', 'session-closed'],
  })
  close(
    @IdInPath() id: number,
    @CurrentActor() caller: Caller,
    @Replying() reply: Reply,
  ): Promise<InventoryDto> {
    return reply.of(inventory, this.inventories.close(id, caller));
  }

  @Access('purchases.dispose')
  @Post(':id/dispose-missing')
  @Operation({
    id: 'disposeMissing',
    summary: 'Dispose of what a session did not find',
    description:
      'Once it is closed: of things that it lists as unscanned, all that are named or none. The session stays as it was closed, its report too; `disposed=false` leaves them out of its list of what is missing.',
    answer: DisposedMissingDto,
    errors: ['not-found', 'session-open'],
  })
  disposeMissing(
    @IdInPath() id: number,
    @CheckedBody() body: DisposeMissingDto,
    @CurrentActor() caller: Caller,
  ): Promise<DisposedMissingDto> {
    return this.missing.dispose(id, body, caller);
  }

  @Access('inventories.reopen')
  @Post(':id/reopen')
  @Operation({
    id: 'reopenInventory',
    summary: 'Open a closed session again',
    description:
      'Its purchases take in what was bought since, and let go of what was deleted or disposed of and not scanned. Late scans can be decided upon while it is open; closing it again freezes anew.',
    answer: InventoryDto,
    tagged: true,
    errors: ['not-found', 'session-open', 'session-superseded'],
  })
  reopen(
    @IdInPath() id: number,
    @CheckedBody() { reason }: ReopenInventoryDto,
    @CurrentActor() caller: Caller,
    @Replying() reply: Reply,
  ): Promise<InventoryDto> {
    return reply.of(inventory, this.reopening.reopen(id, reason, caller));
  }
}
