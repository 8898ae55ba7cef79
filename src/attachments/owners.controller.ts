import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath, LongIdInPath } from '../contract/id.pipe.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { API_PREFIX } from '../http/routes.js';
import { Incoming, IncomingFile } from '../http/upload.js';
import { AttachmentsQuery, attachment } from './attachments.dto.js';
import type { AttachmentDto } from './attachments.dto.js';
import { AttachTo, ListOf } from './attachments.openapi.js';
import { AttachmentsService } from './attachments.service.js';
import type { Owner } from './owners.js';

const PURCHASE = { path: 'purchases/:id/attachments', name: 'Purchase', what: 'a purchase' };
const ARTICLE = { path: 'articles/:id/attachments', name: 'Article', what: 'an article' };
const SCAN = { path: 'inventories/:id/scans/:scan_id/attachments', name: 'Scan', what: 'a scan' };
const EQUIPMENT = { path: 'equipments/:id/attachments', name: 'Equipment', what: 'a piece of equipment' };

@ApiTags('Photos and papers')
@Controller()
export class OwnersController {
  constructor(private readonly attachments: AttachmentsService) {}

  @ListOf('purchases.view', PURCHASE)
  ofPurchase(@IdInPath() id: number, @CheckedQuery() query: AttachmentsQuery) {
    return this.list({ purchase_id: id }, query);
  }

  @AttachTo('attachments.manage', PURCHASE)
  toPurchase(
    @IdInPath() id: number,
    @IncomingFile() incoming: Incoming,
    @Creating() creation: Creation,
    @CurrentUser() user: Principal,
  ): Promise<AttachmentDto> {
    return this.create({ purchase_id: id }, incoming, creation, user);
  }

  @ListOf('articles.view', ARTICLE)
  ofArticle(@IdInPath() id: number, @CheckedQuery() query: AttachmentsQuery) {
    return this.list({ article_id: id }, query);
  }

  @AttachTo('attachments.manage', ARTICLE)
  toArticle(
    @IdInPath() id: number,
    @IncomingFile() incoming: Incoming,
    @Creating() creation: Creation,
    @CurrentUser() user: Principal,
  ): Promise<AttachmentDto> {
    return this.create({ article_id: id }, incoming, creation, user);
  }

  @ListOf('equipments.view', EQUIPMENT)
  ofEquipment(@IdInPath() id: number, @CheckedQuery() query: AttachmentsQuery) {
    return this.list({ equipment_id: id }, query);
  }

  @AttachTo('attachments.manage', EQUIPMENT)
  toEquipment(
    @IdInPath() id: number,
    @IncomingFile() incoming: Incoming,
    @Creating() creation: Creation,
    @CurrentUser() user: Principal,
  ): Promise<AttachmentDto> {
    return this.create({ equipment_id: id }, incoming, creation, user);
  }

  @ListOf('inventories.view', SCAN)
  ofScan(
    @IdInPath() id: number,
    @LongIdInPath('scan_id') scanId: number,
    @CheckedQuery() query: AttachmentsQuery,
  ) {
    return this.list({ inventory_id: id, scan_id: scanId }, query);
  }

  @AttachTo('inventories.scan', SCAN)
  toScan(
    @IdInPath() id: number,
    @LongIdInPath('scan_id') scanId: number,
    @IncomingFile() incoming: Incoming,
    @Creating() creation: Creation,
    @CurrentUser() user: Principal,
  ): Promise<AttachmentDto> {
    return this.create({ inventory_id: id, scan_id: scanId }, incoming, creation, user);
  }

  private list(owner: Owner, query: AttachmentsQuery) {
    return pageOf(attachment, this.attachments.list(owner, query));
  }

  private create(
    owner: Owner,
    incoming: Incoming,
    creation: Creation,
    user: Principal,
  ): Promise<AttachmentDto> {
    const by = creation.of(attachment, `${API_PREFIX}/attachments`);
    return this.attachments.create(owner, incoming, by, user);
  }
}
