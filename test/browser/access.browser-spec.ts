import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT } from './app-window.js';

let window: AppWindow;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).purchase();
  const opened = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = opened.body.id;
}, TIMEOUT);
afterAll(() => window.close());

describe('Who goes by keyboard', () => {
  it(
    'skips what stands above every page, and stays on the page',
    async () => {
      const address = `/app/sessions/${session}?from=list`;
      const { page, context, complaints } = await window.as('manager', address);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await page.evaluate('document.activeElement.blur()');
      const focused = () =>
        page.evaluate<string>(
          'document.activeElement.cloneNode().outerHTML + document.activeElement.textContent',
        );
      for (let n = 0; n < 20 && !(await focused()).includes('class="skip"'); n++)
        await page.keyboard.press('Shift+Tab');
      expect(await focused()).toContain('class="skip"');
      await page.keyboard.press('Enter');
      expect(await focused()).toMatch(/^<h1.*Inventaire annuel/);
      expect(page.url()).toBe(`${window.app.url}${address}`);
      await page.keyboard.press('Tab'); // the first thing of the page itself
      expect(await focused()).toContain(`/app/scan/${session}`);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'follows a link within a page as the browser does',
    async () => {
      const { page, context } = await window.as('manager', `/app/sessions/${session}?from=list`);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
        '<a href="#files">To the files</a>')`);
      await page.getByRole('link', { name: 'To the files' }).click();
      expect(page.url()).toBe(`${window.app.url}/app/sessions/${session}?from=list#files`);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});
