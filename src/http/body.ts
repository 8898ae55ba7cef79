import express from 'express';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { hangUpAfter } from './hang-up.js';
import { httpMessages } from './http.messages.js';
import { MAX_DEPTH, MAX_VALUES, readJson, textOf } from './json.js';
import type { Json } from './json.js';
import type { AppRequest } from './request.js';

const MAX_BYTES = 1_048_576;
/** Of those who are not known yet: a login. */
const MAX_PUBLIC_BYTES = 16_384;
/** Also undoes compression. */
const readEncoded = express.raw({ type: () => true, limit: MAX_BYTES });

const isSent = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

/** That of a GET means nothing, and is not read. */
export const hasBody = ({ method, headers }: AppRequest): boolean =>
  method !== 'GET' && method !== 'HEAD' && isSent(headers);

/**
 * Reads a JSON body, once it is known who sends it: 415 for another type, 413 when it is too large, 400 when it is
 * malformed or nested too deep, 422 when it has more values than any of ours. Strangers send little, and nothing that
 * has to be inflated.
 */
export async function readBody(request: AppRequest, response: Response): Promise<void> {
  const { headers } = request;
  const isStranger = request.user === undefined;
  const isEncoded = headers['content-encoding'] !== undefined;
  if (!/^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i.test(headers['content-type'] ?? ''))
    throw new DomainError('unsupported-media-type');
  if (isEncoded && isStranger)
    throw new DomainError('unsupported-media-type', { detail: say(httpMessages.body_plain) });
  if (headers.expect !== undefined && /100-continue/i.test(headers.expect)) response.writeContinue();
  parse(request, await (isEncoded ? inflated(request, response) : plain(request, isStranger)));
}

/** What is left of a body that nobody reads is passed over, or ends the connection where it is long or of any length. */
export function leaveBody(request: AppRequest, response: Response): void {
  const { headers } = request;
  if (request.complete || !isSent(headers)) return;
  const isShort = Number(headers['content-length']) <= MAX_BYTES;
  // Whoever waits for a 100 may send it or not (RFC 9110, 10.1.1).
  if (!isShort || headers.expect !== undefined) hangUpAfter(response);
}

function inflated(request: AppRequest, response: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readEncoded(request, response, (error?: Error) => {
      if (error) reject(error);
      else resolve(request.body as Buffer);
    });
  });
}

/** As phones send it; a scan waits for less than with the package for all encodings. */
function plain(request: AppRequest, isStranger: boolean): Promise<Buffer> {
  const limit = isStranger ? MAX_PUBLIC_BYTES : MAX_BYTES;
  const tooLarge = () =>
    new DomainError(
      'body-too-large',
      isStranger ? { detail: say(httpMessages.body_size_public) } : undefined,
    );
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const collect = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      request.off('data', collect).off('end', end).resume();
      reject(tooLarge());
    };
    const end = (): void => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    request.on('data', collect).on('end', end);
  });
}

function parse(request: AppRequest, raw: Buffer): void {
  const { excess, value, repeated } = read(raw);
  if (excess === 'depth')
    throw new DomainError('malformed-body', { detail: say(httpMessages.body_depth, MAX_DEPTH) });
  if (excess === 'values') throw invalid({ body: [say(httpMessages.body_values, MAX_VALUES)] });
  request.body = value;
  request.repeatedFields = repeated;
}

function read(raw: Buffer): Json {
  if (!isUtf8(raw)) throw new DomainError('malformed-body');
  try {
    return readJson(textOf(raw));
  } catch {
    throw new DomainError('malformed-body');
  }
}
