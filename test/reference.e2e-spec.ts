import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

describe('reference data', () => {
  let app: TestApp;
  let make: Factories;
  const get = (path: string) => app.as('viewer').get(path);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
  });
  afterAll(() => app.stop());

  describe.each([
    ['brands', 'brand'],
    ['categories', 'category'],
    ['amortization-categories', 'amortizationCategory'],
  ] as const)('%s', (resource, kind) => {
    const found = async (text: string) =>
      (await get(`/${resource}?search=${encodeURIComponent(text)}`)).body.data.map((row: any) => row.name); // eslint-disable-line @typescript-eslint/no-explicit-any

    beforeAll(async () => {
      for (const name of ['b', 'Écran', 'écrans', 'ecran', 'Z', 'a', '10', '9']) await make[kind]({ name });
    });

    behavesAsList({ app: () => app, path: `/${resource}`, sorts: ['name'] });

    it('answers one as the list shows it', async () => {
      const { id, name } = await make[kind]();
      const answer = await get(`/${resource}/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ id, name });
      expect((await get(`/${resource}?search=${name}`)).body.data).toEqual([answer.body]);
    });

    it('finds a name whatever the case and the accents, anywhere', async () => {
      await make[kind]({ name: 'Hôtel & Œuvres 50 %_\\' });
      for (const text of ['HOTEL', 'tél', 'oeuvres', '50 %', '%_', '_\\', '& œ']) {
        expect(await found(text)).toEqual(['Hôtel & Œuvres 50 %_\\']);
      }
      for (const text of ['%o', 'h_tel', '50%']) expect(await found(text)).toEqual([]);
    });

    it.each([
      '0',
      '-1',
      '2147483647',
      '2147483648',
      '99999999999999999999',
      'abc',
      '1e3',
      '0x10',
      '%00',
      '%20',
    ])('has no row %s', async (id) => {
      expect((await get(`/${resource}/${id}`)).status).toBe(404);
    });

    it('asks everyone for a token, and everyone may read', async () => {
      const { id } = await make[kind]();
      for (const path of [`/${resource}`, `/${resource}/${id}`]) {
        expect((await app.anonymous.get(path)).status).toBe(401);
        for (const role of ['viewer', 'operator', 'manager', 'admin'] as const) {
          expect((await app.as(role).get(path)).status).toBe(200);
        }
      }
      const stranger = await app.asNewUser('stranger');
      for (const path of [`/${resource}`, `/${resource}/${id}`])
        expect((await stranger.get(path)).status).toBe(403);
    });

    it('is written by POST, PATCH and DELETE alone', async () => {
      const { id } = await make[kind]();
      for (const [path, allow] of [
        ['', 'GET, HEAD, POST'],
        [`/${id}`, 'GET, HEAD, PATCH, DELETE'],
      ] as const) {
        const answer = await app.as('admin').send('PUT', `/${resource}${path}`, {});
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      }
    });

    it('takes no query on one row', async () => {
      const { id } = await make[kind]();
      expect(refused(await get(`/${resource}/${id}?x=1`))).toEqual(['x']);
    });
  });

  it.each(['brands', 'categories'])('%s have a name', async (resource) => {
    const kind = resource === 'brands' ? 'brand' : 'category';
    const { id, name, created_at, updated_at } = await make[kind]();
    expect((await get(`/${resource}/${id}`)).body).toEqual({
      id,
      name,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    });
  });

  it('amortization categories have a method, a duration and perhaps a coefficient', async () => {
    for (const fields of [
      { method: 'linear', duration_years: 10, declining_coefficient: null },
      { method: 'declining', duration_years: 5, declining_coefficient: 1.75 },
      { method: 'declining', duration_years: 100, declining_coefficient: 99.99 },
    ]) {
      const { id, name, created_at, updated_at } = await make.amortizationCategory(fields);
      expect((await get(`/amortization-categories/${id}`)).body).toEqual({
        id,
        name,
        ...fields,
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
      });
    }
  });

  it('refuses the cursor of another list', async () => {
    const cursor = (await get('/brands?per_page=1&cursor=')).body.meta.next_cursor as string;
    expect(refused(await get(`/categories?cursor=${cursor}`))).toEqual(['cursor']);
    expect(refused(await get(`/amortization-categories?cursor=${cursor}`))).toEqual(['cursor']);
    expect((await get(`/brands?cursor=${cursor}`)).status).toBe(200);
  });

  it('cannot hold two rows of one name', async () => {
    for (const kind of ['brand', 'category', 'amortizationCategory'] as const) {
      await make[kind]({ name: 'Only one' });
      await expect(make[kind]({ name: 'Only one' })).rejects.toThrow('unique');
    }
  });
});
