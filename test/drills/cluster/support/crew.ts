import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryingFetch } from '../../../../clients/typescript/src/index.js';
import { until } from '../../../support/process.js';
import { Phone } from '../../support/phones.js';
import type { Acknowledged, Told } from '../../support/phones.js';
import type { World } from '../../support/world.js';

/** Between two scans of a phone, on average. */
const PACE_MS = 200;

const running = new Set<Crew>();

/** After a test that failed: phones would go on for ever. */
export const stopCrews = async (): Promise<void> => {
  await Promise.all([...running].map((crew) => crew.stop()));
};

/**
 * Phones that scan one code after the other, each until it is answered 200, and repeat as the TypeScript client does:
 * by its own code. Every other one names its scans by a `client_id`.
 */
export class Crew {
  readonly acknowledged: Acknowledged[] = [];
  /** Every answer that was no 200, and every request without one. */
  readonly failures: Told[] = [];
  /** Answers that say somebody else had scanned what was sent by one phone alone. */
  readonly strange: Told[] = [];
  /** When each phone was answered 200, by performance.now(). */
  private readonly answered: number[][];
  private readonly queue: string[];
  private isStopped = false;
  private readonly work: Promise<unknown>;

  /** Begins at once. `url` is asked by each phone for each request. */
  constructor(
    private readonly world: Pick<World, 'session' | 'phones' | 'codes'>,
    private readonly url: (nth: number) => string,
  ) {
    this.queue = [...world.codes];
    this.answered = world.phones.map(() => [performance.now()]);
    running.add(this);
    this.work = Promise.all(world.phones.map((token, nth) => this.run(token, nth)));
  }

  /** Resolves when so many more scans were acknowledged. */
  async goesOn(count: number, patience = 60_000): Promise<void> {
    const before = this.acknowledged.length;
    await until(() => this.acknowledged.length >= before + count, patience);
  }

  /** Resolves when each phone was answered 200 after `instant`. */
  async isWholeSince(instant: number, patience = 60_000): Promise<void> {
    await until(() => this.answered.every((times) => times.at(-1)! > instant), patience);
  }

  /** Each ends what it is sending, and waits for its turn to send it again, if it must: seconds, while nobody answers. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.work;
    running.delete(this);
  }

  /** The longest time since `instant` in which nobody was answered 200, in milliseconds. */
  outage(instant: number): number {
    return longestGap(this.answered.flat(), instant);
  }

  /** The same for the phone that waited for longest. */
  longestWait(instant: number): number {
    return Math.max(...this.answered.map((times) => longestGap(times, instant)));
  }

  private async run(token: string, nth: number): Promise<void> {
    const phone = new Phone(token, () => this.url(nth));
    await sleep(Math.random() * PACE_MS);
    for (let code = this.queue.pop(); code && !this.isStopped; code = this.queue.pop()) {
      await this.record(phone, nth, nth % 2 ? { code, client_id: randomUUID() } : { code });
      await sleep(Math.random() * 2 * PACE_MS);
    }
    phone.hangUp();
  }

  private async record(phone: Phone, nth: number, scan: { code: string; client_id?: string }): Promise<void> {
    const tries: Told[] = [];
    const sendAgain = retryingFetch({
      fetch: async () => {
        if (this.isStopped && tries.length > 0) return Response.json({}); // which ends the tries
        const told = await phone.send('POST', `/inventories/${this.world.session}/scan`, scan);
        tries.push(told);
        if (told.status !== 200) this.failures.push(told);
        return toResponse(told);
      },
    });
    while (tries.at(-1)?.status !== 200 && !this.isStopped) {
      await sendAgain(new Request('http://service/scan', { method: 'POST' })).catch(() => undefined);
    }
    const last = tries.at(-1);
    if (last?.status === 200) this.note(nth, scan.code, last, tries.length > 1);
  }

  private note(nth: number, code: string, told: Told, isRepeated: boolean): void {
    this.answered[nth]!.push(told.at + told.ms);
    const { status, scanned_at, first_scan } = told.body as {
      status: string;
      scanned_at: string;
      first_scan?: { by: { name: string } };
    };
    this.acknowledged.push({ code, status, scannedAt: scanned_at });
    // A phone may find what itself has scanned, where the answer to that was lost; its name is its number.
    const isOwn = first_scan?.by.name === `phone${nth + 1}`;
    if (status !== 'success' && !(isRepeated && isOwn)) this.strange.push(told);
  }
}

function toResponse({ status, error, body, retryAfter }: Told): Response {
  if (status === 0) throw new Error(error);
  return Response.json(body, { status, headers: retryAfter ? { 'Retry-After': retryAfter } : {} });
}

/** Between those that are neighbours, of which the later one is after `instant`. */
function longestGap(times: number[], instant: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(0, ...sorted.slice(1).map((time, n) => (time > instant ? time - sorted[n]! : 0)));
}
