import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';

let window: AppWindow;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).article({ name: 'Fauteuil Oxo', reference: 'FO-1' });
}, TIMEOUT);
afterAll(() => window.close());

const LINES = ["Code;Article;Date d'achat", 'A-1;FO-1;15/03/2024', 'A-2;Inconnu;16/03/2024'];
const wrong = { name: 'achats.csv', mimeType: 'text/csv', buffer: Buffer.from(LINES.join('\n')) };

describe('Imports', () => {
  it(
    'go on without a network, are followed until they have ended, and are opened again later',
    async () => {
      const { page, context } = await window.as('admin', '/app/imports');
      const state = /\/api\/v1\/imports\/\d+$/;
      await page.route(state, (route) => route.abort());
      await page.getByLabel('File', { exact: true }).setInputFiles(wrong);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('status').getByText('The import goes on').waitFor();
      for (let n = 0; n < 3; n++) await page.waitForRequest(state); // again and again
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.unroute(state);
      await page.locator('.import-outcome .tag-bad', { hasText: 'Refused' }).waitFor();
      expect(await page.getByText('The import goes on').count()).toBe(0);

      await page.reload();
      const shown = page.locator('.list .card').first().getByRole('button');
      await shown.click();
      const dialog = page.getByRole('dialog', { name: 'achats.csv' });
      await dialog.locator('.tag-bad', { hasText: 'Refused' }).waitFor();
      await dialog.getByText(/\d would be new, 0 changed, 0 unchanged/).waitFor();
      await dialog.getByRole('heading', { name: '1 error' }).waitFor();
      expect(await dialog.locator('tbody tr').first().innerText()).toMatch(/3\s+Article\s+Inconnu/);
      await looksRight(page);
      await page.keyboard.press('Escape');
      await page.locator('.list button:focus').waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});
