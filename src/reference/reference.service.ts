import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { notFound } from '../common/errors.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import type { ReferenceQuery } from './reference.dto.js';
import type { AmortizationCategory, Brand, Category } from './reference.entity.js';
import { referenceMessages } from './reference.messages.js';

/** The three lists differ in their columns alone, so they are read by the same two methods. */
type ReferenceEntity = Brand | Category | AmortizationCategory;

@Injectable()
export class ReferenceService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  list<Row extends ReferenceEntity>(entity: new () => Row, query: ReferenceQuery): Promise<Page<Row>> {
    const rows = this.database.createQueryBuilder(entity, 'row');
    if (query.search) rows.where('"row".search_text LIKE search_pattern(:search)', query);
    return paginate(rows, query, {
      id: { by: 'row.id', type: 'integer', of: (row) => row.id },
      name: { by: 'row.name', type: 'text', of: (row) => row.name },
    });
  }

  async get<Row extends ReferenceEntity>(entity: new () => Row, id: number): Promise<Row> {
    const row = await this.database.createQueryBuilder(entity, 'row').where('row.id = :id', { id }).getOne();
    if (!row) throw notFound(referenceMessages.none);
    return row;
  }
}
