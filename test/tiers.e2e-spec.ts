import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, readByCursor, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

describe('tiers', () => {
  let app: TestApp;
  let make: Factories;
  const get = (path: string) => app.as('viewer').get(path);
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/tiers?${query}`)).map((row) => row.reference);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
    const references = ['R-5', 'r-4', 'É-3', 'e-2', 'Z-1', '10', '9'];
    for (const [at, name] of ['b', 'a', 'a', 'A', 'Écran', 'a', 'écran'].entries()) {
      await make.tier({ name, reference: references[at], is_active: at % 2 === 0 });
    }
  });
  afterAll(() => app.stop());

  behavesAsList({ app: () => app, path: '/tiers', sorts: ['name', 'reference'], booleans: ['is_active'] });

  it('answers every field', async () => {
    const fields = {
      name: 'Ascenseurs Morvan',
      reference: 'T-0001',
      type: 'supplier',
      email: 'contact@ascenseursmorvan.example',
      phone: '02 61 91 86 61',
      address: '87 rue du Port',
      postal_code: '01500',
      city: 'Ambérieu',
      country: 'FR',
      is_active: false,
    };
    const { id, created_at, updated_at } = await make.tier(fields);
    const answer = await get(`/tiers/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id,
      ...fields,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    });
    expect((await get('/tiers?search=T-0001')).body.data).toEqual([answer.body]);
  });

  it('answers null for what is not known', async () => {
    const { id } = await make.tier();
    expect((await get(`/tiers/${id}`)).body).toMatchObject({
      type: 'other',
      email: null,
      phone: null,
      address: null,
      postal_code: null,
      city: null,
      country: null,
      is_active: true,
    });
  });

  it('filters by type', async () => {
    for (const type of ['customer', 'supplier', 'partner', 'other']) {
      await make.tier({ name: 'typed', reference: `is ${type}`, type });
      expect(await found(`type=${type}&search=typed&is_active=true`)).toEqual([`is ${type}`]);
      expect(await found(`type=${type}&search=typed&is_active=false`)).toEqual([]);
    }
    for (const type of ['client', 'OTHER', ''])
      expect(refused(await get(`/tiers?type=${type}`))).toEqual(['type']);
  });

  it('finds names and references whatever the case and the accents, anywhere', async () => {
    await make.tier({ name: 'Électricité Œdipe', reference: 'ÉL_0%\\', city: 'Nowhere' });
    for (const text of ['ELECTRI', 'té œ', 'oedipe', 'el_0', '%\\']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual(['ÉL_0%\\']);
    }
    for (const text of ['elx0', 'nowhere', '%el']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual([]);
    }
  });

  it('loses and repeats nothing while rows come and go', async () => {
    const kept: number[] = [];
    const spare: number[] = [];
    for (let at = 0; at < 20; at++) (at % 2 ? kept : spare).push((await make.tier({ name: 'walk' })).id);
    const rows = await readByCursor(
      app.as('viewer'),
      '/tiers?search=walk&sort=-name&per_page=3',
      async () => {
        await app.database.query('DELETE FROM tiers WHERE id = $1', [spare.shift()]);
        if (spare.length > 0) await make.tier({ name: 'walk' });
      },
    );
    const ids = idsOf(rows);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(kept));
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
  ])('has no tier %s', async (id) => {
    expect((await get(`/tiers/${id}`)).status).toBe(404);
  });

  it('is read by everyone with a token and the right, and written by nobody', async () => {
    const { id } = await make.tier();
    const stranger = await app.asNewUser('stranger');
    for (const path of ['/tiers', `/tiers/${id}`]) {
      expect((await app.anonymous.get(path)).status).toBe(401);
      expect((await stranger.get(path)).status).toBe(403);
      expect((await app.as('operator').get(path)).status).toBe(200);
      const answer = await app.as('admin').send('DELETE', path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});
