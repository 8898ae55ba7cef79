import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';

export const TIMEOUT = 120_000;

/** How Chromium is started. */
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0, // it does not start for root
};

/**
 * How it is started where its pages are all that is asked of it: without what draws windows and asks what a page may do,
 * which takes half of the work, if such a one is told of.
 */
export const SHELL = { ...CHROMIUM, executablePath: process.env.CHROMIUM_SHELL ?? CHROMIUM.executablePath };

/** A service, and a Chromium that looks at it. */
export class Window {
  private constructor(
    readonly app: TestApp,
    private readonly browser: Browser,
  ) {}

  static async open(): Promise<Window> {
    return new Window(await startApp(), await chromium.launch(SHELL));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.app.stop();
  }

  /** Opens a path with a new profile. A picture of how it ended is left in .artifacts, also of a failure. */
  async visit(
    path: string,
    picture: string,
    story: (page: Page) => Promise<void>,
    width = 1280,
  ): Promise<void> {
    const page = await this.browser.newPage({
      baseURL: this.app.url,
      viewport: { width, height: 1300 },
      locale: 'fr-FR',
    });
    page.setDefaultTimeout(TIMEOUT / 4);
    const complaints = watch(page, this.app.url);
    try {
      await page.goto(path);
      await story(page);
      expect(complaints).toEqual([]);
    } finally {
      await page.screenshot({ path: `.artifacts/${picture}.png` });
      await page.close();
    }
  }
}

/** What no page may do: warn (as of a breach of its Content-Security-Policy), fail, or call another origin. */
export function watch(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => {
    // Of a pack, which is read as it comes, Chromium says so although all of it has come.
    const isRead = request.url().includes('/pack') && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isRead) complaints.push(`${request.url()} failed: ${request.failure()?.errorText}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin) complaints.push(`${request.url()} is elsewhere`);
  });
  return complaints;
}

export async function open(page: Page, tag: string, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Replaces the example in the form. */
export const write = (operation: Locator, body: object): Promise<void> =>
  operation.locator('textarea.body-param__text').fill(JSON.stringify(body));

/** Presses Execute, and reads the answer where a reader does. */
export async function execute(operation: Locator, status: number) {
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table .response');
  const body = await answer.locator('code').textContent();
  expect([await answer.locator('.response-col_status').innerText(), body]).toEqual([
    String(status),
    expect.any(String),
  ]);
  return JSON.parse(body!);
}
