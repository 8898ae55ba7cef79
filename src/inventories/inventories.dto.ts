import { ApiProperty } from '@nestjs/swagger';
import { tagOf } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { ChoiceField, DateField, IntegerField, ScannedField, TextField } from '../contract/fields.js';
import { IdParam, IntegerParam, MomentParam } from '../contract/params.js';
import { DateAnswer, InstantAnswer, NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/pagination.js';
import { PurchaseFilters } from '../purchases/purchases.dto.js';
import type { InventoryLine } from './inventory-line.entity.js';
import type { SessionRow } from './inventories.queries.js';
import type { Resource } from '../contract/resource.js';

const YEARS = { min: 1900, max: 2200 };
export const SESSION_STATUSES = ['open', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export class InventoryQuery extends ListQuery {
  @IntegerParam({ ...YEARS, description: 'Sessions of this year.' })
  year?: number;

  @ChoiceField({ optional: true, of: SESSION_STATUSES, description: 'Only open or only closed sessions.' })
  status?: SessionStatus;

  @SortParam('id', 'year', 'inventory_date')
  declare sort?: string;
}

export class UnscannedQuery extends PurchaseFilters {
  @SortParam('id', 'code', 'purchase_date')
  declare sort?: string;
}

export class ScansQuery extends ListQuery {
  @IdParam({ description: 'Scans by this user.' })
  user_id?: number;

  @MomentParam({ description: 'Scanned at this instant or later, or on this day (in TIME_ZONE) or later.' })
  scanned_from?: string;

  @MomentParam({
    description: 'Scanned at this instant or earlier, or on this day (in TIME_ZONE) or earlier.',
  })
  scanned_to?: string;

  @SortParam('id', 'scanned_at')
  declare sort?: string;
}

export class CreateInventoryDto {
  @IntegerField({ ...YEARS, example: 2026 })
  year: number;

  @DateField({ example: '2026-09-14' })
  inventory_date: string;

  @TextField({ optional: true, nullable: true, max: 255, example: 'Inventaire annuel 2026' })
  label?: string | null;
}

export class UpdateInventoryDto extends PatchOf(CreateInventoryDto) {}

export class ProgressDto {
  @ApiProperty({ type: 'integer', example: 1663 })
  scanned: number;

  @ApiProperty({ type: 'integer', example: 2500 })
  total: number;

  @ApiProperty({ example: 66.52, description: 'To 2 decimals; 0 where total is 0.' })
  percentage: number;
}

export class InventoryDto {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ type: 'integer', example: 2026 })
  year: number;

  @DateAnswer({ example: '2026-09-14' })
  inventory_date: string;

  @ApiProperty({ type: String, nullable: true, example: 'Inventaire annuel 2026' })
  label: string | null;

  @ApiProperty({ enum: SESSION_STATUSES, example: 'open' })
  status: SessionStatus;

  @ApiProperty({ type: ProgressDto })
  progress: ProgressDto;

  @ApiProperty({ type: NamedDto, example: { id: 5, name: 'Françoise Le Bihan' } })
  opened_by: NamedDto;

  @InstantAnswer({ nullable: true, example: null })
  closed_at: Date | null;

  @ApiProperty({ type: NamedDto, nullable: true, example: null })
  closed_by: NamedDto | null;

  @InstantAnswer({ example: '2026-09-14T06:02:40.661Z' })
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toInventoryDto = (session: SessionRow): InventoryDto => ({
  id: session.id,
  year: session.year,
  inventory_date: session.inventory_date,
  label: session.label,
  status: session.closed_at ? 'closed' : 'open',
  progress: toProgressDto(session.scanned, session.total),
  opened_by: { id: session.opener.id, name: session.opener.name },
  closed_at: session.closed_at,
  closed_by: named(session.closer),
  created_at: session.created_at,
  updated_at: session.updated_at,
});

export const inventory: Resource<SessionRow, InventoryDto> = {
  // Its figures tell whether its progress has changed.
  tag: ({ version, opener, closer, scanned, total }) =>
    tagOf(version, opener.version, closer?.version, scanned, total),
  answer: toInventoryDto,
};

export const toProgressDto = (scanned: number, total: number): ProgressDto => ({
  scanned,
  total,
  // Multiplied first: 57 of 800 are 7.125 % exactly, so 7.13, which 57 / 800 as a double falls short of.
  percentage: total === 0 ? 0 : Math.round((scanned * 10_000) / total) / 100,
});

export class ScanDto {
  @ScannedField({
    max: 2048,
    example: '0004521',
    description: 'What the scanner read, as it is; the service cleans it.',
  })
  code: string;
}

export class ScannedPurchaseDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: '0004521' })
  code: string;

  @ApiProperty({ type: NamedDto, example: { id: 13, name: 'HP EliteBook 840 G7' } })
  article: NamedDto;
}

export class FirstScanDto {
  @InstantAnswer({ example: '2026-09-14T06:35:35.670Z' })
  at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 1, name: 'Yann Le Goff' } })
  by: NamedDto;
}

export const SCAN_MESSAGES = {
  success: 'Article ajouté',
  warning: 'Déjà scanné',
  unknown: 'Code inconnu',
  closed: 'Inventaire clôturé',
} as const;

export class ScanResultDto {
  @ApiProperty({ enum: ['success', 'warning', 'error'], example: 'success' })
  status: 'success' | 'warning' | 'error';

  @ApiProperty({ enum: Object.values(SCAN_MESSAGES), example: SCAN_MESSAGES.success })
  message: string;

  @ApiProperty({
    example: '0004521',
    description: 'As on the label of the purchase; as sent where none matches.',
  })
  code: string;

  @InstantAnswer({ description: 'On a warning, that of the first scan.' })
  scanned_at: Date;

  @ApiProperty({ type: ScannedPurchaseDto, nullable: true, description: 'Null for an unknown code.' })
  purchase: ScannedPurchaseDto | null;

  @ApiProperty({ type: FirstScanDto, required: false, description: 'Only on a warning.' })
  first_scan?: FirstScanDto;
}

/** What the example of a scan answers. Those of the fields would show a first scan too, which a success has not. */
export const SCAN_EXAMPLE = {
  status: 'success',
  message: SCAN_MESSAGES.success,
  code: '0004521',
  scanned_at: '2026-10-15T08:30:00.000Z',
  purchase: { id: 1, code: '0004521', article: { id: 13, name: 'HP EliteBook 840 G7' } },
};

export class ScanEntryDto {
  @ApiProperty({ type: 'integer', example: 3748 })
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
}

/** Of a line that has a scan. */
export const toScanEntryDto = ({ scan_id, scanned_at, scanner, purchase }: InventoryLine): ScanEntryDto => ({
  id: scan_id as number,
  scanned_at: scanned_at as Date,
  scanned_by: { id: scanner?.id as number, name: scanner?.name as string },
  purchase: {
    id: purchase.id,
    code: purchase.code,
    article: { id: purchase.article.id, name: purchase.article.name },
  },
});
