import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** What came back over the wire: status 0 where nothing did. */
export interface Reply {
  status: number;
  text: string;
  ms: number;
}

interface Connection {
  socket: Socket;
  received: string;
  end?: (reply: Omit<Reply, 'ms'>) => void;
}

/**
 * An HTTP client with next to no work for a request, so that it can ask for more than a service on the same machine
 * can do: it knows answers with a Content-Length, and nothing else.
 */
export class Wire {
  private readonly idle: Connection[] = [];
  private readonly all = new Set<Connection>();

  constructor(
    private readonly port: number,
    /** Connections at most. */
    private readonly limit: number,
  ) {}

  /** Null where every connection waits for an answer. */
  scan(session: number, token: string, code: string): Promise<Reply> | null {
    const connection = this.idle.pop() ?? (this.all.size < this.limit ? this.open() : undefined);
    if (!connection) return null;
    const began = performance.now();
    const body = `{"code":"${code}"}`;
    connection.socket.write(
      `POST /api/v1/inventories/${session}/scan HTTP/1.1\r\nHost: drill\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return new Promise((resolve) => {
      connection.end = (reply) => resolve({ ...reply, ms: performance.now() - began });
    });
  }

  get connections(): number {
    return this.all.size;
  }

  hangUp(): void {
    for (const { socket } of this.all) socket.destroy();
  }

  private open(): Connection {
    const socket = connect(this.port, '127.0.0.1').setNoDelay();
    const connection: Connection = { socket, received: '' };
    this.all.add(connection);
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => this.take(connection, data));
    let reason = 'closed';
    socket.on('error', (error: NodeJS.ErrnoException) => (reason = error.code ?? error.message));
    socket.on('close', () => {
      this.all.delete(connection);
      const at = this.idle.indexOf(connection);
      if (at >= 0) this.idle.splice(at, 1);
      connection.end?.({ status: 0, text: reason });
    });
    return connection;
  }

  private take(connection: Connection, data: string): void {
    connection.received += data;
    const { received, end } = connection;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    const text = received.slice(head + 4);
    if (Buffer.byteLength(text) < length) return;
    connection.received = '';
    connection.end = undefined;
    this.idle.push(connection);
    end?.({ status: Number(received.slice(9, 12)), text });
  }
}
