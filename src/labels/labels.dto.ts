import { field, fieldsOf } from '../contract/field.js';
import type { FieldOptions } from '../contract/field.js';
import { ChoiceField, MAX_ID } from '../contract/fields.js';
import { FileQuery } from '../contract/file-query.js';
import { ListQuery } from '../contract/list-query.js';
import { IntegerParam } from '../contract/params.js';
import { say } from '../common/messages.js';
import { labelMessages } from './labels.messages.js';
import { SHEETS } from './sheets.js';
import type { SheetName } from './sheets.js';
import { SYMBOLS } from './symbol.js';
import type { SymbolName } from './symbol.js';

export const LABEL_FORMATS = ['pdf', 'png', 'svg', 'zpl'] as const;
const DPIS = ['203', '300'] as const;
const SHEET_NAMES = [...(Object.keys(SHEETS) as SheetName[]), 'custom'] as const;
export const MAX_LABELS = 5000;

/** Ids with commas between them, each once. */
const IdsParam = (options: FieldOptions): PropertyDecorator =>
  field(
    { optional: true, ...options },
    { type: 'string', pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*$' },
    (value) => (Array.isArray(value) && value.every((id) => id <= MAX_ID) ? null : say(labelMessages.ids)),
    (value) =>
      typeof value === 'string' && /^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/.test(value)
        ? [...new Set(value.split(',').map(Number))]
        : value,
  );

function Millimetres({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator {
  return field(
    { optional: true, ...options },
    { type: 'number', format: 'double', minimum: min, maximum: max },
    (value) =>
      typeof value === 'number' && value >= min && value <= max ? null : say(labelMessages.number, min, max),
    (value) => (typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value) ? Number(value) : value),
  );
}

/** What labels look like, and which of them are printed. */
export class LabelQuery {
  @IdsParam({
    example: '5',
    description: 'Those with these ids, in this order unless `sort` says otherwise; of a filter too, both.',
  })
  ids?: number[];

  @ChoiceField({
    optional: true,
    of: LABEL_FORMATS,
    description:
      '`pdf` unless told otherwise: sheets at their true size, to be printed at 100 %. `png` and `svg` are the picture of one label, `zpl` is what a Zebra printer takes.',
  })
  format?: (typeof LABEL_FORMATS)[number];

  @ChoiceField({
    optional: true,
    of: SHEET_NAMES,
    names: ['LARGE', 'TINY', 'SMALL', 'ROLL', 'CUSTOM'],
    description:
      'How large a label is and where it lies on its A4 page: by the number that Avery has for it, `l7160` unless told otherwise; `62mm` is a roll, a label of 62 × 29 mm a page.',
  })
  sheet?: (typeof SHEET_NAMES)[number];

  @Millimetres({
    min: 10,
    max: 210,
    description: 'Of a custom label, in millimetres, like those that follow.',
  })
  width?: number;

  @Millimetres({ min: 5, max: 297, description: 'Of a custom label.' })
  height?: number;

  @IntegerParam({ min: 1, max: 21, description: 'Custom labels beside each other.' })
  columns?: number;

  @IntegerParam({ min: 1, max: 59, description: 'Custom labels below each other.' })
  rows?: number;

  @Millimetres({ min: 0, max: 200, description: 'From the left of the page to the first custom label.' })
  left?: number;

  @Millimetres({ min: 0, max: 292, description: 'From the top of the page to the first custom label.' })
  top?: number;

  @Millimetres({ min: 10, max: 210, description: 'From the left of a custom label to that of the next.' })
  pitch_x?: number;

  @Millimetres({ min: 5, max: 297, description: 'From the top of a custom label to that of the next.' })
  pitch_y?: number;

  @IntegerParam({ min: 0, max: 1238, description: 'Labels of the first sheet that are used already.' })
  skip?: number;

  @Millimetres({
    min: -20,
    max: 20,
    description: 'All of it so much to the right, for a printer that is off.',
  })
  dx?: number;

  @Millimetres({ min: -20, max: 20, description: 'All of it so much down.' })
  dy?: number;

  @ChoiceField({
    optional: true,
    of: SYMBOLS,
    names: ['QR', 'DATAMATRIX', 'BARS'],
    description:
      '`qr` unless told otherwise: it holds the code, or the address that the service was given for it (`LABEL_URL`). The others hold the code, of ASCII alone.',
  })
  symbol?: SymbolName;

  @ChoiceField({
    optional: true,
    of: DPIS,
    names: ['LOW', 'HIGH'],
    description: 'Dots per inch of the printer, for `png` and `zpl`: 300 unless told otherwise.',
  })
  dpi?: (typeof DPIS)[number];
}

/** What is of lists alone. */
const OF_LISTS = new Set([...fieldsOf(FileQuery).keys(), ...fieldsOf(ListQuery).keys(), 'deleted']);

/** The query of the labels of a list: with its filters and its order. */
export function LabelsOf<Query extends ListQuery>(list: new () => Query): new () => LabelQuery & Query {
  class Labels extends LabelQuery {}
  for (const [name, { redefine }] of fieldsOf(list))
    if (!OF_LISTS.has(name)) redefine({})(Labels.prototype, name);
  return Labels as new () => LabelQuery & Query;
}
