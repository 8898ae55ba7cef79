import { readFileSync } from 'node:fs';
import { TIMEOUT, Window } from './window.js';

let window: Window;

beforeAll(async () => {
  window = await Window.open();
}, TIMEOUT);
afterAll(() => window.close());

describe('Swagger UI in Chromium', () => {
  it(
    'opens the operation that a link names',
    () =>
      window.visit('/docs#/Inventory%20sessions/scanPurchase', 'swagger-ui-link', async (page) => {
        await page.locator('#operations-Inventory_sessions-scanPurchase .execute').waitFor();
        expect(await page.locator('.opblock.is-open').count()).toBe(1);
      }),
    TIMEOUT,
  );

  it(
    'shows every outcome of a scan, a route’s own errors after it, and those of every route folded away',
    () =>
      window.visit('/docs#/Inventory%20sessions/scanPurchase', 'swagger-ui-answers', async (page) => {
        const scan = page.locator('#operations-Inventory_sessions-scanPurchase');
        await scan.locator('.responses-table .examples-select').waitFor();
        const outcomes = scan.locator('.responses-table .examples-select option');
        expect(await outcomes.count()).toBe(10);
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
      window.visit('/docs', 'swagger-ui-filter', async (page) => {
        const filter = page.getByLabel('Find operations');
        const found = async (words: string) => {
          await filter.fill(words);
          await page.waitForTimeout(300);
          return page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.split('-').at(-1)));
        };
        expect(await found('SCANPURCHASES')).toEqual(['scanPurchases']); // its id
        expect(await found('/Purchases delete')).toEqual(['deletePurchase', 'restorePurchase']); // path, method or words
        expect(await found('what is STILL missing')).toEqual(['listUnscanned']); // summary
        expect(await found('symbology')).toEqual(['findPurchaseByCode']); // description
        expect(await found('ÉQUIPMENT list SERIAL')).toEqual(['listEquipment']); // tag, accents
        expect(await found('nonsense')).toEqual([]);
        await page.getByText('No operation has all of these words.').waitFor();
        expect((await found('')).length).toBeGreaterThan(40);
      }),
    TIMEOUT,
  );

  it(
    'lists every operation, by the tags in the order of the document',
    () =>
      window.visit('/docs', 'swagger-ui-overview', async (page) => {
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
