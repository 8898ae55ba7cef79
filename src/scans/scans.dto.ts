import { ApiProperty } from '@nestjs/swagger';
import { LANGUAGES, render, say } from '../common/messages.js';
import type { Language, Message } from '../common/messages.js';
import { problems } from '../common/problems.js';
import { InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ScannedField } from '../contract/fields.js';
import { NamedDto } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/pagination.js';
import { IdParam, MomentParam } from '../contract/params.js';
import type { InventoryLine } from '../inventories/inventory-line.entity.js';

export class ScansQuery extends ListQuery {
  @IdParam({ description: 'Scans by this user.' })
  user_id?: number;

  @MomentParam({ description: 'Scanned at this instant or later, or on this day (in TIME_ZONE) or later.' })
  scanned_from?: string;

  @MomentParam({
    description: 'Scanned at this instant or earlier, or on this day (in TIME_ZONE) or earlier.',
  })
  scanned_to?: string;

  @SortParam('id', 'scanned_at')
  declare sort?: string;
}

export class ScanDto {
  @ScannedField({
    max: 2048,
    example: '0004521',
    description: 'What the scanner read, as it is; the service cleans it.',
  })
  code: string;
}

export class ScannedPurchaseDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: '0004521' })
  code: string;

  @ApiProperty({ type: NamedDto, example: { id: 13, name: 'HP EliteBook 840 G7' } })
  article: NamedDto;
}

export class FirstScanDto {
  @InstantAnswer({ example: '2026-09-14T06:35:35.670Z' })
  at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 1, name: 'Yann Le Goff' } })
  by: NamedDto;
}

/** What may become of a scan: the status is all that a program must know, the message is for people. */
const SCAN_REASONS = {
  recorded: { status: 'success', message: ['Article added', 'Article ajouté'] },
  'already-scanned': { status: 'warning', message: ['Already scanned', 'Déjà scanné'] },
  'unknown-code': { status: 'error', message: ['Unknown code', 'Code inconnu'] },
  'session-closed': { status: 'error', message: problems['session-closed'].title },
} as const satisfies Record<string, { status: string; message: Message }>;
export type ScanReason = keyof typeof SCAN_REASONS;

const REASONS = Object.keys(SCAN_REASONS) as ScanReason[];
const messageOf = (reason: ScanReason, language: Language): string =>
  render(say(SCAN_REASONS[reason].message), language);

export class ScanResultDto {
  @ApiProperty({
    enum: ['success', 'warning', 'error'],
    example: 'success',
    description: 'What a program decides by.',
  })
  status: 'success' | 'warning' | 'error';

  @WordAnswer(REASONS, { example: 'recorded', description: 'Why, for a program that wants to know more.' })
  reason: string;

  @WordAnswer(
    LANGUAGES.toReversed().flatMap((language) => REASONS.map((reason) => messageOf(reason, language))),
    {
      example: messageOf('recorded', 'fr'),
      description: 'For people: in French, or in English where `Accept-Language` names it before French.',
    },
  )
  message: string;

  @ApiProperty({
    example: '0004521',
    description: 'As on the label of the purchase; as sent where none matches.',
  })
  code: string;

  @InstantAnswer({ description: 'On a warning, that of the first scan.' })
  scanned_at: Date;

  @ApiProperty({ type: ScannedPurchaseDto, nullable: true, description: 'Null for an unknown code.' })
  purchase: ScannedPurchaseDto | null;

  @ApiProperty({ type: FirstScanDto, required: false, description: 'Only on a warning.' })
  first_scan?: FirstScanDto;
}

/** A scan as the service judged it. */
export type ScanOutcome = Omit<ScanResultDto, 'status' | 'reason' | 'message'> & { reason: ScanReason };

export const toScanResultDto = (outcome: ScanOutcome, language: Language): ScanResultDto => {
  const { reason, ...facts } = outcome;
  return { status: SCAN_REASONS[reason].status, reason, message: messageOf(reason, language), ...facts };
};

export class ScanEntryDto {
  @LongIdAnswer(3748)
  id: number;

  @InstantAnswer({ example: '2026-09-14T06:35:35.670Z' })
  scanned_at: Date;

  @ApiProperty({ type: NamedDto, example: { id: 1, name: 'Yann Le Goff' } })
  scanned_by: NamedDto;

  @ApiProperty({
    type: ScannedPurchaseDto,
    example: { id: 1191, code: 'INV0011315', article: { id: 131, name: 'Majencia Fauteuil Oxo' } },
  })
  purchase: ScannedPurchaseDto;
}

/** Of a line that has a scan. */
export const toScanEntryDto = ({ scan_id, scanned_at, scanner, purchase }: InventoryLine): ScanEntryDto => ({
  id: scan_id as number,
  scanned_at: scanned_at as Date,
  scanned_by: { id: scanner?.id as number, name: scanner?.name as string },
  purchase: {
    id: purchase.id,
    code: purchase.code,
    article: { id: purchase.article.id, name: purchase.article.name },
  },
});
