import type { Page } from 'playwright-core';
import { idempotencyKey } from '../../clients/typescript/src/index.js';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';

let window: AppWindow;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).article({ name: 'Perceuse' });
  const opened = { year: 2026, inventory_date: '2026-11-16' };
  session = (await window.app.as('manager').post('/inventories', opened)).body.id;
  for (const code of ['NEUF-1', 'NEUF-2'])
    await window.app.as('operator').post(`/inventories/${session}/scan`, { code });
}, TIMEOUT);
afterAll(() => window.close());

const unknown = async (code: string) =>
  (
    await window.app.database.query(
      `SELECT status, p.code FROM inventory_unknown_codes u LEFT JOIN purchases p ON p.id = u.purchase_id
       WHERE inventory_id = $1 AND cleaned = $2`,
      [session, code],
    )
  )[0];
const card = (page: Page, text: string) => page.locator('.card', { hasText: text });

/** From the review, as it is entered there; it is not saved yet. */
async function enter(page: Page, code: string): Promise<void> {
  await card(page, code).getByRole('link', { name: 'Enter a new thing' }).click();
  await page.getByRole('button', { name: 'Article' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Perceuse' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The service fails for this address, as in a passing outage, until it is unrouted. */
const fail = (page: Page, path: string) =>
  page.route(`**/api/v1/inventories/${session}${path}`, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      json: { status: 503, code: 'unavailable', title: 'Unavailable', detail: 'Not now.', request_id: '1' },
    }),
  );

describe('A service that fails for a moment', () => {
  it(
    'is said by the review, which has its buttons once it is tried again',
    async () => {
      const { page, context } = await window.as('manager');
      await fail(page, '');
      await page.goto(`/app/review/${session}`);
      await card(page, 'NEUF-1').waitFor();
      await page.getByRole('alert').getByText('Not now.').waitFor();
      const link = card(page, 'NEUF-1').getByRole('button', { name: 'Link' });
      expect(await link.count()).toBe(0);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await link.waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is said where the figures of an inventory would be, and with what this device has kept of it',
    async () => {
      const { page, context } = await window.as('manager');
      await fail(page, '/report');
      await page.goto(`/app/sessions/${session}`);
      await page.getByRole('alert').getByText('Not now.').waitFor();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('row', { name: 'Found 0' }).waitFor();
      expect(await page.getByText('As of').count()).toBe(0);
      await page.waitForLoadState('networkidle'); // all of it is kept
      await fail(page, '');
      await page.reload();
      await page.getByText(/^. As of .+; the service cannot be reached$/).waitFor();
      await looksRight(page);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('As of').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );
});

describe('A new thing for an unknown code', () => {
  it(
    'decides on the code, and leads back to the review',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/review/${session}`);
      await enter(page, 'NEUF-1');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/app/review/${session}*`);
      await page.getByRole('status').getByText('Linked to NEUF-1').waitFor();
      await card(page, 'NEUF-2').waitFor();
      expect(await card(page, 'NEUF-1').count()).toBe(0);
      expect(await unknown('NEUF-1')).toEqual({ status: 'linked', code: 'NEUF-1' });
      const missing = await window.app.as('manager').get(`/inventories/${session}/unscanned`);
      expect(missing.body.data).toEqual([]);
      await looksRight(page);
      await page.reload();
      await card(page, 'NEUF-2').waitFor();
      expect(await page.getByText('Linked to NEUF-1').count()).toBe(0); // it is said once
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is made once, and the review says why the code was not linked',
    async () => {
      const { page, context } = await window.as('manager', `/app/review/${session}`);
      await enter(page, 'NEUF-2');
      const [code] = await window.app.database.query(
        `SELECT id FROM inventory_unknown_codes WHERE cleaned = 'NEUF-2'`,
      );
      const decision = `/inventories/${session}/unknown-codes/${code!.id}/dismiss`;
      await window.app.as('admin').post(decision, { reason: 'Emballage' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/app/review/${session}*`);
      await page.getByRole('alert').waitFor(); // somebody else was faster, and has decided
      expect(await unknown('NEUF-2')).toEqual({ status: 'dismissed', code: null });
      expect(
        await window.app.database.query(`SELECT code FROM purchases WHERE code = 'NEUF-2'`),
      ).toHaveLength(1);
      await context.close();
    },
    TIMEOUT,
  );
});

describe('Of many unknown codes', () => {
  it(
    'are as many shown after a decision as before',
    async () => {
      const opened = { year: 2026, inventory_date: '2026-11-16' };
      const { id } = (await window.app.as('manager').post('/inventories', opened)).body;
      const scans = Array.from({ length: 60 }, (_, n) => ({
        client_id: idempotencyKey(),
        code: `BEAUCOUP-${n}`,
      }));
      await window.app.as('operator').post(`/inventories/${id}/scans`, { scans });
      const { page, context } = await window.as('manager', `/app/review/${id}`);
      const cards = page.locator('.list > li');
      await cards.nth(49).waitFor();
      await page.getByRole('button', { name: 'More' }).click();
      const one = cards.nth(55);
      const code = await one.locator('strong').innerText();
      await one.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByLabel('Why').fill('Emballage');
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('status').getByText('Dismissed').waitFor();
      await cards.filter({ hasText: code }).waitFor({ state: 'detached' });
      expect(await cards.count()).toBe(59);
      await context.close();
    },
    TIMEOUT,
  );
});

/** Presses what closes the session, in the dialog that asks. */

describe('The things to which an unknown code may be linked', () => {
  it(
    'are more than are shown where that is said',
    async () => {
      const { article, purchase } = factories(window.app);
      const { id } = await article({ name: 'Tabouret' });
      for (let n = 1; n <= 11; n++) await purchase({ article_id: id });
      const fields = { year: 2026, inventory_date: '2026-11-16' };
      const { body } = await window.app.as('manager').post('/inventories', fields);
      await window.app.as('operator').post(`/inventories/${body.id}/scan`, { code: 'NEUF-3' });
      const { page, context } = await window.as('manager', `/app/review/${body.id}`);
      await card(page, 'NEUF-3').getByRole('button', { name: 'Link' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Code on its label, or its name').fill('tabouret');
      await dialog.getByRole('button', { name: 'Find' }).click();
      await dialog.getByText('There are more: search for them.').waitFor();
      expect(await dialog.locator('li').count()).toBe(10);
      await context.close();
    },
    TIMEOUT,
  );
});
