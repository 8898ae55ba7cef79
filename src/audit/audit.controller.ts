import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { PageOperation } from '../contract/openapi.js';
import { pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { AuditEntryDto, AuditQuery, toAuditEntryDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit log')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Access('audit.view')
  @Get()
  @PageOperation({
    id: 'listAuditEntries',
    summary: 'Who did what, when and from where',
    description:
      'Every change, with what was before and after; every login, also those that failed; everything that was forbidden. Scans are in the lists of their sessions. Entries are never changed; with `updated_since` another system can follow the log without missing one.',
    answer: AuditEntryDto,
  })
  list(@CheckedQuery() query: AuditQuery) {
    return pageOf({ answer: toAuditEntryDto }, this.audit.list(query));
  }
}
