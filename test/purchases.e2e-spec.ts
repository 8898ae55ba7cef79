import fc from 'fast-check';
import { checkCharacter, makeCode } from '../src/purchases/code.js';
import { PurchaseCounts } from '../src/purchases/purchase-counts.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import {
  behavesAsList,
  factories,
  idsOf,
  readByCursor,
  readByPage,
  refused,
  unique,
} from './support/factories.js';
import type { Factories } from './support/factories.js';
import { RunningProcess, stopAll } from './support/process.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

let app: TestApp;
let make: Factories;
let article: any; // eslint-disable-line @typescript-eslint/no-explicit-any
const get = (path: string) => app.as('viewer').get(path);
const post = (fields: object) =>
  app.as('manager').post('/purchases', { article_id: article.id, purchase_date: '2026-01-15', ...fields });
const patch = (id: number, body?: unknown) => app.as('manager').patch(`/purchases/${id}`, body);
const remove = (id: number) => app.as('manager').delete(`/purchases/${id}`);
/** No route makes third parties. */
const tierOf = async ({ database }: TestApp, name: string): Promise<{ id: number; name: string }> => {
  const sql = 'INSERT INTO tiers (name, reference) VALUES ($1, $1) RETURNING id, name';
  return (await database.query<{ id: number; name: string }>(sql, [name]))[0]!;
};
const scan = (text: string) => get(`/scan/${encodeURIComponent(text)}`);

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
  article = await make.article({
    reference: 'PCP-0004',
    brand_id: (await make.brand()).id,
    category_id: (await make.category()).id,
    amortization_category_id: (await make.amortizationCategory()).id,
  });
});
afterAll(() => app.stop());

describe('POST /purchases', () => {
  it('creates a purchase and answers what GET answers', async () => {
    const supplier = await make.supplier();
    const location = await make.location();
    const tier = await tierOf(app, 'Écoles du Léon');
    const fields = {
      article_id: article.id,
      purchase_date: '2026-10-15',
      code: 'LYC-É-0199',
      purchase_price: 1161.71,
      supplier_id: supplier.id,
      location_id: location.id,
      assigned_to: 'Maëlle Guivarc’h',
      assigned_tier_id: tier.id,
      warranty_end_date: '2199-10-15',
      in_service_date: '2026-11-02',
      serial_number: '5CG0876HAR',
      epc: 'urn:epc:id:giai:0614141.1',
      gs1: ['(8004)06141411', '(8003)00614141123452400'],
      notes: 'Affecté au bureau 205.\nÉtage 2',
    };
    const answer = await post(fields);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/v1/purchases/${answer.body.id}`);
    const { id, name, reference, brand, category, amortization_category } = article;
    expect(answer.body).toEqual({
      id: expect.any(Number),
      ...fields,
      article: { id, name, reference, brand, category, amortization_category },
      supplier: { id: supplier.id, name: supplier.name },
      location: { id: location.id, name: location.name, path: location.path },
      assigned_tier: tier,
      warranty: { status: 'active', end_date: '2199-10-15' },
      fields: {},
      photo_url: null,
      created_at: expect.stringMatching(INSTANT),
      updated_at: answer.body.created_at,
      disposal: null,
      net_book_value: expect.any(Number),
    });
    expect((await get(`/purchases/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await scan('lyc-é-0199')).body).toEqual(answer.body);
    const { net_book_value: _, ...listed } = answer.body;
    expect((await get('/purchases?code=lyc-é-0199')).body.data).toEqual([listed]);
  });

  it('needs an article and a date only', async () => {
    const { id } = await make.article();
    const answer = await app
      .as('manager')
      .post('/purchases', { article_id: id, purchase_date: '2026-01-15' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      code: expect.stringMatching(/^INV\d{6}[0-9A-Z]$/),
      article: { id, reference: null, brand: null, category: null, amortization_category: null },
      purchase_price: null,
      supplier_id: null,
      supplier: null,
      assigned_to: null,
      assigned_tier_id: null,
      assigned_tier: null,
      warranty_end_date: null,
      warranty: { status: 'none', end_date: null },
      in_service_date: '2026-01-15',
      serial_number: null,
      notes: null,
    });
    expect((await scan(answer.body.code)).body).toEqual(answer.body);
  });

  it('takes null for what may be empty', async () => {
    const empty = { purchase_price: null, supplier_id: null, warranty_end_date: null, notes: null };
    const { status, body } = await post({ ...empty, code: null, in_service_date: null, serial_number: null });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...empty, serial_number: null, in_service_date: '2026-01-15' });
  });

  it('names every wrong field at once', async () => {
    expect(refused(await app.as('manager').post('/purchases', {}))).toEqual(['article_id', 'purchase_date']);
    const wrong = {
      article_id: null,
      purchase_date: null,
      id: 1,
      deleted_at: null,
      warranty: {},
      code_key: 'x',
    };
    expect(refused(await post(wrong))).toEqual(expect.arrayContaining(Object.keys(wrong)));
    expect(refused(await post({ article_id: 2147483647, supplier_id: 2147483647 }))).toEqual([
      'article_id',
      'supplier_id',
    ]);
  });

  it.each(['article_id', 'supplier_id'])('refuses a wrong %s', async (field) => {
    const { id } = await make.purchase();
    for (const value of [0, -1, 1.5, 2147483648, 1e300, '1', true, [], {}, 2147483647]) {
      expect(refused(await post({ [field]: value }))).toEqual([field]);
      expect(refused(await patch(id, { [field]: value }))).toEqual([field]);
    }
  });

  it('refuses an article or a supplier that was deleted, and takes an inactive one', async () => {
    const [gone, goneSupplier] = [await make.article(), await make.supplier()];
    await app.as('manager').delete(`/articles/${gone.id}`);
    await app.as('manager').delete(`/suppliers/${goneSupplier.id}`);
    const fields = { article_id: gone.id, supplier_id: goneSupplier.id };
    expect(refused(await post(fields))).toEqual(['article_id', 'supplier_id']);
    const { id } = await make.purchase();
    expect(refused(await patch(id, fields))).toEqual(['article_id', 'supplier_id']);
    const inactive = {
      article_id: (await make.article({ is_active: false })).id,
      supplier_id: (await make.supplier({ is_active: false })).id,
    };
    expect((await post(inactive)).body).toMatchObject(inactive);
  });

  it.each([
    ['serial_number', 255],
    ['notes', 5000],
  ])('bounds %s in code points, trims it, and takes an empty one for none', async (field, max) => {
    for (const text of ['x'.repeat(max), '😀'.repeat(max)]) {
      expect((await post({ [field]: `  ${text}\n` })).body[field]).toBe(text);
    }
    for (const text of ['', '  ', null]) expect((await post({ [field]: text })).body[field]).toBeNull();
    for (const wrong of ['x'.repeat(max + 1), '😀'.repeat(max + 1), 1, [], {}, true, 'a\0b', '\ud800']) {
      expect(refused(await post({ [field]: wrong }))).toEqual([field]);
    }
  });
});

describe('reliability-13-prices: purchase_price', () => {
  it('comes back as it was sent, to the cent', async () => {
    for (const price of [0, 0.01, 0.1, 0.29, 1.1, 19.99, 1161.71, 8.7, 4503599627.37, 9999999999.99]) {
      const { body } = await post({ purchase_price: price });
      expect(body.purchase_price).toBe(price);
      expect((await get(`/purchases/${body.id}`)).body.purchase_price).toBe(price);
    }
  });

  it('may be written in any way that JSON knows', async () => {
    const start = `{"article_id":${article.id},"purchase_date":"2026-01-15","purchase_price":`;
    for (const [text, price] of [
      ['1.10', 1.1],
      ['1e2', 100],
      ['1.5E+1', 15],
      ['-0', 0],
    ] as const) {
      // prettier-ignore
      const { body } = await app.as('manager').post('/purchases', `${start}${text}}`);
      expect((await get(`/purchases/${body.id}`)).text).toContain(`"purchase_price":${price},`);
    }
    for (const text of ['1e400', '-1e400', '1e10', '1.001', '0.005', '1e-3', '10000000000', '-0.01']) {
      expect(refused(await app.as('manager').post('/purchases', `${start}${text}}`))).toEqual([
        'purchase_price',
      ]);
    }
  });

  it('is refused when it is no price', async () => {
    const { id } = await make.purchase({ purchase_price: 5 });
    for (const price of [-1, 1.234, 9999999999.991, 1e10, '1', 'abc', '', true, [], [1], {}]) {
      expect(refused(await post({ purchase_price: price }))).toEqual(['purchase_price']);
      expect(refused(await patch(id, { purchase_price: price }))).toEqual(['purchase_price']);
    }
    expect((await get(`/purchases/${id}`)).body.purchase_price).toBe(5);
  });
});

describe('reliability-13-dates: dates of a purchase', () => {
  const FIELDS = ['purchase_date', 'warranty_end_date', 'in_service_date'];

  it('come back as they were sent', async () => {
    for (const date of ['2024-02-29', '2000-02-29', '0001-01-01', '1582-10-10', '1891-03-15', '9999-12-31']) {
      const dates = Object.fromEntries(FIELDS.map((field) => [field, date]));
      const { body } = await post(dates);
      expect(body).toMatchObject(dates);
      expect((await get(`/purchases/${body.id}`)).body).toEqual(body);
    }
  });

  it.each(FIELDS)('%s is refused when there is no such day', async (field) => {
    const { id } = await make.purchase();
    const wrong = [
      '2026-02-30',
      '2023-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '0000-01-01',
    ];
    const odd = [
      '2026-1-5',
      '20260115',
      '15/01/2026',
      '2026-01-15T00:00:00Z',
      '+002026-01-15',
      '-0001-01-01',
      '',
    ];
    for (const date of [...wrong, ...odd, 'today', 'infinity', '２０２６-01-15', 20260115, true, [], {}]) {
      expect(refused(await post({ [field]: date }))).toEqual([field]);
      expect(refused(await patch(id, { [field]: date }))).toEqual([field]);
    }
  });

  it('let the service begin on the day of the purchase unless told otherwise', async () => {
    const { body } = await post({ purchase_date: '2026-03-01' });
    expect(body.in_service_date).toBe('2026-03-01');
    const moved = await patch(body.id, { purchase_date: '2026-03-05' });
    expect(moved.body.in_service_date).toBe('2026-03-05');
    expect((await patch(body.id, { in_service_date: '2026-04-01' })).body.in_service_date).toBe('2026-04-01');
    expect((await patch(body.id, { purchase_date: '2026-03-09' })).body.in_service_date).toBe('2026-04-01');
    expect((await patch(body.id, { in_service_date: null })).body.in_service_date).toBe('2026-03-09');
  });

  it('do not move with the time zone of the machine', async () => {
    const dates = {
      purchase_date: '2026-03-29',
      warranty_end_date: '2026-10-25',
      in_service_date: '2026-04-05',
    };
    const before = (await post(dates)).body;
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
      const service = new RunningProcess('main', [], { TZ: zone, DATABASE_URL: app.database.url });
      const there = new Client(await service.url(), app.as('manager').token);
      expect((await there.get(`/purchases/${before.id}`)).body).toEqual(before);
      const { net_book_value: _, ...listed } = before;
      expect((await there.get(`/purchases?code=${before.code}`)).body.data).toEqual([listed]);
      expect((await there.get(`/scan/${before.code}`)).body).toEqual(before);
      const { body } = await there.post('/purchases', { article_id: article.id, ...dates });
      expect(body).toMatchObject(dates);
      expect((await get(`/purchases/${body.id}`)).body).toEqual(body);
      const range = '?purchased_from=2026-03-29&purchased_to=2026-03-29&per_page=1&sort=purchase_date';
      expect(await readByCursor(there, `/purchases${range}`)).toHaveLength(
        zone === 'Pacific/Auckland' ? 2 : 3,
      );
      await service.signal('SIGTERM');
    }
  });
  afterAll(stopAll);
});

describe('warranty', () => {
  /** Where it is about noon, so that no midnight comes in between; with what the time is there. */
  const atNoon = async (): Promise<[noon: TestApp, now: number]> => {
    const hours = 12 - new Date().getUTCHours();
    const TIME_ZONE = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`;
    return [await startApp({ TIME_ZONE }, app.database), Date.now() + hours * 3_600_000];
  };

  it('covers its last day, is expired afterwards, and is none without an end', async () => {
    const [noon, today] = await atNoon();
    const statusOf = async (warranty_end_date: string | null) => {
      const { body } = await post({ purchase_date: '2020-01-01', warranty_end_date });
      const answer = await noon.as('viewer').get(`/purchases/${body.id}`);
      expect(answer.body.warranty.end_date).toBe(warranty_end_date);
      return answer.body.warranty.status;
    };
    expect(await statusOf(dayOf(today))).toBe('active');
    expect(await statusOf(dayOf(today + DAY_MS))).toBe('active');
    expect(await statusOf(dayOf(today - DAY_MS))).toBe('expired');
    expect(await statusOf('2020-01-01')).toBe('expired');
    expect(await statusOf(null)).toBe('none');
    await noon.stop();
  });

  it('filters purchases by its state today, and by the days within which it ends', async () => {
    const [noon, now] = await atNoon();
    const { id: article_id } = await make.article();
    const ends = { gone: -1, today: 0, soon: 7, later: 60, far: 61, none: null };
    for (const [notes, days] of Object.entries(ends)) {
      const warranty_end_date = days === null ? null : dayOf(now + days * DAY_MS);
      await post({ article_id, purchase_date: '2020-01-01', notes, warranty_end_date });
    }
    const found = async (query: string) => {
      const { body } = await noon.as('viewer').get(`/purchases?article_id=${article_id}&${query}`);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ notes }: { notes: string }) => notes);
    };
    expect(await found('warranty=active')).toEqual(['today', 'soon', 'later', 'far']);
    expect(await found('warranty=expired')).toEqual(['gone']);
    expect(await found('warranty=none')).toEqual(['none']);
    expect(await found('warranty=expiring')).toEqual(['today', 'soon', 'later']);
    expect(await found('warranty=expiring&within_days=7')).toEqual(['today', 'soon']);
    expect(await found('warranty=expiring&within_days=61')).toEqual(['today', 'soon', 'later', 'far']);
    for (const query of ['within_days=7', 'warranty=active&within_days=7', 'warranty=expiring&within_days=0'])
      expect(refused(await get(`/purchases?${query}`))).toEqual(['within_days']);
    await noon.stop();
  });

  it('ends with the day in TIME_ZONE, on every route', async () => {
    // 26 hours apart: where it is a day later, yesterday's warranty is over; in the other it still runs.
    const late = await startApp({ TIME_ZONE: 'Pacific/Kiritimati' }, app.database);
    const early = await startApp({ TIME_ZONE: 'Etc/GMT+12' }, app.database);
    const yesterday = dayOf(Date.now() + 14 * 3_600_000 - DAY_MS);
    const { body } = await post({ purchase_date: '2020-01-01', warranty_end_date: yesterday });
    for (const [there, status] of [
      [late, 'expired'],
      [early, 'active'],
    ] as const) {
      // prettier-ignore
      const viewer = there.as('viewer');
      const listed = (await viewer.get(`/purchases?code=${body.code}`)).body.data[0];
      for (const purchase of [
        listed,
        (await viewer.get(`/purchases/${body.id}`)).body,
        (await viewer.get(`/scan/${body.code}`)).body,
        (await there.as('manager').patch(`/purchases/${body.id}`, {})).body,
      ]) {
        expect(purchase.warranty).toEqual({ status, end_date: yesterday });
      }
    }
    await late.stop();
    await early.stop();
  });

  it('does not end before the purchase', async () => {
    const dates = { purchase_date: '2026-01-15', warranty_end_date: '2026-01-15' };
    const { body, status } = await post(dates);
    expect(status).toBe(201);
    expect(refused(await post({ ...dates, warranty_end_date: '2026-01-14' }))).toEqual(['warranty_end_date']);
    expect(refused(await patch(body.id, { warranty_end_date: '2026-01-14' }))).toEqual(['warranty_end_date']);
    expect(refused(await patch(body.id, { purchase_date: '2026-01-16' }))).toEqual(['warranty_end_date']);
    expect((await get(`/purchases/${body.id}`)).body).toEqual(body);
    const moved = { purchase_date: '2026-02-01', warranty_end_date: '2026-02-02' };
    expect((await patch(body.id, moved)).body).toMatchObject(moved);
    const cleared = { purchase_date: '2026-03-01', warranty_end_date: null };
    expect((await patch(body.id, cleared)).body).toMatchObject(cleared);
  });
});

describe('code of a purchase', () => {
  const numberOf = (code: string) => Number(code.slice(3, -1));
  const made = async () => (await make.purchase()).code as string;

  it('is made as prefix, number and check character, each time another one', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, made));
    expect(new Set(codes).size).toBe(20);
    for (const code of codes) {
      expect(code).toMatch(/^INV\d{6}[0-9A-Z]$/);
      expect(code.at(-1)).toBe(checkCharacter(code.slice(0, -1)));
    }
  });

  it('begins with CODE_PREFIX', async () => {
    const other = await startApp({ CODE_PREFIX: 'LYC2' }, app.database);
    expect(await factories(other).purchase()).toMatchObject({
      code: expect.stringMatching(/^LYC2\d{6}[0-9A-Z]$/),
    });
    await other.stop();
  });

  it('goes on past six digits', async () => {
    const [{ last }] = await app.database.query<any>(`SELECT nextval('purchase_code_seq')::integer AS last`); // eslint-disable-line
    await app.database.query(`SELECT setval('purchase_code_seq', 999999)`);
    const code = await made();
    expect(code).toBe(makeCode('INV', 1_000_000));
    expect((await scan(code)).status).toBe(200);
    await app.database.query(`SELECT setval('purchase_code_seq', $1)`, [last]);
  });

  it('is never one that somebody brought, used before or deleted', async () => {
    const next = numberOf(await made()) + 1;
    await make.purchase({ code: makeCode('INV', next).toLowerCase() });
    const { id } = await make.purchase({ code: makeCode('INV', next + 1) });
    await patch(id, { code: unique('other') });
    await remove((await make.purchase({ code: makeCode('INV', next + 2) })).id);
    expect(await made()).toBe(makeCode('INV', next + 3));
  });

  it('is made even while somebody brings that very code', async () => {
    for (let round = 0; round < 20; round++) {
      const next = numberOf(await made()) + 1;
      const bring = [0, 1, 2].map((ahead) => post({ code: makeCode('INV', next + ahead) }));
      const answers = await Promise.all([...bring, post({}), post({})]);
      expect(answers.slice(3).map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  it('is made where an empty one is sent', async () => {
    for (const code of ['', '  ', null]) expect((await post({ code })).body.code).toMatch(/^INV/);
  });

  it('keeps the spelling that people bring', async () => {
    for (const code of ['0004711', '4711', '00004711', 'aBc-É', 'e\u0301', 'ﬁn', 'x  y']) {
      expect((await make.purchase({ code: ` ${code}\t` })).code).toBe(code);
      expect((await scan(code)).body.code).toBe(code);
    }
  });

  it.each([
    ['é-1', 'É-1'],
    ['Straße', 'STRASSE'],
    ['Straße 2', 'STRAẞE 2'],
    ['Οδός', 'ΟΔΌΣ'],
    ['ς3', 'σ3'],
    ['ς4', 'Σ4'],
    ['\u00e95', 'e\u03015'],
    ['\u00e96', 'E\u03016'],
    ['\u0390', '\u03aa\u0301'],
    ['ǆ7', 'ǅ7'],
    ['Ω8', 'Ω8'],
    ['ﬄ9', 'FFL9'],
  ])('is the same label whether %s or %s', async (code, other) => {
    const { id } = await make.purchase({ code });
    expect(refused(await post({ code: other }))).toEqual(['code']);
    expect((await scan(other)).body.id).toBe(id);
    expect((await get(`/purchases?code=${encodeURIComponent(other)}`)).body.data[0].id).toBe(id);
    expect((await patch(id, { code: other })).body.code).toBe(other);
  });

  it('is the same label in either case of every letter', async () => {
    const different = await app.database.query(`
      SELECT c FROM (SELECT chr(n) COLLATE "und-x-icu" AS c FROM generate_series(1, 131071) n
                     WHERE n NOT BETWEEN 55296 AND 57343) letters
      WHERE (c <> upper(c) OR c <> lower(c) OR c <> initcap(c) OR c <> normalize(c, NFD))
        AND (code_key(c) <> ALL (ARRAY[code_key(upper(c)), code_key(lower(c)), code_key(initcap(c)),
          code_key(normalize(c, NFD)), code_key(normalize(upper(c), NFD))])
        OR EXISTS (SELECT FROM unnest(ARRAY[upper(c), lower(c), initcap(c), normalize(c, NFD)]) o
                   WHERE code_key(o) <> code_key(c)))`);
    expect(different).toEqual([]);
  });

  it('has the key that it would have among letters of other languages, where it is of ASCII alone', async () => {
    const different = await app.database.query(`
      SELECT n FROM generate_series(1, 127) n
      WHERE code_key(chr(n)) || 'É' <> code_key(chr(n) || 'é') OR code_key('a' || chr(n) || 'Z') <> 'A' || code_key(chr(n)) || 'Z'`);
    expect(different).toEqual([]);
  });

  it('is another label with other zeros, spaces or accents', async () => {
    const codes = ['77', '077', '0077', '7 7', '7-7', 'e7', 'é7', 'I7', '17', 'l7', 'Ａ7', 'A7'];
    for (const code of codes) expect((await post({ code })).status).toBe(201);
  });

  it('is never used again, neither after a change nor after a deletion', async () => {
    const [first, second, third] = [unique('first'), unique('second'), unique('third')];
    const { id } = await make.purchase({ code: first });
    expect((await patch(id, { code: second })).body.code).toBe(second);
    expect(refused(await post({ code: first }))).toEqual(['code']);
    expect(refused(await patch((await make.purchase()).id, { code: first.toUpperCase() }))).toEqual(['code']);
    expect((await scan(first)).status).toBe(404);
    expect((await scan(second)).body.id).toBe(id);
    await patch(id, { code: third });
    await remove(id);
    for (const code of [first, second, third]) expect(refused(await post({ code }))).toEqual(['code']);
  });

  it('may go back to an older one of the same purchase', async () => {
    const [first, second] = [unique('old'), unique('new')];
    const { id } = await make.purchase({ code: first });
    for (const code of [second, first, second.toUpperCase(), first]) {
      expect((await patch(id, { code })).body.code).toBe(code);
    }
    expect((await scan(first)).body.id).toBe(id);
  });

  it('reliability-16-parallel-creates: goes to one of 50 who bring it at once', async () => {
    const bring = (at: number) => post({ code: at % 2 ? 'fifty-É' : 'FIFTY-é' });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => bring(at)));
    const statuses = answers.map((answer) => String(refused(answer)));
    expect(statuses.sort()).toEqual(['201', ...Array.from({ length: 49 }, () => 'code')]);
    expect((await get('/purchases?code=fifty-é')).body.meta.total).toBe(1);
  });

  it('goes to one of 20 purchases that change to it at once', async () => {
    const purchases = await Promise.all(Array.from({ length: 20 }, () => make.purchase()));
    const answers = await Promise.all(purchases.map(({ id }) => patch(id, { code: 'twenty' })));
    expect(answers.map((answer) => String(refused(answer))).sort()).toEqual([
      '200',
      ...Array.from({ length: 19 }, () => 'code'),
    ]);
  });

  it('cannot be swapped between two purchases, not even at the same moment', async () => {
    const [a, b] = [await make.purchase(), await make.purchase()];
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([patch(a.id, { code: b.code }), patch(b.id, { code: a.code })]);
      expect(answers.map(refused)).toEqual([['code'], ['code']]);
    }
  });

  it('has 1 to 64 code points', async () => {
    for (const text of [
      'x',
      'x'.repeat(64),
      '😀'.repeat(64),
      'ß'.repeat(64),
      'ΐ'.repeat(64),
      '漢'.repeat(64),
    ]) {
      const { status, body } = await post({ code: text });
      expect([status, body.code]).toEqual([201, text]);
      expect((await scan(text)).body.id).toBe(body.id);
      expect((await get(`/purchases?code=${encodeURIComponent(text)}`)).body.data[0].id).toBe(body.id);
    }
    for (const text of ['x'.repeat(65), '😀'.repeat(65)]) {
      expect(refused(await post({ code: text }))).toEqual(['code']);
      expect(refused(await get(`/purchases?code=${encodeURIComponent(text)}`))).toEqual(['code']);
    }
  });

  it('has no control characters and is a text', async () => {
    const { id } = await make.purchase();
    const controls = ['\0', '\t', '\n', '\r', '\x1d', '\x1f', '\x7f', '\x85', '\x9f', '\u2028', '\u2029'];
    for (const code of [...controls.map((text) => `a${text}b`), 'a\ud800', 1, true, [], {}]) {
      expect(refused(await post({ code }))).toEqual(['code']);
      expect(refused(await patch(id, { code }))).toEqual(['code']);
    }
    for (const code of [null, '', '  ']) expect(refused(await patch(id, { code }))).toEqual(['code']);
  });

  it.each(['😀', 'a/b', '/', '//x', 'a%b', '%', '%2F', '100 %', '?', '#', '&=', '+', 'a+b', "O'Neil", '"', '\\',
    '<b>', ';', ':', '@', '{id}', ']C1', ']Q3x', '...', '.a', 'http://', 'https://x.example/p/1', 'null', '$1', '٣'])(
    'may be %s', async (code) => {
      const { id } = await make.purchase({ code });
      expect((await scan(code)).body).toMatchObject({ id, code });
      expect((await get(`/purchases?code=${encodeURIComponent(code)}`)).body.data).toMatchObject([{ id, code }]);
    },
  ); // prettier-ignore

  it('may hold any printable characters', async () => {
    const printable = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 50 })
      .map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim());
    await fc.assert(
      fc.asyncProperty(printable, async (text) => {
        const { id, code } = await make.purchase({ code: `${unique('any')}-${text}` });
        expect(code.endsWith(text)).toBe(true);
        expect((await scan(code)).body).toMatchObject({ id, code });
      }),
      { numRuns: 50 },
    );
  });
});

it('lists codes of any kind in one order, alike in both modes', async () => {
  for (const code of ['\u200dzz', 'zz', 'z\u00adz', 'z\u034fz', 'Zy', 'ｚz', 'z-z', 'z z']) {
    const { id } = await make.purchase(); // of before codes were free of format characters
    await app.database.query(`UPDATE purchases SET code = $1 WHERE id = $2`, [code, id]);
  }
  const rows = await readByCursor(app.as('viewer'), '/purchases?sort=code&per_page=7');
  expect(new Set(idsOf(rows)).size).toBe(rows.length);
  expect(await readByPage(app.as('viewer'), '/purchases?sort=code&per_page=200')).toEqual(rows);
  expect(await readByCursor(app.as('viewer'), '/purchases?sort=-code&per_page=9')).toEqual(rows.reverse());
});

describe('GET /scan/{code}', () => {
  let id: number;
  const found = async (text: string) => {
    const { status, body } = await scan(text);
    return status === 200 ? body.code : status;
  };
  beforeAll(
    async () => ({ id } = await make.purchase({ code: '0004521', supplier_id: (await make.supplier()).id })),
  );

  it('answers what the detail answers', async () => {
    const detail = await get(`/purchases/${id}`);
    expect(detail.status).toBe(200);
    expect((await scan('0004521')).body).toEqual(detail.body);
  });

  it.each([
    ' 0004521 ',
    '0004521\r\n',
    '\u00a00004521\ufeff',
    '\u001d0004521\u0004',
    '\x020004\x1d521\x03',
    ']C10004521',
    ']Q30004521',
    ']e00004521',
    ' ]d2\u001d0004521\r',
    ']Q3 0004521',
    'https://x.example/0004521',
    'HTTP://X.EXAMPLE:8080/a/b/0004521/',
    'https://x.example/p/0004521?x=/1#/2',
    ']Q3https://x.example/p/%30004521\r\n',
    'https://x.example/p/%200004521%0A',
    'recense://scan/0004521',
  ])('cleans %j', async (text) => {
    expect(await found(text)).toBe('0004521');
  });

  it.each([
    '4521',
    '004521',
    '00004521',
    '04521',
    '0004521x',
    '000 4521',
    '0004521/',
    'x/0004521',
    'C10004521',
    ']E0',
    'https://x.example/?code=0004521',
    'https://0004521',
    'https://x.example/0004521/y',
    'https://x.example#/0004521',
    'https://x.example/%zz0004521',
    ']0004521',
    'https://',
    '\u00a0',
    '\n',
    '\0',
    '0004521\0x',
    '\ud800',
  ])('does not find %j', async (text) => {
    // prettier-ignore
    const answer = await get(`/scan/${encodeURIComponent(text.toWellFormed())}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ status: 404, type: '/problems/not-found' });
  });

  it('does not find what is too long for a code', async () => {
    for (const length of [65, 3000]) expect(await found('x'.repeat(length))).toBe(404);
  });

  it.each(['', '%', '%zz', '%FF', '%ED%A0%80', '%00', '%C3%28'])(
    'does not find the raw path /scan/%s',
    async (path) => {
      expect((await get(`/scan/${path}`)).status).toBe(404);
    },
  );

  it('does not care about the case or how an accent is written', async () => {
    await make.purchase({ code: 'Réf-ß' });
    for (const text of ['réf-ß', 'RÉF-SS', 'RE\u0301F-ß', 're\u0301f-ẞ', ']C1réf-SS']) {
      expect(await found(text)).toBe('Réf-ß');
    }
    expect(await found('ref-ß')).toBe(404);
  });

  it('tries the exact text first, then each step of cleaning', async () => {
    const codes = ['https://x.example/p/EXACT', ']C1EXACT', 'EXACT'];
    for (const code of codes) await make.purchase({ code });
    for (const code of codes) expect(await found(code)).toBe(code);
    expect(await found(']Q3https://x.example/p/EXACT')).toBe('https://x.example/p/EXACT');
    expect(await found(']C1]C1EXACT')).toBe(']C1EXACT');
    expect(await found('https://x.example/q/exact')).toBe('EXACT');
  });

  it('takes the last segment of a URL decoded', async () => {
    await make.purchase({ code: 'A/B é%' });
    expect(await found('https://x.example/p/A%2FB%20%C3%A9%25')).toBe('A/B é%');
    expect(await found('https://x.example/p/A/B é%')).toBe(404);
  });

  it('does not find a deleted purchase, but the live one that the cleaned text means', async () => {
    const gone = await make.purchase({ code: ']C1GONE' });
    await make.purchase({ code: 'GONE' });
    await remove(gone.id);
    expect(await found(']C1GONE')).toBe('GONE');
  });

  it('takes no query, and asks for a token', async () => {
    expect(refused(await get('/scan/0004521?x=1'))).toEqual(['x']);
    expect((await app.anonymous.get('/scan/0004521')).status).toBe(401);
    expect((await app.as('operator').get('/scan/0004521')).status).toBe(200);
  });
});

describe('PATCH /purchases/{id}', () => {
  it('changes what is sent and nothing else', async () => {
    const before = await make.purchase({ purchase_price: 10, serial_number: 'S', notes: 'N' });
    const supplier = await make.supplier();
    const changes = [
      { article_id: article.id },
      { purchase_date: '2026-02-01' },
      { code: unique('patched') },
      { purchase_price: 0 },
      { supplier_id: supplier.id },
      { warranty_end_date: '2026-12-31' },
      { in_service_date: '2026-02-02' },
      { serial_number: '0' },
      { notes: 'false' },
    ];
    let expected = before;
    for (const change of changes) {
      const { status, body } = await patch(before.id, change);
      expect(status).toBe(200);
      const { article: itsArticle, supplier: itsSupplier, warranty, updated_at, net_book_value } = body;
      const derived = { article: itsArticle, supplier: itsSupplier, warranty, updated_at, net_book_value };
      const in_service_date = 'purchase_date' in change ? '2026-02-01' : expected.in_service_date;
      expect(body).toEqual({ ...expected, in_service_date, ...change, ...derived });
      expect([itsArticle.id, itsSupplier?.id ?? null]).toEqual([body.article_id, body.supplier_id]);
      expect(updated_at > expected.updated_at).toBe(true);
      expect((await get(`/purchases/${before.id}`)).body).toEqual(body);
      expected = body;
    }
  });

  it('clears with null what may be empty', async () => {
    const { id } = await make.purchase({
      purchase_price: 10,
      supplier_id: (await make.supplier()).id,
      warranty_end_date: '2027-01-01',
      in_service_date: '2026-05-05',
      serial_number: 'S',
      notes: 'N',
    });
    const nothing = { purchase_price: null, supplier_id: null, warranty_end_date: null, notes: null };
    expect((await patch(id, { ...nothing, in_service_date: null, serial_number: null })).body).toMatchObject({
      ...nothing,
      supplier: null,
      serial_number: null,
      in_service_date: '2026-01-15',
      warranty: { status: 'none', end_date: null },
    });
  });

  it('refuses null for what must not be empty', async () => {
    const { id } = await make.purchase();
    const required = { article_id: null, purchase_date: null, code: null };
    expect(refused(await patch(id, required))).toEqual(expect.arrayContaining(Object.keys(required)));
  });

  it('changes nothing when nothing is sent', async () => {
    const before = await make.purchase();
    for (const body of [{}, undefined]) {
      const answer = await patch(before.id, body);
      expect([answer.status, answer.body]).toEqual([200, before]);
    }
  });

  it('changes nothing at all when one field is wrong', async () => {
    const before = await make.purchase();
    const good = { notes: 'new', code: unique('unused') };
    for (const wrong of [{ id: 1 }, { supplier_id: 2147483647 }, { warranty_end_date: '1999-01-01' }]) {
      expect(refused(await patch(before.id, { ...good, ...wrong }))).toEqual(Object.keys(wrong));
    }
    expect((await get(`/purchases/${before.id}`)).body).toEqual(before);
    expect((await post({ code: good.code })).status).toBe(201);
  });

  it('looks at the fields before the row', async () => {
    expect(refused(await patch(2147483647, { purchase_price: -1 }))).toEqual(['purchase_price']);
    expect((await patch(2147483647, { purchase_price: 1 })).status).toBe(404);
    expect((await patch(2147483647, {})).status).toBe(404);
  });
});

describe('DELETE /purchases/{id}', () => {
  it('says what it deleted, and the purchase is gone from every route', async () => {
    const { id, code } = await make.purchase({ article_id: article.id });
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([200, { id, deleted: true }]);
    expect((await get(`/purchases/${id}`)).status).toBe(404);
    expect((await patch(id, { notes: 'x' })).status).toBe(404);
    expect((await patch(id, {})).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await scan(code)).status).toBe(404);
    for (const query of [`code=${code}`, `search=${code}`]) {
      expect((await get(`/purchases?${query}`)).body).toMatchObject({ data: [], meta: { total: 0 } });
    }
  });

  it('works once when it is asked ten times at once', async () => {
    const { id } = await make.purchase();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});

it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1e3', '0x10', '1.0', '%00', '%20'])(
  'has no purchase %s',
  async (id) => {
    expect((await get(`/purchases/${id}`)).status).toBe(404);
    expect((await app.as('manager').patch(`/purchases/${id}`, { notes: 'x' })).status).toBe(404);
    expect((await app.as('manager').delete(`/purchases/${id}`)).status).toBe(404);
  },
);

it('asks everyone for a token, and writers for the right', async () => {
  const before = await make.purchase();
  const one = `/purchases/${before.id}`;
  const writes = [['POST', '/purchases'], ['PATCH', one], ['DELETE', one]] as const; // prettier-ignore
  for (const [method, path] of [...writes, ['GET', '/purchases'], ['GET', one]] as const) {
    expect((await app.anonymous.send(method, path)).status).toBe(401);
  }
  for (const [method, path] of writes) {
    for (const role of ['viewer', 'operator'] as const) {
      expect((await app.as(role).send(method, path, { nope: 1 })).status).toBe(403);
    }
  }
  expect((await get(one)).body).toEqual(before);
});

describe('GET /purchases', () => {
  let lists: TestApp;
  let rows: Factories;
  const codes = async (query: string) =>
    (await readByCursor(lists.as('viewer'), `/purchases?${query}`)).map((row) => row.code);

  beforeAll(async () => {
    lists = await startApp();
    rows = factories(lists);
    const article_id = (await rows.article()).id;
    const seeds = [
      ['b-1', '2026-01-02', 10],
      ['B-2', '2026-01-02', null],
      ['É-1', '2024-02-29', 9999999999.99],
      ['e-2', '0001-01-01', 0],
      ['Z', '9999-12-31', 0],
      [null, '2026-01-02', null],
      [null, '2025-12-31', 10],
      ['0010', '2025-12-31', 9.99],
      ['10', '2025-12-31', 10.01],
    ] as const;
    for (const [code, purchase_date, purchase_price] of seeds) {
      await rows.purchase({ article_id, code, purchase_date, purchase_price });
    }
    await lists.database.query(
      `UPDATE purchases SET created_at = '2026-01-01' WHERE code ILIKE 'b%' OR code = '10'`,
    );
  });
  afterAll(() => lists.stop());

  behavesAsList({
    app: () => lists,
    path: '/purchases',
    sorts: ['code', 'purchase_date', 'purchase_price', 'created_at'],
    foreignKeys: ['article_id', 'supplier_id', 'category_id', 'brand_id'],
  });

  it('finds a page by its number by what it keeps count of, exactly, whatever was written and undone', async () => {
    const own = await startApp();
    const [viewer, manager] = [own.as('viewer'), own.as('manager')];
    const article_id = (await factories(own).article()).id;
    await own.database.query(
      `INSERT INTO purchases (id, article_id, purchase_date, code, deleted_at)
       SELECT id, $1, '2026-01-15', 'K' || id, CASE WHEN id % 7 = 0 THEN now() END
       FROM (SELECT generate_series(990, 40000, 331) UNION SELECT generate_series(2147483000, 2147483647, 50)) ids (id)`,
      [article_id],
    );
    const expectPages = async () => {
      const live = `SELECT count(*) FROM purchases WHERE deleted_at IS NULL`;
      const { count } = (await own.database.query<{ count: number }>(live))[0]!;
      for (const sort of ['id', '-id', 'code']) {
        const { body } = await viewer.get(`/purchases?sort=${sort}&page=1&per_page=9`);
        expect(body).toMatchObject({ meta: { total: count, last_page: Math.ceil(count / 9) } });
        const paged = await readByPage(viewer, `/purchases?sort=${sort}&per_page=9`);
        expect(idsOf(paged)).toEqual(idsOf(await readByCursor(viewer, `/purchases?sort=${sort}`)));
        expect((await viewer.get(`/purchases?sort=${sort}&page=1000000`)).body.data).toEqual([]);
      }
    };
    await expectPages();
    const ids = idsOf(await readByCursor(viewer, '/purchases'));
    for (const id of ids.slice(3, 20)) await manager.delete(`/purchases/${id}`);
    await manager.post(`/purchases/${ids[5]}/restore`, {});
    await manager.post('/purchases', { article_id, purchase_date: '2026-01-15' });
    await own.database.query('BEGIN; UPDATE purchases SET deleted_at = now(); ROLLBACK');
    await expectPages();
    const counts = own.app.get(PurchaseCounts);
    await Promise.all([counts.addUp(), counts.addUp(), manager.delete(`/purchases/${ids[30]}`)]);
    await counts.addUp();
    await expectPages();
    expect(
      await own.database.query(`SELECT block FROM purchase_counts GROUP BY block HAVING count(*) > 1`),
    ).toEqual([]);
    await own.stop();
  });

  it('filters by each field, and by all together', async () => {
    const ids = { brand_id: (await rows.brand()).id, category_id: (await rows.category()).id };
    const its = await rows.article(ids);
    const all = { article_id: its.id, supplier_id: (await rows.supplier()).id };
    await rows.purchase({ code: 'filter by article', article_id: its.id, purchase_date: '2026-05-01' });
    await rows.purchase({ code: 'filter by supplier', supplier_id: all.supplier_id });
    await rows.purchase({ code: 'filter by all', ...all, purchase_date: '2026-05-02' });
    for (const [field, id] of Object.entries({ ...ids, article_id: its.id })) {
      expect(await codes(`${field}=${id}`)).toEqual(['filter by article', 'filter by all']);
    }
    expect(await codes(`supplier_id=${all.supplier_id}`)).toEqual(['filter by supplier', 'filter by all']);
    const days = { purchased_from: '2026-05-02', purchased_to: '2026-05-02' };
    const query = new URLSearchParams({
      ...ids,
      ...all,
      ...days,
      code: 'FILTER by all',
      search: 'filter',
    }).toString();
    expect(await codes(query)).toEqual(['filter by all']);
    expect(await codes(query.replace('code=FILTER', 'code=other'))).toEqual([]);
  });

  it('filters by who has it, and takes it back', async () => {
    const tier = await tierOf(lists, 'Croix-Rouge');
    const fields = { assigned_to: 'Éloïse Le Goff', assigned_tier_id: tier.id };
    const { id, code } = await rows.purchase(fields);
    const manager = lists.as('manager');
    for (const query of ['assigned_to=eloise%20LE', `assigned_tier_id=${tier.id}`, 'assigned_to=gOff'])
      expect(await codes(query)).toEqual([code]);
    expect(await codes('assigned_to=Le%25Goff')).toEqual([]);
    expect((await manager.get(`/purchases/labels?format=zpl&assigned_tier_id=${tier.id}`)).status).toBe(200);
    const change = (changes: object) => manager.patch(`/purchases/${id}`, changes);
    expect(refused(await change({ assigned_tier_id: 2147483647 }))).toEqual(['assigned_tier_id']);
    const { body } = await change({ assigned_to: null, assigned_tier_id: null });
    expect([body.assigned_to, body.assigned_tier_id, body.assigned_tier]).toEqual([null, null, null]);
    expect(await codes(`assigned_tier_id=${tier.id}`)).toEqual([]);
  });

  it('filters by days, both included', async () => {
    const article_id = (await rows.article()).id;
    for (const day of ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']) {
      await rows.purchase({ article_id, code: `bought ${day}`, purchase_date: day });
    }
    const days = async (query: string) =>
      (await codes(`article_id=${article_id}&${query}`)).map((code) => code.slice(-2));
    expect(await days('purchased_from=2026-02-28')).toEqual(['28', '01', '02']);
    expect(await days('purchased_to=2026-02-28')).toEqual(['27', '28']);
    expect(await days('purchased_from=2026-02-28&purchased_to=2026-03-01')).toEqual(['28', '01']);
    expect(await days('purchased_from=2026-03-01&purchased_to=2026-02-28')).toEqual([]);
    for (const name of ['purchased_from', 'purchased_to']) {
      for (const day of ['2026-02-30', '2026-02', 'today', '', '2026-02-28T00:00:00Z']) {
        expect(refused(await lists.as('viewer').get(`/purchases?${name}=${day}`))).toEqual([name]);
      }
    }
  });

  it('takes the code as a whole, whatever the case, and refuses an empty one', async () => {
    expect(await codes('code=B-1')).toEqual(['b-1']);
    expect(await codes('code=10')).toEqual(['10']);
    for (const code of ['b', '-1', '%25', 'B_1', '00010']) expect(await codes(`code=${code}`)).toEqual([]);
    for (const code of ['', '%20', '%00']) {
      expect(refused(await lists.as('viewer').get(`/purchases?code=${code}`))).toEqual(['code']);
    }
  });

  it('finds codes, serial numbers and articles whatever the case and the accents, anywhere', async () => {
    const its = await rows.article({ name: 'Vidéoprojecteur', reference: 'VP-77' });
    await rows.purchase({ article_id: its.id, code: 'Réf.Œ.1', serial_number: 'SÉR/42' });
    for (const text of ['REF.', 'œ.1', 'f.oe', 'ser/4', 'É'.concat('r/42'), 'VIDEO', 'projecteur', 'vp-77']) {
      expect(await codes(`search=${encodeURIComponent(text)}`)).toEqual(['Réf.Œ.1']);
    }
    await lists.as('manager').patch(`/articles/${its.id}`, { name: 'Projector' });
    expect(await codes('search=video')).toEqual([]);
    expect(await codes('search=projector')).toEqual(['Réf.Œ.1']);
  });

  it('takes %, _ and \\ literally', async () => {
    for (const text of ['%', '_', '\\']) {
      await rows.purchase({ code: `lit«${text}»`, serial_number: `no«${text}»` });
      await rows.purchase({ code: `lit«x${text}x»`, serial_number: 'no«x»' });
      for (const search of [`lit«${text}»`, `no«${text}»`]) {
        expect(await codes(`search=${encodeURIComponent(search)}`)).toEqual([`lit«${text}»`]);
      }
    }
  });

  it.each(['id', '-code', 'purchase_price', '-purchase_date'])(
    'loses and repeats nothing while rows come and go (sort=%s)',
    async (sort) => {
      const article_id = (await rows.article()).id;
      const fields = (at: number) => ({
        article_id,
        purchase_price: at % 3 ? at % 5 : null,
        purchase_date: `2026-01-0${1 + (at % 3)}`,
      });
      const kept: string[] = [];
      const spare: number[] = [];
      for (let at = 0; at < 20; at++) {
        const { id, code } = await rows.purchase(fields(at));
        if (at % 3) kept.push(code);
        else spare.push(id);
      }
      const read = await readByCursor(
        lists.as('viewer'),
        `/purchases?article_id=${article_id}&per_page=3&sort=${sort}`,
        async () => {
          const gone = spare.pop();
          if (gone === undefined) return;
          await lists.as('manager').delete(`/purchases/${gone}`);
          await rows.purchase(fields(gone));
        },
      );
      const found = read.map(({ code }) => code);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(kept));
    },
  );
});
