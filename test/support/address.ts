import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** The address of a cluster: the server behind it may become another one. */
export class Address {
  private readonly server: Server;

  private constructor(private target: URL) {
    this.server = createServer((near) => {
      const far = connect(Number(this.target.port), this.target.hostname);
      near.on('error', () => undefined).on('close', () => far.destroy());
      far.on('error', () => undefined).on('close', () => near.destroy());
      near.pipe(far).pipe(near);
    });
  }

  static async of(target: string): Promise<Address> {
    const address = new Address(new URL(target));
    address.server.listen(0, '127.0.0.1');
    await once(address.server, 'listening');
    return address;
  }

  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  leadTo(target: string): void {
    this.target = new URL(target);
  }

  close(): void {
    this.server.close();
  }
}
