import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { notFound } from '../common/errors.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import type { EquipmentQuery } from './equipment.dto.js';
import { Equipment } from './equipment.entity.js';
import { equipmentMessages } from './equipment.messages.js';

@Injectable()
export class EquipmentService {
  constructor(@InjectRepository(Equipment) private readonly equipment: Repository<Equipment>) {}

  list(query: EquipmentQuery): Promise<Page<Equipment>> {
    const rows = this.withTier();
    if (query.search) rows.andWhere('equipment.search_text LIKE search_pattern(:search)', query);
    if (query.status) rows.andWhere({ status: query.status });
    if (query.tier_id) rows.andWhere({ tier_id: query.tier_id });
    return paginate(rows, query, {
      id: { by: 'equipment.id', type: 'integer', of: (row) => row.id },
      name: { by: 'equipment.name', type: 'text', of: (row) => row.name },
      reference: { by: 'equipment.reference', type: 'text', of: (row) => row.reference },
      commissioned_on: {
        by: `coalesce(equipment.commissioned_on, '-infinity'::date)`,
        type: 'date',
        of: (row) => row.commissioned_on ?? '-infinity',
      },
    });
  }

  async get(id: number): Promise<Equipment> {
    const equipment = await this.withTier().where({ id }).getOne();
    if (!equipment) throw notFound(equipmentMessages.none);
    return equipment;
  }

  private withTier(): SelectQueryBuilder<Equipment> {
    return this.equipment.createQueryBuilder('equipment').leftJoinAndSelect('equipment.tier', 'tier');
  }
}
