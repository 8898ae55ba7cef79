import express from 'express';
import type { NextFunction, Request, Response } from 'express';
import { observe, registry } from './observe.js';
import type { Call } from './observe.js';
import { connect, lookUp, record } from './purchases.js';
import { Tokens } from './tokens.js';

const pool = connect();
const tokens = new Tokens(pool);
const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.use((request, response, next) => {
  observe(request, response);
  next();
});
app.get('/health/ready', (_request, response) => void response.json({}));
app.get('/metrics', async (_request, response) => void response.end(await registry.metrics()));

const needs =
  (permission: string, template: string) =>
  async (request: Request & Call, response: Response, next: NextFunction): Promise<void> => {
    request.template = template;
    request.caller = (await tokens.check(request.headers.authorization)) ?? undefined;
    if (!request.caller) response.status(401).json({ status: 401 });
    else if (!request.caller.permissions.includes(permission)) response.status(403).json({ status: 403 });
    else next();
  };

const send = (response: Response, found: object | undefined): void =>
  void response.status(found ? 200 : 404).json(found ?? { status: 404 });

app.get(
  '/api/v1/scan/:code',
  needs('purchases.view', '/api/v1/scan/{code}'),
  async (request: Request<{ code: string }>, response: Response) =>
    send(response, await lookUp(pool, request.params.code)),
);

app.post(
  '/api/v1/inventories/:id/scan',
  needs('inventories.scan', '/api/v1/inventories/{id}/scan'),
  express.json(),
  async (request: Request<{ id: string }> & Call, response: Response) => {
    const { code } = request.body as { code?: unknown };
    if (typeof code !== 'string' || code === '' || !/^\d{1,9}$/.test(request.params.id))
      response.status(422).json({ status: 422 });
    else send(response, await record(pool, Number(request.params.id), code, request.caller!.id));
  },
);

app.listen(Number(process.env.PORT), '127.0.0.1');
