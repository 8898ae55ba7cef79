import { TimeoutError, unwrap } from '@recense/client';
import type { PackHeadDto, PackedPurchaseDto } from '@recense/client';
import { codeCandidates } from '../../../src/purchases/code.js';
import { api } from './api.js';
import { keyOf } from './codes.js';
import { database, write } from './store.js';
import type { Thing } from './store.js';

/** A line of a pack: what there is, or what is gone. */
type Line = PackedPurchaseDto | { id: number; deleted_at: string };

/** Sessions of which a device keeps the things. */
const KEPT = 3;
/** A connection on which nothing comes for as long is dead, in milliseconds: the pack is asked for again later. */
const SILENT_MS = 30_000;
/** Rows that are written in one transaction: what is read meanwhile waits for it. */
const BATCH = 500;

/** What a session expects and whatever else there is, so that a scan is answered without a network. */
export class Pack {
  head: PackHeadDto | undefined;
  private readonly things = new Map<number, Thing>();
  private readonly byKey = new Map<string, Thing>();
  /** When things were read here, of which the service has not said anything yet. */
  private readonly read = new Map<number, string>();
  private renewing: Promise<void> | undefined;

  constructor(readonly sessionId: number) {}

  get size(): number {
    return this.things.size;
  }

  /** What the service would find for what was read. */
  find(scanned: string): Thing | undefined {
    for (const candidate of codeCandidates(scanned)) {
      const thing = this.byKey.get(keyOf(candidate));
      if (thing) return thing;
    }
    return undefined;
  }

  thing(id: number): Thing | undefined {
    return this.things.get(id);
  }

  all(): Iterable<Thing> {
    return this.things.values();
  }

  put(thing: Thing): void {
    this.drop(thing.id);
    this.things.set(thing.id, thing);
    for (const code of [thing.code, ...thing.aliases]) this.byKey.set(keyOf(code), thing);
  }

  drop(id: number): void {
    const thing = this.things.get(id);
    if (!thing) return;
    this.things.delete(id);
    // A label may be another thing's since.
    for (const key of [thing.code, ...thing.aliases].map(keyOf))
      if (this.byKey.get(key) === thing) this.byKey.delete(key);
  }

  /** What this device knows of a thing before the service does; kept for the next start. */
  async mark(id: number, changes: Partial<Pick<Thing, 'scanned_at' | 'location_id'>>): Promise<void> {
    const thing = this.things.get(id);
    if (!thing) return;
    if (changes.scanned_at) this.read.set(id, changes.scanned_at);
    Object.assign(thing, changes);
    await this.keep(thing);
  }

  /** What the service has said of it. */
  async settle(id: number, scanned_at: string | null): Promise<void> {
    const thing = this.things.get(id);
    this.read.delete(id);
    if (!thing || thing.scanned_at === scanned_at) return;
    thing.scanned_at = scanned_at;
    await this.keep(thing);
  }

  private async keep(thing: Thing): Promise<void> {
    try {
      await write((to) => void to.objectStore('things').put(thing));
    } catch {
      // it is known until the page is closed
    }
  }

  /** What was kept the last time; false where nothing was. */
  async restore(): Promise<boolean> {
    try {
      const db = await database();
      const head = await db.get('packs', this.sessionId);
      if (!head) return false;
      for (const thing of await db.getAllFromIndex('things', 'session_id', this.sessionId)) this.put(thing);
      this.head = head;
      return true;
    } catch {
      return false;
    }
  }

  /** What has changed since, or everything. `progress` is told how many lines there were. @throws ApiError */
  renew(progress: (lines: number) => void, signal: AbortSignal): Promise<void> {
    this.renewing ??= this.alone(() => this.load(progress, signal), signal).finally(
      () => (this.renewing = undefined),
    );
    return this.renewing;
  }

  /** By one page at a time, where the browser can tell: who begins anew forgets what another one has written. */
  private alone(load: () => Promise<void>, signal: AbortSignal): Promise<void> {
    if (!('locks' in navigator)) return load();
    return navigator.locks.request(`pack ${this.sessionId}`, { signal }, load);
  }

  private async load(progress: (lines: number) => void, signal: AbortSignal): Promise<void> {
    if (!this.head) await this.restore(); // another page may have loaded it meanwhile
    const since = this.head?.synced_until;
    // What an earlier try has left may be gone meanwhile.
    if (since === undefined) await forget([this.sessionId]);
    const data = await unwrap(
      api.GET('/api/v1/inventories/{id}/pack', {
        params: { path: { id: this.sessionId }, query: since === undefined ? {} : { updated_since: since } },
        parseAs: 'stream',
        signal,
      }),
    );
    if (!data) throw new Error('The pack has no body');
    let lines = 0;
    let head: PackHeadDto | undefined;
    let isKept = true;
    for await (const batch of batches(data)) {
      head ??= batch.shift() as unknown as PackHeadDto;
      isKept = (await this.take(batch)) && isKept;
      progress((lines += batch.length));
    }
    // Only now: a pack that broke off is asked for again from where it began.
    this.head = head;
    if (head && isKept) await this.keepHead(head, since);
    if (since === undefined) await forgetOld();
  }

  /** Only where all before it is kept: after what did not fit, or was forgotten, the next start asks for it again. */
  private async keepHead(head: PackHeadDto, since = ''): Promise<void> {
    try {
      await write((to) => {
        const packs = to.objectStore('packs');
        // What fails ends the transaction, which says so.
        packs.get(this.sessionId).then(
          (kept) => void ((kept?.synced_until ?? '') >= since && packs.put(head, this.sessionId)),
          () => undefined,
        );
      });
    } catch {
      // it is known until the page is closed
    }
  }

  /** @returns whether it is kept, too */
  private async take(lines: Line[]): Promise<boolean> {
    const gone = lines.filter((line) => 'deleted_at' in line).map(({ id }) => id);
    const things = lines
      .filter((line): line is PackedPurchaseDto => !('deleted_at' in line))
      .map((line) => ({
        ...line,
        scanned_at: line.scanned_at ?? this.read.get(line.id) ?? null,
        session_id: this.sessionId,
      }));
    for (const id of gone) this.drop(id);
    for (const thing of things) this.put(thing);
    try {
      await write((to) => {
        for (const id of gone) void to.objectStore('things').delete([this.sessionId, id]);
        for (const thing of things) void to.objectStore('things').put(thing);
      });
      return true;
    } catch {
      return false; // it is known until the page is closed
    }
  }
}

/** Whatever is kept of these sessions. */
async function forget(sessionIds: number[]): Promise<void> {
  try {
    await write((to) => {
      for (const id of sessionIds) {
        void to.objectStore('packs').delete(id);
        void to.objectStore('things').delete(IDBKeyRange.bound([id], [id, []]));
      }
    });
  } catch {
    // then there is nothing
  }
}

/** All but the sessions that were asked for last: each may have a hundred thousand things. */
async function forgetOld(): Promise<void> {
  const heads = await database().then(
    (db) => db.getAll('packs'),
    () => [],
  );
  heads.sort((a, b) => b.synced_until.localeCompare(a.synced_until));
  await forget(heads.slice(KEPT).map(({ session }) => session.id));
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`Nothing for ${SILENT_MS} ms`)), SILENT_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The lines of an answer, as they come. */
async function* batches(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let batch: Line[] = [];
  for (;;) {
    const { done, value } = await next(reader);
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines) {
      if (line !== '') batch.push(JSON.parse(line) as Line);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (!done) continue;
    if (batch.length > 0) yield batch;
    return;
  }
}
