import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { Operation } from '../contract/openapi.js';
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
      'Of all purchases that were bought by then and are not deleted: gross, what is amortized, and net, by amortization category.',
    answer: AmortizationReportDto,
  })
  report(@Query() { on }: AmortizationQuery): Promise<AmortizationReportDto> {
    return this.amortization.report(on);
  }
}
