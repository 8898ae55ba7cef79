import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { Operation, PageOperation } from '../contract/openapi.js';
import { Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedQuery } from '../contract/validation.pipe.js';
import { EquipmentDto, EquipmentQuery, equipment } from './equipment.dto.js';
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
  list(@CheckedQuery() query: EquipmentQuery) {
    return pageOf(equipment, this.equipment.list(query));
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
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<EquipmentDto> {
    return reply.of(equipment, this.equipment.get(id));
  }
}
