import type { RecenseClient } from './index.js';
import type { ScanQueue } from './queue.js';
import type { ScanItemDto, ScanResultDto } from './schema.js';
import type { QueuedScan, ScanStorage } from './storage.js';

/** What goes with a code: `condition`, `note` and whatever else a scan may say. */
export type ScanFields = Omit<ScanItemDto, 'client_id' | 'code' | 'scanned_at'>;

/**
 * `idle`: nothing is left to send; `sending`; `waiting`: the network or the service is away, and it sends again by
 * itself; `stopped`: the service refuses, or stop() was called, and it sends again after send().
 */
export type QueueState = 'idle' | 'sending' | 'waiting' | 'stopped';

export interface ScanQueueOptions {
  client: RecenseClient;
  storage: ScanStorage;
  /** The session that is scanned for; each scan keeps the one in which it was read. */
  inventoryId: number;
  /** How many scans go in one request, 1 to 1 000: 100 unless told otherwise. */
  batchSize?: number;
  /** The longest first pause, in milliseconds: 500 unless told otherwise. It doubles with every failure. */
  delayMs?: number;
  /** The longest pause of all, but for what Retry-After asks, in milliseconds: 60 000 unless told otherwise. */
  maxDelayMs?: number;
  /**
   * Told each result, in the order of the scans. The scan leaves the storage once this is done: where it throws, or the
   * app dies, the same result comes again. It must not wait for send() or stop(), which wait for it.
   */
  onResult?: (scan: QueuedScan, result: ScanResultDto) => unknown;
  /** Told each scan that is set aside because it can never be recorded as it is: `scan.errors` says why. As onResult. */
  onRefused?: (scan: QueuedScan) => unknown;
  /**
   * Where several tabs share the storage: runs `send` while none of the others does, such as by
   * `navigator.locks.request('scans', { signal }, send)`. Without it they may send the same scans at once, which the
   * service records once all the same. `signal` ends with stop().
   */
  exclusively?: (send: () => Promise<void>, signal: AbortSignal) => Promise<unknown>;
  /** Told whenever the state or what it keeps has changed. */
  onChange?: (queue: ScanQueue) => unknown;
}
