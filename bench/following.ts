import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Contestant } from './asks.js';

/** How many connect at once. */
const GROUP = 50;

/** Follows a session over so many connections, and throws away what comes, as cheaply as may be. Ends by what it returns. */
export async function follow(
  { server, data }: Contestant,
  session: number,
  count: number,
): Promise<() => void> {
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    const lines = [
      `GET /api/v1/inventories/${session}/events HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: ${data.authorization()}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    if (!head.toString().startsWith('HTTP/1.1 200'))
      throw new Error(`Following a session answered ${head.toString()}`);
    socket.resume();
  };
  while (sockets.length < count) await Promise.all(Array.from({ length: GROUP }, open));
  return () => sockets.forEach((socket) => socket.destroy());
}
