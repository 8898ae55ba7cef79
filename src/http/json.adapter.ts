import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import type { Server } from 'node:http';
import { sendPacked } from './compression.js';
import { Download } from './download.js';
import { EventStream } from './event-stream.js';
import { MAX_HEAD } from './head.js';
import { JsonPage } from './json-page.js';
import { StoredFile } from './stored-file.js';

/** Times in milliseconds. How long an answer takes to make is no matter of these. */
const OPTIONS = {
  headersTimeout: 10_000,
  /** Of those with a body, the rest is watched by what has come of it (connections.ts). */
  requestTimeout: 0,
  /** Longer than the 60 s that proxies keep an idle connection, or they would send requests into one that closes. */
  keepAliveTimeout: 75_000,
  /** How often the first is looked at; Node's own 30 s would be three times as much. */
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAX_HEAD,
  /** Refused in the one shape of problems (head.ts). */
  requireHostHeader: false,
};

/** Connections that may wait to be accepted; of more than Node's own 511 that come in one go, some would be reset. */
const BACKLOG = 4096;

/**
 * Requests and answers that are Express's from the start. It would change the prototype of each, and V8 keeps what had
 * its prototype changed, with all that it refers to, until it collects the whole heap: three tenths of all that a
 * look-up allocates (bench/PROFILES.md).
 */
function madeFor(express: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  express.request = ExpressRequest.prototype as Request;
  express.response = ExpressResponse.prototype as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/**
 * Answers objects as JSON by itself: what Express looks up for every answer (settings, types, caches) is the same for
 * all of ours, and took some 8 µs each time.
 */
export class JsonAdapter extends ExpressAdapter {
  /** Nest passes no options to the server. What answers its requests is set in createApp(), by connection. */
  override initHttpServer(): void {
    this.httpServer = createServer({ ...OPTIONS, ...madeFor(this.getInstance<Express>()) });
  }

  override listen(port: number | string, ...args: unknown[]): Server {
    const listening = args.pop() as () => void;
    const [host] = args as string[];
    return this.httpServer.listen({ port: Number(port), host, backlog: BACKLOG }, listening);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (response.headersSent) return; // that it takes too long
    if (
      body instanceof Download ||
      body instanceof EventStream ||
      body instanceof StoredFile ||
      body instanceof JsonPage
    )
      return body.send(response);
    if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype)
      return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (response.statusCode === 304) return response.end();
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const text = JSON.stringify(body);
    // Lists only, which have no entity tag: that of a row is of its plain form. A scan and a login are never packed.
    if (!('data' in body)) return response.end(text); // which tells its length
    body.data = undefined; // whoever holds the answer may be old by now: see drain()
    return sendPacked(response, text);
  }
}
