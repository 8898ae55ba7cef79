import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { TrimmedChoices1763600190000 } from '../migrations/1763600190000-trimmed-choices.js';
import { checkValue, merged } from '../src/fields/values.js';
import type { Definition } from '../src/fields/values.js';
import { keyOf } from '../src/fields/key.js';
import { importText } from './support/import.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */

let app: TestApp;
let make: Factories;
const get = (path: string) => app.as('viewer').get(path);
const field = async (fields: object) => {
  const answer = await app
    .as('manager')
    .post('/fields', { name: unique('Field'), applies_to: 'purchase', type: 'text', ...fields });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const patchField = (id: number, body: object) => app.as('manager').patch(`/fields/${id}`, body);
const patch = (id: number, fields: object) => app.as('manager').patch(`/purchases/${id}`, { fields });

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());
/** Required ones would be asked of every test that comes after. */
afterEach(() => app.database.query(`UPDATE fields SET is_required = false WHERE is_required`));

describe('/fields', () => {
  it('creates a field and answers what GET answers', async () => {
    const body = {
      name: 'Origine des fonds',
      applies_to: 'purchase',
      type: 'choice',
      choices: ['Ville', 'Région'],
    };
    const made = await app.as('manager').post('/fields', body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      ...body,
      id: expect.any(Number),
      key: 'origine_des_fonds',
      is_required: false,
      is_active: true,
      created_at: expect.any(String),
      updated_at: made.body.created_at,
    });
    const got = await get(`/fields/${made.body.id}`);
    expect(got.body).toEqual(made.body);
    expect(got.headers.get('etag')).not.toBeNull();
  });

  it('makes the key of the name, and another one where it is taken', async () => {
    const names = ['N° marché', 'N° Marché !', 'n marche', '颜色', 'Œuvre ß'];
    const made: any[] = [];
    for (const name of names) made.push(await field({ name }));
    expect(made.map(({ key }) => key)).toEqual([
      'n_marche',
      'n_marche_2',
      'n_marche_3',
      'field',
      'oeuvre_ss',
    ]);
    // Of articles it is free still, and may be called the same.
    expect((await field({ name: 'N° marché', applies_to: 'article' })).key).toBe('n_marche');
  });

  it('makes keys apart of names that are alike, also of those who come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const name = unique('Clé');
      const body = { applies_to: 'purchase', type: 'text' };
      const made = await Promise.all(
        ['', '!', '?', '.'].map((end) => app.as('manager').post('/fields', { ...body, name: name + end })),
      );
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const key = keyOf(name);
      expect(made.map(({ body }) => body.key).sort()).toEqual([key, `${key}_2`, `${key}_3`, `${key}_4`]);
    }
  });

  it('is a key of small letters and digits, whatever the name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (name) =>
        expect(keyOf(name)).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/),
      ),
    ));

  it('refuses a name twice, whatever case and accents, and names the field', async () => {
    await field({ name: 'Étage réel' });
    const again = (fields: object) =>
      app.as('manager').post('/fields', { applies_to: 'purchase', type: 'text', ...fields });
    expect(refused(await again({ name: 'ÉTAGE  RÉEL' }))).toEqual(['name']);
    const other = await field({});
    expect(refused(await patchField(other.id, { name: 'étage réel' }))).toEqual(['name']);
  });

  it.each([
    [{ name: '' }, ['name']],
    [{ applies_to: 'supplier' }, ['applies_to']],
    [{ type: 'colour' }, ['type']],
    [{ type: 'choice' }, ['choices']],
    [{ type: 'choice', choices: [] }, ['choices']],
    [{ type: 'choice', choices: ['a', 'a'] }, ['choices']],
    [{ type: 'choice', choices: ['a', 'a '] }, ['choices']],
    [{ type: 'choice', choices: ['a', ' \t'] }, ['choices']],
    [{ type: 'text', choices: ['a'] }, ['choices']],
    [{ key: 'mine' }, ['key']],
    [{ is_required: 'yes', is_active: null }, ['is_active', 'is_required']],
  ])('refuses %j', async (fields, named) => {
    const body = { name: unique('Field'), applies_to: 'purchase', type: 'text', ...fields };
    const errors = refused(await app.as('manager').post('/fields', body));
    expect(Array.isArray(errors) ? errors.sort() : errors).toEqual(named);
  });

  it('changes name, choices and whether it is asked for; not what it is', async () => {
    const made = await field({ type: 'choice', choices: ['a', 'b'] });
    const name = unique('Renamed');
    const changed = await patchField(made.id, {
      name,
      choices: ['b', 'c'],
      is_required: true,
      is_active: false,
    });
    expect(changed.body).toMatchObject({
      name,
      key: made.key,
      choices: ['b', 'c'],
      is_required: true,
      is_active: false,
    });
    for (const fixed of [{ type: 'text' }, { applies_to: 'article' }, { key: 'x' }])
      expect(refused(await patchField(made.id, fixed))).toEqual(Object.keys(fixed));
    expect(refused(await patchField(made.id, { choices: null }))).toEqual(['choices']);
  });

  it('keeps a choice that a row has', async () => {
    const made = await field({ type: 'choice', choices: ['Ville', 'Région'] });
    const purchase = await make.purchase({ fields: { [made.key]: 'Ville' } });
    const answer = await patchField(made.id, { choices: ['Région'] });
    expect(refused(answer)).toEqual(['choices']);
    expect(answer.body.errors.choices[0]).toContain('Ville');
    await patch(purchase.id, { [made.key]: 'Région' });
    expect((await patchField(made.id, { choices: ['Région'] })).status).toBe(200);
  });

  it('takes choices without the blanks around them, so that each can be chosen', async () => {
    const made = await field({ type: 'choice', choices: [' Neuf', 'Usé '], is_required: true });
    expect(made.choices).toEqual(['Neuf', 'Usé']);
    for (const choice of [' Neuf', 'Usé'])
      expect((await make.purchase({ fields: { [made.key]: choice } })).fields).toEqual({
        [made.key]: choice.trim(),
      });
    expect((await patchField(made.id, { choices: ['Usé', '\u00a0Neuf\n', 'Perdu '] })).body.choices).toEqual([
      'Usé',
      'Neuf',
      'Perdu',
    ]);
    expect(refused(await patchField(made.id, { choices: ['Neuf', 'Usé', 'Neuf '] }))).toEqual(['choices']);
  });

  it('has no choices unless it is a choice', async () => {
    const made = await field({ type: 'number', choices: [] });
    expect(made.choices).toBeNull();
    expect((await patchField(made.id, { choices: [] })).body.choices).toBeNull();
  });

  it.each([
    ['text', 'x'],
    ['number', 5],
    ['date', '2026-02-28'],
    ['boolean', false],
    ['choice', 'Ville'],
  ])('of the type %s is taken back as it was answered, also once rows have it', async (type, value) => {
    const made = await field({ type, ...(type === 'choice' && { choices: ['Ville', 'Région'] }) });
    await make.purchase({ fields: { [made.key]: value } });
    const { name, choices, is_required, is_active } = (await get(`/fields/${made.id}`)).body;
    const back = await patchField(made.id, { name, choices, is_required, is_active });
    expect([back.status, back.body.choices]).toEqual([200, choices]);
  });

  it('has its choices trimmed that were stored before, and leaves all others alone', async () => {
    const ids: number[] = [];
    for (const [type, choices] of [
      ['choice', ['\u00a0Neuf\t', 'Usé', 'Neuf', ' Usé ', ' ', 'A  b']],
      ['choice', [' ', '']],
      ['text', []],
      ['choice', ['b', 'a']],
    ] as const) {
      const [row] = await app.database.query<{ id: number }>(
        `INSERT INTO fields (name, key, applies_to, type, choices)
         VALUES ($1, 'stored_' || $2, 'purchase', $3, $4) RETURNING id`,
        [unique('Stored'), ids.length, type, choices],
      );
      ids.push(row!.id);
    }
    const read = async () => Promise.all(ids.map(async (id) => (await get(`/fields/${id}`)).body));
    const before = await read();
    const runner = app.app.get(DataSource).createQueryRunner();
    await new TrimmedChoices1763600190000().up(runner).finally(() => runner.release());
    const after = await read();
    expect(after.map(({ choices }) => choices)).toEqual([
      ['Neuf', 'Usé', 'A  b'],
      [' ', ''],
      null,
      ['b', 'a'],
    ]);
    expect([after[1], after[3]]).toEqual([before[1], before[3]]);
    await make.purchase({ fields: { [after[0].key]: 'Neuf' } });
  });

  it('deletes a field that has no values, and only that', async () => {
    const made = await field({});
    const purchase = await make.purchase({ fields: { [made.key]: 'x' } });
    const remove = () => app.as('manager').delete(`/fields/${made.id}`);
    expect((await remove()).status).toBe(409);
    await patch(purchase.id, { [made.key]: null });
    expect((await remove()).body).toEqual({ id: made.id, deleted: true });
    expect((await get(`/fields/${made.id}`)).status).toBe(404);
    // Its name and its key are free again.
    expect((await field({ name: made.name })).key).toBe(made.key);
  });

  it.each([
    ['article', 'Articles that use it: 1.', 'Articles qui l’utilisent : 1.'],
    ['purchase', 'Purchases that use it: 1.', 'Achats qui l’utilisent : 1.'],
  ] as const)('says how many rows use a field of the %s', async (holder, english, french) => {
    const made = await field({ applies_to: holder });
    await make[holder]({ fields: { [made.key]: 'x' } });
    const detail = async (language: string) => {
      const headers = { 'accept-language': language };
      const { status, body } = await app
        .as('manager')
        .send('DELETE', `/fields/${made.id}`, undefined, headers);
      return [status, body.detail];
    };
    expect(await detail('en')).toEqual([409, `${english} Set is_active to false instead.`]);
    expect(await detail('fr')).toEqual([409, `${french} Mettez plutôt is_active à false.`]);
  });

  it('is kept by whoever keeps reference data, and read by whoever sees it', async () => {
    const made = await field({});
    for (const role of ['viewer', 'operator'] as const) {
      expect((await app.as(role).post('/fields', {})).status).toBe(403);
      expect((await app.as(role).patch(`/fields/${made.id}`, {})).status).toBe(403);
      expect((await app.as(role).delete(`/fields/${made.id}`)).status).toBe(403);
    }
  });

  it('is in the audit log', async () => {
    const made = await field({ name: unique('Audited') });
    await patchField(made.id, { is_active: false });
    const { body } = await app.as('admin').get(`/audit?resource=field&resource_id=${made.id}&sort=at`);
    expect(body.data.map(({ action, after }: any) => [action, after.is_active])).toEqual([
      ['field.create', true],
      ['field.update', false],
    ]);
  });

  it('finds by name and key, and by what has it', async () => {
    const [one, other] = [
      await field({ name: 'Zébrure' }),
      await field({ name: 'Zébrure', applies_to: 'article' }),
    ];
    const found = async (query: string) => idsOf((await get(`/fields?search=zebr&${query}`)).body.data);
    expect(await found('')).toEqual([one.id, other.id]);
    expect(await found('applies_to=article')).toEqual([other.id]);
    await patchField(one.id, { is_active: false });
    expect(await found('is_active=true')).toEqual([other.id]);
  });

  behavesAsList({ app: () => app, path: '/fields', sorts: ['name'], booleans: ['is_active'] });
});

describe.each(['purchase', 'article'] as const)('values of a %s', (holder) => {
  const path = `/${holder}s`;
  const makeRow = (fields: object): Promise<any> => make[holder]({ fields });
  const one = (fields: object) => field({ applies_to: holder, ...fields });

  it('are written and answered as they are typed', async () => {
    const values: Record<string, unknown> = {};
    const given: [string, unknown][] = [
      ['text', 'Salle des actes, 2e étage'],
      ['number', -12.125],
      ['number', 0],
      ['date', '2026-02-28'],
      ['boolean', false],
      ['choice', 'Région'],
    ];
    for (const [type, value] of given) {
      const made = await one({ type, ...(type === 'choice' && { choices: ['Ville', 'Région'] }) });
      values[made.key] = value;
    }
    const row = await makeRow(values);
    expect(row.fields).toEqual(values);
    expect((await get(`${path}/${row.id}`)).body.fields).toEqual(values);
    expect(
      (await get(`${path}?search=${encodeURIComponent(row.name ?? row.code)}`)).body.data[0].fields,
    ).toEqual(values);
  });

  it.each([
    ['text', 5],
    ['text', 'x'.repeat(1001)],
    ['text', 'a\u0000b'],
    ['number', '5'],
    ['number', 1e12],
    ['number', 0.1234567],
    ['date', '2026-02-30'],
    ['date', 20260230],
    ['boolean', 'true'],
    ['boolean', 1],
    ['choice', 'ville'],
    ['choice', true],
  ])('of the type %s refuse %j, by their key', async (type, value) => {
    const { key } = await one({ type, ...(type === 'choice' && { choices: ['Ville'] }) });
    const row = await makeRow({});
    const before = (await get(`${path}/${row.id}`)).body;
    expect(refused(await app.as('manager').patch(`${path}/${row.id}`, { fields: { [key]: value } }))).toEqual(
      [`fields.${key}`],
    );
    expect((await get(`${path}/${row.id}`)).body).toEqual(before);
  });

  it('stay where they are left out, and go by null or an empty text', async () => {
    const [a, b] = [await one({}), await one({})];
    const row = await makeRow({ [a.key]: ' one ', [b.key]: 'two' });
    const change = async (fields: object) =>
      (await app.as('manager').patch(`${path}/${row.id}`, { fields })).body.fields;
    expect(await change({ [a.key]: 'three' })).toEqual({ [a.key]: 'three', [b.key]: 'two' });
    expect(await change({ [a.key]: null })).toEqual({ [b.key]: 'two' });
    expect(await change({ [b.key]: '  ' })).toEqual({});
    expect(await change({})).toEqual({});
  });

  it('are asked for where a field is required, of new rows and of those that had one', async () => {
    const old = await makeRow({});
    const { key } = await one({ is_required: true });
    const post = (body: object) => app.as('manager').post(path, body);
    const body = holder === 'article' ? { name: 'Chair' } : { article_id: 1, purchase_date: '2026-01-15' };
    if (holder === 'purchase') (body as any).article_id = old.article_id;
    expect(refused(await post(body))).toEqual([`fields.${key}`]);
    expect(refused(await post({ ...body, fields: { [key]: null } }))).toEqual([`fields.${key}`]);
    expect((await post({ ...body, fields: { [key]: 'x' } })).status).toBe(201);
    const change = (id: number, change: object) => app.as('manager').patch(`${path}/${id}`, change);
    // What has none goes on without, until somebody touches it.
    expect((await change(old.id, { fields: {} })).status).toBe(200);
    expect(refused(await change(old.id, { fields: { [key]: '' } }))).toEqual([`fields.${key}`]);
  });

  it('of an inactive field stay and may go, but do not come', async () => {
    const made = await one({});
    const row = await makeRow({ [made.key]: 'kept' });
    await patchField(made.id, { is_active: false });
    const change = (fields: object) => app.as('manager').patch(`${path}/${row.id}`, { fields });
    expect((await get(`${path}/${row.id}`)).body.fields).toEqual({ [made.key]: 'kept' });
    expect(refused(await change({ [made.key]: 'new' }))).toEqual([`fields.${made.key}`]);
    expect((await change({ [made.key]: null })).body.fields).toEqual({});
    expect(refused(await change({ [made.key]: null }))).toEqual([`fields.${made.key}`]);
  });

  it('of an inactive field are taken back as they were answered', async () => {
    const given: [string, unknown][] = [
      ['text', 'kept'],
      ['number', 0],
      ['boolean', false],
      ['choice', 'Ville'],
    ];
    for (const [type, value] of given) {
      const made = await one({ type, ...(type === 'choice' && { choices: ['Ville', 'Région'] }) });
      const row = await makeRow({ [made.key]: value });
      await patchField(made.id, { is_active: false });
      const change = (fields: object) => app.as('manager').patch(`${path}/${row.id}`, { fields });
      const { fields } = (await get(`${path}/${row.id}`)).body;
      const back = await change(fields);
      expect([type, back.status, back.body.fields]).toEqual([type, 200, { [made.key]: value }]);
      for (const next of ['Région', 1, true, String(!value)])
        expect(refused(await change({ [made.key]: next }))).toEqual([`fields.${made.key}`]);
      // Another row has no such value that it could go on with.
      const other = await makeRow({});
      const given = await app.as('manager').patch(`${path}/${other.id}`, { fields });
      expect(refused(given)).toEqual([`fields.${made.key}`]);
    }
  });

  it('are of fields that there are', async () => {
    const other = await field({
      applies_to: holder === 'article' ? 'purchase' : 'article',
      name: unique('Elsewhere'),
    });
    const row = await makeRow({});
    const change = (fields: unknown) => app.as('manager').patch(`${path}/${row.id}`, { fields });
    for (const key of [other.key, 'nothing', 'constructor', '__proto__', ''])
      expect(refused(await change(JSON.parse(`{"${key}": "x"}`)))).toEqual([`fields.${key}`]);
    for (const wrong of [null, [], 'x', 5, { a: {} }, { a: [] }])
      expect(refused(await change(wrong))).toEqual(['fields']);
  });

  it('are found by search, and filter the list', async () => {
    const word = unique('Bioclimatique').replace(' ', '-');
    const text = await one({ type: 'text' });
    const number = await one({ type: 'number' });
    const date = await one({ type: 'date' });
    const truth = await one({ type: 'boolean' });
    const choice = await one({ type: 'choice', choices: ['Ville', 'Région'] });
    const row = await makeRow({
      [text.key]: `Salle ${word} nord`,
      [number.key]: 12.5,
      [date.key]: '2026-03-01',
      [truth.key]: false,
      [choice.key]: 'Région',
    });
    await makeRow({
      [text.key]: 'Salle sud',
      [number.key]: 12.6,
      [date.key]: '2026-03-02',
      [truth.key]: true,
      [choice.key]: 'Ville',
    });
    const found = async (query: string) => idsOf((await get(`${path}?${query}`)).body.data);
    for (const query of [
      `search=${word.toUpperCase()}`,
      `field.${text.key}=${word.toLowerCase()}`,
      `field.${number.key}=12.5`,
      `field.${date.key}=2026-03-01`,
      `field.${truth.key}=false`,
      `field.${truth.key}=0`,
      `field.${choice.key}=${encodeURIComponent('Région')}`,
      `field.${choice.key}=${encodeURIComponent('Région')}&field.${text.key}=salle&cursor=`,
    ])
      expect([query, await found(query)]).toEqual([query, [row.id]]);
    expect(await found(`field.${text.key}=100%25`)).toEqual([]);
    for (const [query, named] of [
      ['field.nothing=x', 'field.nothing'],
      ['field.=x', 'field.'],
      [`field.${number.key}=many`, `field.${number.key}`],
      [`field.${date.key}=yesterday`, `field.${date.key}`],
      [`field.${truth.key}=oui`, `field.${truth.key}`],
      [`field.${choice.key}=Europe`, `field.${choice.key}`],
      [`field.${choice.key}=Ville&field.${choice.key}=Ville`, `field.${choice.key}`],
      ['field=x', 'field'],
      [`updated_since=2026-01-01T00:00:00Z&field.${text.key}=x`, `field.${text.key}`],
    ])
      expect([query, refused(await get(`${path}?${query}`))]).toEqual([query, [named]]);
  });
});

describe('fields of one’s own elsewhere', () => {
  it('are in the history, and change the entity tag', async () => {
    const { key } = await field({});
    const purchase = await make.purchase();
    const tag = (await get(`/purchases/${purchase.id}`)).headers.get('etag');
    await patch(purchase.id, { [key]: 'now' });
    expect((await get(`/purchases/${purchase.id}`)).headers.get('etag')).not.toBe(tag);
    const { body } = await get(`/purchases/${purchase.id}/history`);
    expect(JSON.stringify(body.data[0])).toContain(`"${key}":"now"`);
  });

  it('filter what is missing, and what labels are printed of', async () => {
    const { key } = await field({});
    const purchase = await make.purchase({ fields: { [key]: 'Hall' } });
    await make.purchase();
    const session = await app
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-09-14' });
    const missing = await get(`/inventories/${session.body.id}/unscanned?field.${key}=hall`);
    expect(idsOf(missing.body.data)).toEqual([purchase.id]);
    const svg = await get(`/purchases/labels?field.${key}=hall&format=svg&own_field=${key}`);
    expect(svg.status).toBe(200);
    const without = await get(`/purchases/labels?field.${key}=hall&format=svg`);
    expect(svg.text.length).toBeGreaterThan(without.text.length);
    expect(refused(await get('/purchases/labels?own_field=nothing'))).toEqual(['own_field']);
  });

  it('come from files, by key or name, as people write them', async () => {
    await make.article({ name: 'Vidéoprojecteur' });
    const [text, number, date, truth, choice] = [
      await field({ name: 'N° de marché public' }),
      await field({ name: 'Coût de pose', type: 'number' }),
      await field({ name: 'Contrôlé le', type: 'date' }),
      await field({ name: 'Subventionné', type: 'boolean' }),
      await field({ name: 'Payeur', type: 'choice', choices: ['Ville', 'Région'] }),
    ];
    const header = `code;article;purchase_date;N° DE MARCHE PUBLIC;field.${number.key};${date.key};subventionne;payeur`;
    const file = (...lines: string[]) =>
      importText(app.database.url, 'purchases', [header, ...lines, ''].join('\n'));
    const fieldsOf = async (code: string) => (await get(`/purchases?code=${code}`)).body.data[0].fields;
    const { said } = await file(
      'OF-1;Vidéoprojecteur;2026-01-15;2026-07;1 161,71 €;31/12/2026;Oui;RÉGION',
      'OF-2;Vidéoprojecteur;2026-01-15;;;;non;',
    );
    expect(said.at(-1)).toBe('Imported 2 purchases: 2 new, 0 updated.');
    const all = {
      [text.key]: '2026-07',
      [number.key]: 1161.71,
      [date.key]: '2026-12-31',
      [truth.key]: true,
      [choice.key]: 'Région',
    };
    expect(await fieldsOf('OF-1')).toEqual(all);
    expect(await fieldsOf('OF-2')).toEqual({ [truth.key]: false });

    const wrong = await file('OF-1;Vidéoprojecteur;2026-01-15;x;viel;gestern;peut-être;Europe');
    expect(wrong.said.slice(0, 4)).toEqual([
      expect.stringMatching(/^line 2: field\.\w+: must be a number/),
      `line 2: ${date.key}: must be a calendar date, YYYY-MM-DD`,
      'line 2: subventionne: must be true or false',
      'line 2: payeur: must be one of Ville, Région',
    ]);
    expect(await fieldsOf('OF-1')).toEqual(all);

    // A file with one of them leaves the others as they are, and an empty cell clears.
    const some = `code;article;purchase_date;payeur\nOF-1;Vidéoprojecteur;2026-01-15;\n`;
    expect((await importText(app.database.url, 'purchases', some)).said.at(-1)).toContain('1 updated');
    const { [choice.key]: _, ...others } = all;
    expect(await fieldsOf('OF-1')).toEqual(others);

    await patchField(choice.id, { is_required: true });
    expect((await importText(app.database.url, 'purchases', some.replace('OF-1', 'OF-3'))).said[0]).toBe(
      'line 2: payeur: is required',
    );
    const without = 'code;article;purchase_date\nOF-3;Vidéoprojecteur;2026-01-15\n';
    expect((await importText(app.database.url, 'purchases', without)).said[0]).toBe(
      `line 2: field.${choice.key}: is required`,
    );
    expect(
      (await importText(app.database.url, 'purchases', without.replace('OF-3', 'OF-1'))).said[0],
    ).toContain('1 unchanged');
  });

  it('come from files as they went into them, however alike they are', async () => {
    const choices = ['A+', 'A', 'A-', 'Bureau (interne)', 'Bureau (externe)', '< 1 m', '> 1 m'];
    const choice = await field({ name: unique('Note'), type: 'choice', choices });
    const name = unique('Lot').replaceAll(' ', '');
    const [close, apart] = [await field({ name }), await field({ name: name.replace('Lot', 'Lo t') })];
    const article_id = (await make.article()).id as number;
    const made: number[] = [];
    for (const [at, one] of choices.entries()) {
      const fields = { [choice.key]: one, [close.key]: `c${at}`, [apart.key]: `a${at}` };
      made.push((await make.purchase({ article_id, fields })).id as number);
    }
    const filter = `article_id=${article_id}`;
    const { text } = await get(`/purchases?${filter}&format=csv`);
    const { said } = await importText(app.database.url, 'purchases', text);
    expect(said.at(-1)).toContain(`${choices.length} unchanged`);
    const unclear = text.replace('Bureau (externe)', 'bureau');
    expect((await importText(app.database.url, 'purchases', unclear)).said[0]).toContain('must be one of');
  });

  it('are empty where a row has none, also of a key that all objects have', async () => {
    const made = await field({ name: 'Constructor', type: 'text' });
    expect(made.key).toBe('constructor');
    const article_id = (await make.article()).id as number;
    await make.purchase({ article_id });
    const { text } = await get(`/purchases?article_id=${article_id}&format=csv&delimiter=comma`);
    const [header, line] = text.trim().split('\r\n');
    expect(line!.split(',')[header!.split(',').indexOf('field.constructor')]).toBe('');
    expect((await get(`/purchases?article_id=${article_id}&format=xlsx`)).status).toBe(200);
    expect((await importText(app.database.url, 'purchases', text)).said.at(-1)).toContain('1 unchanged');
    const session = (
      await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-09-14' })
    ).body;
    const report = (await get(`/inventories/${session.id}/report?format=csv`)).text;
    expect(report).toContain('field.constructor');
    expect(report).not.toContain('native code');
    expect((await get(`/inventories/${session.id}/report?format=xlsx`)).status).toBe(200);
    await app.as('admin').delete(`/fields/${made.id}`);
  });

  it('are columns of the report, which a closed session keeps as they were', async () => {
    const made = await field({ name: unique('Vu par'), type: 'choice', choices: ['Ville', 'Région'] });
    const purchase = await make.purchase({ fields: { [made.key]: 'Ville' } });
    const { id } = (
      await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-09-14' })
    ).body;
    const cellOf = async () => {
      const [header, ...lines] = (await get(`/inventories/${id}/report?format=csv`)).text
        .trim()
        .split('\r\n');
      const at = header!.split(',').indexOf(`field.${made.key}`);
      return lines.find((line) => line.startsWith(purchase.code))?.split(',')[at];
    };
    expect(await cellOf()).toBe('Ville');
    await patch(purchase.id, { [made.key]: 'Région' });
    expect(await cellOf()).toBe('Région');
    await app.as('manager').post(`/inventories/${id}/close`);
    await patch(purchase.id, { [made.key]: 'Ville' });
    await patchField(made.id, { is_active: false });
    expect(await cellOf()).toBe('Région');
  });

  it('are columns of what a session misses, as of all purchases', async () => {
    const [text, number] = [await field({ type: 'text' }), await field({ type: 'number' })];
    const place = await make.location();
    const fields = { [text.key]: 'Ville', [number.key]: 1.5 };
    const purchase = await make.purchase({ location_id: place.id, fields });
    const opened = { year: 2026, inventory_date: '2026-09-14', location_ids: [place.id] };
    const { id } = (await app.as('manager').post('/inventories', opened)).body;
    const query = 'format=csv&delimiter=comma';
    const all = (await get(`/purchases?code=${purchase.code}&${query}`)).text;
    expect(all).toContain(`,field.${text.key},field.${number.key}`);
    expect((await get(`/inventories/${id}/unscanned?${query}`)).text).toBe(all);
    await app.as('manager').post(`/inventories/${id}/close`);
    expect((await get(`/inventories/${id}/unscanned?${query}`)).text).toBe(all);
  });

  it('two who take a choice away and give it never both succeed', async () => {
    for (let round = 0; round < 10; round++) {
      const made = await field({ type: 'choice', choices: ['a', 'b'] });
      const purchase = await make.purchase();
      const [given, taken] = await Promise.all([
        patch(purchase.id, { [made.key]: 'a' }),
        patchField(made.id, { choices: ['b'] }),
      ]);
      expect([given.status, taken.status].sort()).toEqual([200, 422]);
    }
  });
});

describe('values, whatever they are', () => {
  const definition = (type: Definition['type']): Definition => ({
    name: 'One',
    key: 'one',
    type,
    choices: type === 'choice' ? ['a', 'b'] : null,
    is_required: false,
  });
  const types = fc.constantFrom<Definition['type'][]>('text', 'number', 'date', 'boolean', 'choice');

  it('are kept as they were judged, or refused', () =>
    fc.assert(
      fc.property(types, fc.jsonValue(), (type, value) => {
        const { values, errors } = merged([definition(type)], { one: value });
        if (value === null || (typeof value === 'string' && value.trim() === '')) expect(values).toEqual({});
        else if ('one' in errors) expect(values).toEqual({});
        else expect(checkValue(definition(type), values.one)).toBeNull();
      }),
    ));
});
