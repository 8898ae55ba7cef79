import { user } from './account.js';
import { isKept } from './scans.js';
import { database, write } from './store.js';
import type { Afterwards } from './store.js';

/** Where the browser keeps nothing: as long as the page, or until the next login. */
const unkept = new Map<string, Afterwards>();

/** They come along where it does so from a login on; isKept says so then, and nobody is warned any more. */
isKept.subscribe((is) => {
  const inPage = [...unkept.values()];
  if (!is || inPage.length === 0) return;
  write((to) => {
    for (const row of inPage) void to.objectStore('afterwards').put(row);
  }, 'strict').then(
    () => inPage.forEach(({ id }) => unkept.delete(id)),
    () => (isKept.value = false),
  );
});

/** Those of whoever has signed in, in no order. */
export async function rows(): Promise<Afterwards[]> {
  const me = user.value?.id;
  return me === undefined ? [] : allBy('user_id', me);
}

export const rowsOf = (clientId: string): Promise<Afterwards[]> => allBy('client_id', clientId);

async function allBy(field: 'user_id' | 'client_id', value: number | string): Promise<Afterwards[]> {
  const inPage = [...unkept.values()].filter((row) => row[field] === value);
  if (!isKept.value) return inPage;
  return [...(await (await database()).getAllFromIndex('afterwards', field, value)), ...inPage];
}

/** These in place of those, at once. */
export async function replace(gone: Afterwards[], added: Afterwards[]): Promise<void> {
  if (isKept.value)
    await write((to) => {
      const table = to.objectStore('afterwards');
      for (const { id } of gone) void table.delete(id);
      for (const row of added) void table.put(row);
    }, 'strict');
  for (const { id } of gone) unkept.delete(id);
  if (!isKept.value) for (const row of added) unkept.set(row.id, row);
}

export async function remove(id: string): Promise<void> {
  if (!unkept.delete(id)) await write((to) => void to.objectStore('afterwards').delete(id));
}

/** Unless it was done, replaced or taken back meanwhile. */
export async function change(row: Afterwards): Promise<void> {
  if (unkept.has(row.id)) unkept.set(row.id, row);
  else if (isKept.value)
    await write((to) => {
      const table = to.objectStore('afterwards');
      // What fails ends the transaction, which says so.
      table.getKey(row.id).then(
        (id) => void (id !== undefined && table.put(row)),
        () => undefined,
      );
    }, 'strict');
}
