import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { until } from './support/process.js';
import { factories } from './support/factories.js';

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

let test: TestApp;
/** With notes of 5 kB. */
let purchase: { id: number; code: string };

beforeAll(async () => {
  test = await startApp({ CORS_ORIGINS: 'https://app.example.org' });
  const make = factories(test);
  purchase = await make.purchase({ notes: 'Affecté au bureau 205. '.repeat(200) });
  for (let n = 0; n < 20; n++) await make.supplier();
  await make.brand();
});
afterAll(() => test.stop());

/** As it comes over the wire: fetch() would ask for compression by itself, and undo it. */
function send(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${test.as('admin').token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    };
    const url = test.url + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`);
    request(url, { method, headers: all }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
}

const gzip = { 'accept-encoding': 'gzip, deflate, br' };
const varies = ({ headers }: RawAnswer) => /\baccept-encoding\b/i.test(headers.vary ?? '');
const LISTS = [
  '/suppliers',
  '/suppliers?cursor=',
  '/suppliers?updated_since=2000-01-01T00:00:00Z',
  '/purchases',
  '/purchases?cursor=',
];

describe('A list of more than 1 kB', () => {
  it.each(LISTS)('comes in gzip where the client takes it: %s', async (path) => {
    const plain = await send(path);
    expect([plain.status, plain.headers['content-encoding'], varies(plain)]).toEqual([200, undefined, true]);
    const packed = await send(path, gzip);
    expect([packed.status, packed.headers['content-encoding'], varies(packed)]).toEqual([200, 'gzip', true]);
    expect(packed.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
    const withoutInstant = (text: string) => text.replace(/"synced_until":"[^"]+"/, '');
    expect(withoutInstant(gunzipSync(packed.bytes).toString())).toBe(withoutInstant(plain.bytes.toString()));
  });

  it.each([
    ['gzip', true], ['GZIP', true], ['br, gzip;q=0.2', true], ['*', true], ['identity;q=0.5, gzip', true],
    ['gzip;q=0.001, identity;q=0', true],
    ['', false], ['identity', false], ['br, zstd', false], ['gzip;q=0', false], ['gzip;q=0.0, *', false],
    ['*;q=0', false], ['identity, gzip;q=0.5', false], ['gzipped', false], ['gzip;q=no', false], [',;,"', false],
  ])('weighs %j', async (accepted, isPacked) => {
    const { status, headers } = await send('/suppliers', { 'accept-encoding': accepted });
    expect([status, headers['content-encoding']]).toEqual([200, isPacked ? 'gzip' : undefined]);
  }); // prettier-ignore

  it('tells HEAD what it would tell GET', async () => {
    for (const [path, headers] of [gzip, {}].flatMap((one) => LISTS.map((list) => [list, one] as const))) {
      const got = await send(path, headers);
      const head = await send(path, headers, { method: 'HEAD' });
      const of = ({ headers: all }: RawAnswer) => [all['content-encoding'], all['content-type'], all.vary];
      expect([of(head), head.bytes.length]).toEqual([of(got), 0]);
    }
  });

  it('still says whatever else it varies with', async () => {
    const { headers } = await send('/suppliers', { ...gzip, origin: 'https://app.example.org' });
    expect(headers.vary?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
  });

  it('is left by who does not wait for it', async () => {
    for (let n = 0; n < 20; n++) {
      const asked = request(`${test.url}/api/v1/suppliers`, {
        headers: { ...gzip, authorization: `Bearer ${test.as('admin').token}` },
      });
      asked.on('error', () => undefined).end();
      setTimeout(() => asked.destroy(), n % 5);
    }
    await until(async () => (await send('/suppliers', gzip)).status === 200);
  });
});

describe('What is not compressed', () => {
  it('is a list that is short; it varies all the same', async () => {
    const answer = await send('/brands', gzip);
    expect([answer.status, answer.headers['content-encoding'], varies(answer)]).toEqual([
      200,
      undefined,
      true,
    ]);
    expect(answer.bytes.length).toBeLessThan(1024);
  });

  it('is a row, so that its entity tag is of its only form', async () => {
    const path = `/purchases/${purchase.id}`;
    const read = await send(path, gzip);
    const tag = read.headers.etag!;
    expect([read.headers['content-encoding'], varies(read), tag.startsWith('"')]).toEqual([
      undefined,
      false,
      true,
    ]);
    expect(read.bytes.length).toBeGreaterThan(4000);
    expect((await send(path, { ...gzip, 'if-none-match': tag })).status).toBe(304);
    const patched = await send(path, { ...gzip, 'if-match': tag }, { method: 'PATCH', body: {} });
    expect([patched.status, patched.headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('is what a phone waits for, and whatever has a secret in it', async () => {
    const session = await send('/inventories', gzip, {
      method: 'POST',
      body: { year: 2026, inventory_date: '2026-11-16', label: 'x'.repeat(255) },
    });
    const { id } = JSON.parse(session.bytes.toString()) as { id: number };
    const login = { login: 'admin', password: PASSWORD, device_name: 'x'.repeat(100) };
    for (const answer of [
      session,
      await send(`/scan/${purchase.code}`, gzip),
      await send(`/inventories/${id}`, gzip),
      await send(`/inventories/${id}/scan`, gzip, { method: 'POST', body: { code: 'x'.repeat(2000) } }),
      await send('/login', gzip, { method: 'POST', body: login }),
    ])
      expect([answer.status < 300, answer.headers['content-encoding'], varies(answer)]).toEqual([
        true,
        undefined,
        false,
      ]);
  });

  it('is a problem', async () => {
    const fields = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`unknown_${n}`, 1]));
    const answer = await send('/suppliers', gzip, { method: 'POST', body: fields });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([422, undefined]);
    expect(answer.bytes.length).toBeGreaterThan(2048);
  });
});

describe.each([
  '//openapi.json',
  '//docs/swagger-ui-bundle.js',
  '//docs/swagger-ui.css',
  '//docs/recense.css',
])('The file %s', (path) => {
  let plain: RawAnswer;
  let packed: RawAnswer;
  const tagOf = ({ headers }: RawAnswer) => headers.etag!;

  beforeAll(async () => {
    plain = await send(path);
    packed = await send(path, gzip);
  });

  it('comes in both forms, each with a strong tag of its own', () => {
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
      undefined,
      'gzip',
    ]);
    expect([varies(plain), varies(packed)]).toEqual([true, true]);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true); // Jest compares a megabyte for seconds
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const answer of [plain, packed]) {
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
      expect(tagOf(answer)).toMatch(/^"[!#-~]+"$/);
    }
    expect(tagOf(plain)).not.toBe(tagOf(packed));
  });

  it('is not sent again to who has kept one of them, whichever he takes now', async () => {
    for (const kept of [plain, packed]) {
      for (const accepted of [gzip, {}]) {
        for (const names of [tagOf(kept), `W/${tagOf(kept)}`, `"x", ${tagOf(kept)}`]) {
          const answer = await send(path, { ...accepted, 'if-none-match': names });
          expect([answer.status, answer.bytes.length, tagOf(answer), varies(answer)]).toEqual([
            304,
            0,
            tagOf(kept),
            true,
          ]);
          expect(answer.headers['content-encoding']).toBeUndefined();
        }
      }
    }
    const both = `${tagOf(plain)}, ${tagOf(packed)}`;
    expect(tagOf(await send(path, { ...gzip, 'if-none-match': both }))).toBe(tagOf(packed));
    expect(tagOf(await send(path, { 'if-none-match': both }))).toBe(tagOf(plain));
  });

  it('is sent to who has kept another one, and its HEAD is as its GET', async () => {
    const other = await send(path, { ...gzip, 'if-none-match': '"x"' });
    expect(other.bytes.equals(packed.bytes)).toBe(true);
    const head = await send(path, gzip, { method: 'HEAD' });
    const of = ({ headers }: RawAnswer) => [headers.etag, headers['content-length'], headers.vary];
    expect([of(head), head.bytes.length]).toEqual([of(packed), 0]);
  });
});
