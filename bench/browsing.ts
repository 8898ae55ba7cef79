import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import type { Contestant } from './asks.js';
import { codeOf } from './load.js';
import { median } from './turns.js';

/** What somebody with a phone waits for, in Chromium. */
export interface Browsing {
  purchases: number;
  /** kB that came until the first scan, compressed: of the app, and of the things of the session. */
  size: { app: number; pack: number };
  /** Seconds until the first page takes a key, at 1.6 Mbit/s and with a processor that is four times slower. */
  interactive: number;
  /** Seconds until all things of a session are on the phone, at full speed. */
  pack: number;
  /** Milliseconds from the last key of a hand scanner to the answer on the screen. */
  online: Waits;
  offline: Waits;
  /** Seconds until a queue of 10 000 is sent and answered for. */
  queue: number;
}

interface Waits {
  p50: number;
  p95: number;
}

export const QUEUED = 10_000;
const READS = 200;
const LIMIT_MS = 300_000;
/** Of a phone at the edge of a network. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

export async function measureBrowsing(at: Contestant, rounds: number): Promise<Browsing> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0, // it does not start for root
  });
  try {
    const starts: number[] = [];
    for (let round = 0; round < rounds; round++) starts.push(await start(browser, at));
    const session = await at.data.openSession();
    const page = await (await browser.newContext({ baseURL: at.server.url })).newPage();
    page.setDefaultTimeout(LIMIT_MS);
    const sizes = await sizesOf(page);
    await signIn(page, at);
    const began = performance.now();
    await page.goto(`/app/scan/${session}`);
    await page.locator('.result').waitFor();
    await page.locator('.notice').waitFor({ state: 'detached' }); // it tells how far the pack is
    const pack = (performance.now() - began) / 1000;
    await read(page, codeOf(1));
    const size = { ...sizes };
    const online = await waits(page, 2);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    const offline = await waits(page, 2 + READS);
    await page.context().setOffline(false);
    const queue = await sendQueue(page, session);
    return {
      purchases: at.data.purchases,
      size,
      interactive: median(starts),
      pack,
      online,
      offline,
      queue,
    };
  } finally {
    await browser.close();
  }
}

/** Seconds from the address to a key that the page takes, with nothing kept. */
async function start(browser: Browser, { server }: Contestant): Promise<number> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto('/app', { waitUntil: 'commit' });
  await page.locator('input[name=login]').fill('a');
  const elapsed = await page.evaluate<number>('performance.now()'); // since the navigation began
  await context.close();
  return elapsed / 1000;
}

/** How many kB have come since, the service worker's own aside. */
async function sizesOf(page: Page): Promise<Browsing['size']> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const size = { app: 0, pack: 0 };
  const packs = new Set<string>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/pack')) packs.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    size[packs.has(requestId) ? 'pack' : 'app'] += encodedDataLength / 1000;
  });
  return size;
}

async function signIn(page: Page, { data }: Contestant): Promise<void> {
  await page.goto('/app');
  await page.locator('input[name=login]').fill(data.logins[0]!);
  await page.locator('input[name=password]').fill(data.password);
  await page.locator('button[type=submit]').click();
  await page.locator('header.top').waitFor();
}

/** In the page. Types as a hand scanner does; resolves to milliseconds from its last key to the answer. */
const READ = `(typed) => new Promise((resolve) => {
  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  let began = 0;
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  }).observe(document.querySelector('.result'), { attributeFilter: ['data-read'] });
  for (const key of typed) press(key);
  began = performance.now();
  press('Enter');
})`;

const read = (page: Page, code: string): Promise<number> =>
  page.evaluate<number>(`(${READ})(${JSON.stringify(code)})`);

async function waits(page: Page, first: number): Promise<Waits> {
  const taken: number[] = [];
  for (let n = 0; n < READS; n++) taken.push(await read(page, codeOf(first + n)));
  taken.sort((a, b) => a - b);
  return { p50: taken[Math.floor(READS * 0.5)]!, p95: taken[Math.floor(READS * 0.95)]! };
}

/** In the page. Writes scans to its table of those that wait. */
const KEEP = `async (session, codes) => {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const db = await done(indexedDB.open('recense'));
  const me = await done(db.transaction('values').objectStore('values').get('user'));
  const transaction = db.transaction('scans', 'readwrite');
  const order = Date.now();
  codes.forEach((code, n) => transaction.objectStore('scans').put({
    client_id: crypto.randomUUID(),
    order: order + n,
    inventory_id: session,
    item: { code, scanned_at: new Date(order + n).toISOString() },
    user_id: me.id,
  }));
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  db.close();
}`;

/** What a phone has read in a cellar for weeks is there at once, and sent from the page that shows it. */
async function sendQueue(page: Page, session: number): Promise<number> {
  const codes = Array.from({ length: QUEUED }, (_, n) => codeOf(2 + 2 * READS + (n % (QUEUED - 2 * READS))));
  await page.goto('/app');
  await page.evaluate(`(${KEEP})(${session}, ${JSON.stringify(codes)})`);
  const began = performance.now();
  await page.goto('/app/queue');
  await page.locator('.badge').waitFor();
  await page.locator('.empty').waitFor();
  return (performance.now() - began) / 1000;
}
