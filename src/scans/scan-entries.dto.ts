import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField, UuidField } from '../contract/fields.js';
import { NamedDto } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { IdParam, MomentParam } from '../contract/params.js';
import { SOURCES } from '../inventories/inventory-line.entity.js';
import type { InventoryLine, Source } from '../inventories/inventory-line.entity.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import { CONDITIONS, ScannedPurchaseDto } from './scans.dto.js';
import type { Condition } from './scans.dto.js';

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

const CLOCKS_DIFFER_MS = 5 * 60_000;

/** What the list shows of a line that has a scan, whether TypeORM or a statement has read it. */
export type ScannedLine = Pick<
  InventoryLine,
  'scan_id' | 'scanned_at' | 'client_id' | 'device_scanned_at' | 'condition' | 'note' | 'source'
> & {
  scanner: NamedDto | null;
  purchase: ScannedPurchaseDto;
  inventory: { created_at: Date };
  location: PurchaseLocationDto | null;
};

export const toScanEntryDto = (line: ScannedLine): ScanEntryDto => {
  const { scanner, purchase, inventory, device_scanned_at: device } = line;
  const scanned_at = line.scanned_at as Date;
  return {
    id: line.scan_id as number,
    scanned_at,
    scanned_by: { id: scanner?.id as number, name: scanner?.name as string },
    purchase: {
      id: purchase.id,
      code: purchase.code,
      article: { id: purchase.article.id, name: purchase.article.name },
    },
    client_id: line.client_id,
    device_scanned_at: device,
    clock_ahead: device !== null && device.getTime() - scanned_at.getTime() > CLOCKS_DIFFER_MS,
    clock_behind: device !== null && device < inventory.created_at,
    location: line.location && toPlaceDto(line.location),
    condition: line.condition,
    note: line.note,
    source: line.source,
  };
};
