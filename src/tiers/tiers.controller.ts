import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { TierDto, TierQuery, toTierDto } from './tiers.dto.js';
import { TiersService } from './tiers.service.js';

@ApiTags('Third parties')
@Controller('tiers')
export class TiersController {
  constructor(private readonly tiers: TiersService) {}

  @Access('tiers.view')
  @Get()
  @PageOperation({ id: 'listTiers', summary: 'List third parties', answer: TierDto })
  async list(@Query() query: TierQuery) {
    return toPage(await this.tiers.list(query), toTierDto);
  }

  @Access('tiers.view')
  @Get(':id')
  @Operation({ id: 'getTier', summary: 'One third party', answer: TierDto, errors: ['not-found'] })
  async get(@IdInPath() id: number): Promise<TierDto> {
    return toTierDto(await this.tiers.get(id));
  }
}
