import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { invalid } from '../common/errors.js';
import type { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { asQueries } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { Location } from '../locations/location.entity.js';
import { MAX_CODE } from '../common/printable.js';
import { codeCandidates, standardKey } from '../purchases/code.js';
import { isTaken } from '../purchases/purchase-codes.js';
import { DecisionsService } from './decisions.service.js';
import { toPlaceDto } from './scan-entries.dto.js';
import type { ScannedPurchaseDto } from './scans.dto.js';
import { scanMessages } from './scans.messages.js';
import type { UnknownCodeQuery, UnknownCodeRow } from './unknown-codes.dto.js';
import { UnknownCode } from './unknown-code.entity.js';
import type { UnknownStatus } from './unknown-code.entity.js';

/** The codes that a session read and nobody knew. */
@Injectable()
export class UnknownCodesService {
  constructor(
    @InjectRepository(UnknownCode) private readonly codes: Repository<UnknownCode>,
    private readonly inventories: InventoriesService,
    private readonly decisions: DecisionsService,
  ) {}

  async list(inventoryId: number, query: UnknownCodeQuery): Promise<Page<UnknownCodeRow>> {
    const rows = this.codes.createQueryBuilder('unknown').where({ inventory_id: inventoryId });
    if (query.status) rows.andWhere({ status: query.status });
    if (query.search)
      rows.andWhere(`fold(unknown.code || E'\\n' || unknown.cleaned) LIKE search_pattern(:search)`, query);
    const page = await paginate(
      rows,
      query,
      {
        id: { by: 'unknown.id', type: 'bigint', of: (row) => row.id },
        times: { by: 'unknown.times', type: 'integer', of: (row) => row.times },
        last_seen: { by: 'unknown.last_at', type: 'timestamptz', of: (row) => row.last_at },
      },
      { changed: { by: 'unknown.changed_at', type: 'timestamptz', of: (row) => row.changed_at } },
    );
    if (page.rows.length === 0) await this.inventories.get(inventoryId); // 404 where there is no such session
    return { ...page, rows: await this.byIds(page.rows.map((row) => row.id)) };
  }

  /** With all that their answers show, in the order of the ids given. */
  async byIds(ids: number[]): Promise<UnknownCodeRow[]> {
    if (ids.length === 0) return [];
    const { manager } = this.codes;
    const rows = await this.codes.find({
      where: { id: In(ids) },
      relations: { first_reader: true, last_reader: true, decider: true, purchase: { article: true } },
    });
    const places = await manager.findBy(Location, { id: In(rows.flatMap((row) => row.location_ids)) });
    const place = new Map(places.map((one) => [one.id, toPlaceDto(one)]));
    const read = rows.flatMap(({ code }, n) => codeCandidates(code).map((candidate) => ({ n, candidate })));
    const deleted = await manager.query<{ n: number; purchase: ScannedPurchaseDto }[]>(
      `SELECT i.n, json_build_object('id', p.id, 'code', p.code,
         'article', json_build_object('id', a.id, 'name', a.name)) AS purchase
       FROM jsonb_to_recordset($1) AS i (n integer, candidate text)
       JOIN purchase_codes c ON c.code_key = code_key(i.candidate)
       JOIN purchases p ON p.id = c.purchase_id JOIN articles a ON a.id = p.article_id
       WHERE p.deleted_at IS NOT NULL`,
      [JSON.stringify(read)],
    );
    const gone = new Map(deleted.map(({ n, purchase }) => [rows[n]!.id, purchase]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      if (!row) return [];
      const locations = row.location_ids.flatMap((one) => place.get(one) ?? []);
      return [{ ...row, locations, deleted_purchase: gone.get(row.id) ?? null }];
    });
  }

  /**
   * Says on which purchase a code hangs. It is scanned as the code was read first, unless it was scanned already, and
   * later scans find it by this code, for ever.
   * @throws DomainError not-found, already-decided, session-closed; validation-failed where the purchase is not there
   * or the code is that of another
   */
  link(inventoryId: number, id: number, purchaseId: number, caller: Caller): Promise<UnknownCodeRow> {
    return this.decide(
      inventoryId,
      id,
      caller,
      'open',
      async (run, code) => {
        await linkTo(run, code, purchaseId);
        const { cleaned } = code;
        const asRead = { code: cleaned, cleaned, candidates: [cleaned] };
        await this.decisions.count(run, inventoryId, asRead, {
          counts_at: code.first_at,
          scanned_by: code.first_by,
          device_scanned_at: code.first_device_at,
          location_id: code.first_location_id,
          condition: code.first_condition,
          note: code.first_note,
          source: code.first_source,
          actor: caller,
        });
        await settle(run, id, 'linked', caller, { purchase_id: purchaseId });
        // No column of the purchase, in whose history it stands all the same.
        await record(asQueries(run), caller, {
          action: 'purchase.update',
          resource: 'purchase',
          resource_id: purchaseId,
          details: { linked_code: cleaned },
        });
        return { action: 'unknown_code.link', details: { code: code.cleaned, purchase_id: purchaseId } };
      },
      (run) => holdPurchase(run, purchaseId),
    );
  }

  /** @throws DomainError not-found, already-decided, session-closed */
  dismiss(inventoryId: number, id: number, reason: string, caller: Caller): Promise<UnknownCodeRow> {
    return this.decide(inventoryId, id, caller, 'open', async (run, code) => {
      await settle(run, id, 'dismissed', caller, { reason });
      return { action: 'unknown_code.dismiss', details: { code: code.cleaned, reason } };
    });
  }

  /**
   * Takes a dismissal back. A link stays, since scans find its purchase by the code.
   * @throws DomainError not-found, already-decided, session-closed
   */
  reopen(inventoryId: number, id: number, caller: Caller): Promise<UnknownCodeRow> {
    return this.decide(inventoryId, id, caller, 'dismissed', async (run, code) => {
      await settle(run, id, 'open', null, {});
      return { action: 'unknown_code.reopen', details: { code: code.cleaned } };
    });
  }

  private async decide(
    inventoryId: number,
    id: number,
    caller: Caller,
    from: UnknownStatus,
    work: (run: Run, code: UnknownCode) => Promise<{ action: string; details: object }>,
    before?: (run: Run) => Promise<DomainError | undefined>,
  ): Promise<UnknownCodeRow> {
    const row = {
      text: `SELECT * FROM inventory_unknown_codes WHERE inventory_id = $1 AND id = $2`,
      values: [inventoryId, id],
    };
    const isOpen = ({ status }: UnknownCode) => status === from;
    const none = scanMessages.none_unknown;
    await this.decisions.decide({ inventoryId, caller, before, row, none, isOpen }, work);
    return (await this.byIds([id]))[0] as UnknownCodeRow;
  }
}

/** @returns what is wrong where there is none */
async function holdPurchase(run: Run, id: number): Promise<DomainError | undefined> {
  const held = await run(`SELECT FROM purchases WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`, [
    id,
  ]);
  return held.rowCount === 0 ? invalid({ purchase_id: [say(contractMessages.not_found)] }) : undefined;
}

/** Makes a code one of a purchase's, and so the GIAI or GRAI that it says, which has other spellings. */
async function linkTo(run: Run, { code, cleaned }: UnknownCode, purchaseId: number): Promise<void> {
  if ([...cleaned].length > MAX_CODE)
    throw invalid({ purchase_id: [say(scanMessages.code_too_long, MAX_CODE)] });
  // Somebody may have brought a purchase since, which scans find before they look for this one.
  const isAnothers = await isTaken(asQueries(run), codeCandidates(code), purchaseId);
  const aliases = [...new Set([cleaned, standardKey(code) ?? cleaned])];
  const linked = await run(
    `INSERT INTO purchase_codes AS c (code_key, purchase_id, alias, is_linked)
     SELECT code_key(alias), $1::integer, alias, true FROM unnest($2::text[]) alias
     ON CONFLICT (code_key) DO UPDATE SET alias = excluded.alias, is_linked = true
       WHERE c.purchase_id = excluded.purchase_id`,
    [purchaseId, aliases],
  );
  if (isAnothers || linked.rowCount !== aliases.length)
    throw invalid({ purchase_id: [say(scanMessages.code_of_another)] });
}

async function settle(
  run: Run,
  id: number,
  status: UnknownStatus,
  by: Caller | null,
  { purchase_id = null, reason = null }: { purchase_id?: number | null; reason?: string | null },
): Promise<void> {
  await run(
    `UPDATE inventory_unknown_codes SET status = $2, purchase_id = $3, reason = $4,
       decided_at = CASE WHEN $5::integer IS NOT NULL THEN change_instant() END, decided_by = $5,
       changed_at = change_instant()
     WHERE id = $1`,
    [id, status, purchase_id, reason, by?.user_id ?? null],
  );
}
