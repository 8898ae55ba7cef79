import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { collectDefaultMetrics, register } from 'prom-client';
import { connect, lookUp, phone, record } from './purchases.js';

/** The statement and its answer, and nothing that a service owes besides. */
const pool = connect();
const user = await phone(pool);
collectDefaultMetrics();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request;
  if (url === '/health/ready') return send(response, {});
  if (url === '/metrics') return void response.end(await register.metrics());
  if (method === 'GET')
    return send(response, await lookUp(pool, decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))));
  const { code } = JSON.parse(await text(request)) as { code: string };
  send(response, await record(pool, Number(url.split('/')[4]), code, user));
}

function send(response: ServerResponse, body?: object): void {
  const sent = Buffer.from(JSON.stringify(body ?? { status: 404 }));
  response
    .writeHead(body ? 200 : 404, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': sent.length,
    })
    .end(sent);
}

createServer((request, response) => void answer(request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
