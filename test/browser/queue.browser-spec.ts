import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { RunningProcess, stopAll, temporaryFolder } from '../support/process.js';
import { AppWindow, TIMEOUT, looksRight, signIn } from './app-window.js';
import { LOSE_WHAT_IS_REMOVED, isKept, isSent, ready, revoke, says, soon, type } from './scanning.js';
import { SHELL } from './window.js';

let window: AppWindow;
let article: number;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  article = (await factories(window.app).article({ name: 'Fauteuil' })).id;
}, TIMEOUT);
afterAll(() => window.close());

/** So many things, and a session that expects them. */
async function things(count: number): Promise<string[]> {
  const rows: { code: string }[] = await window.app.database.query(
    `INSERT INTO purchases (article_id, purchase_date, code)
     SELECT $1, '2026-01-15', 'T' || nextval('purchase_code_seq') FROM generate_series(1, $2) RETURNING code`,
    [article, count],
  );
  if (session) await window.app.as('manager').post(`/inventories/${session}/close`, {});
  const { body } = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = (body as { id: number }).id;
  return rows.map(({ code }) => code);
}

/** How often each of the codes was recorded, and how many messages were answered. */
async function recorded(codes: string[]): Promise<{ scanned: number; answers: number }> {
  const [row] = await window.app.database.query(
    `SELECT (SELECT count(*)::int FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
       WHERE l.inventory_id = $1 AND l.scan_id IS NOT NULL AND p.code = ANY ($2)) AS scanned,
       (SELECT count(*)::int FROM inventory_answers WHERE inventory_id = $1) AS answers`,
    [session, codes],
  );
  return row as { scanned: number; answers: number };
}

const badge = (page: Page) => page.locator('.badge [aria-hidden]');
const noBadge = (page: Page) => badge(page).waitFor({ state: 'detached' });

/** All that was typed is sent. Its pauses have grown; a phone that hears of its network again does not wait for their end. */
async function sendNow(page: Page, lastTyped: string): Promise<void> {
  await page.locator('.reads > li').first().getByText(lastTyped).waitFor(); // what is typed waits a moment later
  while ((await badge(page).count()) > 0) {
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.waitForTimeout(300);
  }
}

/** In a tab: it learns from what the service answers, and not at once, what becomes of a login in another one. */
const DEAF = 'delete window.BroadcastChannel';

describe('The queue in the browser', () => {
  it(
    'keeps 200 scans of a day without a network though the browser is killed, and sends each once',
    async () => {
      const codes = await things(200);
      const profile = mkdtempSync(join(tmpdir(), 'recense-chromium-'));
      const open = () =>
        chromium.launchPersistentContext(profile, { ...SHELL, locale: 'en-GB', baseURL: window.app.url });
      try {
        const before = await open();
        const page = before.pages()[0]!;
        await page.goto(`/app/scan/${session}`);
        await signIn(page, 'manager');
        await ready(page);
        await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
        await before.setOffline(true);
        for (const code of codes) await type(page, code);
        await badge(page).getByText('200').waitFor();
        await says(page, 'Found');
        kill(profile);
        const after = await open();
        const again = after.pages()[0]!;
        await after.setOffline(true);
        await again.goto(`/app/scan/${session}`);
        await badge(again).getByText('200').waitFor();
        await type(again, codes[0]!);
        await says(again, 'Already scanned');
        expect(await recorded(codes)).toEqual({ scanned: 0, answers: 0 });
        await after.setOffline(false);
        await noBadge(again);
        expect(await recorded(codes)).toEqual({ scanned: 200, answers: 201 });
        await after.close();
      } finally {
        kill(profile);
        rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      }
    },
    TIMEOUT,
  );

  it(
    'goes on where answers are lost, and nobody is there for a while',
    async () => {
      const codes = await things(60);
      let left = 0;
      const isScans = (asked: string) => asked.endsWith('/scans');
      // Half of the answers are lost on their way, and then nobody is there for a while: until six sendings have failed.
      const proxy = await FaultyProxy.to(window.app.url, (asked) => {
        if (left === 0) return 'passes';
        const fate = left > 3 ? 'lost' : 502;
        if (isScans(asked)) left--;
        return fate;
      });
      const { page, context } = await window.visit(`${proxy.url}/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      for (const [at, code] of codes.entries()) {
        if (at % 20 === 10) left = 6;
        await type(page, code);
      }
      await sendNow(page, codes.at(-1)!);
      await isSent(page);
      expect(await recorded(codes)).toEqual({ scanned: 60, answers: 60 });
      expect(proxy.seen.filter(isScans).length).toBeGreaterThan(6);
      await context.close();
      await proxy.close();
    },
    TIMEOUT,
  );

  it(
    'goes on where the service was killed and started again in the middle',
    async () => {
      const codes = await things(60);
      const folder = temporaryFolder();
      const start = async (PORT = '0') => {
        const env = { DATABASE_URL: window.app.database.url, DATA_DIR: folder.path, PORT };
        const service = new RunningProcess('main', [], env);
        return { service, url: await service.url() };
      };
      try {
        const { service, url } = await start();
        const { page, context } = await window.visit(`${url}/app/scan/${session}`);
        await signIn(page, 'manager');
        await ready(page);
        let again: ReturnType<typeof start> | undefined;
        for (const [at, code] of codes.entries()) {
          await type(page, code);
          if (at === 30) again = service.signal('SIGKILL').then(() => start(new URL(url).port));
        }
        await badge(page).waitFor();
        expect((await again)?.url).toBe(url);
        await sendNow(page, codes.at(-1)!);
        await isSent(page);
        expect(await recorded(codes)).toEqual({ scanned: 60, answers: 60 });
        await context.close();
      } finally {
        await stopAll();
        folder.remove();
      }
    },
    TIMEOUT,
  );

  it(
    'is one for two tabs',
    async () => {
      const codes = await things(40);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      const other = await context.newPage();
      await other.goto(`/app/scan/${session}`);
      await ready(page);
      await ready(other);
      await context.setOffline(true);
      for (const [at, code] of codes.entries()) await type(at % 2 ? page : other, code);
      await badge(page).getByText('40').waitFor();
      await badge(other).getByText('40').waitFor();
      await context.setOffline(false);
      await noBadge(page);
      await noBadge(other);
      await isSent(page);
      await isSent(other);
      expect(await recorded(codes)).toEqual({ scanned: 40, answers: 40 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'outlives the end of the token, and goes on when the same user signs in again',
    async () => {
      const codes = await things(30);
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      await context.setOffline(true);
      for (const code of codes) await type(page, code);
      await badge(page).getByText('30').waitFor();
      await revoke(page, window.app.url);
      await context.setOffline(false);
      await page.getByText('Your session has ended.').waitFor();
      expect(await recorded(codes)).toEqual({ scanned: 0, answers: 0 });
      await signIn(page, 'manager');
      await noBadge(page);
      await soon(() => recorded(codes), { scanned: 30, answers: 30 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes on with the token of another tab, which has signed in again since',
    async () => {
      const codes = await things(2);
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      const other = await context.newPage();
      await other.addInitScript(DEAF);
      await other.goto(`/app/scan/${session}`);
      await ready(other);
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, 'manager');
      await ready(page);
      await type(other, codes[0]!);
      await isSent(other);
      await page.reload();
      await ready(page); // it has kept its token
      await type(page, codes[1]!);
      await soon(() => recorded(codes), { scanned: 2, answers: 2 }); // the read of the other tab is shown as sent already
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'forgets nobody who is just signing in, where another tab hears meanwhile that its token has ended',
    async () => {
      const codes = await things(1);
      const { page, context } = await window.visit();
      await page.addInitScript(DEAF);
      await page.goto(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      const other = await context.newPage();
      await other.goto('/app');
      await other.locator('header summary').click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      let answer = (): unknown => undefined;
      const held = new Promise((resolve) => (answer = () => resolve(true)));
      await other.route('**/api/v1/me', (route) => held.then(() => route.continue()));
      const asked = other.waitForRequest('**/api/v1/me');
      const signedIn = signIn(other, 'operator');
      await asked;
      await type(page, codes[0]!);
      await page.getByText('Your session has ended.').waitFor();
      answer();
      await signedIn;
      await other.reload();
      await other.locator('header').getByText('User operator').waitFor({ state: 'attached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells who is about to sign out what becomes of that which is not sent',
    async () => {
      const codes = await things(1);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await page.getByText('What is not sent yet stays on this device').count()).toBe(0);
      await context.setOffline(true);
      await type(page, codes[0]!);
      await page.getByText('What is not sent yet stays on this device').waitFor();
      await looksRight(page);
      await context.setOffline(false);
      await sendNow(page, codes[0]!);
      await page.getByText('What is not sent yet stays on this device').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has room for how many wait beside all that an administrator may do, in French on the narrowest phone',
    async () => {
      const codes = await things(12);
      const options = { locale: 'fr-FR', viewport: { width: 320, height: 640 } };
      const { page, context } = await window.as('admin', `/app/scan/${session}`, options);
      await ready(page);
      await context.setOffline(true);
      for (const code of codes) await type(page, code);
      await page.locator('.badge', { hasText: '12' }).waitFor();
      expect(await page.locator('.top nav a').count()).toBe(5);
      expect(await page.locator('.top nav').evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says in the language of the page why something is not taken, also after that was changed',
    async () => {
      const codes = await things(1);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await context.setOffline(true);
      await type(page, codes[0]!);
      await says(page, 'Found');
      await window.app.as('manager').post(`/inventories/${session}/close`, {});
      await context.setOffline(false);
      await page.evaluate(`new Promise((resolve) => {
        indexedDB.open('recense').onsuccess = ({ target: { result: db } }) => {
          const users = db.transaction('values').objectStore('values').get('user');
          users.onsuccess = () => {
            const changing = db.transaction('afterwards', 'readwrite');
            changing.objectStore('afterwards').put({ id: 'gone', client_id: crypto.randomUUID(), scan_id: null,
              user_id: users.result.id, session_id: ${session}, code: 'GONE', what: { change: { note: 'Rayée' } } });
            changing.oncomplete = () => (db.close(), resolve());
          };
        };
      })`);
      await page.locator('header a[href="/app/queue"]').click();
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await page.getByText('Late: somebody decides').waitFor();
      await page.getByText('The scan that this belongs to is not there.').waitFor();
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Français' }).click();
      await page.getByText('Tardif : quelqu’un décidera').waitFor();
      await page.getByText('La lecture à laquelle ceci appartient n’est plus là.').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows nothing of who was there before, where another tab has signed in somebody else, and sends nothing in his name',
    async () => {
      const codes = await things(2);
      const { page, context } = await window.visit();
      await page.addInitScript(DEAF);
      await page.goto(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      await type(page, codes[0]!);
      await isSent(page);
      const other = await context.newPage();
      await other.goto('/app');
      await other.locator('header summary').click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await signIn(other, 'operator');
      await other.locator('.card').first().waitFor();
      await type(page, codes[1]!);
      await page.locator('header').getByText('User operator').waitFor({ state: 'attached' });
      await page.getByText('Nothing was scanned here yet.').waitFor();
      expect(await recorded(codes)).toEqual({ scanned: 1, answers: 1 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows what the service refuses, saves it, and lets it hold up nothing else',
    async () => {
      const codes = await things(2);
      const manager = window.app.as('manager');
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'operator');
      await ready(page);
      await page.route('**/inventories/*/scans', (route) => route.abort());
      await type(page, codes[0]!);
      await badge(page).getByText('1').waitFor();
      expect((await manager.delete(`/inventories/${session}`)).status).toBe(200);
      const { body } = await manager.post('/inventories', {
        label: 'Inventaire annuel',
        year: 2026,
        inventory_date: '2026-11-17',
      });
      session = (body as { id: number }).id;
      await page.goto(`/app/scan/${session}`);
      await ready(page);
      const long = 'X'.repeat(3000);
      await type(page, long);
      await type(page, codes[1]!);
      await badge(page).getByText('3').waitFor();
      await page.unroute('**/inventories/*/scans');
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      await page.getByText('1 scan was not taken').waitFor();
      await page.getByText('1 scan waits to be sent.').last().waitFor();
      await page.getByText('The inventory does not exist any more.').waitFor();
      expect((await recorded(codes)).scanned).toBe(1);
      expect(await saved(page, '.waiting')).toContain(`"${codes[0]}"`);
      expect(await saved(page, 'section')).toContain(`"${long}"`);
      await page.locator('.waiting').getByRole('button', { name: 'Discard' }).click();
      await page.getByText('1 scan would be lost for ever.').waitFor();
      await looksRight(page);
      await page.locator('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.locator('.waiting').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'saves with what waits whether it was to be moved',
    async () => {
      const [code] = await things(1);
      const make = factories(window.app);
      const [here, there] = [await make.location({ code: 'L-ICI' }), await make.location()];
      const [thing] = await window.app.database.query(`SELECT id FROM purchases WHERE code = $1`, [code]);
      await window.app.as('manager').patch(`/purchases/${thing!.id}`, { location_id: there.id });
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.waitForLoadState('networkidle');
      const problem = { status: 403, code: 'forbidden', title: 'Forbidden', detail: 'No.', request_id: '1' };
      await page.route('**/inventories/*/scans', (route) =>
        route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem }),
      );
      await type(page, here.code);
      await type(page, code!);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await badge(page).getByText('2').waitFor();
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      const [header, ...rows] = (await saved(page, '.waiting')).trimEnd().split('\r\n');
      const at = header!.split(',').indexOf('move');
      expect(rows.map((row) => row.split(',')[at])).toEqual(['""', '"true"']);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keeps all of somebody who may not scan any more, who saves it, and sends it once he may again',
    async () => {
      const codes = await things(3);
      const admin = window.app.as('admin');
      const [user] = await window.app.database.query<{ id: number }>(
        `SELECT id FROM users WHERE login = 'operator'`,
      );
      const become = (role: string) => admin.patch(`/users/${user!.id}`, { roles: [role] });
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'operator');
      await ready(page);
      await context.setOffline(true);
      for (const code of codes) await type(page, code);
      await badge(page).getByText('3').waitFor();
      expect((await become('viewer')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 1100)); // what a token may is remembered for a second
      await context.setOffline(false);
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      await page.getByText('Your account may not scan in this inventory.').waitFor();
      await looksRight(page);
      for (const code of codes) expect(await saved(page, '.waiting')).toContain(`"${code}"`);
      expect(await recorded(codes)).toEqual({ scanned: 0, answers: 0 });
      expect((await become('operator')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByText('Everything has been sent.').waitFor();
      expect(await recorded(codes)).toEqual({ scanned: 3, answers: 3 });
      await context.close();
    },
    TIMEOUT,
  );

  it.each([
    [503, 'The service cannot take them now.'],
    [429, 'The service asks to be left alone for a while.'],
  ])(
    'says why it waits, and sends later: %d',
    async (status, why) => {
      const codes = await things(3);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      let isAway = true;
      await page.route('**/inventories/*/scans', (route) =>
        isAway
          ? route.fulfill({
              status,
              headers: {
                'Content-Type': 'application/problem+json',
                'X-Request-Id': 'r',
                'Retry-After': '2',
              },
              body: JSON.stringify({ type: '/problems/x', title: 'x', status, detail: 'x', request_id: 'r' }),
            })
          : route.continue(),
      );
      for (const code of codes) await type(page, code);
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      await page.getByText(why).waitFor();
      await page.getByText('3 scans wait to be sent.').last().waitFor();
      await page.getByText('Next try at').waitFor();
      await page.screenshot({ path: `.artifacts/app-queue-${status}.png` });
      await looksRight(page);
      isAway = false;
      await page.getByText('Everything has been sent.').waitFor();
      expect(await recorded(codes)).toEqual({ scanned: 3, answers: 3 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sends what a clock that is wrong by a day has stamped, and marks it',
    async () => {
      const codes = await things(1);
      const { page, context } = await window.as('manager');
      await page.addInitScript(`{
        const now = Date.now;
        Date.now = () => now() + 86_400_000;
        const Real = Date;
        globalThis.Date = class extends Real {
          constructor(...args) { if (args.length) super(...args); else super(Real.now()); }
        };
      }`);
      await page.goto(`/app/scan/${session}`);
      await ready(page);
      await type(page, codes[0]!);
      await isSent(page);
      const { body } = await window.app.as('manager').get(`/inventories/${session}/scans`);
      expect((body as { data: object[] }).data).toEqual([expect.objectContaining({ clock_ahead: true })]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says that nothing is kept where the browser refuses, and sends all the same',
    async () => {
      const codes = await things(2);
      const { page, context } = await window.visit('/app');
      await page.addInitScript(
        `indexedDB.open = () => { throw new DOMException('refused', 'SecurityError'); };`,
      );
      await page.goto(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await page.getByText('This browser keeps nothing').waitFor();
      await ready(page);
      await context.setOffline(true);
      await type(page, codes[0]!);
      await says(page, 'Found');
      await badge(page).getByText('1').waitFor();
      await looksRight(page);
      await context.setOffline(false);
      await type(page, codes[1]!);
      await isSent(page);
      await noBadge(page);
      expect(await recorded(codes)).toEqual({ scanned: 2, answers: 2 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keeps to the page what it has begun there, with what is said of it, where the browser keeps things again later',
    async () => {
      const codes = await things(2);
      const { page, context } = await window.visit('/app');
      await page.addInitScript(`{
        const open = indexedDB.open;
        indexedDB.open = (...all) => {
          if (window.keeps) return open.apply(indexedDB, all);
          throw new DOMException('refused', 'UnknownError');
        };
      }`);
      await page.goto(`/app/scan/${session}`);
      await signIn(page, 'manager');
      const notice = page.getByText('This browser keeps nothing');
      await notice.waitFor();
      await ready(page);
      await page.route('**/api/v1/**', (route) => route.abort());
      const read = (nth: number) => page.locator('.reads > li').nth(nth);
      await type(page, codes[0]!);
      await badge(page).getByText('1').waitFor();
      await read(0).getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.locator('[name=note]').fill('Rayé');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.evaluate('window.keeps = true');
      await type(page, codes[1]!);
      await badge(page).getByText('2').waitFor();
      await read(0).getByText(codes[1]!).waitFor();
      await read(0).getByRole('button', { name: 'Undo' }).click();
      await read(0).and(page.locator('[data-state=undone]')).waitFor();
      await notice.waitFor();
      await page.unroute('**/api/v1/**');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await noBadge(page);
      const scans = async () =>
        (await window.app.as('manager').get(`/inventories/${session}/scans`)).body as object;
      // The note goes out once its scan is there, of which the badge says nothing.
      await soon(scans, { data: [{ note: 'Rayé', purchase: { code: codes[0] } }] });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'takes what was in the page along to the browser, with what was said of it, at the next login',
    async () => {
      const codes = await things(1);
      const { page, context } = await window.visit('/app');
      await page.addInitScript(`{
        window.keeps = 'keeps' in sessionStorage;
        const open = indexedDB.open;
        indexedDB.open = (...all) => {
          if (window.keeps) return open.apply(indexedDB, all);
          throw new DOMException('refused', 'UnknownError');
        };
      }`);
      await page.goto(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await page.getByText('This browser keeps nothing').waitFor();
      await ready(page);
      await page.route('**/api/v1/inventories/**', (route) => route.abort());
      await type(page, codes[0]!);
      await badge(page).getByText('1').waitFor();
      await page.getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.locator('[name=note]').fill('Rayé');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.evaluate(`{ window.keeps = true; sessionStorage.keeps = 'yes'; }`);
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, 'manager');
      await badge(page).getByText('1').waitFor();
      await page.getByText('This browser keeps nothing').waitFor({ state: 'detached' });
      await isKept(page);
      await page.unroute('**/api/v1/inventories/**');
      await page.reload();
      const scanned = () => window.app.as('manager').get(`/inventories/${session}/scans`);
      await soon(async () => ((await scanned()).body as { data: object[] }).data[0], { note: 'Rayé' });
      await noBadge(page);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes on at the next login where the user has left while scans were being taken back',
    async () => {
      const codes = await things(3);
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      const [ofScans, ofOne] = ['**/inventories/*/scans', '**/inventories/*/scans/*'];
      await page.route(ofOne, (route) => route.abort());
      await page.route(ofScans, async (route) => {
        if (route.request().method() === 'POST') await route.fetch();
        await route.abort();
      });
      for (const code of codes.slice(0, 2)) await type(page, code);
      await soon(() => recorded(codes), { scanned: 2 });
      await page.evaluate(LOSE_WHAT_IS_REMOVED);
      for (const nth of [0, 1]) {
        const read = page.locator('.reads > li').nth(nth);
        await read.getByRole('button', { name: 'Undo' }).click();
        await read.and(page.locator('[data-state=undone]')).waitFor();
      }
      await page.unroute(ofScans);
      await page.reload();
      let go = (): void => undefined;
      const isHeld = new Promise<void>((resolve) => (go = resolve));
      const isTaken = new Promise<void>((resolve, reject) => {
        void page.route(ofOne, async (route) => {
          const response = await route.fetch();
          resolve();
          await isHeld;
          await route.fulfill({ response }).catch(reject);
        });
      });
      await isTaken;
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('input[name=login]').waitFor();
      go(); // the other one has its turn now, of whose user nothing may be asked any more
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await signIn(page, 'manager');
      await ready(page);
      await type(page, codes[2]!);
      await soon(() => recorded([codes[2]!]), { scanned: 1 });
      expect(await recorded(codes)).toMatchObject({ scanned: 1 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says that a scan could not be kept, and takes it when it is read again',
    async () => {
      const codes = await things(3);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.evaluate(`window.put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (row) {
          if (this.name === 'scans') throw new DOMException('No space is left', 'QuotaExceededError');
          return window.put.call(this, row);
        }`);
      await page.evaluate(`Promise.all(${JSON.stringify([codes[0], codes[0], codes[1]])}.map((code) => {
        for (const key of [...code, 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }))`);
      await page.getByText(`This browser could not keep: ${codes[0]}, ${codes[1]}.`).waitFor();
      await page.evaluate('IDBObjectStore.prototype.put = window.put');
      await type(page, codes[0]!);
      await says(page, 'Found');
      await page.getByText(`This browser could not keep: ${codes[1]}.`).waitFor();
      await type(page, codes[1]!);
      await page.getByText('This browser could not keep').waitFor({ state: 'detached' });
      await soon(() => recorded(codes), { scanned: 2, answers: 2 });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes on keeping where the browser has cleared what it kept',
    async () => {
      const codes = await things(2);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await type(page, codes[0]!);
      await isSent(page);
      const devtools = await context.newCDPSession(page);
      await devtools.send('Storage.clearDataForOrigin', {
        origin: window.app.url,
        storageTypes: 'indexeddb',
      });
      await context.setOffline(true);
      await type(page, codes[1]!);
      await says(page, 'Found');
      await badge(page).getByText('1').waitFor();
      await context.setOffline(false);
      await noBadge(page);
      expect((await recorded(codes)).scanned).toBe(2);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows what came too late, saves it as a file, tries it again, and loses nothing without a word',
    async () => {
      const codes = await things(3);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await context.setOffline(true);
      for (const code of codes) await type(page, code);
      await badge(page).getByText('3').waitFor();
      await window.app.as('manager').post(`/inventories/${session}/close`, {});
      await context.setOffline(false);
      await page.locator('.reads').getByText('Not taken').first().waitFor();
      await page
        .locator('header')
        .getByRole('link', { name: /To send/ })
        .click();
      await page.getByText('3 scans were not taken').waitFor();
      await page.screenshot({ path: '.artifacts/app-queue-aside.png', fullPage: true });
      const file = await saved(page, 'section');
      expect(file.split('\r\n')).toHaveLength(5);
      for (const code of codes) expect(file).toContain(`"${code}"`);
      await page.getByRole('button', { name: 'Discard', exact: true }).first().click();
      await page.getByText('1 scan would be lost for ever.').waitFor();
      await looksRight(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard', exact: true }).first().click();
      await page.locator('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.getByText('2 scans were not taken').waitFor();
      await page.reload();
      await page.getByText('2 scans were not taken').waitFor();
      await window.app.as('manager').post(`/inventories/${session}/reopen`, { reason: 'Il en reste' });
      const late = await window.app.as('manager').get(`/inventories/${session}/late-scans`);
      for (const { id } of (late.body as { data: { id: number }[] }).data)
        await window.app.as('manager').post(`/inventories/${session}/late-scans/${id}/accept`, {});
      await page.getByRole('button', { name: 'Try all again' }).click();
      await page.getByText('Everything has been sent.').waitFor();
      expect((await recorded(codes)).scanned).toBe(3);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'says what was not taken since its place is gone, forgets the place, and sends it without',
    async () => {
      const { id, name } = await factories(window.app).location();
      const codes = await things(4);
      const { page, context } = await window.as('manager', `/app/scan/${session}`);
      await ready(page);
      await page.getByRole('button', { name: 'Choose the place' }).click();
      await page.locator('dialog').getByRole('button', { name }).click();
      await context.setOffline(true);
      await type(page, codes[0]!);
      await type(page, codes[1]!);
      await says(page, 'Found');
      await window.app.as('manager').delete(`/locations/${id}`);
      await context.setOffline(false);
      await says(page, 'Not taken');
      await page.getByText('Place: does not exist').first().waitFor();
      await page.getByText('The place does not exist any more.').waitFor();
      await page.getByText('not chosen').waitFor();
      await looksRight(page);
      await type(page, codes[2]!);
      await isSent(page);
      await says(page, 'Found');
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText('2 scans were not taken').waitFor();
      await looksRight(page);
      await page.getByRole('button', { name: 'Send without: Place' }).first().click();
      await page.getByText('1 scan was not taken').waitFor();
      await page.getByRole('button', { name: 'Send without: Place' }).click();
      await page.getByText('Everything has been sent.').waitFor();
      expect((await recorded(codes)).scanned).toBe(3);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'sends the others where the user may move nothing any more, and that one without',
    async () => {
      const make = factories(window.app);
      const [here, there] = [await make.location(), await make.location()];
      const codes = await things(1);
      const { id, code } = await make.purchase({ article_id: article, location_id: there.id });
      const { userId } = await window.app.asNewUser('remi', 'manager');
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'remi');
      await ready(page);
      await page.getByRole('button', { name: 'Choose the place' }).click();
      await page.locator('dialog').getByRole('button', { name: here.name }).click();
      await type(page, code);
      await says(page, 'In the wrong place');
      await isSent(page);
      await context.setOffline(true);
      await page.locator('.result').getByRole('button', { name: 'Move here' }).click();
      await says(page, 'Moved here');
      await type(page, codes[0]!);
      await window.app.as('admin').patch(`/users/${userId}`, { roles: ['operator'] });
      await context.setOffline(false);
      await isSent(page);
      await page.locator('header a[href="/app/queue"]').click();
      await page.getByText('1 scan was not taken').waitFor();
      await page.getByRole('button', { name: 'Send without: Move' }).click();
      await page.getByText('Everything has been sent.').waitFor();
      expect((await recorded([...codes, code])).scanned).toBe(2);
      const { body } = await window.app.as('manager').get(`/purchases/${id}`);
      expect((body as { location: { id: number } }).location.id).toBe(there.id);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right',
    async () => {
      const codes = await things(4);
      await window.app.as('manager').post(`/inventories/${session}/close`, {});
      await window.pictures('queue', `/app/scan/${session}`, async (page) => {
        await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
        for (const code of codes) await type(page, code);
        await page.locator('header a[href="/app/queue"]').click();
        await page.locator('.danger').nth(4).waitFor();
      });
    },
    TIMEOUT,
  );
});

/** The file that a part of the page gives. */
async function saved(page: Page, part: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.locator(part).getByRole('button', { name: 'Save as CSV' }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

/** As the system does that needs the memory: the browser and all its processes. */
function kill(profile: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}
