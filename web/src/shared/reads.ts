import { isFinal } from '@recense/client';
import type { QueuedScan, ScanResultDto } from '@recense/client';
import { database, write } from './store.js';
import type { StoredRead } from './store.js';

/** How many reads of a session are kept, and may be undone. */
export const SHOWN_READS = 20;

/** Newest first. Where nothing can be kept there are none: the page has its own. */
export async function readsOf<Read extends StoredRead>(userId: number, sessionId: number): Promise<Read[]> {
  try {
    const rows = await (await database()).getAllFromIndex('reads', 'session', [userId, sessionId]);
    return rows.sort((a, b) => b.at - a.at).slice(0, SHOWN_READS) as Read[];
  } catch {
    return [];
  }
}

export async function keepReads(rows: StoredRead[], gone: StoredRead[] = []): Promise<void> {
  try {
    await write((to) => {
      for (const row of rows) void to.objectStore('reads').put(row);
      for (const { client_id } of gone) void to.objectStore('reads').delete(client_id);
    });
  } catch {
    // they are known until the page is closed
  }
}

/** Those of which the service has not said all, wherever the page is meanwhile. */
export async function settleRead(scan: QueuedScan, result: ScanResultDto | undefined): Promise<void> {
  try {
    const row = await (await database()).get('reads', scan.client_id);
    if (row) await keepReads([settled(row, scan, result)]);
  } catch {
    // as above
  }
}

export function settled<Read extends StoredRead>(
  read: Read,
  { errors }: QueuedScan,
  result: ScanResultDto | undefined,
): Read {
  if (read.state === 'undone') return read;
  const { errors: _, ...before } = read;
  if (!result) return { ...read, state: 'aside', ...(errors && { errors }) };
  return { ...(before as Read), state: isFinal(result) ? 'done' : 'aside', result };
}
