import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { TierDto, TierQuery, tier } from './tiers.dto.js';
import { TiersService } from './tiers.service.js';

@ApiTags('Third parties')
@Controller('tiers')
export class TiersController {
  constructor(private readonly tiers: TiersService) {}

  @Access('tiers.view')
  @Get()
  @PageOperation({
    id: 'listTiers',
    summary: 'List third parties',
    description:
      'Customers, suppliers, partners and others of the administration application, inactive ones included.',
    answer: TierDto,
  })
  list(@CheckedQuery() query: TierQuery) {
    return pageOf(tier, this.tiers.list(query));
  }

  @Access('tiers.view')
  @Get(':id')
  @Operation({
    id: 'getTier',
    summary: 'One third party',
    description: 'Equipment shows its name, so its entity tags change with it.',
    answer: TierDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<TierDto> {
    return reply.of(tier, this.tiers.get(id));
  }
}
