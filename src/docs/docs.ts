import type { NestExpressApplication } from '@nestjs/platform-express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { servePage } from '../contract/page.js';
import { guidePage, icon, page, style } from './docs.page.js';
import { script } from './docs.script.js';
import { guide, guideScript } from './guide.js';
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
    "img-src 'self' blob: data:", // photos are read with the token; its style sheet draws the arrows of selects and such
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const HOUR = 'public, max-age=3600';

/** Swagger UI at /docs, the document at /openapi.json; made when first asked for, and kept in both forms. */
export function serveDocs(app: NestExpressApplication): void {
  const serve = (path: string, type: string, caching: string, make: () => string | Buffer): void =>
    servePage(app, path, { type, headers: { ...headers, 'Cache-Control': caching }, make });
  serve('/openapi.json', 'json', 'no-cache', () => JSON.stringify(buildDocument(app)));
  serve('/docs', 'html', 'no-cache', () => page);
  serve('/docs/recense.js', 'js', 'no-cache', () => script);
  serve('/docs/guide', 'html', 'no-cache', () => guidePage);
  serve('/docs/guide.js', 'js', 'no-cache', () => guideScript);
  serve('/docs/apps.md', 'md', 'no-cache', guide);
  serve('/docs/recense.css', 'css', HOUR, () => style);
  serve('/docs/recense.svg', 'svg', HOUR, () => icon);
  // Kept once it was asked for: a stream of it stays open for ever when its client leaves before its turn has come.
  for (const file of swaggerUiFiles)
    serve(`/docs/${file}`, extname(file), HOUR, () => readFileSync(join(swaggerUi, file)));
}
