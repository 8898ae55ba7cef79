import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { isKept } from '../contract/etag.js';
import { WORTH_IT, acceptsGzip, pack } from '../http/compression.js';
import type { DomainError } from '../common/errors.js';
import { writeProblem } from '../http/problem.filter.js';
import { AddressLimit } from '../http/rate-limit.js';
import type { AppRequest } from '../http/request.js';
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
    "img-src 'self' data:", // its style sheet draws the arrows of selects and such
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const HOUR = 'public, max-age=3600';

/** One of the forms in which a file is sent; each has a strong entity tag of its own (RFC 9110, 8.8.3.3). */
interface Form {
  body: Buffer;
  tag: string;
  encoding?: 'gzip';
}

interface Forms {
  plain: Form;
  /** Where it is worth it. */
  packed?: Form;
}

/** Swagger UI at /docs, the document at /openapi.json; made when first asked for, and kept in both forms. */
export function serveDocs(app: NestExpressApplication): void {
  const server = app.getHttpAdapter().getInstance();
  const addresses = app.get(AddressLimit);
  const serve = (path: string, type: string, caching: string, make: () => string | Buffer): void => {
    let forms: Promise<Forms> | undefined;
    server.get(path, async (request, response) => {
      try {
        addresses.count(request as unknown as AppRequest);
      } catch (problem) {
        writeProblem(request as unknown as AppRequest, response, problem as DomainError);
        return;
      }
      forms ??= formsOf(Buffer.from(make()));
      response.set({ ...headers, 'Cache-Control': caching }).type(type);
      send(request, response, await forms);
    });
  };
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

async function formsOf(body: Buffer): Promise<Forms> {
  const digest = createHash('sha256').update(body).digest('base64url');
  const plain = { body, tag: `"${digest}"` };
  if (body.length <= WORTH_IT) return { plain };
  return { plain, packed: { body: await pack(body), tag: `"${digest}-gzip"`, encoding: 'gzip' } };
}

/** The form that the client takes; 304 where it has kept one, with the tag of that one. */
function send(request: Request, response: Response, forms: Forms): void {
  response.vary('Accept-Encoding');
  const { plain, packed } = forms;
  const wanted = packed && acceptsGzip(request) ? packed : plain;
  const kept = [wanted, plain, packed].find(
    (form) => form && isKept(request.headers['if-none-match'], form.tag),
  );
  const { body, tag, encoding } = kept ?? wanted;
  response.set('ETag', tag);
  if (kept) {
    response.status(304).end();
    return;
  }
  if (encoding) response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(body.length)).end(body); // said of HEAD too
}
