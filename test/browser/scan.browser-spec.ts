import type { Page } from 'playwright-core';
import { idempotencyKey } from '../../clients/typescript/src/index.js';
import { factories } from '../support/factories.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { AppWindow, TIMEOUT, looksRight, signIn } from './app-window.js';
import { Campaign, isKept, isSent, ready, says, soon, type } from './scanning.js';

let window: AppWindow;
let campaign: Campaign;
let office: { id: number; path: string; code: string };
let cellar: { id: number; path: string };

beforeAll(async () => {
  window = await AppWindow.open();
  campaign = new Campaign(window.app);
  const make = factories(window.app);
  office = await make.location({ name: 'Bureau 214', code: 'L-214' });
  cellar = await make.location({ name: 'Cave', code: 'L-CAVE' });
  await make.location({ name: 'Étage 3' });
}, TIMEOUT);
afterAll(() => window.close());

/** In the page. The sessions of which the browser has the pack, and those of which it has things. */
const KEPT = `new Promise((resolve) => {
  indexedDB.open('recense').onsuccess = ({ target: { result: database } }) => {
    const transaction = database.transaction(['packs', 'things']);
    const packs = transaction.objectStore('packs').getAllKeys();
    const things = transaction.objectStore('things').getAllKeys();
    transaction.oncomplete = () => {
      database.close();
      resolve({ packs: packs.result, things: [...new Set(things.result.map(([session]) => session))] });
    };
  };
})`;

/** How many photos, remarks and undone scans wait. */
const left = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
      db.transaction('afterwards').objectStore('afterwards').count().onsuccess = ({ target }) => {
        db.close();
        resolve(target.result);
      };
    };
  })`);

describe('Scanning in the browser', () => {
  it(
    'keeps the things of the three sessions that were asked for last',
    async () => {
      await campaign.thing();
      const { page, context } = await window.as('manager');
      const seen: number[] = [];
      for (let n = 1; n <= 4; n++) {
        await campaign.open();
        seen.push(campaign.session);
        await page.goto(`/app/scan/${campaign.session}`);
        const kept = seen.slice(-3);
        await soon(() => page.evaluate<object>(KEPT), { packs: kept, things: kept });
      }
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'asks at the next start again for all things where the device could not keep some of them',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context } = await window.as('manager');
      await page.evaluate(`{
        window.full = true;
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (...args) {
          if (full && this.name === 'things') throw new DOMException('No space is left', 'QuotaExceededError');
          return put.apply(this, args);
        };
        history.pushState(null, '', '/app/scan/${campaign.session}');
        dispatchEvent(new PopStateEvent('popstate'));
      }`);
      await ready(page);
      await window.app.as('operator').post(`/inventories/${campaign.session}/scan`, { code: chair.code });
      await page.evaluate(`full = false; document.dispatchEvent(new Event('visibilitychange'))`);
      // There is room again for what has changed since.
      await soon(() => page.evaluate<object>(KEPT), { things: expect.arrayContaining([campaign.session]) });
      await page.waitForLoadState('networkidle');
      await page.reload();
      await ready(page);
      await context.setOffline(true);
      await type(page, table.code);
      await says(page, 'Found');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'loads the things of a session in one tab at a time, and not for a page that was left',
    async () => {
      await campaign.thing();
      await campaign.open();
      const { page, context } = await window.as('manager');
      const asked: URLSearchParams[] = [];
      let send = (): unknown => undefined;
      const held = new Promise((resolve) => (send = () => resolve(true)));
      await context.route('**/pack*', async (route) => {
        asked.push(new URL(route.request().url()).searchParams);
        if (asked.length === 2) await held; // the first one has no answer
        if (asked.length > 1) await route.continue();
      });
      const isAsked = (times: number) => soon(() => Promise.resolve(asked), { length: times });
      await page.goto(`/app/missing/${campaign.session}`);
      await isAsked(1);
      await page.locator('a.back').click();
      await page.getByRole('link', { name: 'Scan' }).click();
      await isAsked(2);
      const other = await context.newPage();
      await other.goto(`/app/scan/${campaign.session}`);
      await other.getByText('Loading what there is').waitFor();
      await other.waitForLoadState('networkidle');
      send();
      await Promise.all([ready(page), ready(other)]);
      await isAsked(3);
      expect(asked.map((query) => query.has('updated_since'))).toEqual([false, false, true]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'asks for the things of a session again where their answer stops coming',
    async () => {
      await campaign.thing();
      await campaign.open();
      let isDead = true;
      const proxy = await FaultyProxy.to(window.app.url, (asked) =>
        asked.includes('/pack') && isDead ? 'stalled' : 'passes',
      );
      const { page, context } = await window.visit(`${proxy.url}/app`, { serviceWorkers: 'block' });
      await signIn(page, 'operator');
      await page.clock.install();
      await page.goto(`${proxy.url}/app/scan/${campaign.session}`);
      const unknown = page.getByText('Without a network nothing is known');
      while (!(await unknown.isVisible())) await page.clock.fastForward('00:45');
      isDead = false;
      await page.clock.fastForward('01:00');
      await ready(page);
      await context.close();
      await proxy.close();
    },
    TIMEOUT,
  );

  it(
    'reads what hand scanners and people type, and says what is wrong with it',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context, complaints } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.locator('h1').focus();
      await type(page, chair.code);
      await says(page, 'Found');
      await isSent(page);
      expect(await campaign.scanned(chair)).toMatchObject({ source: 'scanner' });
      await type(page, chair.code.toLowerCase());
      await says(page, 'Already scanned');
      await type(page, 'NOBODY-KNOWS');
      await says(page, 'Unknown code');
      const field = page.getByLabel('Code by hand or hand scanner');
      const last = table.code.endsWith('A') ? 'B' : 'A';
      await field.pressSequentially(table.code.slice(0, -1) + last, { delay: 80 });
      await page.getByRole('status').getByText('The check character is wrong.').waitFor(); // it is heard too
      await field.fill('');
      await field.pressSequentially(table.code, { delay: 80 });
      await page.getByRole('button', { name: 'Enter' }).click();
      await says(page, 'Found');
      await isSent(page);
      expect(await campaign.scanned(table)).toMatchObject({ source: 'manual' });
      // As where a camera was chosen last: the keys choose nothing there.
      await page.evaluate(`{
        const list = document.querySelector('main').appendChild(document.createElement('select'));
        for (const key of [...${JSON.stringify(chair.code)}, 'Enter'])
          list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        list.remove();
      }`);
      await says(page, 'Already scanned');
      expect(complaints).toEqual([]);
      await isKept(page);
      await page.reload(); // the last reads are still there
      await page.locator('.reads > li').nth(4).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says where things are, tells what is in the wrong place, and moves it',
    async () => {
      const [here, elsewhere] = [
        await campaign.thing({ location_id: office.id }),
        await campaign.thing({ location_id: cellar.id }),
      ];
      await campaign.open();
      const { page, context, complaints } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.getByRole('button', { name: 'Scan its label' }).click();
      await type(page, here.code);
      await page.getByText('No place has this code.').waitFor();
      await type(page, 'l-214');
      await page.getByText('Bureau 214').waitFor();
      await type(page, here.code);
      await says(page, 'Found');
      await isSent(page);
      expect(await campaign.scanned(here)).toMatchObject({ location_id: office.id });
      await type(page, elsewhere.code);
      await says(page, 'In the wrong place');
      await page.getByText('Belongs to Cave').first().waitFor();
      await looksRight(page);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Moved here');
      await isSent(page);
      expect(await page.getByRole('button', { name: 'Move here' }).count()).toBe(0); // of the first read neither
      const [row] = await window.app.database.query('SELECT location_id FROM purchases WHERE id = $1', [
        elsewhere.id,
      ]);
      expect(row).toEqual({ location_id: office.id });
      await page.reload();
      await page.getByText('Bureau 214').waitFor();
      await page.getByRole('button', { name: 'Choose the place' }).click();
      await page.locator('dialog').getByLabel('Search').fill('etage');
      await page.locator('dialog').getByRole('button', { name: 'Étage 3' }).click();
      await type(page, 'L-CAVE'); // no thing has this code: it is a place's
      await page.locator('.place').getByText('Cave').waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('not chosen').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'learns within minutes of a place that was made since, without reading all places with every renewal',
    async () => {
      await campaign.thing();
      await campaign.open();
      const { page, context } = await window.as('manager');
      await page.clock.install();
      await page.goto(`/app/scan/${campaign.session}`);
      await ready(page);
      await page.waitForLoadState('networkidle');
      await factories(window.app).location({ name: 'Annexe', code: 'L-ANNEXE' });
      let asked = 0;
      page.on('request', (request) => (asked += Number(request.url().includes('/locations?'))));
      const renewed = page.waitForResponse('**/pack?*');
      await page.clock.fastForward('01:01');
      await renewed;
      expect(asked).toBe(0);
      await page.clock.fastForward('05:00');
      await page.getByRole('button', { name: 'Choose the place' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Annexe' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await type(page, 'L-ANNEXE');
      await page.locator('.place').getByText('Annexe').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells what is damaged, with a note and a photo, also where the network comes later; and undoes',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)'); // it is reloaded without a network
      await context.setOffline(true);
      await type(page, chair.code);
      await says(page, 'Found');
      await page.getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.getByLabel('Damaged').check();
      await page.locator('[name=note]').fill('Pied cassé');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: PIXEL });
      expect(await page.locator('dialog').count()).toBe(1);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Damaged · Pied cassé · Photo').waitFor();
      await type(page, table.code);
      await says(page, 'Found');
      await page.locator('.reads > li').nth(1).waitFor(); // what was found before is still said for a moment
      await page
        .locator('.reads > li')
        .first()
        .getByRole('button', { name: 'Condition, note, photo' })
        .click();
      await page.locator('[name=note]').fill('Rayée');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Rayée').waitFor();
      await page.locator('.reads > li').first().getByRole('button', { name: 'Undo' }).click();
      await page.locator('.reads > [data-state=undone]').waitFor();
      await isKept(page);
      await page.reload().catch(() => undefined);
      await page.getByText('Pied cassé').waitFor();
      await context.setOffline(false);
      await isSent(page, 1);
      await soon(() => campaign.scanned(chair), { condition: 'damaged', note: 'Pied cassé' });
      const { scan_id } = (await campaign.scanned(chair)) as { scan_id: number };
      const photos = () =>
        window.app.as('manager').get(`/inventories/${campaign.session}/scans/${scan_id}/attachments`);
      await soon(async () => ((await photos()).body as { data: object[] }).data[0], { kind: 'photo' });
      expect(await campaign.scanned(table)).toBeUndefined();
      await soon(async () => ({ left: await left(page) }), { left: 0 }); // nothing waits for what was taken back
      await page.locator('.reads > li').nth(1).getByRole('button', { name: 'Undo' }).click();
      await soon(async () => ({ row: (await campaign.scanned(chair)) ?? null }), { row: null });
      await type(page, chair.code);
      await says(page, 'Found');
      await soon(() => campaign.scanned(chair), { condition: null });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has no heading that is broken within a word, however narrow it is',
    async () => {
      await campaign.thing({ purchase_price: 98_765_432.1 });
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/sessions/${campaign.session}`, {
        locale: 'fr-FR',
      });
      await page.setViewportSize({ width: 320, height: 740 });
      await page.locator('tbody th').first().waitFor();
      const broken = `[...document.querySelectorAll('tbody th')].flatMap((heading) => {
        const text = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT).nextNode();
        return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
          const range = new Range();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1;
        }).map(([word]) => word);
      })`;
      expect(await page.evaluate(broken)).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has the code of a place on a line of its own where its path is long',
    async () => {
      const { location } = factories(window.app);
      const site = await location({ name: 'Direction des affaires administratives et financières' });
      await location({ name: 'Bureau 301', code: 'DAF-301', parent_id: site.id });
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.getByRole('button', { name: 'Choose the place' }).click();
      const code = page.getByRole('dialog').getByText('DAF-301');
      expect(await code.evaluate((one) => one.getClientRects()[0]!.height)).toBeLessThan(30);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of places that there are more than it shows',
    async () => {
      const { location } = factories(window.app);
      for (let n = 1; n <= 50; n++) await location({ name: `Box ${n}` });
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.getByRole('button', { name: 'Choose the place' }).click();
      await page.getByText('There are more: search for them.').waitFor();
      await page.getByRole('dialog').getByLabel('Search').fill('box');
      await page.getByText('There are more').waitFor({ state: 'detached' }); // these are fifty
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of a closed inventory where that stays which is read',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const manager = window.app.as('manager');
      await manager.post(`/inventories/${campaign.session}/close`, {});
      const { page, context } = await window.as('operator', `/app/scan/${campaign.session}`);
      await page.getByText('What you scan stays on this device').waitFor();
      await type(page, chair.code);
      await says(page, 'Inventory closed');
      await page.getByRole('link', { name: 'Not taken', exact: true }).click();
      await page.getByText('1 scan was not taken').waitFor();
      const { body } = await manager.get(`/inventories/${campaign.session}/late-scans`);
      expect(body).toMatchObject({ data: [] }); // nobody else decides
      await context.close();
      campaign.session = 0;
    },
    TIMEOUT,
  );

  it(
    'moves nothing to a place that is not there any more',
    async () => {
      const chair = await campaign.thing({ location_id: cellar.id });
      const shed = await factories(window.app).location({ code: 'L-SHED' });
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await type(page, 'L-SHED');
      await page.locator('.place').getByText(shed.name).waitFor();
      await context.setOffline(true);
      await type(page, chair.code);
      await says(page, 'In the wrong place');
      await page.locator('.result').getByRole('button', { name: 'Move here' }).waitFor();
      await window.app.as('manager').delete(`/locations/${shed.id}`);
      await context.setOffline(false);
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await says(page, 'Not taken');
      expect(await page.getByRole('button', { name: 'Move here' }).count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'leaves the focus, by keyboard, at the read that was taken back',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      for (const { code } of [chair, table]) await type(page, code);
      const read = page.locator('.reads > li').nth(1);
      await read.getByRole('button', { name: 'Undo' }).press('Enter');
      await read.getByText('Undone').waitFor();
      await soon(() => read.evaluate((one) => ({ isThere: one.matches(':focus') })), { isThere: true });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'reads what hand scanners type for the separator of GS1',
    async () => {
      const make = factories(window.app);
      const [drill, saw] = [
        await campaign.thing({ gs1: ['(8004)400000111101'] }),
        await make.purchase({ gs1: ['(8004)400000111102'] }),
      ];
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      // A serial number of any length comes first: without what ends it all would be that.
      const hear = async (number: string): Promise<void> => {
        await page.keyboard.type('21ABC');
        await page.keyboard.press('Control+]');
        await page.keyboard.type(`8004${number}`);
        await page.keyboard.press('Enter');
      };
      await hear('400000111101');
      await says(page, 'Found');
      await page.locator('input[name=code]').focus();
      await hear('400000111102');
      await page.locator('.reads > li').nth(1).waitFor();
      await says(page, 'Found');
      await isSent(page);
      for (const thing of [drill, saw]) expect(await campaign.scanned(thing)).toBeDefined();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'reads also what a hand scanner types with Alt, as the brackets of a French keyboard',
    async () => {
      const thing = await campaign.thing({ code: '[A]-1' });
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      for (const key of ['Alt+[', 'A', 'Alt+]', '-', '1', 'Enter']) await page.keyboard.press(key);
      await says(page, 'Found');
      await soon(() => campaign.scanned(thing), { source: 'scanner' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes for one end of a code what hand scanners type as two, wherever the focus is',
    async () => {
      const things = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      const asks = page.getByRole('button', { name: 'Scan its label' });
      await asks.click(); // which leaves the focus there: Enter would press it
      await page.keyboard.type(office.code);
      for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
      await page.locator('.place strong', { hasText: 'Bureau 214' }).waitFor();
      await page.keyboard.type(things[0]!.code);
      for (const key of ['Enter', 'Control+J']) await page.keyboard.press(key);
      await says(page, 'Found');
      expect(await asks.getAttribute('aria-pressed')).toBe('false');
      const field = page.locator('input[name=code]');
      await field.focus();
      await page.keyboard.type(things[1]!.code);
      for (const key of ['Enter', 'Tab']) await page.keyboard.press(key);
      await page.locator('.reads > li').nth(1).waitFor();
      expect(await field.evaluate('document.activeElement.name')).toBe('code');
      for (const thing of things) await soon(() => campaign.scanned(thing), { source: 'scanner' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says so where the service answers that there is no such inventory',
    async () => {
      const { page, context } = await window.as('operator', '/app/scan/99999');
      await page.getByText('There is no such inventory session.').waitFor();
      expect(await page.getByText('Without a network').count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of a read on which day it was, where that was not today',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const { page, context } = await window.as('operator', `/app/scan/${campaign.session}`);
      await ready(page);
      await type(page, chair.code);
      await isSent(page);
      const now = new Date();
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(now);
      expect(await page.locator('.reads').getByText(day).count()).toBe(0);
      await isKept(page);
      await page.clock.setFixedTime(now.getTime() + 86_400_000);
      await page.reload();
      await page.locator('.reads').getByText(day).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes nothing back that a colleague has scanned before',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      let send = (): unknown => undefined;
      const held = new Promise((resolve) => (send = () => resolve(true)));
      await page.route('**/inventories/*/scans', (route) => held.then(() => route.continue()));
      await type(page, chair.code);
      await says(page, 'Found');
      const scans = [{ client_id: idempotencyKey(), code: chair.code }];
      const { body } = await window.app
        .as('operator')
        .post(`/inventories/${campaign.session}/scans`, { scans });
      expect(body).toMatchObject({ results: [{ reason: 'recorded' }] });
      await page.locator('.reads').getByRole('button', { name: 'Undo' }).click();
      await page.locator('.reads > [data-state=undone]').waitFor();
      const undone: string[] = [];
      page.on('request', (request) => request.method() === 'DELETE' && undone.push(request.url()));
      send();
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText('Everything has been sent.').waitFor();
      expect([await campaign.scanned(chair), undone]).toEqual([
        expect.objectContaining({ source: null }),
        [],
      ]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'judges in the first moments, and reads at once, as it would later',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.route('**/locations?*', () => undefined); // it is slow
      await page.reload();
      await page.locator('.place').waitFor();
      for (const code of ['L-214', chair.code, chair.code, table.code]) await type(page, code);
      await page.locator('.reads > li').nth(2).waitFor();
      const words = await page.locator('.reads .read-head > :first-child').allInnerTexts();
      expect(words.map((word) => word.split('\n')[1])).toEqual(['Found', 'Already scanned', 'Found']);
      await isSent(page);
      expect(await campaign.scanned(chair)).toMatchObject({ location_id: office.id });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right',
    async () => {
      const [chair, table, lamp] = [
        await campaign.thing(),
        await campaign.thing({ location_id: cellar.id }),
        await campaign.thing(),
      ];
      await campaign.open();
      await window.pictures('scan', `/app/scan/${campaign.session}`, async (page) => {
        await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
        for (const code of ['L-214', lamp.code, chair.code, 'NOBODY-KNOWS', table.code])
          await type(page, code);
        await isSent(page, 3);
        await page.locator('.result button').waitFor();
      });
    },
    TIMEOUT,
  );
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
