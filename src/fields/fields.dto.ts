import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, WordAnswer } from '../contract/answers.js';
import { recordTag } from '../contract/etag.js';
import { BooleanField, ChoiceField, NameField } from '../contract/fields.js';
import { NamesField } from '../contract/list-fields.js';
import { ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { BooleanParam } from '../contract/params.js';
import type { Resource } from '../contract/resource.js';
import { FIELD_TYPES, HOLDERS } from './field.entity.js';
import type { FieldType, Holder, OwnField } from './field.entity.js';

export class FieldQuery extends ListQuery {
  @SearchParam('name and key')
  search?: string;

  @ChoiceField({ optional: true, of: HOLDERS, description: 'Fields of articles, or of purchases.' })
  applies_to?: Holder;

  @BooleanParam({ description: 'Only active or only inactive fields.' })
  is_active?: boolean;

  @SortParam('id', 'name')
  declare sort?: string;
}

const name = { max: 100, description: 'Unique among the fields of articles, and of purchases.' };
const choices = {
  optional: true,
  nullable: true,
  description: 'What may be chosen, in this order: of the type `choice` alone, which needs at least one.',
};
const is_required = {
  optional: true,
  description:
    'Whether every new row must have a value. Rows that have none keep none until somebody gives them one.',
};
const is_active = {
  optional: true,
  description:
    'An inactive field takes no values and is in no file; those that rows have stay and are answered.',
};

export class CreateFieldDto {
  @NameField({ ...name, example: 'Code interne' })
  name: string;

  @ChoiceField({ of: HOLDERS, example: 'purchase', description: 'What has it; for good.' })
  applies_to: Holder;

  @ChoiceField({
    of: FIELD_TYPES,
    example: 'text',
    description:
      'For good: a text of at most 1000 characters, a number with at most 6 decimals, a day, true or false, one of the `choices`.',
  })
  type: FieldType;

  @NamesField({ ...choices, example: null })
  choices?: string[] | null;

  @BooleanField({ ...is_required, default: false })
  is_required?: boolean;

  @BooleanField({ ...is_active, default: true })
  is_active?: boolean;
}

export class UpdateFieldDto {
  @NameField({ ...name, optional: true, example: 'Financement' })
  name?: string;

  @NamesField({
    ...choices,
    example: ['Ville', 'Département', 'Région', 'État'],
    description: `${choices.description} One that rows have stays.`,
  })
  choices?: string[] | null;

  @BooleanField({ ...is_required, example: false })
  is_required?: boolean;

  @BooleanField({ ...is_active, example: true })
  is_active?: boolean;
}

export class FieldDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Financement' })
  name: string;

  @ApiProperty({
    example: 'financement',
    description:
      'What it is called in `fields`, in filters and in files; made of the name, and never another.',
  })
  key: string;

  @WordAnswer(HOLDERS, { example: 'purchase' })
  applies_to: Holder;

  @WordAnswer(FIELD_TYPES, { example: 'choice' })
  type: FieldType;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['Ville', 'Département', 'Région', 'État'],
    description: 'Null unless it is a choice.',
  })
  choices: string[] | null;

  @ApiProperty({ example: false })
  is_required: boolean;

  @ApiProperty({ example: true })
  is_active: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

export const ownField: Resource<OwnField, FieldDto> = {
  tag: recordTag,
  answer: (field) => ({
    id: field.id,
    name: field.name,
    key: field.key,
    applies_to: field.applies_to,
    type: field.type,
    choices: field.choices,
    is_required: field.is_required,
    is_active: field.is_active,
    created_at: field.created_at,
    updated_at: field.updated_at,
  }),
};
