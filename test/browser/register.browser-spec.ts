import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';
import { soon } from './scanning.js';

let window: AppWindow;
let id: number;

beforeAll(async () => {
  window = await AppWindow.open();
  const make = factories(window.app);
  const article = await make.article({ name: 'Fauteuil Oxo', reference: 'FO-1' });
  const place = await make.location({ name: 'Atelier' });
  const amortized = await make.amortizationCategory();
  await window.app.as('manager').patch(`/articles/${article.id}`, { amortization_category_id: amortized.id });
  ({ id } = await make.purchase({
    article_id: article.id,
    code: 'OXO-1',
    location_id: place.id,
    purchase_price: 500,
    warranty_end_date: '2099-01-01',
  }));
}, TIMEOUT);
afterAll(() => window.close());

const row = async (fields: string) =>
  (await window.app.database.query(`SELECT ${fields} FROM purchases WHERE id = $1`, [id]))[0];

describe('The card of a thing', () => {
  it(
    'shows what is known of it, takes a photo, and shows that',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/register/${id}`);
      await page.getByRole('heading', { name: 'Fauteuil Oxo', level: 1 }).waitFor();
      await page.getByText('OXO-1').first().waitFor();
      await page.getByText('never in an inventory').waitFor();
      await page.getByText('Created', { exact: true }).waitFor();
      await page.getByText('Amortization').click();
      await page.getByRole('columnheader', { name: 'Net value' }).waitFor();
      const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2266aa' } })
        .jpeg()
        .toBuffer();
      await page
        .locator('input[name=photo]')
        .setInputFiles({ name: 'devant.jpg', mimeType: 'image/jpeg', buffer: photo });
      await page.getByRole('img', { name: 'Photo of Fauteuil Oxo' }).waitFor();
      await page.getByRole('button', { name: 'devant.jpg' }).click();
      await page.getByRole('img', { name: 'devant.jpg' }).waitFor();
      await looksRight(page);
      await page.getByLabel('Name of the file').fill('face.jpg');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'face.jpg' }).waitFor();
      expect(await window.app.database.query('SELECT name, purchase_id FROM attachments')).toEqual([
        { name: 'face.jpg', purchase_id: id },
      ]);
      // A second one is kept while it cannot be sent, shown first under a new name, and deleted once that is confirmed.
      await page.route('**/attachments', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await page
        .locator('input[name=photo]')
        .setInputFiles({ name: 'dos.jpg', mimeType: 'image/jpeg', buffer: photo });
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute('**/attachments');
      complaints.length = 0;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'dos.jpg' }).click();
      await page.getByRole('img', { name: 'dos.jpg' }).waitFor(); // who leaves before it has come ends that request
      await page.getByLabel('Name of the file').fill('arrière.jpg');
      await page.getByRole('button', { name: 'Show it first' }).click();
      await page.getByRole('button', { name: 'arrière.jpg' }).click();
      await page.getByRole('img', { name: 'arrière.jpg' }).waitFor();
      const names = () => window.app.database.query('SELECT name FROM attachments WHERE deleted_at IS NULL');
      await page.getByRole('button', { name: 'Delete the file' }).click();
      const asked = page.getByRole('dialog', { name: 'Delete the file' });
      await asked.getByText('arrière.jpg is deleted for ever.').waitFor();
      await looksRight(page);
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await asked.waitFor({ state: 'detached' });
      expect(await names()).toHaveLength(2);
      await page.getByRole('button', { name: 'Delete the file' }).click();
      await asked.getByRole('button', { name: 'Delete the file' }).click();
      await page.getByRole('button', { name: 'arrière.jpg' }).waitFor({ state: 'detached' });
      expect(await names()).toEqual([{ name: 'face.jpg' }]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'gives its files under the names that they have',
    async () => {
      const name = 'Facture n°3 – Élodie (copie).pdf';
      const { page, context, complaints } = await window.as('manager', `/app/register/${id}`);
      const buffer = Buffer.from('%PDF-1.4\n%%EOF\n');
      await page.locator('input[name=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
      await page.getByRole('button', { name }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the file on this device' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(name);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells who saw it last, whatever happened to it since',
    async () => {
      const [manager, operator] = [window.app.as('manager'), window.app.as('operator')];
      const opened = { year: 2026, inventory_date: '2026-11-16' };
      const session = (await manager.post('/inventories', opened)).body.id;
      await operator.post(`/inventories/${session}/scan`, { code: 'OXO-1' });
      for (let n = 0; n < 25; n++) await manager.patch(`/purchases/${id}`, { notes: `Note ${n}` });
      const { page, context, complaints } = await window.as('viewer', `/app/register/${id}`);
      const { name } = (await operator.get('/me')).body;
      await page.locator('.last-seen', { hasText: name }).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is disposed of, and comes back',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/register/${id}`);
      await page.getByRole('button', { name: 'Dispose of it' }).click();
      const dialog = page.getByRole('dialog');
      await page.locator('dialog input:focus').waitFor(); // not at what closes it
      await dialog.getByLabel('Last day on which it was there').fill('2026-02-01');
      await dialog.getByLabel('What became of it').selectOption('scrapped');
      await dialog.getByLabel('Proceeds (€)').fill('12,5');
      await looksRight(page);
      // Its answer is lost, and it is sent again.
      await page.route('**/dispose', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await dialog.getByRole('button', { name: 'Dispose of it' }).click();
      await dialog.getByText('No answer came').waitFor();
      await page.unroute('**/dispose');
      await dialog.getByRole('button', { name: 'Dispose of it' }).press('Enter');
      await page.getByText('Scrapped; it was there until').waitFor();
      complaints.length = 0;
      await page.locator('main button:focus').waitFor(); // where the dialog was opened
      expect(
        await row('disposed_on::text AS day, disposal_reason AS reason, disposal_proceeds::text AS proceeds'),
      ).toEqual({
        day: '2026-02-01',
        proceeds: '12.50',
        reason: 'scrapped',
      });
      await page.getByRole('button', { name: 'It is there after all' }).press('Enter');
      await page.getByRole('button', { name: 'Dispose of it' }).waitFor();
      await page.locator('main button:focus').waitFor(); // it was busy, and has it again
      expect(await row('disposal_reason AS reason')).toEqual({ reason: null });
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells anew what it is worth, year by year, after it was disposed of',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/register/${id}`);
      await page.getByText('Amortization').click();
      const years = page.locator('details', { hasText: 'Amortization' }).locator('tbody tr');
      await years.nth(4).waitFor();
      const before = await years.count();
      await page.getByRole('button', { name: 'Dispose of it' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Last day on which it was there').fill('2026-02-01');
      await dialog.getByRole('button', { name: 'Dispose of it' }).click();
      await page.getByText('it was there until').waitFor();
      await years.nth(before - 1).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'It is there after all' }).click();
      await years.nth(before - 1).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'tells what was changed in words, and not by numbers of the database',
    async () => {
      const make = factories(window.app);
      const article = await make.article();
      const place = await make.location({ name: 'Cave' });
      const manager = window.app.as('manager');
      const field = { applies_to: 'purchase', name: 'Financement', type: 'text' };
      const { key } = (await manager.post('/fields', field)).body as { key: string };
      const thing = await make.purchase({ purchase_price: 1234.5 });
      const changes = {
        article_id: article.id,
        location_id: place.id,
        purchase_price: 99.9,
        gs1: ['(8004)06141412518'],
        fields: { [key]: 'Région' },
      };
      expect((await manager.patch(`/purchases/${thing.id}`, changes)).status).toBe(200);
      const { page, context } = await window.as('manager', `/app/register/${thing.id}`);
      const entry = page.locator('.entry', { hasText: 'Moved' });
      await entry.getByText('Financement: – → Région').waitFor();
      expect((await entry.locator('p').allInnerTexts()).slice(1).sort()).toEqual([
        'Article: changed',
        'Financement: – → Région',
        'GS1 codes: – → (8004)06141412518',
        'Price: €1,234.50 → €99.90',
        '– → Cave',
      ]);
      await manager.delete(`/purchases/${thing.id}`); // others count what there is
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is deleted and taken back, and not edited in between',
    async () => {
      const { page, context, complaints } = await window.as('manager', `/app/register/${id}`);
      // A picture that is asked for after that is not there any more.
      for (const photo of ['.photos img', '.facts-and-photo img']) await page.locator(photo).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Edit', { exact: true }).waitFor({ state: 'detached' });
      const gone = `SELECT deleted_at IS NOT NULL AS is_gone FROM purchases WHERE id = $1`;
      expect(await window.app.database.query(gone, [id])).toEqual([{ is_gone: true }]);
      await looksRight(page);
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('link', { name: 'Edit' }).waitFor();
      expect(await window.app.database.query(gone, [id])).toEqual([{ is_gone: false }]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'has room for what is known of it, however large the text',
    async () => {
      const { page, context } = await window.as('viewer', `/app/register/${id}`, { locale: 'fr-FR' });
      await page.locator('.facts').waitFor();
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      const narrowest = `Math.min(...[...document.querySelectorAll('.facts dd')].map((one) => one.clientWidth))`;
      expect(await page.evaluate(narrowest)).toBeGreaterThan(200);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right, also for who may only look',
    async () => {
      await window.pictures('card', `/app/register/${id}`, async (page) => {
        await page.locator('.facts-and-photo img').waitFor();
        await page.locator('.entry').first().waitFor();
      });
      const { page, context } = await window.as('viewer', `/app/register/${id}`);
      await page.locator('.facts').waitFor();
      for (const name of ['Edit', 'Dispose of it', 'Delete', 'Take a photo'])
        expect(await page.getByText(name, { exact: true }).count()).toBe(0);
      await context.close();
    },
    TIMEOUT,
  );
});

describe('The register', () => {
  it(
    'finds by words and filters that stand in the address, and saves what it shows',
    async () => {
      const make = factories(window.app);
      const other = await make.purchase({ code: 'AUTRE-1' });
      const { page, context, complaints } = await window.as('manager', '/app/register');
      await page.getByRole('link', { name: 'AUTRE-1' }).waitFor();
      await page.getByLabel('Search', { exact: true }).fill('oxo');
      await page.getByRole('link', { name: 'AUTRE-1' }).waitFor({ state: 'detached' });
      await page.getByText('Filters').click();
      await page.getByRole('button', { name: 'Place' }).click();
      await page.getByRole('dialog').getByLabel('Search').fill('atel');
      await looksRight(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Atelier' }).click();
      await page.waitForURL(/search=oxo&location_id=\d+/);
      await looksRight(page);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as CSV' }).click(),
      ]);
      const csv = readFileSync(await file.path(), 'utf8');
      expect([csv.includes('OXO-1'), csv.includes('AUTRE-1')]).toEqual([true, false]);
      const shared = await context.newPage();
      await shared.goto(page.url());
      await shared.getByRole('link', { name: 'OXO-1' }).waitFor();
      expect(await shared.getByRole('link', { name: other.code }).count()).toBe(0);
      await shared.getByRole('link', { name: 'OXO-1' }).click();
      await shared.getByRole('heading', { name: 'Fauteuil Oxo', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByRole('link', { name: 'AUTRE-1' }).waitFor();
      expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe(''); // as the list
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'goes on where the reader was, and after a failure with what was looked for last',
    async () => {
      const make = factories(window.app);
      for (let n = 0; n < 52; n++) await make.purchase({ notes: 'beaucoup' });
      const { page, context } = await window.as('viewer', '/app/register');
      await page.locator('.thing').nth(49).waitFor();
      await page.getByRole('button', { name: 'More' }).press('Enter');
      await page.locator('.list > li:nth-child(51):focus').waitFor();
      await page.getByRole('status').getByText('54 shown').waitFor({ state: 'attached' });
      await page.getByRole('link', { name: 'AUTRE-1' }).waitFor();
      await context.route('**/purchases?*', (route) => route.abort());
      await page.getByLabel('Search', { exact: true }).fill('autre-');
      await page.getByRole('alert').waitFor();
      expect(await page.locator('.thing').count()).toBe(0);
      await context.unroute('**/purchases?*');
      await page.getByRole('button', { name: 'Try again' }).press('Enter');
      await page.getByRole('link', { name: 'AUTRE-1' }).waitFor();
      expect(await page.locator('.thing').count()).toBe(1);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is where the reader was, for who comes back to it',
    async () => {
      const make = factories(window.app);
      for (let n = 0; n < 75; n++) await make.purchase({ serial_number: `LOIN-${n}` });
      const { page, context } = await window.as('viewer', '/app/register?search=LOIN-');
      await page.locator('.thing').nth(49).waitFor();
      await page.getByRole('button', { name: 'More' }).click();
      const last = page.locator('.thing').nth(74);
      await last.waitFor();
      const link = last.getByRole('link');
      await link.scrollIntoViewIfNeeded();
      const before = await page.evaluate('scrollY');
      expect(before).toBeGreaterThan(2000);
      for (const back of [() => page.goBack(), () => page.locator('a.back').click()]) {
        await link.click();
        await page.locator('.facts').waitFor();
        await back();
        await soon(() => page.evaluate<object>('({ top: scrollY })'), { top: before });
        expect(await page.locator('.thing').count()).toBe(75);
      }
      // What is looked for next is read from its beginning.
      await page.evaluate('scrollTo(0, 0)');
      await page.getByLabel('Search', { exact: true }).fill('LOIN');
      await page.locator('.thing').nth(75).waitFor({ state: 'detached' });
      await page.waitForURL(/search=LOIN$/);
      await page.locator('.thing').nth(50).waitFor({ state: 'detached' });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'is filtered by a number as the French write it',
    async () => {
      const field = { name: 'Surface', applies_to: 'purchase', type: 'number' };
      const { key } = (await window.app.as('admin').post('/fields', field)).body;
      const make = factories(window.app);
      const [large, small] = [
        await make.purchase({ fields: { [key]: 15 } }),
        await make.purchase({ fields: { [key]: 1.5 } }),
      ];
      const { page, context, complaints } = await window.as('manager', '/app/register', { locale: 'fr-FR' });
      await page.locator('summary', { hasText: 'Filtres' }).click();
      const surface = page.getByLabel('Surface');
      await surface.pressSequentially('1,5');
      await page.getByRole('link', { name: small.code }).waitFor();
      await page.getByRole('link', { name: large.code }).waitFor({ state: 'detached' });
      expect([await surface.inputValue(), new URL(page.url()).search]).toEqual(['1,5', `?field.${key}=1.5`]);
      await surface.press('1');
      await surface.press(',');
      await page.getByText('Ce n’est pas clairement un nombre').waitFor();
      await page.goto(`/app/register?field.${key}=1.5`);
      await page.locator('summary', { hasText: 'Filtres' }).click();
      expect(await surface.inputValue()).toBe('1,5');
      const clear = page.getByRole('button', { name: 'Effacer les filtres' });
      await clear.click();
      await clear.waitFor({ state: 'detached' });
      expect(await surface.inputValue()).toBe('');
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keeps the focus above the navigation of a phone',
    async () => {
      const { page, context } = await window.as('viewer', '/app/register');
      await page.locator('.thing').nth(30).waitFor();
      const isHidden = `(() => {
        const [focused, nav] = [document.activeElement, document.querySelector('.top nav')];
        return !nav.contains(focused) && focused.getBoundingClientRect().bottom > nav.getBoundingClientRect().top;
      })()`;
      for (let n = 0; n < 30; n++) {
        await page.keyboard.press('Tab');
        expect([n, await page.evaluate(isHidden)]).toEqual([n, false]);
      }
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'looks right',
    () => window.pictures('register', '/app/register', (page) => page.locator('.thing').first().waitFor()),
    TIMEOUT,
  );
});
