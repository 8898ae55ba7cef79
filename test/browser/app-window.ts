import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, firefox } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { PASSWORD, startApp } from '../support/app.js';
import type { RoleName, TestApp } from '../support/app.js';
import { SHELL, TIMEOUT, watch } from './window.js';

export { TIMEOUT };

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1440, height: 900 };
const LANGUAGES = { fr: 'fr-FR', en: 'en-GB' };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page of somebody, and what it has complained of: see watch(). Offline pages complain, so ask before. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

/** A service with the app in the browser, and people who have signed in to it. */
export class AppWindow {
  /** @param signedIn what a browser has kept after a user of that role has signed in */
  private constructor(
    readonly app: TestApp,
    readonly browser: Browser,
    private readonly signedIn = new Map<RoleName, BrowserContextOptions['storageState']>(),
    private readonly isFirst = true,
  ) {}

  static async open(): Promise<AppWindow> {
    return new AppWindow(await startApp(), await chromium.launch(SHELL));
  }

  /** Another browser for the same service and the same people. */
  async another(options: LaunchOptions): Promise<AppWindow> {
    const browser = await chromium.launch({ ...SHELL, ...options });
    return new AppWindow(this.app, browser, this.signedIn, false);
  }

  /** Debian's own Firefox, by WebDriver BiDi: it knows no camera that is made up, and no emulation of colours. */
  static async inFirefox(): Promise<AppWindow> {
    const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
    return new AppWindow(await startApp(), await firefox.launch({ channel: 'moz-firefox', executablePath }));
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.isFirst) await this.app.stop();
  }

  /** A phone unless told otherwise; with nobody signed in. */
  async visit(path = '/app', options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({
      baseURL: this.app.url,
      viewport: PHONE,
      locale: LANGUAGES.en,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT / 4);
    const complaints = watch(page, this.app.url);
    await page.goto(path);
    return { page, context, complaints };
  }

  /** As a user of that role, who has signed in before. */
  async as(role: RoleName, path = '/app', options: BrowserContextOptions = {}): Promise<Visit> {
    if (!this.signedIn.has(role)) {
      const { page, context } = await this.visit();
      await signIn(page, role);
      this.signedIn.set(role, await context.storageState({ indexedDB: true }));
      await context.close();
    }
    return this.visit(path, { storageState: this.signedIn.get(role)!, ...options });
  }

  /**
   * Pictures of a screen in .artifacts, on a phone and on a desktop, in both languages. On the way: axe finds nothing in
   * light and in dark, nothing complains, and at 320 pixels nothing scrolls sideways.
   */
  async pictures(
    name: string,
    path: string,
    ready: (page: Page) => Promise<unknown>,
    role: RoleName | null = 'manager',
  ): Promise<void> {
    for (const [language, locale] of Object.entries(LANGUAGES)) {
      const options = { locale, viewport: PHONE, colorScheme: 'light' } as const;
      const visit = role ? this.as(role, path, options) : this.visit(path, options);
      const { page, context, complaints } = await visit;
      try {
        await ready(page);
        for (const device of ['phone', 'desktop'] as const) {
          if (device === 'desktop') {
            await page.setViewportSize(DESKTOP);
            await page.emulateMedia({ colorScheme: 'dark' });
          }
          await page.screenshot({ path: `.artifacts/app-${name}-${device}-${language}.png`, fullPage: true });
          await looksRight(page);
        }
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
      }
    }
  }
}

export async function signIn(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('header.top').waitFor();
}

/**
 * axe finds nothing (WCAG 2.2 AA and what it calls best practice), and nothing scrolls sideways: at 320 pixels, nor on a
 * phone whose text is twice as large.
 */
export async function looksRight(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' }); // what just appears is pale
  expect(await axe(page)).toEqual([]);
  const before = page.viewportSize()!;
  const widthAt = async (width: number, text: string) => {
    await page.setViewportSize({ width, height: before.height });
    return page.evaluate(`(document.documentElement.style.fontSize = '${text}', innerWidth) &&
      Math.max(...[document.documentElement, ...document.querySelectorAll('dialog')].map((one) =>
        one.scrollWidth - one.clientWidth))`);
  };
  expect([await widthAt(320, ''), await widthAt(PHONE.width, '200%')]).toEqual([0, 0]);
  await page.evaluate(`document.documentElement.style.fontSize = ''`);
  await page.setViewportSize(before);
}

/** What axe finds on the page as it is now. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<AxeResults> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}
