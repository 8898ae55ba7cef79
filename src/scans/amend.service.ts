import { Injectable } from '@nestjs/common';
import { notFound, notTheirs } from '../common/errors.js';
import { Env } from '../config/env.js';
import { record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { Sql, asQueries } from '../database/sql.js';
import type { Condition } from '../inventories/inventory-line.entity.js';
import { holdOpen } from './open-session.js';
import type { UpdateScanDto } from './scan-requests.dto.js';
import { scanMessages } from './scans.messages.js';

/** What a scan says of a thing beside that it was there. */
export interface Remarks {
  id: number;
  condition: Condition | null;
  note: string | null;
}

interface Held extends Omit<Remarks, 'id'> {
  table: 'inventory_lines' | 'inventory_unexpected';
  scanned_by: number;
}

/** Changes what was said of a thing when it was scanned, while the session is open. */
@Injectable()
export class AmendService {
  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /**
   * Whoever follows the session is told of the scan again, since it is recorded anew.
   * @throws DomainError not-found, session-closed, forbidden for the scan of another unless all may be reviewed
   */
  async amend(
    inventoryId: number,
    scanId: number,
    { condition, note }: UpdateScanDto,
    caller: Caller,
    mayReview: boolean,
  ): Promise<Remarks> {
    return this.sql.transaction(caller, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run) => {
      await holdOpen(run, inventoryId);
      const scanned = await run<Held>(
        `SELECT 'inventory_lines' AS table, scanned_by, condition, note FROM inventory_lines
         WHERE inventory_id = $1 AND scan_id = $2
         UNION ALL
         SELECT 'inventory_unexpected', scanned_by, condition, note FROM inventory_unexpected
         WHERE inventory_id = $1 AND scan_id = $2`,
        [inventoryId, scanId],
      );
      const held = scanned.rows[0];
      if (!held) throw notFound(scanMessages.none);
      if (held.scanned_by !== caller.user_id && !mayReview)
        throw notTheirs({ resource: 'inventory', resource_id: inventoryId, details: { scan_id: scanId } });
      const before = { condition: held.condition, note: held.note };
      const after = {
        ...before,
        ...(condition !== undefined && { condition }),
        ...(note !== undefined && { note }),
      };
      if (after.condition === before.condition && after.note === before.note) return { id: scanId, ...after };
      const changed = await run(
        `UPDATE ${held.table} SET condition = $3, note = $4, recorded_at = change_instant()
         WHERE inventory_id = $1 AND scan_id = $2`,
        [inventoryId, scanId, after.condition, after.note],
      );
      if (changed.rowCount === 0) throw notFound(scanMessages.none); // somebody has undone it meanwhile
      await record(asQueries(run), caller, {
        action: 'scan.change',
        resource: 'inventory',
        resource_id: inventoryId,
        details: { scan_id: scanId, before, after },
      });
      return { id: scanId, ...after };
    });
  }
}
