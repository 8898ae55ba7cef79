import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT } from './app-window.js';

let window: AppWindow;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).purchase();
  await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
}, TIMEOUT);
afterAll(() => window.close());

describe('The app in the browser', () => {
  it(
    'has a network though a page was left before all of it was there, and finds out that the service is back',
    async () => {
      const [session] = await window.app.database.query<{ id: number }>(`SELECT id FROM inventories`);
      const { page, context } = await window.as('operator', `/app/sessions/${session!.id}`);
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      await page.route('**/inventories/*/pack*', () => undefined); // never answered
      const asked = page.waitForRequest('**/inventories/*/pack*');
      await page.getByRole('link', { name: 'Scan', exact: true }).click();
      await asked;
      const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/pack'));
      await page.getByRole('link', { name: 'Inventory', exact: true }).click();
      await left;
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      expect(await page.getByText('No network.').count()).toBe(0);
      await page.route('**/api/v1/**', (route) => route.abort());
      await page.reload();
      await page.getByText('No network.').waitFor();
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor(); // as it was kept
      await page.waitForLoadState('networkidle'); // nothing is tried again by itself
      await page.unroute('**/api/v1/**');
      await page.getByText('No network.').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows the open sessions, the newest first, however many there were before',
    async () => {
      const manager = window.app.as('manager');
      for (let n = 0; n <= 201; n++) {
        const { status, body } = await manager.post('/inventories', {
          label: `Passage ${n}`,
          year: 2026,
          inventory_date: '2026-11-16',
        });
        expect(status).toBe(201);
        if (n < 201) await manager.post(`/inventories/${(body as { id: number }).id}/close`, {});
      }
      const { page, context } = await window.as('viewer', '/app');
      await page.locator('.card').nth(200).waitFor();
      const titles = await page.locator('.card h2').allInnerTexts();
      expect(titles.slice(0, 3)).toEqual(['Passage 201', 'Inventaire annuel', 'Passage 200']);
      await context.close();
    },
    TIMEOUT,
  );
});
