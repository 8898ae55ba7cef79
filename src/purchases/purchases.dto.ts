import { ApiProperty, PickType } from '@nestjs/swagger';
import { ArticleDto } from '../articles/articles.dto.js';
import { PatchOf } from '../contract/field.js';
import { CodeField, DateField, IdField, MoneyField, TextField } from '../contract/fields.js';
import { GIVEN, ValuesAnswer, ValuesField } from '../fields/values.js';
import type { FieldValues } from '../fields/values.js';
import { LocationDto } from '../locations/locations.dto.js';
import { DateAnswer, InstantAnswer, NumberAnswer } from '../contract/answers.js';
import { NamedAnswer, NamedDto, named } from '../contract/openapi.js';
import { PhotoAnswer, photoUrlOf } from '../contract/photo.js';
import type { AsOf } from './as-of.js';
import { DisposalDto, toDisposalDto } from './disposal.dto.js';
import { columns } from './purchases.columns.js';
import { EpcField, Gs1ListField } from './identifier.fields.js';
import type { PurchaseRow } from './purchases.queries.js';
import { WarrantyDto, warrantyStatus } from './warranty.dto.js';

const empty = { optional: true, nullable: true };
const notes = { ...empty, max: 5000 };
const epc = {
  ...empty,
  description:
    'What its RFID tag says, of a GIAI or GRAI: the hexadecimal digits of GIAI-96, GRAI-96 or GIAI-202, or a URI (`urn:epc:id:…`, `urn:epc:tag:…`). Kept and answered as its pure identity URI, such as `urn:epc:id:giai:0614141.12345400`. A code of its own: scans find it by this and by the same GIAI or GRAI, and it is never that of another purchase.',
};
const gs1 = {
  ...empty,
  description:
    'GIAIs (AI 8004) and GRAIs (AI 8003) on it, as element strings, with or without parentheses and FNC1, or as GS1 Digital Links. Kept and answered as `(8004)061414112345400`, each once. Codes of their own, as `epc` is; a list takes the place of the one before, and null is none.',
};

export class CreatePurchaseDto {
  @IdField({ example: 13, description: 'An article.' })
  article_id: number;

  @DateField({ example: '2019-01-11' })
  purchase_date: string;

  @CodeField({
    ...empty,
    example: null,
    description: 'What the label says; made by the service when absent. Unique for ever, whatever the case.',
  })
  code?: string | null;

  @EpcField({ ...epc, example: null })
  epc?: string | null;

  @Gs1ListField({ ...gs1, example: [] })
  gs1?: string[] | null;

  @MoneyField({ ...empty, example: 1161.71, description: 'Euros.' })
  purchase_price?: number | null;

  @IdField({ ...empty, example: 2, description: 'A supplier.' })
  supplier_id?: number | null;

  @IdField({ ...empty, example: 5, description: 'A place.' })
  location_id?: number | null;

  @DateField({
    ...empty,
    example: '2022-01-11',
    description: 'Last day of the warranty, not before purchase_date.',
  })
  warranty_end_date?: string | null;

  @DateField({ ...empty, example: '2019-01-11', description: 'purchase_date when absent.' })
  in_service_date?: string | null;

  @TextField({ ...empty, max: 255, example: '5CG0876HAR' })
  serial_number?: string | null;

  @TextField({ ...empty, max: 255, example: 'Mme Abgrall', description: 'Who has it, in words.' })
  assigned_to?: string | null;

  @IdField({ ...empty, example: 1, description: 'The third party that has it.' })
  assigned_tier_id?: number | null;

  @TextField({ ...notes, example: 'Affecté au bureau 205.' })
  notes?: string | null;

  @ValuesField({ example: { financement: 'Région' }, description: GIVEN })
  fields?: FieldValues;
}

export class UpdatePurchaseDto extends PatchOf(CreatePurchaseDto) {
  @CodeField({
    optional: true,
    example: '0004521',
    description: 'A new label. The old code is never given to another purchase.',
  })
  declare code?: string;

  @EpcField({ ...epc, example: 'urn:epc:id:giai:0614141.12345400' })
  declare epc?: string | null;

  @Gs1ListField({ ...gs1, example: ['(8004)061414112345400'] })
  declare gs1?: string[] | null;

  @TextField({ ...notes, example: null })
  declare notes?: string | null;
}

/** The article as every purchase shows it, so that a phone needs no second call. */
export class PurchaseArticleDto extends PickType(ArticleDto, [
  'id',
  'name',
  'reference',
  'brand',
  'category',
  'amortization_category',
] as const) {}

/** The place, likewise. */
export class PurchaseLocationDto extends PickType(LocationDto, ['id', 'name', 'path'] as const) {}

export class PurchaseDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: '0004521' })
  code: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'urn:epc:id:giai:0614141.12345400',
    description: 'The EPC of its RFID tag, as its pure identity URI.',
  })
  epc: string | null;

  @ApiProperty({
    type: [String],
    example: ['(8004)061414112345400'],
    description: 'Its GIAIs and GRAIs.',
  })
  gs1: string[];

  @ApiProperty({ type: 'integer', example: 13 })
  article_id: number;

  @ApiProperty({ type: PurchaseArticleDto })
  article: PurchaseArticleDto;

  @DateAnswer({ example: '2019-01-11' })
  purchase_date: string;

  @NumberAnswer({ nullable: true, minimum: 0, example: 1161.71, description: 'Euros.' })
  purchase_price: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 2 })
  supplier_id: number | null;

  @NamedAnswer({ id: 2, name: "Bureautique de l'Ouest" })
  supplier: NamedDto | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 5 })
  location_id: number | null;

  @ApiProperty({ type: PurchaseLocationDto, nullable: true })
  location: PurchaseLocationDto | null;

  @ApiProperty({ type: String, nullable: true, example: 'Mme Abgrall', description: 'Who has it, in words.' })
  assigned_to: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  assigned_tier_id: number | null;

  @NamedAnswer({ id: 1, name: 'Ascenseurs Morvan' })
  assigned_tier: NamedDto | null;

  @DateAnswer({ nullable: true, example: '2022-01-11' })
  warranty_end_date: string | null;

  @ApiProperty({ type: WarrantyDto })
  warranty: WarrantyDto;

  @DateAnswer({ example: '2019-01-11' })
  in_service_date: string;

  @ApiProperty({ type: String, nullable: true, example: '5CG0876HAR' })
  serial_number: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  notes: string | null;

  @ValuesAnswer({ financement: 'Région' })
  fields: FieldValues;

  @ApiProperty({ type: DisposalDto, nullable: true, example: null, description: 'Null while it is there.' })
  disposal: DisposalDto | null;

  @PhotoAnswer('/api/v1/attachments/1')
  photo_url: string | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

export const toPurchaseDto = (purchase: PurchaseRow, { today, fiscalYears }: AsOf): PurchaseDto => ({
  id: purchase.id,
  code: purchase.code,
  epc: purchase.epc,
  gs1: purchase.gs1,
  article_id: purchase.article.id,
  article: {
    id: purchase.article.id,
    name: purchase.article.name,
    reference: purchase.article.reference,
    brand: named(purchase.article.brand),
    category: named(purchase.article.category),
    amortization_category: named(purchase.article.amortization_category),
  },
  purchase_date: purchase.purchase_date,
  purchase_price: purchase.purchase_price,
  supplier_id: purchase.supplier?.id ?? null,
  supplier: named(purchase.supplier),
  location_id: purchase.location?.id ?? null,
  location: purchase.location && {
    id: purchase.location.id,
    name: purchase.location.name,
    path: purchase.location.path,
  },
  assigned_to: purchase.assigned_to,
  assigned_tier_id: purchase.assigned_tier?.id ?? null,
  assigned_tier: named(purchase.assigned_tier),
  warranty_end_date: purchase.warranty_end_date,
  warranty: {
    status: warrantyStatus(purchase.warranty_end_date, today),
    end_date: purchase.warranty_end_date,
  },
  in_service_date: purchase.in_service_date ?? purchase.purchase_date,
  serial_number: purchase.serial_number,
  notes: purchase.notes,
  fields: purchase.fields,
  disposal: toDisposalDto(purchase, fiscalYears),
  photo_url: photoUrlOf(purchase),
  created_at: purchase.created_at,
  updated_at: purchase.updated_at,
});

/** In a list. */
export const purchase = (asOf: AsOf) => ({ answer: (row: PurchaseRow) => toPurchaseDto(row, asOf), columns });
