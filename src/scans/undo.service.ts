import { Injectable } from '@nestjs/common';
import { DomainError, notFound, notTheirs } from '../common/errors.js';
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
  is_expected: boolean;
  is_gone: boolean;
}

/** What takes a scan back; its session's line stays as long as its purchase does. */
function undoing({ is_expected, is_gone }: Undone): string {
  const ofScan = 'WHERE inventory_id = $1 AND scan_id = $2';
  if (!is_expected) return `DELETE FROM inventory_unexpected ${ofScan}`;
  if (is_gone) return `DELETE FROM inventory_lines ${ofScan}`;
  return `UPDATE inventory_lines
    SET scan_id = NULL, scanned_at = NULL, scanned_by = NULL, client_id = NULL, device_scanned_at = NULL,
      location_id = NULL, condition = NULL, note = NULL, source = NULL, recorded_at = NULL ${ofScan}`;
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
   * The purchase is missing again; one that was deleted or disposed of since leaves the session.
   * @throws DomainError not-found, session-closed, forbidden for the scan of another unless all may be reviewed
   */
  async undo(inventoryId: number, scanId: number, caller: Caller, mayReview: boolean): Promise<DeletedDto> {
    const { closed_at } = await this.inventories.get(inventoryId);
    if (closed_at) throw new DomainError('session-closed');
    await this.sql.transaction(caller, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run) => {
      // The same order as that of whoever deletes a purchase and of whoever scans: the purchase, the counter, the line.
      const scanned = await run<Undone>(
        `SELECT s.purchase_id, s.scanned_by, s.client_id, s.is_expected, num_nonnulls(p.deleted_at, p.disposed_on) > 0 AS is_gone
         FROM (
           SELECT purchase_id, scanned_by, client_id, true AS is_expected FROM inventory_lines
           WHERE inventory_id = $1 AND scan_id = $2
           UNION ALL
           SELECT purchase_id, scanned_by, client_id, false FROM inventory_unexpected
           WHERE inventory_id = $1 AND scan_id = $2
         ) s JOIN purchases p ON p.id = s.purchase_id FOR SHARE OF p`,
        [inventoryId, scanId],
      );
      const scan = scanned.rows[0];
      if (!scan) throw notFound(scanMessages.none);
      if (scan.scanned_by !== caller.user_id && !mayReview)
        throw notTheirs({ resource: 'inventory', resource_id: inventoryId, details: { scan_id: scanId } });
      const counted = await run(
        `UPDATE inventory_counters SET scanned = scanned - $2, total = total - $3
         WHERE inventory_id = $1 AND shard = (SELECT counting_part())`,
        [inventoryId, Number(scan.is_expected), Number(scan.is_expected && scan.is_gone)],
      );
      if (counted.rowCount === 0) throw new DomainError('session-closed');
      const undone = await run(undoing(scan), [inventoryId, scanId]);
      if (undone.rowCount === 0) throw notFound(scanMessages.none); // somebody else was faster
      await run(`DELETE FROM inventory_misplaced WHERE inventory_id = $1 AND scan_id = $2`, [
        inventoryId,
        scanId,
      ]);
      await run(
        `INSERT INTO inventory_undone_scans (inventory_id, scan_id, purchase_id, undone_at, undone_by)
         VALUES ($1, $2, $3, change_instant(), $4)`,
        [inventoryId, scanId, scan.purchase_id, caller.user_id],
      );
      await run(
        `UPDATE inventory_answers
         SET answer = answer || '{"reason": "undone", "scan_id": null}'
         WHERE inventory_id = $1 AND (client_id = $2 OR repeats = $3)`,
        [inventoryId, scan.client_id, scanId],
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
