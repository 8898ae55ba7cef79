import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { headers } from '../contract/openapi.js';
import { Public } from '../auth/access.js';
import { LivenessDto, ReadinessDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Operations')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Whether the process lives',
    description: 'Asks nothing of the database: an orchestrator restarts a process that does not answer.',
  })
  @ApiResponse({ status: 200, description: 'OK', headers, type: LivenessDto })
  live(): LivenessDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Whether the service can take requests',
    description: 'A proxy sends requests only to instances that answer 200.',
  })
  @ApiResponse({ status: 200, description: 'Ready', headers, type: ReadinessDto })
  @ApiResponse({
    status: 503,
    description: 'Not ready',
    headers,
    type: ReadinessDto,
    example: { status: 'unavailable', checks: { database: false, migrations: false, running: true } },
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessDto> {
    const checks = await this.health.readiness();
    const isReady = Object.values(checks).every(Boolean);
    response.status(isReady ? 200 : 503);
    return { status: isReady ? 'ok' : 'unavailable', checks };
  }
}
