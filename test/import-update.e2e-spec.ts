import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';

let app: TestApp;
let make: Factories;

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());

const bring = (kind: string, text: string) => importText(app.database.url, kind, text);
const update = (kind: string, text: string) => importText(app.database.url, kind, text, '--mode', 'update');
const purchases = (like: string) =>
  app.database.query(
    `SELECT code, serial_number, purchase_date, warranty_end_date, location_id, disposed_on
     FROM purchases WHERE code LIKE $1 ORDER BY code`,
    [like],
  );

describe('npm run import -- --mode update', () => {
  it('changes the columns that the file has, of what is known', async () => {
    const { id: location_id } = await make.location({ name: 'Depot', code: 'DEPOT' });
    for (const code of ['UP-1', 'UP-2', 'UP-3']) await make.purchase({ code, serial_number: `S-${code}` });
    const [one, two, three] = await purchases('UP-%');
    expect((await update('purchases', 'code,location\nUP-1,DEPOT\nup-2,Depot\n')).said).toEqual([
      'Imported 2 purchases: 0 new, 2 updated.',
    ]);
    expect(await purchases('UP-%')).toEqual([{ ...one, location_id }, { ...two, location_id }, three]);
  });

  it.each([
    [
      'tiers',
      'reference,name,email\nK-1,Known,a@example.org\n',
      'reference,city\nk-1,Lyon\n',
      { city: 'Lyon' },
    ],
    [
      'equipments',
      'reference,name\nK-1,Known\n',
      'reference,status\nK-1,under_repair\n',
      { status: 'under_repair' },
    ],
    ['suppliers', 'reference,name\nK-1,Known\n', 'reference,email\nK-1,a@b.fr\n', { email: 'a@b.fr' }],
    ['articles', 'reference,name\nK-1,Known\n', 'reference,is_active\nK-1,false\n', { is_active: false }],
    ['locations', 'code,name\nK-1,Known\n', 'code,is_active\nk-1,false\n', { is_active: false }],
    ['locations', 'name\nRoot\n', 'name,is_active\nroot,false\n', { is_active: false }],
    [
      'amortization_categories',
      'name,method,duration_years\nKnown,declining,5\n',
      'name,duration_years\nKnown,10\n',
      { duration_years: 10, declining_coefficient: 2.25 },
    ],
  ])('needs no other column of %s', async (table, before, text, fields) => {
    const kind = table.replace('_', '-');
    expect((await bring(kind, before)).code).toBe(0);
    const rows = () => app.database.query(`SELECT * FROM ${table} ORDER BY id DESC LIMIT 1`);
    const [row] = await rows();
    expect((await update(kind, text)).said).toEqual([`Imported 1 ${kind}: 0 new, 1 updated.`]);
    const changed = { updated_at: expect.any(Date), version: expect.anything() };
    expect(await rows()).toMatchObject([{ ...row, ...fields, ...changed }]);
  });

  it('moves places that are told by their codes alone', async () => {
    await bring('locations', 'code,name,parent\nM-1,First,\nM-2,Second,\nM-3,Room,M-1\n');
    await update('locations', 'code,parent\nM-3,M-2\n');
    expect(await app.database.query(`SELECT path FROM locations WHERE code = 'M-3'`)).toEqual([
      { path: 'Second / Room' },
    ]);
  });

  it('holds what comes to the rules, beside what is stored', async () => {
    for (const code of ['RULE-1', 'RULE-2']) await make.purchase({ code, purchase_date: '2026-01-31' });
    const stored = await purchases('RULE-%');
    expect(
      (
        await update(
          'purchases',
          'code,warranty_end_date,disposal_date\nRULE-1,2026-01-30,\nRULE-2,,2026-02-01\nRULE-3,,\n,,\n',
        )
      ).said,
    ).toEqual([
      'line 2: warranty_end_date: must not be before purchase_date',
      'line 3: disposal_reason: is required',
      'line 4: code: is not known yet',
      '3 bad lines; nothing was written.',
    ]);
    expect((await update('purchases', 'code,purchase_date\nRULE-1,\n')).said[0]).toBe(
      'line 2: purchase_date: is required',
    );
    expect(await purchases('RULE-%')).toEqual(stored);
  });

  it('counts a warranty from the stored day of purchase', async () => {
    await make.purchase({ code: 'SPAN-1', purchase_date: '2026-01-31' });
    await update('purchases', 'code,Garantie\nSPAN-1,13 mois\n');
    expect(await purchases('SPAN-%')).toMatchObject([{ warranty_end_date: '2027-02-28' }]);
  });

  it('changes nothing where there is nothing but codes', async () => {
    await make.purchase({ code: 'ALONE-1' });
    expect((await update('purchases', 'code\nALONE-1\n')).said).toEqual([
      'Imported 1 purchases: 0 new, 0 updated, 1 unchanged.',
    ]);
  });

  it('wants the column that tells what is meant, and the article where it says more of it', async () => {
    await make.purchase({ code: 'WANT-1' });
    const said = async (kind: string, text: string) => (await update(kind, text)).said.slice(0, -1);
    expect(await said('purchases', 'location\nDEPOT\n')).toEqual(['line 1: code: is required']);
    expect(await said('tiers', 'city\nLyon\n')).toEqual(['line 1: reference: is required']);
    expect(await said('suppliers', 'email\na@b.fr\n')).toEqual(['line 1: name: is required']);
    expect(await said('locations', 'is_active\nfalse\n')).toEqual(['line 1: name: is required']);
    expect(await said('purchases', 'code,brand\nWANT-1,Dell\n')).toEqual(['line 1: article: is required']);
    expect(await said('locations', 'code,is_active\n,false\n')).toEqual(['line 2: name: is required']);
  });

  it('without it what is new may come, whose columns must be there', async () => {
    expect((await bring('purchases', 'code,location\nUP-1,DEPOT\n')).said.slice(0, 2)).toEqual([
      'line 1: article: is required',
      'line 1: purchase_date: is required',
    ]);
  });
});
