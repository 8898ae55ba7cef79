import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const ASKED_EVERY_MS = 200;

/** Sends requests in turn to the instances that say they are ready, and never a second time: what fails is 502. */
export class Balancer {
  private readonly ready = new Set<string>();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  private constructor(private readonly instances: string[]) {
    this.server = createServer((asked, answer) => this.forward(asked, answer));
    this.timer = setInterval(() => void this.askAll(), ASKED_EVERY_MS);
  }

  static async before(instances: string[]): Promise<Balancer> {
    const balancer = new Balancer(instances);
    await balancer.askAll();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(instance: string): boolean {
    return this.ready.has(instance);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.agent.destroy();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async askAll(): Promise<void> {
    await Promise.all(
      this.instances.map(async (instance) => {
        const isReady = await fetch(`${instance}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.ready.add(instance);
        else this.ready.delete(instance);
      }),
    );
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    const instances = this.instances.filter((instance) => this.ready.has(instance));
    const instance = instances[this.turn++ % instances.length];
    const fail = (error?: Error) => {
      answer.writeHead(502, { 'content-type': 'text/plain' }).end(String(error));
    };
    if (!instance) return fail();
    const headers = { ...asked.headers };
    delete headers.connection;
    const sent = request(
      `${instance}${asked.url}`,
      { method: asked.method, headers, agent: this.agent },
      (got) => {
        const kept = { ...got.headers };
        delete kept.connection;
        answer.writeHead(got.statusCode!, kept);
        got.pipe(answer);
      },
    );
    sent.on('error', fail);
    asked.pipe(sent);
  }
}
