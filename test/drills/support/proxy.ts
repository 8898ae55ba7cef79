import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Stands between the service and PostgreSQL, and does what networks do. */
export class Proxy {
  private readonly links = new Set<[Socket, Socket]>();
  private readonly server: Server;
  private delay = 0;
  private isHolding = false;

  private constructor(private readonly target: number) {
    // Every byte is passed on by hand, so that it can be held or delayed, but in its order.
    this.server = createServer((near) => {
      const far = connect(this.target, '127.0.0.1');
      const link: [Socket, Socket] = [near, far];
      this.links.add(link);
      if (this.isHolding) link.forEach((socket) => socket.pause());
      for (const [from, to] of [link, [far, near] as const]) {
        from.setNoDelay();
        from.on('data', (data) => {
          if (this.delay > 0) setTimeout(() => to.write(data), this.delay);
          else to.write(data);
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          this.links.delete(link);
          to.destroy();
        });
      }
    });
  }

  static async to(port: number): Promise<Proxy> {
    const proxy = new Proxy(port);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections stay, and nothing goes through them, until `release`; then all that was held. */
  hold(): void {
    this.isHolding = true;
    for (const link of this.links) link.forEach((socket) => socket.pause());
  }

  release(): void {
    this.isHolding = false;
    for (const link of this.links) link.forEach((socket) => socket.resume());
  }

  /** Milliseconds that every byte takes from now on, each way. */
  slow(delay: number): void {
    this.delay = delay;
  }

  /** Resets every connection. */
  cut(): void {
    for (const link of this.links) link.forEach((socket) => socket.resetAndDestroy());
  }

  async close(): Promise<void> {
    this.server.close();
    this.cut();
    if (this.server.listening) await once(this.server, 'close');
  }
}
