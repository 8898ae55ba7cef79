/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
import { parse } from 'csv-parse/sync';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import readWorkbook from 'read-excel-file/node';
import { extractText, getDocumentProxy } from 'unpdf';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';
import { begin } from './support/transactions.js';

let app: TestApp;
let make: Factories;

const report = (id: number, query = '') => app.as('viewer').get(`/inventories/${id}/report${query}`);
const manager = () => app.as('manager');
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(new Date());

const open = async (year: number): Promise<any> =>
  (await manager().post('/inventories', { year, inventory_date: `${year}-12-31` })).body;
const scan = async (session: any, ...purchases: any[]) => {
  for (const { code } of purchases) {
    const { body } = await app.as('operator').post(`/inventories/${session.id}/scan`, { code });
    expect([code, body.status]).toEqual([code, 'success']);
  }
};
const close = async ({ id }: any) => {
  expect((await manager().post(`/inventories/${id}/close`)).status).toBe(200);
};

/** Which are files. */
const FORMATS = ['csv', 'xlsx', 'pdf'];

const header = (answer: Response, name: string) => answer.headers.get(name);
/** The bytes of an answer, and its headers. */
const download = (id: number, query: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/v1/inventories/${id}/report?${query}`, {
    headers: { authorization: `Bearer ${app.as('viewer').token}`, ...headers },
  });

/** The texts of its pages, and what it says of itself. */
async function pagesOf(id: number, query: string, headers: Record<string, string> = {}) {
  const answer = await download(id, `format=pdf${query}`, headers);
  expect([answer.status, header(answer, 'content-type')]).toEqual([200, 'application/pdf']);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const raw = Buffer.from(bytes).toString('latin1');
  const pdf = await getDocumentProxy(bytes);
  const { text } = await extractText(pdf);
  return { answer, raw, pdf, pages: text.map((page) => page.replace(/\s+/g, ' ')) };
}

/** A campaign of two years; what is called `first` and `second` are its sessions, anything else a purchase. */
const of: Record<string, any> = {};

async function campaign(): Promise<void> {
  const site = await make.location({ name: 'Siège' });
  const office = await make.location({ name: 'Bureau 214', parent_id: site.id });
  const depot = await make.location({ name: 'Dépôt' });
  const laptops = await make.category({ name: '=Ordinateurs' });
  const desks = await make.category({ name: 'Bureaux' });
  const linear = await make.amortizationCategory({ method: 'linear', duration_years: 5 });
  const laptop = await make.article({
    name: '@Portable "14", 32 Go', category_id: laptops.id, amortization_category_id: linear.id,
  }); // prettier-ignore
  const desk = await make.article({ name: 'Bureau réglable', category_id: desks.id });
  Object.assign(of, { site, office, depot, laptops, desks, laptop, desk });
  const bought = { article_id: desk.id, purchase_date: '2024-01-01', location_id: depot.id };
  of.moved = await make.purchase({
    article_id: laptop.id, purchase_price: 10_000, purchase_date: '2024-04-01', location_id: office.id,
    serial_number: '-SN/1',
  }); // prettier-ignore
  of.lost = await make.purchase({ ...bought, purchase_price: 100.1 });
  of.mislaid = await make.purchase({ ...bought, article_id: laptop.id, purchase_price: null });
  of.found = await make.purchase({ purchase_price: 50, purchase_date: '2024-01-01' });
  of.sold = await make.purchase({ ...bought, purchase_price: 70 });
  of.deleted = await make.purchase({ ...bought, purchase_price: 7 });

  of.first = await open(2025);
  await scan(of.first, of.moved, of.mislaid, of.sold, of.deleted);
  await close(of.first);

  await manager().delete(`/purchases/${of.sold.id}`);
  of.newDesk = await make.purchase({ ...bought, purchase_price: 200 });
  of.unscanned = await make.purchase({ ...bought, purchase_price: 400, location_id: site.id });
  of.stranger = await make.purchase({ ...bought, purchase_price: 30 });
  of.second = await open(2026);
  const { id } = of.second;
  await scan(of.second, of.moved, of.found, of.newDesk, of.deleted);
  await manager().delete(`/purchases/${of.deleted.id}`);
  const { rows } = { rows: await app.database.query(`SELECT id FROM users WHERE login = 'operator'`) };
  of.operator = rows[0];
  // One that the session does not expect, and one that was elsewhere.
  await app.database.query(
    `DELETE FROM inventory_lines WHERE inventory_id = ${id} AND purchase_id = ${of.stranger.id}`,
  );
  await app.database.query(
    `UPDATE inventory_counters SET total = total - 1 WHERE inventory_id = ${id} AND shard = 0`,
  );
  await app.database.query(
    `INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at, location_id)
     VALUES ($1, $2, 1000000, now(), $3, now(), $4)`,
    [id, of.stranger.id, of.operator.id, site.id],
  );
  await app.database.query(
    `UPDATE inventory_lines SET location_id = $3, condition = 'damaged' WHERE inventory_id = $1 AND purchase_id = $2`,
    [id, of.moved.id, depot.id],
  );
  await app.database.query(
    `INSERT INTO inventory_misplaced (inventory_id, purchase_id, scan_id, expected_id, found_id, found_at, found_by, changed_at)
     SELECT inventory_id, purchase_id, scan_id, $3, $4, scanned_at, scanned_by, now() FROM inventory_lines
     WHERE inventory_id = $1 AND purchase_id = $2`,
    [id, of.moved.id, office.id, depot.id],
  );
  await app.database.query(
    `INSERT INTO inventory_unknown_codes (inventory_id, code, cleaned, code_key, times, first_at, first_by, last_at,
       last_by, location_ids, notes, status, reason, decided_at, decided_by, changed_at)
     VALUES ($1, '=1+1', '=1+1', '=1+1', 3, '2026-12-01T10:00:00Z', $2, now(), $2, '{}', '{}', 'open', NULL, NULL, NULL, now()),
       ($1, 'X2', 'X2', 'x2', 1, now(), $2, now(), $2, '{}', '{}', 'dismissed', 'Un emballage', now(), $2, now())`,
    [id, of.operator.id],
  );
}

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
  await campaign();
});
afterAll(() => app.stop());

const sum = (count: number, gross: number, net: number) => ({ count, gross, net });
const change = (count: number, gross: number) => ({ count, gross });
const part = (key: unknown, name: unknown, scanned: number, total: number | null, percentage: number | null) => ({
  key, name, scanned, total, percentage,
}); // prettier-ignore

/** The second year: moved, found, newDesk and deleted were scanned; lost, mislaid and unscanned were not. */
const truth = () => ({
  figures: {
    expected: sum(7, 10_757.1, 5257.1),
    scanned: sum(4, 10_257, 4757),
    missing: sum(3, 500.1, 500.1),
    unexpected: sum(1, 30, 30),
    misplaced: sum(1, 10_000, 4500),
    unknown: { count: 2, open: 1 },
    late: { count: 0, open: 0 },
  },
  by: {
    category: [
      part(of.laptops.id, '=Ordinateurs', 1, 2, 50),
      part(of.desks.id, 'Bureaux', 2, 4, 50),
      part(null, null, 1, 1, 100),
    ],
    location: [
      part(of.depot.id, 'Dépôt', 2, 4, 50),
      part(of.site.id, 'Siège', 1, 2, 50),
      part(null, null, 1, 1, 100),
    ],
    user: [part(of.operator.id, expect.any(String), 4, null, null)],
    day: [part(today(), today(), 4, null, null)],
  },
});

describe('GET /inventories/{id}/report', () => {
  it('tells what an open session has found, as of now', async () => {
    const { status, body } = await report(of.second.id);
    expect(status).toBe(200);
    expect(body.session).toEqual((await app.as('viewer').get(`/inventories/${of.second.id}`)).body);
    expect({ figures: body.figures, by: body.by }).toEqual(truth());
    expect(body.session.progress).toMatchObject({ scanned: 4, total: 7 });
    expect((await report(of.second.id, '?format=json')).body).toEqual(body);
  });

  it('compares it with the session before', async () => {
    const { session, ...changes } = (await report(of.second.id)).body.comparison;
    expect(session).toEqual((await app.as('viewer').get(`/inventories/${of.first.id}`)).body);
    expect(changes).toEqual({
      newly_missing: change(2, 400), // mislaid, unscanned
      missing_again: change(1, 100.1), // lost
      reappeared: change(1, 50), // found
      bought: change(2, 600), // newDesk, unscanned; the stranger is not expected
      disposed: change(2, 77), // sold, deleted
    });
    expect((await report(of.first.id)).body.comparison).toBeNull();
  });

  it('compares only what was closed before it, with the same scope', async () => {
    const other = await open(2024);
    const idOfPrevious = async (id: number) => (await report(id)).body.comparison?.session.id;
    expect(await idOfPrevious(other.id)).toBe(of.first.id);
    const scope = (id: number, categories: string | null) =>
      app.database.query(`UPDATE inventories SET scope_category_ids = $2 WHERE id = $1`, [id, categories]);
    await scope(other.id, `{${of.desks.id}}`);
    expect(await idOfPrevious(other.id)).toBeUndefined();
    await scope(of.first.id, `{${of.desks.id}}`);
    expect(await idOfPrevious(other.id)).toBe(of.first.id);
    await scope(of.first.id, null);
    await scope(other.id, null);
    // Opened last of those before it, whatever their years.
    const last = await open(2023);
    expect(await idOfPrevious(last.id)).toBe(of.first.id);
    await close(last);
    await close(other);
    expect(await idOfPrevious(other.id)).toBe(of.first.id);
    expect(await idOfPrevious(last.id)).toBe(of.first.id); // closed before the other one
    for (const { id } of [last, other])
      await app.database.query(`UPDATE inventories SET deleted_at = now() WHERE id = ${id}`);
  });

  describe('with format=csv or xlsx', () => {
    const FIELDS = [
      'code', 'article', 'serial_number', 'category', 'expected_location', 'found_location', 'state',
      'scanned_at', 'scanned_by', 'condition', 'purchase_price', 'net_book_value',
    ]; // prettier-ignore
    const scansOf = async (): Promise<Map<string, any>> => {
      const { body } = await app.as('viewer').get(`/inventories/${of.second.id}/scans`);
      return new Map(body.data.map((one: any) => [one.purchase.code, one]));
    };

    it('CSV has the lines, each with what it is and where and when it was read', async () => {
      const answer = await download(of.second.id, 'format=csv');
      expect([answer.status, header(answer, 'content-type')]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      expect(header(answer, 'content-disposition')).toBe(
        `attachment; filename="inventaire-${of.second.id}-2026-12-31.csv"`,
      );
      const [first, ...lines] = parse(Buffer.from(await answer.arrayBuffer()), { bom: true });
      expect(first).toEqual(FIELDS);
      const scans = await scansOf();
      const read = ({ code }: any) => [scans.get(code).scanned_at, scans.get(code).scanned_by.name];
      const office = 'Siège / Bureau 214';
      const [desk, laptop] = ['Bureau réglable', `'@Portable "14", 32 Go`];
      const { moved, lost, mislaid, found, deleted, newDesk, unscanned, stranger } = of;
      const [at, by] = [expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), read(moved)[1]];
      expect(lines).toEqual([
        [moved.code, laptop, `'-SN/1`, "'=Ordinateurs", office, 'Dépôt', 'scanned', ...read(moved), 'damaged', '10000.00', '4500.00'],
        [lost.code, desk, '', 'Bureaux', 'Dépôt', '', 'missing', '', '', '', '100.10', '100.10'],
        [mislaid.code, laptop, '', "'=Ordinateurs", 'Dépôt', '', 'missing', '', '', '', '', ''],
        [found.code, found.article.name, '', '', '', '', 'scanned', ...read(found), '', '50.00', '50.00'],
        [deleted.code, desk, '', 'Bureaux', 'Dépôt', '', 'scanned', ...read(deleted), '', '7.00', '7.00'],
        [newDesk.code, desk, '', 'Bureaux', 'Dépôt', '', 'scanned', ...read(newDesk), '', '200.00', '200.00'],
        [unscanned.code, desk, '', 'Bureaux', 'Siège', '', 'missing', '', '', '', '400.00', '400.00'],
        [stranger.code, desk, '', 'Bureaux', 'Dépôt', 'Siège', 'unexpected', at, by, '', '30.00', '30.00'],
      ]); // prettier-ignore
    });

    it('XLSX has a sheet for each thing to look at, with real dates and numbers', async () => {
      const answer = await download(of.second.id, 'format=xlsx');
      expect(header(answer, 'content-disposition')).toBe(
        `attachment; filename="inventaire-${of.second.id}-2026-12-31.xlsx"`,
      );
      const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
      expect(sheets.map(({ sheet, data }) => [sheet, data.length - 1])).toEqual([
        ['Synthèse', 24],
        ['Manquants', 3],
        ['Mal placés', 1],
        ['Inattendus', 1],
        ['Codes inconnus', 2],
        ['Toutes les lignes', 8],
      ]);
      const [summary, missing, misplaced, unexpected, unknown, all] = sheets.map(({ data }) => data);
      const date = (day: string) => new Date(`${day}T00:00:00Z`);
      expect(summary).toEqual(
        expect.arrayContaining([
          ['Session', 'Inventaire 2026', date('2026-12-31'), 4, 7, null, null],
          ['Chiffres', 'Attendus', null, 7, null, 10_757.1, 5257.1],
          ['Chiffres', 'dont à traiter', null, 1, null, null, null],
          ['Depuis l’inventaire précédent', 'Inventaire 2025', date('2025-12-31'), null, null, null, null],
          ['Depuis l’inventaire précédent', 'Sortis', null, 2, null, 77, null],
          ['Par catégorie', '=Ordinateurs', null, 1, 2, null, null],
          ['Par catégorie', 'Sans', null, 1, 1, null, null],
          ['Par jour', null, date(today()), 4, null, null, null],
        ]),
      );
      expect(missing![0]).toEqual([
        'Code', 'Article', 'N° de série', 'Catégorie', 'Lieu attendu', 'Prix d’achat', 'Valeur nette comptable',
      ]); // prettier-ignore
      expect(missing![1]!.slice(4)).toEqual(['Dépôt', 100.1, 100.1]);
      expect(unexpected![1]!.slice(4, 7)).toEqual(['Dépôt', 'Siège', 'Inattendu']);
      const { scanned_at, scanned_by } = (await scansOf()).get(of.moved.code);
      const local = new Intl.DateTimeFormat('sv', {
        timeZone: 'Europe/Paris', dateStyle: 'short', timeStyle: 'medium',
      }).format(new Date(scanned_at)); // prettier-ignore
      const [line] = misplaced!.slice(1) as [unknown[]];
      expect((line[7] as Date).toISOString().slice(0, 19)).toBe(local.replace(' ', 'T'));
      expect([...line.slice(0, 7), ...line.slice(8)]).toEqual([
        of.moved.code, '@Portable "14", 32 Go', '-SN/1', '=Ordinateurs', 'Siège / Bureau 214', 'Dépôt', 'Scanné',
        scanned_by.name, 'Abîmé', 10_000, 4500,
      ]); // prettier-ignore
      expect(all![1]).toEqual(line);
      expect(unknown!.slice(1).map((row) => [row[0], row[1], row[4], row[5]])).toEqual([
        ['=1+1', 3, 'À traiter', null],
        ['X2', 1, 'Écarté', 'Un emballage'],
      ]);
      expect(unknown![1]![2]).toEqual(new Date('2026-12-01T11:00:00Z')); // as clocks show it
    });

    it('speaks the language of Accept-Language, or that of lang', async () => {
      const first = async (query: string, language?: string) => {
        const answer = await download(
          of.second.id,
          `format=xlsx${query}`,
          language ? { 'accept-language': language } : {},
        );
        const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
        return [header(answer, 'content-disposition')!.slice(22, 31), sheets[0]!.sheet];
      };
      expect(await first('')).toEqual(['inventair', 'Synthèse']);
      expect(await first('', 'en')).toEqual(['inventory', 'Summary']);
      expect(await first('&lang=fr', 'en')).toEqual(['inventair', 'Synthèse']);
      expect(await first('&lang=en')).toEqual(['inventory', 'Summary']);
      expect(refused(await report(of.second.id, '?lang=de'))).toEqual(['lang']);
      expect(refused(await report(of.second.id, '?format=doc'))).toEqual(['format']);
    });

    it('CSV comes packed where the client takes that, HEAD tells of it, and a missing session is not found', async () => {
      const plain = await download(of.second.id, 'format=csv', { 'accept-encoding': 'identity' });
      const packed = await download(of.second.id, 'format=csv', { 'accept-encoding': 'gzip' });
      expect([header(plain, 'content-encoding'), header(packed, 'content-encoding')]).toEqual([null, 'gzip']);
      expect(await packed.text()).toBe(await plain.text());
      for (const format of FORMATS) {
        const path = (id: number) => `/inventories/${id}/report?format=${format}`;
        const { status, headers, text } = await app.as('viewer').send('HEAD', path(of.second.id));
        expect([status, headers.get('content-disposition'), text]).toEqual([
          200, `attachment; filename="inventaire-${of.second.id}-2026-12-31.${format}"`, '',
        ]); // prettier-ignore
        expect((await app.as('viewer').send('HEAD', path(2147483647))).status).toBe(404);
        expect((await app.as('viewer').get(path(2147483647))).status).toBe(404);
        expect((await (await app.asNewUser('nobody')).get(path(of.second.id))).status).toBe(403);
      }
    });
  });

  describe('with format=pdf', () => {
    it('is what a manager signs: figures, charts, and the missing with their values', async () => {
      const { answer, pages, pdf, raw } = await pagesOf(of.second.id, '');
      expect(header(answer, 'content-disposition')).toBe(
        `attachment; filename="inventaire-${of.second.id}-2026-12-31.pdf"`,
      );
      const [first, second, third] = pages as [string, string, string];
      for (const text of [
        'Inventaire 2026',
        'Date de l’inventaire : 31 décembre 2026',
        'En cours : état au',
        'Attendus 7 100 % 10 757,10 5 257,10',
        'Manquants 3 42,9 % 500,10 500,10',
        'Mal placés 1',
        'Codes inconnus 2 1',
        'Depuis l’inventaire précédent – Inventaire 2025',
        'Nouveaux manquants 2 400,00',
        'Nom et qualité',
      ])
        expect(first).toContain(text);
      expect(second).toMatch(/Avancement.*Par catégorie.*Bureaux 2 \/ 4/);
      const line = `${of.lost.code} Bureau réglable Dépôt 100,10 100,10`;
      expect(third).toContain('Manquants (3) Code Article N° de série Lieu attendu Brut (€) VNC (€)');
      expect(third).toContain(line);
      expect(third).toContain('Total général 3 500,10 500,10');
      expect(third).toMatch(
        /Mal placés \(1\).*Siège \/ Bureau 214.*Inattendus \(1\).*Codes inconnus \(2\).*=1\+1 3 À traiter/,
      );
      pages.forEach((page, at) => expect(page).toContain(`Page ${at + 1} sur ${pages.length}`));
      // For screen readers.
      expect([await pdf.getMarkInfo(), raw.includes('/Lang (fr-FR)')]).toEqual([
        expect.objectContaining({ Marked: true }), true,
      ]); // prettier-ignore
      const tags = JSON.stringify(await (await pdf.getPage(3)).getStructTree());
      for (const tag of ['Document', 'H2', 'Table', 'TR', 'TH', 'TD'])
        expect(tags).toContain(`"role":"${tag}"`);
      const figures = JSON.stringify(await (await pdf.getPage(2)).getStructTree());
      expect(figures).toContain('Courbe de ce qui a été scanné');
    });

    it('speaks English where that is asked for', async () => {
      for (const [query, headers] of [
        ['&lang=en', {}],
        ['', { 'accept-language': 'en-US,fr;q=0.5' }],
      ] as const) {
        const { pages, raw, answer } = await pagesOf(of.second.id, query, headers);
        expect(pages[0]).toContain('INVENTORY REPORT');
        expect(pages[0]).toContain('Expected 7 100% 10,757.10 5,257.10');
        expect(pages[0]).toContain(`Page 1 of ${pages.length}`);
        expect(raw).toContain('/Lang (en-GB)');
        expect(header(answer, 'content-disposition')).toContain('inventory-');
      }
    });
  });

  it('stays as it was when the session was closed, whatever is edited; but for the late scans', async () => {
    const before = (await report(of.second.id)).body;
    await close(of.second);
    const { body: closed } = await report(of.second.id);
    const { session, ...shown } = closed;
    expect(session.status).toBe('closed');
    expect(shown).toEqual({ ...before, session: undefined });
    const edit = async (path: string, fields: object) =>
      expect((await manager().patch(path, fields)).status).toBe(200);
    await edit(`/articles/${of.laptop.id}`, {
      name: 'Otherwise',
      category_id: null,
      amortization_category_id: null,
    });
    for (const { id } of [of.moved, of.lost, of.newDesk])
      await edit(`/purchases/${id}`, { purchase_price: 1, location_id: null, purchase_date: '2020-01-01' });
    await edit(`/locations/${of.office.id}`, { parent_id: of.depot.id });
    await edit(`/locations/${of.depot.id}`, { name: 'Elsewhere' });
    await app.database.query(`UPDATE categories SET name = 'Renamed ' || id`);
    await app.database.query(`UPDATE users SET name = 'Renamed ' || id`);
    for (const { id } of [of.unscanned, of.stranger]) await manager().delete(`/purchases/${id}`);
    await make.purchase({ purchase_price: 5 });
    await app.database.query(
      `INSERT INTO inventory_late_scans (inventory_id, code, cleaned, code_key, device_scanned_at, received_at, scanned_by, changed_at)
       VALUES ($1, 'L', 'L', 'l', now(), now(), $2, now())`,
      [of.second.id, of.operator.id],
    );
    const late = { count: 1, open: 1 };
    expect((await report(of.second.id)).body).toEqual({ ...closed, figures: { ...closed.figures, late } });
    // One that was closed before names were kept shows them as they are now, and all else as it was.
    await app.database.query(`UPDATE inventory_frozen SET session = NULL WHERE inventory_id = $1`, [
      of.second.id,
    ]);
    const { body: older } = await report(of.second.id);
    expect(older.session.opened_by.name).toMatch(/^Renamed /);
    expect([older.by, older.figures]).toEqual([closed.by, { ...closed.figures, late }]);
  });

  it('reckons by the fiscal years of then', async () => {
    const august = await startApp({ FISCAL_YEAR_START: '08-01' }, app.database);
    const net = async () =>
      (await august.as('viewer').get(`/inventories/${of.second.id}/report`)).body.figures.misplaced.net;
    expect(await net()).toBe(4500);
    await august.stop();
  });

  it('of a session that was closed before lines were kept, is of now', async () => {
    const session = await open(2027);
    await manager().post(`/inventories/${session.id}/close`);
    const name = async () => (await report(session.id)).body.by.category.map((one: any) => one.name);
    // At once: the service copies within seconds what is not copied.
    await app.database.query(
      `WITH forgotten AS (DELETE FROM inventory_frozen WHERE inventory_id = $1)
       UPDATE categories SET name = 'Now' WHERE id = $2`,
      [session.id, of.desks.id],
    );
    expect(await name()).toContain('Now');
    await app.database.query(`UPDATE inventories SET deleted_at = now() WHERE id = $1`, [session.id]);
  });

  it('is empty where nothing is expected', async () => {
    const empty = await startApp();
    const { body: session } = await empty
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-12-31' });
    const { body } = await empty.as('viewer').get(`/inventories/${session.id}/report`);
    expect(body.figures).toMatchObject({ expected: sum(0, 0, 0), missing: sum(0, 0, 0) });
    expect([body.comparison, body.by]).toEqual([null, { category: [], location: [], user: [], day: [] }]);
    await empty.stop();
  });

  it('stops reading where the client hangs up, and gives its connection back', async () => {
    await app.database.query(
      `INSERT INTO inventory_frozen_lines (inventory_id, purchase_id, state, code, article_id, article_name, is_misplaced, purchase_date, is_disposed)
       SELECT $1, 1000000 + n, 'missing', 'MANY-' || n, 1, 'Many', false, '2020-01-01', false FROM generate_series(1, 100000) n`,
      [of.second.id],
    );
    const { pages } = await pagesOf(of.second.id, '');
    expect(pages.join(' ').includes(' 98 003 autres lignes ne figurent pas ici.')).toBe(true);
    expect(pages.filter((page) => page.includes('Code Article N° de série')).length).toBeGreaterThan(40);
    const hangUp = (format: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${app.as('viewer').token}` };
        const path = `${app.url}/api/v1/inventories/${of.second.id}/report?format=${format}`;
        const request = http.get(path, { agent: false, headers }, (answer) =>
          answer.once('data', () => {
            request.destroy();
            resolve();
          }),
        );
        request.on('error', reject);
      });
    for (const format of ['csv', 'xlsx', 'csv', 'xlsx', 'csv']) await hangUp(format);
    expect((await report(of.second.id)).body.figures.missing.count).toBe(100_003);
    const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state <> 'idle'`;
    await until(async () => (await app.database.query(busy)).length === 0);
  });

  it.each(['json', ...FORMATS])('holds up nobody for a client that hung up before: %s', async (format) => {
    const headers = { authorization: `Bearer ${app.as('viewer').token}` };
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (let time = 0; time < 3; time++) {
      const holder = await begin(app.database);
      await holder.query('LOCK TABLE inventory_frozen_lines');
      const url = `${app.url}/api/v1/inventories/${of.second.id}/report?format=${format}`;
      const request = http.get(url, { agent: false, headers }).on('error', () => undefined);
      await until(async () => (await app.database.query(waiting)).length === 1);
      request.destroy();
      await sleep(20);
      await holder.end('COMMIT');
      await until(async () => (await app.database.query(waiting)).length === 0);
    }
    expect((await download(of.second.id, `format=${format}`)).status).toBe(200);
  });

  it('is not found where the session is not, refuses what it does not know, and needs reports.view', async () => {
    for (const gone of [2147483647, 2147483648, 0, 'x'])
      expect((await app.as('viewer').get(`/inventories/${gone}/report`)).status).toBe(404);
    expect(refused(await report(of.second.id, '?page=1'))).toEqual(['page']);
    expect((await app.anonymous.get(`/inventories/${of.second.id}/report`)).status).toBe(401);
    expect((await (await app.asNewUser('stranger')).get(`/inventories/${of.second.id}/report`)).status).toBe(
      403,
    );
  });
});

describe('The pages of a session of many places, with sums as long as prices allow', () => {
  const PLACES = 1000;
  const nameOf = (n: number) => `Bureau ${String(n).padStart(4, '0')} étage haut`;
  let session: any;
  beforeAll(async () => {
    const places = await app.database.query(
      `INSERT INTO locations (name) SELECT 'Bureau ' || to_char(n, 'FM0000') || ' étage haut'
       FROM generate_series(1, $1::int) n RETURNING id`,
      [PLACES],
    );
    const location_ids = places.map(({ id }: any) => id);
    await app.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date, purchase_price, location_id)
       SELECT $1, 'MILLIARD-' || n, '2024-01-01', CASE n WHEN 0 THEN 0.99 ELSE 9999999999.99 END, $2
       FROM generate_series(0, 100) n`,
      [of.desk.id, location_ids[0]],
    );
    const fields = { year: 2031, inventory_date: '2031-12-31', location_ids };
    ({ body: session } = await manager().post('/inventories', fields));
  });

  it.each([
    ['fr', '999 999 999 999,99', '9 999 999 999,99', 'Total général 101'],
    ['en', '999,999,999,999.99', '9,999,999,999.99', 'Sum of all 101'],
  ])('has each number in one piece, beside the others: %s', async (lang, sum, price, last) => {
    const { pages, pdf } = await pagesOf(session.id, `&lang=${lang}`);
    expect(pages.join(' ')).toContain(`${last} ${sum} ${sum}`);
    const money: string[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      let [end, line] = [0, 0];
      for (const item of items) {
        if (!('str' in item) || !/[.,]\d\d$/.test(item.str)) continue;
        const [x, y] = item.transform.slice(4) as [number, number];
        if (y === line) expect(x).toBeGreaterThan(end + 5);
        [end, line] = [x + Number(item.width), y];
        expect(end).toBeLessThanOrEqual(595.28 - 45);
        money.push(item.str.replace(/\s/g, ' '));
      }
    }
    // Of the figures what is expected and what is missing, and below the lines.
    expect(money.filter((text) => text === sum)).toHaveLength(6);
    expect(money.filter((text) => text === price)).toHaveLength(200);
  });

  it('names every place of its scope, on as many pages as that takes', async () => {
    const { pages, pdf } = await pagesOf(session.id, '');
    const scope = Array.from({ length: PLACES }, (_, at) => nameOf(at + 1)).join(', ');
    // Without what is at the edges of each page.
    const turned = pages.map((page) => page.replace(/( Inventaire 2031)? Établi le .*$/, ''));
    expect(turned.join(' ')).toContain(`Périmètre : ${scope}`);
    for (let number = 1; number <= 3; number++) {
      const page = await pdf.getPage(number);
      for (const item of (await page.getTextContent()).items)
        if ('str' in item) expect(item.transform[5]).toBeGreaterThan(30);
    }
    // A paragraph, whatever pages it is on.
    const tags = await (await pdf.getPage(2)).getStructTree();
    expect(JSON.stringify(tags)).toContain('"role":"P"');
  });
});

it.each([
  [
    'fr',
    'Scannés 1 0,1 %',
    'Manquants 2 001 99,9 %',
    '1 / 2 002 (0,1 %)',
    '1 autre ligne ne figure pas ici.',
  ],
  ['en', 'Scanned 1 0.1%', 'Missing 2,001 99.9%', '1 / 2,002 (0.1%)', '1 more line is not listed here.'],
])('Pages say neither all of what is not, nor nothing, nor lines of one: %s', async (lang, ...told) => {
  const place = await make.location();
  await app.database.query(
    `INSERT INTO purchases (article_id, code, purchase_date, location_id)
     SELECT $1, $2 || n, '2024-01-01', $3 FROM generate_series(1, 2002) n`,
    [of.desk.id, `NEARLY-${lang}-`, place.id],
  );
  const fields = { year: 2032, inventory_date: '2032-12-31', location_ids: [place.id] };
  const { body: session } = await manager().post('/inventories', fields);
  await scan(session, { code: `NEARLY-${lang}-7` });
  const { pages } = await pagesOf(session.id, `&lang=${lang}`);
  for (const text of told) expect(pages.join(' ')).toContain(text);
});

it('Pages leave the room to sign in with its heading, wherever the page ends', async () => {
  const places = await app.database.query(
    `INSERT INTO locations (name) SELECT to_char(n, 'FM00') || repeat('W', 55) FROM generate_series(1, 34) n RETURNING id`,
  );
  const location_ids = places.map(({ id }: any) => id);
  for (let lines = 26; lines <= 34; lines++) {
    const fields = { year: 2033, inventory_date: '2033-12-31', location_ids: location_ids.slice(0, lines) };
    const { body: session } = await manager().post('/inventories', fields);
    const { pages } = await pagesOf(session.id, '');
    const headed = pages.filter((page) => page.includes('Nom et qualité'));
    expect([lines, headed.length]).toEqual([lines, 1]);
  }
});

it('Pages have the words of Hebrew and Arabic names in their order, apart', async () => {
  const place = await make.location();
  const names = ['שולחן עבודה', 'مكتب خشبي كبير'];
  for (const name of names) {
    const article_id = (await make.article({ name })).id;
    await make.purchase({ article_id, location_id: place.id });
  }
  const fields = { year: 2034, inventory_date: '2034-12-31', location_ids: [place.id] };
  const { body: session } = await manager().post('/inventories', fields);
  const { pages } = await pagesOf(session.id, '');
  for (const name of names) expect(pages.join(' ').normalize('NFKC')).toContain(name);
});
