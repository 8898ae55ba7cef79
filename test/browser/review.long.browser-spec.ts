import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT } from './app-window.js';

let window: AppWindow;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).purchase();
  const opened = { year: 2026, inventory_date: '2026-11-16' };
  session = (await window.app.as('manager').post('/inventories', opened)).body.id;
}, TIMEOUT);
afterAll(() => window.close());

async function close(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close the inventory' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Missing things').waitFor();
  await dialog.getByRole('button', { name: 'Close the inventory' }).click();
}

describe('Closing an inventory', () => {
  it(
    'may have been done where its answer is lost, which is said, and seen once the dialog is closed',
    async () => {
      const { page, context } = await window.as('manager', `/app/sessions/${session}`);
      await page.route('**/close', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await close(page);
      await page.getByRole('dialog').getByRole('alert').getByText('may have been done').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Closed on').waitFor();
      expect(await page.getByRole('button', { name: 'Close the inventory' }).count()).toBe(0);
      const reopened = await window.app
        .as('manager')
        .post(`/inventories/${session}/reopen`, { reason: 'Not yet' });
      expect(reopened.status).toBe(200);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes as long as it takes',
    async () => {
      const { page, context, complaints } = await window.as('manager');
      await page.clock.install();
      await page.goto(`/app/sessions/${session}`);
      await page.route('**/close', async (route) => {
        await page.clock.fastForward(60_000);
        await route.continue();
      });
      await close(page);
      await page.getByText('Closed on').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );
});
