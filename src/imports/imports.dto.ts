import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, WordAnswer } from '../contract/answers.js';
import { DelimiterParam } from '../contract/delimiter.js';
import type { Delimiter } from '../contract/delimiter.js';
import { ChoiceField, DateField, TextField } from '../contract/fields.js';
import { NamedAnswer, NamedDto, named } from '../contract/openapi.js';
import { OrderParam, PagesQuery } from '../contract/list-query.js';
import { BooleanParam } from '../contract/params.js';
import { render } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { ENCODINGS } from './encoding.js';
import { IMPORT_STATUSES } from './import.entity.js';
import type { Import } from './import.entity.js';
import { kinds } from './kinds.js';
import { MAX_TOLD } from './lines.js';
import { DATES, DECIMALS, FORMATS, MODES } from './options.js';
import type { ImportOptions } from './options.js';

export const KINDS = Object.keys(kinds);
const optional = { optional: true };

export class ImportQuery implements ImportOptions {
  @BooleanParam({ description: 'Checks only; ends as `checked`.' })
  dry_run?: boolean;

  @ChoiceField({
    ...optional,
    of: FORMATS,
    names: ['RECENSE', 'LIST', 'SNIPE_IT', 'SHELF', 'HOMEBOX'],
    description:
      'Which program wrote the file, `recense` unless told otherwise; `list` is a list of one’s own. With all but `recense`, which are for the kind `purchases`, the brands, categories, suppliers, places and articles that the file names are made where they are not known.',
  })
  format?: ImportOptions['format'];

  @DelimiterParam({ description: 'What separates the columns, where the file does not show it.' })
  delimiter?: Delimiter;

  @TextField({
    ...optional,
    max: 100,
    description:
      'Of a workbook, the name of the sheet, in any case; without, the first one that is not hidden.',
  })
  sheet?: string;

  @ChoiceField({
    ...optional,
    of: ENCODINGS,
    names: ['AUTO', 'UTF_EIGHT', 'UTF_SIXTEEN', 'WINDOWS_LATIN'],
    description: 'How the text is written, `auto` unless told otherwise.',
  })
  encoding?: ImportOptions['encoding'];

  @ChoiceField({
    ...optional,
    of: DECIMALS,
    description:
      'What stands before the decimals, `auto` unless told otherwise; needed where all rows of a column fit both.',
  })
  decimal?: ImportOptions['decimal'];

  @ChoiceField({
    ...optional,
    of: DATES,
    description:
      'The order of day and month, `auto` unless told otherwise; needed where all rows of a column fit both.',
  })
  dates?: ImportOptions['dates'];

  @DateField({ ...optional, description: 'For purchases without a date.' })
  default_purchase_date?: string;

  @ChoiceField({
    ...optional,
    of: MODES,
    description:
      '`create`: a key that is known is an error; `update`: one that is not known is, and columns that the file does not have stay as they are, those that are required of new rows too.',
  })
  mode?: ImportOptions['mode'];
}

export class ImportsQuery extends PagesQuery {
  @OrderParam('newest first', 'id')
  sort?: string;
}

class RowsDto {
  @ApiProperty({ type: 'integer', example: 3, description: 'Below the header.' })
  read: number;

  @ApiProperty({ type: 'integer', example: 3 })
  checked: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Of a dry run: those that would be.' })
  inserted: number;

  @ApiProperty({ type: 'integer', example: 0 })
  updated: number;

  @ApiProperty({ type: 'integer', example: 0 })
  unchanged: number;
}

class ColumnDto {
  @ApiProperty({ example: 'Fournisseur', description: 'As the file has it.' })
  column: string;

  @ApiProperty({ type: String, nullable: true, example: 'supplier', description: 'Null: left out.' })
  field: string | null;
}

class LineErrorDto {
  @ApiProperty({ type: 'integer', example: 4, description: 'The header is line 1.' })
  line: number;

  @ApiProperty({
    example: 'Fournisseur',
    description: `As the file has it, its first ${MAX_TOLD} characters; else what of the line is wrong.`,
  })
  column: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Ty Resau',
    description: `Its first ${MAX_TOLD} characters.`,
  })
  value: string | null;

  @ApiProperty({ example: 'matches nothing: Ty Resau' })
  message: string;
}

/** How far an import is. */
export class ImportProgressDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @WordAnswer(KINDS, { example: 'purchases' })
  kind: string;

  @WordAnswer(FORMATS, { example: 'recense' })
  format: string;

  @ApiProperty({ example: 'achats.csv', description: 'The name of the file.' })
  file: string;

  @ApiProperty({ example: false })
  dry_run: boolean;

  @WordAnswer(IMPORT_STATUSES, { example: 'refused' })
  status: string;

  @ApiProperty({ type: RowsDto })
  rows: RowsDto;

  @ApiProperty({ type: 'integer', example: 1 })
  error_count: number;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why it failed, for people.' })
  detail: string | null;

  @NamedAnswer({ id: 7, name: 'Compte de démonstration' })
  created_by: NamedDto | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer({ nullable: true })
  finished_at: Date | null;
}

export class ImportDto extends ImportProgressDto {
  @ApiProperty({ type: [ColumnDto] })
  columns: ColumnDto[];

  @ApiProperty({ type: [LineErrorDto], description: 'The first 1 000.' })
  errors: LineErrorDto[];
}

export const toProgress = (row: Import, language?: Language): ImportProgressDto => ({
  id: row.id,
  kind: row.kind,
  format: row.format,
  file: row.file,
  dry_run: row.dry_run,
  status: row.status,
  rows: {
    read: row.read,
    checked: row.checked,
    inserted: row.inserted,
    updated: row.updated,
    unchanged: row.unchanged,
  },
  error_count: row.error_count,
  detail: row.detail === null ? null : render(row.detail, language),
  created_by: named(row.creator),
  created_at: row.created_at,
  finished_at: row.finished_at,
});

export const toImport = (row: Import, language: Language): ImportDto => ({
  ...toProgress(row, language),
  columns: row.columns,
  errors: row.errors.map(({ line, field, value, message }) => ({
    line,
    column: field,
    value: value ?? null,
    message: render(message, language),
  })),
});
