import { readFileSync } from 'node:fs';
import { factories } from '../support/factories.js';
import { AppWindow, TIMEOUT, looksRight } from './app-window.js';
import { soon } from './scanning.js';

let window: AppWindow;
let things: { id: number; code: string }[];

beforeAll(async () => {
  window = await AppWindow.open();
  const { purchase } = factories(window.app);
  things = [await purchase(), await purchase(), await purchase()];
}, TIMEOUT);
afterAll(() => window.close());

const rows = (sql: string) => window.app.database.query(sql);

describe('Things in the browser', () => {
  it(
    'are entered, of an article that is new too; what is wrong is told at its field',
    async () => {
      const { page, context, complaints } = await window.as('admin', '/app/register/new?code=INCONNU-7');
      await page.getByRole('button', { name: 'Article' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Search').fill('Perceuse Bosch');
      await dialog.getByRole('button', { name: /^Create|^Enter/ }).click();
      await looksRight(page);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('input[name=code]').fill(things[0]!.code);
      await page.locator('input[name=purchase_price]').fill('129.90');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('input[name=code][aria-invalid]').waitFor();
      expect(await page.getByRole('alert').innerText()).toBe('Some fields are not valid.');
      complaints.length = 0;
      await looksRight(page);
      await page.locator('input[name=code]').fill('INCONNU-7');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Perceuse Bosch' }).waitFor();
      expect(
        await rows(`SELECT code, purchase_price::text, name FROM purchases p JOIN articles a ON a.id = p.article_id
          WHERE code = 'INCONNU-7'`),
      ).toEqual([{ code: 'INCONNU-7', purchase_price: '129.90', name: 'Perceuse Bosch' }]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are offered what is active, keep what is not any more, and are looked for by either',
    async () => {
      const make = factories(window.app);
      const inactive = {
        Article: await make.article({ name: 'Ancien modèle', is_active: false }),
        Place: await make.location({ name: 'Ancienne annexe', is_active: false }),
        Supplier: await make.supplier({ name: 'Ancien fournisseur', is_active: false }),
        'Assigned to': await make.tier({ name: 'Ancienne collègue', is_active: false }),
      };
      for (const kind of ['article', 'location', 'supplier', 'tier'] as const)
        await make[kind]({ name: `Anciennement autre : ${kind}` });
      const { id } = await make.purchase({ supplier_id: inactive.Supplier.id });
      const { page, context } = await window.as('admin', '/app/register/new');
      const offers = async (what: string, many: number) => {
        await page.getByRole('button', { name: what }).click();
        const dialog = page.getByRole('dialog', { name: what });
        await dialog.getByLabel('Search').fill('ancien');
        await soon(async () => ({ what, many: await dialog.locator('li').count() }), { what, many });
        await dialog.getByRole('button', { name: 'Close' }).click();
      };
      for (const what of Object.keys(inactive)) await offers(what, 1);

      await page.goto(`/app/register/edit/${id}`);
      await page.getByRole('button', { name: 'Ancien fournisseur' }).waitFor();
      await page.locator('input[name=serial_number]').fill('SN-2');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: 'Ancien fournisseur' }).waitFor();

      await page.goto('/app/register');
      await page.getByText('Filters').click();
      for (const what of Object.keys(inactive)) await offers(what, 2);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'have several codes in one field, which says what is wrong with one of them',
    async () => {
      const { page, context } = await window.as('manager', `/app/register/edit/${things[0]!.id}`);
      await page.locator('input[name=gs1]').fill('(8004)400000111101 nonsense');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('input[name=gs1][aria-invalid]').waitFor();
      await page.getByText(/^must be a GIAI/).waitFor();
      expect(await page.getByRole('alert').innerText()).toBe('Some fields are not valid.');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are told that there is more to choose from than is shown',
    async () => {
      const { supplier } = factories(window.app);
      for (let n = 1; n <= 31; n++) await supplier({ name: `Quincaillerie ${n}` });
      const { page, context } = await window.as('admin', '/app/register/new');
      await page.getByRole('button', { name: 'Supplier' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('There are more: search for them.').waitFor();
      expect(await dialog.locator('li').count()).toBe(30);
      await dialog.getByLabel('Search').fill('quincaillerie 3');
      await dialog.getByText('There are more').waitFor({ state: 'detached' });
      expect(await dialog.locator('li').count()).toBe(3);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are asked about where a form is left with what was filled in',
    async () => {
      const { id } = things[1]!;
      const { page, context } = await window.as('manager', `/app/register/${id}`);
      const asked: string[] = [];
      let isLeft = false;
      page.on('dialog', (dialog) => {
        asked.push(dialog.message());
        void (isLeft ? dialog.accept() : dialog.dismiss());
      });
      const text = 'What you have filled in is not saved. Leave the page all the same?';
      const serial = page.locator('input[name=serial_number]');
      await page.getByRole('link', { name: 'Edit' }).click();
      await serial.waitFor();
      await page.locator('a.back').click();
      await page.getByRole('link', { name: 'Edit' }).click();
      expect(asked).toEqual([]); // nothing was filled in
      await serial.fill('SN-LOST');
      await page.locator('a.back').click();
      await soon(() => Promise.resolve(asked), [text]);
      await page.locator('nav a').first().click();
      await soon(() => Promise.resolve(asked), [text, text]);
      await page.evaluate('history.back()');
      await soon(() => Promise.resolve(asked), [text, text, text]);
      expect([page.url(), await serial.inputValue()]).toEqual([
        expect.stringMatching(`/app/register/edit/${id}$`),
        'SN-LOST',
      ]);
      isLeft = true;
      await page.locator('a.back').click();
      await page.getByRole('link', { name: 'Edit' }).waitFor();
      expect(asked).toHaveLength(4);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are left by one step back after they were edited, for the page before',
    async () => {
      const { id } = things[2]!;
      const { page, context } = await window.as('manager', '/app/register');
      await page.locator(`a[href="/app/register/${id}"]`).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.locator('input[name=serial_number]').fill('SN-BACK');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: 'SN-BACK' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Register', level: 1 }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are not written over where somebody else has changed them meanwhile',
    async () => {
      const { id } = things[1]!;
      const { page, context } = await window.as('manager', `/app/register/${id}`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.locator('input[name=serial_number]').fill('SN-1');
      await window.app.as('manager').patch(`/purchases/${id}`, { notes: 'meanwhile' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').waitFor();
      await page.reload();
      await page.locator('input[name=serial_number]').fill('SN-1');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('SN-1').first().waitFor();
      expect(await rows(`SELECT serial_number, notes FROM purchases WHERE id = ${id}`)).toEqual([
        { serial_number: 'SN-1', notes: 'meanwhile' },
      ]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'have numbers of one’s own as they are typed, key by key, with zeros after the point',
    async () => {
      const field = { name: 'Surface', applies_to: 'purchase', type: 'number' };
      const { key } = (await window.app.as('admin').post('/fields', field)).body;
      const { id } = things[2]!;
      const { page, context, complaints } = await window.as('manager', `/app/register/edit/${id}`);
      await page.getByLabel('Surface').fill('1,234'); // a thousand and more, or not quite one and a quarter
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('Nothing was saved').waitFor();
      expect(await page.getByLabel('Surface').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Surface').fill('');
      await page.getByLabel('Surface').pressSequentially('3.05');
      expect(await page.getByLabel('Surface').inputValue()).toBe('3.05');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: '3.05' }).waitFor();
      const saved = () => rows(`SELECT fields->'${key}' AS surface FROM purchases WHERE id = ${id}`);
      expect(await saved()).toEqual([{ surface: 3.05 }]);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Surface').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: '3.05' }).waitFor({ state: 'detached' });
      await page.locator('.facts').waitFor();
      expect(await saved()).toEqual([{ surface: null }]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'say who has them in words that can be changed, beside the third party that has them',
    async () => {
      const make = factories(window.app);
      const { id } = await make.purchase({ assigned_to: 'Mme Abgrall' });
      const { page, context } = await window.as('manager', `/app/register/edit/${id}`);
      const words = page.getByLabel('Assigned to, in words');
      await words.waitFor();
      expect(await words.inputValue()).toBe('Mme Abgrall');
      await words.fill('M. Kerbrat');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dd', { hasText: 'M. Kerbrat' }).waitFor();
      const tier = await make.tier({ name: 'Ascenseurs Morvan' });
      await window.app.as('manager').patch(`/purchases/${id}`, { assigned_tier_id: tier.id });
      await page.reload();
      await page.locator('dd', { hasText: 'Ascenseurs Morvan · M. Kerbrat' }).waitFor();
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'keep the lines of their notes, and of texts of one’s own',
    async () => {
      const field = { name: 'Adresse', applies_to: 'purchase', type: 'text' };
      const { key } = (await window.app.as('admin').post('/fields', field)).body;
      const { id } = things[1]!;
      const before = { notes: 'Écran rayé\nPied cassé', fields: { [key]: 'Rue de Siam\n29200 Brest' } };
      await window.app.as('manager').patch(`/purchases/${id}`, before);
      const { page, context } = await window.as('manager', `/app/register/edit/${id}`);
      for (const text of [page.locator('[name=notes]'), page.getByLabel('Adresse')]) {
        await text.press('Control+End');
        await text.pressSequentially(' !');
      }
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.facts').waitFor();
      expect((await window.app.as('manager').get(`/purchases/${id}`)).body).toMatchObject({
        notes: `${before.notes} !`,
        fields: { [key]: `${before.fields[key]} !` },
      });
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'have a price as the French write it, also in a browser of another language',
    async () => {
      const { id } = things[2]!;
      const { page, context, complaints } = await window.as('manager', `/app/register/edit/${id}`);
      await page.locator('.account summary').click();
      await page.getByRole('button', { name: 'Français' }).click();
      const price = page.getByLabel('Prix');
      const isWrong = page.locator('input[name=purchase_price][aria-invalid]');
      const stored = () => rows(`SELECT purchase_price::text AS price FROM purchases WHERE id = ${id}`);
      const before = await stored();
      for (const text of ['1.234,56', '1,234.56', 'mille']) {
        await price.fill(text);
        await page.getByRole('button', { name: 'Enregistrer' }).click();
        await isWrong.waitFor();
        await page.getByText('Ce n’est pas clairement un nombre').waitFor();
        expect(await stored()).toEqual(before);
      }
      await looksRight(page);
      await price.fill('');
      await price.pressSequentially('1\u202f234,56');
      await page.getByRole('button', { name: 'Enregistrer' }).click();
      await page.locator('.facts').waitFor();
      expect(await stored()).toEqual([{ price: '1234.56' }]);
      await page.getByRole('link', { name: 'Modifier' }).click();
      expect(await price.inputValue()).toBe('1234,56');
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'are saved though the answer was lost; where they are not quite as they should be, it says why',
    async () => {
      const { id } = things[0]!;
      const { page, context } = await window.as('manager', `/app/register/edit/${id}`);
      const save = page.getByRole('button', { name: 'Save' });
      const lose = async (serial: string) => {
        await page.route(`**/purchases/${id}`, async (route) => {
          if (route.request().method() !== 'PATCH') return route.continue();
          await route.fetch();
          await route.abort();
        });
        await page.locator('input[name=serial_number]').fill(serial);
        await save.click();
        await page.getByText('No answer came').waitFor();
        await page.unroute(`**/purchases/${id}`);
      };
      await lose('SN-7');
      await save.click();
      await page.locator('dd', { hasText: 'SN-7' }).waitFor();
      await page.getByRole('link', { name: 'Edit' }).click();
      await lose('SN-8');
      await page.locator('[name=notes]').fill('Rayée');
      await save.click();
      await page.getByText('perhaps by your own try before').waitFor();
      expect(await rows(`SELECT serial_number, notes FROM purchases WHERE id = ${id}`)).toEqual([
        { serial_number: 'SN-8', notes: null },
      ]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'say what was chosen from a long list, also to who hears it',
    async () => {
      const place = await factories(window.app).location({ name: 'Atelier nord' });
      const thing = await factories(window.app).purchase({ location_id: place.id });
      const { page, context } = await window.as('manager', `/app/register/edit/${thing.id}`);
      await page.getByRole('button', { name: 'Place Atelier nord', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Supplier Choose…', exact: true }).waitFor();
      await looksRight(page);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'get a new article once, though its answer is lost and it is sent again',
    async () => {
      const { page, context } = await window.as('manager', '/app/register/new');
      await page.getByRole('button', { name: 'Article' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Search').fill('Ponceuse');
      await dialog.getByRole('button', { name: /^Create|^Enter/ }).click();
      await page.route('**/api/v1/articles', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      await page.unroute('**/api/v1/articles');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await rows(`SELECT name FROM articles WHERE name = 'Ponceuse'`)).toHaveLength(1);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'have labels, which are looked at and printed',
    async () => {
      const { page, context, complaints } = await window.as('manager', '/app/register');
      for (const { code } of things) await page.getByLabel(`Choose ${code}`).check();
      await page
        .getByRole('main')
        .getByRole('link', { name: /labels/i })
        .click();
      await page.getByText('Labels of 3 things.').waitFor();
      await page.locator('.label-preview').waitFor();
      const [zpl] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'ZPL for Zebra' }).click(),
      ]);
      const text = readFileSync(await zpl.path(), 'utf8');
      expect(text.match(/\^XA/g)).toHaveLength(3);
      for (const { code } of things) expect(text).toContain(code);
      const [pdf] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'PDF for printing' }).click(),
      ]);
      expect(
        readFileSync(await pdf.path())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      expect(complaints).toEqual([]);
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'have labels of measures of one’s own, each of which says what is wrong with it',
    async () => {
      const { page, context } = await window.as('manager', `/app/labels?ids=${things[0]!.id}`);
      const preview = page.locator('.label-preview');
      await page.getByLabel('Sheet').selectOption('Own measures'); // which begin with those of a sheet
      await preview.waitFor();
      const width = page.getByLabel('Width in mm');
      expect([await width.inputValue(), await page.getByRole('alert').count()]).toEqual(['63.5', 0]);
      await width.fill('');
      await width.and(page.locator('[aria-invalid]')).waitFor();
      expect(await page.getByRole('alert').innerText()).toBe('Some fields are not valid.');
      await looksRight(page);
      // They are kept, and nothing to do with another sheet.
      await page.getByLabel('Sheet').selectOption('Avery L4731, 189 tiny ones');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.getByLabel('Sheet').selectOption('Own measures');
      expect(await page.getByLabel('Rows').inputValue()).toBe('7');
      await context.close();
    },
    TIMEOUT,
  );

  it(
    'look right while they are edited and labelled',
    async () => {
      const { id } = things[0]!;
      await window.pictures('edit', `/app/register/edit/${id}`, (page) => page.locator('form').waitFor());
      await window.pictures('labels', `/app/labels?ids=${id}`, (page) =>
        page.locator('.label-preview').waitFor(),
      );
    },
    TIMEOUT,
  );
});
