import { ApiProperty } from '@nestjs/swagger';
import { NumberAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { IdParam, IntegerParam } from '../contract/params.js';
import { toProgressDto } from '../inventories/inventories.dto.js';
import { MAX_LEVELS } from '../locations/location.entity.js';

const GROUPINGS = ['category', 'location', 'user', 'day', 'hour'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export class ProgressQuery {
  @ChoiceField({ of: GROUPINGS, example: 'category', description: 'What the lines are grouped by.' })
  by: Grouping;

  @IntegerParam({
    min: 0,
    max: MAX_LEVELS - 1,
    description:
      'With `by=location`: places of this depth, each with what lies below it, 0 when absent. What lies above that is a row of its own. By anything else it says nothing.',
  })
  depth?: number;

  @IdParam({
    description:
      'With `by=location`: only what lies in this place or below it, by the places right in it unless `depth` says otherwise; what lies in none of them is a row of the place itself. By anything else it says nothing.',
  })
  location_id?: number;
}

export class ProgressGroupDto {
  // Anything: of several types, generators of clients make a class that nothing fits into.
  @ApiProperty({
    anyOf: [{}],
    example: 3,
    description:
      'The id of a category, a place or a user; the day, `2026-11-20`; the hour, `2026-11-20T08:00:00+01:00`. Null for what has no category or place.',
  })
  key: number | string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Écrans',
    description: 'What it is called; of a day or an hour the key.',
  })
  name: string | null;

  @ApiProperty({ type: 'integer', example: 218 })
  scanned: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 276,
    description: 'Null by user, day and hour.',
  })
  total: number | null;

  @NumberAnswer({ nullable: true, example: 78.99, description: 'As in the session. Null where total is.' })
  percentage: number | null;
}

export class ProgressGroupsDto {
  @ApiProperty({ type: [ProgressGroupDto] })
  data: ProgressGroupDto[];
}

/** What a group is called, and how many of its lines are scanned, of how many where that can be told. */
export interface Group {
  key: number | string | null;
  name: string | null;
  scanned: number;
  total: number | null;
}

export const toProgressGroupsDto = (groups: Group[]): ProgressGroupsDto => ({
  data: groups.map(({ key, name, scanned, total }) => ({
    key,
    name,
    scanned,
    total,
    percentage: total === null ? null : toProgressDto(scanned, total).percentage,
  })),
});
