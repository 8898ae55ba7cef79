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
