import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../common/id.pipe.js';
import { Operation, PageOperation } from '../common/openapi.js';
import { toPage } from '../common/pagination.js';
import { EquipmentDto, EquipmentQuery, toEquipmentDto } from './equipment.dto.js';
import { EquipmentService } from './equipment.service.js';

@ApiTags('Equipment')
@Controller('equipments')
export class EquipmentController {
  constructor(private readonly equipment: EquipmentService) {}

  @Access('equipments.view')
  @Get()
  @PageOperation({ id: 'listEquipment', summary: 'List equipment', answer: EquipmentDto })
  async list(@Query() query: EquipmentQuery) {
    return toPage(await this.equipment.list(query), toEquipmentDto);
  }

  @Access('equipments.view')
  @Get(':id')
  @Operation({
    id: 'getEquipment',
    summary: 'One piece of equipment',
    answer: EquipmentDto,
    errors: ['not-found'],
  })
  async get(@IdInPath() id: number): Promise<EquipmentDto> {
    return toEquipmentDto(await this.equipment.get(id));
  }
}
