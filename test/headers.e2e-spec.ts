import { connect } from 'node:net';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

const STRICT = "default-src 'none';frame-ancestors 'none'";

let test: TestApp;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.stop());

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
