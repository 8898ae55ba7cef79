import { ApiProperty } from '@nestjs/swagger';
import type { FiscalYears } from '../amortization/amortization.js';
import { netBookValue } from '../amortization/asset.js';
import type { Bought } from '../amortization/asset.js';
import { DateAnswer, NumberAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField, DateField, MoneyField, TextField } from '../contract/fields.js';
import { DISPOSAL_REASONS } from './purchase.entity.js';
import type { DisposalReason, Purchase } from './purchase.entity.js';

/** What is told of things that all went in the same way. */
export class DisposeTogetherDto {
  @DateField({
    example: '2026-03-01',
    description: 'The last day on which it was there, not before it was bought, today at the latest.',
  })
  date: string;

  @ChoiceField({ of: DISPOSAL_REASONS, example: 'sold' })
  reason: DisposalReason;

  @TextField({ optional: true, nullable: true, max: 500, example: 'Vente aux agents, lot 12' })
  note?: string | null;
}

export class DisposeDto extends DisposeTogetherDto {
  @MoneyField({ optional: true, nullable: true, example: 150, description: 'What it brought, in euros.' })
  proceeds?: number | null;
}

export class DisposalDto {
  @DateAnswer({ example: '2026-03-01', description: 'The last day on which it was there.' })
  date: string;

  @WordAnswer(DISPOSAL_REASONS, { example: 'sold' })
  reason: string;

  @NumberAnswer({ nullable: true, minimum: 0, example: 150, description: 'What it brought, in euros.' })
  proceeds: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'Vente aux agents, lot 12' })
  note: string | null;

  @NumberAnswer({
    nullable: true,
    example: 0,
    description: 'At the end of that day, on which its amortization ends; null where nothing is amortized.',
  })
  net_book_value: number | null;

  @NumberAnswer({
    nullable: true,
    example: 150,
    description: 'The proceeds less the net book value, a loss below 0; null where nothing is amortized.',
  })
  gain: number | null;
}

export type Disposed = Bought & Pick<Purchase, 'disposal_reason' | 'disposal_proceeds' | 'disposal_note'>;

export function toDisposalDto(purchase: Disposed, fiscalYears: FiscalYears): DisposalDto | null {
  const { disposed_on, disposal_reason, disposal_proceeds: proceeds, disposal_note } = purchase;
  if (disposed_on === null) return null;
  const value = netBookValue(purchase, fiscalYears, disposed_on);
  return {
    date: disposed_on,
    reason: disposal_reason as DisposalReason,
    proceeds,
    note: disposal_note,
    net_book_value: value,
    gain: value === null ? null : Math.round(((proceeds ?? 0) - value) * 100) / 100,
  };
}
