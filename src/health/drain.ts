import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HealthService } from './health.service.js';

/** How long the connection of an answer that was under way when the port was closed may stay idle. */
const LINGER_MS = 500;

/**
 * Not ready from now on, and every answer ends its connection, so that clients open others elsewhere; resolves `delay`
 * ms later, when the load balancer sends nothing more and the port may close.
 */
export async function drain(app: NestExpressApplication, delay: number): Promise<void> {
  app.get(HealthService).isStopping = true;
  const server: Server = app.getHttpServer();
  server.prependListener('request', (_, response: ServerResponse) =>
    response.setHeader('Connection', 'close'),
  );
  await sleep(delay);
  server.keepAliveTimeout = LINGER_MS;
}
