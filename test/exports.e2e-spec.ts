import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { commands } from '../src/commands.js';
import { loadEnv } from '../src/config/env.js';
import { UsageError } from '../src/common/command-line.js';
import { Sql } from '../src/database/sql.js';
import { startApp } from './support/app.js';
import type { RoleName, TestApp } from './support/app.js';
import type { Answer } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importFile, importText } from './support/import.js';

let app: TestApp;
let make: Factories;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  make = factories(app);
  folder = mkdtempSync(join(tmpdir(), 'recense-export-'));
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

const begin = (path: string, headers: Record<string, string> = {}, role: RoleName = 'admin') => {
  const { url, token } = app.as(role);
  return fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
};
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const csv = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await bytesOf(await begin(path, headers))).toString();
const rowsOf = (text: string, delimiter = ';'): string[][] => parse(text, { delimiter, bom: true });
const ENGLISH = { 'accept-language': 'en' };

const KINDS = [
  'brands', 'categories', 'amortization-categories', 'suppliers', 'locations', 'articles', 'tiers', 'purchases', 'equipments',
]; // prettier-ignore
const OF_A_SESSION = ['unscanned', 'scans', 'unexpected', 'misplaced', 'unknown-codes', 'late-scans'];
const LISTS = [...KINDS, 'inventories', 'users', 'roles', 'audit', 'me/tokens'];

describe('a list as a file', () => {
  let session: number;
  beforeAll(async () => {
    const place = await make.location({ name: 'Siège' });
    const purchase = await make.purchase({ location_id: place.id, purchase_price: 1161.7, notes: 'a\n"b"' });
    await make.amortizationCategory({ method: 'declining', declining_coefficient: 1.75 });
    for (const kind of ['brand', 'category', 'supplier', 'equipment', 'tier'] as const) await make[kind]();
    const fields = { year: 2026, inventory_date: '2026-11-16' };
    session = (await app.as('manager').post('/inventories', fields)).body.id;
    for (const code of [purchase.code, 'unknown'])
      await app.as('manager').post(`/inventories/${session}/scan`, { code });
    await make.purchase();
  });

  it.each([...LISTS, ...OF_A_SESSION])('%s has every row of the list, as CSV and XLSX', async (list) => {
    const path = `/${OF_A_SESSION.includes(list) ? `inventories/${session}/` : ''}${list}`;
    const answer = await begin(`${path}?format=csv`);
    const { status, headers } = answer;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const name = `${path.slice(1).replaceAll('/', '-')}-\\d{4}-\\d\\d-\\d\\d\\.csv`;
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${name}"$`));
    const [header, ...rows] = rowsOf(await answer.text());
    const { data, meta } = (await app.as('admin').get(`${path}?per_page=200`)).body;
    expect(rows.length).toBe(meta.total);
    if (!KINDS.includes(list) && list !== 'unscanned' && data[0])
      expect(header).toEqual(Object.keys(data[0]));
    const sheet = await readSheet(await bytesOf(await begin(`${path}?format=xlsx`)));
    expect([sheet[0], sheet.length]).toEqual([header, rows.length + 1]);
  });

  it('is asked for by Accept too, and is another one for who reads English', async () => {
    const french = await csv('/purchases?format=csv');
    const header =
      'article;purchase_date;code;purchase_price;supplier;location;warranty_end_date;in_service_date;serial_number;notes;epc;gs1;assigned_to;assigned_tier;disposal_date;disposal_reason;disposal_proceeds;disposal_note\r\n';
    expect(french.startsWith(`\ufeff${header}`)).toBe(true);
    expect(french).toContain(';1161,70;;Siège;;;;"a\n""b""";;;;;;;;\r\n');
    const english = await csv('/purchases', { accept: 'text/csv', ...ENGLISH });
    expect(english.startsWith(`\ufeff${header.replaceAll(';', ',')}`)).toBe(true);
    expect(english).toContain(',1161.70,');
    for (const tab of ['tab', '%09'])
      expect(await csv(`/purchases?format=csv&delimiter=${tab}`, ENGLISH)).toContain(
        'article\tpurchase_date',
      );
    for (const semicolon of ['%3B', 'semicolon'])
      expect(await csv(`/purchases?format=csv&delimiter=${semicolon}`, ENGLISH)).toBe(french);
    // As it names itself, and as HTTP clients write it that add the character set to every text.
    for (const accept of ['text/csv;charset=utf-8', 'text/csv; charset=UTF-8; header=present;q=0.9'])
      expect(await csv('/purchases', { accept, ...ENGLISH })).toBe(english);
    const json = ['application/json', '*/*', 'application/json, text/csv;q=0.5'];
    for (const accept of [...json, 'application/json; charset=utf-8, text/csv;q=0.5'])
      expect(JSON.parse(await csv('/purchases', { accept })).meta.total).toBe(2);
    expect(JSON.parse(await csv('/purchases?format=json', { accept: 'text/csv' })).meta.total).toBe(2);
  });

  it('is the whole list or nothing, for who may read it', async () => {
    const get = (query: string) => app.as('admin').get(`/purchases?${query}`);
    for (const field of ['page', 'per_page', 'cursor'])
      expect(refused(await get(`format=csv&${field}=1`))).toEqual([field]);
    expect(refused(await get('format=csv&updated_since=2026-01-01T00:00:00Z'))).toEqual(['format']);
    expect(refused(await get('format=pdf'))).toEqual(['format']);
    expect(refused(await get('format=csv&delimiter=x'))).toEqual(['delimiter']);
    expect(refused(await get('format=csv&brand=1'))).toEqual(['brand']);
    expect((await begin('/users?format=csv', {}, 'manager')).status).toBe(403);
    expect((await begin('/purchases?format=csv&deleted=true', {}, 'viewer')).status).toBe(403);
    expect((await begin('/inventories/999/scans?format=csv')).status).toBe(404);
  });

  it.each(['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'])(
    'is the whole list or nothing, also where Accept asks for it: %s',
    async (accept) => {
      for (const field of ['page', 'per_page', 'cursor', 'updated_since=2026-01-01T00:00:00Z']) {
        const query = field.includes('=') ? field : `${field}=1`;
        const answer = await app.as('admin').get(`/purchases?${query}`, { accept });
        expect(refused(answer)).toEqual([field.split('=')[0]]);
      }
    },
  );

  it('HEAD says what GET says', async () => {
    const asked: [string, number, Record<string, string>?][] = [
      ['/purchases?format=csv', 200],
      ['/purchases?format=xlsx', 200],
      ['/purchases', 200, { accept: 'text/csv' }],
      [`/inventories/${session}/scans?format=csv`, 200],
      ['/inventories/999999/scans?format=csv', 404],
      ['/inventories/999999/scans', 404, { accept: 'text/csv' }],
      ['/purchases/999999/history?format=csv', 404],
      ['/purchases?format=csv&brand=1', 422],
      ['/purchases?format=csv&page=1', 422],
      ['/purchases?format=csv&updated_since=2026-01-01T00:00:00Z', 422],
      ['/purchases?updated_since=2026-01-01T00:00:00Z', 422, { accept: 'text/csv' }],
    ];
    const told = ({ headers }: Answer) =>
      ['content-type', 'content-disposition', 'content-encoding', 'vary'].map((name) => headers.get(name));
    for (const [path, status, headers] of asked) {
      const get = await app.as('admin').send('GET', path, undefined, headers);
      const head = await app.as('admin').send('HEAD', path, undefined, headers);
      expect([path, head.status, head.text, get.status]).toEqual([path, status, '', status]);
      expect([path, told(head)]).toEqual([path, told(get)]);
    }
    expect((await app.as('viewer').send('HEAD', '/users?format=csv')).status).toBe(403);
  });

  it('keeps to the filters and the order, beyond a batch, as of one instant', async () => {
    const { id } = await make.article({ name: 'Many' });
    await app.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date, purchase_price, notes)
       SELECT $1, 'MANY-' || n, '2026-01-01'::date + (n * 7919) % 400, (n * 31) % 1000, repeat('before', 100)
       FROM generate_series(1, 2500) n`,
      [id],
    );
    const note = (text: string) =>
      app.database.query(`UPDATE purchases SET notes = repeat($2, 100) WHERE article_id = $1`, [id, text]);
    for (const sort of ['-purchase_date', 'purchase_price', '-code', 'id']) {
      const answer = await begin(
        `/purchases?article_id=${id}&sort=${sort}&format=csv&purchased_from=2026-02-01`,
      );
      if (sort === 'id') await note('after');
      const rows = rowsOf(await answer.text()).slice(1);
      const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
      const expected = await app.database.query<{ code: string }>(
        `SELECT code FROM purchases WHERE article_id = $1 AND purchase_date >= '2026-02-01'
         ORDER BY ${sort.replace('-', '')} ${direction}, id ${direction}`,
        [id],
      );
      expect(rows.map((row) => row[2])).toEqual(expected.map(({ code }) => code));
      expect(new Set(rows.map((row) => row[9]))).toEqual(new Set(['before'.repeat(100)]));
    }
  });
});

describe('a snapshot', () => {
  it('is over once all is read that was asked for, also where nobody waits for it any more', async () => {
    const sql = app.app.get(Sql);
    let asked: Promise<object[]> | undefined;
    const gone = sql.snapshot((snapshot) => {
      asked = snapshot.within(async () => {
        await sql.query({ name: 'sleep', text: 'SELECT pg_sleep(0.1)' });
        return sql.query({ name: 'level', text: `SELECT current_setting('transaction_isolation') AS level` });
      });
      throw new Error('gone');
    });
    await expect(gone).rejects.toThrow('gone');
    expect(await asked).toEqual([{ level: 'repeatable read' }]);
  });
});

describe('export, import, export', () => {
  const exported = async (database: TestDatabase, kind: string, delimiter: string): Promise<string> => {
    const path = join(folder, 'file.csv');
    const options = [kind, path, '--delimiter', delimiter];
    expect(await commands.export!(options, database.url, loadEnv({}))).toBe(0);
    return readFileSync(path, 'utf8');
  };
  const ALPHABET = ['=', '+', '-', '@', "'", '"', ';', ',', '\t', '|', '\n', '\r', 'é', '1', 'x', ' '];
  const text = fc
    .array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join('').trim());

  /** The same fields of one's own in both, of every type. */
  const giveFields = ({ query }: TestDatabase) =>
    query(`INSERT INTO fields (name, key, applies_to, type, choices)
      SELECT type || ' of ' || holder, type || '_on', holder, type, CASE type WHEN 'choice' THEN ARRAY['=1+1', 'É;x'] END
      FROM unnest(ARRAY['text', 'number', 'date', 'boolean', 'choice']) type, unnest(ARRAY['article', 'purchase']) holder`);
  const OWN = `CASE n % 5 WHEN 0 THEN '{}' ELSE jsonb_strip_nulls(jsonb_build_object('text_on', nullif(t, ''),
      'number_on', CASE n % 3 WHEN 0 THEN n * 1.125 WHEN 1 THEN -1000 * n END,
      'date_on', '2026-03-04'::date + n::int, 'boolean_on', CASE n % 2 WHEN 0 THEN n % 4 = 0 END,
      'choice_on', CASE n % 3 WHEN 1 THEN '=1+1' WHEN 2 THEN 'É;x' END)) END`;

  /** Rows of every kind whose cells are made of what is difficult in CSV. */
  async function fill({ query }: TestDatabase): Promise<void> {
    const texts = fc.sample(text, { numRuns: 120, seed: 2026 }).map((one, at) => `${one}#${at}`);
    const insert = (sql: string) =>
      query(`${sql} FROM unnest($1::text[]) WITH ORDINALITY AS given (t, n) ORDER BY n`, [texts]);
    for (const table of ['brands', 'categories']) await insert(`INSERT INTO ${table} (name) SELECT t`);
    await insert(`INSERT INTO amortization_categories (name, method, duration_years, declining_coefficient)
      SELECT t, CASE n % 2 WHEN 0 THEN 'linear' ELSE 'declining' END, 1 + n % 9, CASE n % 2 WHEN 1 THEN 1.25 END`);
    await insert(`INSERT INTO suppliers (name, reference, phone, address, is_active)
      SELECT t, CASE n % 3 WHEN 0 THEN t || 'R' END, left(t, 50), t, n % 2 = 0`);
    await insert(`INSERT INTO locations (name, code) SELECT t, CASE n % 3 WHEN 0 THEN 'L-' || n END`);
    await query(`INSERT INTO locations (name, parent_id) SELECT '+' || id, id FROM locations ORDER BY id`);
    await insert(`INSERT INTO articles (name, reference, brand_id, category_id, amortization_category_id, is_active, fields)
      SELECT t, CASE n % 2 WHEN 0 THEN t || 'A' END, n, n, nullif(n, 1), n % 5 > 0, ${OWN}`);
    await insert(`INSERT INTO tiers (name, reference, city) SELECT t, t, t`);
    await insert(`INSERT INTO purchases (article_id, code, purchase_date, purchase_price, supplier_id, location_id,
        warranty_end_date, in_service_date, serial_number, notes, epc, gs1, assigned_to, assigned_tier_id, fields,
        disposed_on, disposal_reason, disposal_proceeds, disposal_note)
      SELECT n, regexp_replace(t, '[[:cntrl:]]', '', 'g'), '2026-01-01'::date + n::int, n * 1.1, n, n * 2 - n % 2,
        '2027-12-31', CASE n % 2 WHEN 0 THEN '2026-06-01'::date END, t, t,
        CASE n % 3 WHEN 0 THEN 'urn:epc:id:giai:0614141.%2F' || n END,
        CASE n % 4 WHEN 0 THEN ARRAY['(8004)0614141' || n, '(8003)00614141123452' || n] ELSE '{}' END,
        CASE n % 2 WHEN 0 THEN t END, nullif(n, 1), ${OWN},
        CASE n % 5 WHEN 0 THEN '2026-06-01'::date END, CASE n % 5 WHEN 0 THEN 'sold' END,
        CASE n % 10 WHEN 0 THEN n * 1000.1 END, CASE n % 5 WHEN 0 THEN t END`);
    await insert(`INSERT INTO equipments (name, reference, tier_id, notes) SELECT t, t, n, t`);
  }

  it('is the same file, whatever the cells hold', async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    for (const database of [from, to]) await giveFields(database);
    await fill(from);
    for (const kind of KINDS) {
      const delimiter = kind === 'purchases' ? ';' : ',';
      const file = await exported(from, kind, delimiter);
      const imported = await importText(to.url, kind, file);
      expect([kind, imported.said]).toEqual([kind, [expect.stringMatching(/: \d+ new, 0 updated\.$/)]]);
      expect(await exported(to, kind, delimiter)).toBe(file);
    }
    for (const database of [from, to]) await database.drop();
  }, 120_000);

  it.each([',', ';', 'tab', 'pipe'])(
    'is the same with one column, whatever separates: %s',
    async (delimiter) => {
      const [from, to] = [await createTestDatabase(), await createTestDatabase()];
      const names = ['Acme,', 'Chaises, tables', 'Écrans; claviers', 'a|b', 'Stylos'];
      await from.query(`INSERT INTO brands (name) SELECT unnest($1::text[])`, [names]);
      const file = await exported(from, 'brands', delimiter);
      expect((await importText(to.url, 'brands', file)).said).toEqual([
        'Imported 5 brands: 5 new, 0 updated.',
      ]);
      expect(await to.query(`SELECT name FROM brands ORDER BY id`)).toEqual(names.map((name) => ({ name })));
      for (const database of [from, to]) await database.drop();
    },
  );

  it('is the same where a name is also that of an article that has a reference', async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    await from.query(`INSERT INTO articles (name, reference) VALUES ('Chaise', 'C1'), ('Chaise', NULL)`);
    await from.query(
      `INSERT INTO purchases (article_id, code, purchase_date) SELECT id, 'P' || id, '2026-01-01' FROM articles`,
    );
    for (const kind of ['articles', 'purchases']) {
      const file = await exported(from, kind, ',');
      expect((await importText(to.url, kind, file)).code).toBe(0);
      expect(await exported(to, kind, ',')).toBe(file);
    }
    for (const database of [from, to]) await database.drop();
  });

  it('of a workbook is what it was, apostrophes included', async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const names = ["'+33 2 98", "''=1", '=1', "'x", 'x'];
    await from.query(`INSERT INTO brands (name) SELECT unnest($1::text[])`, [names]);
    const path = join(folder, 'brands.xlsx');
    expect(await commands.export!(['brands', path], from.url, loadEnv({}))).toBe(0);
    expect((await importFile(to.url, 'brands', path)).code).toBe(0);
    expect(await to.query(`SELECT name FROM brands ORDER BY id`)).toEqual(names.map((name) => ({ name })));
    for (const database of [from, to]) await database.drop();
  });

  it('of a workbook keeps what scanners send within codes, such as the separators of GS1', async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const serials = ['21A\x1d10B', 'a\x0bb', '_x001D_', 'a\r\nb\t\ufffe'];
    for (const { query } of [from, to]) await query(`INSERT INTO articles (name) VALUES ('Écran')`);
    await from.query(
      `INSERT INTO purchases (article_id, code, purchase_date, serial_number)
       SELECT a.id, 'GS-' || n, '2026-01-01', t FROM articles a, unnest($1::text[]) WITH ORDINALITY AS given (t, n)`,
      [serials],
    );
    const path = join(folder, 'purchases.xlsx');
    expect(await commands.export!(['purchases', path], from.url, loadEnv({}))).toBe(0);
    expect((await importFile(to.url, 'purchases', path)).code).toBe(0);
    expect(await to.query(`SELECT serial_number AS serial FROM purchases ORDER BY code`)).toEqual(
      serials.map((serial) => ({ serial })),
    );
    for (const database of [from, to]) await database.drop();
  });

  it('leaves what was there as it was, where it breaks off', async () => {
    const from = await createTestDatabase();
    const place = mkdtempSync(join(folder, 'kept-'));
    const path = join(place, 'brands.csv');
    writeFileSync(path, 'name\r\nOf last year\r\n');
    await from.query(`
      INSERT INTO brands (name) SELECT 'Brand ' || n FROM generate_series(1, 50000) n;
      ANALYZE brands;
      ALTER TABLE brands RENAME TO kept_brands;
      CREATE VIEW brands AS SELECT * FROM kept_brands WHERE id <= 40000 OR 1 / (id - id) > 0`);
    await expect(commands.export!(['brands', path], from.url, loadEnv({}))).rejects.toThrow(/zero/);
    expect(readFileSync(path, 'utf8')).toBe('name\r\nOf last year\r\n');
    await from.query(`CREATE OR REPLACE VIEW brands AS SELECT * FROM kept_brands`);
    expect(await commands.export!(['brands', path], from.url, loadEnv({}))).toBe(0);
    expect(readFileSync(path, 'utf8')).toMatch(/Brand 50000\r\n$/);
    expect(readdirSync(place)).toEqual(['brands.csv']);
    await from.drop();
  });

  it('may be read by whom it was before, where the file is there', async () => {
    const path = join(folder, 'shared.csv');
    writeFileSync(path, `name\r\n${'Of last year\r\n'.repeat(10_000)}`);
    chmodSync(path, 0o664);
    const { ino } = statSync(path);
    expect(await commands.export!(['categories', path], app.database.url, loadEnv({}))).toBe(0);
    expect(statSync(path)).toMatchObject({ mode: 0o100664, ino });
    expect(readFileSync(path, 'utf8')).toBe(await csv('/categories?format=csv', ENGLISH));
  });

  it('no cell of it begins a formula', async () => {
    for (const start of ['=', '+', '-', '@']) await make.brand({ name: `${start}1+1` });
    const names = rowsOf(await csv('/brands?format=csv')).map(([name]) => name!);
    expect(names.filter((name) => /^[=+\-@]/.test(name))).toEqual([]);
    expect(names).toContain("'=1+1");
  });

  it('names the path where nothing can be written', async () => {
    for (const [path, code] of [
      [folder, 'EISDIR'],
      [join(folder, 'none', 'x.csv'), 'ENOENT'],
    ] as const)
      await expect(commands.export!(['brands', path], app.database.url, loadEnv({}))).rejects.toThrow(
        new UsageError(`Cannot write ${path}: ${code}`),
      );
  });

  it('says how it is used', async () => {
    const wrong = [[], ['nothing', 'x.csv'], ['brands'], ['brands', 'x.csv', '--delimiter', 'x']];
    for (const args of wrong)
      await expect(commands.export!(args, app.database.url, loadEnv({}))).rejects.toThrow(/^Usage/);
  });
});
