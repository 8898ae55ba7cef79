import { randomUUID } from 'node:crypto';
import type { Client } from './client.js';

/** A thing as the test knows it to be, whatever the books say. */
export interface Thing {
  code: string;
  /** By the books, and where it really is: null where nobody will find it. */
  room: string;
  stands: string | null;
  /** Where the books have it once somebody has said that it belongs where it was found. */
  moved?: string;
  /** What its label says, where that is another code than the books have. */
  label?: string;
  price: number;
  category: string;
}

/** The same numbers each time, of 0 to 1. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Read {
  client_id: string;
  code: string;
  scanned_at: string;
  location_id?: number;
  note?: string;
  condition?: string;
}

/** A phone on a network that loses what it sends or is answered, with a clock of its own. */
export class Phone {
  readonly reads: Read[] = [];
  /** The last answer to each of its messages. */
  readonly answers = new Map<string, { reason: string; scan_id: number | null }>();

  constructor(
    private readonly client: Client,
    private readonly session: number,
    private readonly clockMs: number,
    private readonly chance: () => number,
  ) {}

  read(code: string, more: Partial<Read> = {}): Read {
    const scanned_at = new Date(Date.now() + this.clockMs).toISOString();
    const read = { client_id: randomUUID(), code, scanned_at, ...more };
    this.reads.push(read);
    return read;
  }

  /** Sends all that it has read, in batches of its own sizes, each until it is answered, and some of them again. */
  async send(): Promise<void> {
    for (let at = 0; at < this.reads.length;) {
      const batch = this.reads.slice(at, at + 1 + Math.floor(this.chance() * 8));
      at += batch.length;
      await this.untilAnswered(batch);
      if (this.chance() < 0.2) await this.untilAnswered(this.reads.slice(0, at).toReversed());
    }
  }

  private async untilAnswered(scans: Read[]): Promise<void> {
    for (;;) {
      const answer = await this.client
        .post(`/inventories/${this.session}/scans`, { scans })
        .catch(() => null);
      if (answer?.status !== 200) continue;
      for (const result of answer.body.results) this.answers.set(result.client_id, result);
      return;
    }
  }
}
