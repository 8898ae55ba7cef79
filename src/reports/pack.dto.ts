import { ApiProperty } from '@nestjs/swagger';
import { DateAnswer, InstantAnswer } from '../contract/answers.js';
import { NamedAnswer, NamedDto } from '../contract/openapi.js';
import { InstantParam } from '../contract/params.js';
import { InventoryDto } from '../inventories/inventories.dto.js';

export class PackQuery {
  @InstantParam({
    description:
      'Only what may be otherwise since: the `synced_until` of the pack before. Of what was deleted since, `{"id", "deleted_at"}`.',
  })
  updated_since?: string;
}

/** The first line of a pack. */
export class PackHeadDto {
  @ApiProperty({ type: InventoryDto })
  session: InventoryDto;

  @InstantAnswer({ description: 'Everything that changed before is in it: ask from here the next time.' })
  synced_until: Date;
}

/** Each of the others, but for those of what was deleted. */
export class PackedPurchaseDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: '0004521' })
  code: string;

  @ApiProperty({
    type: [String],
    example: ['(8004)061414112345400'],
    description:
      'Its other codes: unknown ones that were linked, and the GIAIs and GRAIs of its `epc` and `gs1`.',
  })
  aliases: string[];

  @ApiProperty({ type: NamedDto, example: { id: 13, name: 'HP EliteBook 840 G7' } })
  article: NamedDto;

  @NamedAnswer({ id: 1, name: 'Ordinateurs portables' })
  category: NamedDto | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 5 })
  location_id: number | null;

  @DateAnswer({
    required: false,
    example: '2026-03-01',
    description: 'Only where it was disposed of: the last day on which it was there.',
  })
  disposed_on?: string;

  @ApiProperty({ example: true, description: 'Whether the session expects it.' })
  expected: boolean;

  @InstantAnswer({ nullable: true, description: 'In this session, expected or not.' })
  scanned_at: Date | null;
}
