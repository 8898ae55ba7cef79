import type { Page } from 'playwright-core';
import { TIMEOUT, looksRight } from './app-window.js';
import type { Visit } from './app-window.js';
import { CAMERAS, CameraWindow, look, looked, looking } from './cameras.js';
import { soon } from './scanning.js';
import type { Campaign } from './scanning.js';

let window: CameraWindow;
let campaign: Campaign;

beforeAll(async () => {
  window = await CameraWindow.open();
  campaign = window.campaign;
}, TIMEOUT);
afterAll(() => window.close());

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

const hide = (page: Page, state: string) =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

describe('The camera, on and off', () => {
  it(
    'is the one that was chosen, also the next time',
    async () => {
      await window.with(CAMERAS, async ({ page, complaints }) => {
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
      await window.with(CAMERAS, story, looking(chair.code, 300));
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
      await window.with(CAMERAS, story, WITH_LIGHT);
      await window.with(CAMERAS, async ({ page }) => {
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
        await look(page);
        await isAwake(true);
        await hide(page, 'hidden');
        await isAwake(false);
        expect(await page.evaluate(ON)).toBeUndefined();
        await hide(page, 'visible');
        await isAwake(true);
        expect(await page.evaluate(ON)).toBeDefined();
        await page.getByRole('button', { name: 'Turn the camera off' }).click();
        await isAwake(false);
        expect(await page.evaluate(ON)).toBeUndefined();
      };
      await window.with(CAMERAS, story, AWAKE);
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
      await window.with([], says('There is no camera.'));
      await window.with(CAMERAS.slice(0, 1), says('You have not allowed the camera.'));
    },
    TIMEOUT,
  );
});
