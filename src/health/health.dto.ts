import { ApiProperty } from '@nestjs/swagger';
import { WordAnswer } from '../contract/answers.js';
import type { Readiness } from './health.service.js';

export class LivenessDto {
  @WordAnswer(['ok'], { example: 'ok' })
  status: string;
}

class ReadinessChecksDto implements Readiness {
  @ApiProperty({ description: 'The database answers and takes writes.', example: true })
  database: boolean;

  @ApiProperty({ description: 'Every migration that this version needs is applied.', example: true })
  migrations: boolean;

  @ApiProperty({ description: 'The service is not shutting down.', example: true })
  running: boolean;
}

export class ReadinessDto {
  @WordAnswer(['ok', 'unavailable'], { example: 'ok' })
  status: string;

  @ApiProperty({ type: ReadinessChecksDto })
  checks: ReadinessChecksDto;
}
