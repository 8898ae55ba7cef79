import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { until } from '../support/process.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';
import { film, seeing } from './fake-camera.js';
import { says, type } from './scanning.js';

let window: AppWindow;
let session: number;
let rooms: { id: number; name: string }[];
let codes: string[];

beforeAll(async () => {
  window = await AppWindow.open();
  const { purchase, location } = factories(window.app);
  rooms = [await location({ name: 'Salle 1' }), await location({ name: 'Salle 2' })];
  const things = [];
  for (const room of [0, 0, 0, 1]) things.push(await purchase({ location_id: rooms[room]!.id }));
  codes = things.map(({ code }) => code);
}, TIMEOUT);
afterAll(() => window.close());

const scan = (code: string, more = {}) =>
  window.app.as('operator').post(`/inventories/${session}/scan`, { code, ...more });
const rows = (sql: string) => window.app.database.query(sql);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Whether the browser has all of the pack of the session, and the places, which it reads after it. */
const isPackKept = () => `new Promise((resolve) => {
  indexedDB.open('recense').onsuccess = ({ target: { result: database } }) => {
    const reading = database.transaction(['packs', 'values']);
    const pack = reading.objectStore('packs').getKey(${session});
    const answers = reading.objectStore('values').getAllKeys();
    reading.oncomplete = () => {
      database.close();
      resolve(pack.result !== undefined && answers.result.some((key) => /^answer:\\d+:places$/.test(key)));
    };
  };
})`;

/** What has the focus in the moment in which the page shows the text. */
const focusOnceShown = (text: string) => `new Promise((resolve) => {
  new MutationObserver((_, seen) => {
    if (!document.body.textContent.includes(${JSON.stringify(text)})) return;
    seen.disconnect();
    resolve(document.activeElement.textContent.trim());
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
})`;

describe('Whoever runs an inventory', () => {
  it(
    'is told at its day that there is no such year',
    async () => {
      const { page, context } = await window.as('manager', '/app/sessions/new');
      await page.locator('input[name=inventory_date]').fill('0026-11-16');
      await press(page, 'Open an inventory');
      await page.locator('input[name=inventory_date][aria-invalid]').waitFor();
      expect(await page.getByRole('alert').innerText()).toBe('Some fields are not valid.');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'opens it, for some places alone',
    async () => {
      const { page, context, complaints } = await window.as('manager');
      await page.getByRole('link', { name: 'Open an inventory' }).click();
      await page.getByLabel('Name').fill('Salles');
      await page.getByText('Places: all').click();
      await page.getByLabel('Salle 1').check();
      await looksRight(page);
      await press(page, 'Open an inventory');
      await page.getByText('Of Salle 1').waitFor();
      await page.getByText('0 / 3').waitFor();
      session = Number(/\d+$/.exec(page.url())![0]);
      expect(await rows(`SELECT label FROM inventories`)).toEqual([{ label: 'Salles' }]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sees what is missing, by place and by name, also without a network',
    async () => {
      await scan(codes[0]!, { location_id: rooms[1]!.id });
      const { page, context } = await window.as('manager');
      await page.goto(`/app/missing/${session}`);
      await page.locator('.thing').nth(1).waitFor();
      expect(await page.locator('.thing').count()).toBe(2);
      const inventory = page.getByRole('link', { name: 'Salles', exact: true }); // there may be others
      await inventory.waitFor();
      await page.getByText('2 missing, by place').click();
      await page.getByRole('button', { name: 'Salle 1' }).click();
      await page.waitForURL(/group=\d+/);
      await looksRight(page);
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await until(() => page.evaluate<boolean>(isPackKept())); // the policy of the page lets no test wait in it
      await context.setOffline(true);
      await page.reload();
      await page.locator('.thing').nth(1).waitFor();
      await inventory.waitFor();
      // What is found meanwhile is missing no more, also where the service has said otherwise before.
      await page.goto(`/app/scan/${session}`);
      await page.getByLabel('Code by hand or hand scanner').waitFor();
      await type(page, codes[2]!);
      await says(page, 'Found');
      await page.goto(`/app/missing/${session}`);
      await page.locator('.thing', { hasText: codes[1]! }).waitFor();
      expect(await page.locator('.thing').count()).toBe(1);
      await press(page, 'By category'); // of which the service was never asked
      await page.getByText('1 missing, by category').waitFor();
      await page.getByLabel('Search').fill(codes[1]!);
      await page.locator('.thing', { hasText: codes[1]! }).waitFor();
      await page.waitForURL(/search=/);
      await page.locator('.thing', { hasText: codes[1]! }).click();
      await page.getByText('Only this is kept on this device.').waitFor();
      await page.locator('dd', { hasText: 'Salle 1' }).waitFor();
      await page.goBack();
      await page.locator('.thing', { hasText: codes[1]! }).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe(codes[1]); // as it was left
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sees of one that is missing that it is one, in French too',
    async () => {
      const opened = { year: 2026, inventory_date: '2026-11-16', location_ids: [rooms[1]!.id] };
      const { id } = (await window.app.as('manager').post('/inventories', opened)).body;
      const { page, context } = await window.as('viewer', `/app/missing/${id}`, { locale: 'fr-FR' });
      await page.getByText('1 manquant, par lieu').waitFor();
      await page.goto(`/app/missing/${id}?by=category`);
      await page.getByText('1 manquant, par catégorie').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'opens a place for those in it with what is missing there, by keyboard, and goes back',
    async () => {
      const { purchase, location } = factories(window.app);
      const cellar = await location({ name: 'Cave', parent_id: rooms[0]!.id });
      const shelf = await location({ name: 'Étagère', parent_id: cellar.id });
      const things = [];
      for (const { id } of [cellar, shelf, shelf]) things.push(await purchase({ location_id: id }));
      const { page, context, complaints } = await window.as('manager', `/app/missing/${session}`);
      const inside = (name: string) =>
        page.getByRole('list', { name: 'By place' }).getByRole('button', { name, exact: true });
      const opened = (name: string) =>
        page.getByRole('list', { name: 'Opened places' }).getByRole('button', { name, pressed: true });
      const focused = page.locator('[aria-pressed=true]:focus');
      await page.getByText('5 missing, by place').focus();
      await page.keyboard.press('Enter');
      await inside('Salle 1 5 of 6').press('Enter');
      await opened('Salle 1').waitFor();
      await page.getByText('Right here 2 of 3').waitFor();
      await focused.waitFor(); // the button that was pressed is gone
      const focus = page.evaluate<string>(focusOnceShown('Right here 1 of 1'));
      await inside('Cave 3 of 3').press('Enter');
      expect(await focus).toBe('Cave'); // at once: what is pressed next is not taken for it
      await inside('Étagère 2 of 2').press('Enter');
      await opened('Étagère').waitFor();
      await page.locator('.thing').nth(2).waitFor({ state: 'detached' });
      expect(await page.locator('.thing').count()).toBe(2);
      await looksRight(page);
      await page.screenshot({ path: '.artifacts/app-missing-place.png', fullPage: true });
      await page.reload(); // the address says which place
      await opened('Étagère').waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await until(() => page.evaluate<boolean>(isPackKept())); // the policy of the page lets no test wait in it
      expect(complaints).toEqual([]);
      await context.setOffline(true);
      await page.evaluate("dispatchEvent(new Event('online'))"); // as an answer does that comes late
      await page.getByRole('button', { name: 'Salle 1' }).click(); // as the phone was told
      await inside('Cave 3 of 3').waitFor();
      await page.getByRole('button', { name: 'All', exact: true }).press('Enter');
      await inside('Salle 1 5 of 6').waitFor();
      await focused.waitFor();
      for (const { id } of things) await window.app.as('admin').delete(`/purchases/${id}`);
      expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text))).toEqual(
        [],
      );
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'decides on what was found: moved, linked, dismissed, decided anew',
    async () => {
      await scan('INCONNU-1');
      await scan('INCONNU-2');
      await scan('INCONNU-3');
      const { page, context, complaints } = await window.as('manager', `/app/review/${session}`);
      await page.getByRole('link', { name: 'Salles', exact: true }).waitFor();
      const card = (text: string) => page.locator('.card', { hasText: text });
      await card('INCONNU-1').getByRole('button', { name: 'Link' }).click();
      await page.getByLabel('Code on its label').fill(codes[1]!);
      await press(page, 'Find');
      await page.getByRole('button', { name: 'Link to this thing' }).waitFor();
      await looksRight(page);
      await press(page, 'Link to this thing');
      await page.getByRole('status').getByText(`Linked to ${codes[1]}`).waitFor();
      await page.locator('[role=region]:focus').waitFor(); // not lost with its button
      await card('INCONNU-1').waitFor({ state: 'detached' });
      await card('INCONNU-2').getByRole('button', { name: 'Dismiss' }).click();
      await page.getByLabel('Why').fill('no');
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      await page.getByLabel('Why').and(page.locator('[aria-invalid]')).waitFor(); // too short a reason
      complaints.length = 0;
      await page.getByLabel('Why').fill('Étiquette du fournisseur');
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      await card('INCONNU-2').waitFor({ state: 'detached' });
      await page.getByLabel('Only what is undecided').uncheck();
      await card('INCONNU-2').getByRole('button', { name: 'Decide anew' }).click();
      await card('INCONNU-2').getByRole('button', { name: 'Link' }).waitFor();

      const [third] = await rows(`SELECT id FROM inventory_unknown_codes WHERE cleaned = 'INCONNU-3'`);
      await card('INCONNU-3').getByRole('button', { name: 'Dismiss' }).click();
      await page.getByLabel('Why').fill('Trop tard');
      const decision = `/inventories/${session}/unknown-codes/${third!.id}/dismiss`;
      await window.app.as('admin').post(decision, { reason: 'Emballage' });
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('alert').waitFor(); // somebody else was faster, and has decided
      await card('INCONNU-3').getByText('Dismissed: Emballage').waitFor();
      complaints.length = 0;

      await page.getByRole('button', { name: 'Wrong place' }).click();
      await card(codes[0]!).getByText('Found in Salle 2').waitFor();
      await press(page, 'It belongs there now');
      await card(codes[0]!).getByText('Moved').waitFor();
      expect(await rows(`SELECT location_id FROM purchases WHERE code = '${codes[0]}'`)).toEqual([
        { location_id: rooms[1]!.id },
      ]);
      expect(await rows(`SELECT cleaned, status FROM inventory_unknown_codes ORDER BY cleaned`)).toEqual([
        { cleaned: 'INCONNU-1', status: 'linked' },
        { cleaned: 'INCONNU-2', status: 'open' },
        { cleaned: 'INCONNU-3', status: 'dismissed' },
      ]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'links an unknown code to the thing whose label the camera sees',
    async () => {
      await scan('INCONNU-4');
      const seen = await window.another({ args: seeing(film('qrcode', codes[1]!)) });
      try {
        const { page, complaints } = await seen.as('manager', `/app/review/${session}`);
        await page.locator('.card', { hasText: 'INCONNU-4' }).getByRole('button', { name: 'Link' }).click();
        await press(page, 'Scan with the camera');
        await page.getByRole('listitem').getByText(codes[1]!).waitFor();
        await page.screenshot({ path: '.artifacts/app-link-camera.png' });
        await looksRight(page);
        await press(page, 'Link to this thing');
        await page.getByRole('status').getByText(`Linked to ${codes[1]}`).waitFor();
        expect(
          await rows(`SELECT p.code FROM inventory_unknown_codes u JOIN purchases p ON p.id = u.purchase_id
            WHERE cleaned = 'INCONNU-4' AND status = 'linked'`),
        ).toEqual([{ code: codes[1] }]);
        expect(complaints).toEqual([]);
      } finally {
        await seen.close();
      }
    },
    TIMEOUT,
  );

  it(
    'links to the thing that was read last, also where one before it is still being looked for',
    async () => {
      await scan('INCONNU-5');
      const make = factories(window.app);
      const [slow, last] = [await make.purchase(), await make.purchase()];
      const { page, context, complaints } = await window.as('manager', `/app/review/${session}`);
      let go = (): void => undefined;
      const isTime = new Promise<void>((resolve) => (go = resolve));
      await page.route(`**/api/v1/scan/${slow.code}`, (route) => isTime.then(() => route.continue()));
      await page.locator('.card', { hasText: 'INCONNU-5' }).getByRole('button', { name: 'Link' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[name=search]').focus();
      for (const { code } of [slow, last]) {
        await page.keyboard.type(code); // as a hand scanner does
        await page.keyboard.press('Enter');
      }
      expect(await dialog.locator('input[name=search]').inputValue()).toBe(last.code);
      const found = dialog.locator('li', { hasText: last.code });
      await found.waitFor();
      const answered = page.waitForResponse(`**/api/v1/scan/${slow.code}`);
      go();
      await answered;
      expect(await dialog.locator('li').count()).toBe(1);
      await found.getByRole('button').click();
      await dialog.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'closes it, sees what that leaves, accepts a late scan after reopening, and saves the report',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/sessions/${session}`);
      await press(page, 'Close the inventory');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Missing things').waitFor();
      expect((await dialog.locator('dd').allInnerTexts()).map(Number)).toEqual([1, 1, 0, 0]);
      await looksRight(page);
      await dialog.getByRole('button', { name: 'Close the inventory' }).click();
      await page.getByText('Closed on').waitFor();
      const past = new Date(Date.now() - 60_000).toISOString();
      await scan(codes[2]!, { client_id: crypto.randomUUID(), scanned_at: past });
      await page.goto(`/app/review/${session}`);
      await page.getByText('nothing is decided until it is reopened').waitFor();
      await page.locator('.card', { hasText: 'INCONNU-2' }).waitFor();
      expect(await page.getByRole('button', { name: 'Link' }).count()).toBe(0);
      await page.goto(`/app/sessions/${session}`);
      await press(page, 'Reopen the inventory');
      await page.getByLabel('Reason').fill('Un téléphone n’avait pas envoyé');
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByText('Un téléphone n’avait pas envoyé').waitFor();
      await page.getByRole('link', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Late' }).click();
      await press(page, 'Accept');
      await page.getByText('Nothing to decide on.').waitFor();
      await page.goBack();
      await page.getByText('3 / 3').waitFor();
      const [report] = await Promise.all([page.waitForEvent('download'), press(page, 'PDF')]);
      expect(report.suggestedFilename()).toMatch(/\.pdf$/);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sees that it is closed or reopened though the dialog was left before the answer',
    async () => {
      const { page, context } = await window.as('manager', `/app/sessions/${session}`);
      const dialog = page.getByRole('dialog');
      let send = (): unknown => undefined;
      await page.route(/\/(close|reopen)$/, async (route) => {
        await new Promise((resolve) => (send = () => resolve(true)));
        await route.continue();
      });
      const askAndLeave = async (name: string) => {
        const asked = page.waitForRequest(/\/(close|reopen)$/);
        await dialog.getByRole('button', { name }).click();
        await asked;
        const renewed = [/\/inventories\/\d+$/, /\/report$/].map((path) => page.waitForResponse(path));
        await page.keyboard.press('Escape');
        await Promise.all(renewed);
        send();
      };
      await press(page, 'Close the inventory');
      await dialog.getByText('Missing things').waitFor();
      await askAndLeave('Close the inventory');
      await page.getByText('Closed on').waitFor();
      await press(page, 'Reopen the inventory');
      await page.getByLabel('Reason').fill('Une salle oubliée');
      await askAndLeave('Reopen the inventory');
      await page.getByText('Une salle oubliée').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'finds all of it readable',
    async () => {
      await window.pictures('session', `/app/sessions/${session}`, (page) => page.locator('table').waitFor());
      await window.pictures('review', `/app/review/${session}`, (page) => page.locator('.card').waitFor());
      await window.pictures('missing', `/app/missing/${session}`, (page) =>
        page.locator('.empty').first().waitFor(),
      );
      await window.pictures('open', '/app/sessions/new', (page) =>
        page.locator('.choices').first().waitFor(),
      );
    },
    TIMEOUT,
  );
});
