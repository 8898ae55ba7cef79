import { signal } from '@preact/signals';
import { follow, retryingFetch, unwrap } from '@recense/client';
import type { InventoryDto, LiveEvent, ProgressDto, ProgressGroupDto, ScanEntryDto } from '@recense/client';
import { api, isOnline, isProblem } from '../shared/api.js';

const GROUPS = ['location', 'category', 'user'] as const;
export type Groups = Record<(typeof GROUPS)[number] | 'hour', ProgressGroupDto[]>;

/** How many of the latest scans are shown. */
const LATEST = 6;
/** Where the stream is not there, the service is asked so often; and what no event tells is never older, in milliseconds. */
const ASK_MS = 5000;
const OLDEST_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Asked in vain for so long, the service cannot be reached: what is shown is some 15 s old by then, in milliseconds. */
const LOST_MS = 10_000;

/** It is asked again soon anyway. */
const once = retryingFetch({ tries: 1 });

/** What one tab hears of the stream, for all tabs that show the session. */
type Told = { event: LiveEvent } | { isThere: boolean };

/** A session as it goes on. Of several tabs one follows the stream: a browser has six connections for a host. */
export class Live {
  readonly session = signal<InventoryDto | undefined>(undefined);
  readonly groups = signal<Partial<Groups>>({});
  readonly latest = signal<ScanEntryDto[]>([]);
  /** Scans of the last hour. */
  readonly pace = signal(0);
  readonly isThere = signal(false);
  /** When the service last answered, in milliseconds. */
  readonly answered = signal<number | undefined>(undefined);
  /** Whether it cannot be reached: what is shown is as of then. */
  readonly isLost = signal(false);
  readonly error = signal<unknown>(undefined);
  private readonly ending = new AbortController();
  private readonly channel: BroadcastChannel | undefined;
  private asked = -Infinity;
  private isAsking = false;
  /** Since when it is asked without an answer. */
  private unanswered: number | undefined;
  private isStale = true;

  constructor(private readonly sessionId: number) {
    if (typeof BroadcastChannel !== 'undefined') this.channel = new BroadcastChannel(`live ${sessionId}`);
  }

  start(): void {
    this.channel?.addEventListener('message', ({ data }: MessageEvent<Told>) => this.hear(data));
    const timer = setInterval(() => void this.look(), 1000);
    this.ending.signal.addEventListener('abort', () => clearInterval(timer));
    void this.look();
    if ('locks' in navigator) {
      const { signal } = this.ending;
      navigator.locks
        .request(`live ${this.sessionId}`, { signal }, () => this.follow())
        .catch(() => undefined); // the page was left before its turn came
    } else void this.follow();
  }

  end(): void {
    this.ending.abort();
    this.channel?.close();
  }

  private async follow(): Promise<void> {
    const { signal } = this.ending;
    const tell = (told: Told): void => {
      this.hear(told);
      if (!signal.aborted) this.channel?.postMessage(told);
    };
    try {
      const onConnection = (isThere: boolean): void => tell({ isThere });
      for await (const event of follow(api, this.sessionId, { signal, onConnection })) tell({ event });
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
  }

  private hear(told: Told): void {
    if ('isThere' in told) {
      this.isThere.value = told.isThere;
      return;
    }
    this.isThere.value = true;
    const { event, data } = told.event;
    const session = this.session.value;
    if (event === 'progress') {
      if (session) this.session.value = { ...session, progress: data satisfies ProgressDto };
      this.isStale = true;
    } else if (event === 'scan') {
      const others = this.latest.value.filter(({ id }) => id !== data.id);
      this.latest.value = [data, ...others].slice(0, LATEST);
    } else if (event === 'undone') {
      this.latest.value = this.latest.value.filter(({ id }) => id !== data.id);
    } else if (event === 'closed' || event === 'reopened') {
      this.session.value = data;
    } else if (event === 'reset') {
      this.asked = -Infinity;
    }
  }

  /** Asks for what no event tells: soon after something has happened, and every few seconds without the stream. */
  private async look(): Promise<void> {
    const now = performance.now(); // the clock of a device may be set back
    this.isLost.value = this.unanswered !== undefined && now - this.unanswered > LOST_MS;
    const isAnswered = isOnline.value && this.unanswered === undefined;
    const isCurrent = this.isThere.value && isAnswered && !this.isStale;
    const isDue = now - this.asked > (isCurrent ? OLDEST_MS : ASK_MS);
    if (!isDue || this.isAsking || document.visibilityState === 'hidden') return;
    this.asked = now;
    this.isAsking = true;
    this.unanswered ??= now;
    this.isStale = false;
    const path = { id: this.sessionId };
    try {
      const by = async (one: keyof Groups) => {
        const query = { by: one };
        const { data } = await unwrap(
          api.GET('/api/v1/inventories/{id}/progress', { params: { path, query }, fetch: once }),
        );
        return [one, data] as const;
      };
      const scans = (query: { per_page: number; sort?: '-id'; scanned_from?: string }) =>
        unwrap(api.GET('/api/v1/inventories/{id}/scans', { params: { path, query }, fetch: once }));
      const from = new Date(Date.now() - HOUR_MS).toISOString();
      const [session, recent, hour, ...groups] = await Promise.all([
        unwrap(api.GET('/api/v1/inventories/{id}', { params: { path }, fetch: once })),
        scans({ per_page: LATEST, sort: '-id' }),
        scans({ per_page: 1, scanned_from: from }),
        ...[...GROUPS, 'hour' as const].map(by),
      ]);
      this.session.value = session;
      this.latest.value = recent.data;
      this.pace.value = hour.meta.total ?? 0;
      this.groups.value = Object.fromEntries(groups);
      this.error.value = undefined;
      this.answered.value = Date.now();
      this.reached();
    } catch (error) {
      if (!isProblem(error)) return;
      this.error.value = error;
      if (error.problem.status < 500) this.reached(); // it says why it does not answer
    } finally {
      this.isAsking = false;
    }
  }

  private reached(): void {
    this.unanswered = undefined;
    this.isLost.value = false;
  }
}
