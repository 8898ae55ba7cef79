import { signal } from '@preact/signals';
import type { InventoryDto, ScanFields } from '@recense/client';
import { user } from '../shared/account.js';
import { doAfterwards } from '../shared/afterwards.js';
import { Places, readPlaces } from '../shared/places.js';
import { aside, onOutcome, scans } from '../shared/scans.js';
import type { Outcome } from '../shared/scans.js';
import { recall, remember } from '../shared/store.js';
import { Pack } from './pack.js';
import { give } from './signals.js';
import { judge, verdictOf } from './verdict.js';
import type { Verdict } from './verdict.js';

/** One read of a code, with what is known of it. */
export interface Read {
  clientId: string;
  /** When, in milliseconds. */
  at: number;
  /** What was read, as it was. */
  text: string;
  verdict: Verdict;
  /** `waiting`: the service has not answered; `aside`: it will not take it as it is; `undone` by the user. */
  state: 'waiting' | 'done' | 'aside' | 'undone';
  /** Of what the service has recorded; null where it recorded nothing. */
  scanId: number | null;
  fields: ScanFields;
  hasPhoto: boolean;
}

/** How many reads are shown, and may be undone here. */
const SHOWN = 20;
/** How often it is asked what others have scanned, in milliseconds. */
const RENEW_MS = 60_000;

type Source = 'camera' | 'scanner' | 'manual';

/** The scanning of one session on this device. */
export class Scanning {
  readonly reads = signal<Read[]>([]);
  readonly placeId = signal<number | null>(null);
  readonly places = signal(new Places([]));
  /** How far the pack is: undefined once it is there; `failed` where there is none and it cannot be had. */
  readonly loading = signal<number | 'failed' | undefined>(0);
  readonly session = signal<InventoryDto | undefined>(undefined);
  readonly pack: Pack;
  private readonly ending = new AbortController();
  private readonly leave: (() => void)[] = [];

  constructor(readonly sessionId: number) {
    this.pack = new Pack(sessionId);
  }

  async start(): Promise<void> {
    scans().inventoryId = this.sessionId;
    this.leave.push(onOutcome((outcome) => this.hear(outcome)));
    if ('storage' in navigator) void navigator.storage.persist().catch(() => undefined); // not over plain HTTP
    this.reads.value = (await recall<Read[]>(this.key('reads'))) ?? [];
    this.placeId.value = (await recall<number | null>(this.key('place'))) ?? null;
    void readPlaces().then(
      (places) => (this.places.value = places),
      () => undefined,
    );
    if (await this.pack.restore()) {
      this.loading.value = undefined;
      this.session.value = this.pack.head?.session;
    }
    await this.renew();
    const timer = setInterval(() => void this.renew(), RENEW_MS);
    this.leave.push(() => clearInterval(timer));
  }

  end(): void {
    this.ending.abort();
    for (const leave of this.leave) leave();
  }

  get isOpen(): boolean {
    return this.pack.head?.session.status !== 'closed';
  }

  /** What others have scanned and changed since. */
  async renew(): Promise<void> {
    const isFirst = this.loading.value !== undefined;
    if (isFirst) this.loading.value = 0;
    try {
      await this.pack.renew((lines) => isFirst && (this.loading.value = lines), this.ending.signal);
      this.loading.value = undefined;
    } catch {
      // It goes on with what it has; with nothing, it can only send what is read.
      if (isFirst) this.loading.value = 'failed';
    }
    this.session.value = this.pack.head?.session;
  }

  /** What the phone has read: kept, judged and shown; sent when there is a network. Throws where it cannot be kept. */
  async read(text: string, source: Source, more: ScanFields = {}): Promise<void> {
    const place = this.pack.find(text) ? undefined : this.places.value.byCode(text);
    if (place) {
      this.choosePlace(place.id);
      give('plain');
      return;
    }
    const fields: ScanFields = {
      source,
      ...(this.placeId.value !== null && { location_id: this.placeId.value }),
      ...more,
    };
    const thing = this.pack.find(text);
    // Without a pack the phone knows nothing, and says no more than that it has read something.
    const verdict: Verdict =
      this.pack.head || this.loading.value === undefined
        ? judge({
            code: text,
            thing,
            placeId: this.placeId.value,
            places: this.places.value,
            isOpen: this.isOpen,
          })
        : { tone: 'plain', reason: 'kept', code: text };
    const { client_id, order } = await scans().add(text, fields);
    this.show({
      clientId: client_id,
      at: order,
      text,
      verdict,
      state: 'waiting',
      scanId: null,
      fields,
      hasPhoto: false,
    });
    give(verdict.tone);
    if (thing && !thing.scanned_at && this.isOpen) await this.pack.mark(thing, new Date(order).toISOString());
  }

  choosePlace(id: number | null): void {
    this.placeId.value = id;
    void remember(this.key('place'), id);
  }

  /** The thing belongs where it was found, from now on. */
  move(read: Read): Promise<void> {
    return this.read(read.text, 'manual', { ...read.fields, move: true });
  }

  /** Taken back here, and at the service as soon as it has answered for the scan: it may have it already. */
  async undo(read: Read): Promise<void> {
    await doAfterwards({ ...read, sessionId: this.sessionId }, { undo: true });
    const { purchaseId, reason } = read.verdict;
    const thing = purchaseId === undefined ? undefined : this.pack.thing(purchaseId);
    if (thing && reason !== 'already-scanned') await this.pack.mark(thing, null);
    this.change(read.clientId, { state: 'undone' });
  }

  /** Says more of what was read. */
  async amend(read: Read, { condition, note }: ScanFields, photo: Blob | null): Promise<void> {
    const scan = { ...read, sessionId: this.sessionId };
    const change = { ...(condition && { condition }), ...(note && { note }) };
    if (condition || note) await doAfterwards(scan, { change });
    if (photo) await doAfterwards(scan, { photo });
    this.change(read.clientId, {
      fields: { ...read.fields, ...change },
      hasPhoto: read.hasPhoto || photo !== null,
    });
  }

  find(clientId: string): Read | undefined {
    return this.reads.value.find((read) => read.clientId === clientId);
  }

  /** What the service has said, to this tab or another. */
  private hear({ scan, result }: Outcome): void {
    if (scan.inventory_id !== this.sessionId) return;
    const known = this.find(scan.client_id);
    if (!known || known.state === 'undone') return;
    if (!result) return this.change(scan.client_id, { state: 'aside' });
    const verdict = verdictOf(result);
    const isAside = aside.value.some(({ client_id }) => client_id === scan.client_id);
    this.change(scan.client_id, { verdict, scanId: result.scan_id, state: isAside ? 'aside' : 'done' });
    if (verdict.tone === 'bad' && known.verdict.tone !== 'bad') give('bad');
    const thing = verdict.purchaseId === undefined ? undefined : this.pack.thing(verdict.purchaseId);
    if (thing && verdict.tone === 'bad') void this.pack.mark(thing, null);
  }

  private show(read: Read): void {
    this.keep([read, ...this.reads.value].slice(0, SHOWN));
  }

  private change(clientId: string, changes: Partial<Read>): void {
    this.keep(this.reads.value.map((read) => (read.clientId === clientId ? { ...read, ...changes } : read)));
  }

  private keep(reads: Read[]): void {
    this.reads.value = reads;
    void remember(this.key('reads'), reads);
  }

  private key(name: string): string {
    return `${name}:${user.value?.id}:${this.sessionId}`;
  }
}
