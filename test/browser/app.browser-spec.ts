import { Releases } from '../support/releases.js';
import { factories } from '../support/factories.js';
import { PASSWORD } from '../support/app.js';
import { AppWindow, TIMEOUT, signIn } from './app-window.js';

let window: AppWindow;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).purchase();
  await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
}, TIMEOUT);
afterAll(() => window.close());

describe('The app in the browser', () => {
  it(
    'lets in who knows the password, and tells the others why not',
    async () => {
      const { page, complaints } = await window.visit('/app', { locale: 'fr-FR' });
      await page.getByLabel('Nom d’utilisateur ou e-mail').fill('manager');
      await page.getByLabel('Mot de passe').fill('not it');
      await page.getByRole('button', { name: 'Se connecter' }).click();
      await page.getByRole('alert').waitFor();
      expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
      await page.getByLabel('Mot de passe').fill(PASSWORD);
      await page.getByRole('button', { name: 'Se connecter' }).click();
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      await page.reload(); // he stays signed in
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      expect(complaints).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'writes days as the browser does',
    async () => {
      for (const [locale, day] of [
        ['en-GB', '16 Nov 2026'],
        ['en-US', 'Nov 16, 2026'],
        ['fr-CA', '16 nov. 2026'],
      ] as const) {
        const { page, context } = await window.as('manager', '/app', { locale });
        await page.locator('.card', { hasText: day }).waitFor();
        await context.close();
      }
    },
    TIMEOUT,
  );

  it(
    'looks right when nobody has signed in, and when somebody has',
    async () => {
      await window.pictures('sign-in', '/app', (page) => page.locator('input[name=login]').waitFor(), null);
      await window.pictures('sessions', '/app', (page) => page.locator('.card').waitFor());
    },
    TIMEOUT,
  );

  it(
    'is there without a network once it was open',
    async () => {
      const { page, context } = await window.as('manager');
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      await page.waitForLoadState('networkidle'); // all of it is kept
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      await context.setOffline(true);
      await page.goto('/app/scan/1'); // another address than the one that was open
      await page.goto('/app');
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      await page.getByText('No network.').waitFor();
      await context.setOffline(false);
      await page.getByText('No network.').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes when it is told to, and forgets the token',
    async () => {
      const { page, context, complaints } = await window.visit();
      await signIn(page, 'viewer');
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Français' }).click();
      await page.getByRole('heading', { name: 'Inventaires' }).waitFor();
      await page.getByRole('button', { name: 'Se déconnecter' }).click();
      await page.getByLabel('Mot de passe').waitFor();
      await page.reload();
      await page.getByLabel('Mot de passe').waitFor(); // in the language that was chosen
      const { origins } = await context.storageState({ indexedDB: true });
      expect(JSON.stringify(origins)).not.toMatch(/\d+\|/); // as tokens begin
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'leaves what it has offered of the account where something else is done',
    async () => {
      const { page, context } = await window.as('manager');
      await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
      const [summary, menu] = [page.locator('header summary'), page.locator('.account-menu')];
      const leaves = async (how: () => Promise<unknown>): Promise<void> => {
        await summary.click();
        await menu.waitFor();
        await how();
        await menu.waitFor({ state: 'hidden' });
      };
      await leaves(() => page.keyboard.press('Escape'));
      expect(await summary.evaluate((one) => one.matches(':focus'))).toBe(true);
      await leaves(() => page.mouse.click(10, 500));
      await leaves(() => page.getByRole('link', { name: 'Register' }).click());
      await page.getByRole('heading', { name: 'Register' }).waitFor();
      // By keyboard what has the focus would be below it.
      await leaves(async () => {
        for (let n = 0; n < 4; n++) await page.keyboard.press('Tab');
      });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has all that it offers of the account on the screen, also for a long name and large text',
    async () => {
      const name = 'Marie-Antoinette de la Rochebrune';
      await window.app.database.query(`UPDATE users SET name = $1 WHERE login = 'operator'`, [name]);
      const options = { viewport: { width: 320, height: 740 } };
      const { page, context } = await window.as('operator', '/app', options);
      await page.locator('summary', { hasText: name }).click();
      const sides = async () => {
        const { x, width } = (await page.locator('.account-menu').boundingBox())!;
        return [x >= 0, x + width <= 320];
      };
      expect(await sides()).toEqual([true, true]);
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await sides()).toEqual([true, true]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'shows what is chosen also in the colours that a user has set for all pages',
    async () => {
      const { page, context } = await window.as('operator', '/app', { forcedColors: 'active' });
      await page.locator('header summary').click();
      const painted = (of: string) =>
        page.evaluate<string[]>(`[...document.querySelectorAll('${of}')].map((one) => {
          const { backgroundColor, borderBottomColor } = getComputedStyle(one);
          return backgroundColor + borderBottomColor;
        })`);
      const [chosen] = await painted('.account-menu [aria-pressed=true]');
      expect(await painted('.account-menu [aria-pressed=false]')).not.toContain(chosen);
      const [current] = await painted('nav [aria-current]');
      expect(await painted('nav a:not([aria-current])')).not.toContain(current);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes once, however long the service takes for it',
    async () => {
      const { page, context } = await window.visit();
      await signIn(page, 'viewer');
      let go = (): void => undefined;
      const isTime = new Promise<void>((resolve) => (go = resolve));
      await page.route('**/logout', (route) => isTime.then(() => route.continue()));
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign out', disabled: true }).waitFor();
      go();
      await page.getByLabel('Password').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is of whoever has signed in last, whatever is answered late to whoever was there before',
    async () => {
      const { page, context } = await window.as('manager');
      await page.getByRole('heading', { name: 'Inventories' }).waitFor();
      let answer = (): void => undefined;
      const isTime = new Promise<void>((resolve) => (answer = resolve));
      let times = 0;
      await page.route('**/api/v1/me', async (route) => {
        times++;
        if (times > 2) return route.abort(); // so that the page goes on with what it has kept
        const response = await route.fetch();
        if (times === 1) await isTime;
        await route.fulfill({ response });
      });
      await page.reload();
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, 'viewer');
      const late = page.waitForResponse('**/api/v1/me');
      answer();
      await late;
      await page.waitForTimeout(500); // for what is not to happen
      await page.reload();
      await page.locator('header summary').click();
      await page.locator('header').getByText('User viewer').waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells when a newer version waits, takes it when it is told to, and tells the other tabs',
    async () => {
      const release = await Releases.before(window.app.url);
      const { page, context } = await window.visit(`${release.url}/app`);
      await signIn(page, 'manager');
      const other = await context.newPage();
      await other.goto(`${release.url}/app`);
      await other.locator('.card').waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      release.version = 'another one';
      await page.evaluate(`window.isSame = true; navigator.serviceWorker.ready.then((one) => one.update())`);
      await page.getByText('A new version is ready.').waitFor();
      expect(await page.evaluate('window.isSame')).toBe(true); // nothing was loaded anew
      const loaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Use it now' }).click();
      await loaded;
      await page.locator('.card').waitFor();
      expect(await page.getByText('A new version is ready.').count()).toBe(0);
      await other.getByText('A new version is ready.').waitFor();
      await context.close();
      await release.close();
    },
    TIMEOUT,
  );

  it(
    'keeps no page of another version for a newer one, as where not all instances have that yet',
    async () => {
      const release = await Releases.before(window.app.url);
      const { page, context } = await window.visit(`${release.url}/app`);
      await signIn(page, 'manager');
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      const html = await (await fetch(`${window.app.url}/app`)).text();
      const other = html.replace(/assets\/index-[\w-]+\.js/, 'assets/index-before.js');
      expect(other).not.toBe(html);
      release.own.set('/app', other);
      release.version = 'another one';
      const became = page.evaluate(`navigator.serviceWorker.ready.then((one) => new Promise((resolve) => {
        one.addEventListener('updatefound', () => {
          const { installing } = one;
          installing.addEventListener('statechange', () => resolve(installing.state));
        });
        void one.update().catch(() => undefined);
      }))`);
      expect(await became).toBe('redundant');
      release.own.clear();
      await page.evaluate('navigator.serviceWorker.ready.then((one) => one.update())');
      await page.getByRole('button', { name: 'Use it now' }).click();
      await page.getByText('A new version is ready.').waitFor({ state: 'detached' });
      await page.locator('.card').waitFor();
      await context.close();
      await release.close();
    },
    TIMEOUT,
  );

  it(
    'tells a tab that was opened before any version was kept',
    async () => {
      const release = await Releases.before(window.app.url);
      const keep = release.hold('/app/service-worker.js');
      const { page, context } = await window.visit(`${release.url}/app`);
      await signIn(page, 'manager');
      const other = await context.newPage();
      // It hears of none that waits.
      await other.addInitScript('navigator.serviceWorker.register = () => new Promise(() => undefined)');
      await other.goto(`${release.url}/app`);
      await other.locator('.card').waitFor();
      keep();
      await other.evaluate(
        `navigator.serviceWorker.controller ? undefined : new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', () => resolve(undefined));
        })`,
      );
      release.version = 'another one';
      await page.evaluate('navigator.serviceWorker.ready.then((one) => one.update())');
      await page.getByRole('button', { name: 'Use it now' }).click();
      await other.getByText('A new version is ready.').waitFor();
      expect(await other.getByText('A new version is ready.').count()).toBe(1);
      await context.close();
      await release.close();
    },
    TIMEOUT,
  );

  it(
    'tells a tab that was loaded past what is kept',
    async () => {
      const release = await Releases.before(window.app.url);
      const { page, context } = await window.visit(`${release.url}/app`);
      await signIn(page, 'manager');
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
      const browser = await context.newCDPSession(page);
      const loaded = page.waitForEvent('load');
      await browser.send('Page.reload', { ignoreCache: true });
      await loaded;
      await page.locator('.card').waitFor();
      expect(await page.evaluate('navigator.serviceWorker.controller')).toBeNull();
      release.version = 'another one';
      await page.evaluate('navigator.serviceWorker.ready.then((one) => one.update())');
      await page.getByText('A new version is ready.').waitFor();
      await context.close();
      await release.close();
    },
    TIMEOUT,
  );

  it(
    'opens an address that somebody has ended with a slash',
    async () => {
      const { page, context } = await window.as('operator', '/app/queue/');
      await page.getByRole('heading', { name: 'To send' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has nothing below the notch of a phone that is turned',
    async () => {
      const { page, context } = await window.as('operator', '/app', {
        viewport: { width: 844, height: 390 },
      });
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 47, right: 47 } });
      const sides = async (path: string) => {
        await page.goto(path);
        await page.getByRole('heading', { name: 'Inventaire annuel' }).waitFor();
        const { x, width } = (await page.locator('main h1').boundingBox())!;
        return [x >= 47, x + width <= 844 - 47];
      };
      for (const path of ['/app', '/app/board/1']) expect(await sides(path)).toEqual([true, true]);
      await context.close();
    },
    TIMEOUT,
  );

  it('opens from its files what has no dot, and is 404 for files that it has not', async () => {
    const { anonymous } = window.app;
    for (const path of ['//app', '//app/', '//app/scan/3', '//app/board/7'])
      expect(await anonymous.get(path)).toMatchObject({
        status: 200,
        text: expect.stringContaining('id="app"'),
      });
    for (const path of [
      '//app/old.js',
      '//app/assets/index-old.js',
      '//app/assets/x',
      '//app/a/b/c/d',
      '//apple',
    ])
      expect(await anonymous.get(path)).toMatchObject({ status: 404 });
  });

  it('runs what it brings along, and nothing else', async () => {
    const { anonymous } = window.app;
    const index = await anonymous.get('//app');
    expect(index.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; " +
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(index.headers.get('cache-control')).toBe('no-cache');
    const [script] = /\/app\/assets\/[^"]+\.js/.exec(index.text)!;
    const answer = await anonymous.get(`/${script}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(index.text).not.toMatch(/<(script|style)(?![^>]*src=)[^>]*>|\son\w+=|style=/);
  });

  it(
    'opens an inventory once where the answer was lost, and another where the form was changed since',
    async () => {
      const { page, context } = await window.as('admin', '/app/sessions/new');
      await page.route('**/api/v1/inventories', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await page.getByLabel('Name', { exact: true }).fill('Étage 1');
      const send = page.getByRole('button', { name: 'Open an inventory' });
      await send.click();
      await page.getByRole('alert').getByText('may have been done').waitFor();
      await page.unroute('**/api/v1/inventories');
      await page.getByLabel('Name', { exact: true }).fill('Étage 2');
      await send.click();
      await page.getByRole('heading', { name: 'Étage 2' }).waitFor();
      const opened = await window.app.database.query(
        `SELECT label FROM inventories WHERE label LIKE 'Étage%' ORDER BY id`,
      );
      expect(opened).toEqual([{ label: 'Étage 1' }, { label: 'Étage 2' }]);
      await context.close();
    },
    TIMEOUT,
  );
});
