import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { icon, page, script, style } from './docs.page.js';
import { buildDocument } from './openapi.js';

/** The Swagger UI that @nestjs/swagger brings along. */
const swaggerUi = dirname(
  createRequire(import.meta.resolve('@nestjs/swagger')).resolve('swagger-ui-dist/package.json'),
);

const swaggerUiFiles = [
  'swagger-ui.css',
  'swagger-ui.css.map',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.map',
];

/** Swagger UI may run its own files and call this service, and nothing else. */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:", // its style sheet draws the arrows of selects and such
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const HOUR = 'public, max-age=3600';

/** Swagger UI at /docs, the document at /openapi.json; made when first asked for. */
export function serveDocs(app: NestExpressApplication): void {
  const server = app.getHttpAdapter().getInstance();
  const serve = (path: string, caching: string, send: (response: Response) => void): void => {
    server.get(path, (_, response) => send(response.set({ ...headers, 'Cache-Control': caching })));
  };
  let document: string | undefined;
  serve('/openapi.json', 'no-cache', (response) =>
    response.type('json').send((document ??= JSON.stringify(buildDocument(app)))),
  );
  serve('/docs', 'no-cache', (response) => response.type('html').send(page));
  serve('/docs/recense.js', 'no-cache', (response) => response.type('js').send(script));
  serve('/docs/recense.css', HOUR, (response) => response.type('css').send(style));
  serve('/docs/recense.svg', HOUR, (response) => response.type('svg').send(icon));
  for (const file of swaggerUiFiles) {
    // Kept once it was asked for: a stream of it stays open for ever when its client leaves before its turn has come.
    let content: Buffer | undefined;
    serve(`/docs/${file}`, HOUR, (response) =>
      response.type(extname(file)).send((content ??= readFileSync(join(swaggerUi, file)))),
    );
  }
}
