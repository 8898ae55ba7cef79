import { idempotencyKey } from '../../clients/typescript/src/index.js';
import { factories, unique } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';
import { film, seeing } from './fake-camera.js';
import { isSent, ready, says, soon, type } from './scanning.js';

let window: AppWindow;
let make: ReturnType<typeof factories>;
let session: number;
let office: { id: number; path: string };
let cellar: { id: number; path: string };

beforeAll(async () => {
  window = await AppWindow.open();
  make = factories(window.app);
  office = await make.location({ name: 'Bureau 214', code: 'L-214' });
  cellar = await make.location({ name: 'Cave', code: 'L-CAVE' });
}, TIMEOUT);
afterAll(() => window.close());

/** A thing that the session expects. */
async function thing(fields: object = {}): Promise<{ id: number; code: string }> {
  return make.purchase({ article_id: (await make.article({ name: unique('Fauteuil') })).id, ...fields });
}

/** After its things are there: it expects what there is when it opens. */
async function openSession(): Promise<void> {
  if (session) await window.app.as('manager').post(`/inventories/${session}/close`, {});
  const { body } = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = (body as { id: number }).id;
}

const scanned = (purchase: { id: number }) =>
  window.app.database
    .query(
      `SELECT source, location_id, condition, note, scan_id FROM inventory_lines
       WHERE inventory_id = $1 AND purchase_id = $2 AND scan_id IS NOT NULL`,
      [session, purchase.id],
    )
    .then((rows: object[]) => rows[0]);

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

describe('Scanning in the browser', () => {
  it(
    'keeps the things of the three sessions that were asked for last',
    async () => {
      await thing();
      const { page, context } = await window.as('manager');
      const seen: number[] = [];
      for (let n = 1; n <= 4; n++) {
        await openSession();
        seen.push(session);
        await page.goto(`/app/scan/${session}`);
        const kept = seen.slice(-3);
        await soon(() => page.evaluate<object>(KEPT), { packs: kept, things: kept });
      }
      await context.close();
    },
    TIMEOUT,
  );

  it.each(['qrcode', 'code128', 'datamatrix'] as const)(
    'reads a label by the camera: %s',
    async (kind) => {
      const chair = await thing();
      await openSession();
      const seen = await AppWindow.open({ args: seeing(film(kind, chair.code)) }, window.app);
      try {
        const { page, complaints } = await seen.as('manager', `/app/scan/${session}`);
        await ready(page);
        await page.getByRole('button', { name: 'Scan with the camera' }).click();
        await says(page, 'Found');
        await isSent(page);
        expect(await scanned(chair)).toMatchObject({ source: 'camera' });
        await page.waitForTimeout(3000); // it is held before the camera
        expect(await page.locator('.reads > li').count()).toBe(1);
        expect(complaints).toEqual([]);
        if (kind === 'qrcode') {
          await page.screenshot({ path: '.artifacts/app-scan-camera.png' });
          await looksRight(page);
        }
      } finally {
        await seen.close({ andApp: false });
      }
    },
    TIMEOUT,
  );

  it(
    'reads by the camera without a network, once it has done so with one',
    async () => {
      const chair = await thing();
      await openSession();
      const seen = await AppWindow.open({ args: seeing(film('datamatrix', chair.code)) }, window.app);
      try {
        const { page, context } = await seen.as('manager', `/app/scan/${session}`);
        const look = () => page.getByRole('button', { name: 'Scan with the camera' }).click();
        await ready(page);
        await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
        await look();
        await isSent(page);
        await context.setOffline(true);
        await page.reload();
        await ready(page);
        await look();
        await says(page, 'Already scanned');
        await page.locator('.reads > [data-state=waiting]').waitFor();
        await context.setOffline(false);
        await page.locator('.reads > [data-state=waiting]').waitFor({ state: 'detached' });
        expect(await scanned(chair)).toMatchObject({ source: 'camera' });
      } finally {
        await seen.close({ andApp: false });
      }
    },
    TIMEOUT,
  );

  it(
    'reads what hand scanners and people type, and says what is wrong with it',
    async () => {
      const [chair, table] = [await thing(), await thing()];
      await openSession();
      const { page, context, complaints } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.locator('h1').focus();
      await type(page, chair.code);
      await says(page, 'Found');
      await isSent(page);
      expect(await scanned(chair)).toMatchObject({ source: 'scanner' });
      await type(page, chair.code.toLowerCase());
      await says(page, 'Already scanned');
      await type(page, 'NOBODY-KNOWS');
      await says(page, 'Unknown code');
      const field = page.getByLabel('Code by hand or hand scanner');
      const last = table.code.endsWith('A') ? 'B' : 'A';
      await field.pressSequentially(table.code.slice(0, -1) + last, { delay: 80 });
      await page.getByText('The check character is wrong.').waitFor();
      await field.fill('');
      await field.pressSequentially(table.code, { delay: 80 });
      await page.getByRole('button', { name: 'Enter' }).click();
      await says(page, 'Found');
      await isSent(page);
      expect(await scanned(table)).toMatchObject({ source: 'manual' });
      expect(complaints).toEqual([]);
      await page.reload(); // the last reads are still there
      await page.locator('.reads > li').nth(3).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says where things are, tells what is in the wrong place, and moves it',
    async () => {
      const [here, elsewhere] = [
        await thing({ location_id: office.id }),
        await thing({ location_id: cellar.id }),
      ];
      await openSession();
      const { page, context, complaints } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.getByRole('button', { name: 'Scan its label' }).click();
      await type(page, here.code);
      await page.getByText('No place has this code.').waitFor();
      await type(page, 'l-214');
      await page.getByText('Bureau 214').waitFor();
      await type(page, here.code);
      await says(page, 'Found');
      await isSent(page);
      expect(await scanned(here)).toMatchObject({ location_id: office.id });
      await type(page, elsewhere.code);
      await says(page, 'In the wrong place');
      await page.getByText('Belongs to Cave').first().waitFor();
      await looksRight(page);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Moved here');
      await isSent(page);
      const [row] = await window.app.database.query('SELECT location_id FROM purchases WHERE id = $1', [
        elsewhere.id,
      ]);
      expect(row).toEqual({ location_id: office.id });
      await page.reload();
      await page.getByText('Bureau 214').waitFor();
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
    'tells what is damaged, with a note and a photo, also where the network comes later; and undoes',
    async () => {
      const [chair, table] = [await thing(), await thing()];
      await openSession();
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
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
      await page.locator('.reads > li').first().getByRole('button', { name: 'Undo' }).click();
      await page.locator('.reads > [data-state=undone]').waitFor();
      await page.reload().catch(() => undefined);
      await page.getByText('Pied cassé').waitFor();
      await context.setOffline(false);
      await isSent(page, 1);
      await soon(() => scanned(chair), { condition: 'damaged', note: 'Pied cassé' });
      const { scan_id } = (await scanned(chair)) as { scan_id: number };
      const photos = () =>
        window.app.as('manager').get(`/inventories/${session}/scans/${scan_id}/attachments`);
      await soon(async () => ((await photos()).body as { data: object[] }).data[0], { kind: 'photo' });
      expect(await scanned(table)).toBeUndefined();
      await page.locator('.reads > li').nth(1).getByRole('button', { name: 'Undo' }).click();
      await soon(async () => ({ row: (await scanned(chair)) ?? null }), { row: null });
      await type(page, chair.code);
      await says(page, 'Found');
      await soon(() => scanned(chair), { condition: null });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes nothing back that a colleague has scanned before',
    async () => {
      const chair = await thing();
      await openSession();
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      let send = (): unknown => undefined;
      const held = new Promise((resolve) => (send = () => resolve(true)));
      await page.route('**/inventories/*/scans', (route) => held.then(() => route.continue()));
      await type(page, chair.code);
      await says(page, 'Found');
      const scans = [{ client_id: idempotencyKey(), code: chair.code }];
      const { body } = await window.app.as('operator').post(`/inventories/${session}/scans`, { scans });
      expect(body).toMatchObject({ results: [{ reason: 'recorded' }] });
      await page.locator('.reads').getByRole('button', { name: 'Undo' }).click();
      await page.locator('.reads > [data-state=undone]').waitFor();
      const undone: string[] = [];
      page.on('request', (request) => request.method() === 'DELETE' && undone.push(request.url()));
      send();
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText('Everything has been sent.').waitFor();
      expect([await scanned(chair), undone]).toEqual([expect.objectContaining({ source: null }), []]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'judges in the first moments, and reads at once, as it would later',
    async () => {
      const [chair, table] = [await thing(), await thing()];
      await openSession();
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.route('**/locations?*', () => undefined); // it is slow
      await page.reload();
      await page.locator('.place').waitFor();
      for (const code of ['L-214', chair.code, chair.code, table.code]) await type(page, code);
      await page.locator('.reads > li').nth(2).waitFor();
      const words = await page.locator('.reads .read-head > :first-child').allInnerTexts();
      expect(words.map((word) => word.split('\n')[1])).toEqual(['Found', 'Already scanned', 'Found']);
      await isSent(page);
      expect(await scanned(chair)).toMatchObject({ location_id: office.id });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right',
    async () => {
      const [chair, table, lamp] = [await thing(), await thing({ location_id: cellar.id }), await thing()];
      await openSession();
      await window.pictures('scan', `/app/scan/${session}`, async (page) => {
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
