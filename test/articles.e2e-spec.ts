import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('articles', () => {
  let app: TestApp;
  let make: Factories;
  const post = (body: unknown) => app.as('manager').post('/articles', body);
  const get = (path: string) => app.as('viewer').get(path);
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/articles?${query}`)).map((row) => row.name);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
  });
  afterAll(() => app.stop());

  describe('POST /articles', () => {
    it('creates an article and answers what GET answers', async () => {
      const [brand, category] = [await make.brand(), await make.category()];
      const amortization = await make.amortizationCategory();
      const fields = {
        name: 'Dell Latitude 5420',
        reference: 'PCP-0004',
        brand_id: brand.id,
        category_id: category.id,
        amortization_category_id: amortization.id,
        is_active: false,
      };
      const answer = await post(fields);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        ...fields,
        brand: { id: brand.id, name: brand.name },
        category: { id: category.id, name: category.name },
        amortization_category: { id: amortization.id, name: amortization.name },
        fields: {},
        photo_url: null,
        created_at: expect.stringMatching(INSTANT),
        updated_at: answer.body.created_at,
      });
      expect(answer.headers.get('location')).toBe(`/api/v1/articles/${answer.body.id}`);
      expect((await app.as('viewer').get(`/articles/${answer.body.id}`)).body).toEqual(answer.body);
    });

    it('needs a name only', async () => {
      const { status, body } = await post({ name: 'Chaise' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        name: 'Chaise',
        reference: null,
        brand_id: null,
        brand: null,
        category_id: null,
        category: null,
        amortization_category_id: null,
        amortization_category: null,
        is_active: true,
      });
    });

    it('takes null for what may be empty', async () => {
      const empty = { reference: null, brand_id: null, category_id: null, amortization_category_id: null };
      expect((await post({ name: 'Table', ...empty })).body).toMatchObject(empty);
    });

    it('accepts two articles that are alike', async () => {
      const twin = { name: 'Twin', reference: 'TW-1' };
      expect([(await post(twin)).status, (await post(twin)).status]).toEqual([201, 201]);
    });

    it('names every wrong field at once', async () => {
      expect(refused(await post({ id: 1, reference: 1, is_active: null, created_at: 'x' }))).toEqual(
        expect.arrayContaining(['name', 'reference', 'is_active', 'id', 'created_at']),
      );
      expect(refused(await post({}))).toEqual(['name']);
      expect(refused(await post(undefined))).toEqual(['name']);
    });

    it('refuses a field given twice, and __proto__', async () => {
      expect(refused(await post('{"name":"a","name":"a"}'))).toEqual(['name']);
      expect(refused(await post('{"name":"a","n\\u0061me":"b"}'))).toEqual(['name']);
      expect(refused(await post('{"name":"a","__proto__":{"is_active":false}}'))).toEqual(['__proto__']);
    });

    it('refuses a body that is no object', async () => {
      for (const body of ['[]', '"x"', '1', 'true', 'null']) expect((await post(body)).status).toBe(422);
    });
  });

  describe.each([
    ['name', 255],
    ['reference', 100],
  ])('%s', (field, max) => {
    const send = (value: unknown) => post({ name: 'Bounds', [field]: value });

    it('is kept as it is, up to its length in code points', async () => {
      const texts = ['é', 'e\u0301', '\u{1F9D1}\u{1F3FD}', 'a\tb', `O'Neil "x" \\ %_`];
      for (const value of [...texts, 'x'.repeat(max), '😀'.repeat(max)]) {
        expect((await send(value)).body[field]).toBe(value);
      }
    });

    it('is trimmed before it is measured', async () => {
      expect((await send(` \t\u00a0${'x'.repeat(max)}\n `)).body[field]).toBe('x'.repeat(max));
    });

    it('is refused when it is no text, too long, or holds NUL or a lone surrogate', async () => {
      const wrong = [1, true, [], {}, ['x'], 'a\0b', 'a\ud800', '\udc00a'];
      for (const value of [...wrong, 'x'.repeat(max + 1), '😀'.repeat(max + 1)]) {
        expect(refused(await send(value))).toEqual([field]);
      }
    });
  });

  it('must have a name, and may do without a reference', async () => {
    for (const name of ['', '  ', null]) expect(refused(await post({ name }))).toEqual(['name']);
    for (const reference of ['', '  ', null]) {
      expect((await post({ name: 'x', reference })).body.reference).toBeNull();
    }
  });

  it.each(['brand_id', 'category_id', 'amortization_category_id'])('refuses a wrong %s', async (field) => {
    const { id } = await make.article();
    for (const value of [0, -1, 1.5, 2147483648, 1e300, '1', true, [], {}, 2147483647]) {
      expect(refused(await post({ name: 'x', [field]: value }))).toEqual([field]);
      expect(refused(await app.as('manager').patch(`/articles/${id}`, { [field]: value }))).toEqual([field]);
    }
  });

  it('takes true and false for is_active, and nothing else', async () => {
    for (const value of [null, 0, 1, 'true', '', []]) {
      expect(refused(await post({ name: 'x', is_active: value }))).toEqual(['is_active']);
    }
  });

  describe('PATCH /articles/{id}', () => {
    const patch = (id: number, body?: unknown) => app.as('manager').patch(`/articles/${id}`, body);

    it('changes what is sent and nothing else', async () => {
      const brand = await make.brand();
      const before = await make.article({ reference: 'R-1', brand_id: brand.id });
      const { status, body } = await patch(before.id, { name: ' New name ' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, name: 'New name', updated_at: expect.stringMatching(INSTANT) });
      expect(body.updated_at > before.updated_at).toBe(true);
      expect((await get(`/articles/${before.id}`)).body).toEqual(body);
    });

    it('clears with null what may be empty', async () => {
      const given = {
        reference: 'R-2',
        brand_id: (await make.brand()).id,
        category_id: (await make.category()).id,
        amortization_category_id: (await make.amortizationCategory()).id,
      };
      const { id } = await make.article(given);
      const empty = Object.fromEntries(Object.keys(given).map((name) => [name, null]));
      expect((await patch(id, empty)).body).toMatchObject({ ...empty, brand: null, category: null });
    });

    it('refuses null for what must not be empty', async () => {
      const { id } = await make.article();
      expect(refused(await patch(id, { name: null, is_active: null }))).toEqual(['name', 'is_active']);
      expect(refused(await patch(id, { name: ' ' }))).toEqual(['name']);
    });

    it('changes nothing when nothing is sent', async () => {
      const before = await make.article({ is_active: false });
      for (const body of [{}, undefined]) {
        const answer = await patch(before.id, body);
        expect([answer.status, answer.body]).toEqual([200, before]);
      }
    });

    it('refuses fields that it does not know, and leaves the row alone', async () => {
      const before = await make.article();
      const wrong = { id: 1, created_at: null, deleted_at: null, search_text: '', brand: {} };
      expect(refused(await patch(before.id, { name: 'x', ...wrong }))).toEqual(Object.keys(wrong));
      expect((await get(`/articles/${before.id}`)).body).toEqual(before);
    });

    it('looks at the fields before the row', async () => {
      expect(refused(await patch(2147483647, { name: '' }))).toEqual(['name']);
      expect((await patch(2147483647, { name: 'x' })).status).toBe(404);
      expect((await patch(2147483647, {})).status).toBe(404);
    });
  });

  describe('DELETE /articles/{id}', () => {
    const remove = (id: number) => app.as('manager').delete(`/articles/${id}`);

    it('says what it deleted, and the article is gone from every route', async () => {
      const { id, name } = await make.article();
      const answer = await remove(id);
      expect([answer.status, answer.body]).toEqual([200, { id, deleted: true }]);
      expect((await get(`/articles/${id}`)).status).toBe(404);
      expect((await app.as('manager').patch(`/articles/${id}`, { name: 'x' })).status).toBe(404);
      expect((await app.as('manager').patch(`/articles/${id}`, {})).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
      expect(await found(`search=${name}`)).toEqual([]);
      expect((await get(`/articles?search=${name}`)).body.meta.total).toBe(0);
    });

    it('is refused while purchases are of it, saying how many, until they are deleted', async () => {
      const { id } = await make.article();
      const purchases = [await make.purchase({ article_id: id }), await make.purchase({ article_id: id })];
      const answer = await remove(id);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ type: '/problems/in-use', status: 409 });
      expect(answer.body.detail).toMatch(/\b2\b.*is_active/);
      expect((await get(`/articles/${id}`)).status).toBe(200);
      for (const purchase of purchases) await app.as('manager').delete(`/purchases/${purchase.id}`);
      expect((await remove(id)).status).toBe(200);
    });

    it('reliability-20-no-orphans: leaves no purchase behind that is created at the same moment', async () => {
      const outcomes = [];
      for (let round = 0; round < 30; round++) {
        const { id } = await make.article();
        const body = { article_id: id, purchase_date: '2026-01-15' };
        const buy = () => app.as('manager').post('/purchases', body);
        const [bought, removed, bought2] = await Promise.all([buy(), remove(id), buy()]);
        outcomes.push([removed.status, [bought, bought2].some(({ status }) => status === 201)]);
        expect([201, 422]).toEqual(expect.arrayContaining([bought.status, bought2.status]));
      }
      expect(outcomes.filter(([status, isBought]) => status !== (isBought ? 409 : 200))).toEqual([]);
      const orphans = await app.database.query(
        `SELECT p.id FROM purchases p JOIN articles a ON a.id = p.article_id
         WHERE p.deleted_at IS NULL AND a.deleted_at IS NOT NULL`,
      );
      expect(orphans).toEqual([]);
    });

    it('reliability-20-no-orphans: leaves no purchase behind that moves to it at the same moment', async () => {
      const purchase = await make.purchase();
      for (let round = 0; round < 30; round++) {
        const { id } = await make.article();
        const [moved, removed] = await Promise.all([
          app.as('manager').patch(`/purchases/${purchase.id}`, { article_id: id }),
          remove(id),
        ]);
        expect([
          [200, 409],
          [422, 200],
        ]).toContainEqual([moved.status, removed.status]);
      }
    });

    it('takes no body', async () => {
      const { id } = await make.article();
      expect(refused(await app.as('manager').send('DELETE', `/articles/${id}`, { force: true }))).toEqual([
        'force',
      ]);
    });
  });

  it.each([
    '0',
    '-1',
    '2147483648',
    '99999999999999999999',
    'abc',
    '1e3',
    '0x10',
    '1.0',
    '%00',
    '%20',
    '1%2F2',
  ])('has no article %s', async (id) => {
    expect((await get(`/articles/${id}`)).status).toBe(404);
    expect((await app.as('manager').patch(`/articles/${id}`, { name: 'x' })).status).toBe(404);
    expect((await app.as('manager').delete(`/articles/${id}`)).status).toBe(404);
  });

  it('asks everyone for a token, and writers for the right', async () => {
    const { id } = await make.article();
    const writes = [
      ['POST', '/articles'],
      ['PATCH', `/articles/${id}`],
      ['DELETE', `/articles/${id}`],
    ] as const;
    for (const [method, path] of [...writes, ['GET', '/articles'], ['GET', `/articles/${id}`]] as const) {
      expect((await app.anonymous.send(method, path)).status).toBe(401);
    }
    for (const [method, path] of writes) {
      for (const role of ['viewer', 'operator'] as const) {
        expect((await app.as(role).send(method, path, { nope: 1 })).status).toBe(403);
      }
    }
    expect((await get(`/articles/${id}`)).status).toBe(200);
  });
});

describe('list of articles', () => {
  let app: TestApp;
  let make: Factories;
  const get = (path: string) => app.as('viewer').get(path);
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/articles?${query}`)).map((row) => row.name);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
    const names = ['abri', 'Écran', 'écran', 'ecran', 'Zèbre', 'zebre', 'abri', 'abri', '😀', 'Ça'];
    for (const [at, name] of names.entries()) {
      await make.article({
        name,
        reference: [null, 'B-2', 'b-1', 'É', 'B-2'][at % 5],
        is_active: at % 3 > 0,
      });
    }
    // The same instant for several, as an import writes them.
    await app.database.query(
      `UPDATE articles SET created_at = '2026-01-01T00:00:00Z' WHERE name IN ('abri', 'ecran', 'Ça')`,
    );
  });
  afterAll(() => app.stop());

  behavesAsList({
    app: () => app,
    path: '/articles',
    sorts: ['name', 'reference', 'created_at'],
    foreignKeys: ['category_id', 'brand_id', 'amortization_category_id'],
    booleans: ['is_active'],
  });

  it('answers items that equal the details', async () => {
    const brand = await make.brand();
    const article = await make.article({ brand_id: brand.id });
    expect((await get(`/articles?brand_id=${brand.id}`)).body.data).toEqual([article]);
  });

  it('filters by each field, and by all together', async () => {
    const [brand, category] = [await make.brand(), await make.category()];
    const amortization = await make.amortizationCategory();
    const ids = {
      brand_id: brand.id,
      category_id: category.id,
      amortization_category_id: amortization.id,
    };
    for (const [field, id] of Object.entries(ids)) await make.article({ name: `by ${field}`, [field]: id });
    await make.article({ name: 'by all', ...ids, is_active: false });
    for (const [field, id] of Object.entries(ids)) {
      expect(await found(`${field}=${id}`)).toEqual([`by ${field}`, 'by all']);
    }
    const all = new URLSearchParams({ ...ids, is_active: 'false', search: 'ALL' }).toString();
    expect(await found(all)).toEqual(['by all']);
    expect(await found(all.replace('false', 'true'))).toEqual([]);
  });

  it('finds names and references whatever the case and the accents, anywhere', async () => {
    await make.article({ name: 'Garçon Œuvré ÎLE', reference: 'Réf-ß-77' });
    const queries = ['GARCON', 'rçon œ', 'oeuvre', 'île', 'IL', 'E\u0301F-', 'ref-SS-7', 'ß-77', '  uvr  '];
    for (const query of queries) {
      expect(await found(`search=${encodeURIComponent(query)}`)).toContain('Garçon Œuvré ÎLE');
    }
    expect(await found('search=garcon-ile')).toEqual([]);
  });

  it('finds every letter in either case', async () => {
    await make.article({ name: 'ΟΔΟΣΑ ДВЕРЬ ǅ İstanbul' });
    for (const query of ['οδοσα', 'οδος', 'ΟΔΟΣ', 'дверь', 'ǆ', 'istanbul']) {
      expect(await found(`search=${encodeURIComponent(query)}`)).toEqual(['ΟΔΟΣΑ ДВЕРЬ ǅ İstanbul']);
    }
  });

  it.each(['%', '_', '\\', '100%', 'a_b', 'a\\b', "'", '"', '(', '.*', '%%', '\\%'])(
    'takes %s literally',
    async (text) => {
      const name = unique(`literal «${text}»`);
      await make.article({ name });
      await make.article({ name: unique('literal «x»') });
      expect(await found(`search=${encodeURIComponent(`l «${text}»`)}`)).toEqual([name]);
    },
  );

  it('walks names of 255 characters of any kind', async () => {
    const brand = await make.brand();
    const names = ['😀', '"', '\u0001', '漢'].map((text) => text.repeat(253));
    for (const name of names) await make.article({ name: `x${name}y`, brand_id: brand.id });
    const path = `/articles?brand_id=${brand.id}&per_page=1&sort=name`;
    expect(await readByCursor(app.as('viewer'), path)).toHaveLength(4);
  });

  it.each(['id', '-id', 'name', '-name', 'created_at'])(
    'loses and repeats nothing while rows come and go (sort=%s)',
    async (sort) => {
      const category_id = (await make.category()).id;
      const fields = (at: number) => ({ category_id, name: `walk ${at % 4}` });
      const kept: number[] = [];
      const spare: number[] = [];
      for (let at = 0; at < 24; at++) (at % 3 ? kept : spare).push((await make.article(fields(at))).id);
      const rows = await readByCursor(
        app.as('viewer'),
        `/articles?category_id=${category_id}&per_page=3&sort=${sort}`,
        async () => {
          const gone = spare.shift();
          if (gone === undefined) return;
          await app.as('manager').delete(`/articles/${gone}`);
          await make.article({ category_id, name: 'walk 0' });
          await make.article({ category_id, name: 'walk 9' });
        },
      );
      const ids = idsOf(rows);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(kept));
    },
  );
});
