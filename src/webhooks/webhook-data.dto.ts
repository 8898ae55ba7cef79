import { ApiProperty } from '@nestjs/swagger';
import { DeletedDto } from '../contract/openapi.js';
import { ImportProgressDto } from '../imports/imports.dto.js';
import { InventoryDto } from '../inventories/inventories.dto.js';
import { UndoneScanDto } from '../live/live.dto.js';
import { PurchaseDetailDto } from '../purchases/purchase-detail.dto.js';
import { ScanEntryDto } from '../scans/scan-entries.dto.js';
import { WebhookDto } from './webhooks.dto.js';

export class ScanRecordedDto extends ScanEntryDto {
  @ApiProperty({ type: 'integer', example: 3 })
  inventory_id: number;
}

export class ScanUndoneDto extends UndoneScanDto {
  @ApiProperty({ type: 'integer', example: 3 })
  inventory_id: number;
}

/** The `data` of a message, by the name of its event. */
export class WebhookDataDto {
  @ApiProperty({ type: ScanRecordedDto })
  'scan.recorded': ScanRecordedDto;

  @ApiProperty({ type: ScanUndoneDto })
  'scan.undone': ScanUndoneDto;

  @ApiProperty({ type: InventoryDto })
  'inventory.opened': InventoryDto;

  @ApiProperty({ type: InventoryDto })
  'inventory.closed': InventoryDto;

  @ApiProperty({ type: InventoryDto })
  'inventory.reopened': InventoryDto;

  @ApiProperty({ type: PurchaseDetailDto })
  'purchase.created': PurchaseDetailDto;

  @ApiProperty({ type: PurchaseDetailDto, description: 'Also one whose deletion was taken back.' })
  'purchase.updated': PurchaseDetailDto;

  @ApiProperty({ type: DeletedDto })
  'purchase.deleted': DeletedDto;

  @ApiProperty({ type: PurchaseDetailDto })
  'purchase.disposed': PurchaseDetailDto;

  @ApiProperty({ type: ImportProgressDto, description: 'Not of a dry run, nor of one that was refused.' })
  'import.done': ImportProgressDto;

  @ApiProperty({ type: WebhookDto })
  'webhook.ping': WebhookDto;
}
