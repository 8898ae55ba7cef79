import express from 'express';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, register } from 'prom-client';
import { connect, lookUp, phone, record } from './purchases.js';

/** The statement and its answer, and nothing that a service owes besides. */
const pool = connect();
const user = await phone(pool);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
collectDefaultMetrics();

app.get('/health/ready', (_request, response) => void response.json({}));
app.get('/metrics', async (_request, response) => void response.end(await register.metrics()));

const send = (response: Response, found: object | undefined): void =>
  void response.status(found ? 200 : 404).json(found ?? { status: 404 });

app.get('/api/v1/scan/:code', async (request: Request<{ code: string }>, response: Response) =>
  send(response, await lookUp(pool, request.params.code)),
);

app.post(
  '/api/v1/inventories/:id/scan',
  express.json(),
  async (request: Request<{ id: string }, object, { code: string }>, response: Response) =>
    send(response, await record(pool, Number(request.params.id), request.body.code, user)),
);

app.listen(Number(process.env.PORT), '127.0.0.1');
