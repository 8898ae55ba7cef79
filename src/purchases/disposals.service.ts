import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import type { Changer } from '../contract/etag.js';
import { mapConstraints } from '../database/errors.js';
import type { Run } from '../database/sql.js';
import type { DisposeDto, DisposeTogetherDto } from './disposal.dto.js';
import { Purchase } from './purchase.entity.js';
import { purchaseMessages } from './purchases.messages.js';
import { PurchasesService } from './purchases.service.js';

const constraints = {
  ck_purchases_disposed_on: () => invalid({ date: [say(purchaseMessages.before_purchase)] }),
};

/** Takes things out of the register that are sold, scrapped or lost; they stay in its history. */
@Injectable()
export class DisposalsService {
  constructor(private readonly purchases: PurchasesService) {}

  /**
   * It leaves the open sessions that have not scanned it.
   * @throws DomainError not-found, already-disposed, stale; validation-failed for a day before it was bought or to come
   */
  dispose(id: number, fields: DisposeDto, by: Changer<Purchase>): Promise<Purchase> {
    this.checkDay(fields.date);
    return this.set(id, by, columnsOf(fields), 'already-disposed');
  }

  /**
   * It joins the open sessions like a new one.
   * @throws DomainError not-found, not-disposed, stale
   */
  undo(id: number, by: Changer<Purchase>): Promise<Purchase> {
    return this.set(id, by, NOTHING, 'not-disposed');
  }

  /**
   * Disposes of purchases in the transaction of `run`; all of them or none.
   * @returns what is wrong with some, by their places
   * @throws DomainError validation-failed for a day to come
   */
  async disposeAll(run: Run, ids: number[], fields: DisposeTogetherDto): Promise<Map<number, string>> {
    this.checkDay(fields.date);
    const held = await run<Pick<Purchase, 'id' | 'disposed_on' | 'purchase_date'>>(
      `SELECT id, disposed_on, purchase_date FROM purchases WHERE id = ANY ($1) AND deleted_at IS NULL
       ORDER BY id FOR NO KEY UPDATE`,
      [ids],
    );
    const byId = new Map(held.rows.map((row) => [row.id, row]));
    const wrong = new Map<number, string>();
    for (const [at, id] of ids.entries()) {
      const row = byId.get(id);
      if (!row) wrong.set(at, say(contractMessages.not_found));
      else if (row.disposed_on) wrong.set(at, say(purchaseMessages.disposed));
      else if (row.purchase_date > fields.date) wrong.set(at, say(purchaseMessages.bought_later));
    }
    if (wrong.size > 0) return wrong;
    const { disposed_on, disposal_reason, disposal_note } = columnsOf(fields);
    await run(
      `UPDATE purchases SET disposed_on = $2, disposal_reason = $3, disposal_note = $4 WHERE id = ANY ($1)`,
      [ids, disposed_on, disposal_reason, disposal_note],
    );
    return wrong;
  }

  private set(
    id: number,
    by: Changer<Purchase>,
    columns: Columns,
    refusal: 'already-disposed' | 'not-disposed',
  ): Promise<Purchase> {
    const write = async (manager: EntityManager): Promise<void> => {
      const { disposed_on } = await manager.findOneByOrFail(Purchase, { id });
      if ((disposed_on === null) !== (columns.disposed_on !== null)) throw new DomainError(refusal);
      await mapConstraints(manager.update(Purchase, id, columns), constraints);
    };
    return this.purchases.change(id, columns, by, write);
  }

  private checkDay(date: string): void {
    if (date > this.purchases.today()) throw invalid({ date: [say(purchaseMessages.not_yet)] });
  }
}

type Columns = Pick<Purchase, 'disposed_on' | 'disposal_reason' | 'disposal_proceeds' | 'disposal_note'>;

const NOTHING: Columns = {
  disposed_on: null,
  disposal_reason: null,
  disposal_proceeds: null,
  disposal_note: null,
};

const columnsOf = ({ date, reason, proceeds = null, note = null }: DisposeDto): Columns => ({
  disposed_on: date,
  disposal_reason: reason,
  disposal_proceeds: proceeds,
  disposal_note: note,
});
