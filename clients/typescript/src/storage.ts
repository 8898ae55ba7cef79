import type { ScanItemDto, ScanResultDto } from './schema.js';

/** A scan that the queue keeps: plain JSON. */
export interface QueuedScan {
  /** Made at the moment of reading, and what the storage knows it by. */
  client_id: string;
  /** It goes before those with a greater one: the instant of reading in milliseconds, but that it never falls. */
  order: number;
  /** The session in which it was read. */
  inventory_id: number;
  /** What is sent of it. */
  item: Omit<ScanItemDto, 'client_id'>;
  /** Of one set aside: the answer that is not final: `session-closed`, `late`, or an error that this release does not know. */
  result?: ScanResultDto;
  /** Of one set aside: why it is no scan, by field; under `scan` what is wrong with it as a whole. */
  errors?: Record<string, string[]>;
}

/**
 * Where a queue keeps its scans: a table of IndexedDB, or one key each in AsyncStorage or localStorage. What a call has
 * resolved for outlives the app.
 */
export interface ScanStorage {
  /** Everything, in any order. */
  load(): Promise<QueuedScan[]>;
  /** Writes these, each in place of the one with its client_id. */
  put(scans: QueuedScan[]): Promise<unknown>;
  /** Forgets these; one that is not there is no error. */
  remove(clientIds: string[]): Promise<unknown>;
}

/** For tests and examples: it forgets everything with the app. */
export class MemoryStorage implements ScanStorage {
  private readonly scans = new Map<string, QueuedScan>();

  load(): Promise<QueuedScan[]> {
    return Promise.resolve([...this.scans.values()]);
  }

  put(scans: QueuedScan[]): Promise<void> {
    for (const scan of scans) this.scans.set(scan.client_id, scan);
    return Promise.resolve();
  }

  remove(clientIds: string[]): Promise<void> {
    for (const id of clientIds) this.scans.delete(id);
    return Promise.resolve();
  }
}
