import { ApiProperty } from '@nestjs/swagger';
import { tagOf } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { ChoiceField, DateField, IntegerField, TextField } from '../contract/fields.js';
import { IdsField } from '../contract/list-fields.js';
import { IntegerParam } from '../contract/params.js';
import { DateAnswer, InstantAnswer, NumberAnswer } from '../contract/answers.js';
import { NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { DisposeTogetherDto } from '../purchases/disposal.dto.js';
import { PurchaseFilters } from '../purchases/purchase-query.dto.js';
import type { SessionRow } from './inventories.queries.js';
import type { Resource } from '../contract/resource.js';

const YEARS = { min: 1900, max: 2200 };
const SESSION_STATUSES = ['open', 'closed'] as const;
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

/** What may be changed while it is open. */
class SessionFieldsDto {
  @IntegerField({ ...YEARS, example: 2026 })
  year: number;

  @DateField({ example: '2026-09-14' })
  inventory_date: string;

  @TextField({ optional: true, nullable: true, max: 255, example: 'Inventaire annuel 2026' })
  label?: string | null;
}

export class CreateInventoryDto extends SessionFieldsDto {
  @IdsField({
    optional: true,
    example: [1],
    description: 'It expects what lies in or below these places; in all where it is absent.',
  })
  location_ids?: number[];

  @IdsField({
    optional: true,
    example: [2],
    description: 'It expects things of these categories; of all where it is absent.',
  })
  category_ids?: number[];
}

export class UpdateInventoryDto extends PatchOf(SessionFieldsDto) {}

export class ReopenInventoryDto {
  @TextField({ min: 3, max: 500, example: 'Deux téléphones n’avaient pas encore envoyé leurs scans' })
  reason: string;
}

export class DisposeMissingDto extends DisposeTogetherDto {
  @IdsField({ example: [41], description: 'Purchases that the session did not find.' })
  purchase_ids: number[];
}

export class DisposedMissingDto {
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many were disposed of: all that were named.',
  })
  disposed: number;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [41] })
  purchase_ids: number[];
}

export class ProgressDto {
  @ApiProperty({ type: 'integer', example: 1663 })
  scanned: number;

  @ApiProperty({ type: 'integer', example: 2488 })
  total: number;

  @NumberAnswer({ example: 66.84, description: 'To 2 decimals; 0 where total is 0.' })
  percentage: number;
}

export class ScopeDto {
  @ApiProperty({
    type: [NamedDto],
    nullable: true,
    example: [{ id: 1, name: 'Siège' }],
    description: 'With what lies below; null for all.',
  })
  locations: NamedDto[] | null;

  @ApiProperty({ type: [NamedDto], nullable: true, example: null, description: 'Null for all.' })
  categories: NamedDto[] | null;
}

export class ReopeningDto {
  @InstantAnswer()
  at: string;

  @ApiProperty({ type: NamedDto, example: { id: 5, name: 'Françoise Le Bihan' } })
  by: NamedDto;

  @ApiProperty({ example: 'Deux téléphones n’avaient pas encore envoyé leurs scans' })
  reason: string;
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

  @ApiProperty({
    type: ScopeDto,
    nullable: true,
    example: null,
    description: 'The places and categories of which it expects what is there; null for everything.',
  })
  scope: ScopeDto | null;

  @ApiProperty({ type: ProgressDto })
  progress: ProgressDto;

  @ApiProperty({ type: NamedDto, example: { id: 5, name: 'Françoise Le Bihan' } })
  opened_by: NamedDto;

  @InstantAnswer({ nullable: true, example: null })
  closed_at: Date | null;

  @ApiProperty({ type: NamedDto, nullable: true, example: null })
  closed_by: NamedDto | null;

  @ApiProperty({
    type: [ReopeningDto],
    example: [],
    description: 'When it was opened again after its closing, by whom and why.',
  })
  reopened: ReopeningDto[];

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
  scope: session.scope,
  progress: toProgressDto(session.scanned, session.total),
  opened_by: { id: session.opener.id, name: session.opener.name },
  closed_at: session.closed_at,
  closed_by: named(session.closer),
  reopened: session.reopened,
  created_at: session.created_at,
  updated_at: session.updated_at,
});

export const inventory: Resource<SessionRow, InventoryDto> = {
  // Its figures tell whether its progress has changed.
  tag: ({ version, opener, closer, scope_version, scanned, total }) =>
    tagOf(version, opener.version, closer?.version, scope_version ?? '', scanned, total),
  answer: toInventoryDto,
};

export const toProgressDto = (scanned: number, total: number): ProgressDto => ({
  scanned,
  total,
  // Multiplied first: 57 of 800 are 7.125 % exactly, so 7.13, which 57 / 800 as a double falls short of.
  percentage: total === 0 ? 0 : Math.round((scanned * 10_000) / total) / 100,
});
