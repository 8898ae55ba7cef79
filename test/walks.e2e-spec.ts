import type { JsonRow } from '../src/database/json-row.js';
import { Sql } from '../src/database/sql.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { factories, idsOf, readByCursor, readByPage, refused, withQuery } from './support/factories.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

/** More than four pages of fifty, and more than one of two hundred. */
const MANY = 210;

let t: TestApp;
let viewer: Client;
let session: number;

beforeAll(async () => {
  t = await startApp();
  viewer = t.as('viewer');
  const make = factories(t);
  const [brand, category, terms] = [
    await make.brand(),
    await make.category(),
    await make.amortizationCategory(),
  ];
  const [supplier, location, tier] = [await make.supplier(), await make.location(), await make.tier()];
  // What belongs to each of the first ones is named, that of the others is not.
  await t.database.query(
    `WITH made AS (
       INSERT INTO articles (name, reference, brand_id, category_id, amortization_category_id)
       SELECT 'Article ' || n, 'R' || n, CASE WHEN n % 2 = 0 THEN $1::integer END, CASE WHEN n % 3 = 0 THEN $2::integer END,
         CASE WHEN n % 5 = 0 THEN $3::integer END
       FROM generate_series(1, $7) n RETURNING id
     )
     INSERT INTO purchases (article_id, code, purchase_date, purchase_price, supplier_id, location_id, assigned_tier_id)
     SELECT id, kind || id, '2026-01-15', id * 10, CASE WHEN id % 2 = 0 THEN $4::integer END,
       CASE WHEN id % 3 = 0 THEN $5::integer END, CASE WHEN id % 5 = 0 THEN $6::integer END
     FROM made, unnest(ARRAY['S', 'U']) kind`,
    [brand.id, category.id, terms.id, supplier.id, location.id, tier.id, MANY],
  );
  const manager = t.as('manager');
  session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body.id;
  const codes: { code: string }[] = await t.database.query(`SELECT code FROM purchases WHERE code LIKE 'S%'`);
  const scans = codes.map(({ code }) => ({ client_id: crypto.randomUUID(), code, condition: 'good' }));
  const { body } = await manager.post(`/inventories/${session}/scans`, { scans });
  expect(body.summary).toEqual({ success: MANY, warning: 0, error: 0 });
  await fill(t, manager);
});
afterEach(rollbackAll);
afterAll(() => t.stop());

/** Whatever else a row may have, in some of them: what is asked for by number is read in another way. */
async function fill({ database }: TestApp, manager: Client): Promise<void> {
  await database.query(
    `WITH photo AS (
       INSERT INTO attachments (article_id, kind, name, type, size, width, height, sha256, created_by)
       SELECT min(id), 'photo', 'a.png', 'image/png', 1, 1, 1, repeat('0', 64), 1 FROM articles RETURNING id
     ), articles_too AS (
       UPDATE articles SET is_active = articles.id % 2 = 0, fields = '{"puissance_w": 65}',
         photo_id = CASE WHEN articles.id % 4 = 0 THEN photo.id END, name = name || E' "é\\\\\n😀'
       FROM photo WHERE articles.id % 3 = 0
     )
     UPDATE purchases SET purchase_price = CASE WHEN purchases.id % 4 > 0 THEN purchases.id + 0.5 END, serial_number = E'a\t"b"', assigned_to = 'Mme Abgrall',
       notes = E'À l’atelier\r\n\\u0041', fields = '{"financement": "Région \\"A\\""}', in_service_date = '2026-02-01',
       warranty_end_date = current_date + purchases.id % 4 - 1, photo_id = photo.id
     FROM photo WHERE purchases.id % 3 = 0`,
  );
  await database.query(
    `UPDATE inventory_lines SET note = 'Écran "rayé"', source = 'camera', client_id = gen_random_uuid(),
       device_scanned_at = CASE WHEN purchase_id % 5 = 4 THEN i.created_at
         ELSE scanned_at + (purchase_id % 5 - 1) * interval '5 minutes' END
     FROM inventories i WHERE i.id = inventory_id AND scan_id IS NOT NULL AND purchase_id % 3 = 0`,
  );
  const scanned: { id: number }[] = await database.query(
    `SELECT id FROM purchases WHERE code LIKE 'S%' ORDER BY id`,
  );
  const [one, other] = scanned;
  const gs1 = ['(8004)061414112345400', '(8003)00614141123452400'];
  const patches = [
    [one!, { epc: 'urn:epc:id:giai:0614141.12345401' }],
    [other!, { gs1 }],
  ] as const;
  for (const [{ id }, fields] of patches)
    expect((await manager.patch(`/purchases/${id}`, fields)).status).toBe(200);
  for (const { id } of scanned.slice(0, 40)) {
    const proceeds = id % 4 === 0 ? { proceeds: 12.5, note: 'Vente "A"' } : {};
    const disposal = { date: '2026-11-20', reason: 'sold', ...proceeds };
    expect((await manager.post(`/purchases/${id}/dispose`, disposal)).status).toBe(200);
  }
}

it('there is one of each kind to walk through', async () => {
  const purchases = await readByPage(viewer, '/purchases?per_page=200');
  const kinds = <Row>(all: Row[], of: (row: Row) => unknown) => [...new Set(all.map(of))].sort();
  expect(kinds(purchases, ({ warranty }) => warranty.status)).toEqual(['active', 'expired', 'none']);
  expect(kinds(purchases, ({ disposal }) => disposal && typeof disposal.net_book_value)).toEqual([
    null,
    'number',
    'object',
  ]);
  for (const field of [
    'purchase_price',
    'photo_url',
    'serial_number',
    'notes',
    'epc',
    'supplier',
    'location',
  ])
    expect([field, kinds(purchases, (row) => row[field] === null)]).toEqual([field, [false, true]]);
  const scans = await readByPage(viewer, `/inventories/${session}/scans?per_page=200`);
  for (const field of ['clock_ahead', 'clock_behind'])
    expect([field, kinds(scans, (row) => row[field])]).toEqual([field, [false, true]]);
});

const lists: [name: string, path: () => string][] = [
  ['articles', () => '/articles'],
  ['purchases', () => '/purchases'],
  ['what is missing', () => `/inventories/${session}/unscanned`],
  ['scans', () => `/inventories/${session}/scans`],
];

describe.each(lists)('a walk through %s', (name, path) => {
  it.each(['', 'sort=id', 'sort=-id', 'per_page=50&sort=-id', 'per_page=200', 'per_page=200&sort=-id'])(
    'shows what its pages by number show: %s',
    async (query) => {
      const walked = await readByCursor(viewer, withQuery(path(), query));
      const shown = await readByPage(viewer, withQuery(path(), query));
      expect(walked).toEqual(shown);
      expect(JSON.stringify(walked)).toBe(JSON.stringify(shown));
      expect(new Set(idsOf(walked)).size).toBe(name === 'purchases' ? 2 * MANY : MANY);
    },
  );

  it.each(['id', '-id'])(
    'goes on behind other pages in the order of %s, and they behind it',
    async (sort) => {
      const all = await readByPage(viewer, `${path()}?sort=${sort}&per_page=200`);
      const page = async (query: string) => (await viewer.get(`${path()}?sort=${sort}&${query}`)).body;
      const byNumber = await page('page=2&per_page=20');
      const walked = await page(`cursor=${byNumber.meta.next_cursor}`);
      const other = await page(`cursor=${walked.meta.next_cursor}&per_page=30`);
      const walkedOn = await page(`cursor=${other.meta.next_cursor}`);
      expect([...byNumber.data, ...walked.data, ...other.data, ...walkedOn.data]).toEqual(all.slice(20, 170));
    },
  );

  it('says how long a page is, and where the next one begins', async () => {
    const { body } = await viewer.get(`${path()}?cursor=`);
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    expect(body.meta).toEqual({ per_page: 50, next_cursor: expect.any(String) });
    expect(body.data).toHaveLength(50);
  });

  it.each(['', 'per_page=50', 'per_page=200&sort=-id'])(
    'begins with its first page, which says how many there are: %s',
    async (query) => {
      const at = (page: string) => withQuery(path(), [query, page].filter(Boolean).join('&'));
      const [first, second] = [(await viewer.get(at(''))).body, (await viewer.get(at('page=2'))).body];
      const { per_page } = second.meta;
      expect(first.meta).toEqual({ ...second.meta, current_page: 1, next_cursor: expect.any(String) });
      expect(Object.keys(first.meta)).toEqual(Object.keys(second.meta));
      expect((await viewer.get(at('page=1'))).body).toEqual(first);
      expect((await viewer.get(at('cursor='))).body.data).toEqual(first.data);
      const { data } = (await viewer.get(at(`cursor=${first.meta.next_cursor}`))).body;
      expect(data).toEqual(second.data);
      expect(first.data).toHaveLength(per_page);
      expect(second.meta.total).toBe(name === 'purchases' ? 2 * MANY : MANY);
    },
  );

  it('ends with its last row, also where that ends a page', async () => {
    const all = await readByPage(viewer, path());
    const page = await viewer.get(`${path()}?per_page=10&page=${all.length / 10 - 5}`);
    const { body } = await viewer.get(`${path()}?cursor=${page.body.meta.next_cursor}`);
    expect(body).toEqual({ data: all.slice(-50), meta: { per_page: 50, next_cursor: null } });
  });

  it('takes no cursor of the other order, nor of another list', async () => {
    const others = lists.filter(([other]) => other !== name).map(([, at]) => `${at()}?cursor=`);
    for (const other of [`${path()}?cursor=&sort=-id`, ...others]) {
      const { next_cursor } = (await viewer.get(other)).body.meta;
      expect([other, refused(await viewer.get(`${path()}?cursor=${next_cursor}`))]).toEqual([
        other,
        ['cursor'],
      ]);
    }
  });
});

it('a statement that is outdated is asked again, and its rows are read as JSON then, too', async () => {
  const sql = t.app.get(Sql);
  const read = async () => {
    const rows = await sql.query<JsonRow>({ name: 'outdated', text: 'SELECT * FROM outdated', json: {} });
    return rows.map(({ json }) => json);
  };
  await t.database.query(`CREATE TABLE outdated AS SELECT 1 AS id, '5'::text AS code`);
  for (let n = 0; n < 20; n++) expect(await read()).toEqual(['{"id":1,"code":"5"}']);
  await t.database.query('ALTER TABLE outdated ALTER code TYPE integer USING code::integer');
  for (let n = 0; n < 20; n++) expect(await read()).toEqual(['{"id":1,"code":5}']);
});

it('what is deleted between two pages is not shown', async () => {
  const manager = t.as('manager');
  const first = (await viewer.get('/purchases?cursor=')).body;
  const all = await readByPage(viewer, '/purchases?per_page=200');
  const [gone, next] = [all[50], all[51]];
  expect((await manager.delete(`/purchases/${gone.id}`)).status).toBe(200);
  const { data } = (await viewer.get(`/purchases?cursor=${first.meta.next_cursor}`)).body;
  expect(data[0]).toEqual(next);
  expect((await manager.post(`/purchases/${gone.id}/restore`)).status).toBe(200);
});

it.each([
  ['comes', 1, 'NULL'],
  ['goes', -1, 'now()'],
])(
  'what %s between the count and the reading of the last page is in its total',
  async (_, by, deleted_at) => {
    const all = await readByPage(viewer, '/purchases?sort=code&per_page=200');
    const [{ id }, other] = all;
    expect((await t.as('manager').delete(`/purchases/${id}`)).status).toBe(200);
    const writer = await begin(t.database);
    await writer.query('LOCK TABLE purchases IN ACCESS EXCLUSIVE MODE');
    const reading = viewer.get('/purchases?sort=code&per_page=200&page=3');
    await blocked(t.database);
    const changed = by > 0 ? id : other.id;
    await writer.query(`UPDATE purchases SET deleted_at = ${deleted_at} WHERE id = $1`, [changed]);
    await writer.end('COMMIT');
    const { data, meta } = (await reading).body;
    const total = all.length - 1 + by;
    expect([meta.total, data.length]).toEqual([total, total - 400]);
    for (const one of [id, other.id]) await t.as('manager').post(`/purchases/${one}/restore`);
  },
);

it.each(['unscanned', 'scans'])('of a session that there is not, %s are 404', async (list) => {
  expect((await viewer.get(`/inventories/2147483647/${list}?cursor=`)).status).toBe(404);
});

it.each(['unscanned', 'scans'])('of a session that has none, %s are an empty page', async (list) => {
  const manager = t.as('manager');
  const { id } = (
    await manager.post('/inventories', {
      year: 2025,
      inventory_date: '2025-11-16',
      location_ids: [await empty()],
    })
  ).body;
  const { status, body } = await viewer.get(`/inventories/${id}/${list}?cursor=`);
  expect([status, body]).toEqual([200, { data: [], meta: { per_page: 50, next_cursor: null } }]);
  const first = await viewer.get(`/inventories/${id}/${list}`);
  const counted = { current_page: 1, total: 0, last_page: 1 };
  expect([first.status, first.body]).toEqual([200, { data: [], meta: { ...counted, ...body.meta } }]);
});

it('of a closed session, what was missing is shown though it has been deleted since', async () => {
  const manager = t.as('manager');
  const location_ids = [await empty()];
  const { id, code } = await factories(t).purchase({ location_id: location_ids[0] });
  const opening = { year: 2025, inventory_date: '2025-11-16', location_ids };
  const closed = (await manager.post('/inventories', opening)).body.id as number;
  expect((await manager.post(`/inventories/${closed}/close`)).status).toBe(200);
  expect((await manager.delete(`/purchases/${id}`)).status).toBe(200);
  const { data } = (await viewer.get(`/inventories/${closed}/unscanned?cursor=`)).body;
  expect(data).toEqual([expect.objectContaining({ id, code })]);
});

const empty = async (): Promise<number> => (await factories(t).location()).id;
