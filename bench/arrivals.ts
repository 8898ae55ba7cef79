import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Asks } from './fire.js';

export interface Arriving {
  /** Requests a second, whether those before are answered or not. */
  rate: number;
  connections: number;
  /** Seconds. */
  duration: number;
}

/** Milliseconds from when requests were due, whether or not a connection was free then, to the ends of their answers. */
export interface Waited {
  p50: number;
  p99: number;
  p999: number;
  /** Answers a second. */
  rate: number;
}

const HEAD_END = '\r\n\r\n';
/** For what is still asked when the time is over. */
const PATIENCE_MS = 30_000;

/** Asks at a fixed rate, as people do who know nothing of each other, and of how slow the answers are. */
export async function arrive(
  url: string,
  asks: Asks,
  { rate, connections, duration }: Arriving,
): Promise<Waited> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.to(new URL(url))));
  for (const connection of opened) await connection.ask(asks.next()); // as phones that have been there before
  const free = [...opened];
  const due: number[] = [];
  const waits: number[] = [];
  const count = Math.round(rate * duration);
  const began = performance.now();
  let failure: Error | undefined;
  const serve = async (connection: Connection, first: number): Promise<void> => {
    for (let at: number | undefined = first; at !== undefined; at = due.shift()) {
      await connection.ask(asks.next());
      waits.push(performance.now() - at);
    }
    free.push(connection);
  };
  for (let sent = 0; failure === undefined && waits.length < count;) {
    const now = performance.now();
    if (now > began + duration * 1000 + PATIENCE_MS)
      throw new Error(`${count - waits.length} requests were left without an answer.`);
    for (; sent < count && began + (sent * 1000) / rate <= now; sent++) {
      const at = began + (sent * 1000) / rate;
      const connection = free.shift(); // in turn: by default Node.js closes in its server what nobody has used for 5 s
      if (connection) serve(connection, at).catch((error: unknown) => (failure = error as Error));
      else due.push(at);
    }
    await sleep(1);
  }
  const seconds = (performance.now() - began) / 1000;
  for (const connection of opened) connection.close();
  if (failure) throw failure;
  waits.sort((a, b) => a - b);
  const of = (share: number) => waits[Math.ceil(count * share) - 1]!;
  return { p50: of(0.5), p99: of(0.99), p999: of(0.999), rate: count / seconds };
}

/** HTTP/1.1 by hand, for answers that tell their length: Node's own client takes as much of the cores as a server. */
class Connection {
  private text = '';
  private answered?: { resolve: (answer: string) => void; reject: (error: Error) => void };

  private constructor(
    private readonly socket: Socket,
    private readonly host: string,
  ) {
    socket.setNoDelay().setEncoding('utf8');
    socket.on('data', (chunk) => this.read(String(chunk)));
    socket.on('close', () => this.answered?.reject(new Error('A connection was closed.')));
    socket.on('error', () => undefined); // what it was is told by its close
  }

  static async to({ hostname, port, host }: URL): Promise<Connection> {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket, host);
  }

  /** @throws Error where the answer is not the one expected */
  async ask({ method, path, headers, body, accepts }: Ask): Promise<void> {
    const lines = Object.entries({ Host: this.host, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const answer = new Promise<string>((resolve, reject) => (this.answered = { resolve, reject }));
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body ?? ''}`);
    const text = await answer;
    if (!/^HTTP\/1.1 20[01] /.test(text) || !accepts(text.slice(text.indexOf(HEAD_END) + HEAD_END.length)))
      throw new Error(`${method} ${path} ${body ?? ''} answered ${text.slice(0, 1000)}`);
  }

  close(): void {
    this.answered = undefined;
    this.socket.destroy();
  }

  private read(chunk: string): void {
    this.text += chunk;
    const head = this.text.indexOf(HEAD_END);
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.text.slice(0, head))?.[1]);
    const { answered, text } = this;
    if (Number.isNaN(length)) return answered?.reject(new Error(`No length: ${text.slice(0, 1000)}`));
    const rest = text.slice(head + HEAD_END.length);
    if (rest.length < length && Buffer.byteLength(rest) < length) return;
    this.text = '';
    this.answered = undefined;
    answered?.resolve(text);
  }
}
