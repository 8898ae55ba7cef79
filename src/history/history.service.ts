import { Injectable } from '@nestjs/common';
import { readAfter } from '../contract/pagination.js';
import type { Page, SortKey } from '../contract/pagination.js';
import { Sql } from '../database/sql.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import type { HistoryQuery, HistoryRow } from './history.dto.js';
import { history } from './history.queries.js';

const at: SortKey<HistoryRow> = { by: 'at', type: 'timestamptz', of: (row) => row.at };
const id: SortKey<HistoryRow> = { by: 'id', type: 'bigint', of: (row) => row.id };

/** What happened to a purchase, in the register and in every session. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly purchases: PurchasesService,
    private readonly sql: Sql,
  ) {}

  /** @throws DomainError not-found, also of a purchase that is deleted */
  async of(purchaseId: number, query: HistoryQuery): Promise<Page<HistoryRow>> {
    const { rows, next_cursor } = await readAfter(`history:${purchaseId}`, [at, id], query, (after, limit) =>
      this.sql.query<HistoryRow>(history(purchaseId, query.kind, after, limit)),
    );
    await this.purchases.get(purchaseId);
    return { rows, meta: { per_page: query.per_page ?? 50, next_cursor } };
  }
}
