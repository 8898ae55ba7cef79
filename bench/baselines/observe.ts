import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { requestId } from '../../src/http/request-id.js';
import type { Principal } from './tokens.js';

/** A request, with what a server has found out about it. */
export interface Call extends IncomingMessage {
  template?: string;
  caller?: Principal;
}

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});
const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime });

/** What the service owes every request too: its id, its duration in a histogram, one log line. */
export function observe(request: Call, response: ServerResponse): void {
  const start = performance.now();
  const id = requestId(request.headers['x-request-id']);
  const ip = request.socket.remoteAddress;
  response.setHeader('X-Request-Id', id);
  response.setHeader('Cache-Control', 'no-store');
  response.on('close', () => {
    const ms = performance.now() - start;
    const route = request.template ?? 'none';
    const status = response.writableFinished ? response.statusCode : 499;
    const { method, caller } = request;
    durations.observe({ method, route, status }, ms / 1000);
    const rounded = Math.round(ms * 10) / 10;
    logger.info({ request_id: id, method, route, status, ms: rounded, user_id: caller?.id, ip });
  });
}
