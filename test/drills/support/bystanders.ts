import type { TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { factories } from '../../support/factories.js';
import { latencyDuring } from '../../support/latency.js';
import type { Latency } from '../../support/latency.js';
import { RunningProcess } from '../../support/process.js';

const PHONES = 10;

/** A service, and phones that look up a label again and again: those whom trouble of others must not reach. */
export class Bystanders {
  private constructor(
    readonly url: string,
    private readonly phones: Client[],
    private readonly code: string,
  ) {}

  /** With a process of its own on the database of `test`. */
  static async start(test: TestApp): Promise<Bystanders> {
    const { code } = await factories(test).purchase();
    const url = await new RunningProcess('main', [], { DATABASE_URL: test.database.url }).url();
    const names = Array.from({ length: PHONES }, (_, n) => `phone${n}`);
    const clients = await Promise.all(names.map((name) => test.asNewUser(name, 'operator')));
    const phones = clients.map(({ token }) => new Client(url, token));
    return new Bystanders(url, phones, code);
  }

  /** How long they wait while `work` runs. */
  latencyDuring(work: () => Promise<unknown>): Promise<Latency> {
    return latencyDuring(work, PHONES, (n) => this.phones[n]!.get(`/scan/${this.code}`));
  }
}
