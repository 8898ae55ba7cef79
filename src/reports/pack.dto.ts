import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer } from '../contract/answers.js';
import { NamedAnswer, NamedDto } from '../contract/openapi.js';
import { InstantParam } from '../contract/params.js';
import { InventoryDto } from '../inventories/inventories.dto.js';
import type { PackedRow } from './pack.queries.js';

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
    example: [],
    description: 'Its other codes: unknown ones that were linked.',
  })
  aliases: string[];

  @ApiProperty({ type: NamedDto, example: { id: 13, name: 'HP EliteBook 840 G7' } })
  article: NamedDto;

  @NamedAnswer({ id: 1, name: 'Ordinateurs portables' })
  category: NamedDto | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 5 })
  location_id: number | null;

  @ApiProperty({ example: true, description: 'Whether the session expects it.' })
  expected: boolean;

  @InstantAnswer({ nullable: true, description: 'In this session, expected or not.' })
  scanned_at: Date | null;
}

/** Put together by hand: of a million, JSON.stringify() of objects would take twice as long. */
export function toPackLine([
  id,
  code,
  aliases,
  articleId,
  article,
  categoryId,
  category,
  locationId,
  isExpected,
  scannedAt,
  deletedAt,
]: PackedRow): string {
  if (deletedAt) return `{"id":${id},"deleted_at":${instant(deletedAt)}}\n`;
  const ofCategory = categoryId === 'null' ? 'null' : named(categoryId, category);
  const at = scannedAt ? instant(scannedAt) : 'null';
  return `{"id":${id},"code":${JSON.stringify(code)},"aliases":${aliases},"article":${named(articleId, article)},"category":${ofCategory},"location_id":${locationId},"expected":${isExpected === 't'},"scanned_at":${at}}\n`;
}

const named = (id: string, name: string) => `{"id":${id},"name":${JSON.stringify(name)}}`;
const instant = (milliseconds: string) => `"${new Date(Number(milliseconds)).toISOString()}"`;
