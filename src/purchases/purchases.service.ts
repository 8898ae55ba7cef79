import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { contractMessages } from '../contract/contract.messages.js';
import type { Creator } from '../contract/creation.js';
import { mapConstraints } from '../database/errors.js';
import { todayIn } from '../common/dates.js';
import { drain } from '../common/drain.js';
import { invalid, notFound } from '../common/errors.js';
import type { Changer } from '../contract/etag.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { hasFilters } from '../contract/file-query.js';
import { paginate, withRows } from '../contract/pagination.js';
import type { FilePage } from '../contract/resource.js';
import { createRow, deleteRow, holdReferences, restoreRow, updateRow } from '../contract/rows.js';
import type { RowOf } from '../contract/rows.js';
import type { Actor } from '../database/audit.js';
import { Sql } from '../database/sql.js';
import { Env } from '../config/env.js';
import type { Labelled } from '../labels/labels.service.js';
import { FiscalYears } from '../amortization/amortization.js';
import { fieldMessages } from '../fields/fields.messages.js';
import { definitions, fieldColumns, valueOf, written } from '../fields/values.js';
import { codeCandidates, makeCode } from './code.js';
import type { AsOf } from './as-of.js';
import { Purchase } from './purchase.entity.js';
import { PurchaseCounts } from './purchase-counts.js';
import { isOvertaken, isTaken, refuseTaken } from './purchase-codes.js';
import type { Codes } from './purchase-codes.js';
import type { CreatePurchaseDto, UpdatePurchaseDto } from './purchases.dto.js';
import type { PurchaseLabelQuery, PurchaseQuery } from './purchase-query.dto.js';
import { SORTS, filterPurchases } from './purchases.filters.js';
import { findByAlias, findByCode, findByIds, purchaseOf } from './purchases.queries.js';
import type { PurchaseRow, ShownRow } from './purchases.queries.js';
import { purchaseMessages } from './purchases.messages.js';

const codeTaken = () => invalid({ code: [say(purchaseMessages.code_taken)] });
const constraints = {
  uq_purchases_code_key: codeTaken,
  pk_purchase_codes: codeTaken,
  fk_purchases_assigned_tier: () => invalid({ assigned_tier_id: [say(contractMessages.not_found)] }),
  ck_purchases_warranty: () => invalid({ warranty_end_date: [say(purchaseMessages.before_purchase)] }),
  ck_purchases_disposed_on: () => invalid({ purchase_date: [say(purchaseMessages.not_after_disposal)] }),
};

const REFERENCES = [
  ['article_id', 'articles'],
  ['supplier_id', 'suppliers'],
  ['location_id', 'locations'],
] as const;

@Injectable()
export class PurchasesService {
  /** Writers of purchases wait while a session is being opened; they must leave connections for lists. */
  private readonly writers: Limit;
  private readonly fiscalYears: FiscalYears;

  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    private readonly sql: Sql,
    private readonly counts: PurchaseCounts,
    private readonly env: Env,
  ) {
    this.writers = new Limit(Math.max(1, env.DATABASE_POOL / 2), env.DATABASE_TIMEOUT_MS / 2);
    this.fiscalYears = new FiscalYears(env.FISCAL_YEAR_START);
  }

  /** The day that decides whether a warranty still runs. */
  today(): string {
    return todayIn(this.env.TIME_ZONE);
  }

  /** What decides on a value beside the purchase itself. */
  asOf(): AsOf {
    return { today: this.today(), fiscalYears: this.fiscalYears };
  }

  /** Pages the purchases alone, however long their list is, and reads afterwards what it shows of them. */
  async list(query: PurchaseQuery & { ids?: number[] }): Promise<FilePage<PurchaseRow>> {
    const rows = this.purchases.createQueryBuilder('purchase').select('purchase.id');
    if (query.updated_since) rows.addSelect(['purchase.updated_at', 'purchase.deleted_at']);
    const field = query.sort?.replace('-', '');
    if (field && field !== 'id') rows.addSelect(`purchase.${field}`);
    if (query.ids) rows.andWhereInIds(query.ids);
    await filterPurchases(rows, query, this.today());
    const page = await paginate(rows, query, SORTS, hasFilters(query) ? {} : this.counts);
    const more = await fieldColumns(this.purchases.manager, 'purchase');
    const shown = await this.byIds(page.rows.map((row) => row.id));
    return { ...withRows(page, shown), more };
  }

  /** What labels are printed of: the first of the list. */
  async labelled(query: PurchaseLabelQuery, per_page: number): Promise<Labelled[]> {
    const { own_field: key } = query;
    const known = key ? await definitions(this.purchases.manager, 'purchase', { isActive: false }) : [];
    if (key && !known.some((one) => one.key === key))
      throw invalid({ own_field: [say(fieldMessages.no_key)] });
    const { rows } = await this.list({ ...query, format: undefined, cursor: '', per_page });
    return rows.map(({ id, code, article, fields }) => ({
      id,
      code,
      name: article.name,
      ...(key && { more: String(valueOf(fields, key) ?? '') }),
    }));
  }

  async get(id: number, manager?: EntityManager): Promise<Purchase> {
    const purchase = await this.withRelations(manager).where({ id, deleted_at: IsNull() }).getOne();
    if (!purchase) throw notFound(purchaseMessages.none);
    return purchase;
  }

  /** Deleted ones included, in the order of the ids: closed sessions go on listing what they expected. */
  async byIds(ids: number[]): Promise<PurchaseRow[]> {
    return ids.length > 0 ? drain(await this.sql.query<ShownRow>(findByIds(ids)), purchaseOf) : [];
  }

  /** The live purchase that a scanned text means: by its label, or by another code that was linked to it. */
  async findByCode(scanned: string): Promise<PurchaseRow> {
    const candidates = codeCandidates(scanned);
    const [labelled] = await this.sql.hot<ShownRow>(findByCode(candidates));
    const purchase = labelled ?? (await this.sql.hot<ShownRow>(findByAlias(candidates)))[0];
    if (!purchase) throw notFound(purchaseMessages.none);
    return purchaseOf(purchase);
  }

  /** @throws DomainError validation-failed on an unknown article, supplier, place or third party, a code once used, an early warranty */
  async create<Answer>(fields: CreatePurchaseDto, by: Creator<Purchase, Answer>): Promise<Answer> {
    const { manager } = this.purchases;
    return this.evenIfOvertaken(fields, () =>
      this.writers.run(() => createRow(manager, by, (own) => this.insert(own, fields))),
    );
  }

  /** Once more where another has taken a code between the look and the write: then it is told which one. */
  private async evenIfOvertaken<Answer>(fields: Codes, write: () => Promise<Answer>): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await write();
      } catch (error) {
        if (!isOvertaken(error, fields) || (fields.code && !isFirst)) throw error;
      }
    }
  }

  private async insert(manager: EntityManager, fields: CreatePurchaseDto): Promise<Purchase> {
    await holdReferences(manager, fields, REFERENCES);
    await refuseTaken(manager, fields);
    const { code, gs1, ...more } = fields;
    const own = await written(manager, 'purchase', fields.fields);
    const row = { ...more, fields: own, gs1: gs1 ?? [], code: code ?? (await this.nextCode(manager)) };
    const { identifiers } = await mapConstraints(manager.insert(Purchase, row), constraints);
    return this.get((identifiers[0] as Purchase).id, manager);
  }

  /**
   * @throws DomainError validation-failed on an unknown article, supplier, place or third party, a code once used, an
   * early warranty; stale
   */
  update(id: number, fields: UpdatePurchaseDto, by: Changer<Purchase>): Promise<Purchase> {
    const write = async (manager: EntityManager): Promise<void> => {
      await holdReferences(manager, fields, REFERENCES);
      await refuseTaken(manager, fields, id);
      const own = await written(manager, 'purchase', fields.fields, id);
      const row = { ...(fields as Partial<Purchase>), ...(own && { fields: own }) };
      await mapConstraints(manager.update(Purchase, id, row), constraints);
    };
    return this.evenIfOvertaken(fields, () => this.change(id, fields, by, write));
  }

  /**
   * Holds a purchase, sees that it is the expected one, and writes.
   * @throws DomainError not-found, stale, and what `write` throws
   */
  change(
    id: number,
    fields: object,
    by: Changer<Purchase>,
    write: (manager: EntityManager) => Promise<void>,
  ): Promise<Purchase> {
    return this.writers.run(() => updateRow(this.row(id), by, fields, write));
  }

  /**
   * Leaves the open sessions that have not scanned it; its code is never used again.
   * @throws DomainError stale
   */
  delete(id: number, by: Changer<Purchase>): Promise<void> {
    return this.writers.run(() => deleteRow(this.row(id), by));
  }

  /**
   * Joins the open sessions, like a new one.
   * @throws DomainError refers-to-deleted when its article, supplier or place is deleted
   */
  restore(id: number, actor: Actor): Promise<Purchase> {
    return this.writers.run(() => restoreRow(this.row(id), actor, REFERENCES));
  }

  private row(id: number): RowOf<Purchase> {
    const read = (manager: EntityManager) => this.get(id, manager);
    return { manager: this.purchases.manager, table: 'purchases', id, read };
  }

  /** The next code that nobody has brought already. */
  private async nextCode(manager: EntityManager): Promise<string> {
    for (;;) {
      const [{ number }] = await manager.query<[{ number: number }]>(
        `SELECT nextval('purchase_code_seq') AS number`,
      );
      const code = makeCode(this.env.CODE_PREFIX, number);
      if (!(await isTaken(manager, [code]))) return code;
    }
  }

  private withRelations(manager = this.purchases.manager): SelectQueryBuilder<Purchase> {
    return manager
      .createQueryBuilder(Purchase, 'purchase')
      .innerJoinAndSelect('purchase.article', 'article')
      .leftJoinAndSelect('article.brand', 'brand')
      .leftJoinAndSelect('article.category', 'category')
      .leftJoinAndSelect('article.amortization_category', 'amortization_category')
      .leftJoinAndSelect('purchase.supplier', 'supplier')
      .leftJoinAndSelect('purchase.location', 'location')
      .leftJoinAndSelect('purchase.assigned_tier', 'assigned_tier');
  }
}
