import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { parseInstant } from '../common/dates.js';
import { paginate } from '../contract/pagination.js';
import type { Changed, Page } from '../contract/pagination.js';
import { Sql } from '../database/sql.js';
import { AuditEntry } from './audit-entry.entity.js';
import type { AuditQuery } from './audit.dto.js';

const FILTERS = [
  'user_id',
  'token_id',
  'address',
  'request_id',
  'action',
  'resource',
  'resource_id',
] as const;

@Injectable()
export class AuditService {
  constructor(
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
    private readonly sql: Sql,
  ) {}

  /** Whoever catches up reads where the horizon is known: on the primary. */
  list(query: AuditQuery): Promise<Page<AuditEntry>> {
    if (query.updated_since !== undefined) return this.page(query);
    return this.sql.aside((by) => this.page(query, by));
  }

  private page(query: AuditQuery, by?: QueryRunner): Promise<Page<AuditEntry>> {
    const rows = this.entries.createQueryBuilder('entry', by);
    for (const filter of FILTERS) if (query[filter] !== undefined) rows.andWhere({ [filter]: query[filter] });
    if (query.from) rows.andWhere('entry.at >= :from', { from: parseInstant(query.from) });
    if (query.to) rows.andWhere('entry.at <= :to', { to: parseInstant(query.to) });
    const at: Changed<AuditEntry> = { by: 'entry.at', type: 'timestamptz', of: (row) => row.at };
    return paginate(
      rows,
      query,
      { id: { by: 'entry.id', type: 'bigint', of: (row) => row.id }, at },
      { changed: at, order: '-at' },
    );
  }
}
