import { ApiProperty } from '@nestjs/swagger';
import { NumberAnswer, DateAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { NamedAnswer } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import { DateParam } from '../contract/params.js';
import { eurosOf } from './asset.js';

const FORMATS = ['json', 'csv', 'xlsx'] as const;

export class AmortizationQuery {
  @DateParam({
    example: '2025-12-31',
    modern: true,
    description: 'The day at whose end things have these values; today when absent. From 1900 to 2200.',
  })
  on?: string;

  @ChoiceField({
    optional: true,
    of: FORMATS,
    default: 'json',
    description: 'The sums; or the lines, as a file.',
  })
  format?: (typeof FORMATS)[number];
}

export class SumsDto {
  @ApiProperty({ type: 'integer', example: 481 })
  count: number;

  @NumberAnswer({ example: 430347.16, description: 'Purchase prices, in euros.' })
  gross: number;

  @NumberAnswer({ example: 354972.27, description: 'What is amortized of them.' })
  accumulated: number;

  @NumberAnswer({ example: 75374.89, description: 'What is left: the net book value.' })
  net: number;
}

export class CategorySumsDto extends SumsDto {
  @NamedAnswer({ id: 2, name: 'Informatique mobile – 3 ans dégressif' })
  category: NamedDto | null;
}

export class AmortizationReportDto {
  @DateAnswer({ example: '2025-12-31' })
  on: string;

  @ApiProperty({
    type: [CategorySumsDto],
    description:
      'By amortization category, those without one last: nothing of these is amortized, so their net is their gross.',
  })
  data: CategorySumsDto[];

  @ApiProperty({
    type: SumsDto,
    example: { count: 2181, gross: 4585695.5, accumulated: 2764634.82, net: 1821060.68 },
  })
  total: SumsDto;
}

/** In cents. */
export interface Sums {
  count: number;
  gross: number;
  net: number;
}

const toSumsDto = ({ count, gross, net }: Sums): SumsDto => ({
  count,
  gross: eurosOf(gross),
  accumulated: eurosOf(gross - net),
  net: eurosOf(net),
});

export function toReportDto(
  on: string,
  rows: (Sums & { category: NamedDto | null })[],
): AmortizationReportDto {
  const sum = (figure: keyof Sums) => rows.reduce((all, row) => all + row[figure], 0);
  return {
    on,
    data: rows.map(({ category, ...sums }) => ({ category, ...toSumsDto(sums) })),
    total: toSumsDto({ count: sum('count'), gross: sum('gross'), net: sum('net') }),
  };
}
