import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../common/errors.js';
import type { Connections } from './connections.js';
import { isAddressTooLong } from './head.js';
import { problemOf } from './problem.filter.js';
import { requestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** What Node says of bytes that it cannot read. */
interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Is told of each answer to what was no request. */
type Tell = (id: string, status: number, address: string) => void;

/** What never reaches the routes, since it is no request that Node or Express can read, has the one error shape too. */
export function answerProtocolErrors(server: Server, connections: Connections, tell: Tell): void {
  server.prependListener('request', toOriginForm);
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1); that one is met when the body is read.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) =>
      server.emit('request', request, response),
    );
  const refuse = (error: DomainError, socket: Socket): void =>
    connections.refuse(socket, error, () => {
      const id = requestId(undefined);
      const problem = problemOf(error, '', id);
      tell(id, problem.status, socket.remoteAddress ?? '');
      return lastWord(problem, id);
    });
  server.on('clientError', ({ code, rawPacket, bytesParsed = 0 }: ParseError, socket: Socket) => {
    const isAddress = code === 'HPE_HEADER_OVERFLOW' && rawPacket && isAddressTooLong(rawPacket, bytesParsed);
    refuse(new DomainError(isAddress ? 'address-too-long' : 'bad-request'), socket);
  });
  // Without a listener, Node would drop the connection with all that is not answered yet.
  server.on('connect', ({ socket }: IncomingMessage) => refuse(new DomainError('bad-request'), socket));
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

function lastWord(problem: ReturnType<typeof problemOf>, id: string): string {
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
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
