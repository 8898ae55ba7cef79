/* eslint-disable @typescript-eslint/no-explicit-any -- rows are asserted, not typed */
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer } from './support/client.js';
import { factories, idsOf, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';

let app: TestApp;
let make: Factories;
beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());

const manager = () => app.as('manager');
const post = (path: string, body?: object) => manager().post(path, body);
const remove = (path: string) => manager().delete(path);
const deleted = async (path: string, query = ''): Promise<number[]> =>
  idsOf((await manager().get(`${path}?deleted=true&per_page=200${query}`)).body.data);

const KINDS = [
  { path: '/brands', of: 'brand_id', fields: {} },
  { path: '/categories', of: 'category_id', fields: {} },
  {
    path: '/amortization-categories',
    of: 'amortization_category_id',
    fields: { method: 'linear', duration_years: 3 },
  },
];

describe.each(KINDS)('reference data by hand: $path', ({ path, of, fields }) => {
  const create = async (name = unique('Reference')): Promise<any> => {
    const answer = await post(path, { name, ...fields });
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('is created, changed and deleted, and found meanwhile', async () => {
    const answer = await post(path, { name: '  Œuvres & Cie ', ...fields });
    expect([answer.status, answer.body.name]).toEqual([201, 'Œuvres & Cie']);
    const one = `${path}/${answer.body.id}`;
    expect(answer.headers.get('location')).toBe(`/api/v1${one}`);
    expect((await app.as('viewer').get(one)).body).toEqual(answer.body);
    const changed = await manager().patch(one, { name: 'Oeuvres' });
    expect(changed.body).toMatchObject({ id: answer.body.id, name: 'Oeuvres' });
    const gone = await remove(one);
    expect([gone.status, gone.body]).toEqual([200, { id: answer.body.id, deleted: true }]);
    for (const after of [await app.as('viewer').get(one), await manager().patch(one, {}), await remove(one)])
      expect(after.status).toBe(404);
  });

  it('has names that are there once, however they are written, until they are deleted', async () => {
    const { id } = await create('Café du Port');
    const other = await create();
    for (const name of ['Café du Port', 'CAFÉ  DU\u00a0PORT', 'Cafe\u0301 du port']) {
      expect(refused(await post(path, { name, ...fields }))).toEqual(['name']);
      expect(refused(await manager().patch(`${path}/${other.id}`, { name }))).toEqual(['name']);
    }
    expect((await manager().patch(`${path}/${id}`, { name: 'CAFÉ DU PORT' })).status).toBe(200);
    for (const name of ['', null, 'x'.repeat(256), 'a\u200bb', 1])
      expect(refused(await post(path, { name, ...fields }))).toEqual(['name']);
    await remove(`${path}/${id}`);
    const again = await create('café du port');
    expect(refused(await post(`${path}/${id}/restore`))).toEqual(['name']);
    await manager().patch(`${path}/${again.id}`, { name: unique('Another') });
    const restored = await post(`${path}/${id}/restore`);
    expect([restored.status, restored.body.name]).toEqual([200, 'CAFÉ DU PORT']);
  });

  it('is not deleted while articles are of it, saying how many; nor named by new ones afterwards', async () => {
    const { id } = await create();
    const articles = [await make.article({ [of]: id }), await make.article({ [of]: id })];
    const answer = await remove(`${path}/${id}`);
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/in-use']);
    expect(answer.body.detail).toBe('Articles that use it: 2.');
    await remove(`/articles/${articles[0].id}`);
    expect((await remove(`${path}/${id}`)).body.detail).toMatch(/\b1\b/);
    await manager().patch(`/articles/${articles[1].id}`, { [of]: null });
    expect((await remove(`${path}/${id}`)).status).toBe(200);
    expect(refused(await post('/articles', { name: 'x', [of]: id }))).toEqual([of]);
    const kept = await post(`/articles/${articles[0].id}/restore`);
    expect([kept.status, kept.body.type]).toEqual([409, '/problems/refers-to-deleted']);
    expect(kept.body.detail).toContain(`${of} ${id}`);
    await post(`${path}/${id}/restore`);
    const restored = await post(`/articles/${articles[0].id}/restore`);
    expect([restored.status, restored.body[of]]).toEqual([200, id]);
  });

  it('never leaves an article of what is deleted at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create();
      const [made, removed] = await Promise.all([
        post('/articles', { name: 'A', [of]: id }),
        remove(`${path}/${id}`),
      ]);
      expect([made.status, removed.status]).toEqual(made.status === 201 ? [201, 409] : [422, 200]);
    }
  });
});

describe('reference data by hand', () => {
  it('categories of a session are in use', async () => {
    const { id } = await make.category();
    const session = { year: 2026, inventory_date: '2026-11-16', category_ids: [id] };
    const { body } = await post('/inventories', session);
    const answer = await remove(`/categories/${id}`);
    expect([answer.status, answer.body.detail]).toEqual([409, 'Inventory sessions of it: 1.']);
    const article = await make.article({ category_id: id });
    const both = await remove(`/categories/${id}`);
    expect(both.body.detail).toBe('Articles that use it: 1; inventory sessions of it: 1.');
    await remove(`/articles/${article.id}`);
    await remove(`/inventories/${body.id}`);
    expect((await remove(`/categories/${id}`)).status).toBe(200);
    expect(refused(await post('/inventories', session))).toEqual(['category_ids']);
  });

  it('a declining category has a coefficient, the usual one unless it is given; a linear one none', async () => {
    const make = (fields: object) =>
      post('/amortization-categories', { name: unique('A'), method: 'declining', ...fields });
    for (const [duration_years, usual] of [
      [3, 1.25],
      [4, 1.25],
      [5, 1.75],
      [6, 1.75],
      [7, 2.25],
    ] as const)
      // prettier-ignore
      expect((await make({ duration_years })).body.declining_coefficient).toBe(usual);
    expect(refused(await make({ duration_years: 2 }))).toEqual(['declining_coefficient']);
    expect((await make({ duration_years: 2, declining_coefficient: 1.1 })).status).toBe(201);
    for (const declining_coefficient of [0, -1, 100, 1.234, '2'])
      expect(refused(await make({ duration_years: 5, declining_coefficient }))).toEqual([
        'declining_coefficient',
      ]);
    const linear = { method: 'linear', duration_years: 5 };
    expect(refused(await make({ ...linear, declining_coefficient: 1.25 }))).toEqual([
      'declining_coefficient',
    ]);
    const { id } = (await make({ duration_years: 5, declining_coefficient: 2 })).body;
    const patch = (fields: object) => manager().patch(`/amortization-categories/${id}`, fields);
    expect((await patch({ name: unique('A') })).body.declining_coefficient).toBe(2);
    expect((await patch({ duration_years: 8 })).body.declining_coefficient).toBe(2);
    expect((await patch({ duration_years: 5 })).body.declining_coefficient).toBe(2);
    expect((await patch({ method: 'linear' })).body.declining_coefficient).toBeNull();
    expect(refused(await patch({ declining_coefficient: 2 }))).toEqual(['declining_coefficient']);
    expect((await patch({ method: 'declining' })).body.declining_coefficient).toBe(1.75);
    expect((await patch({ declining_coefficient: null })).body.declining_coefficient).toBe(1.75);
    expect((await patch({ duration_years: 3 })).body.declining_coefficient).toBe(1.25);
    expect(refused(await patch({ duration_years: 2 }))).toEqual(['declining_coefficient']);
    expect((await patch({ duration_years: 8, name: unique('A') })).body.declining_coefficient).toBe(2.25);
  });
});

const RESTORABLES = [
  { path: '/articles', create: () => make.article() },
  { path: '/suppliers', create: () => make.supplier() },
  { path: '/purchases', create: () => make.purchase() },
  { path: '/locations', create: () => make.location() },
  { path: '/brands', create: () => make.brand() },
];

describe.each(RESTORABLES)('taking a deletion of $path back', ({ path, create }) => {
  it('brings back what was, once', async () => {
    const { id } = await create();
    const one = `${path}/${id}`;
    const before = (await manager().get(one)).body;
    await remove(one);
    const restored = await post(`${one}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toEqual({ ...before, updated_at: expect.any(String) });
    expect(restored.headers.get('etag')).toBe((await manager().get(one)).headers.get('etag'));
    expect((await post(`${one}/restore`)).body).toEqual(restored.body);
    expect((await post(`${path}/2147483647/restore`)).status).toBe(404);
    const { data } = (await app.as('admin').get(`/audit?resource_id=${id}&per_page=2`)).body;
    expect(data.map(({ action }: any) => action.split('.')[1])).toEqual(['restore', 'delete']);
  });

  it('lists what is deleted, and nothing else, to who may delete', async () => {
    const [live, gone] = [await create(), await create()];
    await remove(`${path}/${gone.id}`);
    const ids = await deleted(path);
    expect(ids).toContain(gone.id);
    expect(ids).not.toContain(live.id);
    for (const value of ['true', '1', 'x', 'true&deleted=true']) {
      const answer = await app.as('viewer').get(`${path}?deleted=${value}`);
      expect([answer.status, answer.body.type]).toEqual([403, '/problems/forbidden']);
    }
    expect(refused(await manager().get(`${path}?deleted=x`))).toEqual(['deleted']);
    for (const value of ['false', '0']) {
      const { status, body } = await app.as('viewer').get(`${path}?deleted=${value}&sort=-id&per_page=1`);
      expect([status, idsOf(body.data)]).toEqual([200, [live.id]]);
    }
    const since = '&updated_since=2000-01-01T00:00:00Z';
    expect(refused(await manager().get(`${path}?deleted=true${since}`))).toEqual(['deleted']);
    await post(`${path}/${gone.id}/restore`);
    expect(await deleted(path)).not.toContain(gone.id);
  });

  it('tells phones of it', async () => {
    const { id } = await create();
    await remove(`${path}/${id}`);
    const { synced_until } = (await manager().get(`${path}?updated_since=2100-01-01T00:00:00Z`)).body.meta;
    await post(`${path}/${id}/restore`);
    const { data } = (await manager().get(`${path}?updated_since=${synced_until}`)).body;
    expect(idsOf(data)).toContain(id);
  });
});

describe('taking the deletion of a purchase back', () => {
  const progress = async (id: number) => (await manager().get(`/inventories/${id}`)).body.progress;
  const session = async (scope: object = {}) =>
    (await post('/inventories', { year: 2026, inventory_date: '2026-11-16', ...scope })).body.id as number;
  const detail = ({ status, body }: Answer) => [status, body.type, body.detail];

  it('joins the open sessions of its scope, and its code is found again', async () => {
    const place = await make.location();
    const purchase = await make.purchase({ location_id: place.id });
    const [here, all] = [await session({ location_ids: [place.id] }), await session()];
    const elsewhere = await session({ location_ids: [(await make.location()).id] });
    const before = await progress(all);
    expect((await progress(here)).total).toBe(1);
    await remove(`/purchases/${purchase.id}`);
    expect([(await progress(here)).total, (await progress(all)).total]).toEqual([0, before.total - 1]);
    expect((await manager().get(`/scan/${purchase.code}`)).status).toBe(404);
    const closed = await session({ location_ids: [place.id] });
    await post(`/inventories/${closed}/close`);

    await post(`/purchases/${purchase.id}/restore`);
    expect([(await progress(here)).total, (await progress(all)).total]).toEqual([1, before.total]);
    expect([(await progress(elsewhere)).total, (await progress(closed)).total]).toEqual([0, 0]);
    expect((await manager().get(`/scan/${purchase.code}`)).body.id).toBe(purchase.id);
    const scanned = await manager().post(`/inventories/${here}/scan`, { code: purchase.code });
    expect(scanned.body.status).toBe('success');
    // What was scanned never left: it comes back once.
    await remove(`/purchases/${purchase.id}`);
    await post(`/purchases/${purchase.id}/restore`);
    expect(await progress(here)).toEqual({ scanned: 1, total: 1, percentage: 100 });
  });

  it('waits for what it refers to, saying for what', async () => {
    const [article, supplier, place] = [await make.article(), await make.supplier(), await make.location()];
    const purchase = await make.purchase({
      article_id: article.id,
      supplier_id: supplier.id,
      location_id: place.id,
    });
    await remove(`/purchases/${purchase.id}`);
    for (const path of [`/articles/${article.id}`, `/suppliers/${supplier.id}`, `/locations/${place.id}`])
      expect((await remove(path)).status).toBe(200);
    const restore = () => post(`/purchases/${purchase.id}/restore`);
    const named = `article_id ${article.id}, supplier_id ${supplier.id}, location_id ${place.id}`;
    expect(detail(await restore())).toEqual([
      409,
      '/problems/refers-to-deleted',
      expect.stringContaining(named),
    ]);
    for (const path of [`/articles/${article.id}`, `/suppliers/${supplier.id}`])
      await post(`${path}/restore`);
    expect((await restore()).body.detail).toContain(`: location_id ${place.id}.`);
    await post(`/locations/${place.id}/restore`);
    expect((await restore()).status).toBe(200);
  });

  it('a place waits for the one above it, and keeps to twelve levels', async () => {
    const above = await make.location();
    const below = await make.location({ parent_id: above.id });
    await remove(`/locations/${below.id}`);
    await remove(`/locations/${above.id}`);
    expect((await post(`/locations/${below.id}/restore`)).status).toBe(409);
    await post(`/locations/${above.id}/restore`);
    await manager().patch(`/locations/${above.id}`, { name: 'Siège' });
    const { status, body } = await post(`/locations/${below.id}/restore`);
    expect([status, body.path]).toEqual([200, `Siège / ${below.name}`]);
    await remove(`/locations/${below.id}`);
    let parent_id: number | null = null;
    for (let level = 0; level < 11; level++) parent_id = (await make.location({ parent_id })).id;
    expect((await manager().patch(`/locations/${above.id}`, { parent_id })).status).toBe(200);
    expect(refused(await post(`/locations/${below.id}/restore`))).toEqual(['parent_id']);
  });
});
