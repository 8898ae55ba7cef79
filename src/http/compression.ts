import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Gzip } from 'node:zlib';

/** Of gzip, measured on pages of 200 purchases: the next takes half as long again, for a tenth. */
export const LEVEL = 3;
/** In characters. Less than this fits into one packet as it is. */
export const WORTH_IT = 1024;

/** By its `Accept-Encoding`, weights included (RFC 9110, 12.5.3). Without one it gets the plain form. */
export const acceptsGzip = (request: Request): boolean =>
  request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip', 'identity') === 'gzip';

/** As small as it gets: for what is made once and kept. */
export const pack = (body: Buffer): Promise<Buffer> => promisify(gzip)(body, { level: 9 });

/**
 * Sends a text, in gzip where it is worth it and the client takes it. In one piece, beside the event loop: scans must
 * not wait for it, and a stream would hold 256 KiB for as long as the slowest reader takes.
 */
export function sendPacked(response: Response, text: string, encoding: BufferEncoding = 'utf8'): void {
  response.vary('Accept-Encoding');
  if (text.length <= WORTH_IT || !acceptsGzip(response.req)) {
    response.end(text, encoding);
    return;
  }
  gzip(Buffer.from(text, encoding), { level: LEVEL }, (error, packed) => {
    if (response.headersSent) return; // its request broke off meanwhile, and was told so
    if (!error) response.setHeader('Content-Encoding', 'gzip');
    response.end(error ? text : packed, encoding);
  });
}

/** What packs an answer on its way where the client takes that: for the few that are too long for one piece. */
export function packing(response: Response): Gzip[] {
  response.vary('Accept-Encoding');
  if (!acceptsGzip(response.req)) return [];
  response.setHeader('Content-Encoding', 'gzip');
  return [createGzip({ level: LEVEL })];
}
