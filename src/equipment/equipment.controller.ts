import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../auth/access.js';
import { tagged } from '../contract/etag.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { toPage } from '../contract/pagination.js';
import { EquipmentDto, EquipmentQuery, equipmentTag, toEquipmentDto } from './equipment.dto.js';
import { EquipmentService } from './equipment.service.js';

@ApiTags('Equipment')
@Controller('equipments')
export class EquipmentController {
  constructor(private readonly equipment: EquipmentService) {}

  @Access('equipments.view')
  @Get()
  @PageOperation({
    id: 'listEquipment',
    summary: 'List equipment',
    description: 'Whatever its state. `search` looks into name, reference and serial number.',
    answer: EquipmentDto,
  })
  async list(@Query() query: EquipmentQuery) {
    return toPage(await this.equipment.list(query), toEquipmentDto);
  }

  @Access('equipments.view')
  @Get(':id')
  @Operation({
    id: 'getEquipment',
    summary: 'One piece of equipment',
    description: 'With the third party that it belongs to or that looks after it.',
    answer: EquipmentDto,
    tagged: true,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number, @Res({ passthrough: true }) response: Response): Promise<EquipmentDto> {
    const equipment = await this.equipment.get(id);
    return tagged(response, equipmentTag(equipment), toEquipmentDto(equipment));
  }
}
