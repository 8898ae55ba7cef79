import fc from 'fast-check';
import { migrate } from '../src/database/migrate.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import { factories, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';

let app: TestApp;
let make: Factories;

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());

const PASSWORD = 'ten terns over the tide';
const FORMAT = /\p{Cf}/u;

/** All of Unicode's; a BOM at an end of a text goes with the white space. */
const formatCharacters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => FORMAT.test(character));
/** A soft hyphen, zero-width space and joiner, marks and overrides of direction, a BOM, a language tag. */
const FEW = ['\u00ad', '\u200b', '\u200d', '\u200f', '\u202e', '\u2066', '\ufeff', '\u{e0041}'];

describe('invisible and bidirectional format characters', () => {
  const user = (fields: object) => ({
    name: 'Ann',
    login: unique('ann').replace(' ', ''),
    email: `${unique('ann').replace(' ', '')}@test.example`,
    password: PASSWORD,
    roles: [],
    ...fields,
  });
  const fields: [path: string, field: string, body: (value: string) => Promise<object> | object][] = [
    ['articles', 'name', (name) => ({ name })],
    ['articles', 'reference', (reference) => ({ name: 'x', reference })],
    ['suppliers', 'name', (name) => ({ name })],
    ['suppliers', 'reference', (reference) => ({ name: 'x', reference })],
    ['suppliers', 'email', (text) => ({ name: 'x', email: `${text}@test.example` })],
    ['locations', 'name', (name) => ({ name })],
    ['locations', 'code', (code) => ({ name: 'x', code })],
    ['users', 'name', (name) => user({ name })],
    ['users', 'login', (login) => user({ login })],
    ['users', 'email', (text) => user({ email: `${text}@test.example` })],
    ['roles', 'name', (name) => ({ name, permissions: [] })],
    [
      'purchases',
      'code',
      async (code) => ({ code, article_id: (await make.article()).id, purchase_date: '2026-01-15' }),
    ],
  ];

  it.each(fields)('are refused in %s: %s', async (path, field, body) => {
    const admin = app.as('admin');
    const created = await admin.post(`/${path}`, await body('plain'));
    expect(created.status).toBe(201);
    for (const character of FEW) {
      const sent = await body(`a${character}b`);
      expect(refused(await admin.post(`/${path}`, sent))).toEqual([field]);
      const { [field as never]: value } = sent;
      expect(refused(await admin.patch(`/${path}/${created.body.id}`, { [field]: value }))).toEqual([field]);
    }
  });

  it('are refused in both languages', async () => {
    const inLanguage = async (language: string) => {
      const headers = { 'accept-language': language };
      return (await app.as('admin').send('POST', '/suppliers', { name: 'a\u200bb' }, headers)).body.errors;
    };
    expect(await inLanguage('en')).toEqual({
      name: ['must not contain invisible or bidirectional format characters'],
    });
    expect(await inLanguage('fr')).toEqual({
      name: ['ne doit pas contenir de caractère de format, invisible ou bidirectionnel'],
    });
  });

  it('are refused, every one of Unicode, and emoji that are joined by one', async () => {
    const refuses = async (name: string) =>
      expect([name, refused(await app.as('admin').post('/suppliers', { name }))]).toEqual([name, ['name']]);
    for (const character of formatCharacters) await refuses(`a${character}b`);
    await refuses('👩‍👩‍👧');
    expect((await app.as('admin').post('/suppliers', { name: '👩🏽 🇫🇷 ❤️' })).status).toBe(201);
  });

  it('stand in the document, as patterns that any language reads', async () => {
    const { components } = (await app.anonymous.get('//openapi.json')).body;
    for (const [schema, field] of [
      ['CreateArticleDto', 'name'],
      ['UpdateArticleDto', 'reference'],
      ['CreateSupplierDto', 'email'],
      ['CreateUserDto', 'login'],
      ['CreateUserDto', 'email'],
      ['UpdateRoleDto', 'name'],
      ['CreatePurchaseDto', 'code'],
    ] as const) {
      const { pattern } = components.schemas[schema].properties[field] as { pattern: string };
      for (const unicode of ['', 'u']) {
        const expression = new RegExp(pattern, unicode);
        for (const text of ['ann', '0004521', 'x'.repeat(60), 'é'])
          expect([field, text, expression.test(text)]).toEqual([field, text, true]);
        for (const character of formatCharacters.filter((one) => one.length === 1))
          expect([field, expression.test(`a${character}b`)]).toEqual([field, false]);
      }
    }
  });

  it('are refused by the importer, as that line’s error', async () => {
    const why = 'must not contain invisible or bidirectional format characters';
    const cases: [kind: string, file: string, ...said: string[]][] = [
      ['brands', 'name\nDell\nDe\u200dll\n', `line 3: name: ${why}`],
      ['tiers', 'name,reference\na\u202eb,c\u00add\n', `line 2: name: ${why}`, `line 2: reference: ${why}`],
      ['equipments', 'name,reference\na,c\u2066d\n', `line 2: reference: ${why}`],
      ['suppliers', 'name,reference\na\u200bb,\n', `line 2: name: ${why}`],
      ['articles', 'name,reference\na,b\u{e0041}c\n', `line 2: reference: ${why}`],
    ];
    for (const [kind, file, ...errors] of cases) {
      const { code, said } = await importText(app.database.url, kind, file);
      expect([kind, said.slice(0, -1), code]).toEqual([kind, errors, 1]);
    }
    const article = await make.article({ reference: unique('A') });
    const file = `article,purchase_date,code\n${article.reference},2026-01-15,a\u200bb\n`;
    expect((await importText(app.database.url, 'purchases', file)).said[0]).toBe(`line 2: code: ${why}`);
  });

  it('stay where texts are not names', async () => {
    const text = '👩‍👩‍👧 \u202eעברית';
    const { body } = await app.as('admin').post('/suppliers', { name: 'x', address: text, phone: text });
    expect(body).toMatchObject({ address: text, phone: text });
    const purchase = await make.purchase({ notes: text, serial_number: text });
    expect(purchase).toMatchObject({ notes: text, serial_number: text });
  });
});

describe('what a scanner reads', () => {
  let session: number;
  const scans: [name: string, scan: (text: string) => Promise<Answer>][] = [
    ['POST scan', (code) => app.as('operator').post(`/inventories/${session}/scan`, { code })],
    ['GET /scan/{code}', (code) => app.as('operator').get(`/scan/${encodeURIComponent(code)}`)],
  ];
  /** The code that was found; of a scan also where it was scanned before. */
  const found = ({ status, body }: Answer): string | undefined =>
    status === 200 && body.status !== 'error' ? (body.code as string) : undefined;

  beforeAll(async () => {
    session = (await app.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-10-01' }))
      .body.id;
    await make.purchase({ code: '0004521' });
    await make.purchase({ code: 'AB' });
    // Codes of before, which no longer can be brought.
    for (const code of ['A\u200bB', 'only\u200dold', '\u200e]C1Z']) {
      const { id } = await make.purchase();
      await app.database.query(`UPDATE purchases SET code = $1 WHERE id = $2`, [code, id]);
    }
  });

  describe.each(scans)('%s', (_, scan) => {
    it.each([
      '\u200b0004521',
      '0004521\u200e',
      '000\u00ad4521',
      ' \u202a0004521\u202c\r\n',
      '\u200e]C10004521',
      ']C1\u2066 0004521\u2069',
      '\u200bhttps://x.example/p/0004521',
      'https://x.example/p/%E2%80%8B0004521',
      'https://x.example/p/000\u200b4521?x=1',
      '0\u200d0\u200d0\u{e0041}4521',
    ])('is freed of them: %j', async (text) => {
      expect(found(await scan(text))).toBe('0004521');
    });

    it('is first tried as it is, so that codes of before that hold them are found', async () => {
      expect(found(await scan('A\u200bB'))).toBe('A\u200bB');
      expect(found(await scan(']C1a\u200bb\r\n'))).toBe('A\u200bB');
      expect(found(await scan('https://x.example/p/A%E2%80%8BB'))).toBe('A\u200bB');
      expect(found(await scan('A\u200cB'))).toBe('AB');
      expect(found(await scan('only\u200dold'))).toBe('only\u200dold');
      expect(found(await scan('onlyold'))).toBeUndefined();
      expect(found(await scan('\u200e]C1Z\n'))).toBe('\u200e]C1Z');
    });

    it('is of nothing else than an unknown code', async () => {
      for (const text of ['\u200b', '\u200b\u200d', '\u00ad \u202e', ']C1\u200b'])
        expect(found(await scan(text))).toBeUndefined();
    });

    it('is found wherever they are', async () => {
      const place = fc.tuple(fc.nat(7), fc.constantFrom(...formatCharacters));
      await fc.assert(
        fc.asyncProperty(fc.array(place, { maxLength: 6 }), async (places) => {
          const characters = [...'0004521'];
          for (const [at, character] of places) characters.splice(at, 0, character);
          expect(found(await scan(characters.join('')))).toBe('0004521');
        }),
        { numRuns: 40 },
      );
    });
  });
});

describe('names that are one', () => {
  const admin = () => app.as('admin');
  /** Of Unicode as old as any PostgreSQL’s ICU. */
  const letters = "abzABZéÉàÏöŒœçßñåøæłžŞıİσςΣάжЯé½²№ﬁＡｚ漢ё0-'&.";
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 });
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const SPACES = [' ', '  ', '\u00a0', '\u2003', '\u3000', '\t', ' \n ', '\u202f', '\u0085'];
  const variants: ((text: string) => string)[] = [
    ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => (text: string) => text.normalize(form)),
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    ...SPACES.map((space) => (text: string) => text.replaceAll(' ', space)),
  ];
  const variant = fc
    .array(fc.constantFrom(...variants), { minLength: 1, maxLength: 3 })
    .map((steps) => (text: string) => steps.reduce((so, step) => step(so), text));

  const ACCENTS = [
    ['Café SA', 'Cafe SA'],
    ['Élodie', 'Elodie'],
    ['zoë', 'zoe'],
    ['Peña', 'Pena'],
  ] as const;

  let round = 0;
  /** A name of its own, though the words may be those of another. */
  const numbered = (text: string) => `N${round} ${text}`;

  it('are one brand and role for the importer, the constraint and HTTP, however they are written', async () => {
    const cases = fc.array(fc.tuple(name, variant), { minLength: 15, maxLength: 15 });
    const file = (names: string[]) => `name\n${names.map((text) => `"${text}"\n`).join('')}`;
    await fc.assert(
      fc.asyncProperty(cases, async (pairs) => {
        const all = pairs.map(([text, vary]) => {
          round++;
          return [numbered(text), vary(numbered(text))] as const;
        });
        const { said: made } = await importText(
          app.database.url,
          'brands',
          file(all.map(([first]) => first)),
        );
        expect(made).toEqual(['Imported 15 brands: 15 new, 0 updated.']);
        const { said: found } = await importText(
          app.database.url,
          'brands',
          file(all.map(([, other]) => other)),
        );
        expect(found).toEqual(['Imported 15 brands: 0 new, 0 updated, 15 unchanged.']);
        for (const [first, other] of all) {
          await expect(make.brand({ name: other })).rejects.toThrow(/uq_brands_name(_key)?"/);
          expect((await admin().post('/roles', { name: first, permissions: [] })).status).toBe(201);
          const again = await admin().post('/roles', { name: other, permissions: [] });
          expect([first, other, refused(again)]).toEqual([first, other, ['name']]);
        }
      }),
      { numRuns: 2 },
    );
  }, 120_000);

  it('are one login', async () => {
    const login = word.filter((text) => !/[@\s]/u.test(text.normalize('NFKC')));
    const user = (name: string, email: string) => ({
      name: 'Ann',
      login: name,
      email,
      password: PASSWORD,
      roles: [],
    });
    await fc.assert(
      fc.asyncProperty(login, variant, async (text, vary) => {
        round++;
        const [first, other] = [`n${round}-${text}`, vary(`n${round}-${text}`)];
        expect((await admin().post('/users', user(first, `one${round}@test.example`))).status).toBe(201);
        const again = await admin().post('/users', user(other, `other${round}@test.example`));
        expect([first, other, refused(again)]).toEqual([first, other, ['login']]);
      }),
      { numRuns: 8 },
    );
    expect((await admin().post('/users', user('élan', 'élan@test.example'))).status).toBe(201);
    expect(refused(await admin().post('/users', user('elan-2', 'E\u0301LAN@test.example')))).toEqual([
      'email',
    ]);
    expect((await app.anonymous.post('/login', { login: 'E\u0301LAN', password: PASSWORD })).status).toBe(
      200,
    );
    expect((await app.anonymous.post('/login', { login: 'elan', password: PASSWORD })).status).toBe(401);
    expect((await admin().post('/users', user('elan', 'elan@test.example'))).status).toBe(201);
  });

  it.each(ACCENTS)('are two with other accents: %s, %s', async (one, other) => {
    const file = `name\n${one}\n${other}\n`;
    expect((await importText(app.database.url, 'categories', file)).said).toEqual([
      'Imported 2 categories: 2 new, 0 updated.',
    ]);
    for (const text of [one, other])
      expect((await admin().post('/roles', { name: text, permissions: [] })).status).toBe(201);
    expect((await admin().get(`/categories?search=${encodeURIComponent(other)}`)).body.data).toHaveLength(2);
  });

  it('are found by every reference, and keep their spelling', async () => {
    const into = (kind: string, text: string) => importText(app.database.url, kind, text);
    await into('brands', 'name\nCafé  du Port\n');
    await into('suppliers', 'name,reference\nTy Réseau,F-é 1\nSans Référence,\n');
    await into('tiers', 'name,reference\nOne,T é 1\n');
    const articles = 'name,reference,brand\nArt,A-é 1,CAFE\u0301\u00a0DU PORT\n';
    expect((await into('articles', articles)).said).toEqual(['Imported 1 articles: 1 new, 0 updated.']);
    expect((await into('articles', articles.replace('A-é 1', 'a-E\u0301\u00a01'))).said).toEqual([
      'Imported 1 articles: 0 new, 0 updated, 1 unchanged.',
    ]);
    const purchase =
      'article,supplier,purchase_date\nA-É  1,f-é\u00a01,2026-01-15\nART,SANS RE\u0301FÉRENCE,2026-01-15\n';
    expect((await into('purchases', purchase)).said).toEqual(['Imported 2 purchases: 2 new, 0 updated.']);
    expect((await into('suppliers', 'name,phone\nsans  référence,1\n')).said).toEqual([
      'Imported 1 suppliers: 0 new, 1 updated.',
    ]);
    expect((await into('tiers', 'name,reference\nOne,t\u00a0É 1\n')).said).toEqual([
      'Imported 1 tiers: 0 new, 0 updated, 1 unchanged.',
    ]);
    expect((await into('equipments', 'name,reference,tier\nE,E 1,T  É 1\n')).said).toEqual([
      'Imported 1 equipments: 1 new, 0 updated.',
    ]);
    expect(
      await app.database.query(
        `SELECT name, reference FROM suppliers WHERE phone = '1' OR reference LIKE 'F-%'`,
      ),
    ).toEqual([
      { name: 'Ty Réseau', reference: 'F-é 1' },
      { name: 'Sans Référence', reference: null },
    ]);
    expect(await app.database.query(`SELECT name FROM brands WHERE name LIKE 'Café%Port'`)).toEqual([
      { name: 'Café  du Port' },
    ]);
  });

  it('are said to be repeated in one file, and not to match where they hold what nobody sees', async () => {
    const said = async (kind: string, text: string) =>
      (await importText(app.database.url, kind, text)).said[0];
    expect(await said('brands', 'name\nÉtoile SA\ne\u0301toile\u00a0sa\n')).toBe(
      'line 3: name: is on line 2 too',
    );
    await make.supplier({ name: 'Double' });
    await make.supplier({ name: 'DOUBLE' });
    expect(await said('suppliers', 'name\ndouble\n')).toBe('line 2: name: matches 2 rows');
    expect(await said('articles', 'name,brand\nx,Ca\u200bfé\n')).toBe(
      'line 2: brand: must not contain invisible or bidirectional format characters',
    );
  });

  it('are so for every letter of Unicode and every way to write it', async () => {
    // But for ideographs, Hangul, Tangut and private characters, which have no case.
    const different = await app.database.query(`
      SELECT c FROM (SELECT chr(n) COLLATE "und-x-icu" AS c FROM generate_series(1, 131071) n
                     WHERE n NOT BETWEEN 13312 AND 42559 AND n NOT BETWEEN 44032 AND 63743
                       AND n NOT BETWEEN 94208 AND 101759) letters,
        LATERAL unnest(ARRAY[upper(c), lower(c), initcap(c), normalize(c, NFC), normalize(c, NFD), normalize(c, NFKC),
          normalize(c, NFKD)]) o
      WHERE o <> c AND name_key('x' || o || 'y') <> name_key('x' || c || 'y')`);
    expect(different).toEqual([]);
  }, 120_000);

  it('are so whatever white space there is, also on a database with the C locale', async () => {
    const inC = await createTestDatabase('template0', 'C');
    await migrate(inC.url);
    for (const database of [app.database, inC]) {
      const rows = await database.query(
        `SELECT DISTINCT name_key(space || 'é' || space || space || 'ﬁ' || space) AS key, name_key('É') <> name_key('e') AS differs
         FROM unnest($1::text[]) space`,
        [[...SPACES, '\u1680', '\u2028', '\u2029', '\u000b']],
      );
      expect(rows).toEqual([{ key: 'É FI', differs: true }]);
    }
    await inC.drop();
  }, 120_000);
});
