import { ApiProperty } from '@nestjs/swagger';
import { recordTag } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { BooleanField, EmailField, NameField, TextField } from '../contract/fields.js';
import { BooleanParam } from '../contract/params.js';
import { InstantAnswer } from '../contract/answers.js';
import { DeletedParam, ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import type { Resource } from '../contract/resource.js';
import type { Supplier } from './supplier.entity.js';

export class SupplierQuery extends ListQuery {
  @SearchParam('name and reference')
  search?: string;

  @BooleanParam({ description: 'Only active or only inactive suppliers.' })
  is_active?: boolean;

  @DeletedParam()
  declare deleted?: boolean;

  @SortParam('id', 'name', 'created_at')
  declare sort?: string;
}

const empty = { optional: true, nullable: true };

export class CreateSupplierDto {
  @NameField({ max: 255, example: 'Ty Réseau' })
  name: string;

  @NameField({ ...empty, max: 100, example: 'F0004', description: 'Need not be unique.' })
  reference?: string | null;

  @EmailField({ ...empty, example: 'accueil@tyreseau.example' })
  email?: string | null;

  @TextField({ ...empty, max: 50, example: '02 61 91 79 32' })
  phone?: string | null;

  @TextField({ ...empty, max: 500, example: '105 avenue du Général-de-Gaulle, 29100 Douarnenez, France' })
  address?: string | null;

  @BooleanField({
    optional: true,
    default: true,
    description: 'For filters and pick lists; forbids nothing.',
  })
  is_active?: boolean;
}

export class UpdateSupplierDto extends PatchOf(CreateSupplierDto) {}

export class SupplierDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ example: 'Ty Réseau' })
  name: string;

  @ApiProperty({ type: String, nullable: true, example: 'F0004' })
  reference: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'accueil@tyreseau.example' })
  email: string | null;

  @ApiProperty({ type: String, nullable: true, example: '02 61 91 79 32' })
  phone: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '105 avenue du Général-de-Gaulle, 29100 Douarnenez, France',
  })
  address: string | null;

  @ApiProperty({ example: true })
  is_active: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const toSupplierDto = (supplier: Supplier): SupplierDto => ({
  id: supplier.id,
  name: supplier.name,
  reference: supplier.reference,
  email: supplier.email,
  phone: supplier.phone,
  address: supplier.address,
  is_active: supplier.is_active,
  created_at: supplier.created_at,
  updated_at: supplier.updated_at,
});

export const supplier: Resource<Supplier, SupplierDto> = {
  tag: recordTag,
  answer: toSupplierDto,
  columns: {
    name: (row) => row.name,
    reference: (row) => row.reference,
    email: (row) => row.email,
    phone: (row) => row.phone,
    address: (row) => row.address,
    is_active: (row) => row.is_active,
  },
};
