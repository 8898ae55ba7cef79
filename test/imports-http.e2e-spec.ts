import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { todayIn } from '../src/common/dates.js';
import { loadEnv } from '../src/config/env.js';
import { xlsxOf } from '../src/exports/xlsx.js';
import { ImportRows } from '../src/imports/import-rows.js';
import { ImportsService } from '../src/imports/imports.service.js';
import { WORKING } from '../src/imports/job.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Address } from './support/address.js';
import type { Answer, Client } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { cutOff } from './support/upload.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ IMPORT_MAX_MB: '1' });
});
afterEach(rollbackAll);
afterAll(() => app.stop());

const CSV = 'text/csv';

/** Sends a file as the whole body. */
const post = (path: string, text: string | Buffer, client: Client = app.as('manager'), type = CSV) =>
  client.send('POST', `/imports/${path}`, text, { 'content-type': type });

const END = /^(checked|done|refused|failed)$/;

/** Waits for the end of an import. */
async function ended(id: number, client: Client = app.as('manager'), language = 'en') {
  let answer: Answer;
  await until(async () => {
    await sleep(25);
    answer = await client.get(`/imports/${id}`, { 'Accept-Language': language });
    expect(answer.status).toBe(200);
    return END.test(answer.body.status as string);
  });
  return answer!.body;
}

/** Sends one as soon as there is room for it: those before leave theirs a moment after they have ended. */
async function begun(path: string, text: string | Buffer): Promise<number> {
  let answer: Answer;
  await until(async () => {
    answer = await post(path, text);
    expect([202, 429]).toContain(answer.status);
    return answer.status === 202;
  });
  return answer!.body.id;
}

async function imported(path: string, text: string | Buffer, client?: Client) {
  const { status, body } = await post(path, text, client);
  expect(status).toBe(202);
  return ended(body.id as number, client);
}

function form(parts: Record<string, string | [string, string | Buffer]>) {
  const boundary = 'b0undary';
  const bytes = Object.entries(parts).flatMap(([name, part]) => {
    const [file, content] = typeof part === 'string' ? [null, part] : part;
    const disposition = `form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}`;
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
  });
  const body = Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]);
  return [body, `multipart/form-data; boundary=${boundary}`] as const;
}

/** The refused lines of an import. */
const refused = async (id: unknown, language = 'en') =>
  (await app.as('manager').get(`/imports/${String(id)}/errors.csv`, { 'accept-language': language })).text;

const rows = (table: string) => app.database.query(`SELECT * FROM ${table} ORDER BY id`);

describe('POST /imports/{kind}', () => {
  it('answers at once where to look, and ends with all lines written', async () => {
    const { status, headers, body } = await post(
      'suppliers',
      'Nom;Réf;Effectif\nTy Réseau;TY-1;12\nMorvan;;7\n',
    );
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/api/v1/imports/${body.id}`);
    expect(body).toMatchObject({
      kind: 'suppliers',
      format: 'recense',
      dry_run: false,
      created_by: { name: 'User manager' },
    });
    const done = await ended(body.id as number);
    expect(done).toMatchObject({
      status: 'done',
      rows: { read: 2, checked: 2, inserted: 2, updated: 0, unchanged: 0 },
      columns: [
        { column: 'Nom', field: 'name' },
        { column: 'Réf', field: 'reference' },
        { column: 'Effectif', field: null },
      ],
      errors: [],
      error_count: 0,
      detail: null,
    });
    expect(done.finished_at).toMatch(/Z$/);
    const [entry] = (await app.as('admin').get('/audit?action=import')).body.data;
    expect(entry).toMatchObject({
      user_name: 'User manager',
      after: { kind: 'suppliers', file: 'file', added: 2 },
    });
  });

  it('has PostgreSQL know how many rows there are', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `KNOWN-${n},Known ${n}\n`);
    expect((await imported('equipments', `reference,name\n${lines.join('')}`)).status).toBe('done');
    const all = (await rows('equipments')).length;
    expect(all).toBeGreaterThanOrEqual(300);
    await until(async () => {
      const [known] = await app.database.query<{ reltuples: number }>(
        `SELECT reltuples FROM pg_class WHERE oid = 'equipments'::regclass`,
      );
      return known?.reltuples === all;
    });
  });

  it('takes a form, with the name of the file', async () => {
    const [body, type] = form({ file: ['C:\\My files\\marques.csv', 'name\nFrom a form\n'] });
    const { status, body: answer } = await post('brands', body, undefined, type);
    expect([status, answer.file]).toEqual([202, 'marques.csv']);
    expect(await ended(answer.id as number)).toMatchObject({ status: 'done', rows: { inserted: 1 } });
  });

  it('keeps the name of the file as rows can hold it: cleaned, and a long one with its ending', async () => {
    for (const [name, kept] of [
      ['a\0b\u202e.csv', 'ab.csv'],
      [`${'a'.repeat(254)}😀.csv`, `${'a'.repeat(251)}.csv`],
    ] as const) {
      const [body, type] = form({ file: [name, 'name\nFrom a form\n'] });
      const answer = await app.as('manager').send('POST', '/imports/brands', body, { 'content-type': type });
      expect(answer).toMatchObject({ status: 202, body: { file: kept } });
      expect(await ended(answer.body.id as number)).toMatchObject({ status: 'done' });
    }
  });

  // Hours, if anything looked through such a text once for each of its characters.
  it.each(['(', '[', ' ', '/ ', '-', '1.'])(
    'is read in a moment, however often %j is repeated in it',
    async (text) => {
      const long = `"a${text.repeat(200_000 / text.length)}b"`;
      expect(await imported('brands?dry_run=true', `name,${long}\nAcme,\n`)).toMatchObject({
        status: 'checked',
      });
      const line = ['x', '2024-03-15', long, long, long, long].join(',');
      const { status, errors } = await imported(
        'purchases?dry_run=true&format=list',
        `article,purchase_date,purchase_price,location,Garantie,code\n${line}\n`,
      );
      expect([status, errors.map(({ column }: { column: string }) => column)]).toEqual([
        'refused',
        expect.arrayContaining(['purchase_price', 'Garantie', 'code']),
      ]);
    },
  );

  it('checks only with dry_run', async () => {
    const before = await rows('brands');
    expect(await imported('brands?dry_run=true', 'name\nDry\n')).toMatchObject({
      status: 'checked',
      dry_run: true,
      rows: { read: 1, checked: 1, inserted: 1 },
    });
    expect(await rows('brands')).toEqual(before);
  });

  it('ends a dry run as checked, although lost imports are ended just then', async () => {
    await app.database.query(`
      CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_query() LIKE '%finished_at%' AND current_query() NOT LIKE '%pg_try_advisory%' THEN
          PERFORM pg_advisory_xact_lock_shared(77);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER wait_for_the_test BEFORE UPDATE ON imports EXECUTE FUNCTION wait_for_the_test()`);
    const held = await begin(app.database);
    await held.query('SELECT pg_advisory_xact_lock(77)');
    const { body } = await post('brands?dry_run=true', 'name\nJust then\n');
    await blocked(app.database);
    await app.app.get(ImportRows).endLost(WORKING);
    await held.end('COMMIT');
    expect(await ended(body.id as number)).toMatchObject({ status: 'checked', rows: { inserted: 1 } });
    await app.database.query('DROP FUNCTION wait_for_the_test CASCADE');
  });

  it('refuses all of a file for one bad line, tells each in the language asked for, and gives the lines back', async () => {
    const before = await rows('tiers');
    const { body } = await post(
      'tiers',
      'reference,name,type,"=a,b"\nT-1,Good,customer,x\nT-2,,friend,"=1+1\ny"\n\0,z,other,\n',
    );
    const id = body.id as number;
    expect(await ended(id)).toMatchObject({
      status: 'refused',
      rows: { read: 3, inserted: 0 },
      error_count: 3,
      errors: [
        { line: 3, column: 'name', value: '', message: 'is required' },
        {
          line: 3,
          column: 'type',
          value: 'friend',
          message: 'must be one of customer, supplier, partner, other',
        },
        { line: 5, column: 'reference', value: '\uFFFD', message: expect.stringContaining('NUL') },
      ],
    });
    expect((await ended(id, undefined, 'fr')).errors[0].message).toBe('est obligatoire');
    expect(await rows('tiers')).toEqual(before);
    const csv = await app.as('manager').get(`/imports/${id}/errors.csv`);
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(csv.text).toBe(
      `reference,name,type,"'=a,b",errors\r\n` +
        `T-2,,friend,"'=1+1\ny","name: is required; type: must be one of customer, supplier, partner, other"\r\n` +
        '\uFFFD,z,other,,reference: must not contain NUL characters or lone surrogates\r\n',
    );
    // In French as Excel opens it there.
    const french = await app.as('manager').get(`/imports/${id}/errors.csv`, { 'accept-language': 'fr' });
    expect(french.text.split('\r\n').slice(0, 2)).toEqual([
      `reference;name;type;'=a,b;erreurs`,
      `T-2;;friend;"'=1+1\ny";"name: est obligatoire; type: doit être l’une des valeurs customer, supplier, partner, other"`,
    ]);
    // Mended and sent again.
    const mended = csv.text.replace('T-2,,friend', 'T-2,Mended,partner').replace('\uFFFD,z', 'T-3,z');
    expect(await imported('tiers', mended)).toMatchObject({ status: 'done', rows: { inserted: 2 } });
  });

  it('gives the lines back whose places it does not find, under the names that the file has', async () => {
    const { body } = await post(
      'locations',
      'Nom;Code;Lieu parent\nAile A;;\nBureau 1;B1;Aile  Z\nBureau 2;;Aile A\nBureau 2;;aile a\n',
    );
    const id = body.id as number;
    expect(await ended(id)).toMatchObject({
      status: 'refused',
      error_count: 2,
      errors: [
        { line: 3, column: 'Lieu parent', value: 'Aile  Z', message: 'matches nothing: Aile  Z' },
        { line: 5, column: 'Nom', value: 'Bureau 2', message: expect.stringContaining('4') },
      ],
    });
    const csv = await app.as('manager').get(`/imports/${id}/errors.csv`, { 'Accept-Language': 'en' });
    expect(csv.text.split('\r\n').slice(1, -1)).toEqual([
      expect.stringMatching(/^Bureau 1,B1,Aile {2}Z,Lieu parent: matches nothing/),
      expect.stringMatching(/^Bureau 2,,aile a,/),
    ]);
  });

  it('gives the lines back without the apostrophe of its exports, which they have in the file anyway', async () => {
    const cells = ["'+33 2 96", '+33 2 97', "''+33 2 98", "'tis"];
    const file = `"'=x",reference,phone,name\n${cells.map((cell) => `,T-9,${cell},\n`).join('')}`;
    expect((await refused((await imported('tiers', file)).id)).split('\r\n').slice(0, 5)).toEqual([
      "'=x,reference,phone,name,errors",
      ...["'+33 2 96", "'+33 2 97", "''+33 2 98", "'tis"].map((cell) =>
        expect.stringContaining(`,T-9,${cell},,`),
      ),
    ]);
  });

  it('gives the lines of another width back as they came, and refuses them again until they are mended', async () => {
    await imported('articles', 'name,reference\nLaptop,WIDE-1\n');
    const before = await rows('purchases');
    const lines = [
      'WIDE-1,2024-01-15,1161,71',
      'WIDE-1,2024-01-15',
      'WIDE-1',
      'WIDE-1,2024-01-15,5,,x,,',
      'WIDE-1,soon,5,,',
    ];
    let file = `article,purchase_date,purchase_price\n${lines.join('\n')}\n`;
    for (let times = 0; times < 3; times++) {
      const { status, error_count, id } = await imported('purchases', file);
      expect([status, error_count]).toEqual(['refused', lines.length]);
      file = await refused(id);
      const returned = file.split('\r\n').slice(1, -1);
      for (const [at, line] of ['WIDE-1,soon,5', ...lines.slice(0, 4)].entries())
        expect(returned[(at + 4) % 5]).toMatch(new RegExp(`^${line.replace(/,+$/, '')},[^,]* `));
    }
    expect(await rows('purchases')).toEqual(before);
    const [header, line] = file.split('\r\n') as [string, string];
    expect(await imported('purchases', `${header}\n${line.replace('1161,71', '"1161,71"')}\n`)).toMatchObject(
      {
        status: 'done',
        rows: { inserted: 1 },
      },
    );
  });

  it('is done once however often it is sent with one key, and refuses the key for another file or way', async () => {
    await imported('articles', 'name,reference\nChair,ONCE-1\n');
    const headers = { 'content-type': CSV, 'idempotency-key': 'file-1' };
    const send = (path: string, text: string) =>
      app.as('manager').send('POST', `/imports/${path}`, text, headers);
    const text = 'article,purchase_date\nONCE-1,2026-01-15\n';
    const [first, again] = [await send('purchases', text), await send('purchases', text)];
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await ended(first.body.id as number)).toMatchObject({ status: 'done', rows: { inserted: 1 } });
    const bought = `SELECT FROM purchases WHERE article_id = (SELECT id FROM articles WHERE reference = 'ONCE-1')`;
    expect(await app.database.query(bought)).toHaveLength(1);
    for (const [path, file] of [
      ['purchases', `${text}ONCE-1,2026-01-16\n`],
      ['purchases?dry_run=true', text],
      ['brands', text],
    ] as const)
      expect(Object.keys((await send(path, file)).body.errors as object)).toEqual(['Idempotency-Key']);
    for (let n = 0; n < 5; n++) await send('purchases', text);
    expect(await imported('brands', 'name\nAfter it\n')).toMatchObject({ status: 'done' });
  });

  it('gives the numbers of a workbook back so that they are taken for the same', async () => {
    await imported('articles', 'name,reference\nLaptop,NUM-1\n');
    await app.as('admin').post('/fields', { name: 'Weight', applies_to: 'purchase', type: 'number' });
    const titles = ['article', 'purchase_date', 'purchase_price', 'Weight', 'notes', 'serial_number'];
    async function* cells() {
      yield [['NUM-1', '2024-01-15', 1161.1000000000001, 1.125, 'a', 7]];
      yield [['none', '2024-01-15', 1000, -2.5, '1.125', 1.2345678901234568e18]];
      yield await Promise.resolve([['none', '2024-01-15', 1161.1000000000001, 1.125, 1.125, 1.125]]);
    }
    const columns = titles.map((title, at) => ({
      field: title,
      title,
      kind: at < 2 ? ('text' as const) : ('decimal' as const),
      width: 9,
    }));
    const workbook = await buffer(xlsxOf([{ title: 'x', columns, rows: cells() }]));
    const { status, id } = await imported('purchases', workbook);
    expect(status).toBe('refused');
    const csv = await refused(id);
    expect(csv.split('\r\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^none,2024-01-15,1000,-2\.5,1\.125,1\.2345678901234568e\+18,/),
      expect.stringMatching(/^none,2024-01-15,1161\.1,1\.1250,1\.125,1\.125,/),
    ]);
    expect(await refused(id, 'fr')).toContain('none;2024-01-15;1161,1;1,1250;1.125;1.125;');
    const mended = csv.replaceAll('none,', 'NUM-1,');
    expect(await imported('purchases', mended)).toMatchObject({
      status: 'refused',
      errors: [{ line: 2, column: 'serial_number' }],
    });
    expect(await imported('purchases', mended.replace('1.2345678901234568e+18', 'S'))).toMatchObject({
      status: 'done',
    });
    const [row] = await app.database.query(
      `SELECT * FROM purchases WHERE notes = '1.125' ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toMatchObject({ purchase_price: 1161.1, fields: { weight: 1.125 }, serial_number: '1.125' });
  });

  it('keeps the beginning alone of a long cell, and lists imports without their errors', async () => {
    const long = 'é'.repeat(10_000);
    const named = `type (${'é'.repeat(200)})`.padEnd(10_000);
    const { id, errors } = await imported('tiers', `reference,name,${named}x\nT-L,Long,${long}\n`);
    expect(errors).toEqual([
      expect.objectContaining({ column: named.slice(0, 500), value: 'é'.repeat(500) }),
    ]);
    const doubtful = `03/04/2024${' '.repeat(10_000)}10:00`;
    const { errors: doubts } = await imported('purchases', `article,purchase_date\nART-1,${doubtful}\n`);
    expect(doubts).toEqual([expect.objectContaining({ value: doubtful.slice(0, 500) })]);
    expect(doubts[0].message.length).toBeLessThan(1000);
    const asker = { id: 0, permissions: ['audit.view'] };
    const { rows: listed } = await app.app.get(ImportsService).list({}, asker);
    expect(listed[1]).toMatchObject({ id, error_count: 1 });
    expect(listed[1]).not.toHaveProperty('errors');
  });

  it('refuses a file for its header, for what may be read in two ways, and for what it is', async () => {
    expect(await imported('articles', 'foo\nx\n')).toMatchObject({
      status: 'refused',
      errors: [{ line: 1, column: 'name', value: null, message: 'is required' }],
    });
    await imported('articles', 'name,reference\nLaptop,ART-1\n');
    const file = 'article,purchase_date\nART-1,03/04/2024\n';
    expect(await imported('purchases', file)).toMatchObject({
      status: 'refused',
      errors: [
        {
          line: 2,
          column: 'purchase_date',
          value: '03/04/2024',
          message: expect.stringContaining('2024-04-03 or 2024-03-04'),
        },
      ],
    });
    expect(await imported('purchases?dates=dmy', file)).toMatchObject({ status: 'done' });
    expect(await imported('brands', '%PDF-1.7\n')).toMatchObject({
      status: 'refused',
      errors: [{ line: 1, column: 'file', message: expect.stringMatching(/^is a PDF document/) }],
    });
  });

  it('takes the options of the command', async () => {
    expect(
      await imported(
        'brands?delimiter=tab&encoding=windows-1252',
        Buffer.from('name\tx\nÉlan\ty\n', 'latin1'),
      ),
    ).toMatchObject({ status: 'done' });
    expect(await imported('brands?mode=create', 'name\nÉlan\n')).toMatchObject({
      status: 'refused',
      errors: [{ message: 'is known already' }],
    });
    expect(
      await imported('purchases?default_purchase_date=2024-05-06', 'article,code\nART-1,OPTION-1\n'),
    ).toMatchObject({ status: 'done' });
    expect(await imported('purchases?mode=update', 'code,notes\nOPTION-1,Seen\n')).toMatchObject({
      status: 'done',
      rows: { inserted: 0, updated: 1 },
    });
    const { status, body } = await post('brands?dates=ymd&mode=all&delimiter=x&foo=1', 'name\n');
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['dates', 'delimiter', 'foo', 'mode']]);
  });

  it('is asked in the order of checks, and reads no body of who may not send it', async () => {
    const asked = async (path: string, text: string | Buffer, client: Client, type?: string) =>
      (await post(path, text, client, type)).status;
    const manager = app.as('manager');
    expect(await asked('brands', 'x', app.anonymous)).toBe(401);
    expect(await asked('brands', 'x', app.as('operator'))).toBe(403);
    expect(await asked('brands?foo=1', 'x', manager, 'application/json')).toBe(415);
    expect(await asked('brands?foo=1', 'x', manager)).toBe(422);
    expect(await asked('nothing', 'x', manager)).toBe(404);
    expect((await manager.send('PUT', '/imports/brands')).status).toBe(405);
    const large = Buffer.alloc(1_048_577, 'x');
    expect(await asked('brands', large, manager)).toBe(413);
    const [tooLarge, type] = form({ file: ['x.csv', large] });
    expect(await asked('brands', tooLarge, manager, type)).toBe(413);
    expect(await asked('brands', 'no form', manager, 'multipart/form-data')).toBe(400);
    expect(await asked('brands', 'no form', manager, 'multipart/form-data; boundary=x')).toBe(400);
    const wrong: Parameters<typeof form>[0][] = [
      { other: ['x.csv', 'name\n'] },
      { file: ['x.csv', 'name\n'], more: 'x' },
    ];
    for (const parts of wrong) {
      const [text, formType] = form(parts);
      expect(await asked('brands', text, manager, formType)).toBe(422);
    }
  });
});

describe('GET /imports', () => {
  it('lists one’s own, newest first, and those of all for admins', async () => {
    const other = await app.asNewUser('other-importer', 'manager');
    const { body } = await post('brands', 'name\nOf another\n', other);
    await ended(body.id as number, other);
    const own = (await other.get('/imports')).body;
    expect(own.data).toMatchObject([{ id: body.id, status: 'done', rows: { inserted: 1 } }]);
    expect((await app.as('manager').get(`/imports/${body.id}`)).status).toBe(404);
    expect((await app.as('manager').get(`/imports/${body.id}/errors.csv`)).status).toBe(404);
    const all = (await app.as('admin').get('/imports?per_page=200')).body.data;
    expect(all[0].id).toBe(body.id);
    expect(all.length).toBeGreaterThan(5);
    expect((await app.as('operator').get('/imports')).status).toBe(403);
  });
});

describe('An import', () => {
  it('waits for another one, tells how far it is, and no more wait than there is room for', async () => {
    const other = new pg.Client({ connectionString: app.database.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(hashtext('imports'))`);
    try {
      const ids: number[] = [];
      for (let n = 0; n < 4; n++) ids.push((await post('brands', `name\nWaiting ${n}\n`)).body.id as number);
      const refused = await post('brands', 'name\nOne more\n');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
      const first = async () => (await app.as('manager').get(`/imports/${ids[0]}`)).body;
      await until(async () => (await first()).rows.read === 1);
      expect(await first()).toMatchObject({ status: 'checking', rows: { read: 1, checked: 0 } });
      await other.query(`SELECT pg_advisory_unlock(hashtext('imports'))`);
      for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'done' });
    } finally {
      await other.end();
    }
  });

  it('whose worker has gone is failed, with nothing written', async () => {
    const other = new pg.Client({ connectionString: app.database.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(hashtext('imports'))`);
    const { body } = await post('brands', 'name\nCut off\n');
    await app.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 425 AND objid = $1`,
      [body.id],
    );
    expect(await ended(body.id as number)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('nothing was written'),
    });
    await other.end();
    expect(await app.database.query(`SELECT FROM brands WHERE name = 'Cut off'`)).toEqual([]);
  });

  it('that was written is done, though the answer to its commit was lost', async () => {
    const address = await Address.of(app.database.url);
    address.forgetCommitsOf('import_lines');
    const far = await startApp({}, { ...app.database, url: address.url });
    try {
      const { id } = (await post('brands', 'name\nWritten\n', far.as('manager'))).body;
      for (const wait of [0, 1000]) {
        await sleep(wait); // nobody is told anything else later
        expect(await ended(id as number)).toMatchObject({
          status: 'done',
          rows: { inserted: 1 },
          detail: null,
        });
      }
      expect(await app.database.query(`SELECT name FROM brands WHERE name = 'Written'`)).toHaveLength(1);
    } finally {
      await far.app.close();
      address.close();
    }
  });

  it('leaves room for the next, though its end could not be written', async () => {
    await app.database.query(`ALTER TABLE imports ADD CONSTRAINT none CHECK (status <> 'refused') NOT VALID`);
    try {
      for (let n = 0; n < 5; n++) await begun('brands', Buffer.from('%PDF-1.7 no table'));
    } finally {
      await app.database.query(`ALTER TABLE imports DROP CONSTRAINT none`);
    }
    expect(await ended(await begun('brands', 'name\nThe next\n'))).toMatchObject({ status: 'done' });
  });

  it('leaves room for the next, though its file was cut off', async () => {
    const phone = { url: `${app.url}/api/v1/imports/brands`, token: app.as('manager').token };
    for (let n = 0; n < 25; n++) {
      await Promise.all([1, 2, 3].map(() => cutOff(phone)));
      expect(await ended(await begun('brands', `name\nAfter cut ${n}\n`))).toMatchObject({ status: 'done' });
    }
  });

  it('that waits for another one does not hold up a stop', async () => {
    const other = await begin(app.database);
    await other.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
    const instance = await startApp({}, app.database);
    const { id } = (await post('brands', 'name\nStopped\n', instance.as('manager'))).body;
    await blocked(app.database);
    await instance.app.close(); // while the other one goes on
    expect(await ended(id as number)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('stopped'),
    });
    await other.end('ROLLBACK');
  });

  it('holds up nobody who changes fields while it waits, and has what it has checked by them checked anew', async () => {
    const { body: field } = await app
      .as('admin')
      .post('/fields', { name: 'Étage', applies_to: 'purchase', type: 'choice', choices: ['1', '2'] });
    await imported('articles', 'name,reference\nChair,TURN-1\n');
    const change = (fields: object) => app.as('admin').patch(`/fields/${field.id}`, fields);
    const waiting = async (columns: string, cells: string, meanwhile: object) => {
      const other = await begin(app.database);
      await other.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
      const text = `article,purchase_date${columns}\nTURN-1,2026-01-15${cells}\n`;
      const { id } = (await post('purchases', text)).body;
      await blocked(app.database);
      expect((await change(meanwhile)).status).toBe(200);
      await other.end('ROLLBACK');
      return ended(id as number);
    };
    expect(await waiting('', '', { choices: ['1', '3'] })).toMatchObject({ status: 'done' });
    expect(await waiting(',Étage', ',3', { name: 'Floor' })).toMatchObject({ status: 'done' });
    expect(await waiting(',Floor', ',1', { choices: ['3'] })).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('send the file again'),
    });
    expect(await rows('purchases')).not.toContainEqual(
      expect.objectContaining({ fields: { [field.key as string]: '1' } }),
    );
  });

  it('has limits of its own, also through a pooler that has those of ordinary requests', async () => {
    const database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    for (const [limit, ms] of [
      ['statement', 1000],
      ['lock', 900],
      ['idle_in_transaction_session', 2000],
    ] as const)
      await database.query(`ALTER DATABASE ${name} SET ${limit}_timeout = ${ms}`);
    const pooled = await startApp({ DATABASE_POOLER: 'transaction', DATABASE_TIMEOUT_MS: '1000' }, database);
    const other = await begin(database);
    await other.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
    await other.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
    const { id } = (await post('brands', 'name\nPooled\n', pooled.as('manager'))).body;
    await sleep(2500);
    await other.end('ROLLBACK');
    expect(await ended(id as number, pooled.as('manager'))).toMatchObject({ status: 'done' });
    await pooled.app.close();
    await database.drop();
  });

  it('that was left by a process that ended is failed at the next start', async () => {
    const [{ id }] = (await app.database.query<{ id: number }>(
      `INSERT INTO imports (kind, format, file, dry_run, status, created_by, read, checked, inserted)
       SELECT 'brands', 'recense', 'left.csv', false, 'writing', id, 9, 9, 7 FROM users WHERE login = 'manager'
       RETURNING id`,
    )) as [{ id: number }];
    const again = await startApp({}, app.database);
    try {
      expect(await ended(id)).toMatchObject({
        status: 'failed',
        detail: expect.stringContaining('stopped'),
        rows: { read: 9, checked: 9, inserted: 0 },
      });
    } finally {
      await again.app.close();
    }
  });
});

describe('What other programs export', () => {
  const snipe = [
    'Company,Name,Asset Tag,Category,Supplier,Manufacturer,Location,Order Number,Model,Model Number,Asset Notes,Purchase Date,Purchase Cost,Warranty Months,Checked Out To: Username,Asset EOL Date',
    'ACME,Backhoe,00117,Laptops,Krajcik LLC,Apple,Quimper,371,"Macbook Pro 13""",MLUQ3,,1/23/23,2266.13,36,,10/27/28',
    'ACME,Dozer,WBH-2841795,Laptops,Krajcik LLC,Apple,"Quimper / Hall",554,"Macbook  pro 13""",mluq3,Old,1/31/23,"1,292.94",1,gage,',
    'ACME,,WBH-2841796,Chairs,,IKEA,,,"Macbook Pro 13""",MLUQ3,,3/1/23,,,,',
  ].join('\r\n');

  it('goes in as it is: what is named is made, and articles are told apart by brand, name and reference', async () => {
    const done = await imported('purchases?format=snipe-it', `\uFEFF${snipe}`);
    expect(done).toMatchObject({ status: 'done', format: 'snipe-it', errors: [], rows: { inserted: 3 } });
    expect(done.columns).toContainEqual({ column: 'Asset Tag', field: 'code' });
    const [first, second, third] = (
      await app
        .as('viewer')
        .get('/purchases?purchased_from=2023-01-01&purchased_to=2023-12-31&sort=purchase_date')
    ).body.data;
    expect(first).toMatchObject({
      code: '00117',
      purchase_date: '2023-01-23',
      purchase_price: 2266.13,
      warranty: { end_date: '2026-01-23' },
      supplier: { name: 'Krajcik LLC' },
      location: { path: 'Quimper' },
      article: {
        name: 'Macbook Pro 13"',
        reference: 'MLUQ3',
        brand: { name: 'Apple' },
        category: { name: 'Laptops' },
      },
      notes: 'Company: ACME\nName: Backhoe\nOrder Number: 371\nAsset EOL Date: 10/27/28',
    });
    expect(second).toMatchObject({
      purchase_price: 1292.94,
      warranty: { end_date: '2023-02-28' },
      location: { path: 'Quimper / Hall' },
    });
    expect(second.notes).toMatch(/^Old\nCompany: ACME/);
    expect(second.article.id).toBe(first.article.id);
    expect(third.article.id).not.toBe(first.article.id);
    expect(await imported('purchases?format=snipe-it', snipe)).toMatchObject({
      status: 'done',
      rows: { unchanged: 3, inserted: 0 },
    });
    expect((await post('brands?format=snipe-it', 'name\n')).status).toBe(422);
  });

  it('goes in too where it is the list of an accountant, with titles above', async () => {
    const register = Buffer.from(
      [
        'Registre des immobilisations, au 31/12/2024;;;;;;',
        'Société : ACME, Quimper;;;;;;',
        ';;;;;;',
        'N° immo;Désignation du bien;Marque;Acquis le;Valeur brute (€ HT);Salle;Durée',
        'IMMO-0001;Établi;Bosch;"vendredi 15 mars 2024";1 161,71 €;Atelier;5',
        'IMMO-0002;Établi;Bosch;"lundi 18 mars 2024";980,00 €;Atelier / Fond;5',
        '',
      ].join('\r\n'),
      'latin1',
    );
    const bytes = Buffer.from(register.map((byte) => (byte === 0xac ? 0x80 : byte))); // the euro sign of Windows
    expect(await imported('purchases', bytes)).toMatchObject({
      status: 'refused',
      errors: expect.arrayContaining([expect.objectContaining({ line: 5, column: 'article' })]),
    });
    expect(await imported('purchases?format=list', bytes)).toMatchObject({
      status: 'done',
      rows: { read: 2, inserted: 2 },
      columns: [
        { column: 'N° immo', field: 'code' },
        { column: 'Désignation du bien', field: 'article_name' },
        { column: 'Marque', field: 'brand' },
        { column: 'Acquis le', field: 'purchase_date' },
        { column: 'Valeur brute (€ HT)', field: 'purchase_price' },
        { column: 'Salle', field: 'location' },
        { column: 'Durée', field: null },
      ],
    });
    expect((await app.as('viewer').get('/scan/IMMO-0002')).body).toMatchObject({
      article: { name: 'Établi', brand: { name: 'Bosch' } },
      purchase_date: '2024-03-18',
      purchase_price: 980,
      location: { path: 'Atelier / Fond' },
    });
  });

  it('may name its articles by one column: by reference or name, and what nobody has is made', async () => {
    await imported('articles', 'name,reference\nLit,LIT-1\nNiche,NI-1\nNiche,NI-2\n');
    const lines = [
      'LIT-1;;IKEA;Meubles;P-1',
      'lit;;;;P-2',
      'Coffre;C-1;Fichet;Meubles;P-3',
      'Coffre;C-2;Fichet;;P-4',
      'coffre;;;;P-5',
      'COFFRE;c-1;fichet;;P-6',
    ];
    const list = (...more: string[]) =>
      `Produit;Référence;Marque;Catégorie;Code;Date d'achat\n${[...lines, ...more].map((line) => `${line};2024-01-15\n`).join('')}`;
    const articles = async () =>
      app.database.query(
        `SELECT p.code, a.name, a.reference, b.name AS brand, c.name AS category FROM purchases p
         JOIN articles a ON a.id = p.article_id LEFT JOIN brands b ON b.id = a.brand_id
         LEFT JOIN categories c ON c.id = a.category_id WHERE p.code LIKE 'P-_' ORDER BY p.code`,
      );
    expect(await imported('purchases?format=list', list('Niche;;;;P-7'))).toMatchObject({
      status: 'refused',
      errors: [{ line: 8, column: 'Produit', value: 'Niche', message: 'matches 2 rows' }],
    });
    expect(await imported('purchases?format=list', list('#N/A;;;;P-7', ';;;;P-8'))).toMatchObject({
      errors: [
        { line: 8, column: 'Produit', message: expect.stringContaining('formula') },
        { line: 9, column: 'Produit', message: 'is required' },
      ],
    });
    expect(await imported('purchases', list())).toMatchObject({ status: 'refused', error_count: 4 });
    expect(await imported('purchases?format=list', list())).toMatchObject({ status: 'done' });
    const bed = { name: 'Lit', reference: 'LIT-1', brand: null, category: null };
    const safe = { name: 'Coffre', reference: 'C-1', brand: 'Fichet', category: 'Meubles' };
    const made = [
      { code: 'P-1', ...bed },
      { code: 'P-2', ...bed },
      { code: 'P-3', ...safe },
      { code: 'P-4', ...safe, reference: 'C-2', category: null },
      { code: 'P-5', name: 'coffre', reference: null, brand: null, category: null },
      { code: 'P-6', ...safe },
    ];
    expect(await articles()).toEqual(made);
    const known = await rows('articles');
    expect(await imported('purchases?format=list', list())).toMatchObject({
      status: 'done',
      rows: { unchanged: 6 },
    });
    expect([await articles(), await rows('articles')]).toEqual([made, known]);
  });

  it('tells that names are left out beside a column that names the article alone', async () => {
    await imported('articles', 'name,reference\nAlone,AL-1\n');
    const read = async (format: string) => {
      const file = `Article,Model,Make,Asset tag,Purchase date\nAL-1,Latitude,,AL-${format},2024-01-15\n`;
      const { status, columns } = await imported(`purchases?format=${format}`, file);
      expect(status).toBe('done');
      return (columns as { field: string | null }[]).map(({ field }) => field);
    };
    expect(await read('recense')).toEqual(['article', null, null, 'code', 'purchase_date']);
    expect(await read('list')).toEqual(['article', null, 'brand', 'code', 'purchase_date']);
  });

  it('is refused where a spreadsheet has shortened what things are known by', async () => {
    const file =
      'code;n° de série;désignation;date achat;prix\n1,23457E+12;4E+15;Lampe;2024-01-15;1,5\nE+12;5E;Lampe;2024-01-15;\n';
    expect(await imported('purchases?format=list', file)).toMatchObject({
      status: 'refused',
      errors: [
        {
          line: 2,
          column: 'code',
          value: '1,23457E+12',
          message: expect.stringMatching(/^is what a spreadsheet/),
        },
        { line: 2, column: 'n° de série', value: '4E+15' },
      ],
      error_count: 2,
    });
  });

  it('is refused where a formula gave an error, whatever the column', async () => {
    const file = '#N/A;Lampe;2024-01-15;;\nE-1;#REF!;2024-01-15;;\nE-2;Lampe;2024-01-15;#NOM?;Err:508\n';
    const { errors } = await imported(
      'purchases?format=list',
      `code;désignation;date achat;marque;lieu\n${file}`,
    );
    const message = 'is the error of a formula; mend or empty the cell';
    expect(errors).toEqual([
      { line: 2, column: 'code', value: '#N/A', message },
      { line: 3, column: 'désignation', value: '#REF!', message },
      { line: 4, column: 'marque', value: '#NOM?', message },
      { line: 4, column: 'lieu', value: 'Err:508', message },
    ]);
  });

  it('waits for nobody who works on the tree of places, where all of them are known', async () => {
    const file = 'code;désignation;date achat;lieu\nW-1;Lampe;2024-01-15;Atelier / Fond\n';
    expect(await imported('purchases?format=list', file)).toMatchObject({ status: 'done' });
    const other = await begin(app.database);
    await other.query(`SELECT pg_advisory_xact_lock(hashtext('locations'))`);
    const again = await imported('purchases?format=list', file);
    expect(again).toMatchObject({ status: 'done', rows: { unchanged: 1 } });
    await other.end('ROLLBACK');
  });

  it('makes nothing that nobody could make by hand, and says why', async () => {
    const lines = [
      'M-1;a\0b;;',
      'M-2;Écran\u200f;;',
      `M-3;Lampe;${'x'.repeat(256)};`,
      `M-4;Lampe;;Siège / ${'x'.repeat(256)}`,
    ];
    const file = `code;désignation;marque;lieu;date achat\n${lines.map((line) => `${line};2024-01-15\n`).join('')}`;
    const { errors } = await imported('purchases?format=list', file);
    expect(
      (errors as { line: number; message: string }[]).map(({ line, message }) => [line, message]),
    ).toEqual([
      [2, 'must not contain NUL characters or lone surrogates'],
      [3, 'must not contain invisible or bidirectional format characters'],
      [4, 'must be at most 255 characters long'],
      [5, 'must be at most 255 characters long'],
    ]);
  });

  it('is what Snipe-IT exports in French, too: its report, and its list of assets', async () => {
    // As it has them: the first letter of “Catégorie” is a Cyrillic one.
    const report =
      "ID,Compagnie,Nom de l'actif,Étiquette de l'actif,Modèle,Model n°.,\u0421atégorie,Fabricant,Numéro de série,Acheté,Coût,Fin de vie,Garantie,Expiration de garantie,Numéro de Commande,Fournisseur,Lieu,Emplacement par défaut,Date de libération,Type ,Statut,Mise à jour à,Notes\n" +
      '1,ACME,Poste 1,0200,Latitude,L54,Portables,Dell,SN-200,2024-03-04,"1,161.71",2029-03-04,36,2027-03-04,PO-1,LDLC,Quimper / Hall,Quimper,Jeanne,user,Archivé (archived),2026-01-02 10:00:00,Chargeur\n';
    expect(await imported('purchases?format=snipe-it', report)).toMatchObject({ status: 'done', errors: [] });
    const found = async (code: string) => (await app.as('viewer').get(`/scan/${code}`)).body;
    expect(await found('0200')).toMatchObject({
      article: {
        name: 'Latitude',
        reference: 'L54',
        brand: { name: 'Dell' },
        category: { name: 'Portables' },
      },
      serial_number: 'SN-200',
      purchase_date: '2024-03-04',
      purchase_price: 1161.71,
      warranty_end_date: '2027-03-04',
      supplier: { name: 'LDLC' },
      location: { path: 'Quimper / Hall' },
      disposal: { date: '2026-01-02', reason: 'scrapped', note: 'Archivé (archived)' },
      notes:
        "Chargeur\nCompagnie: ACME\nNom de l'actif: Poste 1\nFin de vie: 2029-03-04\nNuméro de Commande: PO-1\nDate de libération: Jeanne\nStatut: Archivé (archived)",
    });
    const list =
      "Étiquette de l'actif,Série ,Modèle,Statut,Extrait vers,Lieu,Date d'achat,Prix d'achat,Garantie\n" +
      '0201,SN-201,Latitude,Archivé,Jeanne,Quimper,2024-03-04,980.00,36 mois\n';
    expect(await imported('purchases?format=snipe-it', list)).toMatchObject({ status: 'done', errors: [] });
    expect(await found('0201')).toMatchObject({
      serial_number: 'SN-201',
      warranty_end_date: '2027-03-04',
      disposal: { reason: 'scrapped' },
      notes: 'Statut: Archivé\nExtrait vers: Jeanne',
    });
  });

  it('is meant without the mark that Snipe-IT sets before what a spreadsheet would run', async () => {
    const file =
      'Asset Tag,Model,Model Number,Manufacturer,Purchase Date,Serial,Location,Notes\n' +
      '`-0117,`=Desk,`+33,`@Home,2023-01-23,``-S,`@ Attic,"`- charger\n- mouse"\n0118,`Desk,,IKEA,2023-01-23,`1,,\n';
    expect(await imported('purchases?format=snipe-it', file)).toMatchObject({ status: 'done', errors: [] });
    const found = async (code: string) =>
      (await app.as('viewer').get(`/scan/${encodeURIComponent(code)}`)).body;
    expect(await found('-0117')).toMatchObject({
      code: '-0117',
      article: { name: '=Desk', reference: '+33', brand: { name: '@Home' } },
      serial_number: '`-S',
      location: { name: '@ Attic' },
      notes: '- charger\n- mouse',
    });
    expect(await found('0118')).toMatchObject({ article: { name: '`Desk' }, serial_number: '`1' });
    const wrong = file.replace('2023-01-23', 'soon').replaceAll('0117', '0119');
    const { id } = await imported('purchases?format=snipe-it', wrong);
    expect(await refused(id)).toContain('\r\n`-0119,`=Desk,');
  });

  it('is of the model that Snipe-IT tells, whatever it calls fields of its users', async () => {
    const file = 'Asset Tag,Product,Model,Model Number,Purchase Date\nMO-1,Licence,Latitude,L54,2023-01-23\n';
    expect(await imported('purchases?format=snipe-it', file)).toMatchObject({
      status: 'done',
      columns: expect.arrayContaining([
        { column: 'Product', field: null },
        { column: 'Model', field: 'article_name' },
      ]),
    });
    expect((await app.as('viewer').get('/scan/MO-1')).body.article).toMatchObject({
      name: 'Latitude',
      reference: 'L54',
    });
  });

  it('disposes of what Snipe-IT has archived: once, and never the other way', async () => {
    const manager = app.as('manager');
    const file = (...states: string[]) =>
      `Asset Tag,Model,Purchase Date,Status,Updated At\n${states.map((state, at) => `SN-${at},Desk,2023-01-23,${state}`).join('\n')}\n`;
    const found = async (code: string) => (await manager.get(`/scan/${code}`)).body;
    await imported(
      'purchases?format=snipe-it',
      file('Deployed,', 'Ready to Deploy (deployable),', 'Pending,'),
    );
    const session = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body
      .id;
    const expected = async () => (await manager.get(`/inventories/${session}`)).body.progress.total;
    const before = await expected();

    const gone = file(
      'Archived,2024-03-15 10:22:33',
      'Lost/Stolen (archived),2021-05-05 00:10:00',
      'Archive room (deployed),2024-03-15 10:22:33',
      'Vendu en 2022 (archived),15/03/2024 10:22',
    );
    const path = 'purchases?format=snipe-it';
    expect(await imported(`${path}&dry_run=true`, gone)).toMatchObject({ status: 'checked' });
    expect((await found('SN-0')).disposal).toBeNull();
    const rows = { inserted: 1, updated: 3, unchanged: 0 };
    expect(await imported(path, gone)).toMatchObject({ status: 'done', errors: [], rows });
    expect(await expected()).toBe(before - 2);
    const { id, disposal } = await found('SN-0');
    expect(disposal).toMatchObject({
      date: '2024-03-15',
      reason: 'scrapped',
      proceeds: null,
      note: 'Archived',
    });
    // Changed last before it was bought, as it seems: then it cannot have gone before.
    expect((await found('SN-1')).disposal).toMatchObject({ date: '2023-01-23', reason: 'lost' });
    expect((await found('SN-2')).disposal).toBeNull();
    const today = todayIn(loadEnv({}).TIME_ZONE);
    expect((await found('SN-3')).disposal).toMatchObject({ date: today, reason: 'sold' });
    const { body } = await app.as('admin').get(`/audit?resource=purchase&resource_id=${id}`);
    expect(body.data[0]).toMatchObject({ action: 'purchase.dispose', after: { disposed_on: '2024-03-15' } });

    expect(await imported(path, gone)).toMatchObject({ status: 'done', rows: { unchanged: 4 } });
    await manager.post(`/purchases/${id}/dispose/undo`);
    await manager.post(`/purchases/${id}/dispose`, { date: '2025-01-01', reason: 'sold', proceeds: 12.5 });
    const told = { date: '2025-01-01', reason: 'sold', proceeds: 12.5, note: null };
    for (const again of [gone, file('Deployed,2026-01-01 00:00:00')]) {
      expect(await imported(path, again)).toMatchObject({ status: 'done' });
      expect((await found('SN-0')).disposal).toMatchObject(told);
    }
    expect((await found('SN-1')).disposal).not.toBeNull();
  });

  it('disposes of what a report of Snipe-IT has as deleted, on that day', async () => {
    const manager = app.as('manager');
    const file =
      'Asset Tag,Model,Purchase Date,Status,Updated At,Deleted\n' +
      'SD-0,Desk,2023-01-23,Ready to Deploy (deployable),2024-05-01 09:00:00,2024-03-15 10:22:33\n' +
      'SD-1,Desk,2023-01-23,Ready to Deploy (deployable),2024-05-01 09:00:00,\n' +
      'SD-2,Desk,2023-01-23,Lost (archived),2024-05-01 09:00:00,2024-03-16 10:22:33\n' +
      'SD-3,Desk,2023-01-23,Sold (archived),2024-05-01 09:00:00,\n';
    expect(await imported('purchases?format=snipe-it', file)).toMatchObject({ status: 'done', errors: [] });
    const disposals = [0, 1, 2, 3].map(async (at) => (await manager.get(`/scan/SD-${at}`)).body.disposal);
    expect(await Promise.all(disposals)).toEqual([
      expect.objectContaining({ date: '2024-03-15', reason: 'scrapped', note: null }),
      null,
      expect.objectContaining({ date: '2024-03-16', reason: 'lost', note: 'Lost (archived)' }),
      expect.objectContaining({ date: '2024-05-01', reason: 'sold', note: 'Sold (archived)' }),
    ]);

    // In French, without a state.
    const french = "Étiquette de l'actif,Modèle,Acheté,Supprimé\nSD-1,Desk,2023-01-23,2024-03-17 08:00:00\n";
    expect(await imported('purchases?format=snipe-it', french)).toMatchObject({ status: 'done', errors: [] });
    expect((await manager.get('/scan/SD-1')).body.disposal).toMatchObject({ date: '2024-03-17' });
  });

  it('comes from Homebox and Shelf too', async () => {
    const homebox =
      'HB.location\tHB.asset_id\tHB.name\tHB.quantity\tHB.description\tHB.purchase_price\tHB.purchase_from\tHB.purchase_time\tHB.manufacturer\tHB.model_number\tHB.serial_number\tHB.warranty_expires\nGarage\t000-017\tDrill\t2\tRed\t99.5\tBosch shop\t2024-05-17\tBosch\tGSR\tS-17\t2026-05-17\n';
    expect(await imported('purchases?format=homebox', homebox)).toMatchObject({
      status: 'done',
      rows: { inserted: 1 },
    });
    const noDay = homebox.replace('000-017', '000-018').replace('2024-05-17', '2024-05-18');
    const unset = `${noDay.split('\n')[0]!}\tHB.sold_time\n${noDay.split('\n')[1]!.replace(/2026-05-17$/, '0001-01-01')}\t0001-01-01T00:00:00Z\n`;
    expect(await imported('purchases?format=homebox', unset)).toMatchObject({ status: 'done' });
    expect((await app.as('viewer').get('/scan/000-018')).body).toMatchObject({
      warranty_end_date: null,
      notes: 'Red\nHB.quantity: 2',
    });
    const never = unset.replace('000-018', '000-019').replace('2024-05-18', '0001-01-01');
    expect(await imported('purchases?format=homebox', never)).toMatchObject({ status: 'refused' });
    const dated = 'purchases?format=homebox&default_purchase_date=2024-01-01';
    expect(await imported(dated, never)).toMatchObject({ status: 'done' });
    expect((await app.as('viewer').get('/scan/000-019')).body.purchase_date).toBe('2024-01-01');
    const sold = `${homebox.split('\n')[0]!}\tHB.archived\tHB.sold_to\tHB.sold_price\tHB.sold_time\tHB.sold_notes`;
    const line = homebox.split('\n')[1]!;
    const ends = ['false\tAnn\t45.5\t2025-03-04\tBy auction', 'true\t\t0\t0001-01-01\t', 'false\t\t0\t\t'];
    const gone = ends.map((end, at) => `${line.replace('000-017', `000-02${at}`)}\t${end}`);
    expect(await imported('purchases?format=homebox', [sold, ...gone].join('\n'))).toMatchObject({
      status: 'done',
      rows: { inserted: 3 },
    });
    const disposals = [
      { date: '2025-03-04', reason: 'sold', proceeds: 45.5, note: 'By auction' },
      { date: todayIn(loadEnv({}).TIME_ZONE), reason: 'scrapped', proceeds: null, note: null },
    ];
    for (const [at, disposal] of disposals.entries())
      expect((await app.as('viewer').get(`/scan/000-02${at}`)).body.disposal).toMatchObject(disposal);
    expect((await app.as('viewer').get('/scan/000-022')).body.disposal).toBeNull();
    expect(await imported('purchases', homebox.replace('000-017', '000-023'))).toMatchObject({
      status: 'done',
      columns: expect.arrayContaining([{ column: 'HB.purchase_time', field: 'purchase_date' }]),
    });
    const shelf =
      'Asset ID,Name,Category,Location,Value,Status,Description\nSAM-0001,Tripod,Video,Studio,250,AVAILABLE,Black\n';
    expect(await imported('purchases?format=shelf&default_purchase_date=2024-01-01', shelf)).toMatchObject({
      status: 'done',
      rows: { inserted: 1 },
    });
    expect((await app.as('viewer').get('/scan/000-017')).body).toMatchObject({
      notes: 'Red\nHB.quantity: 2',
      article: { brand: { name: 'Bosch' } },
    });
    expect((await app.as('viewer').get('/scan/SAM-0001')).body).toMatchObject({
      notes: 'Black\nStatus: AVAILABLE',
      location: { path: 'Studio' },
    });
    const none = shelf.replace('SAM-0001,Tripod,Video', 'SAM-0002,Stand,Uncategorized');
    expect(await imported('purchases?format=shelf&default_purchase_date=2024-01-01', none)).toMatchObject({
      status: 'done',
    });
    expect((await app.as('viewer').get('/scan/SAM-0002')).body.article).toMatchObject({ category: null });
  });

  it('is what Homebox exports since 0.26: other names for days, and its places among the things', async () => {
    const homebox = [
      'HB.purchase_date,HB.warranty_expires,HB.sold_date,HB.url,HB.name,HB.location,HB.asset_id,HB.quantity,HB.purchase_price,HB.sold_price,HB.archived',
      ',,,/location/5f0c,Loft,,,1,0,0,false',
      '2024-05-17,2026-05-17,,/item/5f0d,Saw,Loft / Shelf,000-031,1,129.99,0,false',
      '2024-05-18,,2025-03-04,/item/5f0e,Plane,Loft,000-032,1,89.5,45,false',
      ',,,/location/5f0f,Shelf,Loft,,1,0,0,false',
    ].join('\n');
    const path = 'purchases?format=homebox';
    const rows = { read: 2, checked: 2, inserted: 2, updated: 0, unchanged: 0 };
    expect(await imported(path, homebox)).toMatchObject({ status: 'done', errors: [], rows });
    const found = async (code: string) => (await app.as('viewer').get(`/scan/${code}`)).body;
    expect(await found('000-031')).toMatchObject({
      purchase_date: '2024-05-17',
      warranty_end_date: '2026-05-17',
      location: { path: 'Loft / Shelf' },
      disposal: null,
    });
    expect(await found('000-032')).toMatchObject({ disposal: { date: '2025-03-04', proceeds: 45 } });
    expect(await imported(path, homebox)).toMatchObject({ rows: { read: 2, unchanged: 2, inserted: 0 } });
    const wrong = homebox.replace('2024-05-17', 'soon');
    expect(await imported(path, wrong)).toMatchObject({ status: 'refused', errors: [{ line: 3 }] });
  });

  it('has the fields of one’s own that Shelf tells with their types', async () => {
    const shelf =
      'title,qrId,"cf:purchase date, type:date","cf: Serial Number,type:text","cf:brand, type:option","cf:colour, type:text"\nBeamer,QR-42,2024-02-03,SN-42,Epson,white\n';
    expect(await imported('purchases?format=shelf', shelf)).toMatchObject({
      status: 'done',
      columns: expect.arrayContaining([{ column: 'cf:colour, type:text', field: null }]),
    });
    expect((await app.as('viewer').get('/scan/QR-42')).body).toMatchObject({
      purchase_date: '2024-02-03',
      serial_number: 'SN-42',
      article: { name: 'Beamer', brand: { name: 'Epson' } },
    });
  });

  it('has the fields that are known here as one’s own', async () => {
    for (const name of ['Colour of it', 'Length'])
      await app.as('admin').post('/fields', { name, applies_to: 'purchase', type: 'text' });
    const shelf =
      'title,qrId,"cf:purchase date, type:date","cf:Colour of it, type:text"\nBeamer,QR-43,2024-02-03,white\n';
    expect(await imported('purchases?format=shelf', shelf)).toMatchObject({ status: 'done' });
    const homebox = 'HB.asset_id,HB.name,HB.purchase_time,HB.field.Length\nQR-44,Cable,2024-02-03,3 m\n';
    expect(await imported('purchases?format=homebox', homebox)).toMatchObject({ status: 'done' });
    const fieldsOf = async (code: string) => (await app.as('viewer').get(`/scan/${code}`)).body.fields;
    expect(await fieldsOf('QR-43')).toMatchObject({ colour_of_it: 'white' });
    expect(await fieldsOf('QR-44')).toMatchObject({ length: '3 m' });
  });

  it('may name its articles by name and reference without making any', async () => {
    const file = (article: string) =>
      `Désignation;Référence;Marque;Code;Date d'achat\n${article};N-1;2024-01-15\n`;
    expect(await imported('purchases', file('Drill;GSR;Bosch'))).toMatchObject({ status: 'done' });
    expect(await imported('purchases', file('Drill;GSR;Makita'))).toMatchObject({
      status: 'refused',
      errors: [{ message: expect.stringMatching(/^matches no article: Drill, GSR, Makita;/) }],
    });
  });

  it('mean by a name alone the article without a reference, where another one is called the same', async () => {
    const manager = app.as('manager');
    await manager.post('/articles', { name: 'Ladder', reference: 'L-7' });
    const own = (await manager.post('/articles', { name: 'Ladder' })).body;
    const file =
      "Désignation;Référence;Code;Date d'achat\nLadder;;LAD-1;2024-01-15\nLadder;L-7;LAD-2;2024-01-15\n";
    expect(await imported('purchases', file)).toMatchObject({ status: 'done' });
    const { data } = (await manager.get('/purchases?search=LAD-&sort=code')).body;
    expect(data.map(({ article }: { article: { id: number } }) => article.id === own.id)).toEqual([
      true,
      false,
    ]);
  });
});
