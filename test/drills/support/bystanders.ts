import type { TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { factories } from '../../support/factories.js';
import { RunningProcess } from '../../support/process.js';
import { percentile } from './report.js';

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

  /** What they are answered while `work` runs, and after how many milliseconds; each asks one after the other. */
  async during(work: () => Promise<unknown>): Promise<{ count: number; p99: number; statuses: number[] }> {
    const times: number[] = [];
    const statuses = new Set<number>();
    let isDone = false;
    const look = async (phone: Client): Promise<void> => {
      while (!isDone) {
        const start = performance.now();
        statuses.add((await phone.get(`/scan/${this.code}`)).status);
        times.push(performance.now() - start);
      }
    };
    const looks = Promise.all(this.phones.map(look));
    await work().finally(() => (isDone = true));
    await looks;
    return { count: times.length, p99: Math.round(percentile(times, 99)), statuses: [...statuses] };
  }
}
