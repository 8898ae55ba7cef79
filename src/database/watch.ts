import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const LOOK_EVERY_MS = 1000;
/** In turn, for some 7 s in all: a server that is only busy answers one of these. */
const SILENCES = 3;

/**
 * Ends what is read for long on a server that has become silent. A frozen one, or one behind a broken line, would be
 * waited for until the limit of the statement, which is of minutes.
 */
export class Watch {
  private readonly clients = new Set<PoolClient>();
  private isLooking = false;

  /** @param probes answers or fails within a time, and is used by nobody else */
  constructor(private readonly probes: Pool) {}

  async over<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
    this.clients.add(client);
    if (!this.isLooking) void this.look();
    try {
      return await work();
    } finally {
      this.clients.delete(client);
    }
  }

  end(): Promise<void> {
    return this.probes.end();
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    for (let silences = 0; ; silences = (await this.isSilent()) ? silences + 1 : 0) {
      if (silences >= SILENCES)
        for (const { connection } of this.clients)
          connection.stream.destroy(new Error('Connection terminated: the server is silent'));
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      if (this.clients.size === 0) break;
    }
    this.isLooking = false;
  }

  private async isSilent(): Promise<boolean> {
    try {
      await this.probes.query('SELECT 1');
      return false;
    } catch (error) {
      return (error as Error).message.includes('timeout'); // pg gives no code; whoever refuses is not silent
    }
  }
}
