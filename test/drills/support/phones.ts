import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.js';

/** What came back for a request: status 0 where nothing did, with the reason. */
export interface Told {
  status: number;
  /** What the answer says, where it is JSON. */
  body: Record<string, unknown>;
  /** Of a connection error. */
  error?: string;
  closes: boolean;
  /** What the answer asks to wait, in seconds. */
  retryAfter?: string;
  ms: number;
  /** When the request began, by performance.now(). */
  at: number;
}

/** One HTTP client with one connection that it keeps, as a phone has it. */
export class Phone {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    readonly token: string,
    /** Where it sends the next request. */
    public url: () => string,
  ) {}

  send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Told> {
    const at = performance.now();
    return new Promise((resolve) => {
      const end = (told: Partial<Told>) =>
        resolve({ status: 0, body: {}, closes: false, ms: performance.now() - at, at, ...told });
      const text = body && JSON.stringify(body);
      const sent = request(
        `${this.url()}/api/v1${path}`,
        {
          method,
          agent: this.agent,
          timeout: 30_000,
          headers: {
            authorization: `Bearer ${this.token}`,
            ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          const closes = response.headers.connection === 'close';
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => end({ error: error.message }));
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const isJson = response.headers['content-type']?.includes('json');
            const retryAfter = response.headers['retry-after'];
            end({
              status: response.statusCode!,
              body: isJson ? JSON.parse(answer) : {},
              closes,
              ...(retryAfter && { retryAfter }),
            });
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('No answer in 30 s')));
      sent.on('error', (error: NodeJS.ErrnoException) => end({ error: error.code ?? error.message }));
      sent.end(text);
    });
  }

  scan(session: number, code: string): Promise<Told> {
    return this.send('POST', `/inventories/${session}/scan`, { code });
  }

  hangUp(): void {
    this.agent.destroy();
  }
}

/** A scan that was answered 200, as the phone was told. */
export interface Acknowledged {
  code: string;
  status: string;
  scannedAt: string;
}

const RETRY_MS = 20;

const running = new Set<Campaign>();

/** After a test that failed: phones would go on for ever. */
export const stopCampaigns = (): void => running.forEach((campaign) => campaign.stop());

/**
 * Phones that scan the codes of a session, each code until it is answered 200, and note every answer. A code that came
 * back as a warning was recorded before: its success was lost on the way.
 */
export class Campaign {
  readonly acknowledged: Acknowledged[] = [];
  /** Every answer that was no 200, and every request without one. */
  readonly failures: Told[] = [];
  /** Milliseconds of the answers 200. */
  readonly times: number[] = [];
  readonly phones: Phone[];
  /** Is called with every answer, and with every request that got none. */
  onTold?: (phone: Phone, told: Told) => void;
  private readonly queue: string[];
  private isStopped = false;

  constructor(
    private readonly world: Pick<World, 'session' | 'phones'>,
    private readonly codes: string[],
    url: () => string,
    /** Whether it begins anew when every code is scanned. */
    private readonly isEndless = false,
  ) {
    this.queue = [...codes];
    this.phones = world.phones.map((token) => new Phone(token, url));
  }

  /** Resolves when every code is scanned, or after stop(). */
  async run(): Promise<void> {
    running.add(this);
    await Promise.all(this.phones.map((phone) => this.work(phone)));
    running.delete(this);
    this.phones.forEach((phone) => phone.hangUp());
  }

  stop(): void {
    this.isStopped = true;
  }

  private async work(phone: Phone): Promise<void> {
    for (let code = this.next(); code; code = this.next()) {
      while (!(await this.isScanned(phone, code)) && !this.isStopped) await sleep(RETRY_MS);
    }
  }

  private async isScanned(phone: Phone, code: string): Promise<boolean> {
    const told = await phone.scan(this.world.session, code);
    this.onTold?.(phone, told);
    if (told.status !== 200) {
      this.failures.push(told);
      return false;
    }
    this.times.push(told.ms);
    const { status, scanned_at } = told.body as Record<string, string>;
    this.acknowledged.push({ code, status: status!, scannedAt: scanned_at! });
    return true;
  }

  private next(): string | undefined {
    if (this.isStopped) return undefined;
    if (this.queue.length === 0 && this.isEndless) this.queue.push(...this.codes);
    return this.queue.pop();
  }
}
