import { ApiProperty } from '@nestjs/swagger';
import { LANGUAGES, render, say } from '../common/messages.js';
import type { Language, Message } from '../common/messages.js';
import { problems } from '../common/problems.js';
import { DateAnswer, InstantAnswer, WordAnswer } from '../contract/answers.js';
import { NamedDto } from '../contract/openapi.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';

export const CLIENT_ID = '3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a';
export const OTHER_CLIENT_ID = '7c2d9b40-1e5f-4a86-b3d2-8f0c6a1e7d95';

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
  'out-of-scope': { status: 'warning', message: ['Out of scope', 'Hors périmètre'] },
  disposed: { status: 'warning', message: ['Disposed of on {0}', 'Sorti le {0}'] },
  'unknown-code': { status: 'error', message: ['Unknown code', 'Code inconnu'] },
  'session-closed': { status: 'error', message: problems['session-closed'].title },
  late: { status: 'error', message: problems['session-closed'].title },
  refused: { status: 'error', message: ['Scan refused', 'Scan refusé'] },
  'client-id-reused': { status: 'error', message: ['Client id used already', 'Identifiant déjà utilisé'] },
  undone: { status: 'error', message: ['Scan undone', 'Scan annulé'] },
} as const satisfies Record<string, { status: string; message: Message }>;
export type ScanReason = keyof typeof SCAN_REASONS;

/** Of the demo organisation. */
const DAY = '2026-03-01';
const REASONS = Object.keys(SCAN_REASONS) as ScanReason[];
/** @param day on which it was disposed of, where the reason is that */
const messageOf = (reason: ScanReason, language: Language, day = ''): string =>
  render(say(SCAN_REASONS[reason].message, day), language);

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
    LANGUAGES.toReversed().flatMap((language) => [
      ...new Set(REASONS.map((reason) => messageOf(reason, language, DAY))),
    ]),
    {
      example: messageOf('recorded', 'fr'),
      description: 'For people: in French, or in English where `Accept-Language` names it before French.',
    },
  )
  message: string;

  @ApiProperty({
    example: '0004521',
    description:
      'As on the label of the purchase, or the other code of it that matches; as sent where none does.',
  })
  code: string;

  @InstantAnswer({ description: 'Where it was scanned before, that of the first scan.' })
  scanned_at: Date;

  @ApiProperty({ type: ScannedPurchaseDto, nullable: true, description: 'Null for an unknown code.' })
  purchase: ScannedPurchaseDto | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 3748,
    description: 'Of what was recorded; where it was scanned before, of that scan; null on an error.',
  })
  scan_id: number | null;

  @ApiProperty({ type: FirstScanDto, required: false, description: 'Only where it was scanned before.' })
  first_scan?: FirstScanDto;

  @DateAnswer({
    required: false,
    example: DAY,
    description: 'Only where the reason is `disposed`: the last day on which it was there.',
  })
  disposed_on?: string;

  @ApiProperty({
    required: false,
    example: false,
    description:
      'Only where a place was sent: whether the purchase belongs elsewhere, neither in nor above nor below that place.',
  })
  misplaced?: boolean;

  @ApiProperty({
    type: PurchaseLocationDto,
    required: false,
    nullable: true,
    description: 'Only where a place was sent: where the purchase belongs; null where it has no place.',
  })
  expected_location?: PurchaseLocationDto | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    required: false,
    example: CLIENT_ID,
    description: 'Where one was sent.',
  })
  client_id?: string;
}

/** From JSON; field by field, since copies of what JSON.parse() has made take V8 three times as long. */
export const withDates = (answer: ScanOutcome): ScanOutcome => ({
  reason: answer.reason,
  code: answer.code,
  scanned_at: new Date(answer.scanned_at),
  purchase: answer.purchase,
  scan_id: answer.scan_id,
  first_scan: answer.first_scan && { at: new Date(answer.first_scan.at), by: answer.first_scan.by },
  disposed_on: answer.disposed_on,
  misplaced: answer.misplaced,
  expected_location: answer.expected_location,
  client_id: undefined, // of whoever asks
});

/** A scan as the service judged it. */
export type ScanOutcome = Omit<ScanResultDto, 'status' | 'reason' | 'message'> & { reason: ScanReason };

export class ScanSummaryDto {
  @ApiProperty({ type: 'integer', example: 1 })
  success: number;

  @ApiProperty({ type: 'integer', example: 0 })
  warning: number;

  @ApiProperty({ type: 'integer', example: 0 })
  error: number;
}

export class ScanResultsDto {
  @ApiProperty({ type: [ScanResultDto], description: 'In the order of the scans.' })
  results: ScanResultDto[];

  @ApiProperty({ type: ScanSummaryDto })
  summary: ScanSummaryDto;
}

export const toScanResultDto = (outcome: ScanOutcome, language: Language): ScanResultDto => ({
  status: SCAN_REASONS[outcome.reason].status,
  reason: outcome.reason,
  message: messageOf(outcome.reason, language, outcome.disposed_on),
  code: outcome.code,
  scanned_at: outcome.scanned_at,
  purchase: outcome.purchase,
  scan_id: outcome.scan_id,
  first_scan: outcome.first_scan,
  disposed_on: outcome.disposed_on,
  misplaced: outcome.misplaced,
  expected_location: outcome.expected_location,
  client_id: outcome.client_id,
});

export const toScanResultsDto = (outcomes: ScanOutcome[], language: Language): ScanResultsDto => {
  const results = outcomes.map((outcome) => toScanResultDto(outcome, language));
  const summary: ScanSummaryDto = { success: 0, warning: 0, error: 0 };
  for (const { status } of results) summary[status]++;
  return { results, summary };
};
