import sharp from 'sharp';
import { PASSWORD } from '../support/app.js';
import { factories } from '../support/factories.js';
import { upload } from '../support/upload.js';
import { TIMEOUT, Window, execute, open, write } from './window.js';

/** A picture of nothing. */
const GREY = { create: { width: 60, height: 40, channels: 3, background: '#888' } } as const;

let window: Window;

beforeAll(async () => {
  window = await Window.open();
}, TIMEOUT);
afterAll(() => window.close());

describe('The logins of Swagger UI, in Chromium,', () => {
  it(
    'lead to a scan',
    () =>
      window.visit('/docs', 'swagger-ui', async (page) => {
        const login = await open(page, 'Authentication', 'login');
        await write(login, { login: 'manager', password: PASSWORD });
        await execute(login, 200);
        await page.locator('.auth-wrapper .authorize.locked').waitFor();
        await page.reload(); // it is kept
        await page.locator('.auth-wrapper .authorize.locked').waitFor();

        const session = await execute(await open(page, 'Inventory_sessions', 'openInventory'), 201);
        const { code } = await factories(window.app).purchase();
        const scan = await open(page, 'Inventory_sessions', 'scanPurchase');
        await scan.locator('[data-param-name="id"] input').fill(String(session.id));
        await write(scan, { code });
        expect(await execute(scan, 200)).toMatchObject({ status: 'success', message: 'Article ajouté' });
        await scan.locator('.live-responses-table', { hasText: 'Article ajouté' }).waitFor();
        await scan.getByText('Request duration').waitFor();
        await scan.evaluate((element) => element.scrollIntoView()); // for the picture
      }),
    TIMEOUT,
  );

  it(
    'lead to a photo, which is shown',
    () =>
      window.visit('/docs', 'swagger-ui-photo', async (page) => {
        const login = await open(page, 'Authentication', 'login');
        await write(login, { login: 'manager', password: PASSWORD });
        await execute(login, 200);
        const { id } = await factories(window.app).purchase();
        const picture = await sharp(GREY).png().toBuffer();
        const { body } = await upload(window.app.as('manager'), `/purchases/${id}/attachments`, picture);
        const photo = await open(page, 'Photos_and_papers', 'getAttachment');
        await photo.locator('[data-param-name="id"] input').fill(String(body.id));
        await photo.locator('.execute').click();
        await photo.locator('.live-responses-table img').waitFor();
        const shown = `document.querySelector('.live-responses-table img')`;
        expect(await page.evaluate(`${shown}.decode().then(() => ${shown}.naturalWidth)`)).toBe(60);
      }),
    TIMEOUT,
  );

  it(
    'authorize, either of them, until the logout',
    () =>
      window.visit('/docs', 'swagger-ui-logout', async (page) => {
        const token = await open(page, 'Authentication', 'createToken');
        await write(token, { email: 'manager@test.example', password: PASSWORD });
        await execute(token, 200);
        await page.locator('.auth-wrapper .authorize.locked').waitFor();
        await execute(await open(page, 'Authentication', 'logout'), 200);
        await page.locator('.auth-wrapper .authorize.unlocked').waitFor();
        await page.reload();
        await page.locator('.auth-wrapper .authorize.unlocked').waitFor();
      }),
    TIMEOUT,
  );
});
