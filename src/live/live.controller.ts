import { Controller, Get, Headers } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import type { EventStream } from '../http/event-stream.js';
import { StreamOperation } from './live.openapi.js';
import { LiveService } from './live.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @Access('inventories.view')
  @Get(':id/events')
  @StreamOperation()
  follow(
    @IdInPath() id: number,
    @Headers('last-event-id') lastEventId: string | undefined,
    @CurrentUser() user: Principal,
  ): Promise<EventStream> {
    return this.live.follow(id, lastEventId, user);
  }
}
