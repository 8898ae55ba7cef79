/* eslint-disable @typescript-eslint/no-explicit-any -- rows are asserted, not typed */
import type { TestApp } from './app.js';
import type { Answer, Client } from './client.js';

type Fields = Record<string, unknown>;

let count = 0;
/** A text that no other row of this file has. */
export const unique = (text: string): string => `${text} ${++count}`;

/**
 * Makes rows: by SQL those that need no rule of the service, over HTTP the others. Each answers the row, and needs no
 * field but those that a test is about.
 */
export function factories({ database, as }: TestApp) {
  const insert = async (table: string, fields: Fields): Promise<any> => {
    const names = Object.keys(fields);
    const places = names.map((_, at) => `$${at + 1}`);
    const [row] = await database.query(
      `INSERT INTO ${table} (${names.join()}) VALUES (${places.join()}) RETURNING *`,
      Object.values(fields),
    );
    return row;
  };
  const create = async (path: string, fields: Fields): Promise<any> => {
    const answer = await as('manager').post(path, fields);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body;
  };
  const article = (fields: Fields = {}) => create('/articles', { name: unique('Article'), ...fields });

  return {
    brand: (fields: Fields = {}) => insert('brands', { name: unique('Brand'), ...fields }),
    category: (fields: Fields = {}) => insert('categories', { name: unique('Category'), ...fields }),
    amortizationCategory: (fields: Fields = {}) =>
      insert('amortization_categories', {
        name: unique('Amortization'),
        method: 'linear',
        duration_years: 5,
        ...fields,
      }),
    tier: (fields: Fields = {}) =>
      insert('tiers', { name: unique('Tier'), reference: unique('T'), ...fields }),
    equipment: (fields: Fields = {}) =>
      insert('equipments', { name: unique('Equipment'), reference: unique('EQ'), ...fields }),
    article,
    location: (fields: Fields = {}) => create('/locations', { name: unique('Place'), ...fields }),
    supplier: (fields: Fields = {}) => create('/suppliers', { name: unique('Supplier'), ...fields }),
    /** Of a new article, unless `article_id` is given. */
    purchase: async (fields: Fields = {}) =>
      create('/purchases', {
        article_id: fields.article_id ?? (await article()).id,
        purchase_date: '2026-01-15',
        ...fields,
      }),
  };
}

export type Factories = ReturnType<typeof factories>;

/** The fields that a 422 names; of any other answer its status, so that a failing test says what came. */
export const refused = ({ status, body }: Answer): string[] | number =>
  status === 422 ? Object.keys(body.errors) : status;

export const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

export const withQuery = (path: string, query: string): string =>
  path + (path.includes('?') ? '&' : '?') + query;

/** Every row of a list in cursor mode; `between` runs after each page but the last. */
export async function readByCursor(client: Client, path: string, between?: () => Promise<unknown>) {
  const rows: any[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body, text }: Answer = await client.get(withQuery(path, `cursor=${cursor}`));
    if (status !== 200) throw new Error(`GET ${path}: ${text}`);
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
    if (cursor !== null) await between?.();
  }
  return rows;
}

/** Every row of a list in page mode. */
export async function readByPage(client: Client, path: string) {
  const rows: any[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { status, body, text } = await client.get(withQuery(path, `page=${page}`));
    if (status !== 200) throw new Error(`GET ${path}: ${text}`);
    rows.push(...body.data);
    last = body.meta.last_page;
  }
  return rows;
}

interface ListOptions {
  app: () => TestApp;
  path: string;
  /** The fields that it sorts by beside the id. */
  sorts: string[];
  /** Filters by the id of another resource. */
  foreignKeys?: string[];
  booleans?: string[];
}

/** What every list does in the same way. The list must hold 6 rows or more, among them some with equal values. */
export function behavesAsList({ app, path, sorts, foreignKeys = [], booleans = [] }: ListOptions): void {
  const get = (query: string) => app().as('viewer').get(`${path}?${query}`);

  it('says which page it is of how many', async () => {
    const all = await get('per_page=200');
    const { total } = all.body.meta;
    expect(all.body.meta).toEqual({ current_page: 1, per_page: 200, total, last_page: 1, next_cursor: null });
    expect(all.body.data).toHaveLength(total);
    const second = await get('per_page=2&page=2');
    expect(second.body.data).toEqual(all.body.data.slice(2, 4));
    expect(second.body.meta).toEqual({
      current_page: 2,
      per_page: 2,
      total,
      last_page: Math.ceil(total / 2),
      next_cursor: expect.any(String),
    });
  });

  it('has no row after the last page, and one page of nothing', async () => {
    const beyond = await get('page=1000');
    expect(beyond.body).toMatchObject({ data: [], meta: { current_page: 1000, next_cursor: null } });
    const nothing = await get('search=nothing-is-called-this');
    const meta = { current_page: 1, per_page: 50, total: 0, last_page: 1, next_cursor: null };
    expect(nothing.body).toEqual({ data: [], meta });
  });

  it('goes on from any page by its cursor, without a count', async () => {
    const all = await get('per_page=200');
    const page = await get('per_page=2&page=2');
    const next = await get(`per_page=3&cursor=${page.body.meta.next_cursor}`);
    expect(next.body.data).toEqual(all.body.data.slice(4, 7));
    expect(Object.keys(next.body.meta)).toEqual(['per_page', 'next_cursor']);
  });

  it('refuses a wrong per_page, page or sort', async () => {
    for (const value of ['0', '201', '-1', '1.5', '1e1', 'x', '']) {
      expect(refused(await get(`per_page=${value}`))).toEqual(['per_page']);
    }
    for (const value of ['0', '-1', '1.5', '0x1', 'x', '']) {
      expect(refused(await get(`page=${value}`))).toEqual(['page']);
    }
    for (const value of ['', 'nope', '--id', '%2Bid', 'id,id', 'ID', 'deleted_at', 'constructor']) {
      expect(refused(await get(`sort=${value}`))).toEqual(['sort']);
    }
  });

  it('refuses a parameter that it does not know or that is given twice', async () => {
    expect(refused(await get('nope=1&__proto__=1'))).toEqual(['nope', '__proto__']);
    expect(refused(await get('page=1&page=1'))).toEqual(['page']);
    expect(refused(await get('search[]=1'))).toEqual(['search[]']);
  });

  it('refuses a cursor that comes with a page, was tampered with, or belongs to another sort', async () => {
    const cursor = (await get('per_page=2&cursor=')).body.meta.next_cursor as string;
    const altered = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const bad of [altered, cursor.slice(0, -1), cursor + cursor, `${cursor}=`, 'x', '%00', '1']) {
      expect(refused(await get(`cursor=${bad}`))).toEqual(['cursor']);
    }
    expect(refused(await get(`cursor=${cursor}&page=1`))).toEqual(['cursor']);
    expect(refused(await get('cursor=&page=1'))).toEqual(['cursor']);
    for (const sort of ['-id', ...sorts]) {
      expect(refused(await get(`cursor=${cursor}&sort=${sort}`))).toEqual(['cursor']);
    }
  });

  it('takes everything for an empty search, and refuses one that is too long or holds NUL', async () => {
    expect((await get('search=')).body).toEqual((await get('')).body);
    expect((await get(`search=${'x'.repeat(255)}`)).status).toBe(200);
    expect(refused(await get(`search=${'x'.repeat(256)}`))).toEqual(['search']);
    expect(refused(await get('search=a%00b'))).toEqual(['search']);
  });

  it.each(['id', ...sorts])(
    'sorts by %s both ways, by id among equals, alike in both modes',
    async (sort) => {
      const up = await readByCursor(app().as('viewer'), `${path}?per_page=3&sort=${sort}`);
      expect(up.length).toBeGreaterThan(5);
      expect(new Set(idsOf(up)).size).toBe(up.length);
      up.slice(1).forEach((row, at) => {
        expect(compare(up[at][sort], row[sort]) || up[at].id - row.id).toBeLessThan(0);
      });
      expect(await readByPage(app().as('viewer'), `${path}?per_page=4&sort=${sort}`)).toEqual(up);
      const down = [...up].reverse();
      expect(await readByCursor(app().as('viewer'), `${path}?per_page=3&sort=-${sort}`)).toEqual(down);
      expect(await readByPage(app().as('viewer'), `${path}?per_page=4&sort=-${sort}`)).toEqual(down);
    },
  );

  it('is sorted by id unless told otherwise', async () => {
    expect((await get('')).body).toEqual((await get('sort=id')).body);
  });

  if (foreignKeys.length > 0) {
    it.each(foreignKeys)('is empty for a %s that does not exist, and refuses what is no id', async (name) => {
      expect((await get(`${name}=2147483647`)).body).toMatchObject({ data: [], meta: { total: 0 } });
      for (const bad of ['0', '-1', '2147483648', 'x', '1.0', '']) {
        expect(refused(await get(`${name}=${bad}`))).toEqual([name]);
      }
    });
  }

  if (booleans.length > 0) {
    it.each(booleans)('knows true, false, 1 and 0 for %s, and nothing else', async (name) => {
      for (const [value, same] of [
        ['true', '1'],
        ['false', '0'],
      ] as const) {
        const answer = await get(`per_page=200&${name}=${value}`);
        expect(new Set(answer.body.data.map((row: any) => row[name]))).toEqual(new Set([value === 'true']));
        expect((await get(`per_page=200&${name}=${same}`)).body).toEqual(answer.body);
      }
      for (const bad of ['maybe', 'TRUE', '', '2', 'null']) {
        expect(refused(await get(`${name}=${bad}`))).toEqual([name]);
      }
    });
  }
}

const collator = new Intl.Collator('und');
type Sortable = string | number | null;

/** Null first, then numbers by value, and texts (dates too) as people sort them. */
function compare(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return typeof a === 'number' ? a - Number(b) : collator.compare(a, String(b));
}
