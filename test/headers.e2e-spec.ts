import { connect } from 'node:net';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

const ORIGIN = 'https://app.example.org';
const STRICT = "default-src 'none';frame-ancestors 'none'";

let test: TestApp;
let open: TestApp;

beforeAll(async () => {
  test = await startApp();
  open = await startApp({ CORS_ORIGINS: `${ORIGIN}, capacitor://localhost` }, test.database);
});
afterAll(async () => {
  await open.stop();
  await test.stop();
});

describe('Headers of every answer', () => {
  it.each([
    ['a row', 200, () => test.as('viewer').get('/me')],
    ['none', 304, () => test.as('viewer').get('/me', { 'if-none-match': '*' })],
    ['a problem of a route', 403, () => test.as('viewer').post('/articles', {})],
    ['a problem before the routes', 404, () => test.anonymous.get('/nothing')],
    ['one of the body', 400, () => test.anonymous.post('/login', '{')],
    ['text', 200, () => test.anonymous.get('//metrics')],
  ])('allow nothing to run, to be framed or to be guessed: %s', async (_, status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': STRICT,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^(no-store|private, no-cache|no-cache)/),
    });
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  it('also of what is no HTTP', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1', () =>
      socket.write('NONSENSE\r\n\r\n'),
    );
    let text = '';
    for await (const data of socket) text += String(data);
    expect(text).toContain(`\r\nContent-Security-Policy: ${STRICT}\r\n`);
    expect(text).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
  });

  it('let Swagger UI run its own files, and nothing else', async () => {
    for (const path of ['//docs', '//docs/swagger-ui-bundle.js', '//openapi.json']) {
      const { headers } = await test.anonymous.get(path);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

const preflight = (at: TestApp, path: string, origin = ORIGIN, method = 'PATCH') =>
  at.anonymous.send('OPTIONS', path, undefined, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,if-match,content-type',
  });
const allowed = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  it('is off unless origins are named', async () => {
    const answers = [
      await preflight(test, '/articles/1'),
      await test.as('viewer').get('/me', { origin: ORIGIN }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 200]);
    for (const answer of answers) expect(allowed(answer)).toEqual([]);
  });

  it('answers a preflight of every route that there is', async () => {
    const { status, headers, text } = await preflight(open, '/articles/1');
    expect([status, text]).toEqual([204, '']);
    const listOf = (name: string) => headers.get(`access-control-allow-${name}`)?.toLowerCase().split(',');
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(listOf('methods')).toEqual(['get', 'head', 'post', 'patch', 'delete']);
    expect(listOf('headers')).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'x-request-id'],
        ...['range', 'if-range', 'traceparent', 'tracestate'],
      ]),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
    expect((await preflight(open, '/nothing')).status).toBe(404);
    expect((await preflight(open, '/login', 'capacitor://localhost', 'POST')).status).toBe(204);
  });

  it('lets a page of a named origin read answers and their headers, problems included', async () => {
    const viewer = open.as('viewer');
    const answers = [
      await viewer.get('/me', { origin: ORIGIN }),
      await viewer.get('/nothing', { origin: ORIGIN }),
      await open.anonymous.get('/me', { origin: ORIGIN }),
      await viewer.send('POST', '/articles', {}, { origin: ORIGIN }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 403]);
    for (const { headers, status } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      const exposed = headers.get('access-control-expose-headers')?.split(',');
      const names = [
        ...['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
        ...['Accept-Ranges', 'Content-Disposition', 'Content-Range'],
      ];
      expect(exposed).toEqual(expect.arrayContaining(names));
      expect(headers.get('vary')).toBe(status === 200 ? 'Origin' : 'Origin, Accept-Language');
    }
  });

  it.each([
    'https://evil.example',
    'http://app.example.org',
    'https://app.example.org.evil.example',
    'https://app.example.org:8443',
    'https://APP.example.org',
    'null',
    '*',
  ])('lets no page of %s', async (origin) => {
    const answer = await preflight(open, '/articles/1', origin);
    expect(answer.status).toBe(405);
    const read = await open.as('viewer').get('/me', { origin });
    for (const { headers } of [answer, read]) expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('keeps OPTIONS that is no preflight a method like any other', async () => {
    const answer = await open.anonymous.send('OPTIONS', '/articles', undefined, { origin: ORIGIN });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});
