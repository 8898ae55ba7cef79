import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What becomes of an answer on its way: it passes; is lost; is none, since the request was lost; ends in the middle, by a broken connection or as if it were
 * whole; is a proxy's own, with that status; never comes, or stops coming in the middle; or is a Wi-Fi's, which wants a
 * login first.
 */
export type Fate =
  | 'passes'
  | 'lost'
  | 'cut'
  | 'broken'
  | 'half'
  | 502
  | 504
  | 'silence'
  | 'stalled'
  | 'portal'
  | 'portal in JSON';

/** The statuses of the service, and what a request did there, are real; this stands in front of it. */
export class FaultyProxy {
  /** What came, as `METHOD /path`. */
  readonly seen: string[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    private readonly fate: (asked: string) => Fate,
  ) {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  /** `fate` is asked once for each answer, with what was asked, as `METHOD /path`. */
  static async to(target: string, fate: (asked: string) => Fate): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, fate);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/portal') return void this.page(response, 200);
    const asked = `${request.method} ${request.url}`;
    this.seen.push(asked);
    const sent = await buffer(request);
    const fate = this.fate(asked);
    if (fate === 'cut') return void request.socket.destroy();
    if (fate === 502 || fate === 504) return void this.page(response, fate);
    if (fate === 'portal') return void response.writeHead(302, { Location: '/portal' }).end();
    if (fate === 'portal in JSON')
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"login":"please"}');
    const { status, headers, body } = await this.ask(request, sent);
    const half = body.subarray(0, body.length / 2);
    switch (fate) {
      case 'passes':
        return void response.writeHead(status, headers).end(body);
      case 'half':
        return void response.writeHead(status, { ...headers, 'content-length': half.length }).end(half);
      case 'stalled':
        return void response.writeHead(status, headers).write(half);
      case 'broken':
        response.writeHead(status, headers).write(half, () => request.socket.destroy());
        return;
      case 'lost':
        return void request.socket.destroy();
      case 'silence':
    }
  }

  private page = (response: ServerResponse, status: number) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Hello</h1>');

  /** What the service answers. */
  private async ask({ method, url, headers }: IncomingMessage, sent: Buffer) {
    const asked = send(`${this.target}${url}`, {
      method,
      headers: { ...headers, host: new URL(this.target).host },
    });
    asked.end(sent);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const passed: IncomingHttpHeaders = { ...answer.headers };
    delete passed.connection;
    delete passed['keep-alive'];
    return { status: answer.statusCode!, headers: passed, body: await buffer(answer) };
  }
}
