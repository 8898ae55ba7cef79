import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField } from '../contract/fields.js';
import { BooleanParam } from '../contract/params.js';
import { InstantAnswer, WordAnswer } from '../contract/answers.js';
import { ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { TIER_TYPES } from './tier.entity.js';
import type { Tier, TierType } from './tier.entity.js';
import { recordTag } from '../contract/etag.js';
import type { Resource } from '../contract/resource.js';

export class TierQuery extends ListQuery {
  @SearchParam('name and reference')
  search?: string;

  @ChoiceField({ optional: true, of: TIER_TYPES, description: 'Third parties of this type.' })
  type?: TierType;

  @BooleanParam({ description: 'Only active or only inactive third parties.' })
  is_active?: boolean;

  @SortParam('id', 'name', 'reference')
  declare sort?: string;
}

export class TierDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Ascenseurs Morvan' })
  name: string;

  @ApiProperty({ example: 'T-0001' })
  reference: string;

  @WordAnswer(TIER_TYPES, { example: 'supplier' })
  type: TierType;

  @ApiProperty({ type: String, nullable: true, example: 'contact@ascenseursmorvan.example' })
  email: string | null;

  @ApiProperty({ type: String, nullable: true, example: '02 61 91 86 61' })
  phone: string | null;

  @ApiProperty({ type: String, nullable: true, example: '87 rue du Port' })
  address: string | null;

  @ApiProperty({ type: String, nullable: true, example: '35500' })
  postal_code: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Vitré' })
  city: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'FR' })
  country: string | null;

  @ApiProperty({ example: true })
  is_active: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toTierDto = (tier: Tier): TierDto => ({
  id: tier.id,
  name: tier.name,
  reference: tier.reference,
  type: tier.type,
  email: tier.email,
  phone: tier.phone,
  address: tier.address,
  postal_code: tier.postal_code,
  city: tier.city,
  country: tier.country,
  is_active: tier.is_active,
  created_at: tier.created_at,
  updated_at: tier.updated_at,
});

export const tier: Resource<Tier, TierDto> = {
  tag: recordTag,
  answer: toTierDto,
  columns: {
    name: (row) => row.name,
    reference: (row) => row.reference,
    type: (row) => row.type,
    email: (row) => row.email,
    phone: (row) => row.phone,
    address: (row) => row.address,
    postal_code: (row) => row.postal_code,
    city: (row) => row.city,
    country: (row) => row.country,
    is_active: (row) => row.is_active,
  },
};
