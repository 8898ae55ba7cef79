import { MAX_CODE } from '../common/printable.js';
import { ChoiceField, TextField } from '../contract/fields.js';
import { DeletedParam, ListQuery, SearchParam, SortParam } from '../contract/list-query.js';
import { DateParam, IdParam, IntegerParam } from '../contract/params.js';
import { FieldFilters } from '../fields/filters.js';
import { LabelsOf } from '../labels/labels.dto.js';
import { EpcField, Gs1Field } from './identifier.fields.js';

const DISPOSED = ['true', 'false', 'any'] as const;
const WARRANTIES = ['active', 'expired', 'none', 'expiring'] as const;

/** The filters of everything that lists purchases. */
export class PurchaseFilters extends ListQuery {
  @SearchParam(
    'code, serial number and fields of one’s own, and name, reference and fields of the article',
    ' Of `epc`, `gs1` and other codes that it has, the whole, however it is written.',
  )
  search?: string;

  @IdParam({ description: 'Purchases of this article.' })
  article_id?: number;

  @TextField({
    optional: true,
    max: MAX_CODE,
    description: 'The purchase with exactly this code, whatever the case.',
  })
  code?: string;

  @EpcField({ optional: true, description: 'The purchase with this EPC, as hexadecimal digits or URI.' })
  epc?: string;

  @Gs1Field({
    optional: true,
    description:
      'The purchase that has this GIAI or GRAI among its `gs1`, as element string or Digital Link.',
  })
  gs1?: string;

  @IdParam({ description: 'Purchases from this supplier.' })
  supplier_id?: number;

  @IdParam({ description: 'Purchases of articles of this category.' })
  category_id?: number;

  @IdParam({ description: 'Purchases of articles of this brand.' })
  brand_id?: number;

  @IdParam({ description: 'Purchases in this place and in those below it.' })
  location_id?: number;

  @TextField({
    optional: true,
    max: 255,
    description: 'Purchases whose `assigned_to` has this text in it, whatever case and accents.',
  })
  assigned_to?: string;

  @IdParam({ description: 'Purchases that this third party has.' })
  assigned_tier_id?: number;

  @DateParam({ description: 'Bought on this day or later.' })
  purchased_from?: string;

  @DateParam({ description: 'Bought on this day or earlier.' })
  purchased_to?: string;

  @ChoiceField({
    optional: true,
    of: DISPOSED,
    description: 'Only what was disposed of, or only what is there still; `any` unless told otherwise.',
  })
  disposed?: (typeof DISPOSED)[number];

  @ChoiceField({
    optional: true,
    of: WARRANTIES,
    description:
      'By the state of the warranty today; `expiring` are those active ones that end within `within_days`.',
  })
  warranty?: (typeof WARRANTIES)[number];

  @IntegerParam({
    min: 1,
    max: 3650,
    description: 'Of `warranty=expiring` alone: how many days count, 60 unless told otherwise.',
  })
  within_days?: number;

  @FieldFilters()
  field?: never;
}

export class PurchaseQuery extends PurchaseFilters {
  @DeletedParam()
  declare deleted?: boolean;

  @SortParam('id', 'code', 'purchase_date', 'purchase_price', 'created_at')
  declare sort?: string;
}

export class PurchaseLabelQuery extends LabelsOf(PurchaseQuery) {
  @TextField({
    optional: true,
    max: 60,
    example: 'financement',
    description: 'The key of a field of one’s own, whose value stands below the name of the article.',
  })
  own_field?: string;
}
