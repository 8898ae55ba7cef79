import { user } from './account.js';
import { isKept } from './scans.js';
import { database, write } from './store.js';
import type { Afterwards } from './store.js';

/** Where the browser keeps nothing. */
const unkept = new Map<string, Afterwards>();

/** Those of whoever has signed in, in no order. */
export async function rows(): Promise<Afterwards[]> {
  const me = user.value?.id;
  if (me === undefined) return [];
  if (isKept.value) return (await database()).getAllFromIndex('afterwards', 'user_id', me);
  return [...unkept.values()].filter(({ user_id }) => user_id === me);
}

export async function rowsOf(clientId: string): Promise<Afterwards[]> {
  if (isKept.value) return (await database()).getAllFromIndex('afterwards', 'client_id', clientId);
  return [...unkept.values()].filter(({ client_id }) => client_id === clientId);
}

/** These in place of those, at once. */
export async function replace(gone: Afterwards[], added: Afterwards[]): Promise<void> {
  if (isKept.value) {
    await write((to) => {
      const table = to.objectStore('afterwards');
      for (const { id } of gone) void table.delete(id);
      for (const row of added) void table.put(row);
    }, 'strict');
    return;
  }
  for (const { id } of gone) unkept.delete(id);
  for (const row of added) unkept.set(row.id, row);
}

export async function remove(id: string): Promise<void> {
  if (isKept.value) await write((to) => void to.objectStore('afterwards').delete(id));
  else unkept.delete(id);
}

/** Unless it was done, replaced or taken back meanwhile. */
export async function change(row: Afterwards): Promise<void> {
  if (isKept.value) {
    await write((to) => {
      const table = to.objectStore('afterwards');
      // What fails ends the transaction, which says so.
      table.getKey(row.id).then(
        (id) => void (id !== undefined && table.put(row)),
        () => undefined,
      );
    }, 'strict');
  } else if (unkept.has(row.id)) unkept.set(row.id, row);
}
