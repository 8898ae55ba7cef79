import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '../common/errors.js';
import { Env } from '../config/env.js';
import type { DeletedDto } from '../contract/openapi.js';
import { record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { Sql, asQueries } from '../database/sql.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { scanMessages } from './scans.messages.js';

interface Undone {
  purchase_id: number;
  scanned_by: number;
  client_id: string | null;
  is_gone: boolean;
}

/** Takes scans back, while their session is open. */
@Injectable()
export class UndoService {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /**
   * The purchase is missing again; one that was deleted since leaves the session.
   * @throws DomainError not-found, session-closed, forbidden for the scan of another unless all may be reviewed
   */
  async undo(inventoryId: number, scanId: number, caller: Caller, mayReview: boolean): Promise<DeletedDto> {
    const { closed_at } = await this.inventories.get(inventoryId);
    if (closed_at) throw new DomainError('session-closed');
    const limit = this.env.DATABASE_TIMEOUT_MS;
    await this.sql.transaction(caller, { statement: limit, lock: limit }, async (run) => {
      // The same order as that of whoever deletes a purchase and of whoever scans: the purchase, the counter, the line.
      const scanned = await run<Undone>(
        `SELECT l.purchase_id, l.scanned_by, l.client_id, p.deleted_at IS NOT NULL AS is_gone
         FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
         WHERE l.inventory_id = $1 AND l.scan_id = $2 FOR SHARE OF p`,
        [inventoryId, scanId],
      );
      const scan = scanned.rows[0];
      if (!scan) throw notFound(scanMessages.none);
      if (scan.scanned_by !== caller.user_id && !mayReview) throw new DomainError('forbidden');
      const counted = await run(
        `UPDATE inventory_counters SET scanned = scanned - 1, total = total - $2
         WHERE inventory_id = $1 AND shard = pg_backend_pid() % 16`,
        [inventoryId, scan.is_gone ? 1 : 0],
      );
      if (counted.rowCount === 0) throw new DomainError('session-closed');
      const line = await run(
        scan.is_gone
          ? `DELETE FROM inventory_lines WHERE inventory_id = $1 AND scan_id = $2`
          : `UPDATE inventory_lines
             SET scan_id = NULL, scanned_at = NULL, scanned_by = NULL, client_id = NULL, device_scanned_at = NULL,
               condition = NULL, note = NULL
             WHERE inventory_id = $1 AND scan_id = $2`,
        [inventoryId, scanId],
      );
      if (line.rowCount === 0) throw notFound(scanMessages.none); // somebody else was faster
      await run(
        `INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by)
         VALUES ($1, $2, $3, change_instant(), $4)`,
        [inventoryId, scanId, scan.purchase_id, caller.user_id],
      );
      await run(
        `UPDATE inventory_answers
         SET answer = answer || '{"reason": "undone", "scan_id": null}'
         WHERE inventory_id = $1 AND client_id = $2`,
        [inventoryId, scan.client_id],
      );
      const { purchase_id, scanned_by } = scan;
      await record(asQueries(run), caller, {
        action: 'scan.undo',
        resource: 'inventory',
        resource_id: inventoryId,
        details: { scan_id: scanId, purchase_id, scanned_by },
      });
    });
    return { id: scanId, deleted: true };
  }
}
