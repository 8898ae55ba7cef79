import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { recordTag, tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import { TierDto, TierQuery, toTierDto } from './tiers.dto.js';
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
  async list(@Query() query: TierQuery) {
    return toPage(await this.tiers.list(query), toTierDto);
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
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<TierDto> {
    const tier = await this.tiers.get(id);
    return tagged(response, recordTag(tier), toTierDto(tier));
  }
}
