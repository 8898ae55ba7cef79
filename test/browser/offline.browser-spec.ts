import type { BrowserContext, Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT } from './app-window.js';
import { isKept, soon } from './scanning.js';

let window: AppWindow;
let session: number;
let thing: { id: number; code: string };
let code: string;

beforeAll(async () => {
  window = await AppWindow.open();
  const { purchase } = factories(window.app);
  thing = await purchase({ serial_number: 'SERIAL-1' });
  ({ code } = await purchase());
  const opened = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = opened.body.id;
}, TIMEOUT);
afterAll(() => window.close());

/** Was open with a network, and is opened again without one. */
async function lost(path: string, ready: (page: Page) => Promise<unknown>) {
  const { page, context } = await window.as('manager', path);
  await ready(page);
  await page.waitForLoadState('networkidle');
  await isKept(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await context.setOffline(true);
  await page.reload();
  await page.getByText('No network.').waitFor();
  await ready(page);
  return { page, context };
}

async function back(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(false);
  await page.getByText('No network.').waitFor({ state: 'detached' });
}

/** How old what is shown is, where it is shown as it was kept. */
const asOf = (page: Page) => page.getByText(/^. As of .+; the service cannot be reached$/);

/** Counts how often the page says from now on that it is loading. */
const watchLoading = (page: Page) =>
  page.evaluate(`window.loadings = 0;
    new MutationObserver(() => (loadings += Number(document.body.innerText.includes('Loading…'))))
      .observe(document.body, { childList: true, subtree: true, characterData: true })`);

const comeBack = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

/** What has been asked of the API by that name, with a network. */
function asked(page: Page, name: RegExp): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/api/v1');
    if (name.test(path)) seen.push(path);
  });
  return seen;
}

describe('The app once there is a network again', () => {
  it(
    'asks once where a page looks at the network itself',
    async () => {
      const { page, context } = await lost(`/app/missing/${session}`, (one) =>
        one.getByText(thing.code).waitFor(),
      );
      const reads = asked(page, /^\/inventories\/\d+\/progress/);
      await back(page, context);
      await soon(() => Promise.resolve(reads), { length: 1 });
      await page.waitForTimeout(500); // for what is not to happen
      expect(reads).toHaveLength(1);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'reads anew what it showed as it was kept: a session and its report',
    async () => {
      const figures = (page: Page, scanned: number) =>
        page.getByRole('row', { name: `Found ${scanned}` }).waitFor();
      const { page, context } = await lost(`/app/sessions/${session}`, async (one) => {
        await one.getByText('0 / 2').waitFor();
        await figures(one, 0);
      });
      await asOf(page).waitFor();
      await window.app.as('operator').post(`/inventories/${session}/scan`, { code });
      await watchLoading(page);
      const reads = asked(page, new RegExp(`^/inventories/${session}$`));
      await back(page, context);
      await page.getByText('1 / 2').waitFor();
      await figures(page, 1);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('loadings')).toBe(0);
      expect(reads).toHaveLength(1);
      expect(await asOf(page).count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'reads all sessions anew, also those that an older version kept without their time',
    async () => {
      const { page, context } = await lost('/app', (one) => one.getByText('1 / 2').waitFor());
      await asOf(page).waitFor();
      await page.evaluate(UNDATE);
      await page.reload();
      await page.getByText('1 / 2').waitFor();
      expect(await asOf(page).count()).toBe(0);
      await window.app.as('operator').post(`/inventories/${session}/scan`, { code: thing.code });
      await back(page, context);
      await page.getByText('2 / 2').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'leaves alone what was opened and typed meanwhile',
    async () => {
      const { page, context } = await lost(`/app/register/${thing.id}`, (one) =>
        one.getByText('SERIAL-1', { exact: true }).waitFor(),
      );
      await page.getByText('Amortization').click();
      await page.getByRole('button', { name: 'Dispose of it' }).click();
      await page.getByLabel('Note').fill('Broken in the lift');
      await window.app.as('manager').patch(`/purchases/${thing.id}`, { serial_number: 'SERIAL-2' });
      await watchLoading(page);
      await back(page, context);
      await page.getByText('SERIAL-2', { exact: true }).waitFor();
      expect(await page.getByLabel('Note').inputValue()).toBe('Broken in the lift');
      expect(await page.locator('details[open] h2').innerText()).toBe('Amortization');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tries again by itself what it knew nothing of',
    async () => {
      const { page, context } = await lost('/app', (one) => one.getByText('Inventaire annuel').waitFor());
      await page.getByRole('link', { name: 'Inventaire annuel' }).click();
      await page.getByText('The service cannot be reached.').waitFor();
      await back(page, context);
      await page.getByText('2 / 2').waitFor();
      await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );
});

describe('Who comes back to a page', () => {
  let opened: { id: number };
  beforeAll(async () => {
    const { location, purchase } = factories(window.app);
    const place = await location({ name: 'Annexe' });
    for (const code of ['ANNEXE-1', 'ANNEXE-2', 'ANNEXE-3']) await purchase({ code, location_id: place.id });
    const fields = { label: 'Annexe', year: 2026, inventory_date: '2026-11-16', location_ids: [place.id] };
    opened = (await window.app.as('manager').post('/inventories', fields)).body;
  }, TIMEOUT);

  it.each([
    ['all inventories', () => '/app', '0 / 3', 'ANNEXE-1', '1 / 3'],
    ['an inventory', () => `/app/sessions/${opened.id}`, '1 / 3', 'ANNEXE-2', '2 / 3'],
    [
      'what is missing',
      () => `/app/missing/${opened.id}`,
      '1 missing, by place',
      'ANNEXE-3',
      'Nothing is missing',
    ],
    [
      'what is to be decided',
      () => `/app/review/${opened.id}`,
      'Nothing to decide on.',
      'ELSEWHERE',
      'ELSEWHERE',
    ],
  ])(
    'sees %s anew after a minute, without a word of loading',
    async (_, path, before, read, after) => {
      const { page, context } = await window.as('manager');
      await page.clock.install();
      await page.goto(path());
      await page.getByText(before).waitFor();
      await page.waitForLoadState('networkidle');
      await window.app.as('operator').post(`/inventories/${opened.id}/scan`, { code: read });
      await watchLoading(page);
      const reads = asked(page, /^\/inventories/);
      await comeBack(page);
      expect(reads).toEqual([]);
      await page.clock.fastForward('01:01');
      await comeBack(page);
      await page.getByText(after).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('loadings')).toBe(0);
      expect(new Set(reads).size).toBe(reads.length);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'finds in a dialog what was typed there',
    async () => {
      await window.app.as('operator').post(`/inventories/${opened.id}/scan`, { code: 'SOMEWHERE' });
      const { page, context } = await window.as('manager');
      await page.clock.install();
      await page.goto(`/app/review/${opened.id}`);
      await page.locator('.card', { hasText: 'SOMEWHERE' }).getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('A neighbour’s');
      await window.app.as('operator').post(`/inventories/${opened.id}/scan`, { code: 'NOWHERE' });
      await page.clock.fastForward('01:01');
      await comeBack(page);
      await page.getByText('NOWHERE').waitFor();
      expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('A neighbour’s');
      await context.close();
    },
    TIMEOUT,
  );
});

describe('What is missing, without a network', () => {
  it(
    'is the first two hundred, which is said where there are more',
    async () => {
      const { article, purchase } = factories(window.app);
      const { id: article_id } = await article({ name: 'Perceuse' });
      const serials = Array.from({ length: 199 }, (_, n) => ({ article_id, serial_number: `P-${n}` }));
      for (const fields of serials) await purchase(fields);
      const opened = { year: 2026, inventory_date: '2026-11-16' };
      const { body } = await window.app.as('manager').post('/inventories', opened);
      const { page, context } = await lost(`/app/missing/${body.id}`, (one) => one.getByText(code).waitFor());
      await page.getByText('The first 200; search for the others.').waitFor();
      expect(await page.locator('.thing').count()).toBe(200);
      await page.getByRole('searchbox').fill('Perceuse');
      await page.getByText('The first 200; search for the others.').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );
});

describe('What a phone keeps of answers', () => {
  it(
    'is the newest hundred of each kind, however much is looked for in a day',
    async () => {
      const { page, context } = await window.as('manager', '/app');
      await page.getByText('Inventaire annuel').waitFor();
      await page.getByRole('link', { name: 'Register' }).click();
      await page.getByRole('searchbox').waitFor();
      for (let n = 1; n <= 130; n++) {
        const answer = page.waitForResponse((one) => one.url().includes(`search=word${n}&`));
        await page.evaluate(`history.replaceState(null, '', '/app/register?search=word${n}');
          dispatchEvent(new PopStateEvent('popstate'))`);
        await answer;
      }
      const kept = () => page.evaluate<string>(KEYS);
      await soon(async () => [await kept()], [expect.stringContaining('"word130"')]);
      expect((await kept()).match(/"word\d+"/g)).toHaveLength(100);
      expect(await kept()).not.toContain('"word30"');
      expect(await kept()).toMatch(/^answer:\d+:sessions$/m);
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Password').waitFor();
      await soon(async () => [await kept()], [expect.not.stringContaining('answer:')]);
      await context.close();
    },
    TIMEOUT,
  );
});

/** Takes from what is kept of answers when they came, as it was kept once. */
const UNDATE = `new Promise((resolve) => {
  indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
    const writing = db.transaction('values', 'readwrite');
    writing.objectStore('values').openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      if (cursor.key.startsWith('answer:') && cursor.value.at) cursor.update(cursor.value.data);
      cursor.continue();
    };
    writing.oncomplete = () => resolve(db.close());
  };
})`;

/** The keys of what is kept, line by line. */
const KEYS = `new Promise((resolve) => {
  indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
    db.transaction('values').objectStore('values').getAllKeys().onsuccess = ({ target: { result } }) => {
      db.close();
      resolve(result.join('\\n'));
    };
  };
})`;
