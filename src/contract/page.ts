import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { WORTH_IT, acceptsGzip, pack } from '../http/compression.js';
import { AddressLimit } from '../http/rate-limit.js';
import type { AppRequest } from '../http/request.js';
import { isKept } from './etag.js';

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

/** A file that anybody may read: of Swagger UI, or of the app in the browser. */
export interface PageFile {
  /** Its extension, by which its content type goes. */
  type: string;
  headers: Record<string, string>;
  make: () => string | Buffer;
}

/** Serves a file that is made when first asked for, and kept in both forms. */
export function servePage(app: NestExpressApplication, path: string | RegExp, file: PageFile): void {
  const addresses = app.get(AddressLimit);
  let forms: Promise<Forms> | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get(path, async (request, response) => {
      addresses.count(request as unknown as AppRequest);
      const made = await (forms ??= formsOf(Buffer.from(file.make())));
      if (response.headersSent) return; // the request broke off meanwhile, and was told so
      response.set(file.headers).type(file.type);
      send(request, response, made);
    });
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
