import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Env } from '../config/env.js';
import { unavailable } from '../common/errors.js';
import type { DomainError } from '../common/errors.js';
import { hangUp, hangUpAfter } from './hang-up.js';
import { writeProblem } from './problem.filter.js';
import { networkOf } from './rate-limit.js';
import type { AppRequest } from './request.js';

/** With so many requests waiting for their turn, a connection is not read further until they have had it. */
const WAITING = 10;
/** How many more there may be on all connections: in the one piece that Node reads of each there are up to 1 800. */
const WAITING_MORE = 2000;
/** An answer of which nothing was taken off our hands for as long is given up, and its connection with it. */
const STALLED_MS = 20_000;
/** How long a connection on which so many requests had to wait may be idle: who reads has long sent more by then. */
const IDLE_MS = 20_000;
/** How long a body may take to come, and how fast it comes at least from then on: a photo of 5 MB within 173 s. */
const BODY_MS = 30_000;
const BODY_BYTES_A_MS = 35;
const WATCH_MS = 1000;
/** How many there may be above the limits, so that health checks get in; the oldest gives way, and all of them soon. */
const SPARE = 100;
const SPARE_MS = 5000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** What the connections of a server have in common. */
interface Shared {
  serve: Serve;
  waiting: number;
}

/**
 * Its requests are answered one after the other: none is begun before the answer to the one before it was written, so
 * that whoever does not read holds one answer in memory, and what was carried out is told before anything else is said.
 */
class Connection {
  private readonly waiting: [IncomingMessage, ServerResponse][] = [];
  private request?: IncomingMessage;
  private response?: ServerResponse;
  private isEnding = false;
  private lastWord?: string;
  private isPaused = false;
  private hasPressed = false;
  private hasAsked = false;
  private stalled?: { size: number; since: number };
  /** When its request came, and how many bytes had come by then. */
  private begun = { at: 0, bytes: 0 };

  constructor(
    private readonly socket: Socket,
    private readonly shared: Shared,
    private readonly isSpare: boolean,
  ) {}

  take(request: IncomingMessage, response: ServerResponse): void {
    this.hasAsked = true;
    if (this.isEnding || !this.socket.writable) return;
    if (!this.response) {
      this.begin(request, response);
      return;
    }
    if (this.waiting.length >= WAITING && this.shared.waiting >= WAITING_MORE) {
      this.end();
      return;
    }
    this.shared.waiting++;
    if (this.waiting.push([request, response]) < WAITING) return;
    this.hasPressed = true;
    this.pause();
  }

  /** Forgets those that were not begun. */
  drop(): void {
    this.shared.waiting -= this.waiting.length;
    this.waiting.length = 0;
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.request = request;
    this.response = response;
    this.begun = { at: performance.now(), bytes: this.socket.bytesRead };
    response.on('close', this.next);
    if (this.isSpare) {
      (request as AppRequest).isAboveLimits = true;
      response.setHeader('Connection', 'close');
    }
    this.shared.serve(request, response);
  }

  private readonly next = (): void => {
    this.response = undefined;
    if (this.request?.complete) this.request = undefined; // or each connection keeps its last one for V8 to make old
    if (!this.socket.writable) return; // that answer was the last
    this.stalled = undefined;
    const following = this.waiting.shift();
    if (following) {
      this.shared.waiting--;
      this.begin(...following);
    } else if (this.isEnding) hangUp(this.socket, this.lastWord);
    else if (this.isPaused) this.resume();
    // What nobody reads may also lie in the kernel. Node has set the time that others may be idle.
    if (!following && this.hasPressed) this.socket.setTimeout(IDLE_MS);
  };

  /** What was read is no request, or breaks off one: said when those before it are answered. */
  refuse(error: DomainError, write: () => string): void {
    if (this.isEnding) return;
    const broken = this.waiting.at(-1)?.[0] ?? this.request;
    if (!broken || broken.complete) {
      this.end(write());
    } else if (this.waiting.pop()) {
      this.shared.waiting--;
      this.end(write()); // it was not begun
    } else {
      this.breakOff(broken, error);
    }
  }

  /** Of a request that was begun, no more is taken. */
  private breakOff(request: IncomingMessage, error: DomainError): void {
    if (!this.response || this.response.headersSent) {
      this.socket.destroy(); // it has its answer
      return;
    }
    this.isEnding = true;
    hangUpAfter(this.response);
    writeProblem(request as AppRequest, this.response as never, error);
    // Node forgets a request that is answered, and who reads its body, now or later, would wait without end. It ends
    // without its connection, on which the answer goes out.
    request._destroy = (_error, done) => done();
    request.destroy();
  }

  /** Takes no more, and ends when all that waits is answered. */
  private end(lastWord?: string): void {
    this.isEnding = true;
    this.lastWord = lastWord;
    // Node makes a request and an answer of whatever else stands in the piece of 64 kB that it reads.
    const { parser } = this.socket as { parser?: { onIncoming: () => number } | null };
    if (parser) parser.onIncoming = () => 0;
    this.pause();
    if (!this.response) hangUp(this.socket, lastWord);
  }

  /** For a server that closes: Node waits for the first request of a connection for as long as there may be one. */
  endUnasked(): void {
    if (!this.hasAsked) this.socket.destroy();
  }

  /** Ends the connection when an answer is not taken off our hands for too long, or a body comes too slowly. */
  watch(now: number): void {
    const { request, response, socket } = this;
    const patience = BODY_MS + (socket.bytesRead - this.begun.bytes) / BODY_BYTES_A_MS;
    if (request && !request.complete && !this.isEnding && now - this.begun.at > patience)
      this.breakOff(request, unavailable());
    if (!response || (!response.writableNeedDrain && (!response.writableEnded || response.writableFinished)))
      return;
    this.pause(); // nothing more is wanted of it
    // By the bytes that the kernel has not taken: of a large answer, writableLength falls all at once.
    const { writeQueueSize: size = 0 } =
      (socket as { _handle?: { writeQueueSize: number } | null })._handle ?? {};
    if (this.stalled?.size !== size) this.stalled = { size, since: now };
    else if (now - this.stalled.since >= STALLED_MS) socket.destroy();
  }

  private pause(): void {
    this.isPaused = true;
    // Not before the piece is read: the parser resumes the connection at the end of each request.
    process.nextTick(() => this.isPaused && this.socket.pause());
  }

  private resume(): void {
    this.isPaused = false;
    this.socket.resume();
  }
}

/** All connections of a server, of which there are no more than the settings say, in all and of one address. */
export class Connections {
  private readonly all = new Map<Socket, Connection>();
  private readonly spare = new Set<Socket>();
  private readonly ofAddress = new Map<string, number>();
  private readonly shared: Shared;

  constructor(
    server: Server,
    serve: Serve,
    private readonly env: Env,
  ) {
    this.shared = { serve, waiting: 0 };
    server.on('connection', (socket) => this.open(socket));
    server.on('request', (request, response) => this.all.get(request.socket)?.take(request, response));
    const watch = setInterval(() => {
      const now = performance.now();
      this.all.forEach((connection) => connection.watch(now));
      if (!server.listening) this.all.forEach((connection) => connection.endUnasked());
    }, WATCH_MS).unref();
    server.on('close', () => clearInterval(watch));
  }

  /** What was read is no request: says so with what `write` makes, when what was read before is answered. */
  refuse(socket: Socket, error: DomainError, write: () => string): void {
    // Who has asked nothing, such as a browser that connects in advance, would take it for the answer to its first.
    if (!socket.writable || socket.bytesRead === 0) socket.destroy();
    else this.all.get(socket)?.refuse(error, write);
  }

  private open(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const isSpare = this.isFull(network);
    const connection = new Connection(socket, this.shared, isSpare);
    this.all.set(socket, connection);
    if (isSpare) this.lend(socket);
    else this.ofAddress.set(network, this.count(network) + 1);
    socket.on('close', () => {
      connection.drop();
      this.all.delete(socket);
      if (this.spare.delete(socket)) return;
      if (this.count(network) === 1) this.ofAddress.delete(network);
      else this.ofAddress.set(network, this.count(network) - 1);
    });
  }

  /** Behind a proxy, all come from its address. */
  private isFull(network: string): boolean {
    const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, TRUST_PROXY } = this.env;
    if (this.all.size - this.spare.size >= MAX_CONNECTIONS) return true;
    return TRUST_PROXY === 0 && this.count(network) >= MAX_CONNECTIONS_PER_ADDRESS;
  }

  private count(network: string): number {
    return this.ofAddress.get(network) ?? 0;
  }

  private lend(socket: Socket): void {
    const [oldest] = this.spare;
    if (this.spare.size === SPARE) oldest?.destroy();
    this.spare.add(socket);
    setTimeout(() => socket.destroy(), SPARE_MS).unref();
  }
}
