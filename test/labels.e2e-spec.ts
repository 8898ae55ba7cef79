import { readFileSync } from 'node:fs';
import { extractText, getDocumentProxy } from 'unpdf';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';

interface Thing {
  id: number;
  code: string;
}

const wasm = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
let app: TestApp;
let make: Factories;
let things: Thing[];
let supplier: number;
beforeAll(async () => {
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } });
  app = await startApp({ ORGANISATION: 'Ville de Brest', LABEL_URL: 'https://inv.example.org/scan/{code}' });
  make = factories(app);
  supplier = (await make.supplier()).id;
  const article_id = (await make.article({ name: 'Écran 27 pouces à dalle incurvée, réglable en hauteur' }))
    .id;
  things = [];
  for (const code of ['REC-3', 'REC 1/Ω', 'REC-2'])
    things.push(await make.purchase({ article_id, code, supplier_id: supplier }));
});
afterAll(() => app.stop());

const ids = () => things.map(({ id }) => id).join();
const viewer = () => app.as('viewer');
const get = (query: string) => viewer().get(`/purchases/labels?${query}`);
async function bytes(path: string): Promise<Buffer> {
  const { url, token } = viewer();
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
/** The text of each page. */
async function pages(path: string): Promise<string[]> {
  const pdf = await getDocumentProxy(Uint8Array.from(await bytes(path)));
  return (await extractText(pdf)).text;
}
const decoded = async (path: string) => (await readBarcodes(await bytes(path))).map(({ text }) => text);

describe('GET /purchases/labels', () => {
  it('are sheets as PDF, each label with its code, its article and whose it is', async () => {
    const { headers } = await get(`ids=${ids()}`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="labels-\d{4}-\d\d-\d\d\.pdf"$/,
    );
    const [page, ...others] = await pages(`/purchases/labels?ids=${ids()}`);
    expect(others).toEqual([]);
    for (const { code } of things) expect(page).toContain(code);
    expect(page!.match(/Écran 27/g)).toHaveLength(3);
    expect(page!.match(/Ville de Brest/g)).toHaveLength(3);
  });

  it('come in the order of the ids, unless another is asked for', async () => {
    const order = async (query: string) =>
      (await get(`${query}&format=zpl`)).text.match(/\^FDREC[^^]*/g)!.map((text) => text.slice(3));
    const [three, one, two] = things as [Thing, Thing, Thing];
    expect(await order(`ids=${two.id},${three.id},${one.id},${two.id}`)).toEqual([
      'REC-2',
      'REC-3',
      'REC 1/Ω',
    ]);
    expect(await order(`ids=${ids()}&sort=-code`)).toEqual(['REC-3', 'REC-2', 'REC 1/Ω']);
    expect(await order(`supplier_id=${supplier}`)).toEqual(['REC-3', 'REC 1/Ω', 'REC-2']);
    expect(await order(`search=rec-2&supplier_id=${supplier}`)).toEqual(['REC-2']);
  });

  it('hold the address that the service was given for codes, which the scan takes', async () => {
    const [, odd] = things as [Thing, Thing];
    const [text] = await decoded(`/purchases/labels?ids=${odd.id}&format=png`);
    expect(text).toBe('https://inv.example.org/scan/REC%201%2F%CE%A9');
    const found = await viewer().get(`/scan/${encodeURIComponent(text!)}`);
    expect(found.body).toMatchObject({ id: odd.id });
  });

  it.each(['datamatrix', 'code128'])('hold the code as %s, at the dots of either printer', async (symbol) => {
    for (const dpi of [203, 300])
      expect(
        await decoded(`/purchases/labels?ids=${things[0]!.id}&format=png&symbol=${symbol}&dpi=${dpi}`),
      ).toEqual(['REC-3']);
  });

  it('are drawn as SVG, one at a time', async () => {
    const { headers, text } = await get(`ids=${things[0]!.id}&format=svg`);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(text).toMatch(/^<svg /);
    for (const format of ['svg', 'png'])
      expect(refused(await get(`ids=${ids()}&format=${format}`))).toEqual(['ids']);
  });

  it('are commands of a Zebra printer, a label after the other', async () => {
    const { headers, text } = await get(`ids=${ids()}&format=zpl&sheet=62mm&dpi=203`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8'); // as the commands say by ^CI28
    expect(text.match(/\^XA\n\^CI28\n\^PW496\^LL232\n/g)).toHaveLength(3);
    expect(text).toContain('^FDMA,https://inv.example.org/scan/REC-3^FS');
  });

  it('tell a Zebra printer which sign begins control sequences of a Data Matrix: one that is not in the code', async () => {
    const article_id = (await make.article()).id;
    for (const [code, sign, written] of [
      ['PC~1_1', '!', 'PC_7e1_5f1'],
      ['PC!~1', '"', 'PC!_7e1'],
    ]) {
      const { id } = await make.purchase({ article_id, code });
      const { text } = await get(`ids=${id}&format=zpl&symbol=datamatrix&sheet=62mm`);
      expect(text).toMatch(/\^BXN,\d+,200,,,,.\^FH/);
      expect(text).toContain(`,200,,,,${sign}^FH^FD${written}^FS`);
    }
  });

  it('have a name of several lines in one, its words apart', async () => {
    const { id: article_id } = await make.article({ name: 'Table\r\nen\tchêne' });
    const { id } = await make.purchase({ article_id });
    expect(await pages(`/purchases/labels?ids=${id}&sheet=62mm`)).toEqual([
      expect.stringContaining('Table en chêne'),
    ]);
    const { text } = await get(`ids=${id}&format=zpl&sheet=62mm`);
    expect(text).toContain('^FDTable en chêne^FS');
  });

  it('have letters and their accents in one, which printers do not put together', async () => {
    const { id: article_id } = await make.article({ name: 'E\u0301tabli en he\u0302tre' });
    const { id } = await make.purchase({ article_id });
    const { text } = await get(`ids=${id}&format=zpl&sheet=62mm`);
    expect(text).toContain('^FD\u00c9tabli en h\u00eatre^FS');
  });

  it('have room for a QR code as a Zebra printer makes it, which changes its mode for no digits within it', async () => {
    const article_id = (await make.article()).id;
    // 43 bytes: 33 modules, or 29 where digits take less.
    const { id } = await make.purchase({ article_id, code: '20260102030405' });
    for (const dpi of [203, 300]) {
      const { text } = await get(`ids=${id}&format=zpl&sheet=62mm&dpi=${dpi}`);
      const [, left, module] = /\^FO(\d+),\d+\^BQN,2,(\d+)/.exec(text)!.map(Number);
      const [, beside] = /\^FO(\d+),\d+\^A0N/.exec(text)!.map(Number);
      expect(beside! - left!).toBeGreaterThanOrEqual((33 + 4) * module! - 1);
    }
  });

  it('have the words of a Hebrew name in their order, apart', async () => {
    const { id: article_id } = await make.article({ name: 'שולחן עבודה' });
    const { id } = await make.purchase({ article_id });
    expect(await pages(`/purchases/labels?ids=${id}&sheet=62mm`)).toEqual([
      expect.stringContaining('שולחן עבודה'),
    ]);
  });

  it('begin where the first sheet is not used yet', async () => {
    expect(await pages(`/purchases/labels?ids=${ids()}&skip=20`)).toHaveLength(2);
    expect(await pages(`/purchases/labels?ids=${ids()}&sheet=62mm`)).toHaveLength(3);
    expect(refused(await get(`ids=${ids()}&skip=21`))).toEqual(['skip']);
  });

  const CUSTOM = 'sheet=custom&width=90&height=50&columns=2&rows=5&left=10&top=10&pitch_x=95&pitch_y=55';

  it('lie as a sheet of one’s own says', async () => {
    expect(await pages(`/purchases/labels?ids=${ids()}&${CUSTOM}&skip=8&dx=0.5&dy=-1`)).toHaveLength(2);
  });

  it.each<[string, string[]]>([
    ['sheet=custom&width=90', ['height', 'columns', 'rows', 'left', 'top', 'pitch_x', 'pitch_y']],
    ['width=90&rows=2', ['width', 'rows']],
    [CUSTOM.replace('pitch_x=95', 'pitch_x=89'), ['pitch_x']],
    [CUSTOM.replace('pitch_y=55', 'pitch_y=49'), ['pitch_y']],
    [CUSTOM.replace('columns=2', 'columns=3'), ['columns']],
    [CUSTOM.replace('rows=5', 'rows=6'), ['rows']],
    ['dx=1e3&dy=-20.1&dpi=600&symbol=ean13&format=gif&sheet=l1', ['dx', 'dy', 'dpi', 'symbol', 'format', 'sheet']],
    ['page=2&per_page=10&updated_since=2026-01-01T00:00:00Z&deleted=true', ['page', 'per_page', 'updated_since', 'deleted']],
    ['symbol=code128', ['symbol']], // Ω
    ['symbol=datamatrix', ['symbol']],
    ['sheet=l4731&symbol=code128&search=REC-3', ['sheet']], // no room
  ])('name what is wrong: %s', async (query, fields) => {
    const answer = await get(`${query}${query.includes('search') ? '' : `&ids=${ids()}`}`);
    expect(new Set([refused(answer)].flat())).toEqual(new Set(fields));
  }); // prettier-ignore

  it.each(['0', 'x', '1,', '1;2', ',', '1,99999999', '-1', '2147483648'])(
    'name wrong ids: %s',
    async (wrong) => {
      expect(refused(await get(`ids=${wrong}`))).toEqual(['ids']);
    },
  );

  it('find a thing whatever its id', async () => {
    await app.database.query(
      `INSERT INTO purchases (id, article_id, code, purchase_date)
       SELECT 2147483647, article_id, 'LAST', purchase_date FROM purchases WHERE id = $1`,
      [things[0]!.id],
    );
    expect((await get('ids=2147483647&format=zpl')).text).toContain('LAST');
  });

  it('leave none out silently: an empty list and more than 5000 are refused', async () => {
    expect(refused(await get('search=nothing-like-it'))).toEqual(['ids']);
    const left = await get(`ids=${things[0]!.id}&search=nothing-like-it`);
    expect(left.body.errors).toEqual({
      ids: [`has items that do not exist or that the filters leave out: ${things[0]!.id}`],
    });
    await app.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date, notes)
       SELECT article_id, 'M' || n, purchase_date, 'many' FROM purchases, generate_series(1, 5001) n WHERE id = $1`,
      [things[0]!.id],
    );
    const answer = await get('search=M');
    expect(refused(answer)).toEqual(['ids']);
    expect(answer.body.errors.ids[0]).toContain('5000');
  });
});

describe('GET /locations/labels', () => {
  it('are for doors: the code and the name of the place', async () => {
    const place = await make.location({ name: 'Bureau 205', code: 'L-205' });
    const [page] = await pages(`/locations/labels?ids=${place.id}`);
    expect(page).toContain('L-205');
    expect(page).toContain('Bureau 205');
  });

  it('are of places that have a code: the others are left out, or named where they are asked for', async () => {
    const parent = await make.location();
    for (const code of ['L-1', null]) await make.location({ parent_id: parent.id, code });
    await app.database.query(
      `INSERT INTO locations (name, parent_id) SELECT 'Bureau ' || n, $1 FROM generate_series(1, 5000) n`,
      [parent.id],
    );
    const { text } = await viewer().get(`/locations/labels?parent_id=${parent.id}&format=zpl`);
    expect(text.match(/\^XA/g)).toHaveLength(1);
    expect(refused(await viewer().get(`/locations/labels?ids=${parent.id}`))).toEqual(['ids']);
  });
});
