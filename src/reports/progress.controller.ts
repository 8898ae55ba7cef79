import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation } from '../contract/openapi.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { ProgressGroupsDto, ProgressQuery, toProgressGroupsDto } from './progress.dto.js';
import { ProgressService } from './progress.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class ProgressController {
  constructor(private readonly progress: ProgressService) {}

  @Access('inventories.view')
  @Get(':id/progress')
  @Operation({
    id: 'getProgress',
    summary: 'How far a session is, by category, place, person or time',
    description:
      'Every figure is exact and of one moment: those by category or place add up to the progress of the session, those by user, day or hour to what is scanned. Of a closed session as it was when it was closed. Days and hours are those of the service’s time zone. Groups of which there is nothing are left out.',
    answer: ProgressGroupsDto,
    errors: ['not-found'],
  })
  async groups(@IdInPath() id: number, @CheckedQuery() query: ProgressQuery): Promise<ProgressGroupsDto> {
    return toProgressGroupsDto(await this.progress.groups(id, query));
  }
}
