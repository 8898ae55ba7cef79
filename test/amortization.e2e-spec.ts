/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import readWorkbook from 'read-excel-file/node';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

let app: TestApp;
let make: Factories;
/** Its fiscal years begin on 1 August. */
let august: TestApp;

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
  august = await startApp({ FISCAL_YEAR_START: '08-01' }, app.database);
});
afterAll(async () => {
  await august.stop();
  await app.stop();
});

const get = (path: string) => app.as('viewer').get(path);
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(new Date());

/** The process ids of the connections that read a table or its sums. */
const reading = async (): Promise<number[]> => {
  const rows = await app.database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'COPY%' AND query NOT LIKE '%inventory_lines%' AND state <> 'idle'`,
  );
  return rows.map(({ pid }) => pid);
};
/** Of the whole process. Idle connections have one each. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let time = 0; time < 500 && !(await holds()); time++) await sleep(10);
  expect(await holds()).toBe(true);
}

const LINEAR = { method: 'linear', duration_years: 5 };
const DECLINING = { method: 'declining', duration_years: 5, declining_coefficient: 1.75 };

/** A purchase of an article with this amortization category, of its own unless it is given. */
async function bought(category: Record<string, unknown>, fields: Record<string, unknown>): Promise<any> {
  const { id: amortization_category_id } =
    'id' in category ? category : await make.amortizationCategory({ ...category });
  const { id: article_id } = await make.article({ amortization_category_id });
  return make.purchase({ article_id, ...fields });
}

describe('GET /purchases/{id}/amortization', () => {
  it('linear, over calendar years', async () => {
    const { id } = await bought(LINEAR, { purchase_price: 10_000, purchase_date: '2026-04-01' });
    const { status, body } = await get(`/purchases/${id}/amortization`);
    expect(status).toBe(200);
    const { schedule, ...terms } = body;
    expect(terms).toEqual({
      method: 'linear', duration_years: 5, rate: 0.2, coefficient: null, base: 10_000, starts_on: '2026-04-01',
    }); // prettier-ignore
    expect(schedule.map(({ annuity }: any) => annuity)).toEqual([1500, 2000, 2000, 2000, 2000, 500]);
    expect(schedule[0]).toEqual({
      fiscal_year: '2026', from: '2026-04-01', to: '2026-12-31',
      opening: 10_000, annuity: 1500, accumulated: 1500, closing: 8500,
    }); // prettier-ignore
    expect(schedule.at(-1)).toEqual({
      fiscal_year: '2031', from: '2031-01-01', to: '2031-03-31',
      opening: 500, annuity: 500, accumulated: 10_000, closing: 0,
    }); // prettier-ignore
  });

  it('linear, over fiscal years, from the day in service', async () => {
    const { id } = await bought(LINEAR, {
      purchase_price: 13_000, purchase_date: '2022-01-31', in_service_date: '2022-03-10',
    }); // prettier-ignore
    const { body } = await august.as('viewer').get(`/purchases/${id}/amortization`);
    expect(body.starts_on).toBe('2022-03-10');
    expect(body.schedule.map(({ fiscal_year, annuity }: any) => [fiscal_year, annuity])).toEqual([
      ['2021-2022', 1018.33],
      ['2022-2023', 2600],
      ['2023-2024', 2600],
      ['2024-2025', 2600],
      ['2025-2026', 2600],
      ['2026-2027', 1581.67],
    ]);
    expect(body.schedule.at(-1).to).toBe('2027-03-09');
  });

  it('declining, from the first of the month of purchase', async () => {
    const { id } = await bought(DECLINING, {
      purchase_price: 10_000, purchase_date: '2026-04-17', in_service_date: '2026-09-01',
    }); // prettier-ignore
    const { body } = await get(`/purchases/${id}/amortization`);
    expect(body).toMatchObject({
      method: 'declining',
      rate: 0.35,
      coefficient: 1.75,
      starts_on: '2026-04-01',
    });
    expect(body.schedule.map(({ annuity }: any) => annuity)).toEqual([
      2625, 2581.25, 1677.81, 1557.97, 1557.97,
    ]);
  });

  it('is empty without an amortization category, and without a price', async () => {
    const nothing = {
      method: null,
      duration_years: null,
      rate: null,
      coefficient: null,
      starts_on: null,
      schedule: [],
    };
    const { id } = await make.purchase({ purchase_price: 10 });
    expect((await get(`/purchases/${id}/amortization`)).body).toEqual({ ...nothing, base: 10 });
    const { id: unpriced } = await bought(LINEAR, {});
    expect((await get(`/purchases/${unpriced}/amortization`)).body).toEqual({ ...nothing, base: null });
    const { id: given } = await bought(LINEAR, { purchase_price: 0 });
    const { body } = await get(`/purchases/${given}/amortization`);
    expect([body.base, body.schedule.length, body.schedule.at(-1).closing]).toEqual([0, 6, 0]);
  });

  it('is not found where the purchase is not', async () => {
    const { id } = await make.purchase();
    await app.as('manager').delete(`/purchases/${id}`);
    for (const gone of [id, 2147483647, 2147483648, 0, 'x'])
      expect((await get(`/purchases/${gone}/amortization`)).status).toBe(404);
    expect(refused(await get(`/purchases/1/amortization?on=2026-01-01`))).toEqual(['on']);
  });
});

describe('net_book_value', () => {
  it('is that of today in the detail and behind a code, as the schedule has it', async () => {
    const purchase = await bought(LINEAR, { purchase_price: 3600, purchase_date: today() });
    expect(purchase.net_book_value).toBe(3598); // two a day
    expect((await get(`/purchases/${purchase.id}`)).body.net_book_value).toBe(3598);
    expect((await get(`/scan/${purchase.code}`)).body.net_book_value).toBe(3598);
    const path = `/purchases/${purchase.id}`;
    const { body } = await app.as('manager').patch(path, { purchase_date: '1999-01-01' });
    expect(body.net_book_value).toBe(0);
  });

  it('is null where nothing is amortized', async () => {
    const unpriced = await bought(DECLINING, {});
    const { id, code } = await make.purchase({ purchase_price: 10 });
    for (const path of [`/purchases/${unpriced.id}`, `/purchases/${id}`, `/scan/${code}`])
      expect((await get(path)).body.net_book_value).toBeNull();
  });

  it('is in no list and in no scan', async () => {
    const { id, code } = await bought(LINEAR, { purchase_price: 3600 });
    const { body: session } = await app
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: today() });
    const lists = [`/purchases?code=${code}`, `/inventories/${session.id}/unscanned?code=${code}`];
    for (const path of lists) {
      const [row] = (await get(path)).body.data;
      expect([row.id, 'net_book_value' in row]).toEqual([id, false]);
    }
    const { body } = await app.as('manager').post(`/inventories/${session.id}/scan`, { code });
    expect(Object.keys(body.purchase)).toEqual(['id', 'code', 'article']);
  });

  it('changes the entity tag of a purchase with the day, and only then', async () => {
    const [late, early] = await Promise.all(
      ['Etc/GMT+12', 'Pacific/Kiritimati'].map((zone) => startApp({ TIME_ZONE: zone }, app.database)),
    );
    const tagsOf = async (fields: Record<string, unknown>) => {
      const { id } = await bought(LINEAR, { purchase_price: 999_999, ...fields });
      const answers = await Promise.all(
        [late, early].map((one) => one!.as('viewer').get(`/purchases/${id}`)),
      );
      const values = answers.map(({ body }) => body.net_book_value);
      return [values, answers.map(({ headers }) => headers.get('etag'))];
    };
    const [values, tags] = (await tagsOf({ purchase_date: '2025-01-01' })) as [number[], string[]];
    // A 31st is a 30th: its value is that of the day before.
    expect(tags[0] === tags[1]).toBe(values[0] === values[1]);
    const [ended, same] = (await tagsOf({ purchase_date: '2010-01-01' })) as [number[], string[]];
    expect(ended).toEqual([0, 0]);
    expect(same[0]).toBe(same[1]);
    await late!.stop();
    await early!.stop();
  });
});

describe('GET /amortization', () => {
  const sumsOf = async (id: number | null, on: string) =>
    (await get(`/amortization?on=${on}`)).body.data.find(
      ({ category }: any) => (category?.id ?? null) === id,
    );

  it('sums what was bought by a day, by amortization category', async () => {
    const category = await make.amortizationCategory(LINEAR);
    await bought(category, { purchase_price: 10_000, purchase_date: '2026-04-01' });
    await bought(category, { purchase_price: 0.1, purchase_date: '2010-01-01' });
    await bought(category, { purchase_date: '2026-01-01' }); // without a price
    await bought(category, { purchase_price: 77, purchase_date: '2027-01-01' });
    const { id } = await bought(category, { purchase_price: 88, purchase_date: '2026-01-01' });
    await app.as('manager').delete(`/purchases/${id}`);
    const named = { category: { id: category.id, name: category.name } };
    expect(await sumsOf(category.id, '2026-12-31')).toEqual({
      ...named, count: 3, gross: 10_000.1, accumulated: 1500.1, net: 8500,
    }); // prettier-ignore
    expect(await sumsOf(category.id, '2026-03-31')).toMatchObject({ count: 2, gross: 0.1, net: 0 });
    expect(await sumsOf(category.id, '2200-12-31')).toMatchObject({ count: 4, gross: 10_077.1, net: 0 });
    expect(await sumsOf(category.id, '2009-12-31')).toBeUndefined();
  });

  it('takes what has no category for a row of its own, worth what it was bought for, at the end', async () => {
    await make.purchase({ purchase_price: 12.34, purchase_date: '1990-01-01' });
    await make.purchase({ purchase_date: '1990-01-01' });
    const { body } = await get('/amortization?on=1990-12-31');
    const sums = { count: 2, gross: 12.34, accumulated: 0, net: 12.34 };
    expect(body).toEqual({ on: '1990-12-31', data: [{ category: null, ...sums }], total: sums });
    expect((await get('/amortization')).body.data.at(-1).category).toBeNull();
  });

  it('is that of today unless told otherwise, in TIME_ZONE', async () => {
    const { body } = await get('/amortization');
    expect(body.on).toBe(today());
    expect(body).toEqual((await get(`/amortization?on=${today()}`)).body);
  });

  it('adds up to the net book values of its purchases, whatever they are', async () => {
    const price = fc.option(fc.integer({ min: 0, max: 999_999_999_999 }).map((cents) => cents / 100));
    const day = fc
      .date({ min: new Date('1995-01-01'), max: new Date('2050-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const terms = fc.oneof(
      fc.record({ method: fc.constant('linear'), duration_years: fc.integer({ min: 1, max: 20 }) }),
      fc.record({
        method: fc.constant('declining'),
        duration_years: fc.integer({ min: 1, max: 20 }),
        declining_coefficient: fc.constantFrom(1.25, 1.75, 2.25),
      }),
    );
    // What is in service before it was bought came to the books in a year that earlier reports do not know it in.
    const fields = fc
      .record({ purchase_price: price, purchase_date: day, in_service_date: fc.option(day) })
      .map(({ in_service_date: first, ...one }) => ({
        ...one,
        in_service_date: first && (first < one.purchase_date ? one.purchase_date : first),
      }));
    await fc.assert(
      fc.asyncProperty(terms, fc.array(fields, { minLength: 1, maxLength: 4 }), day, async (of, all, on) => {
        const category = await make.amortizationCategory(of);
        const { id: article_id } = await make.article({ amortization_category_id: category.id });
        let [count, gross, net] = [0, 0, 0];
        for (const one of all) {
          const { id } = await make.purchase({ article_id, ...one });
          if (one.purchase_date > on) continue;
          count++;
          const { base, schedule } = (await get(`/purchases/${id}/amortization`)).body;
          if (schedule.length === 0) continue;
          const past = schedule.filter(({ to }: any) => to <= on).at(-1);
          const running = schedule.find(({ from, to }: any) => from <= on && on < to);
          gross += Math.round(base * 100);
          // Of a running year no more is known here than between what it opens and closes with.
          net += Math.round((running ? NaN : (past?.closing ?? base)) * 100);
        }
        const sums = (await sumsOf(category.id, on)) ?? { count: 0, gross: 0, net: 0 };
        expect(sums.count).toBe(count);
        expect(Math.round(sums.gross * 100)).toBe(gross);
        if (!Number.isNaN(net)) expect(Math.round(sums.net * 100)).toBe(net);
      }),
      { numRuns: 25 },
    );
  });

  describe('with format=csv or xlsx', () => {
    const FIELDS = [
      'code', 'article', 'category', 'amortization_category', 'purchase_date', 'in_service_date',
      'method', 'duration_years', 'gross', 'accumulated', 'annuity', 'net',
    ]; // prettier-ignore
    /** The bytes of an answer, and its headers. */
    const download = (query: string, headers: Record<string, string> = {}, on = app) =>
      fetch(`${on.url}/api/v1/amortization?${query}`, {
        headers: { authorization: `Bearer ${on.as('viewer').token}`, ...headers },
      });
    /** Ends the connection with the first of the answer. */
    const hangUp = (query: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${app.as('viewer').token}` };
        const request = http.get(
          `${app.url}/api/v1/amortization?${query}`,
          { agent: false, headers },
          (answer) =>
            answer.once('data', () => {
              request.destroy();
              resolve();
            }),
        );
        request.on('error', reject);
      });
    const header = (answer: Response, name: string) => answer.headers.get(name);

    it('is the table of fixed assets, a line for each', async () => {
      const category = await make.category();
      const amortization = await make.amortizationCategory(LINEAR);
      const article = await make.article({
        name: '=HYPERLINK("x"), é', category_id: category.id, amortization_category_id: amortization.id,
      }); // prettier-ignore
      const dates = { purchase_date: '1950-01-01', in_service_date: '1950-04-01' };
      const first = await make.purchase({ article_id: article.id, purchase_price: 10_000, ...dates });
      const second = await make.purchase({ purchase_price: 5.5, purchase_date: '1950-01-01' });
      const third = await make.purchase({ purchase_date: '1951-12-31' });
      await make.purchase({ purchase_date: '1952-01-01' });
      const lines: unknown[][] = [
        [first.code, article.name, category.name, amortization.name, '1950-01-01', '1950-04-01'],
        [
          second.code,
          second.article.name,
          null,
          null,
          '1950-01-01',
          '1950-01-01',
          null,
          null,
          5.5,
          0,
          0,
          5.5,
        ],
        [
          third.code,
          third.article.name,
          null,
          null,
          '1951-12-31',
          '1951-12-31',
          null,
          null,
          null,
          null,
          null,
          null,
        ],
      ];
      const amounts = [10_000, 3500, 2000, 6500];

      const csv = await download('format=csv&on=1951-12-31');
      expect([csv.status, header(csv, 'content-type')]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      expect(header(csv, 'content-disposition')).toBe(
        'attachment; filename="immobilisations-1951-12-31.csv"',
      );
      const bytes = Buffer.from(await csv.arrayBuffer());
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
      const texts = (row: unknown[]) =>
        row.map((cell, at) =>
          cell === null ? '' : at > 7 ? Number(cell).toFixed(2) : String(cell as string | number),
        );
      expect(parse(bytes, { bom: true })).toEqual([
        FIELDS,
        texts([...lines[0]!, 'linear', 5, ...amounts]).map((cell, at) => (at === 1 ? `'${cell}` : cell)),
        ...lines.slice(1).map(texts),
      ]);

      const xlsx = await download('format=xlsx&on=1951-12-31');
      expect(header(xlsx, 'content-type')).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
      expect(header(xlsx, 'content-disposition')).toBe(
        'attachment; filename="immobilisations-1951-12-31.xlsx"',
      );
      const [sheet] = await readWorkbook(Buffer.from(await xlsx.arrayBuffer()));
      expect(sheet!.sheet).toBe('Immobilisations');
      expect(sheet!.data[0]).toEqual(expect.arrayContaining(['Code', 'Date d’achat', 'Valeur nette']));
      const dated = (row: unknown[]) =>
        row.map((cell, at) => (at === 4 || at === 5 ? new Date(`${String(cell)}T00:00:00Z`) : cell));
      expect(sheet!.data.slice(1)).toEqual([
        dated([...lines[0]!, 'Linéaire', 5, ...amounts]),
        ...lines.slice(1).map(dated),
      ]);
      const english = await download('format=xlsx&on=1951-12-31', { 'accept-language': 'en' });
      expect((await readWorkbook(Buffer.from(await english.arrayBuffer())))[0]!.data[1]![6]).toBe('Linear');
    });

    it('adds up to the sums, with the annuity of the fiscal year until then', async () => {
      for (const on of ['2026-12-31', '2027-02-14', '2011-07-31'])
        for (const one of [app, august]) {
          const { total } = (await one.as('viewer').get(`/amortization?on=${on}`)).body;
          const text = await (await download(`format=csv&on=${on}`, {}, one)).text();
          const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
          const sum = (field: string) =>
            Math.round(rows.reduce((all, row) => all + Number(row[field]) * 100, 0)) / 100;
          expect(rows).toHaveLength(total.count);
          for (const field of ['gross', 'accumulated', 'net'])
            expect([field, sum(field)]).toEqual([field, total[field]]);
          const yearBefore =
            one === august
              ? { '2026-12-31': '2026-07-31', '2027-02-14': '2026-07-31', '2011-07-31': '2010-07-31' }
              : { '2026-12-31': '2025-12-31', '2027-02-14': '2026-12-31', '2011-07-31': '2010-12-31' };
          const before = (await one.as('viewer').get(`/amortization?on=${yearBefore[on as '2026-12-31']}`))
            .body.total;
          expect(sum('annuity')).toBeCloseTo(total.accumulated - before.accumulated, 2);
        }
    });

    it('CSV comes packed where the client takes that, and HEAD tells of it', async () => {
      const plain = await download('format=csv', { 'accept-encoding': 'identity' });
      const packed = await download('format=csv', { 'accept-encoding': 'gzip' });
      expect([header(plain, 'content-encoding'), header(packed, 'content-encoding')]).toEqual([null, 'gzip']);
      expect(header(packed, 'vary')).toBe('Accept-Encoding');
      expect(await packed.text()).toBe(await plain.text());
      const book = await download('format=xlsx', { 'accept-encoding': 'gzip' });
      expect(header(book, 'content-encoding')).toBeNull();
      await book.arrayBuffer();
      const { status, headers, text } = await app.as('viewer').send('HEAD', '/amortization?format=csv');
      expect([status, headers.get('content-disposition'), text]).toEqual([
        200, `attachment; filename="immobilisations-${today()}.csv"`, '',
      ]); // prettier-ignore
    });

    it('stops reading where the client hangs up, and gives its connection back', async () => {
      const { id } = await make.article({ name: 'long '.repeat(51) });
      // Without triggers, which would take most of the time: what is read is what matters.
      await app.database.query(
        `DO $$ BEGIN
           SET LOCAL session_replication_role = replica;
           INSERT INTO purchases (article_id, code, purchase_date)
           SELECT ${id}, 'MANY-' || n, '1970-01-01' FROM generate_series(1, 20000) n;
         END $$`,
      );
      const before = timers();
      for (let time = 0; time < 12; time++) await hangUp(`format=${time % 2 ? 'csv' : 'xlsx'}`);
      expect((await get('/amortization?on=1970-01-01')).body.total.count).toBeGreaterThanOrEqual(20_000);
      await until(async () => (await reading()).length === 0);
      expect(timers()).toBeLessThan(before + 6); // one for each of them would keep the process alive
    });

    it('is one of those, and asked by who may', async () => {
      for (const format of ['pdf', 'CSV', '', 'csv,xlsx'])
        expect([format, refused(await get(`/amortization?format=${format}`))]).toEqual([format, ['format']]);
      expect((await get('/amortization?format=json')).body.total).toBeDefined();
      expect((await (await app.asNewUser('stranger')).get('/amortization?format=csv')).status).toBe(403);
    });
  });

  it.each(['json', 'csv', 'xlsx'])('reads nothing for a client that hung up before: %s', async (format) => {
    await make.purchase();
    const before = timers();
    for (let time = 0; time < 8; time++) {
      const holder = new pg.Client({ connectionString: app.database.url });
      await holder.connect();
      await holder.query('BEGIN; LOCK TABLE purchases');
      const headers = { authorization: `Bearer ${app.as('viewer').token}` };
      const url = `${app.url}/api/v1/amortization?format=${format}`;
      const request = http.get(url, { agent: false, headers }).on('error', () => undefined);
      await until(async () => (await reading()).length === 1);
      const [pid] = await reading();
      request.destroy();
      await sleep(20);
      await holder.end();
      // One that was read to its end would wait for the next.
      const isOpen = `SELECT FROM pg_stat_activity WHERE pid = $1`;
      await until(async () => (await app.database.query(isOpen, [pid])).length === 0);
    }
    expect(timers()).toBeLessThan(before + 6);
  });

  it('refuses another day than one of 1900 to 2200, and what it does not know', async () => {
    for (const on of ['1900-01-01', '2200-12-31'])
      expect((await get(`/amortization?on=${on}`)).status).toBe(200);
    for (const on of [
      '1899-12-31',
      '2201-01-01',
      '0000-01-01',
      '9999-01-01',
      '2026-02-29',
      '2026-1-1',
      'x',
      '',
    ])
      expect([on, refused(await get(`/amortization?on=${on}`))]).toEqual([on, ['on']]);
    expect(refused(await get('/amortization?on=2026-01-01&on=2026-01-01'))).toEqual(['on']);
    expect(refused(await get('/amortization?page=1'))).toEqual(['page']);
  });

  it('needs reports.view', async () => {
    expect((await app.anonymous.get('/amortization')).status).toBe(401);
    expect((await (await app.asNewUser('stranger')).get('/amortization')).status).toBe(403);
  });
});
