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
  async function visit(path: string, picture: string, story: (page: Page) => Promise<void>): Promise<void> {
    const viewport = { width: 1280, height: 1300 };
    const page = await browser.newPage({ baseURL: app.url, viewport, locale: 'fr-FR' });
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
        const { token } = await execute(login, 200);
        await authorize(page, token as string);
        await page.reload();
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
    'lists every operation, by the tags in the order of the document, and filters by tag',
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
        const filter = page.getByPlaceholder('Filter by tag');
        await filter.fill('Suppliers');
        await page.locator('[data-tag="Articles"]').waitFor({ state: 'detached' });
        expect(await page.locator('.opblock-tag > a').allTextContents()).toEqual(['Suppliers']);
        await filter.fill('');
        await page.locator('[data-tag="Articles"]').waitFor();
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

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(token);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Remove authorization' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
}
