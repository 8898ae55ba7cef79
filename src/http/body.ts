import express from 'express';
import { isUtf8 } from 'node:buffer';
import type { NextFunction, Response } from 'express';
import { DomainError } from '../common/errors.js';
import { inspectJson } from './json.js';
import { say } from '../common/messages.js';
import type { AppRequest } from './request.js';
import { httpMessages } from './http.messages.js';

const MAX_DEPTH = 32;
const MAX_BYTES = 1_048_576;
/** Also undoes compression. */
const readEncoded = express.raw({ type: () => true, limit: MAX_BYTES });

/** Reads a JSON body: 415 for another type, 413 over 1 MiB, 400 when it is malformed or nested too deep. */
export function readBody(request: AppRequest, response: Response, next: NextFunction): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if (!hasBody || request.method === 'GET' || request.method === 'HEAD') {
    next();
    return;
  }
  if (!/^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i.test(request.headers['content-type'] ?? '')) {
    next(new DomainError('unsupported-media-type'));
    return;
  }
  const parsed = (error?: unknown): void => {
    try {
      if (error) throw error as Error;
      parse(request, request.body as Buffer);
    } catch (problem) {
      next(problem);
      return;
    }
    next();
  };
  if (request.headers['content-encoding'] === undefined) readPlain(request, parsed);
  else readEncoded(request, response, parsed);
}

/** As phones send it; a scan waits for less than with the package for all encodings. */
function readPlain(request: AppRequest, done: (error?: unknown) => void): void {
  if (Number(request.headers['content-length']) > MAX_BYTES) {
    done(new DomainError('body-too-large'));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const collect = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= MAX_BYTES) return;
    request.off('data', collect).off('end', end).resume();
    done(new DomainError('body-too-large'));
  };
  const end = (): void => {
    request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    done();
  };
  request.on('data', collect).on('end', end);
}

function parse(request: AppRequest, raw: Buffer): void {
  if (!isUtf8(raw)) throw new DomainError('malformed-body');
  const text = raw.toString('utf8').replace(/^\uFEFF/, '');
  const { isTooDeep, repeated } = inspectJson(text, MAX_DEPTH);
  if (isTooDeep) throw new DomainError('malformed-body', { detail: say(httpMessages.body_depth, MAX_DEPTH) });
  try {
    request.body = JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('malformed-body');
  }
  request.repeatedFields = repeated;
}
