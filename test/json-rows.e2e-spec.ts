import fc from 'fast-check';
import { Connection } from '../src/database/connection.js';
import type { JsonRow } from '../src/database/json-row.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';

/** A value of each kind of column, some within objects, one of which is the last. */
const ROW = {
  text: `SELECT $1::bigint AS id, $2::text AS text, $3::numeric AS amount, $4::boolean AS is_so, $5::date AS day,
           $6::uuid AS client, $7::varchar AS "in.it", $8::timestamptz AS "in.at", $9::smallint AS "in.deep.er",
           $10::text[] AS "in.deep.list", $11::text AS "a \\ ""name""", $12::jsonb AS fields, $13::real AS "last.one",
           $14::integer AS "last.first.of"`,
  json: {},
};

let database: TestDatabase;
let client: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Connection({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Each row as it is sent to a socket. */
async function read(statement: object): Promise<string[]> {
  const { rows } = await client.query<JsonRow>(statement as typeof ROW);
  return rows.map(({ json }) => Buffer.from(json, 'latin1').toString());
}

interface Values {
  id: number;
  text: string | null;
  amount: number | null;
  is_so: boolean | null;
  day: string | null;
  client: string | null;
  it: string | null;
  at: Date | null;
  er: number | null;
  list: (string | null)[] | null;
  name: string | null;
  fields: object | null;
  one: number | null;
  of: number | null;
}

/** As JSON.stringify() writes it; an object is null where the first that is in it is. */
const written = (row: Values): string => {
  const { id, text, amount, is_so, day, client, it, at, er, list, name, fields, one, of } = row;
  const deep = er === null ? null : { er, list };
  return JSON.stringify({
    ...{ id, text, amount, is_so, day, client },
    in: it === null ? null : { it, at, deep },
    'a \\ "name"': name,
    fields,
    last: one === null ? null : { one, first: of === null ? null : { of } },
  });
};

/** PostgreSQL keeps no NUL, and JSON.stringify() escapes halves of a pair, of which UTF-8 has none. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => !one.includes('\0'));
const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });
const instants = { min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
const at = fc.date({ ...instants, noInvalidDate: true });
const cents = fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }).map((one) => one / 100);
const values: fc.Arbitrary<Values> = fc.record({
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  text: nullable(text),
  amount: nullable(
    fc.oneof(
      cents,
      fc.integer({ min: -9, max: 9 }).map((one) => one * 100),
    ),
  ),
  is_so: nullable(fc.boolean()),
  day: nullable(at.map((one) => one.toISOString().slice(0, 10))),
  client: nullable(fc.uuid()),
  it: nullable(text),
  at: nullable(at),
  er: nullable(fc.integer({ min: -32_768, max: 32_767 })),
  list: nullable(fc.array(nullable(text), { maxLength: 3 })),
  name: nullable(text),
  fields: nullable(fc.constant({})),
  one: nullable(fc.integer({ min: -1000, max: 1000 }).map((one) => one / 8)),
  of: nullable(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
});

describe.each([undefined, 'row'])('a statement of which rows are read as JSON, by the name of %s', (name) => {
  it('is written as JSON.stringify() writes its values, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (row) => {
        const sent = { ...row, at: row.at?.toISOString() ?? null };
        expect(await read({ ...ROW, name, values: Object.values(sent) })).toEqual([written(row)]);
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ['12.50', 12.5],
  ['12.00', 12],
  ['100', 100],
  ['0.00', 0],
  ['-0.10', -0.1],
  ['999999999999.99', 999_999_999_999.99],
  ['NaN', null],
  ['Infinity', null],
  ['-Infinity', null],
])('the number %s is %j', async (sent, value) => {
  expect(await read({ text: `SELECT 1 AS id, '${sent}'::numeric AS n`, json: {} })).toEqual([
    JSON.stringify({ id: 1, n: value }),
  ]);
});

it.each([
  ['2026-09-14 06:41:07+00', '2026-09-14T06:41:07.000Z'],
  ['2026-09-14 06:41:00.2+00', '2026-09-14T06:41:00.200Z'],
  ['2026-09-14 06:41:07.204719+00', '2026-09-14T06:41:07.204Z'],
  ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
  ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ['infinity', null],
])('the instant %s is %j, in whatever zone it is told', async (sent, value) => {
  const statement = { text: `SELECT 1 AS id, '${sent}'::timestamptz AS at`, json: {} };
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
    await client.query(`SET TIME ZONE '${zone}'`);
    expect([zone, await read(statement)]).toEqual([zone, [JSON.stringify({ id: 1, at: value })]]);
  }
  await client.query('RESET TIME ZONE');
});

it('objects are as PostgreSQL keeps them', async () => {
  const fields = { Été: 'à "l’atelier"', n: 1.5, list: [null, { deep: '😀' }] };
  const [row] = await read({ text: 'SELECT 1 AS id, $1::jsonb AS fields', values: [fields], json: {} });
  expect(JSON.parse(row!)).toEqual({ id: 1, fields });
});

it('texts of any length are, and a row may be longer than those before and than what the socket brings at once', async () => {
  const lengths = [1, 10_000, 100_000, 400_000, 2];
  const statement = {
    name: 'long',
    text: `SELECT n AS id, repeat($1, n) AS escaped, repeat('é', n) AS plain, n AS end FROM unnest($2::int[]) n`,
    json: {},
  };
  for (const character of ['"', '\u0001', 'x']) {
    const rows = await read({ ...statement, values: [character, lengths] });
    const expected = lengths.map((n) => ({
      id: n,
      escaped: character.repeat(n),
      plain: 'é'.repeat(n),
      end: n,
    }));
    expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual(expected);
  }
});

it('what PostgreSQL cannot tell is made of what it has sent for it', async () => {
  const statement = {
    name: 'made',
    text: `SELECT n AS id, CASE WHEN n > 1 THEN json_build_object('n', n) END AS made FROM generate_series(1, 2) n`,
  };
  for (const factor of [2, 1000]) {
    const made = ({ n }: { n: number }) => ({ times: 'x'.repeat(n * factor) });
    expect(await read({ ...statement, json: { made } })).toEqual([
      JSON.stringify({ id: 1, made: null }),
      JSON.stringify({ id: 2, made: made({ n: 2 }) }),
    ]);
  }
});

it('where that fails, whoever has asked is told, and the connection answers again', async () => {
  const statement = { name: 'fails', text: `SELECT 1 AS id, '{}'::json AS made` };
  const fail = () => {
    throw new Error('Not made');
  };
  await expect(read({ ...statement, json: { made: fail } })).rejects.toThrow('Not made');
  expect(await read({ ...statement, json: { made: () => 5 } })).toEqual(['{"id":1,"made":5}']);
});

it('rows are told by their ids, and may be none', async () => {
  const ids = async (count: number) => {
    const series = { name: 'series', text: 'SELECT n AS id FROM generate_series(1, $1::int) n', json: {} };
    return (await client.query<JsonRow>({ ...series, values: [count] })).rows.map(({ id }) => id);
  };
  expect([await ids(3), await ids(0), await ids(2)]).toEqual([[1, 2, 3], [], [1, 2]]);
});
