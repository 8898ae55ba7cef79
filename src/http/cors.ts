import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Response } from 'express';
import type { AppRequest } from './request.js';

/** What pages of these origins may send and read. The token is no cookie, so that browsers send none by themselves. */
export const corsOptions = (origins: string[]): CorsOptions => ({
  origin: origins,
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Accept-Language',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Last-Event-ID',
    'Range',
    'If-Range',
    'traceparent',
    'tracestate',
    'X-Request-Id',
  ],
  exposedHeaders: [
    'Accept-Ranges',
    'Allow',
    'Content-Disposition',
    'Content-Language',
    'Content-Range',
    'ETag',
    'Location',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: 600,
  preflightContinue: true, // answered by the table of routes, which knows what there is
});

/** Whether a browser asks if a page may send a request, and that is one of an origin that may. */
export const isPreflight = ({ method, headers }: AppRequest, response: Response): boolean =>
  method === 'OPTIONS' &&
  headers['access-control-request-method'] !== undefined &&
  response.hasHeader('Access-Control-Allow-Origin');
