import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer } from '../contract/answers.js';
import { NamedDto } from '../contract/openapi.js';
import { InventoryDto, ProgressDto } from '../inventories/inventories.dto.js';
import { ScanEntryDto, purchaseOf } from '../scans/scan-entries.dto.js';
import type { EntryRow } from '../scans/scan-entries.queries.js';
import { ScannedPurchaseDto } from '../scans/scans.dto.js';
import { UnknownCodeDto } from '../scans/unknown-codes.dto.js';

export class UndoneScanDto {
  @LongIdAnswer(3748)
  id: number;

  @InstantAnswer({ example: '2026-09-14T06:41:07.204Z' })
  undone_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 5, name: 'Françoise Le Bihan' } })
  undone_by: NamedDto;

  @ApiProperty({
    type: ScannedPurchaseDto,
    example: { id: 1191, code: 'INV0011315', article: { id: 131, name: 'Majencia Fauteuil Oxo' } },
  })
  purchase: ScannedPurchaseDto;
}

/** A scan, and when it was undone. */
export interface UndoneRow extends EntryRow {
  at: Date;
}

export const toUndoneDto = (row: UndoneRow): UndoneScanDto => ({
  id: row.id,
  undone_at: row.at,
  undone_by: { id: row.user_id, name: row.user_name },
  purchase: purchaseOf(row),
});

/** By the name of the event. */
export class LiveEventsDto {
  @ApiProperty({ type: ProgressDto, description: 'At once, and when it has changed, at most once a second.' })
  progress: ProgressDto;

  @ApiProperty({ type: ScanEntryDto, description: 'A scan that was recorded.' })
  scan: ScanEntryDto;

  @ApiProperty({ type: UndoneScanDto, description: 'A scan that was undone.' })
  undone: UndoneScanDto;

  @ApiProperty({
    type: UnknownCodeDto,
    description: 'A code that nobody knows was read, for the first time or again, or decided upon.',
  })
  unknown: UnknownCodeDto;

  @ApiProperty({ type: InventoryDto, description: 'The session was closed; it may be reopened.' })
  closed: InventoryDto;

  @ApiProperty({ type: InventoryDto, description: 'The session was opened again.' })
  reopened: InventoryDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: false,
    description:
      'What was missed is not known any more: read the lists, and go on from here. Without any field.',
  })
  reset: object;
}
