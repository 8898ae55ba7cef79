import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField, UuidField } from '../contract/fields.js';
import { NamedDto } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { IdParam, MomentParam } from '../contract/params.js';
import { CONDITIONS, SOURCES } from '../inventories/inventory-line.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import { CLOCKS_DIFFER_MS } from './scan-entries.queries.js';
import type { EntryRow } from './scan-entries.queries.js';
import { ScannedPurchaseDto } from './scans.dto.js';

export class ScansQuery extends ListQuery {
  @IdParam({ description: 'Scans by this user.' })
  user_id?: number;

  @MomentParam({ description: 'Scanned at this instant or later, or on this day (in TIME_ZONE) or later.' })
  scanned_from?: string;

  @MomentParam({
    description: 'Scanned at this instant or earlier, or on this day (in TIME_ZONE) or earlier.',
  })
  scanned_to?: string;

  @IdParam({ description: 'Found in this place or below it.' })
  location_id?: number;

  @IdParam({ description: 'Purchases of this category.' })
  category_id?: number;

  @ChoiceField({ optional: true, of: CONDITIONS, description: 'Found in this condition.' })
  condition?: Condition;

  @ChoiceField({ optional: true, of: SOURCES, description: 'Read by this.' })
  source?: Source;

  @UuidField({ optional: true, description: 'What this message of a phone has recorded.' })
  client_id?: string;

  @SortParam('id', 'scanned_at')
  declare sort?: string;
}

export class ScanEntryDto {
  @LongIdAnswer(3748)
  id: number;

  @InstantAnswer({ example: '2026-09-14T06:35:35.670Z' })
  scanned_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 1, name: 'Yann Le Goff' } })
  scanned_by: NamedDto;

  @ApiProperty({
    type: ScannedPurchaseDto,
    example: { id: 1191, code: 'INV0011315', article: { id: 131, name: 'Majencia Fauteuil Oxo' } },
  })
  purchase: ScannedPurchaseDto;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  client_id: string | null;

  @InstantAnswer({ nullable: true, example: null, description: 'By the clock of the phone, where it told.' })
  device_scanned_at: Date | null;

  @ApiProperty({ example: false, description: 'The phone’s instant is more than 5 minutes after ours.' })
  clock_ahead: boolean;

  @ApiProperty({ example: false, description: 'The phone’s instant is before the session was opened.' })
  clock_behind: boolean;

  @ApiProperty({
    type: PurchaseLocationDto,
    nullable: true,
    example: { id: 115, name: 'Accueil', path: 'Siège / Bâtiment A / Accueil' },
    description: 'Where it was found.',
  })
  location: PurchaseLocationDto | null;

  @WordAnswer(CONDITIONS, { nullable: true, example: null })
  condition: Condition | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  note: string | null;

  @WordAnswer(SOURCES, {
    nullable: true,
    example: 'camera',
    description: 'What has read it, where the phone told.',
  })
  source: Source | null;
}

/** What a scan says of a thing. */
export class RemarksDto {
  @LongIdAnswer(3748)
  id: number;

  @WordAnswer(CONDITIONS, { nullable: true, example: 'damaged' })
  condition: Condition | null;

  @ApiProperty({ type: String, nullable: true, example: 'Écran rayé' })
  note: string | null;
}

/** A place as the lists of a session name it. */
export const toPlaceDto = ({ id, name, path }: PurchaseLocationDto): PurchaseLocationDto => ({
  id,
  name,
  path,
});

export const purchaseOf = (row: EntryRow): ScannedPurchaseDto => ({
  id: row.purchase_id,
  code: row.code,
  article: { id: row.article_id, name: row.article_name },
});

export const toScanEntryDto = (row: EntryRow): ScanEntryDto => {
  const { scanned_at, device_scanned_at: device, location_id } = row;
  return {
    id: row.id,
    scanned_at,
    scanned_by: { id: row.user_id, name: row.user_name },
    purchase: purchaseOf(row),
    client_id: row.client_id,
    device_scanned_at: device,
    clock_ahead: device !== null && device.getTime() - scanned_at.getTime() > CLOCKS_DIFFER_MS,
    clock_behind: device !== null && device < row.session_created_at,
    location:
      location_id === null ? null : { id: location_id, name: row.location_name, path: row.location_path },
    condition: row.condition,
    note: row.note,
    source: row.source,
  };
};
