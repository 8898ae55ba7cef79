import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer } from './support/client.js';
import { until } from './support/process.js';

const HOUR = 'public, max-age=3600';

describe('Swagger UI and the OpenAPI document', () => {
  let test: TestApp;
  let page: Answer;

  beforeAll(async () => {
    test = await startApp();
    page = await test.anonymous.get('//docs');
  });
  afterAll(() => test.stop());

  const contentType = ({ status, headers }: Answer) => [status, headers.get('content-type')];

  it('are served to whoever asks', async () => {
    expect(contentType(page)).toEqual([200, 'text/html; charset=utf-8']);
    expect((await test.anonymous.get('//docs/')).text).toBe(page.text);
    const document = await test.anonymous.get('//openapi.json');
    expect(contentType(document)).toEqual([200, 'application/json; charset=utf-8']);
    expect(document.body).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('have a page with nothing inline, whose every file is there', async () => {
    expect(page.text).not.toMatch(
      /<style|\sstyle=|\son\w+=|javascript:|<script(?! src="[^"]+" defer><\/script>)/i,
    );
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files).toEqual(expect.arrayContaining(['/docs/swagger-ui-bundle.js', '/docs/recense.svg']));
    for (const file of files) {
      expect([file, (await test.anonymous.get(`/${file}`)).status]).toEqual([file, 200]);
    }
  });

  it.each([
    ['/docs', 'text/html', 'no-cache'],
    ['/docs/recense.js', 'text/javascript', 'no-cache'],
    ['/docs/guide', 'text/html', 'no-cache'],
    ['/docs/guide.js', 'text/javascript', 'no-cache'],
    ['/docs/apps.md', 'text/markdown', 'no-cache'],
    ['/docs/recense.css', 'text/css', HOUR],
    ['/docs/recense.svg', 'image/svg+xml', HOUR],
    ['/docs/swagger-ui.css', 'text/css', HOUR],
    ['/docs/swagger-ui.css.map', 'application/json', HOUR],
    ['/docs/swagger-ui-bundle.js', 'text/javascript', HOUR],
    ['/docs/swagger-ui-bundle.js.map', 'application/json', HOUR],
    ['/openapi.json', 'application/json', 'no-cache'],
  ])('%s is %s, cached as %s, and shuts everything else out', async (path, type, caching) => {
    const { status, headers } = await test.anonymous.get(`/${path}`);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe(caching);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('have the guide for app developers, without links to what is not served', async () => {
    const { text } = await test.anonymous.get('//docs/apps.md');
    expect(text).toContain('# For those who write apps');
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    expect(links.filter((link) => !link!.startsWith('https://'))).toEqual([]);
  });

  it('keep no file open for who asks often, reads nothing and leaves', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1').pause();
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
    for (let n = 0; n < 5; n++) await test.anonymous.get('//docs/swagger-ui-bundle.js'); // those have begun by now
    socket.destroy();
    const isOpen = (name: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).includes('swagger-ui');
      } catch {
        return false; // closed meanwhile
      }
    };
    await until(() => !readdirSync('/proc/self/fd').some(isOpen));
  });

  it.each(['index.html', 'package.json', 'swagger-initializer.js', '..%2Fpackage.json'])(
    'serve no %s of the package of Swagger UI',
    async (file) => {
      expect((await test.anonymous.get(`//docs/${file}`)).status).toBe(404);
    },
  );
});
