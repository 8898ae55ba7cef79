import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import type { Principal } from '../auth/access.js';
import { requestId } from '../common/request-id.js';
import type { AppRequest } from '../common/request.js';
import type { MetricsService } from './metrics.service.js';

/** The first middleware: gives a request its id, then measures it and writes its one log line. */
export function observe(logger: Logger, metrics: MetricsService) {
  return (request: AppRequest & { user?: Principal }, response: Response, next: NextFunction): void => {
    const start = process.hrtime.bigint();
    request.id = requestId(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('Cache-Control', 'no-store'); // unless a route knows better
    response.on('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const route = request.entry?.template ?? 'none';
      const status = response.writableFinished ? response.statusCode : 499; // 499: the client went away
      // Methods that no route answers must make no series either.
      const isKnown = request.method === 'HEAD' || request.entry?.methods.has(request.method);
      const method = request.entry && isKnown ? request.method : 'any';
      metrics.requests.observe({ method, route, status }, seconds);
      logger.info({
        request_id: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(seconds * 10_000) / 10,
        user_id: request.user?.id,
        ip: request.ip,
      });
    });
    next();
  };
}
