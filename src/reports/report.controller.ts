import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../common/messages.js';
import type { Download } from '../http/download.js';
import { HungUp } from '../http/hung-up.js';
import { Preferred } from '../http/language.js';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation } from '../contract/openapi.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { ReportDto, ReportQuery } from './report.dto.js';
import { ReportService } from './report.service.js';

const CSV_EXAMPLE =
  'code,article,serial_number,category,expected_location,found_location,state,scanned_at,scanned_by,condition,purchase_price,net_book_value\r\n' +
  'REC-000001,Latitude 5540,8KJ2M,Ordinateur portable,Siège / 2e étage,Siège / Accueil,scanned,2026-09-14T08:30:00.000Z,Françoise Le Bihan,good,1290.00,339.17\r\n';

@ApiTags('Reports')
@Controller('inventories')
export class ReportController {
  constructor(private readonly reports: ReportService) {}

  @Access('reports.view')
  @Get(':id/report')
  @Operation({
    id: 'reportInventory',
    summary: 'What a session has found',
    description:
      'Of an open session as of now; of a closed one as it was when it was closed, whatever was changed or deleted since. With `format`, a file: in CSV the lines, under the names of the fields; in XLSX a sheet each for the summary, what is missing, misplaced, unexpected or unknown, and all lines; in PDF the pages that a manager signs, with charts, and of each list no more than 2000 lines. Both are in French, or in English where `lang` or `Accept-Language` says so.',
    answer: ReportDto,
    tables: { csv: CSV_EXAMPLE, pages: true },
    errors: ['not-found'],
  })
  report(
    @IdInPath() id: number,
    @CheckedQuery() query: ReportQuery,
    @Preferred('fr') language: Language,
    @HungUp() hungUp: AbortSignal,
  ): Promise<ReportDto | Download> {
    return this.reports.answer(id, query, language, hungUp);
  }
}
