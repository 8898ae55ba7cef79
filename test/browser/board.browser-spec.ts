import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { Releases } from '../support/releases.js';
import { AppWindow, TIMEOUT, signIn } from './app-window.js';
import { soon } from './scanning.js';

let window: AppWindow;
let session: number;
const codes: string[] = [];

beforeAll(async () => {
  window = await AppWindow.open();
  const { purchase, location } = factories(window.app);
  const place = await location();
  for (let n = 0; n < 5; n++) codes.push((await purchase({ location_id: place.id })).code);
  const manager = window.app.as('manager');
  const opened = await manager.post('/inventories', {
    label: 'Inventaire annuel',
    year: 2026,
    inventory_date: '2026-11-16',
  });
  session = opened.body.id;
  await scan();
}, TIMEOUT);
afterAll(() => window.close());

const scan = () => window.app.as('operator').post(`/inventories/${session}/scan`, { code: codes.pop() });
const count = (page: Page, text: string) => page.locator('.board-count', { hasText: text }).waitFor();
const board = () => `/app/board/${session}`;

describe('The board', () => {
  it(
    'shows a scan as it happens',
    async () => {
      const { page, context, complaints } = await window.as('viewer', board());
      await count(page, '1 / 5');
      await page.getByText('Live').waitFor();
      const { body } = await scan();
      await page.locator('.board-latest').getByText(body.purchase.code).waitFor();
      await count(page, '2 / 5');
      await page.getByText('2 scans in the last hour').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has one stream for all tabs of a browser, which the next one takes over',
    async () => {
      const { page, context } = await window.as('viewer');
      let streams = 0;
      context.on('request', (request) => (streams += Number(request.url().endsWith('/events'))));
      await page.goto(board());
      await page.getByText('Live').waitFor();
      const other = await context.newPage();
      await other.goto(board());
      await scan();
      await count(other, '3 / 5');
      expect(streams).toBe(1);
      await page.close();
      await scan();
      await count(other, '4 / 5');
      await soon(() => Promise.resolve({ streams }), { streams: 2 }); // the count may have been asked for before
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'asks every few seconds where there is no stream',
    async () => {
      const { page, context } = await window.as('viewer');
      await context.route('**/events', (route) => route.abort());
      await page.goto(board());
      await count(page, '4 / 5');
      await page.getByText('Every few seconds').waitFor();
      await scan();
      await count(page, '5 / 5');
      await page.getByText('Everything has been found.').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of a session that expects nothing neither how much was found nor that all was',
    async () => {
      const empty = await factories(window.app).location();
      const fields = { year: 2026, inventory_date: '2026-11-16', location_ids: [empty.id] };
      const { id } = (await window.app.as('manager').post('/inventories', fields)).body;
      const { page, context } = await window.as('viewer', `/app/board/${id}`);
      await page.getByText('Nothing is expected in this inventory.').waitFor();
      expect(await page.locator('.board-percent, .board-count, progress').count()).toBe(0);
      expect(await page.getByText('Everything has been found.').count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has the focus at its title, for who comes by keyboard',
    async () => {
      const { page, context } = await window.as('viewer', `/app/sessions/${session}`);
      await page.getByRole('link', { name: 'Board' }).press('Enter');
      await page.locator('h1:focus', { hasText: 'Inventaire annuel' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'offers the full screen where the browser has one',
    async () => {
      const { page, context } = await window.as('viewer', board());
      const full = page.getByRole('button', { name: 'Full screen' });
      await full.waitFor();
      // As on a phone of Apple's.
      await page.addInitScript(
        `Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: undefined })`,
      );
      await page.reload();
      await page.locator('.board-title').waitFor();
      expect(await full.count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says so where there is no such session, and loads nothing any more',
    async () => {
      const { page, context } = await window.as('viewer', '/app/board/99999');
      await page.getByText('There is no such inventory session.').waitFor();
      expect(await page.getByText('Loading').count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells when a newer version waits',
    async () => {
      const release = await Releases.before(window.app.url);
      const { page, context } = await window.visit(`${release.url}/app`);
      await signIn(page, 'manager');
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await page.goto(`${release.url}${board()}`);
      release.version = 'another one';
      await page.evaluate('navigator.serviceWorker.ready.then((one) => one.update())');
      await page.getByText('A new version is ready.').waitFor();
      await context.close();
      await release.close();
    },
    TIMEOUT,
  );

  it.each([
    [99.96, '99.9%'],
    [0.04, '0.1%'],
    [66.86, '66.9%'],
    [100, '100%'],
  ])(
    'says %d %% of all as %s: 100 only where nothing is missing, and 0 where there is nothing',
    async (percentage, shown) => {
      const { page, context } = await window.as('viewer');
      await context.route('**/events', (route) => route.abort()); // it tells how many there are
      await context.route(`**/inventories/${session}`, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { progress: object };
        await route.fulfill({ response, json: { ...body, progress: { ...body.progress, percentage } } });
      });
      await page.goto(board());
      await page.locator('.board-percent').waitFor();
      expect(await page.locator('.board-percent').innerText()).toBe(shown);
      await context.close();
    },
    TIMEOUT,
  );

  it.each([
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const)(
    'is light or dark as the system, here %s, until %s is chosen',
    async (system, chosen) => {
      const { page, context } = await window.as('viewer', board(), { colorScheme: system });
      const paper = async (theme: string) => {
        await page.locator(`.board-${theme}`).waitFor();
        return page.evaluate(`getComputedStyle(document.querySelector('.board')).backgroundColor`);
      };
      const papers = { light: 'rgb(255, 255, 255)', dark: 'rgb(20, 24, 31)' };
      expect(await paper('system')).toBe(papers[system]);
      await page.getByRole('button', { name: 'As the system' }).click();
      if (chosen === 'dark') await page.getByRole('button', { name: 'Light' }).click();
      expect(await paper(chosen)).toBe(papers[chosen]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says of one that it is one, in French too',
    async () => {
      const { purchase, location } = factories(window.app);
      const location_ids: number[] = [];
      for (let n = 0; n < 9; n++) location_ids.push((await location()).id);
      const things = [];
      for (const location_id of location_ids) things.push(await purchase({ location_id }));
      const opened = { year: 2026, inventory_date: '2026-11-16', location_ids };
      const { id } = (await window.app.as('manager').post('/inventories', opened)).body;
      await window.app.as('operator').post(`/inventories/${id}/scan`, { code: things[0]!.code });
      const { page, context } = await window.as('viewer', `/app/board/${id}`, { locale: 'fr-FR' });
      await page.getByText('et 1 autre', { exact: true }).waitFor();
      await page.getByRole('img', { name: '1 lecture pendant les dernières heures actives' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has room for a percentage that is not whole',
    async () => {
      const { purchase, location } = factories(window.app);
      const place = await location();
      const things = [];
      for (let n = 0; n < 3; n++) things.push(await purchase({ location_id: place.id }));
      const fields = { year: 2026, inventory_date: '2026-11-16', location_ids: [place.id] };
      const { body } = await window.app.as('manager').post('/inventories', fields);
      await window.app.as('operator').post(`/inventories/${body.id}/scan`, { code: things[0]!.code });
      const options = { locale: 'fr-FR', viewport: { width: 1440, height: 900 } };
      const { page, context } = await window.as('viewer', `/app/board/${body.id}`, options);
      const percentage = page.locator('.board-percent', { hasText: /33,3\s%/ });
      expect(await percentage.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right, dark and light',
    async () => {
      await window.pictures('board', board(), async (page) => {
        await page.locator('.bars li').first().waitFor();
        await page.locator('.tag-good').nth(1).waitFor();
      });
      const { page, context } = await window.as('viewer', board());
      await page.getByRole('button', { name: 'As the system' }).click();
      await page.getByRole('button', { name: 'Light' }).click();
      await page.getByRole('button', { name: 'Dark' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Dark' }).waitFor(); // it is remembered
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes on where the clock of its device is set back',
    async () => {
      const things = [await factories(window.app).purchase(), await factories(window.app).purchase()];
      const opened = await window.app.as('manager').post('/inventories', {
        year: 2026,
        inventory_date: '2026-11-16',
      });
      const { page, context } = await window.as('viewer');
      await page.clock.install();
      await page.goto(`/app/board/${opened.body.id}`);
      await page.getByText('Live').waitFor();
      await page.clock.setSystemTime(Date.now() - 86_400_000);
      for (const { code } of things)
        await window.app.as('operator').post(`/inventories/${opened.body.id}/scan`, { code });
      await page.locator('.board-latest strong', { hasText: things[1]!.code }).waitFor(); // by the stream
      await page.clock.fastForward(10_000);
      await page
        .locator('.bars', { hasText: 'By person' })
        .locator('.bars-figure', { hasText: '2' })
        .waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});
