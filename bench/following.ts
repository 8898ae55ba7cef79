import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Contestant } from './asks.js';

/** How many connect at once. */
const GROUP = 50;
/** What comes is read into it, all over each other. */
const BIN = Buffer.alloc(262_144);

/** Follows a session over so many connections, and throws away what comes, as cheaply as may be. Ends by what it returns. */
export async function follow(
  { server, data }: Contestant,
  session: number,
  count: number,
): Promise<() => void> {
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  const lines = [
    `GET /api/v1/inventories/${session}/events HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: ${data.authorization()}`,
    'Accept-Encoding: gzip, deflate', // as browsers and apps ask
  ];
  const open = () =>
    new Promise<void>((resolve, reject) => {
      let hasAnswered = false;
      const callback = (length: number): boolean => {
        if (hasAnswered) return true;
        hasAnswered = true;
        const head = BIN.toString('latin1', 0, length);
        if (head.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(`Following a session answered ${head}`));
        return true;
      };
      const socket = connect({ host: hostname, port: Number(port), onread: { buffer: BIN, callback } });
      sockets.push(socket.on('error', reject).resume());
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    });
  while (sockets.length < count) await Promise.all(Array.from({ length: GROUP }, open));
  return () => {
    const gone = sockets.filter((socket) => socket.destroyed).length;
    sockets.forEach((socket) => socket.destroy());
    if (gone > 0) throw new Error(`${gone} of ${count} who followed were dropped`);
  };
}
