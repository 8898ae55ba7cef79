import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../common/messages.js';
import type { Download } from '../http/download.js';
import { HungUp } from '../http/hung-up.js';
import { Preferred } from '../http/language.js';
import { Access } from '../auth/access.js';
import { Operation } from '../contract/openapi.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { AmortizationQuery, AmortizationReportDto } from './amortization.dto.js';
import { AmortizationService } from './amortization.service.js';

@ApiTags('Reports')
@Controller('amortization')
export class AmortizationController {
  constructor(private readonly amortization: AmortizationService) {}

  @Access('reports.view')
  @Get()
  @Operation({
    id: 'reportAmortization',
    summary: 'What everything is worth on a day',
    description:
      'Of all purchases that were bought and not disposed of by then, and are not deleted: gross, what is amortized, and net, by amortization category. With `format`, the lines of it as a table: each with its method, gross, accumulated, the annuity of the fiscal year until then, and net. The headers of the columns are the names of the fields in CSV, and for people in XLSX: French, or English where `Accept-Language` names it first.',
    answer: AmortizationReportDto,
    tables: {
      csv: 'code,article,category,amortization_category,purchase_date,in_service_date,method,duration_years,gross,accumulated,annuity,net\r\nREC-000001,Latitude 5540,Ordinateur portable,Informatique mobile – 3 ans dégressif,2024-04-17,2024-04-17,declining,3,1290.00,950.83,376.25,339.17\r\n',
    },
  })
  report(
    @CheckedQuery() query: AmortizationQuery,
    @Preferred('fr') language: Language,
    @HungUp() hungUp: AbortSignal,
  ): Promise<AmortizationReportDto> | Download {
    return this.amortization.answer(query, language, hungUp);
  }
}
