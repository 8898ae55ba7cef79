import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { CONDITIONS, SOURCES } from '../inventories/inventory-line.entity.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import { LATE_STATUSES } from './late-scan.entity.js';
import type { LateScan, LateStatus } from './late-scan.entity.js';
import { toPlaceDto } from './scan-entries.dto.js';
import { ScannedPurchaseDto } from './scans.dto.js';
import { SeenDto, purchaseOrNull } from './unknown-codes.dto.js';

export class LateScanQuery extends ListQuery {
  @ChoiceField({ optional: true, of: LATE_STATUSES, description: 'Only those of this status.' })
  status?: LateStatus;

  @SortParam('id', 'device_scanned_at')
  declare sort?: string;
}

export class LateScanDto {
  @LongIdAnswer(5)
  id: number;

  @ApiProperty({ example: 'INV0015993', description: 'As it was read.' })
  code: string;

  @ApiProperty({
    type: ScannedPurchaseDto,
    nullable: true,
    example: { id: 1659, code: 'INV0015993', article: { id: 160, name: 'Renault Captur E-Tech' } },
    description: 'Null for a code that nobody knows.',
  })
  purchase: ScannedPurchaseDto | null;

  @InstantAnswer({ example: '2026-10-08T12:11:08.000Z', description: 'By the clock of the phone.' })
  device_scanned_at: Date;

  @InstantAnswer({ example: '2026-10-12T06:21:07.739Z' })
  received_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 4, name: 'Loïc Guéguen' } })
  scanned_by: NamedDto;

  @ApiProperty({
    type: PurchaseLocationDto,
    nullable: true,
    example: { id: 36, name: 'Parking P2', path: 'Garage régional / Parking P2' },
    description: 'Where it was found.',
  })
  location: PurchaseLocationDto | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: '66720735-4333-4492-8982-257007911128',
  })
  client_id: string | null;

  @WordAnswer(CONDITIONS, { nullable: true, example: null })
  condition: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  note: string | null;

  @WordAnswer(SOURCES, { nullable: true, example: 'scanner' })
  source: string | null;

  @WordAnswer(LATE_STATUSES, { example: 'waiting' })
  status: string;

  @ApiProperty({ type: SeenDto, nullable: true, example: null, description: 'Null while it waits.' })
  decided: SeenDto | null;
}

export const toLateScanDto = (row: LateScan): LateScanDto => ({
  id: row.id,
  code: row.code,
  purchase: purchaseOrNull(row.purchase),
  device_scanned_at: row.device_scanned_at,
  received_at: row.received_at,
  scanned_by: named(row.scanner),
  location: row.location && toPlaceDto(row.location),
  client_id: row.client_id,
  condition: row.condition,
  note: row.note,
  source: row.source,
  status: row.status,
  decided: row.decided_at && row.decider ? { at: row.decided_at, by: named(row.decider) } : null,
});
