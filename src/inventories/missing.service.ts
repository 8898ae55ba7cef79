import { Injectable } from '@nestjs/common';
import { DomainError, invalid, unavailable } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Caller } from '../database/audit.js';
import type { Run } from '../database/sql.js';
import { DisposalsService } from '../purchases/disposals.service.js';
import { FreezeService } from './freeze.service.js';
import type { DisposeMissingDto, DisposedMissingDto } from './inventories.dto.js';
import { InventoriesService, read } from './inventories.service.js';
import { inventoryMessages } from './inventories.messages.js';

/** Settles what a session did not find. */
@Injectable()
export class MissingService {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly disposals: DisposalsService,
    private readonly freezing: FreezeService,
  ) {}

  /**
   * Disposes of things that a closed session did not find; all of them or none.
   * @throws DomainError not-found, session-open; validation-failed naming each that was not missing, or is gone;
   * unavailable where its report could not be kept first
   */
  async dispose(id: number, body: DisposeMissingDto, caller: Caller): Promise<DisposedMissingDto> {
    await this.freezing.freeze(id); // its report shows them as they were when it was closed
    const { purchase_ids: ids, ...fields } = body;
    return this.inventories.transaction(caller, async (run) => {
      // Before the session, as whoever opens it again takes it; as every writer of purchases does.
      await run(`SELECT pg_advisory_xact_lock_shared(hashtext('inventories.open'))`);
      await run(`SELECT FROM inventories WHERE id = $1 FOR SHARE`, [id]);
      if (!(await read(run, id)).closed_at)
        throw new DomainError('session-open', { detail: say(inventoryMessages.not_closed) });
      const frozen = await run(`SELECT FROM inventory_frozen WHERE inventory_id = $1`, [id]);
      if (frozen.rowCount === 0) throw unavailable();
      const missing = await missingOf(run, id, ids);
      const wrong = await this.disposals.disposeAll(run, ids, fields);
      for (const [at, one] of ids.entries())
        if (!missing.has(one) && !wrong.has(at)) wrong.set(at, say(inventoryMessages.not_missing));
      if (wrong.size > 0)
        throw invalid(
          Object.fromEntries(
            [...wrong]
              .sort(([one], [other]) => one - other)
              .map(([at, message]) => [`purchase_ids.${at}`, [message]]),
          ),
        );
      return { disposed: ids.length, purchase_ids: ids };
    });
  }
}

async function missingOf(run: Run, id: number, ids: number[]): Promise<Set<number>> {
  const { rows } = await run<{ purchase_id: number }>(
    `SELECT purchase_id FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = ANY ($2) AND scan_id IS NULL`,
    [id, ids],
  );
  return new Set(rows.map(({ purchase_id }) => purchase_id));
}
