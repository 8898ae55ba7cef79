import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** The address of a cluster: the server behind it may become another one. */
export class Address {
  private readonly server: Server;
  private endsWith?: () => Promise<unknown>;
  private forgets?: string;
  private readonly endings: Promise<unknown>[] = [];

  private constructor(private target: URL) {
    this.server = createServer((near) => {
      const far = connect(Number(this.target.port), this.target.hostname);
      near.on('error', () => undefined).on('close', () => far.destroy());
      far.on('error', () => undefined).on('close', () => near.destroy());
      near.pipe(far);
      if (this.endsWith) this.endTogether(near, far);
      else if (this.forgets) this.forget(this.forgets, near, far);
      else far.pipe(near);
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

  /**
   * From now on what opens a connection comes in one piece with what ends it, as to a reader that is busy: `terminate`
   * ends it. Without it, connections are as they were, once none is being ended any more.
   */
  async endAtOnce(terminate?: () => Promise<unknown>): Promise<void> {
    this.endsWith = terminate;
    await Promise.all(this.endings.splice(0));
  }

  /** Connections from now on that have said this are cut where a commit of theirs is answered, which is lost. */
  forgetCommitsOf(said: string): void {
    this.forgets = said;
  }

  close(): void {
    this.server.close();
  }

  private forget(said: string, near: Socket, far: Socket): void {
    let hasSaid = false;
    near.on('data', (data) => (hasSaid ||= data.includes(said)));
    far.on('data', (data) => {
      if (hasSaid && data.includes(COMMITTED)) near.destroy();
      else near.write(data);
    });
  }

  private endTogether(near: Socket, far: Socket): void {
    const held: Buffer[] = [];
    far.on('data', (data) => {
      if (held.length === 0 && (!this.endsWith || !data.subarray(-READY.length).equals(READY))) {
        near.write(data);
        return;
      }
      if (held.push(data) === 1) this.endings.push(this.endsWith!());
    });
    far.on('end', () => near.end(Buffer.concat(held)));
  }
}

const COMMITTED = 'COMMIT\0';
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
