import { NumberAnswer } from '../contract/answers.js';
import { tagOf } from '../contract/etag.js';
import { netBookValue } from '../amortization/asset.js';
import type { AsOf } from './as-of.js';
import type { Purchase } from './purchase.entity.js';
import { PurchaseDto, toPurchaseDto } from './purchases.dto.js';
import type { PurchaseRow } from './purchases.queries.js';
import { warrantyStatus } from './warranty.dto.js';

/** A purchase by itself, which also tells what a list would have to reckon for each of its rows. */
export class PurchaseDetailDto extends PurchaseDto {
  @NumberAnswer({
    nullable: true,
    example: 0,
    description:
      'Net book value at the end of today, or of the day on which it was disposed of, in euros; null where nothing is amortized: without a price, or an article without an amortization category.',
  })
  net_book_value: number | null;
}

export const purchaseDetail = ({ today, fiscalYears }: AsOf) => ({
  // Of another day only where that changes the state of the warranty or the value.
  tag: (row: Purchase) =>
    tagOf(
      row.version,
      row.article.version,
      row.article.brand?.version,
      row.article.category?.version,
      row.article.amortization_category?.version,
      row.supplier?.version,
      row.location?.version,
      row.assigned_tier?.version,
      warrantyStatus(row.warranty_end_date, today),
      netBookValue(row, fiscalYears, today) ?? undefined,
    ),
  // Spread, an object of so many fields has V8 make a shape of its own for each look-up.
  answer: (row: PurchaseRow): PurchaseDetailDto =>
    Object.assign(toPurchaseDto(row, { today, fiscalYears }), {
      net_book_value: netBookValue(row, fiscalYears, today),
    }),
});
