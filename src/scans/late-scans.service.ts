import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import type { Caller } from '../database/audit.js';
import type { Run } from '../database/sql.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { codeCandidates } from '../purchases/code.js';
import { DecisionsService } from './decisions.service.js';
import type { LateScanQuery } from './late-scans.dto.js';
import { LateScan } from './late-scan.entity.js';
import { scanMessages } from './scans.messages.js';

/** Scans that were made before their session was closed, and arrived after. */
@Injectable()
export class LateScansService {
  constructor(
    @InjectRepository(LateScan) private readonly late: Repository<LateScan>,
    private readonly inventories: InventoriesService,
    private readonly decisions: DecisionsService,
  ) {}

  async list(inventoryId: number, query: LateScanQuery): Promise<Page<LateScan>> {
    const rows = this.withRelations().where({ inventory_id: inventoryId });
    if (query.status) rows.andWhere({ status: query.status });
    const page = await paginate(
      rows,
      query,
      {
        id: { by: 'late.id', type: 'bigint', of: (row) => row.id },
        device_scanned_at: {
          by: 'late.device_scanned_at',
          type: 'timestamptz',
          of: (row) => row.device_scanned_at,
        },
      },
      { changed: { by: 'late.changed_at', type: 'timestamptz', of: (row) => row.changed_at } },
    );
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return page;
  }

  /**
   * Counts it from the instant of its phone; a code that nobody knows becomes an unknown code of the session.
   * @throws DomainError not-found, already-decided, session-closed
   */
  accept(inventoryId: number, id: number, caller: Caller): Promise<LateScan> {
    return this.decide(inventoryId, id, 'accepted', caller, async (run, late) => {
      const {
        code,
        cleaned,
        device_scanned_at,
        scanned_by,
        location_id,
        condition,
        note,
        source,
        client_id,
      } = late;
      const { answer, scan_id } = await this.decisions.count(
        run,
        inventoryId,
        { code, cleaned, candidates: [...codeCandidates(code), cleaned, ...(await labelOf(run, late))] },
        {
          counts_at: device_scanned_at,
          scanned_by,
          device_scanned_at,
          location_id,
          condition,
          note,
          source,
          client_id,
          actor: caller,
        },
      );
      await run(
        `UPDATE inventory_answers SET answer = $3, scan_id = $4 WHERE inventory_id = $1 AND client_id = $2`,
        [inventoryId, client_id, JSON.stringify(answer), scan_id],
      );
      await run(`UPDATE inventory_late_scans SET purchase_id = $2 WHERE id = $1`, [
        id,
        answer.purchase?.id ?? null,
      ]);
      return { code: cleaned, reason: answer.reason, scan_id };
    });
  }

  /** @throws DomainError not-found, already-decided, session-closed */
  refuse(inventoryId: number, id: number, caller: Caller): Promise<LateScan> {
    return this.decide(inventoryId, id, 'refused', caller, async (run, { client_id, cleaned }) => {
      await run(
        `UPDATE inventory_answers SET answer = answer || '{"reason": "refused"}'
         WHERE inventory_id = $1 AND client_id = $2`,
        [inventoryId, client_id],
      );
      return { code: cleaned };
    });
  }

  private async decide(
    inventoryId: number,
    id: number,
    status: 'accepted' | 'refused',
    caller: Caller,
    work: (run: Run, late: LateScan) => Promise<object>,
  ): Promise<LateScan> {
    const row = {
      text: `SELECT * FROM inventory_late_scans WHERE inventory_id = $1 AND id = $2`,
      values: [inventoryId, id],
    };
    const isOpen = (late: LateScan) => late.status === 'waiting';
    const none = scanMessages.none_late;
    await this.decisions.decide({ inventoryId, caller, row, none, isOpen }, async (run, late: LateScan) => {
      const details = await work(run, late);
      await run(
        `UPDATE inventory_late_scans
         SET status = $2, decided_at = change_instant(), decided_by = $3, changed_at = change_instant()
         WHERE id = $1`,
        [id, status, caller.user_id],
      );
      return { action: `late_scan.${status === 'accepted' ? 'accept' : 'refuse'}`, details };
    });
    return this.withRelations().where({ id }).getOneOrFail();
  }

  private withRelations(): SelectQueryBuilder<LateScan> {
    return this.late
      .createQueryBuilder('late')
      .leftJoinAndSelect('late.purchase', 'purchase')
      .leftJoinAndSelect('purchase.article', 'article')
      .innerJoinAndSelect('late.scanner', 'scanner')
      .leftJoinAndSelect('late.location', 'location')
      .leftJoinAndSelect('late.decider', 'decider');
  }
}

/** The label of today of the purchase that was found when it arrived, unless its code is another one of it still. */
async function labelOf(run: Run, { purchase_id, code_key }: LateScan): Promise<string[]> {
  const { rows } = await run<{ code: string }>(
    `SELECT code FROM purchases WHERE id = $1
       AND NOT EXISTS (SELECT FROM purchase_codes WHERE purchase_id = $1 AND code_key = $2 AND alias IS NOT NULL)`,
    [purchase_id, code_key],
  );
  return rows.map((row) => row.code);
}
