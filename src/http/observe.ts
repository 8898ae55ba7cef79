import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { requestId } from './request-id.js';
import type { AppRequest } from './request.js';
import { SECURITY_HEADERS } from './security-headers.js';
import type { Traces } from './traces.js';
import type { Env } from '../config/env.js';

/**
 * The first middleware, which gives a request its id, measures it, traces it and writes its one log line; and `tell`,
 * for what is none.
 */
export function observe(logger: Logger, registry: Registry, traces: Traces, { TRUST_PROXY }: Env) {
  // By route template, so that unknown paths make no series of their own.
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const tell = (request_id: string, status: number, ip: string): void => {
    requests.observe({ method: 'any', route: 'none', status }, 0);
    logger.info({ request_id, method: 'any', route: 'none', status, ms: 0, ip });
  };
  const middleware = (request: AppRequest, response: Response, next: NextFunction): void => {
    const start = performance.now();
    // Asked now, since the socket forgets it when it is closed.
    request.address = (TRUST_PROXY > 0 ? request.ip : request.socket.remoteAddress) ?? '';
    request.id = requestId(request.headers['x-request-id']);
    const trace = traces.begin?.(request);
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('Cache-Control', 'no-store'); // unless a route knows better
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    response.on('close', () => {
      const ms = performance.now() - start;
      const { streamsSince } = request; // by then it was answered
      const waited = streamsSince === undefined ? ms : streamsSince - start;
      const route = request.entry?.template ?? 'none';
      const isAnswered = response.writableFinished || streamsSince !== undefined;
      const status = isAnswered ? response.statusCode : 499; // 499: the client went away
      // Methods that no route answers must make no series either.
      const isKnown = request.method === 'HEAD' || request.entry?.methods.has(request.method);
      const method = request.entry && isKnown ? request.method : 'any';
      requests.observe({ method, route, status }, waited / 1000);
      trace?.end(isAnswered ? status : null, request.entry?.template);
      logger.info({
        request_id: request.id,
        ...trace?.ids,
        method: request.method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        user_id: request.user?.id,
        ip: request.address,
      });
    });
    if (trace) trace.run(next);
    else next();
  };
  return { middleware, tell };
}
