import type { BrowserContextOptions, Page } from 'playwright-core';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';
import type { Visit } from './app-window.js';
import { film, seeing } from './fake-camera.js';
import { Campaign, isSent, ready, says, soon } from './scanning.js';

let window: AppWindow;
let campaign: Campaign;

beforeAll(async () => {
  window = await AppWindow.open();
  campaign = new Campaign(window.app);
  await campaign.open();
}, TIMEOUT);
afterAll(() => window.close());

/** Two cameras that see nothing to be read, and may be used. */
const CAMERAS = ['--use-fake-device-for-media-stream=device-count=2', '--use-fake-ui-for-media-stream'];

const look = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' }).click();

/** In the page: which camera is on. */
const ON = `document.querySelector('video').srcObject
  .getVideoTracks().find(({ readyState }) => readyState === 'live')?.getSettings().deviceId`;

/** In the page: a camera with a light, which machines without a phone have not. */
const WITH_LIGHT = `
  const can = MediaStreamTrack.prototype.getCapabilities;
  MediaStreamTrack.prototype.getCapabilities = function () { return { ...can.call(this), torch: true }; };
  MediaStreamTrack.prototype.applyConstraints = async ({ advanced: [{ torch }] }) => { globalThis.lit = torch; };
  globalThis.lit = null;`;

/** In the page: what keeps it awake. */
const AWAKE = `
  const request = WakeLock.prototype.request;
  globalThis.locks = [];
  WakeLock.prototype.request = async function (type) {
    const lock = await request.call(this, type);
    locks.push(lock);
    return lock;
  };`;

/** In the page: a detector that says that it knows all formats, and reads what it is told to. */
const detecting = (texts: string[]) => `globalThis.BarcodeDetector = class {
  static async getSupportedFormats() {
    return ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13', 'ean_8'];
  }
  async detect() { return ${JSON.stringify(texts)}.map((rawValue) => ({ rawValue })); }
};`;

/** In the page: one that reads `text` in each picture, and how many it has looked at so far. */
const looking = (text: string, milliseconds: number) => `${detecting([])}
Object.assign(globalThis, { text: ${JSON.stringify(text)}, looks: 0 });
BarcodeDetector.prototype.detect = async function () {
  if (looks++ === 0) return [{ rawValue: 'R' }];
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
  return [{ rawValue: text }];
};`;
const looked = (page: Page, often: number) =>
  soon(() => page.evaluate<object>(`({ isSeen: looks > ${often} })`), { isSeen: true });

/** The screen of the open session in a browser with such cameras; its pages run `script` before anything else. */
async function withCamera(
  args: string[],
  story: (visit: Visit) => Promise<void>,
  script = '',
  options: BrowserContextOptions = {},
): Promise<void> {
  const seen = await window.another({ args });
  try {
    const visit = await seen.as('manager', '/app', options);
    await visit.context.addInitScript(script);
    await visit.page.goto(`/app/scan/${campaign.session}`);
    await ready(visit.page);
    await story(visit);
  } finally {
    await seen.close();
  }
}

describe('The camera', () => {
  it.each(['qrcode', 'code128', 'datamatrix'] as const)(
    'reads a label: %s',
    async (kind) => {
      const chair = await campaign.thing();
      await campaign.open();
      await withCamera(seeing(film(kind, chair.code)), async ({ page, complaints }) => {
        await look(page);
        await says(page, 'Found');
        await isSent(page);
        expect(await campaign.scanned(chair)).toMatchObject({ source: 'camera' });
        expect(complaints).toEqual([]);
        if (kind !== 'qrcode') return;
        await page.waitForTimeout(3000); // it is held before the camera
        expect(await page.locator('.reads > li').count()).toBe(1);
        await page.screenshot({ path: '.artifacts/app-scan-camera.png' });
        await looksRight(page);
      });
    },
    TIMEOUT,
  );

  it(
    'reads without a network, once it has done so with one',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      await withCamera(seeing(film('datamatrix', chair.code)), async ({ page, context }) => {
        await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
        await look(page);
        await isSent(page);
        await context.setOffline(true);
        await page.reload();
        await ready(page);
        await look(page);
        await says(page, 'Already scanned');
        await page.locator('.reads > [data-state=waiting]').waitFor();
        await context.setOffline(false);
        await page.locator('.reads > [data-state=waiting]').waitFor({ state: 'detached' });
        expect(await campaign.scanned(chair)).toMatchObject({ source: 'camera' });
      });
    },
    TIMEOUT,
  );

  it(
    'is the one that was chosen, also the next time',
    async () => {
      await withCamera(CAMERAS, async ({ page, complaints }) => {
        const which = page.getByLabel('Which camera');
        await look(page);
        await which.waitFor();
        const options = await which.locator('option').all();
        const cameras = await Promise.all(options.map((option) => option.getAttribute('value')));
        expect(cameras).toHaveLength(2);
        const first = await page.evaluate(ON);
        const other = cameras.find((one) => one !== first)!;
        await which.selectOption(other);
        await soon(() => page.evaluate<object>(`({ on: ${ON} })`), { on: other });
        expect(await which.inputValue()).toBe(other);
        await page.reload();
        await look(page);
        await which.waitFor();
        expect([await page.evaluate(ON), await which.inputValue()]).toEqual([other, other]);
        expect(complaints).toEqual([]);
      });
    },
    TIMEOUT,
  );

  it(
    'is the one that was chosen last, however quickly, and none after it was turned off',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const story = async ({ page, complaints }: Visit) => {
        const which = page.getByLabel('Which camera');
        await look(page);
        await which.waitFor();
        const [first, other] = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.viewfinder option')].map(({ value }) => value)`,
        );
        await page.evaluate(`for (const value of ${JSON.stringify([other, first, other])}) {
          const select = document.querySelector('.viewfinder select');
          select.value = value;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        }`);
        await soon(() => page.evaluate<object>(`({ on: ${ON} })`), { on: other });
        const before = await page.evaluate<number>('looks');
        await looked(page, before + 5);
        expect(await page.evaluate(ON)).toBe(other);
        // A picture that was looked at when it was turned off.
        await page.evaluate(`text = ${JSON.stringify(table.code)};
          document.querySelector('.viewfinder .actions button').click()`);
        await page.waitForTimeout(1000);
        expect(await page.locator('.reads > li').count()).toBe(1);
        expect(complaints).toEqual([]);
      };
      await withCamera(CAMERAS, story, looking(chair.code, 300));
    },
    TIMEOUT,
  );

  it(
    'lights where it has a light, and not without being asked',
    async () => {
      const story = async ({ page, complaints }: Visit) => {
        await look(page);
        const light = page.getByRole('button', { name: 'Light' });
        expect([await light.getAttribute('aria-pressed'), await page.evaluate('lit')]).toEqual([
          'false',
          null,
        ]);
        await light.click();
        await light.and(page.locator('[aria-pressed=true]')).waitFor();
        expect(await page.evaluate('lit')).toBe(true);
        await looksRight(page);
        await light.click();
        await light.and(page.locator('[aria-pressed=false]')).waitFor();
        expect(await page.evaluate('lit')).toBe(false);
        expect(complaints).toEqual([]);
      };
      await withCamera(CAMERAS, story, WITH_LIGHT);
      await withCamera(CAMERAS, async ({ page }) => {
        await look(page);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
        expect(await page.getByRole('button', { name: 'Light' }).count()).toBe(0);
      });
    },
    TIMEOUT,
  );

  it(
    'keeps the phone awake while it is on, and sees nothing while the page is not looked at',
    async () => {
      const story = async ({ page, context }: Visit) => {
        await context.grantPermissions(['screen-wake-lock']);
        const isAwake = (awake: boolean) =>
          soon(() => page.evaluate<object>(`({ awake: locks.some(({ released }) => !released) })`), {
            awake,
          });
        const hide = (state: string) =>
          page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
            document.dispatchEvent(new Event('visibilitychange'))`);
        await look(page);
        await isAwake(true);
        await hide('hidden');
        await isAwake(false);
        expect(await page.evaluate(ON)).toBeUndefined();
        await hide('visible');
        await isAwake(true);
        expect(await page.evaluate(ON)).toBeDefined();
        await page.getByRole('button', { name: 'Turn the camera off' }).click();
        await isAwake(false);
        expect(await page.evaluate(ON)).toBeUndefined();
      };
      await withCamera(CAMERAS, story, AWAKE);
    },
    TIMEOUT,
  );

  it(
    'trusts what the browser reads codes with where it reads, and only there',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const seen = seeing(film('qrcode', chair.code));
      const decoders = (page: Page) => page.workers().length;
      const isBlind = async ({ page }: Visit) => {
        await look(page);
        await says(page, 'Found');
        await isSent(page);
        expect(decoders(page)).toBe(1);
      };
      await withCamera(seen, isBlind, detecting([]));
      expect(await campaign.scanned(chair)).toMatchObject({ source: 'camera' });
      const reads = async ({ page, complaints }: Visit) => {
        await look(page);
        await page.locator('.result-code', { hasText: table.code }).waitFor();
        await isSent(page);
        expect(decoders(page)).toBe(0);
        expect(complaints).toEqual([]);
      };
      await withCamera(seen, reads, detecting(['R', table.code]));
      expect(await campaign.scanned(table)).toMatchObject({ source: 'camera' });
    },
    TIMEOUT,
  );

  it(
    'reads a label once that is held before it, however long a picture takes',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const story = async ({ page }: Visit) => {
        await look(page);
        await says(page, 'Found');
        await looked(page, 4);
        expect(await page.locator('.reads > li').count()).toBe(1);
        await says(page, 'Found');
      };
      await withCamera(CAMERAS, story, looking(chair.code, 2200));
    },
    TIMEOUT,
  );

  it(
    'says so where nothing can read codes, and tries anew when it is turned on again',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const story = async ({ page }: Visit) => {
        await page.route('**/*.wasm', (route) => route.abort());
        await look(page);
        await page.getByText(/What reads codes could not be loaded/).waitFor();
        expect(page.workers()).toEqual([]);
        await looksRight(page);
        await page.unroute('**/*.wasm');
        await look(page);
        await says(page, 'Found');
      };
      await withCamera(seeing(film('qrcode', chair.code)), story, '', { serviceWorkers: 'block' });
    },
    TIMEOUT,
  );

  it(
    'reads where the browser has no room to keep what it reads codes with',
    async () => {
      const story = async ({ page, context }: Visit) => {
        await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
        const browser = await context.newCDPSession(page);
        const origin = new URL(page.url()).origin;
        await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
        await look(page);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
        expect(page.workers().length).toBe(1);
      };
      await withCamera(CAMERAS, story);
    },
    TIMEOUT,
  );

  it(
    'says so where there is none, and where it may not be used',
    async () => {
      const says =
        (text: string) =>
        async ({ page }: Visit) => {
          await look(page);
          await page.getByText(text).waitFor();
          await looksRight(page);
        };
      await withCamera([], says('There is no camera.'));
      await withCamera(CAMERAS.slice(0, 1), says('You have not allowed the camera.'));
    },
    TIMEOUT,
  );
});
