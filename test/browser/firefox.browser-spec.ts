import type { Page } from 'playwright-core';
import { factories, unique } from '../support/factories.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { AppWindow, TIMEOUT, signIn } from './app-window.js';
import type { Visit } from './app-window.js';
import { isSent, revoke, says, soon, type } from './scanning.js';

let window: AppWindow;
/** The network, which may be cut: Firefox knows of it by its requests alone. */
let proxy: FaultyProxy;
let isCut = false;
let codes: string[];
let session: number;

beforeAll(async () => {
  window = await AppWindow.inFirefox();
  proxy = await FaultyProxy.to(window.app.url, () => (isCut ? 'cut' : 'passes'));
  const make = factories(window.app);
  const { id } = await make.article({ name: unique('Fauteuil') });
  codes = [];
  for (let nth = 0; nth < 25; nth++) codes.push((await make.purchase({ article_id: id })).code);
  const { body } = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = (body as { id: number }).id;
}, TIMEOUT);
afterEach(() => (isCut = false));
afterAll(async () => {
  await window.close();
  await proxy.close();
});

/** A user of his own, who has opened the page to scan: the token ends with the story. */
async function scan(): Promise<Visit> {
  const visit = await window.visit(`${proxy.url}/app/scan/${session}`);
  await signIn(visit.page, 'manager');
  await isReady(visit.page);
  return visit;
}

const isReady = (page: Page) => page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
const badge = (page: Page) => page.locator('.badge [aria-hidden]');
const noBadge = (page: Page) => badge(page).waitFor({ state: 'detached' });

/** How each of the codes was read, and how often. */
const recorded = (wanted: string[]) =>
  window.app.database.query<{ code: string; source: string; answers: number }>(
    `SELECT p.code, l.source, (SELECT count(*)::int FROM inventory_answers a
       WHERE a.inventory_id = l.inventory_id AND a.scan_id = l.scan_id) AS answers
     FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
     WHERE l.inventory_id = $1 AND l.scan_id IS NOT NULL AND p.code = ANY ($2) ORDER BY p.id`,
    [session, wanted],
  );

const once = (wanted: string[], source = 'scanner') => wanted.map((code) => ({ code, source, answers: 1 }));

describe('In Firefox, the page to scan', () => {
  it(
    'records what a hand scanner and a person type',
    async () => {
      const [chair, table] = codes as [string, string];
      const { page, context, complaints } = await scan();
      await type(page, chair);
      await says(page, 'Found');
      await isSent(page);
      const field = page.getByLabel('Code by hand or hand scanner');
      await field.pressSequentially(table, { delay: 80 });
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.locator('.reads > li').nth(1).waitFor();
      await isSent(page);
      expect(await recorded([chair, table])).toEqual([...once([chair]), ...once([table], 'manual')]);
      expect(complaints.filter((one) => !one.includes('is elsewhere'))).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keeps what is read without a network, also over a reload, and sends each once',
    async () => {
      const mine = codes.slice(2, 12);
      const { page, context } = await scan();
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      isCut = true;
      for (const code of mine.slice(0, 6)) await type(page, code);
      await badge(page).getByText('6').waitFor();
      await page.reload(); // by the service worker: nobody answers
      await isReady(page);
      await badge(page).getByText('6').waitFor();
      await type(page, mine[0]!);
      await says(page, 'Already scanned');
      for (const code of mine.slice(6)) await type(page, code);
      await badge(page).getByText('11').waitFor();
      expect(await recorded(mine)).toEqual([]);
      isCut = false;
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      await page.getByText('Everything has been sent.').waitFor();
      expect(await recorded(mine)).toEqual(once(mine));
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'outlives the end of the token, and goes on when the same user signs in again',
    async () => {
      const mine = codes.slice(12);
      const { page, context } = await scan();
      isCut = true;
      for (const code of mine) await type(page, code);
      await badge(page).getByText(String(mine.length)).waitFor();
      await revoke(page, window.app.url);
      isCut = false;
      await page.reload();
      await page.getByText('Your session has ended.').waitFor();
      await signIn(page, 'manager');
      await noBadge(page);
      await soon(() => recorded(mine), once(mine));
      await context.close();
    },
    TIMEOUT,
  );
});
