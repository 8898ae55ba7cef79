import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT } from './app-window.js';

let window: AppWindow;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  const { code } = await factories(window.app).purchase();
  const fields = { year: 2026, inventory_date: '2026-11-16' };
  session = (await window.app.as('manager').post('/inventories', fields)).body.id;
  await window.app.as('operator').post(`/inventories/${session}/scan`, { code });
}, TIMEOUT);
afterAll(() => window.close());

const count = (page: Page, text: string) => page.locator('.board-count', { hasText: text }).waitFor();
const board = () => `/app/board/${session}`;

describe('The board', () => {
  it(
    'says of when its figures are while the service cannot be reached, and is live again by itself',
    async () => {
      const { page, context } = await window.as('viewer', board());
      await page.getByText('Live').waitFor();
      await context.setOffline(true);
      await page.getByText('No network.').waitFor();
      const old = page.getByText(/^.*As of \d.*; the service cannot be reached$/);
      await old.waitFor();
      await count(page, '1 / 1'); // what was known stays
      expect(await page.getByText(/Live|Every few seconds/).count()).toBe(0);
      await context.setOffline(false);
      await old.waitFor({ state: 'detached' });
      await page.getByText('No network.').waitFor({ state: 'detached' });
      await page.getByText('Live').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says so where it was never answered by more than a proxy, and goes on trying',
    async () => {
      const { page, context } = await window.as('viewer');
      const proxy = { status: 502, contentType: 'text/html', body: '<!doctype html><h1>Hello</h1>' };
      await context.route('**/api/v1/inventories/**', (route) => route.fulfill(proxy));
      await page.goto(board());
      await page.getByRole('heading', { name: 'The service cannot be reached.' }).waitFor();
      await context.unroute('**/api/v1/inventories/**');
      await count(page, '1 / 1');
      await page.getByText('Live').waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});
