import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import type { Download } from '../http/download.js';
import { PackQuery } from './pack.dto.js';
import { PackOperation } from './pack.openapi.js';
import { PackService } from './pack.service.js';

@ApiTags('Inventory sessions')
@Controller('inventories')
export class PackController {
  constructor(private readonly packs: PackService) {}

  @Access('inventories.view')
  @Get(':id/pack')
  @PackOperation()
  pack(@IdInPath() id: number, @CheckedQuery() query: PackQuery): Promise<Download> {
    return this.packs.pack(id, query);
  }
}
