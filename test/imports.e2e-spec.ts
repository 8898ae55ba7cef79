import { jest } from '@jest/globals';
import fc from 'fast-check';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { commands } from '../src/commands.js';
import { loadEnv } from '../src/config/env.js';
import { UsageError } from '../src/common/command-line.js';
import { startApp } from './support/app.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { RunningProcess, runCommand, until } from './support/process.js';

let database: TestDatabase;
let folder: string;
let files = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'recense-import-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

afterEach(() => jest.restoreAllMocks());

const save = (content: string | Buffer): string => {
  const path = join(folder, `${++files}.csv`);
  writeFileSync(path, content);
  return path;
};

interface Result {
  code: number;
  /** What is printed: the outcome, or the bad lines and how many they are. */
  said: string[];
}

async function importInto(url: string, kind: string, content: string | Buffer, ...options: string[]) {
  const said: string[] = [];
  const listen = (line: unknown) => void said.push(String(line));
  const spies = [
    jest.spyOn(console, 'log').mockImplementation(listen),
    jest.spyOn(console, 'error').mockImplementation(listen),
  ];
  const code = await commands.import!([kind, save(content), ...options], url, loadEnv({}));
  for (const spy of spies) spy.mockRestore();
  return { code, said };
}

const run = (kind: string, content: string | Buffer, ...options: string[]): Promise<Result> =>
  importInto(database.url, kind, content, ...options);

/** Imports and must be told these outcomes. */
async function imports(kind: string, content: string | Buffer, outcome: string): Promise<void> {
  expect(await run(kind, content)).toEqual({ code: 0, said: [outcome] });
}

/** Must be refused for exactly these bad lines, and write nothing. */
async function refuses(
  kind: string,
  content: string | Buffer,
  ...errors: (string | RegExp)[]
): Promise<void> {
  const table = kind.replace('-', '_');
  const rows = () => database.query(`SELECT * FROM ${table} ORDER BY id`);
  const before = await rows();
  const { code, said } = await run(kind, content);
  expect(said.slice(0, -1)).toEqual(
    errors.map((error) => (typeof error === 'string' ? error : expect.stringMatching(error))),
  );
  expect(said.at(-1)).toMatch(/^\d+ bad lines?; nothing was written\.( The columns are: .*)?$/);
  expect(code).toBe(1);
  expect(await rows()).toEqual(before);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows are asserted, not typed
const one = async (sql: string, ...values: unknown[]): Promise<any> => (await database.query(sql, values))[0];

/** What this file's tests share, made on the way by the importer itself. */
const prepared = new Set<string>();
async function given(kind: string, content: string): Promise<void> {
  if (prepared.has(kind + content)) return;
  prepared.add(kind + content);
  expect((await run(kind, content)).code).toBe(0);
}

const givenArticle = () => given('articles', 'name,reference\nLaptop,ART-1\n');

describe('import: use', () => {
  const use = (...args: string[]) => commands.import!(args, database.url, loadEnv({}));

  it('says how it is used', async () => {
    const file = save('name\nx\n');
    const usage =
      'brands|categories|amortization-categories|suppliers|locations|articles|purchases|equipments|tiers';
    for (const args of [[], ['brands'], ['users', file], ['toString', file], ['brands', file, file]]) {
      await expect(use(...args)).rejects.toThrow(`Usage: npm run import -- <${usage}> FILE`);
    }
    await expect(use('brands', file, '--force')).rejects.toThrow(/^Usage: /);
  });

  it('says why a file cannot be read', async () => {
    await expect(use('brands', join(folder, 'none.csv'))).rejects.toThrow(/^Cannot read .*none\.csv: ENOENT/);
    await expect(use('brands', folder)).rejects.toThrow(UsageError);
    await expect(use('brands', '/dev/null')).rejects.toThrow('Cannot read /dev/null: is no file');
  });

  it('finds a file from where npm was called', async () => {
    save('name\n');
    process.env.INIT_CWD = folder;
    try {
      jest.spyOn(console, 'log').mockImplementation(() => undefined);
      await expect(use('brands', `${files}.csv`)).resolves.toBe(0);
    } finally {
      delete process.env.INIT_CWD;
    }
  });
});

describe('import: the header', () => {
  it('names all columns at once that are there twice or missing', async () => {
    await refuses(
      'tiers',
      'name,email,E-Mail,email,,__proto__\nx,y,z,z,,\n',
      'line 1: email: is given more than once',
      'line 1: reference: is required',
    );
  });

  it('tells which columns are left out: those that nobody knows, that the service writes, and ids', async () => {
    expect(
      await run('articles', 'name,id,created_at,brand_id,deleted_at,\nLeft out,7,x,8,y,\n', '--dry-run'),
    ).toEqual({
      code: 0,
      said: [
        'Not imported: id, created_at, brand_id, deleted_at, column 6.',
        'Checked 1 articles: would be 1 new, 0 updated; nothing was written.',
      ],
    });
  });

  it('is told which columns there are', async () => {
    const { said } = await run('brands', 'Order number\n1\n');
    expect(said.at(-1)).toBe('1 bad line; nothing was written. The columns are: name.');
  });

  it('may stand alone', async () => {
    await imports('brands', 'name\n', 'Imported 0 brands: 0 new, 0 updated.');
    await refuses('brands', '', 'line 1: header: is required');
  });
});

describe('import: the form of the file', () => {
  const forms: Record<string, (lines: string[]) => string> = {
    'commas and LF': (lines) => lines.join('\n'),
    'a byte order mark, semicolons and CRLF': (lines) =>
      `\uFEFF${lines.join('\r\n').replaceAll(',', ';')}\r\n`,
    'CR, blank lines and white space around cells': (lines) =>
      ` ${lines.join('\r\r').replaceAll('"', ' ').replaceAll(',', ' , ')}\r\r\r`,
  };
  it.each(Object.keys(forms))('takes %s', async (form) => {
    const name = `Tier of ${form.replaceAll(',', '')}`;
    const text = forms[form]!(['reference,name,city', `R ${form.length},${name},"Quimper"`]);
    await imports('tiers', text, 'Imported 1 tiers: 1 new, 0 updated.');
    expect(await one('SELECT name, city FROM tiers WHERE reference = $1', `R ${form.length}`)).toEqual({
      name,
      city: 'Quimper',
    });
  });

  it('names every bad line, counted as an editor counts them', async () => {
    await refuses(
      'tiers',
      'reference,name,address\r\nT-A,One,"1 rue\r\nde la\r\nPaix"\r\n\r\nT-B,Two\r\nT-C,Three,"x\r\ny",more\r\nT-D,,z\r\n',
      'line 6: record: has 2 columns instead of 3',
      'line 7: record: has 4 columns instead of 3',
      'line 9: name: is required',
    );
  });

  it('leaves out lines of blanks alone, of separators or not', async () => {
    await imports(
      'tiers',
      'reference,name\nT-BLANK,One\n   \n,\n \t\n',
      'Imported 1 tiers: 1 new, 0 updated.',
    );
  });

  it('names what is wrong before a quote that is never closed, and the quote', async () => {
    await refuses(
      'brands',
      'name\n""\nGood\n"Never closed\nLost\n',
      'line 2: name: is required',
      'line 4: record: has a quote that is never closed',
    );
  });

  it('takes a file as French Excel writes it, in Windows-1252', async () => {
    await givenArticle();
    const text =
      "Désignation;Code-barres;Date d'achat;Prix d'achat;Fin de garantie;Remarques;Société\r\nLaptop;00117;15/03/2024;1 161,71 ~;15/03/2027;Été;X\r\nLaptop;00118;16/03/2024;12,5 ~;;;X\r\n;;;;;;\r\n";
    const bytes = Buffer.from(text, 'latin1');
    bytes.forEach((byte, at) => byte === 0x7e && (bytes[at] = 0x80)); // the euro sign
    expect((await run('purchases', bytes)).said).toEqual([
      'Not imported: Société.',
      'Imported 2 purchases: 2 new, 0 updated.',
    ]);
    expect(await one(`SELECT * FROM purchases WHERE code = '00117'`)).toMatchObject({
      purchase_date: '2024-03-15',
      purchase_price: 1161.71,
      warranty_end_date: '2027-03-15',
      notes: 'Été',
    });
  });

  it('takes UTF-16 with tabs, as Excel calls Unicode text', async () => {
    const text = Buffer.from('\uFEFFNom\tRéférence\r\nŒuvre\tUNI-1\r\n', 'utf16le');
    await imports('tiers', text, 'Imported 1 tiers: 1 new, 0 updated.');
    expect(await one(`SELECT name FROM tiers WHERE reference = 'UNI-1'`)).toEqual({ name: 'Œuvre' });
  });

  it('names the lines that are not UTF-8 where that is asked for', async () => {
    const { said } = await run(
      'brands',
      Buffer.from('name\nGood\nÉtabli\n', 'latin1'),
      '--encoding',
      'utf-8',
    );
    expect(said[0]).toBe('line 3: encoding: is not UTF-8; save the file as CSV UTF-8');
  });

  it('is told how to read what can be read in two ways', async () => {
    await givenArticle();
    const file = 'article|code|purchase_date|purchase_price\nART-1|TW-1|03/04/2024|1.000\n';
    await refuses(
      'purchases',
      file,
      /^line 2: purchase_date: may mean 2024-04-03 or 2024-03-04.*03\/04\/2024; say which by dates=dmy or/,
      /^line 2: purchase_price: may mean 1\.00 or 1000\.00.*1\.000; say which by decimal=point or/,
    );
    expect((await run('purchases', file, '--dates=mdy', '--decimal=comma', '--delimiter=pipe')).code).toBe(0);
    expect(await one(`SELECT * FROM purchases WHERE code = 'TW-1'`)).toMatchObject({
      purchase_date: '2024-03-04',
      purchase_price: 1000,
    });
    await expect(run('purchases', file, '--dates=ymd')).rejects.toThrow(/^Usage: /);
  });

  it('may lack the day of purchase, where another is told', async () => {
    await givenArticle();
    const options = ['--default-purchase-date', '2020-01-31'];
    expect((await run('purchases', 'article,code\nART-1,DEF-1\n', ...options)).code).toBe(0);
    const day = async () =>
      (await one(`SELECT purchase_date AS day FROM purchases WHERE code = 'DEF-1'`)).day;
    expect(await day()).toBe('2020-01-31');
    await run('purchases', 'article,code,purchase_date\nART-1,DEF-1,2021-02-03\n', ...options);
    await run('purchases', 'article,code\nART-1,DEF-1\n', ...options);
    expect(await day()).toBe('2021-02-03');
  });

  it('has PostgreSQL know how many rows there are', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `KNOWN-${n},Known ${n}\n`);
    await imports('tiers', `reference,name\n${lines.join('')}`, 'Imported 300 tiers: 300 new, 0 updated.');
    const { count, known } = await one(
      `SELECT count(*), (SELECT reltuples FROM pg_class WHERE oid = 'tiers'::regclass) AS known FROM tiers`,
    );
    expect(known).toBe(count);
  });

  it('may bring what is new alone, or what is known', async () => {
    await run('tiers', 'reference,name\nMODE-1,Known\n');
    const file = 'reference,name\nMODE-1,Changed\nMODE-2,New\n';
    const said = async (mode: string) => (await run('tiers', file, '--mode', mode)).said[0];
    expect(await said('create')).toBe('line 2: reference: is known already');
    expect(await said('update')).toBe('line 3: reference: is not known yet');
    expect(await said('upsert')).toBe('Imported 2 tiers: 1 new, 1 updated.');
  });

  it('does not let a cell break the report or steer the terminal', async () => {
    await givenArticle();
    await refuses(
      'purchases',
      'article,purchase_date\n"no\n\u001b[31msuch",2024-01-15\n',
      'line 2: article: matches nothing: no\uFFFD\uFFFD[31msuch',
    );
  });

  it('brings every text into the database as it was', async () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.string({
          unit: fc.constantFrom('"', ',', ';', '\n', '\r', "'", '\\', '{', '$1', 'é', 'x'),
          minLength: 1,
        }),
      )
      .filter((value) => !value.includes('\0') && !/\p{Cf}/u.test(value))
      .map((value) => value.trim())
      .filter((value) => value !== '');
    const names = fc.uniqueArray(text, { minLength: 1, maxLength: 20 });
    const end = fc.constantFrom('\n', '\r\n', '\r');
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.constantFrom(',', ';'),
        end,
        fc.boolean(),
        async (texts, delimiter, end, hasBom) => {
          round++;
          // Of apostrophes before a formula the importer takes one away, which the exports add.
          const written = texts.map((value) => (/^'+[=+\-@\t\r]/.test(value) ? `'${value}` : value));
          const lines = written.map((value, index) =>
            [`"P${round}-${index}"`, `"${value.replaceAll('"', '""')}"`].join(delimiter),
          );
          const file = [`reference${delimiter}name`, ...lines].join(end);
          const { code } = await run('tiers', (hasBom ? '\uFEFF' : '') + file);
          expect(code).toBe(0);
          const rows = await database.query<{ name: string }>(
            `SELECT name FROM tiers WHERE reference LIKE $1 ORDER BY id`,
            [`P${round}-%`],
          );
          expect(rows.map((row) => row.name)).toEqual(texts);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('import: values', () => {
  it('checks each field as the API does, and names every bad one', async () => {
    await refuses(
      'tiers',
      [
        'reference,name,type,email,is_active,phone',
        `,${'x'.repeat(256)},friend,nobody,oui,${'1'.repeat(51)}`,
        'T-1\0,a,,a@b.example,2,',
      ].join('\n'),
      'line 2: reference: is required',
      'line 2: name: must be at most 255 characters long',
      'line 2: type: must be one of customer, supplier, partner, other',
      'line 2: email: must be an e-mail address',
      'line 2: is_active: must be true or false',
      'line 2: phone: must be at most 50 characters long',
      'line 3: reference: must not contain NUL characters or lone surrogates',
      'line 3: is_active: must be true or false',
    );
  });

  it('takes true, false, 1 and 0, also as a spreadsheet writes them', async () => {
    await imports(
      'suppliers',
      'name,is_active\nBool 1,true\nBool 2,1\nBool 3,TRUE\nBool 4,\nBool 5,false\nBool 6,0\n',
      'Imported 6 suppliers: 6 new, 0 updated.',
    );
    const rows = await database.query(
      `SELECT is_active FROM suppliers WHERE name LIKE 'Bool%' ORDER BY name`,
    );
    expect(rows.map((row) => row.is_active)).toEqual([true, true, true, true, false, false]);
  });

  it('takes money with a point, and with a comma where the semicolon separates', async () => {
    await givenArticle();
    const header = 'code;article;purchase_date;purchase_price';
    const price = (code: string) =>
      one('SELECT purchase_price AS price FROM purchases WHERE code = $1', code);
    await imports(
      'purchases',
      `${header}\nM1;ART-1;2024-01-15;1161,71\nM2;ART-1;2024-01-15;1161.7\nM3;ART-1;2024-01-15;9999999999,99\nM4;ART-1;2024-01-15;0\nM5;ART-1;2024-01-15;\n`,
      'Imported 5 purchases: 5 new, 0 updated.',
    );
    const prices = await Promise.all(['M1', 'M2', 'M3', 'M4', 'M5'].map(price));
    expect(prices.map((row) => row.price)).toEqual([1161.71, 1161.7, 9999999999.99, 0, null]);

    const wrong = ['1.2345', '-1', '10000000000', '1e3', 'abc', '0x10', 'NaN', '1 16'];
    await refuses(
      'purchases',
      [header, ...wrong.map((price) => `;ART-1;2024-01-15;${price}`)].join('\n'),
      ...wrong.map(
        (_, index) =>
          `line ${index + 2}: purchase_price: must be a number from 0 to 9999999999.99 with at most 2 decimals`,
      ),
    );
  });

  it('refuses the cell that fits two readings where others fit either', async () => {
    await givenArticle();
    const file = (prices: string[]) =>
      ['article;purchase_date;purchase_price', ...prices.map((price) => `ART-1;2024-01-15;"${price}"`)].join(
        '\n',
      );
    const why = (line: number, one: string, other: string) =>
      `line ${line}: purchase_price: may mean ${one} or ${other}; write it in one of these ways`;
    await refuses(
      'purchases',
      file(['1.000', '1,000', '12.340', '999,990', '1.00', '1000,00']),
      why(2, '1.00', '1000.00'),
      why(3, '1000.00', '1.00'),
      why(4, '12.34', '12340.00'),
      why(5, '999990.00', '999.99'),
    );
    await imports(
      'purchases',
      file(['1.5', '1,5', '0.500', '0,250', '1161.710', '1.0000']),
      'Imported 6 purchases: 6 new, 0 updated.',
    );
    await imports(
      'amortization-categories',
      'name;method;duration_years;declining_coefficient\nMilli;declining;5;1,250\n',
      'Imported 1 amortization-categories: 1 new, 0 updated.',
    );
  });

  it('takes calendar dates only', async () => {
    await givenArticle();
    const wrong = ['2024-02-30', '31/04/2024', '2024', '2024-01-14T23:00:00Z', 'hier'];
    await refuses(
      'purchases',
      ['article,purchase_date', ...wrong.map((date) => `ART-1,${date}`)].join('\n'),
      ...wrong.map((_, index) => `line ${index + 2}: purchase_date: must be a calendar date, YYYY-MM-DD`),
    );
  });
});

describe.each(['brands', 'categories'])('import: %s', (kind) => {
  it('are made and found again by name', async () => {
    await imports(kind, 'name\nDell\nÉlan\n', `Imported 2 ${kind}: 2 new, 0 updated.`);
    await imports(kind, 'name\nÉlan\nHP\n', `Imported 2 ${kind}: 1 new, 0 updated, 1 unchanged.`);
    await refuses(
      kind,
      'name\nNew\nAgain\nNew\nNew\n',
      'line 4: name: is on line 2 too',
      'line 5: name: is on line 2 too',
    );
  });
});

describe('import: amortization categories', () => {
  const stored = (name: string) =>
    one(
      'SELECT method, duration_years AS years, declining_coefficient AS coefficient FROM amortization_categories WHERE name = $1',
      name,
    );
  const header = 'name,method,duration_years,declining_coefficient';

  it('get the usual coefficient of their duration', async () => {
    const years = [3, 4, 5, 6, 7, 100];
    await imports(
      'amortization-categories',
      [
        header,
        'Linear,linear,5,',
        ...years.map((n) => `Declining ${n},declining,${n},`),
        'Short,declining,2,1.1',
      ].join('\n'),
      'Imported 8 amortization-categories: 8 new, 0 updated.',
    );
    const rows = await Promise.all(years.map((n) => stored(`Declining ${n}`)));
    expect(rows.map((row) => row.coefficient)).toEqual([1.25, 1.25, 1.75, 1.75, 2.25, 2.25]);
    expect(await stored('Linear')).toEqual({ method: 'linear', years: 5, coefficient: null });
    expect(await stored('Short')).toEqual({ method: 'declining', years: 2, coefficient: 1.1 });
  });

  it('are refused where method, duration and coefficient do not fit', async () => {
    const decimal = 'declining_coefficient: must be a number from 0.01 to 99.99 with at most 2 decimals';
    await refuses(
      'amortization-categories',
      [
        header,
        'A,linear,5,1.25',
        'B,declining,2,',
        'C,degressive,0,',
        'D,declining,5,0',
        'E,declining,5,100',
        'F,declining,5,1.255',
        'G,declining,2.5,',
        ',,,1',
      ].join('\n'),
      'line 2: declining_coefficient: must be empty for a linear category',
      'line 3: declining_coefficient: is required for a declining category shorter than 3 years',
      'line 4: method: must be one of linear, declining',
      'line 4: duration_years: must be an integer from 1 to 100',
      `line 5: ${decimal}`,
      `line 6: ${decimal}`,
      `line 7: ${decimal}`,
      'line 8: duration_years: must be an integer from 1 to 100',
      'line 9: name: is required',
      'line 9: method: is required',
      'line 9: duration_years: is required',
    );
  });

  it('stay consistent when the method changes and the file says nothing of the coefficient', async () => {
    const change = (line: string) => run('amortization-categories', `name,method,duration_years\n${line}\n`);
    await change('Changing,linear,5');
    await change('Changing,declining,5');
    expect(await stored('Changing')).toEqual({ method: 'declining', years: 5, coefficient: 1.75 });
    await run('amortization-categories', `${header}\nChanging,declining,5,2`);
    await change('Changing,declining,8');
    expect(await stored('Changing')).toEqual({ method: 'declining', years: 8, coefficient: 2 });
    await run('amortization-categories', `${header}\nChanging,declining,8,`);
    expect((await stored('Changing')).coefficient).toBe(2.25);
    await change('Changing,linear,8');
    expect(await stored('Changing')).toEqual({ method: 'linear', years: 8, coefficient: null });
    expect(await change('Changing,declining,2')).toMatchObject({ code: 1 });
  });

  it('have the coefficient that is usual for another duration, as by PATCH, and keep one that is not usual', async () => {
    const change = (line: string) => run('amortization-categories', `name,method,duration_years\n${line}\n`);
    await run('amortization-categories', `${header}\nUsual,declining,5,\nOwn,declining,5,2.25`);
    await change('Own,declining,5');
    expect((await stored('Own')).coefficient).toBe(2.25);
    await change('Usual,declining,8');
    expect(await stored('Usual')).toEqual({ method: 'declining', years: 8, coefficient: 2.25 });
    await change('Usual,declining,3');
    expect(await stored('Usual')).toEqual({ method: 'declining', years: 3, coefficient: 1.25 });
    await refuses(
      'amortization-categories',
      'name,method,duration_years\nUsual,declining,2',
      'line 2: declining_coefficient: is required for a declining category shorter than 3 years',
    );
  });

  it('take a decimal comma where the semicolon separates', async () => {
    await run(
      'amortization-categories',
      'name;method;duration_years;declining_coefficient\nComma;declining;5;1,5\n',
    );
    expect((await stored('Comma')).coefficient).toBe(1.5);
  });
});

describe('import: suppliers', () => {
  const stored = (where: string) =>
    database.query(
      `SELECT name, reference, email, phone, is_active FROM suppliers WHERE ${where} ORDER BY id`,
    );

  it('are found again by reference, else by name', async () => {
    await imports(
      'suppliers',
      'reference,name,email,phone\nS-1,Ty Réseau,a@b.example,1\n,Sans référence,,2\n',
      'Imported 2 suppliers: 2 new, 0 updated.',
    );
    await imports(
      'suppliers',
      'reference,name,phone\nS-1,Ty Réseau SARL,\n,Sans référence,3\n',
      'Imported 2 suppliers: 0 new, 2 updated.',
    );
    // The phone was cleared; the e-mail address has no column and stays.
    expect(await stored(`reference = 'S-1'`)).toEqual([
      { name: 'Ty Réseau SARL', reference: 'S-1', email: 'a@b.example', phone: null, is_active: true },
    ]);
    expect(await stored(`name = 'Sans référence'`)).toHaveLength(1);
  });

  it('are the same file after file, whatever shares a name', async () => {
    const file = 'reference,name\nS-2,Twin\nS-3,Twin\n,Twin\n';
    await imports('suppliers', file, 'Imported 3 suppliers: 3 new, 0 updated.');
    await imports('suppliers', file, 'Imported 3 suppliers: 0 new, 0 updated, 3 unchanged.');
  });

  it('are refused where more than one or none is meant', async () => {
    await database.query(
      `INSERT INTO suppliers (name, reference, deleted_at) VALUES
       ('Double', 'S-9', NULL), ('Double 2', 'S-9', NULL), ('Double 3', 'S-10', NULL), ('Double 3', NULL, now()),
       ('Homonym', 'S-11', NULL), ('Homonym', 'S-12', NULL), ('Single', 'S-13', NULL)`,
    );
    await refuses(
      'suppliers',
      'reference,name\nS-9,x\n,Homonym\nS-14,a\nS-14,b\n,c\n,c\nS-13,Single\n,Single\n',
      'line 2: reference: matches 2 rows',
      'line 3: name: matches 2 rows',
      'line 5: reference: is on line 4 too',
      'line 7: name: is on line 6 too',
      'line 9: name: is on line 8 too',
    );
  });

  it('are made anew where the old one is deleted', async () => {
    await database.query(
      `INSERT INTO suppliers (name, reference, deleted_at) VALUES ('Gone', 'S-20', now())`,
    );
    await imports('suppliers', 'reference,name\nS-20,Back\n', 'Imported 1 suppliers: 1 new, 0 updated.');
    expect(await stored(`reference = 'S-20'`)).toHaveLength(2);
  });

  it('go back to the default where the cell is empty, and stay where there is no column', async () => {
    await imports('suppliers', 'name,is_active\nDormant,0\n', 'Imported 1 suppliers: 1 new, 0 updated.');
    await imports('suppliers', 'name\nDormant\n', 'Imported 1 suppliers: 0 new, 0 updated, 1 unchanged.');
    expect(await stored(`name = 'Dormant'`)).toMatchObject([{ is_active: false }]);
    await imports('suppliers', 'name,is_active\nDormant,\n', 'Imported 1 suppliers: 0 new, 1 updated.');
    expect(await stored(`name = 'Dormant'`)).toMatchObject([{ is_active: true }]);
  });

  it('touch updated_at only where something changed', async () => {
    await run('suppliers', 'reference,name\nU-1,Same\nU-2,Other\n');
    const times = () =>
      database.query(`SELECT updated_at FROM suppliers WHERE reference LIKE 'U-%' ORDER BY reference`);
    const [same, other] = await times();
    await sleep(5);
    await imports(
      'suppliers',
      'reference,name\nU-1,Same\nU-2,Changed\n',
      'Imported 2 suppliers: 0 new, 1 updated, 1 unchanged.',
    );
    const [sameNow, otherNow] = await times();
    expect(sameNow).toEqual(same);
    expect(otherNow!.updated_at > other!.updated_at).toBe(true);
  });
});

describe('import: articles', () => {
  it('refer to brand, category and amortization category by name', async () => {
    await given('brands', 'name\nLenovo\n');
    await given('categories', 'name\nPortables\n');
    await given('amortization-categories', 'name,method,duration_years\nTrois ans,linear,3\n');
    await imports(
      'articles',
      'name,reference,brand,category,amortization_category,is_active\nThinkPad,TP,Lenovo,Portables,Trois ans,false\nTable,,,,,\n',
      'Imported 2 articles: 2 new, 0 updated.',
    );
    const stored = () =>
      one(`SELECT b.name AS brand, c.name AS category, ac.name AS amortization, a.is_active FROM articles a
        LEFT JOIN brands b ON b.id = brand_id LEFT JOIN categories c ON c.id = category_id
        LEFT JOIN amortization_categories ac ON ac.id = amortization_category_id WHERE a.reference = 'TP'`);
    const made = { brand: 'Lenovo', category: 'Portables', amortization: 'Trois ans', is_active: false };
    expect(await stored()).toEqual(made);
    await imports(
      'articles',
      'name,reference,brand\nThinkPad,TP,\n',
      'Imported 1 articles: 0 new, 1 updated.',
    );
    expect(await stored()).toEqual({ ...made, brand: null });
    await refuses(
      'articles',
      'name,brand,category,amortization_category\nx,Lenova,Nothing,"Trois\0ans"\n',
      'line 2: brand: matches nothing: Lenova',
      'line 2: category: matches nothing: Nothing',
      'line 2: amortization_category: must not contain NUL characters or lone surrogates',
    );
  });
});

describe('import: equipments and tiers', () => {
  it('are found again by reference, and equipment names its tier', async () => {
    await imports(
      'tiers',
      'reference,name,type,email,phone,address,postal_code,city,country,is_active\nT-100,Morvan,supplier,c@m.example,02,87 rue du Port,35500,Vitré,FR,0\nT-101,Durand,,,,,,,,\n',
      'Imported 2 tiers: 2 new, 0 updated.',
    );
    const { id, ...tier } = await one(
      `SELECT id, reference, name, type, email, phone, address, postal_code, city, country, is_active
       FROM tiers WHERE reference = 'T-100'`,
    );
    expect(tier).toEqual({
      reference: 'T-100',
      name: 'Morvan',
      type: 'supplier',
      email: 'c@m.example',
      phone: '02',
      address: '87 rue du Port',
      postal_code: '35500',
      city: 'Vitré',
      country: 'FR',
      is_active: false,
    });
    expect(await one(`SELECT type, is_active FROM tiers WHERE reference = 'T-101'`)).toEqual({
      type: 'other',
      is_active: true,
    });
    await imports(
      'equipments',
      'reference,name,serial_number,brand,model,category,status,location,commissioned_on,tier,notes\nEQ-1,Groupe électrogène,TV55,SDMO,J110K,Énergie,under_repair,Siège,2012-07-03,T-100,"Vu\nen juin"\nEQ-2,Pompe,,,,,,,,,\n',
      'Imported 2 equipments: 2 new, 0 updated.',
    );
    expect(
      await one(`SELECT name, serial_number, brand, model, category, status, location, commissioned_on, notes, tier_id
        FROM equipments WHERE reference = 'EQ-1'`),
    ).toEqual({
      name: 'Groupe électrogène',
      serial_number: 'TV55',
      brand: 'SDMO',
      model: 'J110K',
      category: 'Énergie',
      status: 'under_repair',
      location: 'Siège',
      commissioned_on: '2012-07-03',
      notes: 'Vu\nen juin',
      tier_id: id,
    });
    await imports(
      'equipments',
      'reference,name,status,tier\nEQ-1,Groupe électrogène,out_of_service,\nEQ-2,Pompe,,T-101\n',
      'Imported 2 equipments: 0 new, 2 updated.',
    );
    expect(await one(`SELECT status, tier_id, location FROM equipments WHERE reference = 'EQ-1'`)).toEqual({
      status: 'out_of_service',
      tier_id: null,
      location: 'Siège',
    });
    await refuses(
      'equipments',
      'reference,name,status,tier,commissioned_on\nEQ-3,x,broken,Morvan,2024-13-01\nEQ-4,x,,,\nEQ-4,y,,,\n',
      'line 2: status: must be one of in_service, under_repair, out_of_service',
      'line 2: tier: matches nothing: Morvan',
      'line 2: commissioned_on: must be a calendar date, YYYY-MM-DD',
      'line 4: reference: is on line 3 too',
    );
  });
});

describe('import: purchases', () => {
  const stored = (code: string) =>
    one(
      `SELECT p.*, a.name AS article, s.name AS supplier FROM purchases p JOIN articles a ON a.id = article_id
       LEFT JOIN suppliers s ON s.id = supplier_id WHERE p.code = $1`,
      code,
    );

  beforeAll(async () => {
    await givenArticle();
    await given('suppliers', 'name,reference\nFournisseur,F-1\n');
  });

  it('take article and supplier by reference, else by name', async () => {
    await database.query(
      `INSERT INTO articles (name, reference, deleted_at) VALUES
       ('ART-1', NULL, NULL), ('Chair', NULL, NULL), ('Desk', 'D-1', NULL), ('Desk', 'D-2', NULL), ('Lamp', 'L-1', NULL),
       ('Lamp 2', 'L-1', NULL), ('Gone', 'G-1', now()), ('Chair', NULL, now())`,
    );
    await imports(
      'purchases',
      'article,supplier,code,purchase_date\nART-1,F-1,REF-1,2024-01-15\nChair,Fournisseur,REF-2,2024-01-15\n',
      'Imported 2 purchases: 2 new, 0 updated.',
    );
    expect(await stored('REF-1')).toMatchObject({ article: 'Laptop', supplier: 'Fournisseur' });
    expect(await stored('REF-2')).toMatchObject({ article: 'Chair', supplier: 'Fournisseur' });
    await refuses(
      'purchases',
      'article,supplier,purchase_date\nDesk,,2024-01-15\nL-1,,2024-01-15\nG-1,Nobody,2024-01-15\n,,2024-01-15\n',
      'line 2: article: matches 2 rows',
      'line 3: article: matches 2 rows',
      'line 4: article: matches nothing: G-1',
      'line 4: supplier: matches nothing: Nobody',
      'line 5: article: is required',
    );
  });

  it('hold all fields, and clear those whose cell is empty', async () => {
    const header =
      'article,supplier,code,purchase_date,purchase_price,warranty_end_date,in_service_date,serial_number,notes';
    await imports(
      'purchases',
      `${header}\nART-1,F-1,00042,2024-01-15,1161.71,2027-01-15,2024-02-01,5CG,"Bureau ""205"""\n`,
      'Imported 1 purchases: 1 new, 0 updated.',
    );
    const fields = {
      code: '00042',
      purchase_date: '2024-01-15',
      purchase_price: 1161.71,
      warranty_end_date: '2027-01-15',
      in_service_date: '2024-02-01',
      serial_number: '5CG',
      notes: 'Bureau "205"',
    };
    expect(await stored('00042')).toMatchObject(fields);
    await imports(
      'purchases',
      'article,code,purchase_date,supplier,notes\nART-1,00042,2024-01-16,,\n',
      'Imported 1 purchases: 0 new, 1 updated.',
    );
    expect(await stored('00042')).toMatchObject({
      ...fields,
      purchase_date: '2024-01-16',
      supplier: null,
      notes: null,
    });
  });

  it('are found by their code whatever its case, and keep its spelling', async () => {
    await imports(
      'purchases',
      'article,code,purchase_date\nART-1,Lyc-É-7,2024-01-15\n',
      'Imported 1 purchases: 1 new, 0 updated.',
    );
    await imports(
      'purchases',
      'article,code,purchase_date\nART-1,lyc-e\u0301-7,2024-01-16\n',
      'Imported 1 purchases: 0 new, 1 updated.',
    );
    expect(await stored('Lyc-É-7')).toMatchObject({ purchase_date: '2024-01-16' });
    await refuses(
      'purchases',
      'article,code,purchase_date\nART-1,straße,2024-01-15\nART-1,STRASSE,2024-01-15\n',
      'line 3: code: is on line 2 too',
    );
  });

  it('never take a code that is or was on the label of another purchase', async () => {
    await run('purchases', 'article,code,purchase_date\nART-1,OLD-1,2024-01-15\nART-1,DEL-1,2024-01-15\n');
    await database.query(`UPDATE purchases SET code = 'NEW-1' WHERE code = 'OLD-1'`);
    await database.query(`UPDATE purchases SET deleted_at = now() WHERE code = 'DEL-1'`);
    const taken = 'code: is or was on the label of another purchase';
    await refuses(
      'purchases',
      'article,code,purchase_date\nART-1,old-1,2024-01-15\nART-1,del-1,2024-01-15\nART-1,NEW-1,2024-01-15\n',
      `line 2: ${taken}`,
      `line 3: ${taken}`,
    );
  });

  it('have printable codes of at most 64 characters', async () => {
    await refuses(
      'purchases',
      `article,code,purchase_date\nART-1,"a\tb",2024-01-15\nART-1,${'x'.repeat(65)},2024-01-15\n`,
      'line 2: code: must not contain control characters',
      'line 3: code: must be at most 64 characters long',
    );
    await imports(
      'purchases',
      `article,code,purchase_date\nART-1,${'💡'.repeat(64)},2024-01-15\n`,
      'Imported 1 purchases: 1 new, 0 updated.',
    );
  });

  it('get a code where they bring none, past those that exist and those of the file', async () => {
    const { next } = await one(`SELECT nextval('purchase_code_seq')::int AS next`);
    const { makeCode } = await import('../src/purchases/code.js');
    const code = (step: number) => makeCode('INV', Number(next) + step);
    await run('purchases', `article,code,purchase_date\nART-1,${code(1).toLowerCase()},2024-01-15\n`);
    const file = `article,code,purchase_date,serial_number\nART-1,,2024-01-15,made-1\nART-1,${code(2)},2024-01-15,\nART-1,,2024-01-15,made-2\n`;
    expect(await run('purchases', file, '--dry-run')).toEqual({
      code: 0,
      said: ['Checked 3 purchases: would be 3 new, 0 updated; nothing was written.'],
    });
    await imports('purchases', file, 'Imported 3 purchases: 3 new, 0 updated.');
    const rows = await database.query(
      `SELECT code FROM purchases WHERE serial_number LIKE 'made-%' ORDER BY serial_number`,
    );
    expect(rows.map((row) => row.code)).toEqual([code(3), code(4)]);
    await imports(
      'purchases',
      'article,purchase_date\nART-1,2024-01-15\n',
      'Imported 1 purchases: 1 new, 0 updated.',
    );
  });

  it('have no warranty that ends before the purchase, as the file or the database has it', async () => {
    const message = 'warranty_end_date: must not be before purchase_date';
    await refuses(
      'purchases',
      'article,purchase_date,warranty_end_date\nART-1,2024-01-15,2024-01-14\nART-1,2024-01-15,2024-01-15\n',
      `line 2: ${message}`,
    );
    await run(
      'purchases',
      'article,code,purchase_date,warranty_end_date\nART-1,WAR-1,2024-01-15,2026-01-15\n',
    );
    await refuses('purchases', 'article,code,purchase_date\nART-1,WAR-1,2026-01-16\n', `line 2: ${message}`);
    await imports(
      'purchases',
      'article,code,purchase_date,warranty_end_date\nART-1,WAR-1,2026-01-16,\n',
      'Imported 1 purchases: 0 new, 1 updated.',
    );
  });

  it('have a warranty of so many months or years, and of nothing else', async () => {
    const spans: Record<string, string | null> = {
      '24': '2026-01-31',
      '1 m': '2024-02-29',
      '13 mois': '2025-02-28',
      '1 month': '2024-02-29',
      '24 Months': '2026-01-31',
      '1 an': '2025-01-31',
      '3 ans': '2027-01-31',
      '1 année': '2025-01-31',
      '2 ANNÉES': '2026-01-31',
      '2y': '2026-01-31',
      '1 yr': '2025-01-31',
      '2 yrs': '2026-01-31',
      '1 year': '2025-01-31',
      '2 years': '2026-01-31',
      '83 years': '2107-01-31',
      '0': null,
      '': null,
    };
    const lines = Object.keys(spans).map((span, at) => `ART-1,SPAN-${at},2024-01-31,${span}\n`);
    const header = 'article,code,purchase_date,Durée de garantie\n';
    const count = lines.length;
    await imports(
      'purchases',
      `${header}${lines.join('')}`,
      `Imported ${count} purchases: ${count} new, 0 updated.`,
    );
    for (const [at, end] of Object.values(spans).entries())
      expect((await stored(`SPAN-${at}`)).warranty_end_date).toBe(end);
    const wrong = ['31/12/2026', '12.03.2027', '"2,5 ans"', '2.5', '-3', '1000', '84 ans', '2 jours', 'oui'];
    const message =
      'must be a whole number of months or years, at most 999 months, such as 24, 24 months or 2 years';
    await refuses(
      'purchases',
      `article,purchase_date,Garantie\n${wrong.map((span) => `ART-1,2024-01-31,${span}\n`).join('')}`,
      ...wrong.map((_, at) => `line ${at + 2}: Garantie: ${message}`),
    );
    await refuses(
      'purchases',
      'article,purchase_date,warranty\nART-1,,12\nART-1,soon,12\nART-1,,#N/A\nART-1,9999-12-01,2\n',
      'line 2: purchase_date: is required',
      /^line 3: purchase_date: /,
      'line 4: purchase_date: is required',
      /^line 4: warranty: is the error of a formula/,
      /^line 5: warranty_end_date: must be a /,
    );
  });

  it('have a warranty from the day that stands, not from the default for those without', async () => {
    const file = (day: string) => `Asset Tag,Model,Purchase Date,Warranty Months\nWB-1,Saw,${day},12\n`;
    const format = ['--format', 'snipe-it'];
    expect((await run('purchases', file('2021-05-06'), ...format)).code).toBe(0);
    for (const other of ['2024-01-31', '2020-01-31']) {
      const { said } = await run('purchases', file(''), ...format, '--default-purchase-date', other);
      expect(said).toEqual(['Imported 1 purchases: 0 new, 0 updated, 1 unchanged.']);
      expect(await stored('WB-1')).toMatchObject({
        purchase_date: '2021-05-06',
        warranty_end_date: '2022-05-06',
      });
    }
  });
});

describe('import: purchases that are gone', () => {
  const header = 'article,code,purchase_date,disposal_date,disposal_reason,disposal_proceeds,disposal_note';
  const gone = (code: string) =>
    one(
      `SELECT disposed_on, disposal_reason, disposal_proceeds, disposal_note FROM purchases WHERE code = $1`,
      code,
    );
  const there = {
    disposed_on: null,
    disposal_reason: null,
    disposal_proceeds: null,
    disposal_note: null,
  };
  beforeAll(givenArticle);

  it('say when, why and for how much; what is reckoned of it is left out', async () => {
    const { code, said } = await run(
      'purchases',
      `${header},disposal_net_book_value,gain\nART-1,OUT-1,2024-01-15,2025-03-01,sold,150.5,Lot 12,20,130.5\nART-1,OUT-2,2024-01-15,,,,,,\n`,
    );
    expect([code, said.at(-1)]).toEqual([0, 'Imported 2 purchases: 2 new, 0 updated.']);
    expect(await gone('OUT-1')).toEqual({
      disposed_on: '2025-03-01',
      disposal_reason: 'sold',
      disposal_proceeds: 150.5,
      disposal_note: 'Lot 12',
    });
    expect(await gone('OUT-2')).toEqual(there);
    await imports(
      'purchases',
      `${header}\nART-1,OUT-1,2024-01-15,,,,\nART-1,OUT-2,2024-01-15,2025-04-01,lost,,\n`,
      'Imported 2 purchases: 0 new, 2 updated.',
    );
    expect([await gone('OUT-1'), await gone('OUT-2')]).toEqual([
      there,
      { ...there, disposed_on: '2025-04-01', disposal_reason: 'lost' },
    ]);
    expect(
      await database.query(
        `SELECT e.action FROM audit_entries e JOIN purchases p ON p.id = e.resource_id
         WHERE e.resource = 'purchase' AND p.code LIKE 'OUT-_' AND e.action <> 'purchase.create' ORDER BY p.code`,
      ),
    ).toEqual([{ action: 'purchase.dispose_undo' }, { action: 'purchase.dispose' }]);
  });

  it('are named in French too', async () => {
    await imports(
      'purchases',
      'Article;Code;Date d’achat;Date de sortie;Motif de sortie;Produit de cession;Note de sortie\nART-1;OUT-3;15/01/2024;31/03/2025;sold;1 161,71 €;Lot 3\n',
      'Imported 1 purchases: 1 new, 0 updated.',
    );
    expect(await gone('OUT-3')).toEqual({
      disposed_on: '2025-03-31',
      disposal_reason: 'sold',
      disposal_proceeds: 1161.71,
      disposal_note: 'Lot 3',
    });
  });

  it('are so as the service lets them be, as the file or the database has it', async () => {
    await refuses(
      'purchases',
      `${header}\nART-1,,2024-01-15,2024-01-14,sold,,\nART-1,,2024-01-15,2999-01-01,sold,,\nART-1,,2024-01-15,2025-01-01,,,\nART-1,,2024-01-15,,lost,,\nART-1,,2024-01-15,,,,x\nART-1,,2024-01-15,2025-01-01,eaten,-1,\n`,
      'line 2: disposal_date: must not be before purchase_date',
      'line 3: disposal_date: must not be in the future',
      'line 4: disposal_reason: is required',
      'line 5: disposal_date: is required',
      'line 6: disposal_date: is required',
      'line 7: disposal_reason: must be one of sold, scrapped, lost, stolen, donated, returned',
      /^line 7: disposal_proceeds: /,
    );
    await run('purchases', `${header}\nART-1,OUT-4,2024-01-15,2025-03-01,sold,,\n`);
    await refuses(
      'purchases',
      'article,code,purchase_date\nART-1,OUT-4,2025-03-02\n',
      'line 2: purchase_date: must not be after the day on which it was disposed of',
    );
    await refuses(
      'purchases',
      'article,code,purchase_date,disposal_date\nART-1,OUT-5,2024-01-15,2025-03-01\n',
      'line 2: disposal_reason: is required',
    );
    await imports(
      'purchases',
      'article,code,purchase_date,disposal_date\nART-1,OUT-4,2024-01-15,2025-03-02\n',
      'Imported 1 purchases: 0 new, 1 updated.',
    );
  });
});

describe('import: purchases that somebody has', () => {
  it('are named in French too', async () => {
    await givenArticle();
    await given('tiers', 'name,reference\nMairie,T-9\n');
    await imports(
      'purchases',
      'Article;Code;Date d’achat;Affecté à;Tiers affecté\nART-1;HAD-1;15/01/2024;Mme Abgrall;T-9\n',
      'Imported 1 purchases: 1 new, 0 updated.',
    );
    expect(
      await one(
        `SELECT p.assigned_to, t.reference FROM purchases p JOIN tiers t ON t.id = p.assigned_tier_id WHERE p.code = 'HAD-1'`,
      ),
    ).toEqual({ assigned_to: 'Mme Abgrall', reference: 'T-9' });
  });
});

describe('import: all or nothing', () => {
  it('writes nothing for one bad line among many', async () => {
    const good = Array.from({ length: 50 }, (_, index) => `All ${index}`);
    await refuses(
      'brands',
      ['name', ...good, '""', 'All 0'].join('\n'),
      'line 52: name: is required',
      'line 53: name: is on line 2 too',
    );
  });

  it('names the line that repeats another one, also where that one is bad elsewhere', async () => {
    await refuses(
      'tiers',
      'reference,name\nX-1,\nX-1,b\n',
      'line 2: name: is required',
      'line 3: reference: is on line 2 too',
    );
  });

  it('checks everything with --dry-run and writes nothing', async () => {
    await run('tiers', 'reference,name\nDRY-1,Old\n');
    const before = await database.query('SELECT * FROM tiers ORDER BY id');
    const file = 'reference,name\nDRY-1,New\nDRY-2,New\n';
    expect(await run('tiers', file, '--dry-run')).toEqual({
      code: 0,
      said: ['Checked 2 tiers: would be 1 new, 1 updated; nothing was written.'],
    });
    expect(await run('tiers', `${file}DRY-2,Twice\n`, '--dry-run')).toEqual({
      code: 1,
      said: ['line 4: reference: is on line 3 too', '1 bad line; nothing was written.'],
    });
    expect(await database.query('SELECT * FROM tiers ORDER BY id')).toEqual(before);
  });
});

describe('import: a file of any size', () => {
  it('names what a line repeats, however far above it is', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => `F-${n},Far ${n}`);
    await refuses(
      'suppliers',
      ['reference,name', ...rows, 'F-0,Again', ',Only a name', ...rows.slice(0, 1), ',Only a name'].join(
        '\n',
      ),
      'line 12002: reference: is on line 2 too',
      'line 12004: reference: is on line 2 too',
      'line 12005: name: is on line 12003 too',
    );
  }, 120_000);

  it('tells a thousand errors and how many more there are', async () => {
    const { code, said } = await run('brands', `name\n${'""\n'.repeat(3000)}`);
    expect(code).toBe(1);
    expect(said).toHaveLength(1002);
    expect(said[999]).toBe('line 1001: name: is required');
    expect(said.slice(1000)).toEqual(['… and 2000 more errors.', '3000 bad lines; nothing was written.']);
  });

  it('names a line of more than 1 MiB, and goes on', async () => {
    await refuses(
      'brands',
      `name\n${'x'.repeat(3_000_000)}\n""\n`,
      'line 2: record: is longer than 1 MiB',
      'line 3: name: is required',
    );
  });

  it('says in one line what a file is that is no CSV', async () => {
    const path = save(Buffer.from('PK\x03\x04 [Content_Types].xml PK\x03\x04 xl/workbook.xml'));
    await expect(commands.import!(['brands', path], database.url, loadEnv({}))).rejects.toThrow(
      new UsageError(
        `${path} is no workbook that can be read; open it in a spreadsheet and save it anew as XLSX.`,
      ),
    );
  });
});

describe('import: at the same time as others', () => {
  let other: pg.Client;
  beforeEach(async () => {
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('BEGIN');
  });
  afterEach(() => other.end());

  /** Starts an import, and ends the other's transaction once the import waits for it. */
  async function whileOtherHolds(
    kind: string,
    content: string,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Result> {
    const result = run(kind, content);
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await database.query(waits)).length > 0);
    await meanwhile();
    await other.query('COMMIT');
    return result;
  }

  it('says so where another writer was faster, and writes nothing', async () => {
    await other.query(`INSERT INTO brands (name) VALUES ('Race')`);
    const { code, said } = await whileOtherHolds('brands', 'name\nBefore the race\nRace\n');
    expect(said).toEqual([
      'name: is used already',
      'Someone else wrote the same rows meanwhile; nothing was written. Please run the import again.',
    ]);
    expect(code).toBe(1);
    expect(await one(`SELECT FROM brands WHERE name = 'Before the race'`)).toBeUndefined();
  });

  it('says so where another purchase got the code', async () => {
    await givenArticle();
    await other.query(
      `INSERT INTO purchases (article_id, code, purchase_date) SELECT id, 'Race-1', '2024-01-15' FROM articles WHERE reference = 'ART-1'`,
    );
    const { said } = await whileOtherHolds(
      'purchases',
      'article,code,purchase_date\nART-1,RACE-1,2024-01-15\n',
    );
    expect(said[0]).toBe('code: is or was on the label of another purchase');
  });

  it('sees an article go that a line refers to', async () => {
    await given('articles', 'name,reference\nLeaving,ART-GONE\n');
    await other.query(`SELECT FROM articles WHERE reference = 'ART-GONE' FOR UPDATE`);
    await other.query(`UPDATE articles SET deleted_at = now() WHERE reference = 'ART-GONE'`);
    const { said } = await whileOtherHolds('purchases', 'article,purchase_date\nART-GONE,2024-01-15\n');
    expect(said[0]).toBe('line 2: article: matches nothing: ART-GONE');
  });

  it('updates a row as another writer left it', async () => {
    await run('suppliers', 'reference,name,phone\nRACE-S,Before,1\n');
    await other.query(`UPDATE suppliers SET phone = '2' WHERE reference = 'RACE-S'`);
    const { said } = await whileOtherHolds('suppliers', 'reference,name\nRACE-S,After\n');
    expect(said).toEqual(['Imported 1 suppliers: 0 new, 1 updated.']);
    expect(await one(`SELECT name, phone FROM suppliers WHERE reference = 'RACE-S'`)).toEqual({
      name: 'After',
      phone: '2',
    });
  });

  it('writes nothing where the connection is lost', async () => {
    await other.query(`INSERT INTO brands (name) VALUES ('Cut')`);
    await expect(
      whileOtherHolds('brands', 'name\nBefore the cut\nCut\n', () =>
        other.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ),
    ).rejects.toThrow(/terminat/);
    expect(await one(`SELECT FROM brands WHERE name = 'Before the cut'`)).toBeUndefined();
  });

  it('makes each row once where two imports bring the same file', async () => {
    await other.query('COMMIT');
    const path = save(
      `name,reference\n${Array.from({ length: 500 }, (_, n) => `Both ${n},BOTH-${n}`).join('\n')}`,
    );
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const start = () => commands.import!(['articles', path], database.url, loadEnv({}));
    expect(await Promise.all([start(), start()])).toEqual([0, 0]);
    expect(log.mock.calls.flat().sort()).toEqual([
      'Imported 500 articles: 0 new, 0 updated, 500 unchanged.',
      'Imported 500 articles: 500 new, 0 updated.',
    ]);
    expect(await one(`SELECT count(*)::int AS n FROM articles WHERE reference LIKE 'BOTH-%'`)).toEqual({
      n: 500,
    });
  });
});

describe('import: a large file into an open session', () => {
  it('gives each purchase its line and its place in the figures', async () => {
    const own = await createTestDatabase();
    const app = await startApp({}, own);
    try {
      const session = await app
        .as('manager')
        .post('/inventories', { year: 2026, inventory_date: '2026-06-30' });
      expect(session.status).toBe(201);
      const count = 20_000;
      await importInto(own.url, 'articles', 'name,reference\nLaptop,ART-1\n');
      const line = (n: number) => `ART-1;${n % 2 ? `BULK-${n}` : ''};2024-01-15;${n},50;"Note\n${n}"`;
      const file = [
        'article;code;purchase_date;purchase_price;notes',
        ...Array.from({ length: count }, (_, n) => line(n)),
      ];
      expect(await importInto(own.url, 'purchases', file.join('\r\n'))).toEqual({
        code: 0,
        said: [`Imported ${count} purchases: ${count} new, 0 updated.`],
      });

      const { progress } = (await app.as('viewer').get(`/inventories/${session.body.id}`)).body;
      expect(progress).toEqual({ scanned: 0, total: count, percentage: 0 });
      const [figures] = await own.query(
        `SELECT (SELECT count(*)::int FROM inventory_lines WHERE scan_id IS NULL) AS lines,
           (SELECT sum(total)::int FROM inventory_counters) AS total,
           (SELECT count(*)::int FROM purchase_codes) AS codes,
           (SELECT count(DISTINCT code)::int FROM purchases) AS purchases`,
      );
      expect(figures).toEqual({ lines: count, total: count, codes: count, purchases: count });

      const scan = await app
        .as('operator')
        .post(`/inventories/${session.body.id}/scan`, { code: 'bulk-19999' });
      expect(scan.body).toMatchObject({ status: 'success', code: 'BULK-19999' });
      const answer = await app.as('viewer').get('/scan/BULK-3');
      expect(answer.body).toMatchObject({ code: 'BULK-3', purchase_price: 3.5, notes: 'Note\n3' });

      // A dry run leaves no trace in the session either.
      await importInto(own.url, 'purchases', 'article,purchase_date\nART-1,2024-01-15\n', '--dry-run');
      const after = (await app.as('viewer').get(`/inventories/${session.body.id}`)).body.progress;
      expect(after).toMatchObject({ scanned: 1, total: count });
    } finally {
      await app.stop();
      await own.drop();
    }
  }, 120_000);
});

describe('import: from the command line', () => {
  it('says all of it to a reader who takes his time, and nothing to one who has gone', async () => {
    const file = save(`name,brand\n${`Laptop,${'x'.repeat(80)}\n`.repeat(3000)}`); // more than a pipe holds
    const env = { PATH: process.env.PATH!, DATABASE_URL: database.url };
    const command = `'${process.execPath}' dist/cli.js import articles '${file}'`;
    const shell = (script: string) =>
      promisify(execFile)('bash', ['--norc', '-c', script], { env, maxBuffer: 10_000_000 });
    const slow = await shell(`set -o pipefail; ${command} 2>&1 | (sleep 1; cat); echo "code $?"`);
    const lines = slow.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(1003);
    expect(lines.slice(1000)).toEqual([
      expect.stringMatching(/^… and \d+ more errors\.$/),
      '3000 bad lines; nothing was written.',
      'code 1',
    ]);
    const gone = await shell(`${command} 2>&1 | head -1; echo "code \${PIPESTATUS[0]}"`);
    expect(gone.stdout).toBe(`line 2: brand: matches nothing: ${'x'.repeat(80)}\ncode 1\n`);
  }, 120_000);

  it('shows in a terminal how far it is, and by Ctrl-C leaves nothing behind', async () => {
    const env = { DATABASE_URL: database.url, TERM: 'xterm' };
    const names = Array.from({ length: 20_000 }, (_, n) => `Terminal ${n}`);
    const file = save(`name\n${names.join('\n')}\n`);
    const inTerminal = `script -qec "'${process.execPath}' dist/cli.js import suppliers '${file}'" /dev/null`;
    const interrupted = new RunningProcess('sh', ['-c', inTerminal], env, null);
    await interrupted.says(/Checked \[#+-+\] \d+ of 20000/);
    interrupted.child.stdin!.write('\x03');
    expect(await interrupted.ended).toBe(130);
    const suppliers = () => database.query(`SELECT FROM suppliers WHERE name LIKE 'Terminal%'`);
    expect(await suppliers()).toHaveLength(0);

    const whole = new RunningProcess('sh', ['-c', inTerminal], env, null);
    expect(await whole.ended).toBe(0);
    // The bar is gone when the outcome is said.
    expect(whole.output.split('\x1b[1G\x1b[0K').at(-1)).toBe(
      'Imported 20000 suppliers: 20000 new, 0 updated.\r\n',
    );
    expect(await suppliers()).toHaveLength(20_000);
  }, 120_000);

  it('prints the outcome, the bad lines and the use, with the right exit codes', async () => {
    const env = { DATABASE_URL: database.url };
    const good = await runCommand(['import', 'brands', save('name\nFrom the shell\n')], env);
    expect(good).toEqual({ code: 0, output: 'Imported 1 brands: 1 new, 0 updated.\n', errors: '' });
    const bad = await runCommand(['import', 'brands', '--dry-run', save('name\n""\n')], env);
    expect(bad).toEqual({
      code: 1,
      output: '',
      errors: 'line 2: name: is required\n1 bad line; nothing was written.\n',
    });
    const wrong = await runCommand(['import', 'brand', 'x.csv'], env);
    expect(wrong).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Usage: npm run import -- <brands\|[^]*\n$/),
    });
  });
});
