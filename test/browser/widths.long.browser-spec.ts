import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/app.js';
import { factories } from '../support/factories.js';
import { TIMEOUT, Window, execute, open, write } from './window.js';

let window: Window;

beforeAll(async () => {
  window = await Window.open();
}, TIMEOUT);
afterAll(() => window.close());

/** Of a phone, a tablet and a desk. */
const WIDTHS = [390, 768, 1440];

describe('Swagger UI in Chromium, at each width,', () => {
  it(
    'cuts nothing off, with an operation opened and executed',
    () =>
      window.visit('/docs', 'swagger-ui-widths', async (page) => {
        const login = await open(page, 'Authentication', 'login');
        await write(login, { login: 'manager', password: PASSWORD });
        await execute(login, 200);
        await expectToFit(page, 'swagger-ui-login');
        const list = await open(page, 'Purchases', 'listPurchases');
        await factories(window.app).purchase();
        await execute(list, 200);
        await list.evaluate((element) => element.scrollIntoView());
        await expectToFit(page, 'swagger-ui');
      }),
    TIMEOUT,
  );

  it(
    'cuts nothing off of the overview and of the guide',
    async () => {
      await window.visit('/docs', 'swagger-ui-overview-widths', async (page) => {
        await page.locator('.opblock').nth(40).waitFor();
        await expectToFit(page, 'swagger-ui-overview');
      });
      await window.visit('/docs/guide', 'guide-widths', async (page) => {
        await page.getByRole('heading', { name: 'For those who write apps' }).waitFor();
        await expectToFit(page, 'guide');
      });
    },
    TIMEOUT,
  );
});

/** At each width, with a picture. */
async function expectToFit(page: Page, picture: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 1300 });
    expect([width, ...(await beyond(page))]).toEqual([width, 0]);
    await page.screenshot({ path: `.artifacts/${picture}-${width}.png` });
  }
}

/** Nothing reaches beyond the screen but what scrolls in a box of its own, and no text beyond its box. */
const beyond = (page: Page): Promise<(number | string)[]> =>
  page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element) =>
      element !== null &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const isBeyond = (element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 0 && (right > width + 1 || left < -1) && !scrolls(element.parentElement);
    };
    const isCut = (element) =>
      getComputedStyle(element).overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1;
    const found = [...document.querySelectorAll('body *')].filter((one) => isBeyond(one) || isCut(one));
    const name = (one) => one.tagName + ' ' + one.getAttribute('class') + ': ' + one.textContent.slice(0, 60);
    return [document.documentElement.scrollWidth - width, ...found.map(name)];
  })()`);
