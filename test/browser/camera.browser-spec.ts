import type { Page } from 'playwright-core';
import { TIMEOUT, looksRight } from './app-window.js';
import type { Visit } from './app-window.js';
import { CAMERAS, CameraWindow, detecting, look, looked, looking } from './cameras.js';
import { film, seeing, upright } from './fake-camera.js';
import { isSent, ready, says, soon } from './scanning.js';
import type { Campaign } from './scanning.js';

let window: CameraWindow;
let campaign: Campaign;

beforeAll(async () => {
  window = await CameraWindow.open();
  campaign = window.campaign;
}, TIMEOUT);
afterAll(() => window.close());

/** In the page: how large the last picture was that was to be read. */
const TAKEN = `
  globalThis.picture = null;
  const detect = BarcodeDetector.prototype.detect;
  BarcodeDetector.prototype.detect = function (taken) {
    picture = { width: taken.width, height: taken.height };
    return detect.call(this);
  };`;

describe('The camera', () => {
  it.each(['qrcode', 'code128', 'datamatrix'] as const)(
    'reads a label: %s',
    async (kind) => {
      const chair = await campaign.thing();
      await campaign.open();
      await window.with(seeing(film(kind, chair.code)), async ({ page, complaints }) => {
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
      await window.with(seeing(film('datamatrix', chair.code)), async ({ page, context }) => {
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
    'goes on where one picture could not be taken',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const fails = `let pictures = 0;
        const read = CanvasRenderingContext2D.prototype.getImageData;
        CanvasRenderingContext2D.prototype.getImageData = function (...part) {
          if (pictures++ === 1) throw new DOMException('', 'InvalidStateError'); // after the sample
          return read.apply(this, part);
        };`;
      const story = async ({ page, complaints }: Visit) => {
        await look(page);
        await says(page, 'Found');
        expect(complaints).toEqual([]);
      };
      await window.with(seeing(film('qrcode', chair.code)), story, fails);
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
      await window.with(seen, isBlind, detecting([]));
      expect(await campaign.scanned(chair)).toMatchObject({ source: 'camera' });
      const reads = async ({ page, complaints }: Visit) => {
        await look(page);
        await page.locator('.result-code', { hasText: table.code }).waitFor();
        await isSent(page);
        expect(decoders(page)).toBe(0);
        expect(complaints).toEqual([]);
      };
      await window.with(seen, reads, detecting(['R', table.code]));
      expect(await campaign.scanned(table)).toMatchObject({ source: 'camera' });
    },
    TIMEOUT,
  );

  it(
    'reads a label once that is held before it, however long a picture takes, and one of them blurred',
    async () => {
      const chair = await campaign.thing();
      await campaign.open();
      const story = async ({ page }: Visit) => {
        await look(page);
        await says(page, 'Found');
        await looked(page, 6);
        expect(await page.locator('.reads > li').count()).toBe(1);
        await says(page, 'Found');
      };
      await window.with(CAMERAS, story, looking(chair.code, 2200, 4));
    },
    TIMEOUT,
  );

  it(
    'reads what is seen on the screen, and not what the screen has no room for',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const story = async ({ page }: Visit) => {
        await look(page);
        await page.locator('.result-code', { hasText: table.code }).waitFor();
        expect(await page.locator('.reads > li').count()).toBe(1);
      };
      await window.with(CAMERAS, story, upright([chair.code, 150], [table.code, 590]));

      const shown = async ({ page }: Visit) => {
        await look(page);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
        const ratio = await page.evaluate<number>(
          `(({ clientWidth, clientHeight }) => clientHeight / clientWidth)(document.querySelector('video'))`,
        );
        const height = Math.round(0.8 * 720 * ratio);
        await soon(() => page.evaluate<object>('picture'), { width: 0.8 * 720, height });
      };
      await window.with(CAMERAS, shown, `${upright()} ${detecting(['R'])} ${TAKEN}`);
    },
    TIMEOUT,
  );

  it(
    'reads nothing behind a dialog that is open',
    async () => {
      const [chair, table] = [await campaign.thing(), await campaign.thing()];
      await campaign.open();
      const story = async ({ page }: Visit) => {
        await look(page);
        await says(page, 'Found');
        await page.getByRole('button', { name: 'Condition, note, photo' }).first().click();
        await page.getByRole('dialog').waitFor();
        await page.evaluate(`text = ${JSON.stringify(table.code)}`);
        await page.waitForTimeout(1000); // for what should not happen
        expect(await page.locator('.reads > li').count()).toBe(1);
        await page.keyboard.press('Escape');
        await page.locator('.result-code', { hasText: table.code }).waitFor();
      };
      await window.with(CAMERAS, story, looking(chair.code, 50));
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
        await soon(() => Promise.resolve({ decoders: page.workers().length }), { decoders: 0 });
        await looksRight(page);
        await page.unroute('**/*.wasm');
        await look(page);
        await says(page, 'Found');
      };
      await window.with(seeing(film('qrcode', chair.code)), story, '', { serviceWorkers: 'block' });
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
      await window.with(CAMERAS, story);
    },
    TIMEOUT,
  );
});
