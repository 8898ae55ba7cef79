import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import { UuidField } from '../contract/fields.js';
import { BooleanParam } from '../contract/params.js';
import { CONDITIONS, SOURCES } from '../inventories/inventory-line.entity.js';
import type { Condition, Source } from '../inventories/inventory-line.entity.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import type { Purchase } from '../purchases/purchase.entity.js';
import { toPlaceDto } from './scan-entries.dto.js';
import { RESOLUTIONS } from './misplaced.entity.js';
import type { Misplaced } from './misplaced.entity.js';
import { ScannedPurchaseDto } from './scans.dto.js';
import { UNEXPECTED_REASONS } from './unexpected-scan.entity.js';
import type { UnexpectedScan } from './unexpected-scan.entity.js';

export class UnexpectedQuery extends ListQuery {
  @UuidField({ optional: true, description: 'What this message of a phone has recorded.' })
  client_id?: string;

  @SortParam('id', 'scanned_at')
  declare sort?: string;
}

export class UnexpectedDto {
  @LongIdAnswer(5556)
  scan_id: number;

  @ApiProperty({
    type: ScannedPurchaseDto,
    example: {
      id: 200,
      code: 'INV0001803',
      article: { id: 284, name: "Vinci Play Parcours d'agilité Maxx" },
    },
  })
  purchase: ScannedPurchaseDto;

  @InstantAnswer({ example: '2026-10-09T06:41:14.065Z' })
  scanned_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 2, name: 'Maëlle Kerbrat' } })
  scanned_by: NamedDto;

  @ApiProperty({
    type: PurchaseLocationDto,
    nullable: true,
    example: { id: 2, name: 'Accueil', path: 'Antenne de Brest / Accueil' },
    description: 'Where it was found.',
  })
  location: PurchaseLocationDto | null;

  @WordAnswer(UNEXPECTED_REASONS, { example: 'out-of-scope' })
  reason: string;

  @WordAnswer(CONDITIONS, { nullable: true, example: null })
  condition: Condition | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  note: string | null;

  @WordAnswer(SOURCES, { nullable: true, example: 'scanner' })
  source: Source | null;
}

export class MisplacedQuery extends ListQuery {
  @BooleanParam({ description: 'Only those that are decided upon, or only those that are not.' })
  resolved?: boolean;

  @SortParam('id', 'at')
  declare sort?: string;
}

export class MisplacedResolutionDto {
  @WordAnswer(RESOLUTIONS, { example: 'moved' })
  how: string;

  @InstantAnswer()
  at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 5, name: 'Françoise Le Bihan' } })
  by: NamedDto;
}

export class MisplacedDto {
  @LongIdAnswer(4809)
  scan_id: number;

  @ApiProperty({
    type: ScannedPurchaseDto,
    example: { id: 225, code: 'INV000202N', article: { id: 46, name: 'HP E27q G4' } },
  })
  purchase: ScannedPurchaseDto;

  @ApiProperty({
    type: PurchaseLocationDto,
    example: { id: 67, name: 'Salle 11', path: 'Lycée Jeanne-Malivel / Salle 11' },
    description: 'Where it belonged when it was found.',
  })
  expected: PurchaseLocationDto;

  @ApiProperty({
    type: PurchaseLocationDto,
    example: { id: 68, name: 'Salle 12', path: 'Lycée Jeanne-Malivel / Salle 12' },
    description: 'Where it was found.',
  })
  found: PurchaseLocationDto;

  @InstantAnswer({ example: '2026-10-01T07:35:48.013Z' })
  at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 2, name: 'Maëlle Kerbrat' } })
  by: NamedDto;

  @ApiProperty({
    type: MisplacedResolutionDto,
    nullable: true,
    example: null,
    description:
      'What was decided: it belongs where it was found (`moved`), or it was only there (`ignored`).',
  })
  resolved: MisplacedResolutionDto | null;
}

export const toScannedPurchaseDto = ({ id, code, article }: Purchase): ScannedPurchaseDto => ({
  id,
  code,
  article: { id: article.id, name: article.name },
});

export const toUnexpectedDto = (scan: UnexpectedScan): UnexpectedDto => ({
  scan_id: scan.scan_id,
  purchase: toScannedPurchaseDto(scan.purchase),
  scanned_at: scan.scanned_at,
  scanned_by: named(scan.scanner),
  location: scan.location && toPlaceDto(scan.location),
  reason: scan.reason,
  condition: scan.condition,
  note: scan.note,
  source: scan.source,
});

export const toMisplacedDto = (row: Misplaced): MisplacedDto => ({
  scan_id: row.scan_id,
  purchase: toScannedPurchaseDto(row.purchase),
  expected: toPlaceDto(row.expected),
  found: toPlaceDto(row.found),
  at: row.found_at,
  by: named(row.finder),
  resolved:
    row.resolution && row.resolved_at && row.resolver
      ? { how: row.resolution, at: row.resolved_at, by: named(row.resolver) }
      : null,
});
