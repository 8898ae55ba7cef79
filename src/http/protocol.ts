import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../common/errors.js';
import { problemOf } from './problem.filter.js';
import { requestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** What never reaches the routes, since it is no request that Node or Express can read, has the one error shape too. */
export function answerProtocolErrors(server: Server): void {
  server.prependListener('request', toOriginForm);
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('clientError', refuse);
}

/**
 * Express looks for the path in a whole address too (RFC 9112, 3.2.2), but drops one that it cannot read before any
 * middleware, with an answer of its own.
 */
function toOriginForm(request: IncomingMessage): void {
  const target = request.url ?? '/';
  if (target.startsWith('/')) return;
  const address = URL.canParse(target) ? new URL(target) : null;
  request.url = address?.pathname.startsWith('/') ? address.pathname + address.search : '/*';
}

/** How long a client that was refused may take to read why. */
const LINGER_MS = 1000;

function refuse(_: Error, socket: Socket): void {
  // Something of an earlier answer may be under way on this connection: a second one would be read as part of it. And
  // who has asked nothing, such as a browser that connects in advance, would take an answer for that of its first.
  if (!socket.writable || socket.bytesWritten > 0 || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const id = requestId(undefined);
  const problem = problemOf(new DomainError('bad-request'), '', id);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    ...SECURITY_HEADERS.map((header) => header.join(': ')),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that never closes its side would keep the connection for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
