import {
  BooleanField,
  ChoiceField,
  IdField,
  InstantField,
  ScannedField,
  TextField,
  UuidField,
} from '../contract/fields.js';
import { ItemsField } from '../contract/list-fields.js';
import { CONDITIONS, SOURCES } from '../inventories/inventory-line.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { CLIENT_ID, OTHER_CLIENT_ID } from './scans.dto.js';

const MAX_BATCH = 1000;

export class ScanDto {
  @ScannedField({
    max: 2048,
    example: '0004521',
    description: 'What the scanner read, as it is; the service cleans it.',
  })
  code: string;

  @UuidField({
    optional: true,
    example: CLIENT_ID,
    description:
      'Made by the phone for this one read. Sent again, it is answered as it was the first time, and counts once.',
  })
  client_id?: string;

  @InstantField({
    optional: true,
    example: '2026-09-14T06:35:34.902Z',
    description: 'When it was read, by the clock of the phone. Kept beside the instant at which it arrived.',
  })
  scanned_at?: Date;

  @IdField({ optional: true, example: 5, description: 'The place where it was found.' })
  location_id?: number;

  @BooleanField({
    optional: true,
    example: false,
    description:
      'Whether the purchase is to belong where it was found from now on; needs `location_id`, and the permission `purchases.update`.',
  })
  move?: boolean;

  @ChoiceField({ optional: true, of: CONDITIONS, example: 'good' })
  condition?: Condition;

  @TextField({ optional: true, min: 0, max: 500, example: 'Écran rayé' })
  note?: string;

  @ChoiceField({
    optional: true,
    of: SOURCES,
    example: 'camera',
    description:
      'What has read it; `manual` where somebody typed it. What an RFID reader (`rfid`) reads again within one batch is answered like its first read there.',
  })
  source?: Source;
}

/** One of many: the phone names each. */
export class ScanItemDto extends ScanDto {
  @UuidField({
    example: CLIENT_ID,
    description: 'Made by the phone for this one read; of one batch each once.',
  })
  declare client_id: string;
}

export class ScanBatchDto {
  @ItemsField({
    of: ScanItemDto,
    max: MAX_BATCH,
    example: [{ client_id: OTHER_CLIENT_ID, code: '0004521' }],
    description: 'In the order in which they take effect; 1 MiB at most, else 413: send half of them.',
  })
  scans: ScanItemDto[];
}

/** What is absent stays as it is. */
export class UpdateScanDto {
  @ChoiceField({
    optional: true,
    nullable: true,
    of: CONDITIONS,
    example: 'damaged',
    description: 'One of `good`, `damaged`, `unusable`; null takes it back.',
  })
  condition?: Condition | null;

  @TextField({ optional: true, nullable: true, max: 500, example: 'Écran rayé' })
  note?: string | null;
}
