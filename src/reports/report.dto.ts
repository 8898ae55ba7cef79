import { ApiProperty } from '@nestjs/swagger';
import { eurosOf } from '../amortization/asset.js';
import { LANGUAGES } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { NumberAnswer } from '../contract/answers.js';
import { ChoiceField } from '../contract/fields.js';
import { InventoryDto, inventory } from '../inventories/inventories.dto.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import type { FigureName, GroupName, Sum } from './report.figures.js';
import { ProgressGroupDto, toProgressGroupsDto } from './progress.dto.js';
import type { Group } from './progress.dto.js';
import type { ChangeName } from '../inventories/comparison.queries.js';

const REPORT_FORMATS = ['json', 'csv', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export class ReportQuery {
  @ChoiceField({
    optional: true,
    of: REPORT_FORMATS,
    default: 'json',
    description: 'The figures; or the lines (`csv`), all of it as a workbook, or as pages to be signed.',
  })
  format?: ReportFormat;

  @ChoiceField({
    optional: true,
    of: LANGUAGES,
    description:
      'The language of workbooks and pages, instead of that which `Accept-Language` names; French when neither does.',
  })
  lang?: Language;
}

export class ReportCountDto {
  @ApiProperty({ type: 'integer', example: 3 })
  count: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'Of these, those that wait for a decision.' })
  open: number;
}

export class ReportGrossDto {
  @ApiProperty({ type: 'integer', example: 12 })
  count: number;

  @NumberAnswer({ example: 10480.5, description: 'Purchase prices, in euros.' })
  gross: number;
}

export class ReportSumDto extends ReportGrossDto {
  @NumberAnswer({
    example: 2310.18,
    description: 'Net book values on the date of the inventory; of what nothing amortizes, its price.',
  })
  net: number;
}

export class ReportFiguresDto implements Record<FigureName | 'unknown' | 'late', object> {
  @ApiProperty({ type: ReportSumDto })
  expected: ReportSumDto;

  @ApiProperty({ type: ReportSumDto })
  scanned: ReportSumDto;

  @ApiProperty({ type: ReportSumDto })
  missing: ReportSumDto;

  @ApiProperty({ type: ReportSumDto, description: 'Scanned outside the scope of the session.' })
  unexpected: ReportSumDto;

  @ApiProperty({ type: ReportSumDto, description: 'Found where they do not belong, the settled ones too.' })
  misplaced: ReportSumDto;

  @ApiProperty({ type: ReportCountDto, description: 'Codes that nobody knew.' })
  unknown: ReportCountDto;

  @ApiProperty({
    type: ReportCountDto,
    description: 'Scans that arrived after the closing: the one figure of a closed report that still moves.',
  })
  late: ReportCountDto;
}

export class ReportComparisonDto implements Record<ChangeName | 'session', object> {
  @ApiProperty({ type: InventoryDto })
  session: InventoryDto;

  @ApiProperty({
    type: ReportGrossDto,
    description: 'Missing, and not so before: with the next, all that is missing.',
  })
  newly_missing: ReportGrossDto;

  @ApiProperty({ type: ReportGrossDto, description: 'Missing in both.' })
  missing_again: ReportGrossDto;

  @ApiProperty({ type: ReportGrossDto, description: 'Missing before, and scanned now.' })
  reappeared: ReportGrossDto;

  @ApiProperty({
    type: ReportGrossDto,
    description:
      'Expected, and bought or restored since the session before; nothing that was only moved into the scope.',
  })
  bought: ReportGrossDto;

  @ApiProperty({
    type: ReportGrossDto,
    description:
      'Expected before, and deleted or disposed of since; nothing that was only moved out of the scope.',
  })
  disposed: ReportGrossDto;
}

export class ReportGroupsDto implements Record<GroupName, ProgressGroupDto[]> {
  @ApiProperty({
    type: [ProgressGroupDto],
    example: [{ key: 1, name: 'Ordinateurs portables', scanned: 260, total: 402, percentage: 64.68 }],
  })
  category: ProgressGroupDto[];

  @ApiProperty({
    type: [ProgressGroupDto],
    description: 'By the outermost place of where things are expected.',
    example: [{ key: 1, name: 'Antenne de Brest', scanned: 0, total: 154, percentage: 0 }],
  })
  location: ProgressGroupDto[];

  @ApiProperty({
    type: [ProgressGroupDto],
    example: [{ key: 5, name: 'Françoise Le Bihan', scanned: 376, total: null, percentage: null }],
  })
  user: ProgressGroupDto[];

  @ApiProperty({
    type: [ProgressGroupDto],
    example: [{ key: '2026-09-14', name: '2026-09-14', scanned: 102, total: null, percentage: null }],
  })
  day: ProgressGroupDto[];
}

const FIGURES_EXAMPLE = {
  expected: { count: 2488, gross: 5134567.39, net: 1974890.52 },
  scanned: { count: 1663, gross: 2202883.88, net: 756287.71 },
  missing: { count: 825, gross: 2931683.51, net: 1218602.81 },
  unexpected: { count: 0, gross: 0, net: 0 },
  misplaced: { count: 21, gross: 33608.7, net: 13188.85 },
  unknown: { count: 6, open: 4 },
  late: { count: 0, open: 0 },
};
const COMPARISON_EXAMPLE = {
  session: {
    id: 2,
    year: 2025,
    inventory_date: '2025-09-08',
    label: 'Inventaire annuel 2025',
    status: 'closed',
    scope: null,
    progress: { scanned: 1989, total: 2075, percentage: 95.86 },
    opened_by: { id: 5, name: 'Françoise Le Bihan' },
    closed_at: '2025-10-17T15:06:33.095Z',
    closed_by: { id: 5, name: 'Françoise Le Bihan' },
    created_at: '2025-09-08T06:01:12.480Z',
    updated_at: '2025-10-17T15:06:33.095Z',
    reopened: [],
  },
  newly_missing: { count: 801, gross: 2700449.6 },
  missing_again: { count: 24, gross: 231233.91 },
  reappeared: { count: 58, gross: 65858.32 },
  bought: { count: 425, gross: 793535.54 },
  disposed: { count: 12, gross: 55098.78 },
};

export class ReportDto {
  @ApiProperty({ type: InventoryDto })
  session: InventoryDto;

  @ApiProperty({ type: ReportFiguresDto, example: FIGURES_EXAMPLE })
  figures: ReportFiguresDto;

  @ApiProperty({
    type: ReportComparisonDto,
    nullable: true,
    example: COMPARISON_EXAMPLE,
    description:
      'With the closed session of the same scope that was opened last before it; null where there is none. What was closed after a closed session is none.',
  })
  comparison: ReportComparisonDto | null;

  @ApiProperty({ type: ReportGroupsDto, description: 'As in the progress by each.' })
  by: ReportGroupsDto;
}

interface Count {
  count: number;
  open: number;
}

/** What a report tells before its lines; amounts in cents. */
export interface Report {
  session: SessionRow;
  figures: Record<FigureName, Sum>;
  unknown: Count;
  late: Count;
  comparison: { session: SessionRow; changes: Record<ChangeName, Omit<Sum, 'net'>> } | null;
  by: Record<GroupName, Group[]>;
  /** Scans by the hour, YYYY-MM-DD HH:00:00. */
  hours: Map<string, number>;
}

const toGrossDto = ({ count, gross }: Omit<Sum, 'net'>): ReportGrossDto => ({ count, gross: eurosOf(gross) });
const toSumDto = (sum: Sum): ReportSumDto => ({ ...toGrossDto(sum), net: eurosOf(sum.net) });

/** Each value as something else. */
const mapped = <Name extends string, From, To>(record: Record<Name, From>, map: (from: From) => To) =>
  Object.fromEntries(Object.entries<From>(record).map(([name, from]) => [name, map(from)])) as Record<
    Name,
    To
  >;

export const toReportDto = ({ session, figures, unknown, late, comparison, by }: Report): ReportDto => ({
  session: inventory.answer(session),
  figures: { ...mapped(figures, toSumDto), unknown, late },
  comparison: comparison && {
    session: inventory.answer(comparison.session),
    ...mapped(comparison.changes, toGrossDto),
  },
  by: mapped(by, (groups) => toProgressGroupsDto(groups).data),
});
