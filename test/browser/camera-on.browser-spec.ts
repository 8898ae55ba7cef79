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

/** In the page: a camera comes, or fails, as the next step of the plan says, and `tracks` are all that ever came. */
const PLANNED = `
  const open = MediaDevices.prototype.getUserMedia;
  Object.assign(globalThis, { plan: [], tracks: [], come: 0 });
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const { milliseconds = 0, failure } = plan.shift() ?? {};
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    come += 1;
    if (failure) throw new DOMException('', failure);
    const stream = await open.call(this, constraints);
    tracks.push(...stream.getTracks());
    return stream;
  };`;
/** Once so many have come or failed: how many of them are on. */
async function live(page: Page, come: number): Promise<number> {
  await soon(() => page.evaluate<object>('({ come })'), { come });
  await page.waitForTimeout(1000); // for what should not happen any more
  return page.evaluate<number>(`tracks.filter(({ readyState }) => readyState === 'live').length`);
}

/** In the page: another camera than the one that is on. */
const CHOOSE = `(() => {
  const select = document.querySelector('.viewfinder select');
  select.value = [...select.options].find(({ value }) => value !== select.value).value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
})();`;

/** A camera is awaited: so many steps of the plan are left. */
const awaited = (page: Page, left: number) =>
  soon(() => page.evaluate<object>('({ left: plan.length })'), { left });

async function chooseTwice(page: Page): Promise<void> {
  await page.evaluate(CHOOSE);
  await awaited(page, 1);
  await page.evaluate(CHOOSE);
}

const hide = (page: Page, state: string) =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

describe('The camera, on and off', () => {
  it(
    'is the one that was chosen, also the next time',
    async () => {
      await window.whole.with(CAMERAS, async ({ page, complaints }) => {
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

  it.each([
    [
      'is off where it was turned off while another one was awaited',
      async (page: Page) => {
        await look(page);
        await page.getByLabel('Which camera').waitFor();
        await page.evaluate(`plan.push({ milliseconds: 500 }); ${CHOOSE}`);
        await awaited(page, 0);
        await page.getByRole('button', { name: 'Turn the camera off' }).click();
        expect(await live(page, 2)).toBe(0);
        await hide(page, 'hidden');
        await hide(page, 'visible');
        expect(await live(page, 2)).toBe(0);
        await page.getByRole('button', { name: 'Scan with the camera' }).waitFor();
      },
    ],
    [
      'is on where the page was not looked at for a moment before it came',
      async (page: Page) => {
        await page.evaluate('plan.push({ milliseconds: 500 })');
        await look(page);
        await awaited(page, 0);
        await hide(page, 'hidden');
        await hide(page, 'visible');
        expect(await live(page, 2)).toBe(1);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
      },
    ],
    [
      'is off where the one that was chosen last has failed, whatever comes after it',
      async (page: Page) => {
        await look(page);
        await page.getByLabel('Which camera').waitFor();
        await page.evaluate(`plan.push({ milliseconds: 500 }, { failure: 'NotReadableError' })`);
        await chooseTwice(page);
        expect(await live(page, 3)).toBe(0);
        await page.getByText(/The camera does not start/).waitFor();
        await page.getByRole('button', { name: 'Scan with the camera' }).waitFor();
      },
    ],
    [
      'is on where another one has failed after it was chosen',
      async (page: Page) => {
        await look(page);
        await page.getByLabel('Which camera').waitFor();
        await page.evaluate(`plan.push({ milliseconds: 500, failure: 'NotReadableError' }, {})`);
        await chooseTwice(page);
        expect(await live(page, 3)).toBe(1);
        expect(await page.locator('.viewfinder .notice').count()).toBe(0);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
      },
    ],
    [
      'is off where it was taken away, and says so',
      async (page: Page) => {
        await look(page);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
        await page.evaluate(`tracks[0].stop(); tracks[0].dispatchEvent(new Event('ended'))`);
        await page.getByText('The camera was taken away').waitFor();
        await look(page);
        await page.getByRole('button', { name: 'Turn the camera off' }).waitFor();
        expect(await live(page, 2)).toBe(1);
        expect(await page.locator('.viewfinder .notice').count()).toBe(0);
      },
    ],
  ])(
    '%s',
    async (_, story) => {
      await window.with(
        CAMERAS,
        async ({ page, complaints }) => {
          await story(page);
          expect(complaints).toEqual([]);
        },
        PLANNED,
      );
    },
    TIMEOUT,
  );

  it(
    'can be another one where the one that was chosen does not start, which is not chosen the next time',
    async () => {
      const story = async ({ page }: Visit) => {
        const which = page.getByLabel('Which camera');
        await look(page);
        await which.waitFor();
        const first = await page.evaluate(ON);
        await page.evaluate(`plan.push({ failure: 'NotReadableError' }); ${CHOOSE}`);
        await page.getByText('The camera does not start').waitFor();
        await looksRight(page);
        await which.selectOption(first!);
        await soon(() => page.evaluate<object>(`({ on: ${ON} })`), { on: first });
        await page.evaluate(`plan.push({ failure: 'NotReadableError' }); ${CHOOSE}`);
        await page.getByText('The camera does not start').waitFor();
        await page.reload();
        await look(page);
        await which.waitFor();
        expect(await which.inputValue()).toBe(first);
      };
      await window.whole.with(CAMERAS, story, PLANNED);
    },
    TIMEOUT,
  );

  it(
    'ends what reads codes with it, also while that is loaded',
    async () => {
      const story = async ({ page }: Visit) => {
        const decoders = (count: number) =>
          soon(() => Promise.resolve({ count: page.workers().length }), { count });
        await page.route('**/*.wasm', () => undefined); // it never comes
        await look(page);
        await decoders(1);
        await hide(page, 'hidden');
        await decoders(0);
        await page.unroute('**/*.wasm');
        await hide(page, 'visible');
        await page.getByRole('button', { name: 'Turn the camera off' }).click();
        await decoders(0);
      };
      await window.with(CAMERAS, story, '', { serviceWorkers: 'block' });
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
      await window.whole.with([], says('There is no camera.'));
      await window.whole.with(CAMERAS.slice(0, 1), says('You have not allowed the camera.'));
    },
    TIMEOUT,
  );
});
