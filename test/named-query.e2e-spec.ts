import pg from 'pg';
import { Connection } from '../src/database/connection.js';
import { Pipeline } from '../src/database/pipeline.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';

/** A value of each kind of column that PostgreSQL sends, an empty row, and a name that must be quoted. */
const KINDS = {
  name: 'kinds',
  text: `SELECT 7::smallint AS small, $1::int AS "it's \\ a ""name""", 9007199254740993::bigint AS big, 12.50::numeric AS price,
           true AS yes, 'Déjà vu'::text AS text, ''::text AS empty, NULL::text AS nothing, '2026-01-31'::date AS day,
           '2026-01-31 09:05:00.5+00'::timestamptz AS instant, '{"a": [1, null]}'::jsonb AS object, ARRAY['x', NULL] AS list,
           'twice' AS twice, 2 AS twice
         UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`,
  values: [3],
};

let database: TestDatabase;
let client: Connection;
let descriptions: number;

async function connect(): Promise<Connection> {
  const connection = new Connection({ connectionString: database.url });
  connection.connection.on('rowDescription', () => descriptions++);
  await connection.connect();
  return connection;
}

beforeAll(async () => (database = await createTestDatabase()));
beforeEach(async () => {
  descriptions = 0;
  client = await connect();
});
afterEach(() => client.end());
afterAll(() => database.drop());

describe('a named statement', () => {
  it('has its columns described once by each connection, and reads them as pg does', async () => {
    const plain = new pg.Client({ connectionString: database.url });
    await plain.connect();
    const { rows } = await plain.query(KINDS);
    await plain.end();
    expect(rows).toHaveLength(2);

    for (let n = 0; n < 3; n++) {
      const answer = await client.query(KINDS);
      expect(answer.rows).toEqual(rows);
      expect(Object.keys(answer.rows[0])).toEqual(Object.keys(rows[0]));
      expect(answer.rowCount).toBe(2);
    }
    expect(descriptions).toBe(1);

    const other = await connect();
    expect((await other.query(KINDS)).rows).toEqual(rows);
    await other.end();
    expect(descriptions).toBe(2);
  });

  it('takes other values each time, and may have no rows', async () => {
    const statement = { name: 'series', text: 'SELECT n FROM generate_series(1, $1::int) n' };
    const asked = async (values: number[]) => (await client.query({ ...statement, values })).rows;
    expect([await asked([2]), await asked([0]), await asked([1])]).toEqual([
      [{ n: 1 }, { n: 2 }],
      [],
      [{ n: 1 }],
    ]);
    expect(descriptions).toBe(1);
  });

  it('may have no columns', async () => {
    const statement = { name: 'change', text: `UPDATE articles SET name = name WHERE id < 0` };
    for (let n = 0; n < 2; n++) {
      const { command, rowCount, rows } = await client.query(statement);
      expect({ command, rowCount, rows }).toEqual({ command: 'UPDATE', rowCount: 0, rows: [] });
    }
    expect(descriptions).toBe(0);
  });

  it('keeps its columns apart from those of another one', async () => {
    for (let n = 0; n < 2; n++) {
      expect((await client.query({ name: 'one', text: `SELECT 1 AS a, 'x' AS b` })).rows).toEqual([
        { a: 1, b: 'x' },
      ]);
      expect((await client.query({ name: 'other', text: `SELECT 'x' AS b, 1 AS a` })).rows).toEqual([
        { b: 'x', a: 1 },
      ]);
      expect((await client.query({ name: 'texts', text: `SELECT '1' AS a, 'x' AS b` })).rows).toEqual([
        { a: '1', b: 'x' },
      ]);
    }
    expect(descriptions).toBe(3);
  });

  it('answers again after it has failed, and says who asked', async () => {
    const divide = async (by: number) =>
      (await client.query({ name: 'divide', text: 'SELECT 10 / $1::int AS part', values: [by] })).rows;
    expect(await divide(5)).toEqual([{ part: 2 }]);
    const error = await divide(0).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(pg.DatabaseError);
    expect(error).toMatchObject({ code: '22012', stack: expect.stringMatching(/at (async )?divide/) });
    expect(await divide(2)).toEqual([{ part: 5 }]);
    expect(descriptions).toBe(1);
  });

  it.each([
    ['a time limit of its own', { text: 'SELECT pg_sleep(30)', query_timeout: 50 }],
    ['rows as arrays', { text: 'SELECT 1 AS a', rowMode: 'array' }],
  ])('goes the way of pg with %s', async (_, options) => {
    const answer = client
      .query({ name: 'optional', ...options })
      .then(({ rows }) => rows as unknown[])
      .catch((error: unknown) => (error as Error).message);
    expect(await answer).toEqual('query_timeout' in options ? 'Query read timeout' : [[1]]);
  });

  it('is refused, rather than misread, once its columns are others', async () => {
    const statement = { name: 'columns', text: 'SELECT * FROM columns' };
    await database.query(`CREATE TABLE columns AS SELECT 1 AS id, '5'::text AS code`);
    expect((await client.query(statement)).rows).toEqual([{ id: 1, code: '5' }]);

    await database.query(`ALTER TABLE columns ALTER code TYPE integer USING code::integer`);
    await expect(client.query(statement)).rejects.toMatchObject({ code: '0A000' });
    const other = await connect();
    expect((await other.query(statement)).rows).toEqual([{ id: 1, code: 5 }]);
    await other.end();
  });
});

it('a statement without a name is described each time', async () => {
  const { name: _, ...statement } = KINDS;
  const [first, second] = [await client.query(statement), await client.query(statement)];
  expect(second.rows).toEqual(first.rows);
  expect(descriptions).toBe(2);
});

describe('named statements of one turn, on one connection that works on them together', () => {
  it('are each read as their own', async () => {
    const pipeline = new Pipeline({ connectionString: database.url }, 1, () => 60_000);
    const ask = (n: number) =>
      n % 3 === 2
        ? pipeline
            .query({ name: 'fails', text: 'SELECT 1 / $1::int AS x', values: [0] })
            .catch(() => 'failed')
        : pipeline.query({
            name: `kind${n % 3}`,
            text: `SELECT $1::int AS ${n % 3 ? 'odd' : 'even'}`,
            values: [n],
          });
    const answers = async () => Promise.all([0, 1, 2, 3, 4, 5].map(ask));
    const expected = [[{ even: 0 }], [{ odd: 1 }], 'failed', [{ even: 3 }], [{ odd: 4 }], 'failed'];
    expect(await answers()).toEqual(expected);
    expect(await answers()).toEqual(expected);
    await pipeline.end();
  });
});
