import { Injectable } from '@nestjs/common';
import type { ListQuery } from '../contract/list-query.js';
import { walk } from '../contract/walk.js';
import type { Path } from '../contract/walk.js';
import type { JsonRow } from '../database/json-row.js';
import { Sql } from '../database/sql.js';
import type { JsonPage } from '../http/json-page.js';
import { toDisposalDto } from './disposal.dto.js';
import type { Disposed } from './disposal.dto.js';
import { PurchaseCounts } from './purchase-counts.js';
import { ALL, NOT_DELETED, findOnWalk } from './purchases.queries.js';
import { PurchasesService } from './purchases.service.js';

/** Purchases, page by page, as whoever reads all of a list asks for them. */
@Injectable()
export class PurchaseWalkService {
  constructor(
    private readonly sql: Sql,
    private readonly counts: PurchaseCounts,
    private readonly purchases: PurchasesService,
  ) {}

  all(query: ListQuery): Promise<JsonPage> {
    return this.through(NOT_DELETED, { ...ALL, counted: this.counts.counted }, query);
  }

  /** Those that `rows`, which is SQL, chooses by their ids; deleted ones too where it does. */
  through(rows: string, path: Path, query: ListQuery): Promise<JsonPage> {
    const { today, fiscalYears } = this.purchases.asOf();
    const json = { disposal: (cell: Disposed) => toDisposalDto(cell, fiscalYears) };
    return walk(path, query, (step) => this.sql.query<JsonRow>({ ...findOnWalk(rows, step, today), json }));
  }
}
