import { ApiProperty } from '@nestjs/swagger';
import { DateAnswer, InstantAnswer, LongIdAnswer, WordAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { FileQuery } from '../contract/file-query.js';
import { NamedAnswer } from '../contract/openapi.js';
import type { NamedDto } from '../contract/openapi.js';
import { CursorParam, PerPageParam } from '../contract/list-query.js';
import { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import { LATE_STATUSES } from '../scans/late-scan.entity.js';
import { UNEXPECTED_REASONS } from '../scans/unexpected-scan.entity.js';
import { CONDITIONS, SOURCES } from '../inventories/inventory-line.entity.js';

const HISTORY_KINDS = [
  'created', 'changed', 'moved', 'disposed', 'disposal_undone', 'deleted', 'restored',
  'attached', 'attachment_changed', 'detached', 'scanned', 'scan_undone', 'scanned_late',
] as const; // prettier-ignore
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** Of a list that is only read on and on. */
export class HistoryQuery extends FileQuery {
  @ChoiceField({
    optional: true,
    of: HISTORY_KINDS,
    description: 'Only what is of this kind; of `moved` also disposals that have a `move`.',
  })
  kind?: HistoryKind;

  @PerPageParam()
  per_page?: number;

  @CursorParam()
  cursor?: string;
}

/** A value of any type, null where there was nothing or nothing is left. */
interface FieldChange {
  from: unknown;
  to: unknown;
}

export class MoveDto {
  @ApiProperty({ type: PurchaseLocationDto, nullable: true, example: null })
  from: PurchaseLocationDto | null;

  @ApiProperty({ type: PurchaseLocationDto, nullable: true })
  to: PurchaseLocationDto | null;
}

export class HistoryAttachmentDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'photo.jpg' })
  name: string;

  @ApiProperty({ example: 'photo' })
  kind: string;
}

export class HistoryInventoryDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ type: 'integer', example: 2026 })
  year: number;

  @DateAnswer({ example: '2026-10-09' })
  inventory_date: string;
}

export class HistoryScanDto {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 5489,
    description: 'Null of one that came late.',
  })
  id: number | null;

  @InstantAnswer({ nullable: true, example: null, description: 'By the clock of the phone, where it told.' })
  device_scanned_at: string | null;

  @ApiProperty({
    type: PurchaseLocationDto,
    nullable: true,
    example: { id: 5, name: 'Bureau 3', path: 'Antenne de Brest / Bureau 3' },
    description: 'Where it was found.',
  })
  location: PurchaseLocationDto | null;

  @WordAnswer(CONDITIONS, { nullable: true, example: null })
  condition: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  note: string | null;

  @WordAnswer(SOURCES, { nullable: true, example: 'scanner' })
  source: string | null;

  @WordAnswer(UNEXPECTED_REASONS, {
    nullable: true,
    example: null,
    description: 'Why it was not expected; null where it was.',
  })
  reason: string | null;

  @WordAnswer(LATE_STATUSES, {
    nullable: true,
    example: null,
    description: 'What became of one that came late.',
  })
  status: string | null;
}

export class HistoryEntryDto {
  @LongIdAnswer(21956)
  id: number;

  @InstantAnswer({ example: '2026-10-09T07:10:11.100Z' })
  at: Date;

  @WordAnswer(HISTORY_KINDS, { example: 'scanned' })
  kind: HistoryKind;

  @NamedAnswer({ id: 2, name: 'Maëlle Kerbrat' })
  user: NamedDto | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'object', additionalProperties: true },
    example: null,
    description:
      'What is otherwise since: `from` and `to` by field, of any type or null; of a new purchase, what it began with.',
  })
  changes: Record<string, FieldChange> | null;

  @ApiProperty({ type: MoveDto, nullable: true, example: null, description: 'Between which places.' })
  move: MoveDto | null;

  @ApiProperty({ type: HistoryAttachmentDto, nullable: true, example: null })
  attachment: HistoryAttachmentDto | null;

  @ApiProperty({
    type: HistoryInventoryDto,
    nullable: true,
    description: 'The session of a scan, or of what was attached to one.',
  })
  inventory: HistoryInventoryDto | null;

  @ApiProperty({ type: HistoryScanDto, nullable: true })
  scan: HistoryScanDto | null;
}

/** What happened to a purchase; null where it is nothing of that kind. */
export interface HistoryRow {
  at: Date;
  /** That of its source times four, and which source it is. */
  id: number;
  kind: HistoryKind;
  user: NamedDto | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  from_place: PurchaseLocationDto | null;
  to_place: PurchaseLocationDto | null;
  attachment: HistoryAttachmentDto | null;
  inventory: HistoryInventoryDto | null;
  scan: HistoryScanDto | null;
}

const SAID_BY_KIND: readonly HistoryKind[] = ['deleted', 'restored', 'attached', 'detached'];
const SAID_BY_ENTRY = ['id', 'created_at', 'deleted_at'];

function changesOf({ kind, before, after }: HistoryRow): Record<string, FieldChange> | null {
  if (!after || SAID_BY_KIND.includes(kind)) return null;
  const fields = Object.entries(after).filter(
    ([field, to]) => !SAID_BY_ENTRY.includes(field) && (before !== null || to !== null),
  );
  return Object.fromEntries(fields.map(([field, to]) => [field, { from: before?.[field] ?? null, to }]));
}

/** A line of an import may dispose of a thing, or undo that, and move it too. */
const isMove = ({ before, after }: HistoryRow): boolean =>
  before !== null && after !== null && 'location_id' in after;

export const toHistoryEntryDto = (row: HistoryRow): HistoryEntryDto => ({
  id: row.id,
  at: row.at,
  kind: row.kind,
  user: row.user,
  changes: changesOf(row),
  move: isMove(row) ? { from: row.from_place, to: row.to_place } : null,
  attachment: row.attachment,
  inventory: row.inventory,
  scan: row.scan,
});
