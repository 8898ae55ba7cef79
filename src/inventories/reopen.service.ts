import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { asQueries } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { InventoriesService, hold, read } from './inventories.service.js';
import { inventoryMessages } from './inventories.messages.js';
import type { SessionRow } from './inventories.queries.js';

/** Opens sessions again that were closed too early. */
@Injectable()
export class ReopenService {
  constructor(private readonly inventories: InventoriesService) {}

  /**
   * Its set takes in what was bought or came back since it was closed and lets go of what was deleted or disposed of.
   * @throws DomainError session-open, session-superseded when a later one of the same scope is closed already
   */
  reopen(id: number, reason: string, caller: Caller): Promise<SessionRow> {
    return this.inventories.transaction(caller, async (run) => {
      // As in opening one: a purchase that is written meanwhile is either seen here or sees the session.
      await run(`SELECT pg_advisory_xact_lock(hashtext('inventories.open'))`);
      const { closed_at } = await hold(run, id);
      if (!closed_at) throw new DomainError('session-open');
      await checkLater(run, id);
      await followPurchases(run, id);
      await run(
        `SELECT open_counters($1, scanned, total) FROM (
           SELECT count(scan_id) AS scanned, count(*) AS total FROM inventory_lines WHERE inventory_id = $1) figures`,
        [id],
      );
      // Of an instant that whoever follows the session up to sync_horizon() cannot miss.
      await run(
        `UPDATE inventories SET closed_at = NULL, closed_by = NULL, final_scanned = NULL, final_total = NULL,
           reopened = reopened || jsonb_build_object(
             'at', to_char(change_instant() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'reason', $2::text, 'by', jsonb_build_object('id', $3::integer, 'name', $4::text))
         WHERE id = $1`,
        [id, reason, caller.user_id, caller.user_name],
      );
      for (const table of ['inventory_frozen', 'inventory_frozen_lines', 'inventory_frozen_locations'])
        await run(`DELETE FROM ${table} WHERE inventory_id = $1`, [id]);
      await record(asQueries(run), caller, {
        action: 'inventory.reopen',
        resource: 'inventory',
        resource_id: id,
        details: { reason, closed_at },
      });
      return read(run, id);
    });
  }
}

async function checkLater(run: Run, id: number): Promise<void> {
  const { rows } = await run<{ id: number }>(
    `SELECT o.id FROM inventories i JOIN inventories o
       ON (o.scope_location_ids, o.scope_category_ids) IS NOT DISTINCT FROM (i.scope_location_ids, i.scope_category_ids)
       AND (o.created_at, o.id) > (i.created_at, i.id)
     WHERE i.id = $1 AND o.closed_at IS NOT NULL AND o.deleted_at IS NULL
     ORDER BY o.id LIMIT 1`,
    [id],
  );
  if (rows[0])
    throw new DomainError('session-superseded', { detail: say(inventoryMessages.later_closed, rows[0].id) });
}

/**
 * What only came to be in its scope since belongs to it as little as while it was open. The purchases themselves count as
 * changed, since whoever catches up with what is missing may have been told of them while they were not in the set.
 */
async function followPurchases(run: Run, id: number): Promise<void> {
  const touched = (moved: string) =>
    `WITH moved AS (${moved} RETURNING purchase_id)
     UPDATE purchases SET location_id = location_id WHERE id IN (SELECT purchase_id FROM moved)`;
  await run(
    touched(
      `DELETE FROM inventory_lines l USING purchases p
       WHERE l.inventory_id = $1 AND l.scan_id IS NULL AND p.id = l.purchase_id
         AND (p.deleted_at IS NOT NULL OR p.disposed_on IS NOT NULL)`,
    ),
    [id],
  );
  await run(
    touched(
      `INSERT INTO inventory_lines (inventory_id, purchase_id)
       SELECT i.id, p.id FROM inventories i
       CROSS JOIN LATERAL expected_purchases(i.scope_location_ids, i.scope_category_ids) e
       JOIN purchases p ON p.id = e.id
       WHERE i.id = $1
         AND (num_nonnulls(i.scope_location_ids, i.scope_category_ids) = 0 OR p.created_at >= i.closed_at
           OR EXISTS (SELECT FROM purchase_joins j WHERE j.purchase_id = p.id AND j.at >= i.closed_at))
         AND NOT EXISTS (SELECT FROM inventory_lines l WHERE l.inventory_id = $1 AND l.purchase_id = p.id)
       ORDER BY p.id`,
    ),
    [id],
  );
  await run(
    `SELECT expect_scanned($1, array(SELECT purchase_id FROM inventory_unexpected WHERE inventory_id = $1))`,
    [id],
  );
}
