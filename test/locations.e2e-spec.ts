import fc from 'fast-check';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { behavesAsList, factories, idsOf, readByCursor, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MISSING = 2_147_483_647;
const LEVELS = 12;

let app: TestApp;
let make: Factories;
const get = (path: string) => app.as('viewer').get(path);
const post = (body: unknown) => app.as('manager').post('/locations', body);
const patch = (id: number, body?: unknown) => app.as('manager').patch(`/locations/${id}`, body);
const remove = (id: number) => app.as('manager').delete(`/locations/${id}`);
const read = async (id: number) => (await get(`/locations/${id}`)).body;
const pathOf = async (id: number): Promise<string> => (await read(id)).path;

/** Places, each in the one before. */
async function chain(...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await make.location({ name, parent_id: ids.at(-1) ?? null })).id);
  return ids;
}
const levels = (count: number) => chain(...Array.from({ length: count }, (_, n) => `L${n}`));

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());

describe('POST /locations', () => {
  it('creates a place and answers what GET answers', async () => {
    const [site, floor] = (await chain('Siège', '2e étage')) as [number, number];
    const fields = { name: 'Bureau 214', code: 'S-214', parent_id: floor, is_active: false };
    const answer = await post(fields);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      ...fields,
      parent: { id: floor, name: '2e étage' },
      path: 'Siège / 2e étage / Bureau 214',
      depth: 2,
      created_at: expect.stringMatching(INSTANT),
      updated_at: answer.body.created_at,
    });
    expect(answer.headers.get('location')).toBe(`/api/v1/locations/${answer.body.id}`);
    expect(await read(answer.body.id)).toEqual(answer.body);
    expect(await read(site)).toMatchObject({ path: 'Siège', depth: 0, parent_id: null, parent: null });
  });

  it('needs a name only, takes null for the rest, and makes up no code', async () => {
    const empty = { code: null, parent_id: null };
    expect((await post({ name: 'A' })).body).toMatchObject({ name: 'A', ...empty, is_active: true });
    expect((await post({ name: 'A', ...empty })).body).toMatchObject(empty);
  });

  it('accepts two places of one name, also in one place', async () => {
    const { id: parent_id } = await make.location();
    for (let n = 0; n < 2; n++) expect((await post({ name: 'Twin', parent_id })).status).toBe(201);
  });

  it('names every wrong field at once', async () => {
    const wrong = { name: '', code: 'a\u0007b', parent_id: 'x', is_active: null, path: 'x', depth: 1 };
    expect(refused(await post(wrong))).toEqual(expect.arrayContaining(Object.keys(wrong)));
    expect(refused(await post({}))).toEqual(['name']);
    expect(refused(await post({ name: 'x'.repeat(256), code: 'y'.repeat(65) }))).toEqual(['name', 'code']);
  });

  it('knows no parent that is not there or was deleted', async () => {
    const { id } = await make.location();
    await remove(id);
    for (const parent_id of [MISSING, id]) {
      expect(refused(await post({ name: 'x', parent_id }))).toEqual(['parent_id']);
      expect(refused(await patch((await make.location()).id, { parent_id }))).toEqual(['parent_id']);
    }
  });
});

describe('A code', () => {
  const taken = async (code: string) => refused(await post({ name: 'x', code }));

  it('keeps its spelling, and is one whatever the case', async () => {
    expect((await make.location({ code: 'Éa-001' })).code).toBe('Éa-001');
    for (const same of ['ÉA-001', 'éa-001', 'E\u0301A-001']) expect(await taken(same)).toEqual(['code']);
    expect((await post({ name: 'x', code: 'Ea-001' })).status).toBe(201);
  });

  it('is never given to another place, neither after a new one nor after the deletion', async () => {
    const one = await make.location({ code: 'door-1' });
    await patch(one.id, { code: 'door-2' });
    expect([await taken('DOOR-1'), await taken('door-2')]).toEqual([['code'], ['code']]);
    const other = await make.location();
    expect(refused(await patch(other.id, { code: 'door-1' }))).toEqual(['code']);
    expect((await patch(one.id, { code: 'door-1' })).status).toBe(200); // its own
    await patch(one.id, { code: null });
    expect(await taken('door-1')).toEqual(['code']);
    await remove(one.id);
    expect([await taken('door-1'), await taken('door-2')]).toEqual([['code'], ['code']]);
  });

  it('is in a name space of its own', async () => {
    await make.purchase({ code: 'BOTH' });
    expect((await post({ name: 'x', code: 'BOTH' })).status).toBe(201);
  });

  it('is given once when many ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post({ name: 'x', code: n % 2 ? 'race' : 'RACE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(422)]);
  });
});

describe('The tree', () => {
  it('follows with all paths below when a place is renamed or moved', async () => {
    const [site, floor, room] = (await chain('A', 'B', 'C')) as [number, number, number];
    const before = await read(room);
    await patch(site, { name: 'Siège' });
    const renamed = await read(room);
    expect(renamed.path).toBe('Siège / B / C');
    expect(renamed.updated_at > before.updated_at).toBe(true);
    const other = await make.location({ name: 'Annexe' });
    expect((await patch(floor, { parent_id: other.id, name: 'RDC' })).body).toMatchObject({
      path: 'Annexe / RDC',
      depth: 1,
      parent: { id: other.id, name: 'Annexe' },
    });
    expect(await read(room)).toMatchObject({ path: 'Annexe / RDC / C', depth: 2 });
    await patch(floor, { parent_id: null });
    expect(await read(room)).toMatchObject({ path: 'RDC / C', depth: 1 });
  });

  it('has no circle', async () => {
    const ids = await chain('A', 'B', 'C');
    for (const parent_id of ids) expect(refused(await patch(ids[0]!, { parent_id }))).toEqual(['parent_id']);
    expect(refused(await patch(ids[1]!, { parent_id: ids[2] }))).toEqual(['parent_id']);
    expect(await pathOf(ids[2]!)).toBe('A / B / C');
  });

  it(`has ${LEVELS} levels, and no more`, async () => {
    const deepest = (await levels(LEVELS)).at(-1)!;
    expect((await read(deepest)).depth).toBe(LEVELS - 1);
    expect(refused(await post({ name: 'x', parent_id: deepest }))).toEqual(['parent_id']);
    const [top, , bottom] = (await levels(3)) as [number, number, number];
    const host = (await levels(LEVELS - 2)).at(-1)!;
    expect(refused(await patch(top, { parent_id: host }))).toEqual(['parent_id']);
    expect((await read(bottom)).depth).toBe(2);
    await remove(bottom);
    expect((await patch(top, { parent_id: host })).status).toBe(200);
  });

  it('takes names as long as they may be on every level', async () => {
    const ids = await chain(...Array.from({ length: LEVELS }, (_, n) => `${n % 10}${'😀'.repeat(254)}`));
    expect([...(await pathOf(ids.at(-1)!))]).toHaveLength(LEVELS * 255 + (LEVELS - 1) * 3);
    await patch(ids[0]!, { name: 'x'.repeat(255) });
    const found = await readByCursor(app.as('viewer'), `/locations?search=xxxxxx&sort=path&per_page=5`);
    expect(idsOf(found).toSorted()).toEqual(ids.toSorted());
  });

  it('is never in a circle when two moves together would make one', async () => {
    for (let round = 0; round < 15; round++) {
      const [[a, a2], [b, b2]] = [await chain('A', 'A2'), await chain('B', 'B2')] as [number[], number[]];
      const answers = await Promise.all([patch(a!, { parent_id: b2 }), patch(b!, { parent_id: a2 })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
    expect(await wrongRows()).toEqual([]);
  });

  it('is never too deep when two moves together would make it so', async () => {
    for (let round = 0; round < 10; round++) {
      const [top, middle, low] = [await levels(5), await levels(5), await levels(4)];
      const answers = await Promise.all([
        patch(middle[0]!, { parent_id: top.at(-1) }),
        patch(low[0]!, { parent_id: middle.at(-1) }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
    expect(await wrongRows()).toEqual([]);
  });

  it('is right in the end however many write it at once', async () => {
    const ids = [...(await levels(4)), ...(await levels(4)), ...(await levels(4))];
    const one = () => ids[Math.floor(Math.random() * ids.length)]!;
    const writes = Array.from({ length: 45 }, (_, n) =>
      n % 3 === 0
        ? patch(one(), { name: `N${n}` })
        : n % 3 === 1
          ? patch(one(), { parent_id: one() })
          : post({ name: `C${n}`, parent_id: one() }),
    );
    for (const { status } of await Promise.all(writes)) expect([200, 201, 422, 503]).toContain(status);
    expect(await wrongRows()).toEqual([]);
  });

  it('is what its names and parents make it, whatever is done to it', async () => {
    const step = fc.record({
      move: fc.boolean(),
      which: fc.nat({ max: 30 }),
      to: fc.option(fc.nat({ max: 30 })),
      name: fc.constantFrom('A', 'B', 'É', 'a / b'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const tree: { id: number; name: string; parent: number | null }[] = [];
        const line = (at: number | null): number[] => (at === null ? [] : [...line(tree[at]!.parent), at]);
        for (const { move, which, to, name } of steps) {
          const parent = to === null || tree.length === 0 ? null : to % tree.length;
          const parent_id = parent === null ? null : tree[parent]!.id;
          if (!move || tree.length === 0) {
            tree.push({ id: (await make.location({ name, parent_id })).id, name, parent });
            continue;
          }
          const at = which % tree.length;
          const { status } = await patch(tree[at]!.id, { name, parent_id });
          expect(status).toBe(line(parent).includes(at) ? 422 : 200);
          if (status === 200) Object.assign(tree[at]!, { name, parent });
        }
        for (const [at, { id }] of tree.entries()) {
          const names = line(at).map((one) => tree[one]!.name);
          expect(await read(id)).toMatchObject({ path: names.join(' / '), depth: names.length - 1 });
        }
      }),
      { numRuns: 8 },
    );
  });

  /** Places whose path or lineage is not what the names and parents of the table make it. */
  function wrongRows() {
    return app.database.query(`
      WITH RECURSIVE tree AS (
        SELECT id, name::text AS path, ARRAY[id] AS lineage FROM locations WHERE parent_id IS NULL
        UNION ALL
        SELECT l.id, t.path || ' / ' || l.name, t.lineage || l.id FROM locations l JOIN tree t ON l.parent_id = t.id)
      SELECT l.id FROM locations l LEFT JOIN tree t ON t.id = l.id
      WHERE (t.path, t.lineage) IS DISTINCT FROM (l.path, l.lineage)
        OR cardinality(l.lineage) > ${LEVELS} AND l.deleted_at IS NULL`);
  }

  it('is held by the database too, when many rows are written at once', async () => {
    const { query } = app.database;
    const ids = await chain('A', 'B', 'C');
    const [a, b, c] = ids as [number, number, number];
    await query(`UPDATE locations SET name = name || '!' WHERE id = ANY ($1)`, [ids]);
    expect(await pathOf(c)).toBe('A! / B! / C!');
    const turned = query(
      `UPDATE locations SET parent_id = CASE id WHEN $1 THEN $2 WHEN $2 THEN $3 ELSE $1 END WHERE id = ANY ($4)`,
      [a, b, c, ids],
    );
    await expect(turned).rejects.toThrow('in itself or below');
    await expect(query(`UPDATE locations SET parent_id = id WHERE id = $1`, [a])).rejects.toThrow('itself');
    await query(
      `INSERT INTO locations (id, parent_id, name) VALUES (1000002, 1000001, 'low'), (1000001, NULL, 'high')`,
    );
    expect(await pathOf(1_000_002)).toBe('high / low');
    expect(await wrongRows()).toEqual([]);
  });
});

describe('PATCH /locations/{id}', () => {
  it('changes what is sent and nothing else', async () => {
    const before = await make.location({ code: 'P-1' });
    const { status, body } = await patch(before.id, { is_active: false });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, is_active: false, updated_at: expect.stringMatching(INSTANT) });
    for (const nothing of [{}, undefined]) expect((await patch(before.id, nothing)).body).toEqual(body);
  });

  it('refuses what it does not know, and a place that is not there', async () => {
    const { id } = await make.location();
    expect(refused(await patch(id, { path: 'x', lineage: [], depth: 0 }))).toEqual([
      'path',
      'lineage',
      'depth',
    ]);
    expect(refused(await patch(id, { name: null }))).toEqual(['name']);
    expect((await patch(MISSING, { name: 'x' })).status).toBe(404);
  });
});

describe('DELETE /locations/{id}', () => {
  it('says what it deleted, and the place is gone from every route', async () => {
    const { id, name } = await make.location({ code: 'gone' });
    expect((await remove(id)).body).toEqual({ id, deleted: true });
    expect((await get(`/locations/${id}`)).status).toBe(404);
    expect((await patch(id, { name: 'x' })).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await get(`/locations?search=${name}&code=gone`)).body.data).toEqual([]);
  });

  it('is refused while places are below it or purchases there, saying how many', async () => {
    const [site, room] = (await chain('A', 'B')) as [number, number];
    const bought = [await make.purchase({ location_id: site }), await make.purchase({ location_id: site })];
    const answer = await remove(site);
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/in-use']);
    expect(answer.body.detail).toMatch(/\b1\b.*\b2\b.*is_active/);
    expect((await remove(room)).status).toBe(200);
    await app.as('manager').delete(`/purchases/${bought[0].id}`);
    expect((await remove(site)).body.detail).toMatch(/\b0\b.*\b1\b/);
    await app.as('manager').patch(`/purchases/${bought[1].id}`, { location_id: null });
    expect((await remove(site)).status).toBe(200);
  });

  it('never leaves a place or a purchase in one that is gone', async () => {
    const article_id = (await make.article()).id;
    for (let round = 0; round < 15; round++) {
      const { id } = await make.location();
      const buy = () =>
        app.as('manager').post('/purchases', { article_id, location_id: id, purchase_date: '2026-01-15' });
      const [bought, removed, below] = await Promise.all([
        buy(),
        remove(id),
        post({ name: 'x', parent_id: id }),
      ]);
      const isUsed = [bought, below].some(({ status }) => status === 201);
      expect([bought.status, below.status, removed.status]).toEqual(
        isUsed ? [expect.any(Number), expect.any(Number), 409] : [422, 422, 200],
      );
    }
    const orphans = await app.database.query(
      `SELECT FROM purchases p JOIN locations l ON l.id = p.location_id WHERE p.deleted_at IS NULL AND l.deleted_at IS NOT NULL
       UNION ALL
       SELECT FROM locations c JOIN locations l ON l.id = c.parent_id WHERE c.deleted_at IS NULL AND l.deleted_at IS NOT NULL`,
    );
    expect(orphans).toEqual([]);
  });
});

describe('The place of a purchase', () => {
  const purchase = async (id: number) => (await get(`/purchases/${id}`)).body;

  it('is in every answer, and null where there is none', async () => {
    const [, room] = (await chain('Siège', 'Bureau 1')) as [number, number];
    const bought = await make.purchase({ location_id: room });
    const location = { id: room, name: 'Bureau 1', path: 'Siège / Bureau 1' };
    expect(bought).toMatchObject({ location_id: room, location });
    const list = await get(`/purchases?location_id=${room}`);
    const { net_book_value: _, ...row } = bought; // which lists do not tell
    expect([list.body.data, (await get(`/scan/${bought.code}`)).body]).toEqual([[row], bought]);
    const nowhere = await app.as('manager').patch(`/purchases/${bought.id}`, { location_id: null });
    expect(nowhere.body).toMatchObject({ location_id: null, location: null });
    expect(await make.purchase()).toMatchObject({ location_id: null, location: null });
    expect(await purchase(bought.id)).toEqual(nowhere.body);
  });

  it('must be there', async () => {
    const { id } = await make.location();
    await remove(id);
    const bought = await make.purchase();
    for (const location_id of [MISSING, id, 'x', 0])
      expect(refused(await app.as('manager').patch(`/purchases/${bought.id}`, { location_id }))).toEqual([
        'location_id',
      ]);
  });

  it('filters with what lies below, in every list of purchases', async () => {
    const { body: session } = await app
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
    const [site, floor, room] = (await chain('A', 'B', 'C')) as [number, number, number];
    const bought: number[] = [];
    for (const location_id of [site, floor, room])
      bought.push((await make.purchase({ location_id })).id as number);
    for (const list of ['/purchases', `/inventories/${session.id}/unscanned`]) {
      const found = async (id: number) => idsOf((await get(`${list}?location_id=${id}`)).body.data);
      expect([await found(site), await found(floor), await found(room), await found(MISSING)]).toEqual([
        bought,
        bought.slice(1),
        bought.slice(2),
        [],
      ]);
      expect(refused(await get(`${list}?location_id=0`))).toEqual(['location_id']);
    }
    await patch(floor, { parent_id: null });
    expect(idsOf((await get(`/purchases?location_id=${site}`)).body.data)).toEqual(bought.slice(0, 1));
    expect(idsOf((await get(`/purchases?location_id=${floor}`)).body.data)).toEqual(bought.slice(1));
  });
});

it('asks everyone for a token, and writers for the right', async () => {
  const before = await make.location();
  const one = `/locations/${before.id}`;
  const writes = [['POST', '/locations'], ['PATCH', one], ['DELETE', one]] as const; // prettier-ignore
  for (const [method, path] of [...writes, ['GET', '/locations'], ['GET', one]] as const)
    expect((await app.anonymous.send(method, path)).status).toBe(401);
  for (const [method, path] of writes) {
    for (const role of ['viewer', 'operator'] as const)
      expect((await app.as(role).send(method, path, { nope: 1 })).status).toBe(403);
  }
  expect(await read(before.id)).toEqual(before);
});

describe('List of places', () => {
  beforeAll(async () => {
    await app.stop();
    app = await startApp();
    make = factories(app);
    for (const name of ['b', 'Écran', 'écran', 'a', 'A', 'Z']) {
      const { id } = await make.location({ name, is_active: name < 'a' });
      await make.location({ name: 'a', parent_id: id, is_active: name < 'a' });
    }
  });
  const found = async (query: string) =>
    (await readByCursor(app.as('viewer'), `/locations?${query}`)).map((row) => row.path);

  behavesAsList({
    app: () => app,
    path: '/locations',
    sorts: ['name', 'path'],
    foreignKeys: ['parent_id'],
    booleans: ['is_active'],
  });

  it('finds names, codes and paths whatever the case and the accents, anywhere', async () => {
    const site = await make.location({ name: 'Siège Œuvre' });
    await make.location({ name: 'Bureau 214', code: 'BX_214', parent_id: site.id });
    for (const text of ['SIEGE', 'œuvre / bureau 2', 'bx_2', 'oeuvre'])
      expect(await found(`search=${encodeURIComponent(text)}&sort=-path`)).toContain(
        'Siège Œuvre / Bureau 214',
      );
    for (const text of ['bx%', 'bureau / siege'])
      expect(await found(`search=${encodeURIComponent(text)}`)).toEqual([]);
    expect([await found('code=bx_214'), await found('code=bx')]).toEqual([['Siège Œuvre / Bureau 214'], []]);
    expect(await found(`parent_id=${site.id}`)).toEqual(['Siège Œuvre / Bureau 214']);
    expect(await found('depth=0&search=oeuvre')).toEqual(['Siège Œuvre']);
    expect(refused(await get(`/locations?depth=${LEVELS}`))).toEqual(['depth']);
  });
});
