import { DomainError, notFound } from '../common/errors.js';
import type { Run } from '../database/sql.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';

/** Holds this connection's part of the figures of an open session; false where there is none. */
export const holdCounter = async (run: Run, inventoryId: number): Promise<boolean> =>
  (
    await run(
      `SELECT FROM inventory_counters WHERE inventory_id = $1 AND shard = (SELECT counting_part()) FOR UPDATE`,
      [inventoryId],
    )
  ).rowCount === 1;

/**
 * Keeps a session from being closed until the transaction ends. After the purchase that is to be written, if any, and
 * before what belongs to the session: the order of all who write both.
 * @throws DomainError not-found, session-closed
 */
export async function holdOpen(run: Run, inventoryId: number): Promise<void> {
  if (await holdCounter(run, inventoryId)) return;
  const session = await run(`SELECT FROM inventories WHERE id = $1 AND deleted_at IS NULL`, [inventoryId]);
  throw session.rowCount === 1 ? new DomainError('session-closed') : notFound(inventoryMessages.none);
}
