import type { Response } from 'express';
import { acceptsGzip } from './compression.js';
import { GzipStream, shortText } from './gzip-stream.js';
import type { SharedText } from './gzip-stream.js';
import type { AppRequest } from './request.js';

/** How often a comment says that the connection is alive; proxies take one that is silent for a minute for dead. */
const COMMENT_MS = 15_000;
const COMMENT = shortText(':\n\n');
/** How long a listener may take to read the end of its stream. */
const LINGER_MS = 1000;

/** Who reads a stream of events. */
export class Listener {
  /** Whether it has not taken yet what it was given. */
  isBehind = false;

  constructor(
    private readonly response: Response,
    private readonly gzip?: GzipStream,
  ) {
    if (gzip && !this.isGone) response.write(gzip.head);
  }

  /** What an event takes to be told to him, beside who has it packed: about so many times the bytes. */
  get cost(): number {
    return this.gzip ? 1 : 8;
  }

  /** Reads no more, or is to be told no more. */
  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Resolves once it has room for more, or has gone: whoever awaits it before he makes more keeps nothing for it. */
  async send(text: SharedText): Promise<void> {
    const { response } = this;
    if (this.isGone || response.write(this.encoded(text))) return;
    this.isBehind = true;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
    this.isBehind = response.destroyed;
  }

  comment(): void {
    if (!this.isGone && !this.isBehind) this.response.write(this.encoded(COMMENT));
  }

  /** Ends the stream, and soon the connection of whoever does not read that. */
  end(lastWord = ''): void {
    if (this.isGone) return;
    if (lastWord) this.response.write(this.encoded(shortText(lastWord)));
    this.response.end(this.gzip?.end());
    setTimeout(() => this.response.destroy(), LINGER_MS).unref();
  }

  onGone(leave: () => void): void {
    if (this.response.destroyed) leave();
    else this.response.on('close', leave);
  }

  private encoded(text: SharedText): Buffer {
    return this.gzip ? this.gzip.piece(text) : text.plain;
  }
}

/** An answer that goes on: Server-Sent Events (WHATWG HTML, 9.2), until `follow` resolves or its listener has gone. */
export class EventStream {
  constructor(private readonly follow: (listener: Listener) => Promise<void>) {}

  async send(response: Response): Promise<void> {
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.setHeader('X-Accel-Buffering', 'no'); // nginx passes on each event as it comes
    response.setHeader('Connection', 'close');
    response.vary('Accept-Encoding');
    const gzip = acceptsGzip(response.req) ? new GzipStream() : undefined;
    if (gzip) response.setHeader('Content-Encoding', 'gzip');
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    response.flushHeaders();
    (response.req as AppRequest).streamsSince = performance.now();
    const listener = new Listener(response, gzip);
    const comments = setInterval(() => listener.comment(), COMMENT_MS).unref();
    listener.onGone(() => clearInterval(comments));
    await this.follow(listener);
    listener.end();
  }
}

/** One event; its data is JSON, which has no line breaks. */
export const eventText = (event: string, id: string, json: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${json}\n\n`;
