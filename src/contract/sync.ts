import type { DataSource } from 'typeorm';
import { parseInstant } from '../common/dates.js';
import { complain, invalid, noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';

/** The parameters of a list that go with `updated_since`. */
interface SyncQuery {
  updated_since?: string;
  include_deleted?: boolean;
  cursor?: string;
  per_page?: number;
}

/** What a list reads to tell its changes: from one instant on, and up to another that no late commit can undercut. */
export interface SyncWindow {
  from: Date;
  until: Date;
}

/**
 * The window of a list that is asked with `updated_since`; null without.
 *
 * A row that is changed now is seen when its transaction commits, perhaps long after, and its `updated_at` is of the
 * past by then. So nothing newer than the oldest change under way is answered: sync_horizon() in the migrations. It
 * must be asked in a statement of its own before the rows are read, which see only what was committed by then.
 * @throws DomainError validation-failed for parameters that cannot be combined
 */
export async function syncWindow(database: DataSource, query: SyncQuery): Promise<SyncWindow | null> {
  const { updated_since, include_deleted, cursor: _, per_page: __, ...others } = query;
  if (updated_since === undefined) {
    if (include_deleted) throw invalid({ include_deleted: [say(contractMessages.needs_updated_since)] });
    return null;
  }
  // With a filter, a row that no longer fits it would neither be answered nor be among the deleted.
  const errors = noErrors();
  complain(errors, Object.keys(others), say(contractMessages.not_with_updated_since));
  refuseInvalid(errors);
  const [row] = await database.query<{ until: Date; now: Date }[]>(
    `SELECT sync_horizon() AS until, clock_timestamp() AS now`,
  );
  const { until, now } = row as { until: Date; now: Date };
  const from = parseInstant(updated_since) as Date;
  // A phone whose clock is ahead must not skip what changes until then.
  return { from: from > now ? until : from, until };
}

/** The instant from which to ask the next time. */
export function syncedUntil({ from, until }: SyncWindow, lastOfMore: Date | null): Date {
  if (lastOfMore) return lastOfMore > from ? lastOfMore : from;
  return until > from ? until : from;
}

/** What is left of a row that was deleted. */
export interface Tombstone {
  id: number;
  deleted_at: Date;
}

/** Tells the rows of a page from those that are deleted. */
export function splitDeleted<Row extends { id?: number; deleted_at?: Date | null }>(
  rows: Row[],
): { rows: Row[]; deleted: Tombstone[] } {
  const deleted = rows.flatMap(({ id, deleted_at }) =>
    id !== undefined && deleted_at ? [{ id, deleted_at }] : [],
  );
  return { rows: rows.filter((row) => !row.deleted_at), deleted };
}
