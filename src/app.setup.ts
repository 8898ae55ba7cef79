import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Response } from 'express';
import { parse } from 'node:querystring';
import { Registry } from 'prom-client';
import { AppModule } from './app.module.js';
import { Connections } from './http/connections.js';
import { corsOptions } from './http/cors.js';
import { DomainError } from './common/errors.js';
import { JsonAdapter } from './http/json.adapter.js';
import { NestLogger, createLogger } from './http/logger.js';
import { ProblemFilter, writeProblem } from './http/problem.filter.js';
import { answerProtocolErrors } from './http/protocol.js';
import type { AppRequest } from './http/request.js';
import { API_PREFIX, RouteTable } from './http/routes.js';
import { shedLoad } from './http/shed.js';
import { limitTime } from './http/time-limit.js';
import { Traces } from './http/traces.js';
import { Sql } from './database/sql.js';
import type { Env } from './config/env.js';
import { serveDocs } from './docs/docs.js';
import { observe } from './http/observe.js';
import { serveWeb } from './web/web.js';

/** The service, ready to listen: the same for main and for the tests. */
export async function createApp(url: string, env: Env): Promise<NestExpressApplication> {
  const logger = createLogger(env);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.on(url, env), new JsonAdapter(), {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  app.setGlobalPrefix(API_PREFIX, { exclude: ['health/live', 'health/ready', 'metrics'] });
  app.set('trust proxy', env.TRUST_PROXY);
  // A parameter given twice becomes a list, which is refused. Of all that there are: an address has its greatest length.
  app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
  app.set('case sensitive routing', true);
  app.set('etag', false);
  app.disable('x-powered-by');
  // Only answers with an entity tag may be 304 (contract/etag.ts), whatever a request says of its cache.
  Object.defineProperty(app.getHttpAdapter().getInstance().request, 'fresh', { value: false });
  const { middleware, tell } = observe(logger, app.get(Registry), app.get(Traces), env);
  const connections = new Connections(app.getHttpServer(), app.getHttpAdapter().getInstance(), env);
  answerProtocolErrors(app.getHttpServer(), connections, tell);
  app.use(middleware);
  if (env.CORS_ORIGINS.length > 0) app.enableCors(corsOptions(env.CORS_ORIGINS));
  app.use(app.get(RouteTable).guard, shedLoad(app.get(Sql)), limitTime());
  await app.init();
  serveDocs(app);
  serveWeb(app);
  // What the routes and the pages have left: Nest answers it only under the prefix.
  app.use((request: AppRequest, response: Response) =>
    writeProblem(request, response, new DomainError('not-found')),
  );
  // And what they have thrown: Express would answer with the stack.
  const filter = new ProblemFilter();
  app.use((error: unknown, request: AppRequest, response: Response, _next: NextFunction) =>
    filter.answer(error, request, response),
  );
  return app;
}
