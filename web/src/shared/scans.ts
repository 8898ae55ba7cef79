import { effect, signal } from '@preact/signals';
import { MemoryStorage, ScanQueue } from '@recense/client';
import type { QueueState, QueuedScan, ScanResultDto, ScanStorage } from '@recense/client';
import { user } from './account.js';
import { api } from './api.js';
import { settleRead } from './reads.js';
import { database, write } from './store.js';

/** What became of a scan: in this tab, or in another one of this browser. */
export interface Outcome {
  scan: QueuedScan;
  /** Absent of one that is refused: `scan.errors` says why. */
  result?: ScanResultDto;
}

/** How many scans wait to be sent, and since when the oldest of them does. */
export const waiting = signal<{ count: number; since?: number }>({ count: 0 });
/** What the service has not taken for good: see the queue of @recense/client. */
export const aside = signal<QueuedScan[]>([]);
export const sending = signal<{ state: QueueState; error?: unknown; nextTry?: number }>({ state: 'idle' });
/** The sessions that do not exist any more, of those whose scans wait. */
export const gone = signal<ReadonlySet<number>>(new Set());
/** Whether the browser keeps what waits; where it refuses, it is lost with the page. */
export const isKept = signal(true);

const listeners = new Set<(outcome: Outcome) => unknown>();
const firsts: (() => Promise<void>)[] = [];
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('scans');
/** Of users whose scans the browser does not keep: they stay as long as the page, also if the login ends. */
const unkept = new Map<number, ScanStorage>();
let queue: ScanQueue | undefined;
let opening: Promise<unknown> = Promise.resolve();

/** That of the user who has signed in. */
export async function scans(): Promise<ScanQueue> {
  await opening;
  if (!queue) throw new Error('Nobody has signed in');
  return queue;
}

/** All that waits or was set aside, of a user, or of whoever has signed in, in the order in which it was read. */
export async function keptScans(userId = ofUser): Promise<QueuedScan[]> {
  const all = userId === undefined ? [] : await storageOf(userId).load();
  return all.sort((a, b) => a.order - b.order);
}

/** @returns what ends it */
export function onOutcome(listener: (outcome: Outcome) => unknown): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Done each time before scans are sent. */
export const beforeSending = (work: () => Promise<void>): unknown => firsts.push(work);

/** In a table that all tabs share; what it holds of other users stays for them. */
class KeptScans implements ScanStorage {
  constructor(private readonly userId: number) {}

  async load(): Promise<QueuedScan[]> {
    const rows = await (await database()).getAllFromIndex('scans', 'user_id', this.userId);
    return rows.map(({ user_id: _, ...scan }) => scan);
  }

  async put(changed: QueuedScan[]): Promise<void> {
    await write((to) => {
      for (const scan of changed) void to.objectStore('scans').put({ ...scan, user_id: this.userId });
    }, 'strict');
    tabs?.postMessage('changed');
  }

  async remove(clientIds: string[]): Promise<void> {
    await write((to) => {
      for (const id of clientIds) void to.objectStore('scans').delete(id);
    });
    tabs?.postMessage('changed');
  }
}

/** One queue for whoever has signed in, from then on until he leaves; another tab's sends are heard of. */
export function keepSending(): void {
  effect(() => {
    const id = user.value?.id;
    opening = opening.then(() => begin(id));
  });
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  tabs?.addEventListener('message', ({ data }: MessageEvent<Outcome | 'changed'>) => {
    if (data === 'changed') readAgain();
    else void tell(data);
  });
}

let ofUser: number | undefined;

async function begin(userId: number | undefined): Promise<void> {
  if (userId === ofUser) return void queue?.send(); // he may have signed in again, by another tab
  if (userId !== undefined) await choose(userId);
  ofUser = userId;
  await queue?.stop();
  queue = undefined;
  if (userId === undefined) return show();
  queue = new ScanQueue({
    client: api,
    storage: storageOf(userId),
    inventoryId: 0, // the page for scanning says which
    exclusively: (send, ending) =>
      inTurn(async () => {
        for (const first of firsts) await first();
        await send();
      }, ending),
    onResult: (scan, result) => share({ scan, result }),
    onRefused: (scan) => share({ scan }),
    onChange: show,
  });
  void queue.send();
}

/**
 * Where the scans of the user are kept, from now until he leaves: a browser that keeps nothing may do so again in a moment,
 * but what is only in the page then is still lost with it. What he has left there before comes along.
 */
async function choose(userId: number): Promise<void> {
  try {
    await database();
    const inPage = (await unkept.get(userId)?.load()) ?? [];
    if (inPage.length > 0) await new KeptScans(userId).put(inPage);
    unkept.delete(userId);
    isKept.value = true;
  } catch {
    if (!unkept.has(userId)) unkept.set(userId, new MemoryStorage());
    isKept.value = false;
  }
}

const storageOf = (userId: number): ScanStorage => unkept.get(userId) ?? new KeptScans(userId);

let turn: Promise<unknown> = Promise.resolve();

/** For who has the turn, and may not wait for scans(): these wait for its end where the user leaves. */
export async function discardInTurn(userId: number, clientId: string): Promise<void> {
  if (!queue || userId !== ofUser) throw new Error('He has left');
  await queue.discard([clientId]);
}

/** What is sent of scans is sent by one tab at a time, and one after the other. */
export function inTurn(work: () => Promise<void>, ending?: AbortSignal): Promise<unknown> {
  if (isKept.value && 'locks' in navigator)
    return navigator.locks.request(`scans of ${ofUser}`, ending ? { signal: ending } : {}, work);
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

function wake(): void {
  if (document.visibilityState === 'visible') void queue?.send();
}

/** Not for each of a hundred results that another tab tells at once. */
let timer: ReturnType<typeof setTimeout> | undefined;
function readAgain(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void queue?.send();
  }, 500);
}

/** The scan leaves the queue when all who listen are done, so that nothing of it is lost. */
async function share(outcome: Outcome): Promise<void> {
  await settleRead(outcome.scan, outcome.result);
  if (isKept.value) tabs?.postMessage(outcome);
  await tell(outcome);
}

async function tell(outcome: Outcome): Promise<void> {
  for (const listener of listeners) await listener(outcome);
}

function show(): void {
  waiting.value = queue
    ? { count: queue.waiting, ...(queue.since !== undefined && { since: queue.since }) }
    : { count: 0 };
  aside.value = queue?.aside ?? [];
  const refused = [...(queue?.refused ?? [])];
  gone.value = new Set(refused.filter(([, { problem }]) => problem?.status === 404).map(([id]) => id));
  sending.value = {
    state: queue?.state ?? 'idle',
    error: queue?.error,
    ...(queue?.nextTry !== undefined && { nextTry: queue.nextTry }),
  };
}
