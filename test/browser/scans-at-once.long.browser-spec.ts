import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow } from './app-window.js';
import { ready, soon, type } from './scanning.js';

const TABS = 20;
const CODES = 100;
const EVERY_MS = 200;

let window: AppWindow;

beforeAll(async () => {
  window = await AppWindow.open();
}, 60_000);
afterAll(() => window.close());

it('records each once of what twenty people scan at five codes a second, overlapping by a half', async () => {
  const { id: article } = await factories(window.app).article();
  const count = (TABS * CODES) / 2 + CODES / 2;
  const rows: { code: string }[] = await window.app.database.query(
    `INSERT INTO purchases (article_id, purchase_date, code)
     SELECT $1, '2026-01-15', 'T' || 10000 + n FROM generate_series(1, $2) n RETURNING code`,
    [article, count],
  );
  const { body } = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  const session = (body as { id: number }).id;
  const pages: Page[] = [];
  for (let nth = 0; nth < TABS; nth++) {
    const { page } = await window.as('operator', `/app/scan/${session}`);
    await ready(page);
    pages.push(page);
  }
  const began = Date.now();
  await Promise.all(
    pages.map(async (page, nth) => {
      // The second half of each is the first half of the next one.
      const codes = rows.slice((nth * CODES) / 2, (nth * CODES) / 2 + CODES).map(({ code }) => code);
      for (const [at, code] of codes.entries()) {
        const pause = began + at * EVERY_MS - Date.now();
        if (pause > 0) await page.waitForTimeout(pause);
        await type(page, code);
      }
    }),
  );
  for (const page of pages) await page.locator('.badge').waitFor({ state: 'detached', timeout: 120_000 });
  const read = () =>
    window.app.database
      .query(
        `SELECT (SELECT count(*)::int FROM inventory_lines WHERE inventory_id = $1 AND scan_id IS NOT NULL) AS scanned,
           (SELECT count(*)::int FROM inventory_answers WHERE inventory_id = $1) AS answers,
           (SELECT count(*)::int FROM inventory_unknown_codes WHERE inventory_id = $1) AS unknown`,
        [session],
      )
      .then(([row]: object[]) => row);
  // What was typed last may be on its way into the queue.
  await soon(read, { scanned: count, answers: TABS * CODES, unknown: 0 });
}, 400_000);
