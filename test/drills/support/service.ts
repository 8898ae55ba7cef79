import { RunningProcess } from '../../support/process.js';

/** The drills ask more of one token and one address than people do. */
const WITHOUT_LIMITS = { TOKEN_RATE_LIMIT: '0', ADDRESS_RATE_LIMIT: '0' };

/** The built service as a process of its own, on the database at `url`. */
export class Service {
  private constructor(
    readonly process: RunningProcess,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string, settings: Record<string, string> = {}): Promise<Service> {
    const env = { NODE_ENV: 'production', LOG_LEVEL: 'fatal', DATABASE_URL: databaseUrl, ...WITHOUT_LIMITS };
    const process = new RunningProcess('main', [], { ...env, ...settings });
    return new Service(process, await process.url());
  }

  get isAlive(): boolean {
    return this.process.child.exitCode === null && this.process.child.signalCode === null;
  }

  /** Status of a health route; 0 where nobody answers. */
  async health(route: 'live' | 'ready'): Promise<number> {
    try {
      const response = await fetch(`${this.url}/health/${route}`, { signal: AbortSignal.timeout(5000) });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** A figure of its metrics. */
  async figure(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const [, found] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
    if (!found) throw new Error(`No ${name} in the metrics`);
    return Number(found);
  }

  /** Resolves to its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return this.isAlive ? this.process.signal(signal) : this.process.ended;
  }
}
