import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { problems } from '../src/common/problems.js';
import { render, say } from '../src/common/messages.js';
import { AddressLimit } from '../src/http/rate-limit.js';
import { RouteTable } from '../src/http/routes.js';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';
import { RunningProcess, stopAll, until } from './support/process.js';
import { begin, rollbackAll } from './support/transactions.js';
import { PDF, upload } from './support/upload.js';

const MISSING = 2_147_483_647;
const MIB = 1024 * 1024;
const PUT_OFF = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

let test: TestApp;
let admin: Client;
let manager: Client;
let viewer: Client;
/** One row of every resource that can be written, by the path of its list. */
const rows: Record<string, number> = {};

beforeAll(async () => {
  test = await startApp();
  admin = test.as('admin');
  manager = test.as('manager');
  viewer = test.as('viewer');
  for (const table of ['brands', 'categories'])
    await test.database.query(
      `INSERT INTO ${table} (name) SELECT '${table} ' || n FROM generate_series(1, 4) n`,
    );
  await test.database.query(`INSERT INTO amortization_categories (name, method, duration_years)
    SELECT 'Linear ' || n, 'linear', n FROM generate_series(1, 4) n`);
  await test.database.query(`INSERT INTO tiers (name, reference)
    SELECT 'Tier ' || n, 'T' || n FROM generate_series(1, 4) n`);
  await test.database.query(`INSERT INTO equipments (name, reference, commissioned_on)
    SELECT 'Equipment ' || n, 'E' || n, '2026-01-01' FROM generate_series(1, 4) n`);
  for (let n = 1; n <= 4; n++) {
    rows.articles = await created(`/articles`, { name: `Article ${n}`, reference: `A${n}` });
    rows.locations = await created(`/locations`, { name: `Place ${n}` });
    rows.suppliers = await created(`/suppliers`, { name: `Supplier ${n}` });
    rows.purchases = await created(`/purchases`, { article_id: rows.articles, purchase_date: '2026-03-01' });
    rows.inventories = await created(`/inventories`, { year: 2026, inventory_date: '2026-11-16' });
    await test.asNewUser('devices', 'viewer');
  }
  const { data } = (await manager.get('/purchases?per_page=3')).body;
  for (const { code } of data)
    await manager.post(`/inventories/1/scan`, { code }).then(({ status }) => expect(status).toBe(200));
  for (const code of ['late 1', 'late 2', 'late 3'])
    await created('/purchases', { article_id: rows.articles, purchase_date: '2026-03-02', code });
  rows.users = (await admin.get('/me')).body.id;
  rows.roles = await created('/roles', { name: 'spare', permissions: [] });
});
afterAll(() => test.stop());

async function created(path: string, body: object): Promise<number> {
  const answer = await admin.post(path, body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const fieldsOf = ({ status, body }: Answer) => [status, ...Object.keys(body.errors ?? {}).sort()];
const port = () => Number(new URL(test.url).port);

/** Checks that an answer is the problem of that kind, in the one shape. */
function expectProblem(answer: Answer, code: keyof typeof problems): void {
  const { status } = problems[code];
  const title = render(say(problems[code].title));
  expect([answer.status, answer.body.type]).toEqual([status, `/problems/${code}`]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.body).toEqual({
    type: `/problems/${code}`,
    title,
    status,
    detail: expect.stringMatching(/\S/),
    instance: expect.stringMatching(/^\//),
    request_id: answer.headers.get('x-request-id'),
    ...(status === 422 && { errors: expect.any(Object) }),
  });
}

/** Every route with an id that no row has, and a code that no purchase has. */
const routes = () =>
  test.app.get(RouteTable).routes.map(({ method, template }) => ({
    method,
    template,
    path: `/${template.replace('{id}', String(MISSING)).replace('{code}', 'nothing')}`,
  }));
/** Those that need nothing in their query. */
const getRoutes = () =>
  routes().filter(({ method, template }) => method === 'GET' && !template.endsWith('/progress'));

/** A request as bytes on a socket; answers what comes back until the connection is closed. */
function raw(bytes: string | Buffer, to = port()): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(to, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.setTimeout(10_000, () => socket.destroy());
  });
}

function rawRequest(method: string, target: string, headers: string[] = [], body = ''): Promise<string> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
    '',
    body,
  ];
  return raw(lines.join('\r\n'));
}

/** The answer to rawRequest() in the form of the client's. */
async function parsed(answer: Promise<string>): Promise<Answer> {
  const [head = '', text = ''] = (await answer).split(/\r\n\r\n([^]*)/);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ')[0]!, line.replace(/^.*?: /, '')]),
  );
  const isJson = (headers.get('content-type') ?? '').includes('json');
  return { status: Number(first.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : text };
}

type RequestBody = string | Uint8Array | ReadableStream;

const bytes = (
  body: RequestBody,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  path = '/login',
): Promise<Answer> =>
  fetch(`${test.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manager.token}`, ...headers },
    body,
    duplex: 'half',
  }).then(async (response) => {
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  });

const credentials = JSON.stringify({ login: 'viewer', password: PASSWORD });

describe('Requests and answers', () => {
  it('are what Express wants them to be before it sees them, since V8 keeps what it would change', async () => {
    const express = test.app.getHttpAdapter().getInstance();
    const prototypes = new Promise<object[]>((resolve) =>
      test.app
        .getHttpServer()
        .prependOnceListener('request', (...made: object[]) => resolve(made.map(Object.getPrototypeOf))),
    );
    expect((await test.anonymous.get('/me')).status).toBe(401);
    const [request, response] = await prototypes;
    expect(request).toBe(express.request);
    expect(response).toBe(express.response);
  });
});

describe('404 and 405', () => {
  it.each([
    '//',
    '//favicon.ico',
    '//api',
    '//api/v1',
    '//api/v2/articles',
    '//articles',
    '//API/v1/articles',
    '/Articles',
    '/nothing',
    '/articles/1/2',
    '/articles//1',
    '//api//v1/articles',
    '/%61rticles',
    '/articles/%ZZ',
    '/articles/%',
    '/scan/%ff',
    '/scan/%ED%A0%80',
    '/scan',
    '/me/nothing',
    '//health',
    '//metrics/x',
    '//docs/nothing.js',
    '//docs/a/b',
    '//__proto__',
  ])('%s → 404, whoever asks', async (path) => {
    expectProblem(await test.anonymous.get(path), 'not-found');
    expectProblem(await admin.get(path), 'not-found');
  });

  it('an unknown route is a 404 for every method and body', async () => {
    for (const method of PUT_OFF) expectProblem(await test.anonymous.send(method, '/nothing'), 'not-found');
    expectProblem(await test.anonymous.post('/nothing', '{'), 'not-found');
    expectProblem(await test.anonymous.post('//api//v1/articles', '{'), 'not-found');
  });

  it('reliability-14-methods: every route answers 405 to other methods, and names its own in Allow', async () => {
    const methods = new Map<string, Set<string>>();
    for (const { method, path } of routes()) methods.set(path, (methods.get(path) ?? new Set()).add(method));
    for (const path of ['//openapi.json', '//docs']) methods.set(path, new Set(['GET']));
    for (const [path, own] of methods) {
      const allowed = [...own, ...(own.has('GET') ? ['HEAD'] : [])].sort();
      for (const method of PUT_OFF.filter((name) => !own.has(name))) {
        const answer = await test.anonymous.send(method, path);
        expectProblem(answer, 'method-not-allowed');
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed);
      }
    }
    expect(methods.size).toBeGreaterThan(30);
  });

  it('HEAD on a route without GET → 405 without a body', async () => {
    const { status, headers, text } = await test.anonymous.send('HEAD', '/login');
    expect([status, headers.get('allow'), text]).toEqual([405, 'POST', '']);
  });

  it('HEAD answers as GET does, without the body', async () => {
    for (const path of ['/articles', `/articles/${MISSING}`, '/me', '//health/live', '//openapi.json']) {
      const [head, get] = [await viewer.send('HEAD', path), await viewer.get(path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
    expect((await test.anonymous.send('HEAD', '/articles')).status).toBe(401);
  });
});

describe('The order of the checks', () => {
  const big = `"${'x'.repeat(MIB)}"`;
  const text = { 'content-type': 'text/plain' };
  type Check = [string, () => Promise<Answer>, keyof typeof problems];
  const checks: Check[] = [
    ['404 before 415', () => test.anonymous.send('POST', '/nothing', 'x', text), 'not-found'],
    ['405 before 415', () => test.anonymous.send('PUT', '/articles', 'x', text), 'method-not-allowed'],
    ['405 before 400', () => test.anonymous.send('PUT', '/articles', '{'), 'method-not-allowed'],
    ['415 before 413', () => manager.send('POST', '/articles', big, text), 'unsupported-media-type'],
    ['413 before 400', () => manager.post('/articles', `{${big}`), 'body-too-large'],
    ['401 before 415', () => test.anonymous.send('POST', '/articles', 'x', text), 'unauthenticated'],
    ['401 before 413', () => test.anonymous.post('/articles', big), 'unauthenticated'],
    ['401 before 400', () => test.anonymous.post('/articles', '{'), 'unauthenticated'],
    ['403 before 415', () => viewer.send('POST', '/articles', 'x', text), 'forbidden'],
    ['403 before 413', () => viewer.post('/articles', big), 'forbidden'],
    ['403 before 400', () => viewer.post('/articles', '{'), 'forbidden'],
    ['415 before 422', () => manager.send('POST', '/articles?x=1', 'x', text), 'unsupported-media-type'],
    ['400 before 422', () => manager.post('/articles?x=1', '{'), 'malformed-body'],
    ['401 before 422', () => test.anonymous.post('/articles?x=1', { x: 1 }), 'unauthenticated'],
    ['401 before a bad id', () => test.anonymous.get('/articles/abc'), 'unauthenticated'],
    ['403 before 422', () => viewer.post('/articles?x=1', { x: 1 }), 'forbidden'],
    ['403 before repeated fields', () => viewer.post('/articles', '{"a":1,"a":2}'), 'forbidden'],
    ['403 before 404', () => viewer.delete(`/articles/${MISSING}`), 'forbidden'],
    ['403 before a bad id', () => viewer.delete('/articles/abc'), 'forbidden'],
    ['422 before 404', () => manager.patch(`/articles/${MISSING}`, { name: '' }), 'validation-failed'],
    ['422 before 404 on lists', () => viewer.get(`/inventories/${MISSING}/scans?x=1`), 'validation-failed'],
    ['422 before 404 on scans', () => manager.post(`/inventories/${MISSING}/scan`, {}), 'validation-failed'],
    ['404 at last', () => manager.patch(`/articles/${MISSING}`, { name: 'x' }), 'not-found'],
  ];
  it.each(checks)('%s', async (_, send, code) => {
    expectProblem(await send(), code);
  });
});

const filled = (size: number) => `{"login":"${'x'.repeat(size - '{"login":""}'.length)}"}`;

describe('reliability-14-bodies: a body', () => {
  it.each([
    '{',
    '{"login":}',
    "{'login':'x'}",
    '{"login":"x",}',
    '[1,]',
    'x',
    '{"a":NaN}',
    '{"a":01}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{}{}',
    '"unclosed',
    '"\\',
    '// comment\n{}',
    ' ',
    '}',
    ']][[',
  ])('%j is malformed → 400', async (body) => {
    expectProblem(await test.anonymous.post('/login', body), 'malformed-body');
  });

  it.each(['application/json;charset=utf-8', 'application/json; charset="UTF-8"', 'Application/JSON'])(
    'may come as %s',
    async (type) => {
      expect((await bytes(credentials, { 'content-type': type })).status).toBe(200);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'text/json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
  ])('as %s → 415', async (type) => {
    expectProblem(await bytes(credentials, { 'content-type': type }), 'unsupported-media-type');
  });

  it('without a type → 415', async () => {
    expectProblem(await bytes(Buffer.from(credentials), {}), 'unsupported-media-type');
  });

  it.each(['[]', '"text"', '5', 'true', 'null', '[{"name":"x"}]'])('%s is no object → 422', async (body) => {
    expect(fieldsOf(await manager.post('/articles', body))).toEqual([422, 'body']);
    expect(fieldsOf(await manager.patch(`/articles/${rows.articles}`, body))).toEqual([422, 'body']);
  });

  it('of exactly 1 MiB is read, of one byte more → 413', async () => {
    expect(fieldsOf(await manager.post('/articles', filled(MIB)))).toEqual([422, 'login', 'name']);
    expectProblem(await manager.post('/articles', filled(MIB + 1)), 'body-too-large');
  });

  it('of a stranger is read up to 16 KiB, whoever he says he is', async () => {
    for (const path of ['/login', '/auth/token'])
      for (const client of [test.anonymous, manager]) {
        expect((await client.post(path, filled(16 * 1024))).status).toBe(422);
        expectProblem(await client.post(path, filled(16 * 1024 + 1)), 'body-too-large');
      }
    const { body } = await test.anonymous.post('/login', filled(16 * 1024 + 1));
    expect(body.detail).toBe('The body is larger than 16 KiB.');
  });

  it.each([
    ['lists', '{"name":[', '[],', '[]]}'],
    ['objects', '{"name":[', '{},', '{}]}'],
    ['numbers', '{"name":[', '1,', '1]}'],
    ['fields', '{', '"a":1,', '"a":1}'],
  ])('of more %s than any has → 422', async (_, begin, one, end) => {
    const answer = await manager.post('/articles', begin + one.repeat(100_000) + end);
    expect(fieldsOf(answer)).toEqual([422, 'body']);
    expect(answer.body.errors.body).toEqual(['must have at most 10000 values']);
  });

  it('of unknown length, in chunks: read, or 413 past 1 MiB', async () => {
    const stream = (parts: string[]) => new Blob(parts).stream() as RequestBody;
    expect((await bytes(stream([credentials.slice(0, 9), credentials.slice(9)]))).status).toBe(200);
    for (const path of ['/login', '/articles'])
      expectProblem(
        await bytes(stream(Array<string>(20).fill('x'.repeat(100_000))), undefined, path),
        'body-too-large',
      );
  });

  it('nested 5 000 deep → 400, closed or not', async () => {
    for (const body of [
      '['.repeat(5000) + ']'.repeat(5000),
      '['.repeat(5000),
      '{"a":'.repeat(5000) + '1' + '}'.repeat(5000),
      `{"login":${'[{"a":'.repeat(2500)}1${'}]'.repeat(2500)}}`,
      '['.repeat(500_000),
    ])
      expectProblem(await manager.post('/articles', body), 'malformed-body');
  });

  it('brackets and braces in texts are no nesting', async () => {
    const { status, body } = await manager.post('/articles', { name: '[{"'.repeat(50) });
    expect([status, body.name]).toEqual([201, '[{"'.repeat(50)]);
  });

  it.each([
    ['a lone byte', [0xff]],
    ['a cut character', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('with invalid UTF-8, %s → 400', async (_, wrong) => {
    const body = Buffer.concat([Buffer.from('{"login":"'), Buffer.from(wrong), Buffer.from('"}')]);
    expectProblem(await bytes(body), 'malformed-body');
  });

  it('may begin with a byte order mark', async () => {
    expect((await bytes(`\ufeff${credentials}`)).status).toBe(200);
  });

  it('in UTF-16 → 400', async () => {
    expectProblem(await bytes(Buffer.from(`\ufeff${credentials}`, 'utf16le')), 'malformed-body');
  });

  it.each([
    ['{"name":"a","name":"b"}', 'name'],
    ['{"name":"a","name":"a"}', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'name'],
    ['{"name":"a","reference":null,"reference":null}', 'reference'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"name":{"a":1,"a":2}}', 'a'],
    ['{"name":[{"b":1},{"c":1,"c":2}]}', 'c'],
  ])('%s: a field twice → 422 naming it, and nothing is written', async (body, field) => {
    const before = (await manager.get('/articles')).body.meta.total;
    expect(fieldsOf(await manager.post('/articles', body))).toContain(field);
    const { id, ...row } = (await manager.get(`/articles/${rows.articles}`)).body;
    expect(fieldsOf(await manager.patch(`/articles/${rows.articles}`, body))).toContain(field);
    expect((await manager.get(`/articles/${rows.articles}`)).body).toEqual({ id, ...row });
    expect((await manager.get('/articles')).body.meta.total).toBe(before);
  });

  it('the same field in two objects, or as a value, is no repetition', async () => {
    const body = '{"name":"name","reference":"name"}';
    expect((await manager.post('/articles', body)).status).toBe(201);
  });

  it.each([
    'id',
    'created_at',
    'updated_at',
    'deleted_at',
    '__proto__',
    'constructor',
    'toString',
    'a.b',
    '',
    ' name',
  ])(
    'reliability-11-extra-keys: with the unknown field %j → 422 naming it, and the row is unchanged',
    async (field) => {
      for (const [list, id] of Object.entries(rows)) {
        const before = (await admin.get(`/${list}/${id}`)).body;
        const body = `{${JSON.stringify(field)}:${field === '__proto__' ? '{"name":"x"}' : '1'}}`;
        expect(fieldsOf(await admin.patch(`/${list}/${id}`, body))).toEqual([422, field]);
        expect(fieldsOf(await admin.post(`/${list}`, body))).toContain(field);
        expect((await admin.get(`/${list}/${id}`)).body).toEqual(before);
      }
    },
  );

  it('of 100 000 unknown fields → 422 with a small answer', async () => {
    const fields = Array.from({ length: 100_000 }, (_, at) => `"${at.toString(36)}":0`);
    const { status, text } = await manager.post('/articles', `{${fields.join()}}`);
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(10_000);
  });

  it('on a route that takes none → 422, and nothing is done', async () => {
    const phone = await test.asNewUser('bodies', 'admin');
    const { data } = (await phone.get('/me/tokens')).body;
    const targets = [
      ['POST', '/logout'],
      ['POST', `/inventories/${rows.inventories}/close`],
      ['DELETE', `/articles/${rows.articles}`],
      ['DELETE', `/purchases/${rows.purchases}`],
      ['DELETE', `/suppliers/${rows.suppliers}`],
      ['DELETE', `/locations/${rows.locations}`],
      ['DELETE', `/inventories/${rows.inventories}`],
      ['DELETE', `/me/tokens/${data[0].id}`],
    ] as const;
    for (const [method, path] of targets) {
      expect(fieldsOf(await phone.send(method, path, { reason: 'x' }))).toEqual([422, 'reason']);
    }
    expect((await phone.get(`/inventories/${rows.inventories}`)).body.status).toBe('open');
    for (const list of ['articles', 'purchases', 'suppliers', 'locations'])
      expect((await phone.get(`/${list}/${rows[list]}`)).status).toBe(200);
  });

  it('of a GET request is not read, and does not run into the next request', async () => {
    const head = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer.token}\r\n`;
    const inside = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await raw(
      `${head}Content-Length: ${inside.length}\r\n\r\n${inside}${head}Connection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});

describe('reliability-14-compressed: a compressed body', () => {
  const json = (encoding: string) => ({ 'content-type': 'application/json', 'content-encoding': encoding });

  it('is read', async () => {
    const article = gzipSync(JSON.stringify({ name: 'Sent in gzip' }));
    expect((await bytes(article, json('gzip'), '/articles')).status).toBe(201);
  });

  it('of a stranger is not: 415, in whatever way', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'identity', 'rot13'])
      for (const path of ['/login', '/auth/token'])
        expectProblem(await bytes(gzipSync(credentials), json(encoding), path), 'unsupported-media-type');
  });

  it('that grows past 1 MiB → 413', async () => {
    const bomb = Buffer.from(`{"login":"${'0'.repeat(20 * MIB)}"}`);
    expectProblem(await bytes(gzipSync(bomb), json('gzip'), '/articles'), 'body-too-large');
    expectProblem(await bytes(brotliCompressSync(bomb), json('br'), '/articles'), 'body-too-large');
  });

  it('that is none → 400, in an unknown way → 415', async () => {
    expectProblem(await bytes('not gzip', json('gzip'), '/articles'), 'bad-request');
    expectProblem(
      await bytes(gzipSync(credentials).subarray(0, 20), json('gzip'), '/articles'),
      'bad-request',
    );
    expectProblem(await bytes(credentials, json('rot13'), '/articles'), 'unsupported-media-type');
  });
});

describe('reliability-12-texts: texts', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['NUL at the end, where trimming might hide it', 'a\0'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
  ])('with %s → 422 on that field', async (_, value) => {
    expect(fieldsOf(await manager.post('/articles', { name: value }))).toEqual([422, 'name']);
    expect(fieldsOf(await manager.post('/suppliers', { name: 'x', phone: value }))).toEqual([422, 'phone']);
    expect(fieldsOf(await admin.post('/roles', { name: value, permissions: [] }))).toEqual([422, 'name']);
  });

  it.each(['/articles?search=%00', '/purchases?code=a%00', '/users?search=%00', '/tiers?search=a%00b'])(
    '%s → 422',
    async (path) => {
      expect((await admin.get(path)).status).toBe(422);
    },
  );

  it('invalid UTF-8 in a query is text like any other', async () => {
    expect((await viewer.get('/articles?search=%ff%fe')).status).toBe(200);
    expect((await viewer.get('/articles?search=%')).status).toBe(200);
  });

  it.each(['%00', 'a%00b', '%0d%0a', '%20', '%F0%9F%90%A6', '%2F', 'x'.repeat(5000)])(
    'GET /scan/%s → 404',
    async (code) => {
      expectProblem(await viewer.get(`/scan/${code}`), 'not-found');
    },
  );

  it('are trimmed; an empty one is missing where it is required, and null where it is not', async () => {
    const { body } = await manager.post('/articles', { name: '\t Desk \u00a0\n', reference: '  ' });
    expect(body).toMatchObject({ name: 'Desk', reference: null });
    expect(fieldsOf(await manager.post('/articles', { name: ' \t ' }))).toEqual([422, 'name']);
  });

  it('count by code points', async () => {
    expect((await manager.post('/articles', { name: '🪑'.repeat(255) })).status).toBe(201);
    expect(fieldsOf(await manager.post('/articles', { name: '🪑'.repeat(256) }))).toEqual([422, 'name']);
  });
});

describe('reliability-12-ids: ids in a path', () => {
  it.each([
    '0',
    '-1',
    '+1',
    '2147483648',
    '99999999999999999999',
    '9'.repeat(5000),
    '0x10',
    '1e3',
    '1.5',
    '1.0',
    'abc',
    'null',
    '1,2',
    '%00',
    '1%00',
    '%201',
    '1%0A',
    '%EF%BC%91',
    '%2e%2e%2f1',
    '1;DROP',
  ])('%.30s → 404 on every route that takes one', async (id) => {
    for (const { method, template } of test.app.get(RouteTable).routes) {
      if (!template.includes('{id}')) continue;
      const body =
        /^(POST|PATCH)$/.test(method) && !template.endsWith('/close') ? bodyFor(template) : undefined;
      const needed = template.endsWith('/progress') ? '?by=day' : '';
      const isFile = method === 'POST' && template.endsWith('/imports/{id}');
      const isForm = method === 'POST' && template.endsWith('/attachments');
      const answer = isForm
        ? await upload(admin, `/${template.replace('{id}', id)}`, PDF)
        : isFile
          ? await admin.send(method, `/imports/${id}`, 'name\n', { 'content-type': 'text/csv' })
          : await admin.send(method, `/${template.replace('{id}', id)}${needed}`, body);
      expect([method, template, answer.status]).toEqual([method, template, 404]);
    }
  });

  /** A body that is valid, so that nothing but the id is wrong. */
  const bodyFor = (template: string) => {
    if (template.endsWith('/scans'))
      return { scans: [{ client_id: '3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a', code: 'x' }] };
    if (template.endsWith('/dispose-missing'))
      return { purchase_ids: [1], date: '2026-03-01', reason: 'lost' };
    if (template.endsWith('/dispose')) return { date: '2026-03-01', reason: 'lost' };
    if (template.endsWith('/link')) return { purchase_id: 1 };
    if (/\{id\}\/reopen$|\/dismiss$/.test(template)) return { reason: 'Étiquette d’un fournisseur' };
    return template.endsWith('/scan') ? { code: 'x' } : {};
  };
});

describe('reliability-11-queries: the query of every GET route', () => {
  it.each(['unknown=1', '__proto__=1', 'constructor=x', 'PAGE=1', 'per_page[]=1', '=', 'id=1'])(
    '?%s → 422 naming it',
    async (query) => {
      const name = query.split('=')[0]!;
      for (const { path } of getRoutes()) {
        expect([path, ...fieldsOf(await admin.get(`${path}?${query}`))]).toEqual([path, 422, name]);
      }
    },
  );

  it.each(['per_page', 'sort', 'search', 'unknown'])('?%s twice → 422 naming it', async (name) => {
    for (const { path } of getRoutes()) {
      const answer = await admin.get(`${path}?${name}=1&${name}=1`);
      expect(fieldsOf(answer)).toEqual([422, name]);
      expectProblem(answer, 'validation-failed');
    }
  });

  it('is read to its end, however many parameters stand before', async () => {
    expect(fieldsOf(await admin.get(`/articles?${'&'.repeat(1000)}unknown=1`))).toEqual([422, 'unknown']);
  });

  it('is refused on other routes too', async () => {
    for (const { method, path } of routes().filter((route) => route.method !== 'GET')) {
      if (path.endsWith('/logout')) continue;
      const takesFile = path.includes('/imports/'); // of a kind, which stands where others have an id
      const answer = path.endsWith('/attachments')
        ? await upload(admin, `${path}?x=1`, PDF)
        : takesFile
          ? await admin.send(method, '/imports/brands?x=1', 'name\n', { 'content-type': 'text/csv' })
          : await admin.send(method, `${path}?x=1`);
      expect(fieldsOf(answer)).toContain('x');
    }
    expect(fieldsOf(await admin.post('/logout?x=1'))).toEqual([422, 'x']);
    expect((await admin.get('/me')).status).toBe(200);
  });

  it('may be a lone question mark', async () => {
    expect((await viewer.get('/articles?')).status).toBe(200);
  });

  it.each(['true', 'false', '1', '0'])('is_active=%s', async (value) => {
    for (const list of ['articles', 'suppliers', 'locations', 'tiers'])
      expect((await viewer.get(`/${list}?is_active=${value}`)).status).toBe(200);
  });

  it.each(['maybe', 'TRUE', 'yes', '2', '', 'null', '%20true'])('is_active=%s → 422', async (value) => {
    for (const list of ['articles', 'suppliers', 'locations', 'tiers'])
      expect(fieldsOf(await viewer.get(`/${list}?is_active=${value}`))).toEqual([422, 'is_active']);
  });

  it.each(['brand_id', 'category_id', 'amortization_category_id'])('%s', async (filter) => {
    const { status, body } = await viewer.get(`/articles?${filter}=${MISSING}`);
    expect([status, body.data]).toEqual([200, []]);
    for (const value of ['0', '-1', '2147483648', 'abc', '', '1.5', '1e3', '0x1'])
      expect(fieldsOf(await viewer.get(`/articles?${filter}=${value}`))).toEqual([422, filter]);
  });
});

/** The lists of the contract, each with the fields that it sorts by. */
const LISTS: [string, string[]][] = [
  ['/articles', ['id', 'name', 'reference', 'created_at']],
  ['/purchases', ['id', 'code', 'purchase_date', 'purchase_price', 'created_at']],
  ['/suppliers', ['id', 'name', 'created_at']],
  ['/locations', ['id', 'name', 'path']],
  ['/equipments', ['id', 'name', 'reference', 'commissioned_on']],
  ['/tiers', ['id', 'name', 'reference']],
  ['/brands', ['id', 'name']],
  ['/categories', ['id', 'name']],
  ['/amortization-categories', ['id', 'name']],
  ['/inventories', ['id', 'year', 'inventory_date']],
  ['/inventories/1/unscanned', ['id', 'code', 'purchase_date']],
  ['/inventories/1/scans', ['id', 'scanned_at']],
  ['/users', ['id', 'name', 'created_at']],
  ['/roles', ['id', 'name']],
  ['/me/tokens', ['id']],
];

describe.each(LISTS)('GET %s', (list, fields) => {
  const who = () => (list === '/me/tokens' ? devices : admin);
  const get = (query: string) => who().get(`${list}?${query}`);
  const sorts = fields.flatMap((field) => [field, `-${field}`]);
  let devices: Client;
  beforeAll(async () => {
    devices = await test.asNewUser('devices');
  });

  it.each(['0', '201', '-1', '1.5', '1e2', 'abc', '', '%201', '+5', '99999999999999999999'])(
    'per_page=%s → 422',
    async (value) => {
      expect(fieldsOf(await get(`per_page=${value}`))).toEqual([422, 'per_page']);
    },
  );

  it.each(['0', '-1', '1.5', '1e2', 'abc', '', '99999999999999999999'])('page=%s → 422', async (value) => {
    expect(fieldsOf(await get(`page=${value}`))).toEqual([422, 'page']);
  });

  it('pages of 1 to 200 rows, and the last one', async () => {
    const all = (await get('per_page=200')).body;
    const total: number = all.meta.total;
    expect(total).toBeGreaterThan(2);
    expect(all.meta).toEqual({ current_page: 1, per_page: 200, total, last_page: 1, next_cursor: null });
    const last = (await get(`per_page=1&page=${total}`)).body;
    expect(last.data).toEqual([all.data[total - 1]]);
    expect(last.meta).toEqual({
      current_page: total,
      per_page: 1,
      total,
      last_page: total,
      next_cursor: null,
    });
    expect((await get(`page=${total + 1}`)).body.data).toEqual([]);
  });

  it.each(sorts)('sort=%s: cursors give the rows of the pages, without a count', async (sort) => {
    const all = (await get(`per_page=200&sort=${sort}`)).body.data;
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await get(`per_page=2&sort=${sort}&cursor=${cursor}`);
      expect(status).toBe(200);
      expect(Object.keys(body.meta).sort()).toEqual(['next_cursor', 'per_page']);
      seen.push(...body.data);
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual(all);
  });

  it.each(['', 'nothing', '--id', 'id,name', 'id desc', 'ID', '%2Bid', 'id;', '__proto__', 'constructor'])(
    'sort=%s → 422',
    async (sort) => {
      expect(fieldsOf(await get(`sort=${sort}`))).toEqual([422, 'sort']);
    },
  );

  it('the cursor of a page leads on from there', async () => {
    const { next_cursor } = (await get('per_page=1&page=2')).body.meta;
    expect((await get(`per_page=1&cursor=${next_cursor}`)).body.data).toEqual(
      (await get('per_page=1&page=3')).body.data,
    );
  });

  it.each(['0001-01-01T00:00:00%2B23:59', '9999-12-31T23:59:59-23:59'])(
    'updated_since=%s is answered with an instant to go on from',
    async (instant) => {
      const { status, body } = await get(`updated_since=${instant}`);
      expect(status).toBe(200);
      // Of the present: it goes on with an instant that is neither before the first row nor still to come.
      const [known] = await test.database.query<{ since: Date; now: Date }>(
        `SELECT min(created_at) AS since, clock_timestamp() AS now FROM users`,
      );
      const until = new Date(body.meta.synced_until);
      expect([until >= known!.since, until <= known!.now]).toEqual([true, true]);
    },
  );

  it('a cursor with a page → 422', async () => {
    expect(fieldsOf(await get('cursor=&page=1'))).toEqual([422, 'cursor']);
  });

  it('a cursor that was tampered with → 422', async () => {
    const cursor: string = (await get('per_page=1')).body.meta.next_cursor;
    const flipped = [...cursor].map(
      (letter, at) => cursor.slice(0, at) + (letter === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    const forged = Buffer.from('AAAAAAAAAAAA["x\' OR 1=1 --",1]').toString('base64url');
    const others = [
      'x',
      'null',
      '[]',
      '%00',
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}.`,
      cursor.slice(1),
      forged,
    ];
    for (const wrong of [...flipped, ...others, cursor.slice(0, -1), 'A'.repeat(10_000)]) {
      expect([wrong, ...fieldsOf(await get(`cursor=${wrong}`))]).toEqual([wrong, 422, 'cursor']);
    }
  });

  it('a cursor of another order or another list → 422', async () => {
    const { next_cursor } = (await get('per_page=1')).body.meta;
    for (const sort of sorts.filter((name) => name !== 'id'))
      expect(fieldsOf(await get(`sort=${sort}&cursor=${next_cursor}`))).toEqual([422, 'cursor']);
    for (const [other] of LISTS.filter(([name]) => name !== list)) {
      expect([other, ...fieldsOf(await admin.get(`${other}?cursor=${next_cursor}`))]).toEqual([
        other,
        422,
        'cursor',
      ]);
    }
  });
});

describe('Every answer', () => {
  it.each(['abc', '0b6f3c1e-5d0a-4f0e-9a53-2f1f3f0a7c11', 'A.b_c:1', 'x'.repeat(128)])(
    'repeats the X-Request-Id %s, also in a problem',
    async (id) => {
      expect((await viewer.get('/me', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
      const problem = await viewer.get('/nothing', { 'x-request-id': id });
      expect([problem.headers.get('x-request-id'), problem.body.request_id]).toEqual([id, id]);
    },
  );

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'a,b', '<script>', '{"a":1}', 'a"b', 'é'])(
    'has an X-Request-Id of its own instead of %j',
    async (id) => {
      const answer = await viewer.get('/nothing', { 'x-request-id': id });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expectProblem(answer, 'not-found');
    },
  );

  it('has another X-Request-Id each time, and no X-Powered-By or Server, whatever its kind', async () => {
    const answers = await Promise.all([
      viewer.get('/me'),
      viewer.get('/nothing'),
      viewer.get('//'),
      viewer.get('//docs'),
      viewer.get('//docs/nothing.js'),
      viewer.get('//openapi.json'),
      viewer.get('//metrics'),
      viewer.get('//health/ready'),
      test.anonymous.get('/me'),
      viewer.post('/login', '{'),
      viewer.post('/login', 'x'.repeat(MIB + 1)),
      viewer.send('PUT', '/login'),
      viewer.send('HEAD', '/me'),
      viewer.send('OPTIONS', '/me'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null]);
    }
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length);
  });

  it('names in a problem the path without the query, where a token might stand', async () => {
    const { body } = await test.anonymous.get('/me?access_token=secret');
    expect(body.instance).toBe('/api/v1/me');
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('reliability-36-no-internals: a failure inside says nothing about the inside', async () => {
    await test.database.query('ALTER TABLE tiers RENAME COLUMN city TO town');
    const answer = await viewer.get('/tiers');
    await test.database.query('ALTER TABLE tiers RENAME COLUMN town TO city');
    expectProblem(answer, 'internal');
    expect(answer.text).not.toMatch(/city|column|select|error:|at /i);
    expect((await viewer.get('/tiers')).status).toBe(200);
  });
});

describe('reliability-36-no-internals: what fails outside the routes', () => {
  afterEach(() => void jest.restoreAllMocks());
  const fail = () => {
    throw new Error('the inside');
  };

  it.each([
    ['a middleware', '//health/live', () => jest.spyOn(test.app.get(RouteTable), 'match')],
    ['a page', '//docs', () => jest.spyOn(test.app.get(AddressLimit), 'count')],
  ] as const)('%s is answered as any other', async (_, path, spy) => {
    spy().mockImplementation(fail);
    const answer = await test.anonymous.get(path);
    expectProblem(answer, 'internal');
    expect(answer.text).not.toContain('inside');
  });
});

describe('reliability-14-http: HTTP itself', () => {
  afterEach(async () => {
    expect((await viewer.get('/me')).status).toBe(200);
  });

  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400],
    ['binary', Buffer.from([0, 1, 2, 255, 13, 10, 13, 10]), 400],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['an unknown method', 'BREW /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an unknown version', 'GET /api/v1/me HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a header without a name', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n', 400],
    ['a space before the colon', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nA : x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    ...['xchunked', 'chunked, identity', 'chunked\r\nTransfer-Encoding: identity'].map(
      (coding): [string, string, number] => [
        `an encoding that may be read in two ways: ${JSON.stringify(coding)}`,
        `POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
        400,
      ],
    ),
    ...['+2', '0x2', '2, 2', '2 2', '99999999999999999999'].map((length): [string, string, number] => [
      `a length that may be read in two ways: ${length}`,
      `POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n{}`,
      400,
    ]),
    ['lines that end in LF alone', 'GET /api/v1/me HTTP/1.1\nHost: x\n\n', 400],
    [
      'a header folded into two lines',
      'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\n Set-Cookie: b\r\n\r\n',
      400,
    ],
    ['a lone CR in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\rSet-Cookie: b\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a target without a slash', 'GET ?x HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a bad length', 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'bad chunks',
      'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      400,
    ],
    [
      'headers of 20 KiB',
      `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nA: ${'x'.repeat(20_480)}\r\n\r\n`,
      400,
    ],
    [
      'an address of 20 KiB',
      `GET /${'x'.repeat(20_480)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['an address of 40 KiB', `GET /${'x'.repeat(40_960)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
    ['headers of 40 KiB', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_960)}\r\n\r\n`, 400],
  ])('%s → refused', async (_, request, status) => {
    const answer = await raw(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json; charset=utf-8\r\n/);
    expect(answer).toMatch(/\r\nX-Request-Id: (\S+)\r\n[^]*"request_id":"\1"/);
  });

  it('a request without Host is refused', async () => {
    expect(await raw('GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('an expectation that nobody knows is ignored', async () => {
    const answer = await raw(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['*', 'http://[', 'http://localhost', 'http://localhost:99999', '//', '//x', '/\\', '/#'])(
    'the request target %s → 404 like any other',
    async (target) => {
      expectProblem(await parsed(rawRequest('GET', target)), 'not-found');
    },
  );

  it('OPTIONS * → 404', async () => {
    expectProblem(await parsed(rawRequest('OPTIONS', '*')), 'not-found');
  });

  it('a whole address as request target is taken', async () => {
    const answer = await parsed(rawRequest('GET', 'http://localhost/health/live'));
    expect(answer.status).toBe(200);
    expectProblem(await parsed(rawRequest('GET', 'http://localhost/api/v1/me')), 'unauthenticated');
  });

  it('CONNECT is no route', async () => {
    expect(await rawRequest('CONNECT', 'localhost:80')).not.toMatch(/^HTTP\/1\.1 2/);
  });

  it('an upgrade is not offered', async () => {
    const headers = ['Connection: Upgrade', 'Upgrade: websocket'];
    const lines = ['GET /health/live HTTP/1.0', ...headers, '', ''];
    expect(await raw(lines.join('\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('two Authorization headers: the first one counts, and no one else comes in', async () => {
    const second = [`Authorization: Bearer 1|x`, `Authorization: Bearer ${viewer.token}`];
    expect((await parsed(rawRequest('GET', '/api/v1/me', second))).status).toBe(401);
  });

  it('two X-Request-Id headers are none', async () => {
    const two = ['X-Request-Id: a', 'X-Request-Id: b'];
    const { headers } = await parsed(rawRequest('GET', '/health/live', two));
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('requests aborted in the middle of the body leave no trace', async () => {
    const head = `POST /api/v1/articles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${manager.token}\r\n`;
    const start = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"cut`;
    const chunk = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"name":"cut`;
    const before = (await manager.get('/articles')).body.meta.total;
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, at) =>
          new Promise<void>((resolve) => {
            const socket = connect(port(), '127.0.0.1', () =>
              socket.write(at % 2 ? start : chunk, () => socket.destroy()),
            );
            socket.on('close', () => resolve());
          }),
      ),
    );
    expect((await manager.get('/articles')).body.meta.total).toBe(before);
  });
});

describe('/health', () => {
  it('live', async () => {
    const { status, body } = await test.anonymous.get('//health/live');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('ready, with what it has checked', async () => {
    const { status, body } = await test.anonymous.get('//health/ready');
    const checks = { database: true, migrations: true, running: true };
    expect([status, body]).toEqual([200, { status: 'ok', checks }]);
  });

  it('not ready while a migration is missing, and live all the same', async () => {
    await test.database.query(`UPDATE migrations SET name = 'x' || name WHERE id = 1`);
    const ready = () => test.anonymous.get('//health/ready');
    await until(async () => (await ready()).status === 503); // it remembers its answer for a moment
    const { body } = await ready();
    expect([body.status, body.checks.migrations]).toEqual(['unavailable', false]);
    expect((await test.anonymous.get('//health/live')).status).toBe(200);
    await test.database.query(`UPDATE migrations SET name = substr(name, 2) WHERE id = 1`);
    await until(async () => (await ready()).status === 200);
  });

  it('is only there, not under the base path', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expectProblem(await test.anonymous.get(path), 'not-found');
  });
});

describe('/metrics', () => {
  /** Made at most once a second. */
  const metrics = async () => {
    await sleep(1000);
    return (await test.anonymous.get('//metrics')).text;
  };
  const series = async () =>
    (await metrics()).split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
  const countIn = (lines: string[], labels: string) =>
    Number(
      lines
        .find((line) => line.includes(labels))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  const countOf = async (labels: string) => countIn(await series(), labels);

  it('are in the text format of Prometheus', async () => {
    const { status, headers, text } = await test.anonymous.get('//metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('# TYPE http_request_duration_seconds histogram');
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(|#.*|[a-zA-Z_:][\w:]*(\{.*\})? [-+.\deNa]+|.*\+Inf.*)$/);
  });

  describe('count', () => {
    const asked = [
      ['GET', '/articles/1', 'method="GET",route="/api/v1/articles/{id}",status="200"'],
      ['GET', `/articles/${MISSING}`, 'method="GET",route="/api/v1/articles/{id}",status="404"'],
      ['GET', '/scan/some%20code', 'method="GET",route="/api/v1/scan/{code}",status="404"'],
      ['HEAD', '/articles', 'method="HEAD",route="/api/v1/articles",status="200"'],
      ['POST', '/articles', 'method="POST",route="/api/v1/articles",status="403"'],
      ['GET', '/nothing', 'method="any",route="none",status="404"'],
      ['GET', '//health/live', 'method="GET",route="/health/live",status="200"'],
    ] as const;
    let before: string[];
    let after: string[];

    beforeAll(async () => {
      before = await series();
      for (const [method, path] of asked) await viewer.send(method, path);
      after = await series();
    });

    it.each(asked)('%s %s as %s', (_method, _path, labels) => {
      expect(countIn(after, labels)).toBe(countIn(before, labels) + 1);
    });
  });

  it('reliability-36-bounded-metrics: 10 000 random paths make no new series', async () => {
    await viewer.get('/nothing');
    const before = (await metrics()).split('\n').length;
    const missed = await countOf('method="any",route="none",status="404"');
    for (let round = 0; round < 10; round++) {
      const paths = Array.from({ length: 1000 }, (_, n) => randomPath(n));
      const head = (path: string, end = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${end}\r\n`;
      const requests = paths.map((path, n) => head(path, n === 999 ? 'Connection: close\r\n' : ''));
      expect((await raw(requests.join(''))).match(/HTTP\/1\.1 404 /g)).toHaveLength(1000);
    }
    expect(await countOf('method="any",route="none",status="404"')).toBe(missed + 10_000);
    expect((await metrics()).split('\n').length).toBe(before);
  });

  /** Near routes, far from them, and never the same. */
  function randomPath(n: number): string {
    const word = randomBytes(8).toString('hex');
    const paths = [`/${word}`, `/api/v1/${word}`, `/api/v1/articles/1/${word}`, `/${word}/${word}?${word}`];
    return [...paths, `/docs/${word}/x`, `/api/v1/%ff${word}`][n % 6]!;
  }

  it('nor do ids, codes, queries and unusual methods', async () => {
    const unusual = METHODS.filter((method) => !/^(GET|HEAD|POST|PATCH|DELETE|CONNECT)$/.test(method));
    const send = async () => {
      await viewer.get(`/articles/${Math.ceil(Math.random() * 1000) + 1000}`);
      await viewer.get(`/scan/${randomBytes(8).toString('hex')}`);
      await viewer.get(`/articles?search=${randomBytes(8).toString('hex')}`);
    };
    await send();
    await rawRequest('PUT', '/api/v1/articles');
    await rawRequest('PUT', '/api/v1/nothing');
    const before = (await series()).length;
    for (const method of unusual) {
      await rawRequest(method, '/api/v1/articles');
      await rawRequest(method, '/api/v1/nothing');
    }
    for (let round = 0; round < 20; round++) await send();
    expect((await series()).length).toBe(before);
    expect(unusual.length).toBeGreaterThan(20);
  });
});

describe('The log', () => {
  let logged: TestApp;
  let service: RunningProcess;
  let url: string;
  beforeAll(async () => {
    logged = await startApp();
    const settings = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', DATABASE_TIMEOUT_MS: '400' };
    service = new RunningProcess('main', [], { DATABASE_URL: logged.database.url, ...settings });
    url = await service.url();
  });
  afterEach(rollbackAll);
  afterAll(async () => {
    await stopAll();
    await logged.stop();
  });

  /** The lines of a request. */
  async function linesOf(id: string): Promise<Record<string, unknown>[]> {
    await service.says(new RegExp(`"request_id":"${id}"`));
    const lines = service.output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(`"${id}"`));
    return lines.map((line) => JSON.parse(line));
  }

  it('reliability-36-log-lines: has one line a request: id, user, route template, status and milliseconds', async () => {
    const operator = new Client(url, logged.as('operator').token);
    const user_id = (await operator.get('/me')).body.id;
    const { body } = await operator.get(`/articles/${MISSING}?x=1`, { 'x-request-id': 'log-1' });
    expect(body.request_id).toBe('log-1');
    const lines = await linesOf('log-1');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      request_id: 'log-1',
      method: 'GET',
      route: '/api/v1/articles/{id}',
      status: 422,
      ms: expect.any(Number),
      user_id,
    });
  });

  it('reliability-36-no-secrets: never has a password, a token or a hash, whatever goes wrong', async () => {
    const password = 'very secret passphrase';
    const { token } = logged.as('admin');
    const admin = new Client(url, token);
    const anonymous = new Client(url);
    const secret = token!.split('|')[1]!;
    const user = { name: 'N', login: 'n', email: 'n@test.example', password, roles: [] };
    await anonymous.post('/login', { login: 'nobody', password });
    await anonymous.post('/login', { login: password, password });
    await anonymous.post('/login', { login: 'n', passwort: password });
    await anonymous.post('/login', `{"password":"${password}"`);
    await anonymous.get(`/me?access_token=${encodeURIComponent(token!)}`);
    await anonymous.get(`/${secret}`);
    await admin.get(`/scan/${secret}`);
    const names = [
      'x-request-id',
      'x-api-key',
      'cookie',
      'referer',
      'user-agent',
      'x-forwarded-for',
      'accept',
    ];
    const conditions = ['if-none-match', 'if-match', 'idempotency-key', 'accept-language', 'origin'];
    for (const name of [...names, ...conditions])
      for (const client of [anonymous, admin]) await client.get('/me', { [name]: token! });
    for (const path of [
      `/nothing/${encodeURIComponent(token!)}`,
      `/${password}`,
      `//docs/${secret}`,
      `/%${secret}`,
    ])
      for (const method of ['GET', 'POST', 'DELETE']) await anonymous.send(method, path);
    await admin.get(`/articles/${secret}?search=${secret}&${secret}=1`);
    await admin.post(`/inventories/1/scan`, { code: token, [secret]: password });
    await admin.send('POST', '/articles', `{"name":"${secret}`);
    await admin.send('POST', '/articles', secret, { 'content-type': secret });
    for (const authorization of [`Basic ${secret}`, `Bearer ${token}x`, `Bearer ${token} ${token}`, secret])
      await anonymous.get('/me', { authorization });
    for (let tries = 0; tries < 7; tries++) await anonymous.post('/login', { login: password, password });
    const port = Number(new URL(url).port);
    await raw(`GET /${secret} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n: x\r\n\r\n`, port);
    await raw(`${secret} /${secret} HTTP/9.9\r\n\r\n`, port);
    const fresh = (await anonymous.post('/login', { login: 'admin', password: PASSWORD })).body.token;
    // A lock held by someone else: the statement with the hash fails, and its error is logged.
    const holder = await begin(logged.database);
    await holder.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    expect((await admin.post('/users', user)).status).toBe(503);
    expect((await admin.patch('/me/password', { current_password: PASSWORD, password })).status).toBe(503);
    await holder.end('ROLLBACK');
    // And one that fails for good.
    await logged.database.query(`ALTER TABLE users ADD CONSTRAINT ck_test CHECK (login <> 'n') NOT VALID`);
    expect((await admin.post('/users', user)).status).toBe(500);
    await anonymous.get('/end', { 'x-request-id': 'log-end' });
    await linesOf('log-end');
    const output = service.output + service.errors;
    expect(output).toContain('Unexpected error');
    for (const hidden of [password, PASSWORD, secret, fresh.split('|')[1], 'argon2']) {
      expect(output).not.toContain(hidden);
    }
  });
});

describe('What an attacker sends', () => {
  it.each([
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..\\..\\package.json',
    '/docs/..%5c..%5cpackage.json',
    '/docs//etc/passwd',
    '/docs/%2fetc%2fpasswd',
    '/docs/swagger-ui.css%00',
    '/docs/package.json',
    '/../../../../etc/passwd',
  ])('a path out of the folder of Swagger UI: %s → 404', async (path) => {
    expectProblem(await parsed(rawRequest('GET', path)), 'not-found');
  });

  it('thousands of headers: nobody comes in by them, and the service goes on', async () => {
    const headers = Array.from({ length: 3000 }, () => 'A:b');
    const answer = await rawRequest('GET', '/api/v1/me', [
      ...headers,
      `Authorization: Bearer ${viewer.token}`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
    expect((await viewer.get('/me')).status).toBe(200);
  });

  it('a line break in X-Request-Id, however it is written, adds no header', async () => {
    for (const id of ['a%0d%0aSet-Cookie:b', 'a\\r\\nSet-Cookie:b', 'a\u0085Set-Cookie:b']) {
      const { headers } = await parsed(rawRequest('GET', '/health/live', [`X-Request-Id: ${id}`]));
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each([
    ['POST', '/login', { login: { constructor: 'x' }, password: 'abcdefgh' }],
    ['POST', '/auth/token', { email: { constructor: { name: 'x' } }, password: 'abcdefgh' }],
    ['POST', '/articles', { name: { constructor: 1 } }],
    ['POST', '/articles', { name: 'x', brand_id: [{ constructor: 1 }] }],
    ['POST', '/users', { roles: [{ constructor: 1 }] }],
    ['PATCH', '/me/password', { current_password: { __proto__: null, toString: 1 }, password: {} }],
    ['POST', '/inventories/1/scan', { code: { constructor: 'x', valueOf: 1 } }],
  ])('an object where a text belongs: %s %s → 422', async (method, path, body) => {
    const { status, body: problem } = await test.as('admin').send(method, path, body);
    expect([status, problem.type]).toEqual([422, '/problems/validation-failed']);
  });

  it('a megabyte of brackets → 400, and the service goes on', async () => {
    const floods = ['{', '[', '{"a":['].map((text) =>
      test.as('manager').send('POST', '/articles', text.repeat(Math.floor(1_000_000 / text.length))),
    );
    for (const answer of await Promise.all(floods)) expect(answer.status).toBe(400);
    expect((await test.anonymous.get('//health/live')).status).toBe(200);
  });

  it.each([
    ['fields that the route does not know', '/logout', `{${fieldsNamed(80_000)}}`],
    ['fields that are given twice', '/articles', `{${fieldsNamed(30_000)},${fieldsNamed(30_000)}}`],
    ['fields that a route with a body does not know', '/articles', `{${fieldsNamed(80_000)}}`],
  ])('many %s → a short answer', async (_, path, body) => {
    const { status, text } = await test.as('manager').send('POST', path, body);
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(20_000);
  });

  it.each(['5', 'null', 'true', '"x"', '[]', '[1]'])(
    '%s as the body of a route without one → 422, no effect',
    async (body) => {
      const manager = test.as('manager');
      const { id } = (await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body;
      const answer = await manager.send('POST', `/inventories/${id}/close`, body);
      expect(fieldsOf(answer)).toEqual([422, 'body']);
      expect((await manager.get(`/inventories/${id}`)).body.status).toBe('open');
    },
  );
});

function fieldsNamed(count: number): string {
  return Array.from({ length: count }, (_, n) => `"f${n}":1`).join(',');
}
