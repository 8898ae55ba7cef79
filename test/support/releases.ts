import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before the service, and gives its service worker another content, as another build would. */
export class Releases {
  version = '';
  /** What it answers itself instead of the service, by address. */
  readonly own = new Map<string, string>();
  private held?: { url: string; until: Promise<void> };
  private readonly server = createServer((request, response) => void this.pass(request, response));

  private constructor(private readonly target: string) {}

  static async before(target: string): Promise<Releases> {
    const releases = new Releases(target);
    releases.server.listen(0, '127.0.0.1');
    await once(releases.server, 'listening');
    return releases;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Nobody gets it before what this returns is called. */
  hold(url: string): () => void {
    let release: () => void;
    const until = new Promise<void>((resolve) => (release = resolve));
    this.held = { url, until };
    return release!;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers } = request;
    if (this.held?.url === url) await this.held.until;
    const { host: _, connection: __, ...passed } = headers as Record<string, string>;
    const body = method === 'GET' ? undefined : await buffer(request);
    const answer = await fetch(this.target + url, { method, headers: passed, body });
    const content = this.own.get(url) ?? Buffer.from(await answer.arrayBuffer());
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers)
      if (!/^(content-(encoding|length)|etag)$/.test(name)) response.setHeader(name, value);
    response.end(url === '/app/service-worker.js' ? `${content.toString()}\n// ${this.version}` : content);
  }
}
