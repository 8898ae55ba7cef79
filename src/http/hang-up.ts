import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client that is not heard out may take to read why. */
const LINGER_MS = 1000;

/**
 * Ends a connection of which not everything was read. Closed at once, the kernel would answer what still comes with a
 * reset, and the client would lose what was said to it last.
 */
export function hangUp(socket: Socket, lastWord?: string): void {
  if (lastWord === undefined) socket.end();
  else socket.end(lastWord);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Ends the connection with this answer, of whose request not everything was read. */
export function hangUpAfter(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  const { socket } = response.req;
  socket.destroySoon = () => hangUp(socket); // with which Node ends it after such an answer
}
