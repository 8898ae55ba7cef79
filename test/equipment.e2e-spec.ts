import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, readByCursor, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

describe('equipment', () => {
  let app: TestApp;
  let make: Factories;
  const get = (path: string) => app.as('viewer').get(path);
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/equipments?${query}`)).map((row) => row.reference);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
    const seeds = [
      ['b', 'R-5', null],
      ['a', 'r-4', '2012-07-03'],
      ['a', 'É-3', '0001-01-01'],
      ['A', 'e-2', null],
      ['Écran', 'Z-1', '9999-12-31'],
      ['a', '10', '2012-07-03'],
      ['écran', '9', null],
    ] as const;
    for (const [name, reference, commissioned_on] of seeds) {
      await make.equipment({ name, reference, commissioned_on });
    }
  });
  afterAll(() => app.stop());

  behavesAsList({
    app: () => app,
    path: '/equipments',
    sorts: ['name', 'reference', 'commissioned_on'],
    foreignKeys: ['tier_id'],
  });

  it('answers every field, with its tier', async () => {
    const tier = await make.tier({ name: 'Ascenseurs Morvan' });
    const fields = {
      name: 'Groupe électrogène',
      reference: 'EQ-0001',
      serial_number: 'TV55-700013',
      brand: 'SDMO',
      model: 'J110K',
      category: 'Énergie',
      status: 'under_repair',
      location: 'Siège – Bât. A',
      commissioned_on: '2012-02-29',
      tier_id: tier.id,
      notes: 'Deux lignes\nde texte',
    };
    const { id, created_at, updated_at } = await make.equipment(fields);
    const answer = await get(`/equipments/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id,
      ...fields,
      tier: { id: tier.id, name: 'Ascenseurs Morvan' },
      photo_url: null,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    });
    expect((await get('/equipments?search=EQ-0001')).body.data).toEqual([answer.body]);
  });

  it('answers null for what is not known', async () => {
    const { id, name, reference } = await make.equipment();
    expect((await get(`/equipments/${id}`)).body).toEqual({
      id,
      name,
      reference,
      serial_number: null,
      brand: null,
      model: null,
      category: null,
      status: 'in_service',
      location: null,
      commissioned_on: null,
      tier_id: null,
      tier: null,
      notes: null,
      photo_url: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('filters by state and tier', async () => {
    const tier_id = (await make.tier()).id;
    for (const status of ['in_service', 'under_repair', 'out_of_service']) {
      await make.equipment({ reference: `is ${status}`, status, tier_id });
      expect(await found(`status=${status}&tier_id=${tier_id}`)).toEqual([`is ${status}`]);
      expect(await found(`status=${status}`)).toContain(`is ${status}`);
    }
    expect(await found(`tier_id=${tier_id}`)).toHaveLength(3);
    expect(await found(`tier_id=${tier_id}&search=OUT&status=out_of_service`)).toEqual(['is out_of_service']);
    for (const status of ['broken', 'IN_SERVICE', '', 'in_service,under_repair']) {
      expect(refused(await get(`/equipments?status=${status}`))).toEqual(['status']);
    }
  });

  it('finds names, references and serial numbers whatever the case and the accents, anywhere', async () => {
    await make.equipment({ name: 'Défibrillateur', reference: 'DÉF%1', serial_number: 'SN_é\\9' });
    for (const text of ['DEFIB', 'lateur', 'def%1', 'sn_E', 'é\\9', '\\']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual(['DÉF%1']);
    }
    for (const text of ['d%fib', 'snxe', 'def_1']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual([]);
    }
  });

  it('loses and repeats nothing while rows come and go', async () => {
    const kept: number[] = [];
    const spare: number[] = [];
    for (let at = 0; at < 20; at++) {
      const fields = { name: 'walk', commissioned_on: at % 3 ? `2026-01-0${1 + (at % 2)}` : null };
      (at % 2 ? kept : spare).push((await make.equipment(fields)).id);
    }
    const rows = await readByCursor(
      app.as('viewer'),
      '/equipments?search=walk&sort=commissioned_on&per_page=3',
      async () => {
        await app.database.query('DELETE FROM equipments WHERE id = $1', [spare.pop()]);
        if (spare.length > 0) await make.equipment({ name: 'walk', commissioned_on: '2026-01-01' });
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
  ])('has no equipment %s', async (id) => {
    expect((await get(`/equipments/${id}`)).status).toBe(404);
  });

  it('is read by everyone with a token and the right, and written by nobody', async () => {
    const { id } = await make.equipment();
    const stranger = await app.asNewUser('stranger');
    for (const path of ['/equipments', `/equipments/${id}`]) {
      expect((await app.anonymous.get(path)).status).toBe(401);
      expect((await stranger.get(path)).status).toBe(403);
      expect((await app.as('operator').get(path)).status).toBe(200);
      const answer = await app.as('admin').send('DELETE', path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});
