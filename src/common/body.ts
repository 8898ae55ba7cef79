import express from 'express';
import { isUtf8 } from 'node:buffer';
import type { NextFunction, Response } from 'express';
import { DomainError } from './errors.js';
import { inspectJson } from './json.js';
import { say } from './messages.js';
import type { AppRequest } from './request.js';

const MAX_DEPTH = 32;
const readRaw = express.raw({ type: () => true, limit: '1mb' });

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
  readRaw(request, response, (error?: unknown) => {
    if (error) {
      next(error);
      return;
    }
    try {
      parse(request, request.body as Buffer);
    } catch (problem) {
      next(problem);
      return;
    }
    next();
  });
}

function parse(request: AppRequest, raw: Buffer): void {
  if (!isUtf8(raw)) throw new DomainError('malformed-body');
  const text = raw.toString('utf8').replace(/^\uFEFF/, '');
  const { isTooDeep, repeated } = inspectJson(text, MAX_DEPTH);
  if (isTooDeep) throw new DomainError('malformed-body', { detail: say('body_depth', MAX_DEPTH) });
  try {
    request.body = JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('malformed-body');
  }
  request.repeatedFields = repeated;
}
