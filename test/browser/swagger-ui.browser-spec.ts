import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { PASSWORD, startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';
import { factories } from '../support/factories.js';

const TIMEOUT = 120_000;

describe('Swagger UI in Chromium', () => {
  let browser: Browser;
  let app: TestApp;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      chromiumSandbox: process.getuid?.() !== 0, // it does not start for root
    });
    app = await startApp();
  }, TIMEOUT);
  afterAll(async () => {
    await browser.close();
    await app.stop();
  });

  /** Opens a path with a new profile. A picture of how it ended is left in .artifacts, also of a failure. */
  async function visit(
    path: string,
    picture: string,
    story: (page: Page) => Promise<void>,
    width = 1280,
  ): Promise<void> {
    const page = await browser.newPage({
      baseURL: app.url,
      viewport: { width, height: 1300 },
      locale: 'fr-FR',
    });
    page.setDefaultTimeout(TIMEOUT / 4);
    const complaints = watch(page);
    try {
      await page.goto(path);
      await story(page);
      expect(complaints).toEqual([]);
    } finally {
      await page.screenshot({ path: `.artifacts/${picture}.png` });
      await page.close();
    }
  }

  /** What no page may do: warn (as of a breach of its Content-Security-Policy), fail, or call another origin. */
  function watch(page: Page): string[] {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.url) complaints.push(`${request.url()} is elsewhere`);
    });
    return complaints;
  }

  it(
    'leads from the login to a scan',
    () =>
      visit('/docs', 'swagger-ui', async (page) => {
        const login = await open(page, 'Authentication', 'login');
        await write(login, { login: 'manager', password: PASSWORD });
        await execute(login, 200);
        await page.locator('.auth-wrapper .authorize.locked').waitFor();
        await page.reload(); // it is kept
        await page.locator('.auth-wrapper .authorize.locked').waitFor();

        const session = await execute(await open(page, 'Inventory_sessions', 'openInventory'), 201);
        const { code } = await factories(app).purchase();
        const scan = await open(page, 'Inventory_sessions', 'scanPurchase');
        await scan.locator('[data-param-name="id"] input').fill(String(session.id));
        await write(scan, { code });
        expect(await execute(scan, 200)).toMatchObject({ status: 'success', message: 'Article ajouté' });
        await scan.locator('.live-responses-table', { hasText: 'Article ajouté' }).waitFor();
        await scan.getByText('Request duration').waitFor();
        await scan.evaluate((element) => element.scrollIntoView()); // for the picture
      }),
    TIMEOUT,
  );

  it(
    'opens the operation that a link names',
    () =>
      visit('/docs#/Inventory%20sessions/scanPurchase', 'swagger-ui-link', async (page) => {
        await page.locator('#operations-Inventory_sessions-scanPurchase .execute').waitFor();
        expect(await page.locator('.opblock.is-open').count()).toBe(1);
      }),
    TIMEOUT,
  );

  it(
    'is authorized by either login and no longer by a logout',
    () =>
      visit('/docs', 'swagger-ui-logout', async (page) => {
        const token = await open(page, 'Authentication', 'createToken');
        await write(token, { email: 'manager@test.example', password: PASSWORD });
        await execute(token, 200);
        await page.locator('.auth-wrapper .authorize.locked').waitFor();
        await execute(await open(page, 'Authentication', 'logout'), 200);
        await page.locator('.auth-wrapper .authorize.unlocked').waitFor();
        await page.reload();
        await page.locator('.auth-wrapper .authorize.unlocked').waitFor();
      }),
    TIMEOUT,
  );

  it(
    'shows every outcome of a scan, a route’s own errors after it, and those of every route folded away',
    () =>
      visit('/docs#/Inventory%20sessions/scanPurchase', 'swagger-ui-answers', async (page) => {
        const scan = page.locator('#operations-Inventory_sessions-scanPurchase');
        await scan.locator('.responses-table .examples-select').waitFor();
        const outcomes = scan.locator('.responses-table .examples-select option');
        expect(await outcomes.count()).toBe(9);
        await scan.locator('.responses-table .examples-select select').selectOption('session-closed');
        await scan.locator('.responses-table', { hasText: 'Inventaire clôturé' }).waitFor();
        const statuses = await scan.locator('tr.response .response-col_status').allInnerTexts();
        expect(statuses.map((text) => text.trim())).toEqual(['200', '404', '422']);
        await scan.locator('.responses-table', { hasText: 'There is no such inventory session.' }).waitFor();
        const shared = scan.locator('.shared-errors');
        expect(await shared.locator('dt').first().isVisible()).toBe(false);
        await shared.locator('summary').click();
        expect(await shared.locator('dt').allInnerTexts()).toEqual([
          '400',
          '401',
          '403',
          '413',
          '414',
          '415',
          '429',
          '500',
          '503',
        ]);
      }),
    TIMEOUT,
  );

  it(
    'finds operations by any word, in any case, with and without accents',
    () =>
      visit('/docs', 'swagger-ui-filter', async (page) => {
        const filter = page.getByLabel('Find operations');
        const found = async (words: string) => {
          await filter.fill(words);
          await page.waitForTimeout(300);
          return page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.split('-').at(-1)));
        };
        expect(await found('SCANPURCHASES')).toEqual(['scanPurchases']); // its id
        expect(await found('/Purchases delete')).toEqual(['deletePurchase']); // path and method
        expect(await found('what is STILL missing')).toEqual(['listUnscanned']); // summary
        expect(await found('symbology')).toEqual(['findPurchaseByCode']); // description
        expect(await found('ÉQUIPMENT list')).toEqual(['listEquipment']); // tag, accents
        expect(await found('nonsense')).toEqual([]);
        await page.getByText('No operation has all of these words.').waitFor();
        expect((await found('')).length).toBeGreaterThan(40);
      }),
    TIMEOUT,
  );

  describe.each([390, 768, 1440])('at %i px', (width) => {
    const story = (path: string, picture: string, act: (page: Page) => Promise<void>) =>
      visit(path, `${picture}-${width}`, act, width);

    it(
      'cuts nothing off, with an operation opened and executed',
      () =>
        story('/docs', 'swagger-ui', async (page) => {
          const login = await open(page, 'Authentication', 'login');
          await write(login, { login: 'manager', password: PASSWORD });
          await execute(login, 200);
          await expectToFit(page);
          const list = await open(page, 'Purchases', 'listPurchases');
          await factories(app).purchase();
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

  it(
    'lists every operation, by the tags in the order of the document',
    () =>
      visit('/docs', 'swagger-ui-overview', async (page) => {
        const { tags, paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
        const names: string[] = tags.map(({ name }: { name: string }) => name);
        const operations = Object.values<object>(paths).flatMap(Object.keys).length;
        await page
          .locator('.opblock')
          .nth(operations - 1)
          .waitFor();
        expect(await page.locator('.opblock').count()).toBe(operations);
        expect(await page.locator('.opblock-tag > a').allTextContents()).toEqual(names);
        const logins = await page
          .locator('#operations-tag-Authentication ~ * .opblock-summary-path')
          .allInnerTexts();
        expect(logins.slice(0, 2).map((path) => path.replace(/\u200b/g, ''))).toEqual([
          '/api/v1/login',
          '/api/v1/auth/token',
        ]);
      }),
    TIMEOUT,
  );
});

async function open(page: Page, tag: string, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Replaces the example in the form. */
const write = (operation: Locator, body: object): Promise<void> =>
  operation.locator('textarea.body-param__text').fill(JSON.stringify(body));

/** Presses Execute, and reads the answer where a reader does. */
async function execute(operation: Locator, status: number) {
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table .response');
  const body = await answer.locator('code').textContent();
  expect([await answer.locator('.response-col_status').innerText(), body]).toEqual([
    String(status),
    expect.any(String),
  ]);
  return JSON.parse(body!);
}

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
