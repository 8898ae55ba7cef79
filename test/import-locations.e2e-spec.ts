import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { importText } from './support/import.js';

let app: TestApp;
let make: Factories;
const into = (kind: string, text: string) => importText(app.database.url, kind, text);
const paths = (): Promise<object[]> =>
  app.database.query(`SELECT path, code FROM locations WHERE deleted_at IS NULL ORDER BY path, id`);

beforeAll(async () => {
  app = await startApp();
  make = factories(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  for (const sql of [
    'UPDATE purchases SET location_id = NULL',
    'DELETE FROM location_codes',
    'DELETE FROM locations',
  ])
    await app.database.query(sql);
});

describe('npm run import -- locations', () => {
  const TREE = `name,code,parent
Bureau 214,B-214,Siège / 2e étage
2e étage,,Siège
Siège,SIE,
Bureau 215,,SIE-2
3e étage,SIE-2,sie
`;
  const IMPORTED = [
    { path: 'Siège', code: 'SIE' },
    { path: 'Siège / 2e étage', code: null },
    { path: 'Siège / 2e étage / Bureau 214', code: 'B-214' },
    { path: 'Siège / 3e étage', code: 'SIE-2' },
    { path: 'Siège / 3e étage / Bureau 215', code: null },
  ];

  it('makes a tree, wherever in the file a parent stands, and by its code or its path', async () => {
    expect((await into('locations', TREE)).said).toEqual(['Imported 5 locations: 5 new, 0 updated.']);
    expect(await paths()).toEqual(IMPORTED);
  });

  it('changes nothing the second time', async () => {
    await into('locations', TREE);
    const said = ['Imported 5 locations: 0 new, 0 updated, 5 unchanged.'];
    expect((await into('locations', TREE)).said).toEqual(said);
    expect(
      (await into('locations', TREE.toUpperCase().replace('NAME,CODE,PARENT', 'name,code,parent'))).said[0],
    ).toMatch(/0 new/);
  });

  it('renames and moves by code, and finds by path what has none', async () => {
    await into('locations', TREE);
    const { said } = await into(
      'locations',
      `name;code;parent;is_active\nSiège social;sie;;true\n2E ÉTAGE;;siège  social;false\nBureau 214 bis;b-214;SIE;true\n`,
    );
    expect(said).toEqual(['Imported 3 locations: 0 new, 3 updated.']);
    expect(await paths()).toEqual([
      { path: 'Siège social', code: 'SIE' },
      { path: 'Siège social / 2e étage', code: null },
      { path: 'Siège social / 3e étage', code: 'SIE-2' },
      { path: 'Siège social / 3e étage / Bureau 215', code: null },
      { path: 'Siège social / Bureau 214 bis', code: 'B-214' },
    ]);
  });

  it('puts a place below what lay below it, and as deep as may be, whatever the order of the lines', async () => {
    const chain = (names: string[]) =>
      names.map((name, at) => `${name},C-${name},${at > 0 ? `C-${names[at - 1]}` : ''}`);
    const file = (lines: string[]) => `name,code,parent\n${lines.join('\n')}\n`;
    const names = [...'abcdefghijkl'];
    await into('locations', file(chain(names)));
    const turned = names.toReversed();
    const halves = [...names.slice(6), ...names.slice(0, 6)];
    for (const order of [turned, halves, names]) {
      const lines = chain(order);
      for (const given of [lines, lines.toReversed()]) {
        const { said } = await into('locations', file(given));
        expect(said).toEqual([expect.stringMatching(/^Imported 12 locations: 0 new, /)]);
        expect((await paths()).at(-1)).toMatchObject({ code: `C-${order.at(-1)}`, path: order.join(' / ') });
      }
    }
    // Room is made before what is new takes it.
    const moved = [...chain(names.slice(2)), `new,,C-l`];
    expect((await into('locations', file(moved))).said).toEqual([
      'Imported 11 locations: 1 new, 1 updated, 9 unchanged.',
    ]);
  });

  it('leaves places where they are when the file does not say', async () => {
    await into('locations', TREE);
    expect((await into('locations', 'name,code\nSalle 214,B-214\nAnnexe,\n')).said).toEqual([
      'Imported 2 locations: 1 new, 1 updated.',
    ]);
    expect(await paths()).toContainEqual({ path: 'Siège / 2e étage / Salle 214', code: 'B-214' });
    expect(await paths()).toContainEqual({ path: 'Annexe', code: null });
  });

  it('says of each line what is wrong, and writes nothing', async () => {
    await make.location({ name: 'Twin' });
    await make.location({ name: 'Twin' });
    const gone = await make.location({ code: 'gone' });
    await app.as('manager').delete(`/locations/${gone.id}`);
    const before = await paths();
    const said = async (text: string) =>
      (await into('locations', `name,code,parent\n${text}`)).said.slice(0, -1);
    expect(await said('A,a,nowhere\nB,,Twin\nTwin,,\n')).toEqual([
      'line 2: parent: matches nothing: nowhere',
      'line 3: parent: matches 3 rows',
      'line 4: name: matches 2 rows',
    ]);
    expect(await said('A,,\na,,\n')).toEqual(['line 3: name: is on line 2 too']);
    expect(await said('A,x,\nB,X,\n')).toEqual(['line 3: code: is on line 2 too']);
    expect(await said('A,GONE,\n')).toEqual(['line 2: code: is or was the code of another place']);
    expect(await said('A,a,b\nB,b,a\nC,c,c\n')).toEqual(
      [2, 3, 4].map((line) => `line ${line}: parent: must not be the place itself or lie below it`),
    );
    const deep = Array.from({ length: 14 }, (_, n) => `L${n},l${n},${n > 0 ? `l${n - 1}` : ''}\n`).join('');
    expect(await said(deep)).toEqual(
      [14, 15].map((line) => `line ${line}: parent: makes the tree deeper than 12 levels`),
    );
    expect(await paths()).toEqual(before);
  });

  it('takes what the service has exported: of several places of one path the one without a code is meant', async () => {
    await make.location({ name: 'Dépôt', code: 'DP' });
    const own = await make.location({ name: 'Dépôt' });
    await make.location({ name: 'Étagère', parent_id: own.id });
    const { text } = await app.as('viewer').get('/locations?format=csv&delimiter=,');
    expect(text.split('\r\n')).toContain('Étagère,,Dépôt,true');
    expect((await into('locations', text)).said).toEqual([
      'Imported 3 locations: 0 new, 0 updated, 3 unchanged.',
    ]);
    const next = text.replace(/Dépôt/g, 'Cave').replace('DP', 'CV');
    expect((await into('locations', next)).said).toEqual(['Imported 3 locations: 3 new, 0 updated.']);
    expect(
      await app.database.query(
        `SELECT l.name, p.name AS parent, p.code FROM locations l JOIN locations p ON p.id = l.parent_id ORDER BY p.name`,
      ),
    ).toEqual([
      { name: 'Étagère', parent: 'Cave', code: null },
      { name: 'Étagère', parent: 'Dépôt', code: null },
    ]);
  });

  it('says so too where what is stored would be too deep', async () => {
    let parent_id: number | null = null;
    for (let n = 0; n < 12; n++) parent_id = (await make.location({ parent_id, code: `d${n}` })).id;
    const { code, said } = await into('locations', 'name,code,parent\nTop,top,\nMoved,d0,top\n');
    expect([code, said[0]]).toEqual([1, 'parent: makes the tree deeper than 12 levels']);
  });

  it('takes a large tree in any order', async () => {
    const rooms = Array.from(
      { length: 3000 },
      (_, n) => `Room ${n},R-${n},Site ${n % 3} / Floor ${n % 30}\n`,
    );
    const floors = Array.from({ length: 30 }, (_, n) => `Floor ${n},,Site ${n % 3}\n`);
    const sites = Array.from({ length: 3 }, (_, n) => `Site ${n},,\n`);
    const text = `name,code,parent\n${[...rooms, ...floors, ...sites].join('')}`;
    expect((await into('locations', text)).said).toEqual(['Imported 3033 locations: 3033 new, 0 updated.']);
    expect((await into('locations', text)).said).toEqual([
      'Imported 3033 locations: 0 new, 0 updated, 3033 unchanged.',
    ]);
  });
});

describe('The column location of purchases', () => {
  const purchase = async (code: string) =>
    (await app.as('viewer').get(`/purchases?code=${code}`)).body.data[0].location?.path;

  it('names a place by its code, its path, or a name that is unique', async () => {
    await make.article({ reference: 'REF-P' });
    await into('locations', 'name,code,parent\nSiège,S,\nHall,,S\nAnnexe,A,\nHall,,A\nCave,,A\nS,,\n');
    const file = (cells: string[]) =>
      `code,article,purchase_date,location\n${cells.map((cell, n) => `P${n},REF-P,2026-01-15,${cell}\n`).join('')}`;
    const { said } = await into('purchases', file(['s', 'siège / HALL', 'cave', '']));
    expect(said).toEqual(['Imported 4 purchases: 4 new, 0 updated.']);
    expect(await Promise.all([0, 1, 2, 3].map((n) => purchase(`P${n}`)))).toEqual([
      'Siège',
      'Siège / Hall',
      'Annexe / Cave',
      undefined,
    ]);
    expect((await into('purchases', file(['hall', 'nowhere']))).said.slice(0, 2)).toEqual([
      'line 2: location: matches 2 rows',
      'line 3: location: matches nothing: nowhere',
    ]);
    await into('purchases', file(['A']));
    expect(await purchase('P0')).toBe('Annexe');
  });
});
