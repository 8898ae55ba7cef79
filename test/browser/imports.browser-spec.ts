import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';

let window: AppWindow;

beforeAll(async () => {
  window = await AppWindow.open();
  await factories(window.app).article({ name: 'Fauteuil Oxo', reference: 'FO-1' });
}, TIMEOUT);
afterAll(() => window.close());

const file = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n'), 'latin1'),
});
const HEADER = 'Code;Article;Date d’achat;Prix d’achat;Rayon'.replaceAll('’', "'");
const wrong = file('achats.csv', HEADER, 'A-1;FO-1;15/03/2024;1 161,71;x', 'A-2;Inconnu;16/03/2024;12,00;y');
const right = file('achats.csv', HEADER, 'A-1;FO-1;15/03/2024;1 161,71;x', 'A-2;FO-1;16/03/2024;12,00;y');

/** As a user does: Playwright itself would say that another file was chosen also where the browser does not. */
async function choose(page: Page, path: string): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await page.getByLabel('File', { exact: true }).click();
  await asked;
  const browser = await page.context().newCDPSession(page);
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'input[type=file]',
  });
  await browser.send('DOM.setFileInputFiles', { nodeId, files: [path] });
}

/** In the page: the words that stand alone in a cell and are broken. */
const BROKEN = `[...document.querySelectorAll('th, td')].flatMap((cell) => {
  const range = new Range();
  range.selectNodeContents(cell);
  return cell.innerText.includes(' ') || range.getClientRects().length === 1 ? [] : cell.innerText;
})`;

describe('Imports', () => {
  it(
    'tell what is wrong with a file before anything is written, and write it when it is right',
    async () => {
      const { page, context, complaints } = await window.as('admin', '/app/imports');
      await page.getByLabel('File', { exact: true }).setInputFiles(wrong);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('.import-outcome .tag-bad', { hasText: 'Refused' }).waitFor();
      await page.getByRole('heading', { name: '1 error' }).waitFor();
      const error = page.locator('.import-outcome tbody tr').first();
      expect(await error.innerText()).toMatch(/3\s+Article\s+Inconnu/);
      await page.getByRole('row', { name: 'Prix d’achat Price'.replace('’', "'") }).waitFor();
      await page.getByRole('row', { name: 'Rayon left out' }).waitFor();
      expect(await page.evaluate(BROKEN)).toEqual([]);
      await looksRight(page);
      const [refused] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save all refused lines' }).click(),
      ]);
      expect(readFileSync(await refused.path(), 'utf8')).toContain('Inconnu');
      expect(await page.getByRole('button', { name: 'Import now' }).count()).toBe(0);

      await page.getByLabel('File', { exact: true }).setInputFiles(right);
      let go = (): void => undefined;
      const isTime = new Promise<void>((resolve) => (go = resolve));
      await page.route('**/api/v1/imports/purchases?*', (route) => isTime.then(() => route.continue()));
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('input[type=file]:disabled').waitFor(); // what is checked is what would be written
      go();
      await page.getByText('2 would be new, 0 changed, 0 unchanged').waitFor();
      const count = () =>
        window.app.database.query(`SELECT code, purchase_price::text FROM purchases ORDER BY code`);
      expect(await count()).toEqual([]);
      await page.getByRole('button', { name: 'Import now' }).click();
      await page.getByText('2 new, 0 changed, 0 unchanged').waitFor();
      expect(await count()).toEqual([
        { code: 'A-1', purchase_price: '1161.71' },
        { code: 'A-2', purchase_price: '12.00' },
      ]);
      await page.locator('.list .card').nth(2).waitFor(); // three so far
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'check a file again that was mended meanwhile, once it is chosen again',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'recense-import-'));
      const path = join(folder, 'achats.csv');
      writeFileSync(path, wrong.buffer);
      const { page, context } = await window.as('admin', '/app/imports');
      await choose(page, path);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('.import-outcome .tag-bad', { hasText: 'Refused' }).waitFor();
      writeFileSync(path, `${HEADER}\r\nB-1;FO-1;15/03/2024;12,00;mended`);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('alert').getByText('The file has changed: choose it again.').waitFor();
      await choose(page, path);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByText('1 would be new, 0 changed, 0 unchanged').waitFor();
      await context.close();
      rmSync(folder, { recursive: true });
    },
    TIMEOUT,
  );

  it(
    'say of one line that it is one, in French too',
    async () => {
      const { page, context } = await window.as('admin', '/app/imports', { locale: 'fr-FR' });
      const one = file('achats.csv', HEADER, 'C-1;FO-1;15/03/2024;12,00;x');
      await page.getByLabel('Fichier', { exact: true }).setInputFiles(one);
      await page.getByRole('button', { name: 'Vérifier le fichier' }).click();
      await page.getByText('1 serait nouvelle, 0 modifiée, 0 inchangée').waitFor();
      await page.getByRole('button', { name: 'Importer maintenant' }).click();
      await page.getByText('1 nouvelle, 0 modifiée, 0 inchangée').first().waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'take as long as a slow network does, and so do files that are saved',
    async () => {
      const { page, context } = await window.as('admin');
      await page.clock.install();
      /** Lets nothing through for half a minute of the page's own clock. */
      const hold = (path: string) =>
        page.route(path, async (route) => {
          await page.clock.fastForward(30_000);
          await route.continue();
        });
      await hold('**/api/v1/imports/purchases*');
      await hold('**/api/v1/purchases?*format=csv*');
      await page.goto('/app/imports');
      await page.getByLabel('File', { exact: true }).setInputFiles(right);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('.import-outcome').waitFor();
      await page.goto('/app/register');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      expect(readFileSync(await (await saved).path(), 'utf8')).toContain('code');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'say of a file whose answer is lost that it may have arrived, and list it',
    async () => {
      const { page, context } = await window.as('admin', '/app/imports');
      await page.locator('.list .card').first().waitFor();
      const before = await page.locator('.list .card').count();
      await page.getByLabel('File', { exact: true }).setInputFiles(wrong);
      await page.route('**/api/v1/imports/purchases?*', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByRole('alert').getByText('may have been done').waitFor();
      expect(await page.getByText('Nothing was changed').count()).toBe(0);
      await page.locator('.list .card').nth(before).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'name the field of an option that is wrong, and are nobody’s who may not import',
    async () => {
      const { page, context } = await window.as('admin', '/app/imports');
      await page.getByLabel('File', { exact: true }).setInputFiles(right);
      await page.getByText('Where the file leaves something open').click();
      await page.getByLabel('Amounts').selectOption('point');
      await page.getByLabel('Separator').selectOption('comma');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('.import-outcome .tag-bad', { hasText: 'Refused' }).waitFor();
      await context.close();
      const viewer = await window.as('viewer', '/app/imports');
      await viewer.page.getByRole('heading', { name: 'Not permitted' }).waitFor();
      expect(await viewer.page.getByRole('link', { name: 'Imports' }).count()).toBe(0);
      await viewer.context.close();
    },
    TIMEOUT,
  );

  it(
    'look right',
    () =>
      window.pictures(
        'imports',
        '/app/imports',
        async (page) => {
          await page.locator('input[type=file]').setInputFiles(wrong);
          await page.locator('button[type=submit]').click();
          await page.locator('.import-outcome .tag-bad').waitFor();
          await page.locator('.list .card').first().waitFor();
          await page.locator('form summary').click();
        },
        'admin',
      ),
    TIMEOUT,
  );
});
