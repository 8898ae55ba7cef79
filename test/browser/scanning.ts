import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { factories, unique } from '../support/factories.js';

/** Sessions, one open at a time, and the things that they expect. */
export class Campaign {
  session = 0;

  constructor(private readonly app: TestApp) {}

  async thing(fields: object = {}): Promise<{ id: number; code: string }> {
    const make = factories(this.app);
    return make.purchase({ article_id: (await make.article({ name: unique('Fauteuil') })).id, ...fields });
  }

  /** After its things are there: it expects what there is when it opens. */
  async open(scope: object = {}): Promise<void> {
    const manager = this.app.as('manager');
    if (this.session) await manager.post(`/inventories/${this.session}/close`, {});
    const session = { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16', ...scope };
    this.session = ((await manager.post('/inventories', session)).body as { id: number }).id;
  }

  /** How a thing was scanned in the session, if it was. */
  async scanned({ id }: { id: number }): Promise<object | undefined> {
    const [row] = await this.app.database.query<object>(
      `SELECT source, location_id, condition, note, scan_id FROM inventory_lines
       WHERE inventory_id = $1 AND purchase_id = $2 AND scan_id IS NOT NULL`,
      [this.session, id],
    );
    return row;
  }
}

/** Once what there is was loaded. */
export const ready = (page: Page) =>
  page.getByRole('heading', { name: 'Inventaire annuel', level: 1 }).waitFor();

/** As a hand scanner does: keys that come at once, wherever the focus is, however long a busy page lets them wait. */
export const type = (page: Page, code: string) =>
  page.evaluate(`{
    const timeStamp = { value: performance.now() };
    for (const key of [...${JSON.stringify(code)}, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', timeStamp));
    }
  }`);

/** A failure tells what the page says instead. */
export async function says(page: Page, word: string): Promise<void> {
  try {
    await page.locator('.result-word', { hasText: word }).waitFor();
  } catch (error) {
    throw new Error(`The page says: ${await page.locator('main').innerText()}`, { cause: error });
  }
}

export const isSent = (page: Page, nth = 0) =>
  page.locator('.reads > li').nth(nth).and(page.locator('[data-state=done]')).waitFor();

/** What is sent arrives in a moment. */
export async function soon(read: () => Promise<object | undefined>, expected: object): Promise<void> {
  for (const end = Date.now() + 20_000; ;) {
    const found = await read();
    try {
      return expect(found).toMatchObject(expected);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** All that the page has begun to keep until now is kept: it may be loaded anew. */
export const isKept = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
      const after = db.transaction([...db.objectStoreNames], 'readwrite'); // its turn comes last
      after.objectStore('values').count();
      after.oncomplete = () => resolve(db.close());
    };
  })`);

/** What the page signs its requests with. */
const TOKEN = `new Promise((resolve) => {
  indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
    db.transaction('values').objectStore('values').get('token').onsuccess = ({ target }) => {
      db.close();
      resolve(target.result);
    };
  };
})`;

/** Ends the token of the page at the service, as from another device. */
export async function revoke(page: Page, url: string): Promise<void> {
  const headers = { Authorization: `Bearer ${await page.evaluate(TOKEN)}` };
  expect((await fetch(`${url}/api/v1/logout`, { method: 'POST', headers })).status).toBe(200);
}

/** What is removed from the scans that wait is still there when the page comes back. */
export const LOSE_WHAT_IS_REMOVED = `{
  const remove = IDBObjectStore.prototype.delete;
  IDBObjectStore.prototype.delete = function (key) {
    return this.name === 'scans' ? this.count() : remove.call(this, key);
  };
}`;
