import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/app.js';
import { factories } from '../support/factories.js';
import { TIMEOUT, Window, execute, open, write } from './window.js';

let window: Window;

beforeAll(async () => {
  window = await Window.open();
}, TIMEOUT);
afterAll(() => window.close());

describe.each([390, 768, 1440])('Swagger UI in Chromium, at %i px', (width) => {
  const story = (path: string, picture: string, act: (page: Page) => Promise<void>) =>
    window.visit(path, `${picture}-${width}`, act, width);

  it(
    'cuts nothing off, with an operation opened and executed',
    () =>
      story('/docs', 'swagger-ui', async (page) => {
        const login = await open(page, 'Authentication', 'login');
        await write(login, { login: 'manager', password: PASSWORD });
        await execute(login, 200);
        await expectToFit(page);
        const list = await open(page, 'Purchases', 'listPurchases');
        await factories(window.app).purchase();
        await execute(list, 200);
        await expectToFit(page);
        await list.evaluate((element) => element.scrollIntoView());
      }),
    TIMEOUT,
  );

  it(
    'cuts nothing off of the overview and of the guide',
    async () => {
      await story('/docs', 'swagger-ui-overview', async (page) => {
        await page.locator('.opblock').nth(40).waitFor();
        await expectToFit(page);
      });
      await story('/docs/guide', 'guide', async (page) => {
        await page.getByRole('heading', { name: 'For those who write apps' }).waitFor();
        await expectToFit(page);
      });
    },
    TIMEOUT,
  );
});

/** Nothing reaches beyond the screen but what scrolls in a box of its own, and no text beyond its box. */
async function expectToFit(page: Page): Promise<void> {
  const beyond = await page.evaluate(`(() => {
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
  expect(beyond).toEqual([0]);
}
