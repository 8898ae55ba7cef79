import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { observe, registry } from './observe.js';
import type { Call } from './observe.js';
import { connect, lookUp, record } from './purchases.js';
import { Tokens } from './tokens.js';

const LOOKUP = /^\/api\/v1\/scan\/([^/?]+)$/;
const SCAN = /^\/api\/v1\/inventories\/(\d{1,9})\/scan$/;

const pool = connect();
const tokens = new Tokens(pool);

async function answer(request: Call, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request;
  if (url === '/health/ready') return send(response, 200, {});
  if (url === '/metrics') return void response.end(await registry.metrics());
  const code = method === 'GET' && LOOKUP.exec(url)?.[1];
  const session = method === 'POST' && SCAN.exec(url)?.[1];
  if (!code && !session) return send(response, 404);
  request.template = code ? '/api/v1/scan/{code}' : '/api/v1/inventories/{id}/scan';
  const user = await tokens.check(request.headers.authorization);
  if (!user) return send(response, 401);
  request.caller = user;
  if (!user.permissions.includes(code ? 'purchases.view' : 'inventories.scan')) return send(response, 403);
  if (code) {
    const purchase = await lookUp(pool, decodeURIComponent(code));
    return send(response, purchase ? 200 : 404, purchase);
  }
  const scanned = codeIn(await read(request));
  if (scanned === null) return send(response, 422);
  const result = await record(pool, Number(session), scanned, user.id);
  return send(response, result ? 200 : 404, result);
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function codeIn(body: string): string | null {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'string' && code !== '' ? code : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, body: object = { status }): void {
  const text = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': text.length })
    .end(text);
}

createServer((request, response) => {
  observe(request, response);
  answer(request, response).catch(() => send(response, 500));
}).listen(Number(process.env.PORT), '127.0.0.1');
