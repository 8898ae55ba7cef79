import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight, signIn } from './app-window.js';
import { Campaign, LOSE_WHAT_IS_REMOVED, isSent, ready, says, soon, type } from './scanning.js';

let window: AppWindow;
let campaign: Campaign;
let office: number;
let cellar: number;

beforeAll(async () => {
  window = await AppWindow.open();
  campaign = new Campaign(window.app);
  const make = factories(window.app);
  office = (await make.location({ name: 'Bureau 214', code: 'L-214' })).id;
  cellar = (await make.location({ name: 'Cave', code: 'L-CAVE' })).id;
}, TIMEOUT);
afterAll(() => window.close());

/** The page for scanning of a session that expects so many things, all in the cellar. */
async function begin(count: number) {
  const things: { id: number; code: string }[] = [];
  while (things.length < count) things.push(await campaign.thing({ location_id: cellar }));
  await campaign.open();
  const visit = await window.as('manager', `/app/scan/${campaign.session}`);
  await ready(visit.page);
  return { ...visit, things };
}

/** Where nothing of the cellar belongs. */
async function readInOffice(page: Page, { code }: { code: string }): Promise<void> {
  await type(page, 'L-214');
  await page.locator('.place').getByText('Bureau 214').waitFor();
  await type(page, code);
  await says(page, 'In the wrong place');
}

const read = (page: Page, nth: number) => page.locator('.reads > li').nth(nth);
const undo = (page: Page, nth: number) => read(page, nth).getByRole('button', { name: 'Undo' });
const areUndone = (page: Page, count: number) =>
  page
    .locator('.reads > [data-state=undone]')
    .nth(count - 1)
    .waitFor();

async function isAllSent(page: Page): Promise<void> {
  await page.locator('header a[href="/app/queue"]').click();
  await page.getByText('Everything has been sent.').waitFor();
}

const placeOf = async ({ id }: { id: number }) =>
  (await window.app.database.query(`SELECT location_id FROM purchases WHERE id = $1`, [id]))[0];

async function remark(page: Page, nth: number, note: string): Promise<void> {
  await read(page, nth).getByRole('button', { name: 'Condition, note, photo' }).click();
  await page.locator('[name=note]').fill(note);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function photograph(page: Page): Promise<void> {
  await read(page, 0).getByRole('button', { name: 'Condition, note, photo' }).click();
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: PIXEL };
  await page.locator('input[type=file]').setInputFiles(photo);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' }); // it has a label of that name
}

async function photoOf(scanId: number): Promise<object | undefined> {
  const path = `/inventories/${campaign.session}/scans/${scanId}/attachments`;
  const { data } = (await window.app.as('manager').get(path)).body as { data: object[] };
  return data[0];
}

/** How a session found a thing that it did not expect. */
const unexpected = async ({ id }: { id: number }): Promise<object | undefined> =>
  (
    await window.app.database.query<object>(
      `SELECT reason FROM inventory_unexpected WHERE inventory_id = $1 AND purchase_id = $2`,
      [campaign.session, id],
    )
  )[0];

/** What the service says where it has failed. */
const fails = (route: Route, status: number, headers = {}) =>
  route.fulfill({
    status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'r', ...headers },
    body: JSON.stringify({ type: '/problems/x', title: 'x', status, detail: 'x', request_id: 'r' }),
  });

describe('What is done after a scan in the browser', () => {
  it(
    'takes back with a read what was read again, all of it without a network',
    async () => {
      const { page, context, things } = await begin(2);
      const [chair, table] = things as [{ id: number; code: string }, { id: number; code: string }];
      await context.setOffline(true);
      await type(page, chair.code);
      await says(page, 'Found');
      await type(page, ` ${chair.code.toLowerCase()} `);
      await says(page, 'Already scanned');
      await type(page, table.code);
      await says(page, 'Found');
      await undo(page, 2).click();
      await areUndone(page, 2);
      await context.setOffline(false);
      await isSent(page);
      await isAllSent(page);
      expect(await campaign.scanned(chair)).toBeUndefined();
      expect(await campaign.scanned(table)).toBeDefined();
      await page.goBack();
      await areUndone(page, 2);
      await type(page, chair.code);
      await read(page, 3).waitFor();
      await says(page, 'Found');
      await soon(() => campaign.scanned(chair), { source: 'scanner' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes back with a read that was sent what was read again since',
    async () => {
      const { page, context, things } = await begin(1);
      await type(page, things[0]!.code);
      await isSent(page);
      await context.setOffline(true);
      await type(page, things[0]!.code);
      await says(page, 'Already scanned');
      await undo(page, 1).click();
      await areUndone(page, 2);
      await context.setOffline(false);
      await isAllSent(page);
      expect(await campaign.scanned(things[0]!)).toBeUndefined();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes back what was not expected and recorded, though the answer was lost',
    async () => {
      await campaign.thing({ location_id: office });
      const gone = await campaign.thing({ location_id: cellar });
      await campaign.open({ location_ids: [office] });
      const { page, context } = await window.as('manager', `/app/scan/${campaign.session}`);
      await ready(page);
      await page.route('**/api/v1/**', async (route) => {
        if (route.request().method() === 'POST') await route.fetch();
        await route.abort();
      });
      await type(page, gone.code);
      await soon(() => unexpected(gone), { reason: 'out-of-scope' });
      await undo(page, 0).click();
      await areUndone(page, 1);
      await page.unroute('**/api/v1/**');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await isAllSent(page);
      expect(await unexpected(gone)).toBeUndefined();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes back with a read its scan, where the browser was killed between the two',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await context.setOffline(true);
      await type(page, chair.code);
      await says(page, 'Found');
      await page.evaluate(LOSE_WHAT_IS_REMOVED);
      await undo(page, 0).click();
      await areUndone(page, 1);
      await context.setOffline(false);
      await page.reload();
      await ready(page);
      await isAllSent(page);
      expect(await campaign.scanned(chair)).toBeUndefined();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'moves nothing of which the read was taken back before it was sent',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await context.setOffline(true);
      await readInOffice(page, chair);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Moved here');
      await undo(page, 1).click();
      await areUndone(page, 2);
      await type(page, chair.code); // it belongs to the cellar again
      await says(page, 'In the wrong place');
      await undo(page, 0).click();
      await areUndone(page, 3);
      await context.setOffline(false);
      await isAllSent(page);
      expect(await campaign.scanned(chair)).toBeUndefined();
      expect(await placeOf(chair)).toEqual({ location_id: cellar });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'knows where a thing is that it was not allowed to move, and that it was scanned',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await readInOffice(page, chair);
      await isSent(page);
      await page.reload(); // the pack has its scan from now on
      await ready(page);
      const admin = window.app.as('admin');
      const { id } = (await window.app.as('manager').get('/me')).body as { id: number };
      await admin.patch(`/users/${id}`, { roles: ['operator'] });
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Not taken');
      await admin.patch(`/users/${id}`, { roles: ['manager'] });
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await context.setOffline(true);
      await page.reload();
      await ready(page);
      await type(page, chair.code);
      await says(page, 'Already scanned');
      await page.locator('.result').getByText('Belongs to Cave').waitFor();
      expect(await placeOf(chair)).toEqual({ location_id: cellar });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes back a read that has moved something, where it is what was recorded',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await readInOffice(page, chair);
      await isSent(page);
      const { scan_id } = (await campaign.scanned(chair)) as { scan_id: number };
      await window.app.as('manager').delete(`/inventories/${campaign.session}/scans/${scan_id}`);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Moved here');
      await isSent(page);
      await soon(() => campaign.scanned(chair), { location_id: office });
      await undo(page, 0).click();
      await areUndone(page, 1);
      await soon(async () => ({ row: (await campaign.scanned(chair)) ?? null }), { row: null });
      await context.close();
    },
    TIMEOUT,
  );

  it.each([
    ['refused for a moment', (route: Route) => fails(route, 503, { 'Retry-After': '1' })],
    ['refused as one of too many', (route: Route) => fails(route, 429, { 'Retry-After': '1' })],
    ['lost', (route: Route) => route.abort()],
  ])(
    'sends by itself again what was %s',
    async (_, fail) => {
      const { page, context, things } = await begin(1);
      await type(page, things[0]!.code);
      await isSent(page);
      let left = 3;
      await page.route('**/inventories/*/scans/*', (route) => (left-- > 0 ? fail(route) : route.continue()));
      await remark(page, 0, 'Rayée');
      await soon(() => campaign.scanned(things[0]!), { note: 'Rayée' });
      expect(left).toBe(-1);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'lets what fails again and again hold up nothing of other scans',
    async () => {
      const { page, context, things } = await begin(5);
      for (const { code } of things) await type(page, code);
      await page.locator('.reads > [data-state=done]').nth(4).waitFor();
      const { scan_id } = (await campaign.scanned(things[0]!)) as { scan_id: number };
      let isAway = true;
      await page.route('**/inventories/*/scans/*', (route) => {
        if (isAway) return fails(route, 503);
        return route.request().url().endsWith(`/${scan_id}`) ? fails(route, 500) : route.continue();
      });
      for (const nth of [0, 1, 2, 3, 4]) await remark(page, nth, 'Rayée');
      isAway = false;
      // Its pauses have grown; a phone that hears of its network again does not wait for their end.
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      for (const thing of things.slice(1)) await soon(() => campaign.scanned(thing), { note: 'Rayée' });
      await page.unroute('**/inventories/*/scans/*');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await soon(() => campaign.scanned(things[0]!), { note: 'Rayée' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sends again a photo whose first try still runs',
    async () => {
      const { page, context, things } = await begin(1);
      await type(page, things[0]!.code);
      await isSent(page);
      let left = 1;
      await page.route('**/attachments', (route) =>
        left-- > 0 ? fails(route, 409, { 'Retry-After': '1' }) : route.continue(),
      );
      await photograph(page);
      await read(page, 0).getByText('Photo', { exact: true }).waitFor();
      const { scan_id } = (await campaign.scanned(things[0]!)) as { scan_id: number };
      await soon(() => photoOf(scan_id), { kind: 'photo' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of a read that its photo was not taken, and leads also who may not scan any more to it',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const { userId } = await window.app.asNewUser('remi', 'operator');
      const { page, context } = await window.visit(`/app/scan/${campaign.session}`);
      await signIn(page, 'remi');
      await ready(page);
      await type(page, chair.code);
      await isSent(page);
      await read(page, 0).getByRole('button', { name: 'Condition, note, photo' }).click();
      const photo = { name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('    ftypheic') };
      await page.locator('input[type=file]').setInputFiles(photo);
      await page.getByRole('button', { name: 'Save' }).click();
      await read(page, 0).getByRole('link', { name: 'Not taken' }).waitFor();
      await page.locator('.badge').getByText('1 was not taken.').waitFor();
      await window.app.as('admin').patch(`/users/${userId}`, { roles: ['viewer'] });
      await page.reload();
      await page.getByText('Your account may not open this page.').waitFor();
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByRole('button', { name: 'Save as a file' }).waitFor();
      expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0);
      await looksRight(page);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows a remark that was not taken, and saves it as a file',
    async () => {
      const { page, context, things } = await begin(1);
      await type(page, things[0]!.code);
      await isSent(page);
      await context.setOffline(true);
      await read(page, 0).getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.getByLabel('Damaged').check();
      await page.locator('[name=note]').fill('Écran fêlé\nvoir avec M. Le Goff');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await window.app.as('manager').post(`/inventories/${campaign.session}/close`);
      await context.setOffline(false);
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText('voir avec M. Le Goff').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file' }).click(),
      ]);
      expect(readFileSync(await file.path(), 'utf8')).toBe(
        `${things[0]!.code}\nDamaged\nÉcran fêlé\nvoir avec M. Le Goff\n`,
      );
      await looksRight(page);
      await context.close();
    },
    TIMEOUT,
  );

  it.each([
    [
      'kept for the user where a colleague has scanned the thing before',
      'operator',
      'Clé sous le bureau',
      'Rayée',
    ],
    [
      'written where the user has scanned the thing before with another device',
      'manager',
      'Rayée',
      'Everything has been sent.',
    ],
  ] as const)(
    'has a remark that waited %s, and adds its photo',
    async (_, who, note, queue) => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await context.setOffline(true);
      await type(page, chair.code);
      await says(page, 'Found');
      await photograph(page);
      await remark(page, 0, 'Rayée');
      const said = { code: chair.code, note: 'Clé sous le bureau' };
      await window.app.as(who).post(`/inventories/${campaign.session}/scan`, said);
      await context.setOffline(false);
      await isSent(page);
      const { scan_id } = (await campaign.scanned(chair)) as { scan_id: number };
      await soon(() => photoOf(scan_id), { kind: 'photo' });
      await soon(() => campaign.scanned(chair), { note });
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText(queue).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keeps a remark for the user where it turns out while he makes it that a colleague was before him',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      let send = (): unknown => undefined;
      const held = new Promise((resolve) => (send = () => resolve(true)));
      await page.route('**/inventories/*/scans', (route) => held.then(() => route.continue()));
      await type(page, chair.code);
      await says(page, 'Found');
      await read(page, 0).getByRole('button', { name: 'Condition, note, photo' }).click();
      const said = { code: chair.code, note: 'Clé sous le bureau' };
      await window.app.as('operator').post(`/inventories/${campaign.session}/scan`, said);
      send();
      await isSent(page);
      await page.locator('[name=note]').fill('Rayée');
      await page.getByRole('button', { name: 'Save' }).click();
      await read(page, 0).getByRole('link', { name: 'Not taken' }).waitFor();
      expect(await campaign.scanned(chair)).toMatchObject({ note: 'Clé sous le bureau' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says that the device is full, and not that there is no network',
    async () => {
      const { page, context, things } = await begin(1);
      await type(page, things[0]!.code);
      await isSent(page);
      await page.evaluate(`window.put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (...args) {
          if (this.name === 'afterwards') throw new DOMException('No space is left', 'QuotaExceededError');
          return window.put.apply(this, args);
        }`);
      await read(page, 0).getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.locator('[name=note]').fill('Rayée');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').getByText('This device could not keep it.').waitFor();
      await page.evaluate('IDBObjectStore.prototype.put = window.put');
      await page.getByRole('button', { name: 'Save' }).click();
      await soon(() => campaign.scanned(things[0]!), { note: 'Rayée' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes a note away that was emptied, and sends what was said last',
    async () => {
      const { page, context, things } = await begin(1);
      const [chair] = things as [{ id: number; code: string }];
      await type(page, chair.code);
      await isSent(page);
      await remark(page, 0, 'Rayée');
      await soon(() => campaign.scanned(chair), { note: 'Rayée' });
      await remark(page, 0, '');
      await soon(() => campaign.scanned(chair), { note: null });
      expect(await read(page, 0).getByText('Rayée').count()).toBe(0);
      await context.setOffline(true);
      for (const note of ['Un', 'Deux', '', 'Trois', '', 'Quatre']) await remark(page, 0, note);
      await context.setOffline(false);
      await isAllSent(page);
      expect(await campaign.scanned(chair)).toMatchObject({ note: 'Quatre' });
      await context.close();
    },
    TIMEOUT,
  );
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
