import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, readByCursor, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('suppliers', () => {
  let app: TestApp;
  let make: Factories;
  const get = (path: string) => app.as('viewer').get(path);
  const post = (body: unknown) => app.as('manager').post('/suppliers', body);
  const patch = (id: number, body?: unknown) => app.as('manager').patch(`/suppliers/${id}`, body);
  const remove = (id: number) => app.as('manager').delete(`/suppliers/${id}`);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
  });
  afterAll(() => app.stop());

  describe('POST /suppliers', () => {
    it('creates a supplier and answers what GET answers', async () => {
      const fields = {
        name: 'Ty Réseau',
        reference: 'F0004',
        email: 'accueil@tyreseau.example',
        phone: '02 61 91 79 32',
        address: '105 avenue du Général-de-Gaulle\n29100 Douarnenez',
        is_active: false,
      };
      const answer = await post(fields);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        ...fields,
        created_at: expect.stringMatching(INSTANT),
        updated_at: answer.body.created_at,
      });
      expect(answer.headers.get('location')).toBe(`/api/v1/suppliers/${answer.body.id}`);
      expect((await get(`/suppliers/${answer.body.id}`)).body).toEqual(answer.body);
    });

    it('needs a name only, and takes null for the rest', async () => {
      const empty = { reference: null, email: null, phone: null, address: null };
      expect((await post({ name: 'A' })).body).toMatchObject({ name: 'A', ...empty, is_active: true });
      expect((await post({ name: 'A', ...empty })).body).toMatchObject(empty);
    });

    it('accepts two suppliers that are alike', async () => {
      const twin = { name: 'Twin', reference: 'TW-1', email: 'twin@x.example' };
      expect([(await post(twin)).status, (await post(twin)).status]).toEqual([201, 201]);
    });

    it('names every wrong field at once', async () => {
      const wrong = { name: '', reference: 1, email: 'x', phone: [], address: {}, is_active: null, id: 1 };
      expect(refused(await post(wrong))).toEqual(expect.arrayContaining(Object.keys(wrong)));
      for (const body of [{}, undefined]) expect(refused(await post(body))).toEqual(['name']);
    });
  });

  describe.each([
    ['name', 255],
    ['reference', 100],
    ['phone', 50],
    ['address', 500],
  ])('%s', (field, max) => {
    const send = (value: unknown) => post({ name: 'Bounds', [field]: value });

    it('is trimmed and kept as it is, up to its length in code points', async () => {
      for (const text of ['x'.repeat(max), '😀'.repeat(max), 'e\u0301', '<b>&amp;', `'";--`]) {
        expect((await send(`\u00a0 ${text}\n`)).body[field]).toBe(text);
      }
    });

    it('is refused when it is no text, too long, or holds NUL or a lone surrogate', async () => {
      const { id } = await make.supplier();
      const wrong = [1, true, [], {}, ['x'], 'a\0b', 'a\ud800', 'x'.repeat(max + 1), '😀'.repeat(max + 1)];
      for (const value of wrong) {
        expect(refused(await send(value))).toEqual([field]);
        expect(refused(await patch(id, { [field]: value }))).toEqual([field]);
      }
    });
  });

  it('must have a name, and may do without the rest', async () => {
    const fields = { reference: 'R', email: 'a@b.example', phone: '1', address: 'A' };
    for (const empty of ['', ' \t', null]) {
      expect(refused(await post({ name: empty }))).toEqual(['name']);
      const { id } = await make.supplier(fields);
      for (const field of Object.keys(fields)) {
        expect((await post({ name: 'x', [field]: empty })).body[field]).toBeNull();
        expect((await patch(id, { [field]: empty })).body[field]).toBeNull();
      }
      expect(refused(await patch(id, { name: empty }))).toEqual(['name']);
    }
  });

  it('has an e-mail address that is one', async () => {
    const longest = `${'a'.repeat(60)}@${['b', 'c', 'd'].map((text) => text.repeat(60)).join('.')}.example`;
    for (const email of ['a@b.example', 'a+b.c@sub.b.example', "o'neil@b.example", longest]) {
      expect((await post({ name: 'x', email: ` ${email} ` })).body.email).toBe(email);
    }
    const long = `a@${'b'.repeat(60)}.${'c'.repeat(250)}.example`;
    for (const email of [
      'x',
      '@b.example',
      'a@',
      'a b@c.example',
      'a@b.example,c@d.example',
      long,
      1,
      [],
      true,
    ]) {
      expect(refused(await post({ name: 'x', email }))).toEqual(['email']);
    }
  });

  it('takes true and false for is_active, and nothing else', async () => {
    const { id } = await make.supplier();
    for (const value of [null, 0, 1, 'true', '', []]) {
      expect(refused(await post({ name: 'x', is_active: value }))).toEqual(['is_active']);
      expect(refused(await patch(id, { is_active: value }))).toEqual(['is_active']);
    }
    expect((await patch(id, { is_active: false })).body.is_active).toBe(false);
  });

  describe('PATCH /suppliers/{id}', () => {
    it('changes what is sent and nothing else', async () => {
      const before = await make.supplier({ reference: 'R-1', email: 'a@b.example', phone: '1' });
      const { status, body } = await patch(before.id, { phone: ' 2 ' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, phone: '2', updated_at: expect.stringMatching(INSTANT) });
      expect(body.updated_at > before.updated_at).toBe(true);
      expect((await get(`/suppliers/${before.id}`)).body).toEqual(body);
    });

    it('changes nothing when nothing is sent', async () => {
      const before = await make.supplier({ is_active: false });
      for (const body of [{}, undefined]) {
        const answer = await patch(before.id, body);
        expect([answer.status, answer.body]).toEqual([200, before]);
      }
    });

    it('refuses fields that it does not know, and leaves the row alone', async () => {
      const before = await make.supplier();
      const wrong = { id: 1, created_at: null, deleted_at: null, search_text: '' };
      expect(refused(await patch(before.id, { name: 'x', ...wrong }))).toEqual(Object.keys(wrong));
      expect((await get(`/suppliers/${before.id}`)).body).toEqual(before);
    });

    it('looks at the fields before the row', async () => {
      expect(refused(await patch(2147483647, { name: '' }))).toEqual(['name']);
      expect((await patch(2147483647, { name: 'x' })).status).toBe(404);
      expect((await patch(2147483647, {})).status).toBe(404);
    });
  });

  describe('DELETE /suppliers/{id}', () => {
    it('says what it deleted, and the supplier is gone from every route', async () => {
      const { id, name } = await make.supplier();
      const answer = await remove(id);
      expect([answer.status, answer.body]).toEqual([200, { id, deleted: true }]);
      expect((await get(`/suppliers/${id}`)).status).toBe(404);
      expect((await patch(id, { name: 'x' })).status).toBe(404);
      expect((await patch(id, {})).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
      expect((await get(`/suppliers?search=${name}`)).body).toMatchObject({ data: [], meta: { total: 0 } });
    });

    it('is refused while purchases are from it, saying how many, until they name another', async () => {
      const { id } = await make.supplier();
      const purchases = [];
      for (let at = 0; at < 3; at++) purchases.push(await make.purchase({ supplier_id: id }));
      const answer = await remove(id);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ type: '/problems/in-use', status: 409 });
      expect(answer.body.detail).toMatch(/\b3\b.*is_active/);
      await app.as('manager').patch(`/purchases/${purchases[0].id}`, { supplier_id: null });
      await app.as('manager').delete(`/purchases/${purchases[1].id}`);
      expect((await remove(id)).body.detail).toMatch(/\b1\b/);
      await app
        .as('manager')
        .patch(`/purchases/${purchases[2].id}`, { supplier_id: (await make.supplier()).id });
      expect((await remove(id)).status).toBe(200);
    });

    it('never makes an orphan of a purchase that is created at the same moment', async () => {
      const article_id = (await make.article()).id;
      const outcomes = [];
      for (let round = 0; round < 30; round++) {
        const { id } = await make.supplier();
        const body = { article_id, supplier_id: id, purchase_date: '2026-01-15' };
        const buy = () => app.as('manager').post('/purchases', body);
        const [bought, removed, again] = await Promise.all([buy(), remove(id), buy()]);
        expect([201, 422]).toEqual(expect.arrayContaining([bought.status, again.status]));
        outcomes.push([removed.status, [bought, again].some(({ status }) => status === 201)]);
      }
      expect(outcomes.filter(([status, isBought]) => status !== (isBought ? 409 : 200))).toEqual([]);
      const orphans = await app.database.query(
        `SELECT p.id FROM purchases p JOIN suppliers s ON s.id = p.supplier_id
         WHERE p.deleted_at IS NULL AND s.deleted_at IS NOT NULL`,
      );
      expect(orphans).toEqual([]);
    });
  });

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1e3', '0x10', '1.0', '%00', '%20'])(
    'has no supplier %s',
    async (id) => {
      expect((await get(`/suppliers/${id}`)).status).toBe(404);
      expect((await app.as('manager').patch(`/suppliers/${id}`, { name: 'x' })).status).toBe(404);
      expect((await app.as('manager').delete(`/suppliers/${id}`)).status).toBe(404);
    },
  );

  it('asks everyone for a token, and writers for the right', async () => {
    const before = await make.supplier();
    const one = `/suppliers/${before.id}`;
    const writes = [['POST', '/suppliers'], ['PATCH', one], ['DELETE', one]] as const; // prettier-ignore
    for (const [method, path] of [...writes, ['GET', '/suppliers'], ['GET', one]] as const) {
      expect((await app.anonymous.send(method, path)).status).toBe(401);
    }
    for (const [method, path] of writes) {
      for (const role of ['viewer', 'operator'] as const) {
        expect((await app.as(role).send(method, path, { nope: 1 })).status).toBe(403);
      }
    }
    expect((await get(one)).body).toEqual(before);
  });
});

describe('list of suppliers', () => {
  let app: TestApp;
  let make: Factories;
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/suppliers?${query}`)).map((row) => row.name);

  beforeAll(async () => {
    app = await startApp();
    make = factories(app);
    for (const [at, name] of ['b', 'Écran', 'écran', 'a', 'A', 'Z', 'a', '10', '9'].entries()) {
      await make.supplier({ name, is_active: at % 3 > 0 });
    }
    await app.database.query(`UPDATE suppliers SET created_at = '2026-01-01' WHERE name IN ('a', 'b', 'Z')`);
  });
  afterAll(() => app.stop());

  behavesAsList({
    app: () => app,
    path: '/suppliers',
    sorts: ['name', 'created_at'],
    booleans: ['is_active'],
  });

  it('answers items that equal the details', async () => {
    const supplier = await make.supplier({ name: 'Item', email: 'a@b.example' });
    expect((await app.as('viewer').get('/suppliers?search=item')).body.data).toEqual([supplier]);
  });

  it('finds names and references whatever the case and the accents, anywhere', async () => {
    await make.supplier({ name: 'Société Œuvre', reference: 'FÉ_0%4\\', email: 'not@searched.example' });
    for (const text of ['SOCIETE', 'té œ', 'oeuvre', 'fe_0', '_0%', '%4\\', 'É_']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual(['Société Œuvre']);
    }
    for (const text of ['fex0', '0%%4', 'searched', 'e_u']) {
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual([]);
    }
    expect(await found('search=oeuvre&is_active=false')).toEqual([]);
    expect(await found('search=oeuvre&is_active=1')).toEqual(['Société Œuvre']);
  });

  it('loses and repeats nothing while rows come and go', async () => {
    const kept: number[] = [];
    const spare: number[] = [];
    for (let at = 0; at < 20; at++) {
      (at % 2 ? kept : spare).push((await make.supplier({ name: `walk ${at % 3}` })).id);
    }
    const rows = await readByCursor(
      app.as('viewer'),
      '/suppliers?search=walk&sort=name&per_page=3',
      async () => {
        const gone = spare.pop();
        if (gone === undefined) return;
        await app.as('manager').delete(`/suppliers/${gone}`);
        await make.supplier({ name: 'walk 1' });
      },
    );
    const ids = idsOf(rows);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(kept));
  });
});
