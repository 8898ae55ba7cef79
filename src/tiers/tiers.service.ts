import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { notFound } from '../common/errors.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { Tier } from './tier.entity.js';
import type { TierQuery } from './tiers.dto.js';
import { tierMessages } from './tiers.messages.js';

@Injectable()
export class TiersService {
  constructor(@InjectRepository(Tier) private readonly tiers: Repository<Tier>) {}

  list(query: TierQuery): Promise<Page<Tier>> {
    const rows = this.tiers.createQueryBuilder('tier');
    if (query.search) rows.andWhere('tier.search_text LIKE search_pattern(:search)', query);
    if (query.type) rows.andWhere({ type: query.type });
    if (query.is_active !== undefined) rows.andWhere({ is_active: query.is_active });
    return paginate(rows, query, {
      id: { by: 'tier.id', type: 'integer', of: (row) => row.id },
      name: { by: 'tier.name', type: 'text', of: (row) => row.name },
      reference: { by: 'tier.reference', type: 'text', of: (row) => row.reference },
    });
  }

  async get(id: number): Promise<Tier> {
    const tier = await this.tiers.findOneBy({ id });
    if (!tier) throw notFound(tierMessages.none);
    return tier;
  }
}
