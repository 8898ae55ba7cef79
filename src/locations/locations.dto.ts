import { LabelsOf } from '../labels/labels.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer } from '../contract/answers.js';
import { recordTag } from '../contract/etag.js';
import { PatchOf } from '../contract/field.js';
import { MAX_CODE } from '../common/printable.js';
import { BooleanField, CodeField, IdField, NameField, TextField } from '../contract/fields.js';
import { NamedAnswer, NamedDto, named } from '../contract/openapi.js';
import { DeletedParam, ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { BooleanParam, IdParam, IntegerParam } from '../contract/params.js';
import type { Resource } from '../contract/resource.js';
import { MAX_LEVELS } from './location.entity.js';
import type { Location } from './location.entity.js';

export class LocationQuery extends ListQuery {
  @SearchParam('name, code and path')
  search?: string;

  @TextField({
    optional: true,
    max: MAX_CODE,
    description: 'The place with exactly this code, whatever the case.',
  })
  code?: string;

  @IdParam({ description: 'The places right below this one.' })
  parent_id?: number;

  @IntegerParam({ min: 0, max: MAX_LEVELS - 1, description: 'The places of this level; 0 for the roots.' })
  depth?: number;

  @BooleanParam({ description: 'Only active or only inactive places.' })
  is_active?: boolean;

  @DeletedParam()
  declare deleted?: boolean;

  @SortParam('id', 'name', 'path')
  declare sort?: string;
}

export class LocationLabelQuery extends LabelsOf(LocationQuery) {}

const empty = { optional: true, nullable: true };

export class CreateLocationDto {
  @NameField({ max: 255, example: 'Bureau 3', description: 'Need not be unique, not even in one place.' })
  name: string;

  @CodeField({
    ...empty,
    example: null,
    description: 'What the label on the door says. Unique among places for ever, whatever the case.',
  })
  code?: string | null;

  @IdField({
    ...empty,
    example: 1,
    description: `The place that it is in; null for a root. The tree has at most ${MAX_LEVELS} levels.`,
  })
  parent_id?: number | null;

  @BooleanField({
    optional: true,
    default: true,
    description: 'For filters and pick lists; forbids nothing.',
  })
  is_active?: boolean;
}

export class UpdateLocationDto extends PatchOf(CreateLocationDto) {
  @CodeField({
    ...empty,
    example: 'L-0004',
    description: 'A new label. The old code is never given to another place.',
  })
  declare code?: string | null;
}

export class LocationDto {
  @ApiProperty({ type: 'integer', example: 5 })
  id: number;

  @ApiProperty({ example: 'Bureau 3' })
  name: string;

  @ApiProperty({ type: String, nullable: true, example: 'L-0004' })
  code: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  parent_id: number | null;

  @NamedAnswer({ id: 1, name: 'Antenne de Brest' })
  parent: NamedDto | null;

  @ApiProperty({
    example: 'Antenne de Brest / Bureau 3',
    description: 'The names from the root down. Sorted by its first 255 characters.',
  })
  path: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_LEVELS - 1,
    example: 1,
    description: 'A root’s is 0.',
  })
  depth: number;

  @ApiProperty({ example: true })
  is_active: boolean;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer({
    description: 'Also when its path has changed, since a place above it was renamed or moved.',
  })
  updated_at: Date;
}

const toLocationDto = (location: Location): LocationDto => ({
  id: location.id,
  name: location.name,
  code: location.code,
  parent_id: location.parent_id,
  parent: named(location.parent),
  path: location.path,
  depth: location.lineage.length - 1,
  is_active: location.is_active,
  created_at: location.created_at,
  updated_at: location.updated_at,
});

/** A place is a changed row whenever one above it is called otherwise, so that its version stands for the path too. */
export const location: Resource<Location, LocationDto> = {
  tag: recordTag,
  answer: toLocationDto,
  columns: {
    name: (row) => row.name,
    code: (row) => row.code,
    parent: ({ name, path, parent }) => parent && (parent.code ?? path.slice(0, -` / ${name}`.length)),
    is_active: (row) => row.is_active,
  },
};
