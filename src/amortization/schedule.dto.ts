import { ApiProperty } from '@nestjs/swagger';
import { DateAnswer, NumberAnswer, WordAnswer } from '../contract/answers.js';
import { AMORTIZATION_METHODS } from '../reference/reference.entity.js';
import type { AmortizationMethod } from '../reference/reference.entity.js';
import { startOf, textOf } from './amortization.js';
import type { Annuity, FiscalYears } from './amortization.js';
import { assetOf, eurosOf } from './asset.js';
import type { Bought } from './asset.js';

export class AnnuityDto {
  @ApiProperty({ example: '2019', description: 'Such as `2026`, or `2026-2027` across two years.' })
  fiscal_year: string;

  @DateAnswer({ example: '2019-01-01' })
  from: string;

  @DateAnswer({ example: '2019-12-31', description: 'The last one is the day on which it ends.' })
  to: string;

  @NumberAnswer({ example: 1161.71, description: 'Net book value before it, in euros.' })
  opening: number;

  @NumberAnswer({ example: 484.05 })
  annuity: number;

  @NumberAnswer({ example: 484.05, description: 'All annuities so far.' })
  accumulated: number;

  @NumberAnswer({ example: 677.66, description: 'Net book value after it.' })
  closing: number;
}

/** Of a purchase. Where nothing is amortized, `method` is null, and all that goes with it. */
export class AmortizationDto {
  @WordAnswer(AMORTIZATION_METHODS, { nullable: true, example: 'declining' })
  method: AmortizationMethod | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  duration_years: number | null;

  @NumberAnswer({
    nullable: true,
    example: 0.4166666666666667,
    description: 'Of a year, as a fraction: 0.35 is 35 %; declining, the coefficient by the years.',
  })
  rate: number | null;

  @NumberAnswer({ nullable: true, example: 1.25, description: 'Null where the method is linear.' })
  coefficient: number | null;

  @NumberAnswer({ nullable: true, example: 1161.71, description: 'The purchase price, in euros.' })
  base: number | null;

  @DateAnswer({
    nullable: true,
    example: '2019-01-01',
    description: 'Linear: the day in service; declining: the first of the month of purchase.',
  })
  starts_on: string | null;

  @ApiProperty({
    type: [AnnuityDto],
    example: [
      {
        fiscal_year: '2019',
        from: '2019-01-01',
        to: '2019-12-31',
        opening: 1161.71,
        annuity: 484.05,
        accumulated: 484.05,
        closing: 677.66,
      },
      {
        fiscal_year: '2020',
        from: '2020-01-01',
        to: '2020-12-31',
        opening: 677.66,
        annuity: 338.83,
        accumulated: 822.88,
        closing: 338.83,
      },
      {
        fiscal_year: '2021',
        from: '2021-01-01',
        to: '2021-12-31',
        opening: 338.83,
        annuity: 338.83,
        accumulated: 1161.71,
        closing: 0,
      },
    ],
  })
  schedule: AnnuityDto[];
}

const toAnnuityDto = (row: Annuity): AnnuityDto => ({
  fiscal_year: row.fiscalYear,
  from: textOf(row.from),
  to: textOf(row.to),
  opening: eurosOf(row.opening),
  annuity: eurosOf(row.annuity),
  accumulated: eurosOf(row.accumulated),
  closing: eurosOf(row.closing),
});

const NOTHING = {
  method: null,
  duration_years: null,
  rate: null,
  coefficient: null,
  starts_on: null,
  schedule: [],
};

export function toAmortizationDto(bought: Bought, fiscalYears: FiscalYears): AmortizationDto {
  const asset = assetOf(bought);
  if (!asset) return { ...NOTHING, base: bought.purchase_price };
  const { method, years, coefficient } = asset.terms;
  return {
    method,
    duration_years: years,
    rate: coefficient / (100 * years),
    coefficient: method === 'linear' ? null : coefficient / 100,
    base: eurosOf(asset.base),
    starts_on: textOf(startOf(asset)),
    schedule: fiscalYears.schedule(asset).map(toAnnuityDto),
  };
}
