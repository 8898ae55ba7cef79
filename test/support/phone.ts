/* eslint-disable @typescript-eslint/no-explicit-any -- rows are held, not typed */
import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { readByCursor, withQuery } from './factories.js';
import { until } from './process.js';

/** Before everything. */
export const EVER = '0001-01-01T00:00:00Z';

interface CatchUp {
  perPage?: number;
  /** Runs after each page but the last. */
  between?: () => Promise<unknown>;
  /** Whether to go on after a page; if not, the next time begins there. */
  goesOn?: () => boolean;
}

/** Holds a list as a phone does offline: all that it was told, caught up with what has changed since. */
export class Phone {
  private readonly rows = new Map<number, any>();
  /** All deletions that it was told of. */
  readonly deleted: { id: number; deleted_at: string }[] = [];
  private since = EVER;
  /** The last `synced_until`. */
  until = EVER;

  /** It asks from `synced_until` on, or from the newest change that it has seen. */
  constructor(
    readonly client: Client,
    readonly path: string,
    private readonly from: 'synced_until' | 'updated_at' = 'synced_until',
  ) {}

  /** Resolves to the ids of what it was told, in that order. */
  async catchUp({ perPage = 200, between, goesOn = () => true }: CatchUp = {}): Promise<number[]> {
    const query = `updated_since=${this.since}&include_deleted=true&per_page=${perPage}`;
    const told: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body, text } = await this.client.get(withQuery(this.path, `${query}&cursor=${cursor}`));
      if (status !== 200) throw new Error(`GET ${this.path}: ${text}`);
      told.push(...this.take(body));
      cursor = goesOn() ? (body.meta.next_cursor as string | null) : null;
      if (cursor !== null) await between?.();
    }
    this.since = this.from === 'synced_until' ? this.until : this.newest();
    return told;
  }

  /** Catches up until it has been told of all that is committed by now. */
  async settle({ database }: Pick<TestApp, 'database'>): Promise<number[]> {
    const [row] = await database.query<{ now: Date }>(`SELECT clock_timestamp() + interval '1 ms' AS now`);
    const told: number[] = [];
    await until(async () => {
      told.push(...(await this.catchUp()));
      return this.until >= row!.now.toISOString();
    });
    return told;
  }

  private take({ data, deleted, meta }: any): number[] {
    if (meta.synced_until < this.since) throw new Error(`Back from ${this.since} to ${meta.synced_until}`);
    for (const row of data) this.rows.set(row.id, row);
    for (const { id } of deleted) this.rows.delete(id);
    this.deleted.push(...deleted);
    this.until = meta.synced_until;
    return data.map((row: any) => row.id);
  }

  private newest(): string {
    return this.held().reduce(
      (newest, row) => (row.updated_at > newest ? row.updated_at : newest),
      this.since,
    );
  }

  row(id: number): any {
    return this.rows.get(id);
  }

  /** What it holds, in the order of the ids. */
  held(): any[] {
    return [...this.rows.values()].sort((a, b) => a.id - b.id);
  }

  /** The list as the service has it. */
  list(): Promise<any[]> {
    return readByCursor(this.client, withQuery(this.path, 'per_page=200'));
  }
}
