import type { BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { AppWindow } from './app-window.js';
import type { Visit } from './app-window.js';
import { Campaign, ready, soon } from './scanning.js';
import { CHROMIUM } from './window.js';

/** Two cameras that see nothing to be read, and may be used. */
export const CAMERAS = [
  '--use-fake-device-for-media-stream=device-count=2',
  '--use-fake-ui-for-media-stream',
];

export const look = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' }).click();

/** In the page: a detector that says that it knows all formats, and reads what it is told to. */
export const detecting = (texts: string[]) => `globalThis.BarcodeDetector = class {
  static async getSupportedFormats() {
    return ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13', 'ean_8'];
  }
  async detect() { return ${JSON.stringify(texts)}.map((rawValue) => ({ rawValue })); }
};`;

/** In the page: one that reads `text` in each picture but the one that is blurred, and how many it has looked at so far. */
export const looking = (text: string, milliseconds: number, blurred = 0) => `${detecting([])}
Object.assign(globalThis, { text: ${JSON.stringify(text)}, looks: 0 });
BarcodeDetector.prototype.detect = async function () {
  if (looks++ === 0) return [{ rawValue: 'R' }];
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
  return looks === ${blurred} ? [] : [{ rawValue: text }];
};`;
export const looked = (page: Page, often: number) =>
  soon(() => page.evaluate<object>(`({ isSeen: looks > ${often} })`), { isSeen: true });

/** A service with an open session, and browsers that look at its screen through a camera. */
export class CameraWindow {
  private constructor(
    private readonly window: AppWindow,
    readonly campaign: Campaign,
    private readonly browser: LaunchOptions = {},
  ) {}

  static async open(): Promise<CameraWindow> {
    const window = await AppWindow.open();
    const campaign = new Campaign(window.app);
    await campaign.open();
    return new CameraWindow(window, campaign);
  }

  /** The same in a whole Chromium, which asks whether a camera may be used, and calls it the same after a reload. */
  get whole(): CameraWindow {
    return new CameraWindow(this.window, this.campaign, CHROMIUM);
  }

  close(): Promise<void> {
    return this.window.close();
  }

  /** The screen of the open session in a browser with such cameras; its pages run `script` before anything else. */
  async with(
    args: string[],
    story: (visit: Visit) => Promise<void>,
    script = '',
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const seen = await this.window.another({ ...this.browser, args });
    try {
      const visit = await seen.as('manager', '/app', options);
      await visit.context.addInitScript(script);
      await visit.page.goto(`/app/scan/${this.campaign.session}`);
      await ready(visit.page);
      await story(visit);
    } finally {
      await seen.close();
    }
  }
}
