import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField, IdField, TextField } from '../contract/fields.js';
import { NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { SOURCES } from '../inventories/inventory-line.entity.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import type { Purchase } from '../purchases/purchase.entity.js';
import { toScannedPurchaseDto } from './findings.dto.js';
import { ScannedPurchaseDto } from './scans.dto.js';
import { UNKNOWN_STATUSES } from './unknown-code.entity.js';
import type { UnknownCode, UnknownStatus } from './unknown-code.entity.js';

export class UnknownCodeQuery extends ListQuery {
  @SearchParam('the code')
  search?: string;

  @ChoiceField({ optional: true, of: UNKNOWN_STATUSES, description: 'Only those of this status.' })
  status?: UnknownStatus;

  @SortParam('id', 'times', 'last_seen')
  declare sort?: string;
}

export class LinkCodeDto {
  @IdField({ example: 12, description: 'The purchase on which this code hangs.' })
  purchase_id: number;
}

export class DismissCodeDto {
  @TextField({ min: 3, max: 500, example: 'Étiquette du fournisseur' })
  reason: string;
}

export class SeenDto {
  @InstantAnswer({ example: '2026-09-14T06:38:57.465Z' })
  at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 1, name: 'Yann Le Goff' } })
  by: NamedDto;
}

export class CodeResolutionDto extends SeenDto {
  @ApiProperty({ type: ScannedPurchaseDto, nullable: true, description: 'What it was linked to.' })
  purchase: ScannedPurchaseDto | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why it was dismissed.' })
  reason: string | null;
}

export class UnknownCodeDto {
  @LongIdAnswer(7)
  id: number;

  @ApiProperty({ example: 'https://vendor.example/a/88213', description: 'As it was read the first time.' })
  code: string;

  @ApiProperty({
    example: '88213',
    description: 'What cleaning leaves of it; those that come to the same are one.',
  })
  cleaned: string;

  @ApiProperty({ type: 'integer', example: 3, description: 'How often it was read.' })
  times: number;

  @ApiProperty({ type: SeenDto })
  first_seen: SeenDto;

  @WordAnswer(SOURCES, {
    nullable: true,
    example: 'camera',
    description: 'What read it first, where the phone told.',
  })
  source: string | null;

  @ApiProperty({
    type: SeenDto,
    example: { at: '2026-09-14T06:39:24.355Z', by: { id: 1, name: 'Yann Le Goff' } },
  })
  last_seen: SeenDto;

  @ApiProperty({
    type: [PurchaseLocationDto],
    example: [{ id: 115, name: 'Accueil', path: 'Siège / Bâtiment A / Accueil' }],
    description: 'Where it was read, the first 20 places.',
  })
  locations: PurchaseLocationDto[];

  @ApiProperty({ type: [String], example: ['Derrière l’armoire'], description: 'The first 20.' })
  notes: string[];

  @WordAnswer(UNKNOWN_STATUSES, { example: 'open' })
  status: string;

  @ApiProperty({
    type: CodeResolutionDto,
    nullable: true,
    example: null,
    description: 'Null while it is open.',
  })
  resolution: CodeResolutionDto | null;

  @ApiProperty({
    type: ScannedPurchaseDto,
    nullable: true,
    example: null,
    description: 'The deleted purchase that had this code.',
  })
  deleted_purchase: ScannedPurchaseDto | null;
}

/** An unknown code with what its answer shows of other rows. */
export interface UnknownCodeRow extends UnknownCode {
  locations: PurchaseLocationDto[];
  deleted_purchase: ScannedPurchaseDto | null;
}

export const toUnknownCodeDto = (row: UnknownCodeRow): UnknownCodeDto => ({
  id: row.id,
  code: row.code,
  cleaned: row.cleaned,
  times: row.times,
  first_seen: { at: row.first_at, by: named(row.first_reader) },
  source: row.first_source,
  last_seen: { at: row.last_at, by: named(row.last_reader) },
  locations: row.locations,
  notes: row.notes,
  status: row.status,
  resolution: toResolutionDto(row),
  deleted_purchase: row.deleted_purchase,
});

function toResolutionDto({ purchase, reason, decided_at, decider }: UnknownCode): CodeResolutionDto | null {
  if (!decided_at || !decider) return null;
  return { purchase: purchaseOrNull(purchase), reason, at: decided_at, by: named(decider) };
}

export const purchaseOrNull = (purchase: Purchase | null): ScannedPurchaseDto | null =>
  purchase && toScannedPurchaseDto(purchase);
