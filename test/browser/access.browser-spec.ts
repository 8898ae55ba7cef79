import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/app.js';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight, signIn } from './app-window.js';
import { isSent, ready, revoke, type } from './scanning.js';

let window: AppWindow;
let session: number;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).purchase();
  const opened = await window.app
    .as('manager')
    .post('/inventories', { label: 'Inventaire annuel', year: 2026, inventory_date: '2026-11-16' });
  session = opened.body.id;
}, TIMEOUT);
afterAll(() => window.close());

/** Over the page, which has buttons of its own. */
async function signInAgain(page: Page, login: string): Promise<void> {
  await page.locator('.again [name=login]').fill(login);
  await page.locator('.again [name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('.again').waitFor({ state: 'detached' });
}

describe('Whose token ends in the middle', () => {
  it(
    'finds what was typed again once signed in, and nobody else does',
    async () => {
      const { page, context } = await window.visit('/app/register/new');
      await signIn(page, 'manager');
      const note = page.locator('[name=code]');
      await note.fill('Z-1234');
      await revoke(page, window.app.url);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your session has ended.').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.getByText('Your session has ended.').waitFor();
      await looksRight(page);
      await page.screenshot({ path: '.artifacts/app-sign-in-again.png' });
      await signInAgain(page, 'manager');
      expect(await note.inputValue()).toBe('Z-1234');
      expect(await page.title()).toBe('Add – Recense');
      await revoke(page, window.app.url);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your session has ended.').waitFor();
      await signInAgain(page, 'admin');
      await page.locator('header').getByText('User admin').waitFor({ state: 'attached' });
      expect(await note.inputValue()).toBe('');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'signs in above a dialog that is open, and goes on in it',
    async () => {
      const { code } = await factories(window.app).purchase();
      const { page, context } = await window.visit(`/app/scan/${session}`);
      await signIn(page, 'manager');
      await ready(page);
      await type(page, code);
      await isSent(page);
      await page.getByRole('button', { name: 'Condition, note, photo' }).click();
      await page.locator('[name=note]').fill('Rayée');
      await revoke(page, window.app.url);
      await page.evaluate(`dispatchEvent(new Event('online'))`); // it asks what others have scanned
      await page.getByText('Your session has ended.').waitFor();
      await signInAgain(page, 'manager');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.reads').getByText('Rayée').waitFor();
      await page.locator('.badge').waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );
});

describe('Who has two tabs', () => {
  it(
    'signs in and out in both, also without a network',
    async () => {
      const { page, context } = await window.visit();
      const other = await context.newPage();
      await other.goto('/app');
      await other.getByLabel('Password').waitFor();
      await signIn(page, 'manager');
      await other.getByText('Inventaire annuel').waitFor();
      await context.setOffline(true);
      await page.locator('header summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await other.getByLabel('Password').waitFor();
      await context.setOffline(false);
      await signIn(other, 'admin');
      await page.locator('header').getByText('User admin').waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});

describe('Who may do more since', () => {
  it.each([
    ['loads it anew', 'location.reload()'],
    ['comes back to it', `document.dispatchEvent(new Event('visibilitychange'))`],
  ])(
    'finds a page that was not open to him before, where he %s',
    async (_, what) => {
      const login = `promoted-${what.length}`;
      const { userId } = await window.app.asNewUser(login, 'operator');
      const { page, context } = await window.visit();
      await signIn(page, login);
      await page.goto(`/app/review/${session}`);
      await page.getByText('Your account may not open this page.').waitFor();
      await page.waitForLoadState('networkidle');
      await window.app.as('admin').patch(`/users/${userId}`, { roles: ['manager'] });
      await page.evaluate(what);
      await page.getByRole('button', { name: 'Unknown codes' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});

describe('Who goes by keyboard', () => {
  it(
    'skips what stands above every page, and stays on the page',
    async () => {
      const address = `/app/sessions/${session}?from=list`;
      const { page, context, complaints } = await window.as('manager', address);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await page.evaluate('document.activeElement.blur()');
      const focused = () =>
        page.evaluate<string>(
          'document.activeElement.cloneNode().outerHTML + document.activeElement.textContent',
        );
      for (let n = 0; n < 20 && !(await focused()).includes('class="skip"'); n++)
        await page.keyboard.press('Shift+Tab');
      expect(await focused()).toContain('class="skip"');
      await page.keyboard.press('Enter');
      expect(await focused()).toMatch(/^<h1.*Inventaire annuel/);
      expect(page.url()).toBe(`${window.app.url}${address}`);
      await page.keyboard.press('Tab'); // the first thing of the page itself
      expect(await focused()).toContain(`/app/scan/${session}`);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'follows a link within a page as the browser does',
    async () => {
      const { page, context } = await window.as('manager', `/app/sessions/${session}?from=list`);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
        '<a href="#files">To the files</a>')`);
      await page.getByRole('link', { name: 'To the files' }).click();
      expect(page.url()).toBe(`${window.app.url}/app/sessions/${session}?from=list#files`);
      await page.getByRole('button', { name: 'Close' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );
});
