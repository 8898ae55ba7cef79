import { ApiProperty } from '@nestjs/swagger';
import { tagOf } from '../contract/etag.js';
import { ChoiceField } from '../contract/fields.js';
import { IdParam } from '../contract/params.js';
import { DateAnswer, InstantAnswer, WordAnswer } from '../contract/answers.js';
import { NamedAnswer, named } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import { PhotoAnswer, photoUrlOf } from '../contract/photo.js';
import { ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { EQUIPMENT_STATUSES } from './equipment.entity.js';
import type { Equipment, EquipmentStatus } from './equipment.entity.js';
import type { Resource } from '../contract/resource.js';

export class EquipmentQuery extends ListQuery {
  @SearchParam('name, reference and serial number')
  search?: string;

  @ChoiceField({ optional: true, of: EQUIPMENT_STATUSES, description: 'Equipment in this state.' })
  status?: EquipmentStatus;

  @IdParam({ description: 'Equipment of this third party.' })
  tier_id?: number;

  @SortParam('id', 'name', 'reference', 'commissioned_on')
  declare sort?: string;
}

export class EquipmentDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Groupe électrogène' })
  name: string;

  @ApiProperty({ example: 'EQ-0001' })
  reference: string;

  @ApiProperty({ type: String, nullable: true, example: 'TV55-700013' })
  serial_number: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'SDMO' })
  brand: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'J110K' })
  model: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Énergie' })
  category: string | null;

  @WordAnswer(EQUIPMENT_STATUSES, { example: 'in_service' })
  status: EquipmentStatus;

  @ApiProperty({ type: String, nullable: true, example: 'Siège – Bât. A, local technique R-1' })
  location: string | null;

  @DateAnswer({ nullable: true, example: '2012-07-03' })
  commissioned_on: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  tier_id: number | null;

  @NamedAnswer({ id: 3, name: 'Froid Industriel Cozic' })
  tier: NamedDto | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  notes: string | null;

  @PhotoAnswer()
  photo_url: string | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toEquipmentDto = (equipment: Equipment): EquipmentDto => ({
  id: equipment.id,
  name: equipment.name,
  reference: equipment.reference,
  serial_number: equipment.serial_number,
  brand: equipment.brand,
  model: equipment.model,
  category: equipment.category,
  status: equipment.status,
  location: equipment.location,
  commissioned_on: equipment.commissioned_on,
  tier_id: equipment.tier_id,
  tier: named(equipment.tier),
  notes: equipment.notes,
  photo_url: photoUrlOf(equipment),
  created_at: equipment.created_at,
  updated_at: equipment.updated_at,
});

export const equipment: Resource<Equipment, EquipmentDto> = {
  tag: ({ version, tier }) => tagOf(version, tier?.version),
  answer: toEquipmentDto,
  columns: {
    name: (row) => row.name,
    reference: (row) => row.reference,
    serial_number: (row) => row.serial_number,
    brand: (row) => row.brand,
    model: (row) => row.model,
    category: (row) => row.category,
    status: (row) => row.status,
    location: (row) => row.location,
    commissioned_on: (row) => row.commissioned_on,
    tier: (row) => row.tier?.reference ?? null,
    notes: (row) => row.notes,
  },
};
