import { ApiError, unwrap } from './answers.js';
import { KeptScans } from './kept.js';
import { idempotencyKey } from './key.js';
import type { QueueState, ScanFields, ScanQueueOptions } from './queue-options.js';
import { retryAfterMs } from './retry.js';
import type { ScanResultDto } from './schema.js';
import type { QueuedScan } from './storage.js';
import { withErrors } from './with-errors.js';

/** Results after which the service may judge the scan anew. */
const NOT_FINAL = ['session-closed', 'late'];
/** Errors that are final; of others, which later releases may have, nobody knows what they mean for the scan. */
const FINAL = ['unknown-code', 'refused', 'client-id-reused', 'undone'];
/** Whether nothing more is to be done for the scan; a queue sets others aside. */
export const isFinal = ({ reason, status }: ScanResultDto): boolean =>
  !NOT_FINAL.includes(reason) && (status !== 'error' || FINAL.includes(reason));

/** What setTimeout() can count to. */
const MAX_PAUSE = 2 ** 31 - 1;

/**
 * Keeps what a phone reads until the service has answered for it, and sends it in the order in which it was read, again
 * and again under the same client_id, by which the service records it once. Several queues may share a storage.
 */
export class ScanQueue {
  /** The session of the scans that are added from now on. */
  inventoryId: number;
  /** The sessions whose scans the service would not take when they were last sent (403, 404), and what it said. */
  readonly refused = new Map<number, ApiError>();
  private readonly kept: KeptScans;
  private now: QueueState = 'idle';
  private reason: unknown;
  private running: Promise<void> = Promise.resolve();
  private ending = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private notBefore = 0;
  private next = 0;
  private failures = 0;
  private atMost = Infinity;

  constructor(private readonly options: ScanQueueOptions) {
    this.inventoryId = options.inventoryId;
    this.kept = new KeptScans(options.storage, () => this.changed());
  }

  get state(): QueueState {
    return this.now;
  }

  /** Why it waits or has stopped: an ApiError with or without `problem`, or what fetch, the storage or the app threw. */
  get error(): unknown {
    return this.reason;
  }

  /** How many scans have no answer yet. */
  get waiting(): number {
    return this.kept.waiting().length;
  }

  /** When the oldest of these was read, in milliseconds; undefined where there is none. */
  get since(): number | undefined {
    return this.kept.waiting()[0]?.order;
  }

  /** When it sends again by itself, in milliseconds; undefined unless it waits. */
  get nextTry(): number | undefined {
    return this.now === 'waiting' ? this.next : undefined;
  }

  /** The scans that were set aside, in order; for retry(), correct() and discard(). */
  get aside(): QueuedScan[] {
    return this.kept.aside();
  }

  /** Resolves once the scan is in the storage, and sends it. Throws what the storage does: then it is not kept. */
  async add(code: string, fields: ScanFields = {}): Promise<QueuedScan> {
    const now = new Date();
    const item = { ...fields, code, scanned_at: now.toISOString() };
    const scan = { client_id: idempotencyKey(), order: now.getTime(), inventory_id: this.inventoryId, item };
    await this.kept.add(scan);
    this.wake();
    return scan;
  }

  /**
   * Sends what is there, and again where what is under way fails: to be called at the start, when the network or the user
   * is back, and after a login; else it sends by itself. Never throws; resolves when it is idle, waits or has stopped.
   */
  async send(): Promise<void> {
    this.kept.refresh();
    this.refused.clear();
    const isUnderWay = this.now === 'sending';
    if (this.now !== 'waiting' || Date.now() >= this.notBefore) await this.run();
    const isAgain = this.nextTry !== undefined && Date.now() >= this.notBefore;
    if (isUnderWay) await (isAgain ? this.run() : this.running);
  }

  /** Sends these of the scans that were set aside again, or all of them, such as after the session was reopened. */
  async retry(clientIds?: string[]): Promise<void> {
    await this.kept.again((scan) => clientIds?.includes(scan.client_id) ?? true);
    this.wake();
  }

  /** Changes a scan that was refused, and sends it again; none that the storage has no longer, or not as refused. */
  async correct(clientId: string, changes: Partial<QueuedScan['item']>): Promise<void> {
    await this.kept.again((scan) => scan.client_id === clientId && scan.errors !== undefined, changes);
    this.wake();
  }

  /** Forgets these scans, whatever has become of them. */
  discard(clientIds: string[]): Promise<void> {
    return this.kept.remove(clientIds);
  }

  /** Ends what it sends, and its pauses: once it has resolved nothing goes out till send(). What is added is still kept. */
  async stop(): Promise<void> {
    do {
      this.ending.abort();
      await this.running;
    } while (this.now === 'sending'); // what was added meanwhile has begun anew
    clearTimeout(this.timer);
    this.enter('stopped');
  }

  private wake(): void {
    if (this.now === 'idle' || [...this.refused.values()].includes(this.reason as ApiError)) void this.run();
  }

  /** One at a time: who comes meanwhile waits for the same end. */
  private run(): Promise<void> {
    if (this.now !== 'sending') {
      clearTimeout(this.timer);
      this.ending = new AbortController();
      this.atMost = Infinity;
      this.enter('sending');
      this.running = this.sendAll();
    }
    return this.running;
  }

  private async sendAll(): Promise<void> {
    try {
      while (!this.kept.isDone) {
        if (this.options.exclusively)
          await this.options.exclusively(() => this.sendShared(), this.ending.signal);
        else await this.sendKept();
      }
      this.enter('idle');
    } catch (error) {
      this.fail(error);
    }
  }

  private async sendKept(): Promise<void> {
    while (!this.kept.isDone) {
      await this.sendBatch();
      this.failures = 0;
    }
    await this.kept.writeRest();
  }

  /** What was sent before by those who had their turn is gone from the storage. */
  private async sendShared(): Promise<void> {
    this.ending.signal.throwIfAborted();
    this.kept.refresh();
    await this.sendKept();
  }

  private async sendBatch(): Promise<void> {
    const batch = await this.kept.select(() => this.oldest());
    const [refusal] = this.refused.values();
    if (batch.length === 0 && refusal && !this.kept.isDone) throw refusal;
    if (batch.length === 0) return;
    const call = this.options.client.POST('/api/v1/inventories/{id}/scans', {
      params: { path: { id: batch[0]!.inventory_id } },
      body: { scans: batch.map(({ client_id, item }) => ({ client_id, ...item })) },
      signal: this.ending.signal,
    });
    const answer = await unwrap(call).catch((error: unknown) => this.refusedOf(batch, error));
    if ('results' in answer) return this.settle(batch, answer.results);
    for (const scan of answer) await this.options.onRefused?.(scan);
    await this.kept.update(answer);
  }

  /** Those that have waited longest, of one session. Those of a session that is refused hold up no other. */
  private oldest(): QueuedScan[] {
    const waiting = this.kept.waiting().filter((scan) => !this.refused.has(scan.inventory_id));
    const size = Math.min(this.atMost, this.options.batchSize ?? 100);
    return waiting.filter((scan) => scan.inventory_id === waiting[0]!.inventory_id).slice(0, size);
  }

  private async settle(batch: QueuedScan[], results: ScanResultDto[]): Promise<void> {
    const byId = new Map(results.map((result) => [result.client_id, result]));
    const final: string[] = [];
    const open: QueuedScan[] = [];
    try {
      for (const scan of batch) {
        const result = byId.get(scan.client_id);
        if (!result) throw new Error(`The service has not answered for the scan ${scan.client_id}`);
        await this.options.onResult?.(scan, result);
        if (isFinal(result)) final.push(scan.client_id);
        else open.push({ ...scan, result });
      }
    } finally {
      await this.kept.remove(final); // first, since it makes room
      await this.kept.update(open);
    }
  }

  /** Which of the batch can never be recorded, with their errors; throws the error where it is about none of them. */
  private refusedOf(batch: QueuedScan[], error: unknown): QueuedScan[] {
    const { response, problem, message } = error instanceof ApiError ? error : ({} as Partial<ApiError>);
    const isTooLarge = response?.status === 413;
    // Together: the next ones are fewer, till it is known which one is too large by itself.
    if (isTooLarge) this.atMost = batch.length > 1 ? Math.floor(batch.length / 2) : Infinity;
    if (isTooLarge) return batch.length > 1 ? [] : [{ ...batch[0]!, errors: { scan: [message!] } }];
    const refused = withErrors(batch, problem?.errors ?? {});
    if (refused.length === 0) {
      if (problem?.status !== 403 && problem?.status !== 404) throw error;
      this.refused.set(batch[0]!.inventory_id, error as ApiError);
    }
    return refused;
  }

  /** Stops where the service refuses, since it would again; else waits. */
  private fail(error: unknown): void {
    if (this.ending.signal.aborted) return this.enter('stopped');
    const { response, problem } = error instanceof ApiError ? error : ({} as Partial<ApiError>);
    if (problem && problem.status < 500 && problem.status !== 429) return this.enter('stopped', error);
    const { delayMs = 500, maxDelayMs = 60_000 } = this.options;
    const told = response ? retryAfterMs(response) : 0;
    this.notBefore = Date.now() + told;
    // At random, so that phones which lost the service together do not come back together.
    const pause = told + Math.random() * Math.min(maxDelayMs, delayMs * 2 ** this.failures++);
    this.next = Date.now() + pause;
    this.timer = setTimeout(() => void this.run(), Math.min(pause, MAX_PAUSE));
    this.enter('waiting', error);
  }

  private enter(state: QueueState, error?: unknown): void {
    this.now = state;
    this.reason = error;
    this.changed();
  }

  /** Later, so that what the app does then is none of the queue's failures. */
  private changed(): void {
    void Promise.resolve(this).then(this.options.onChange);
  }
}
