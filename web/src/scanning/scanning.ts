import { signal } from '@preact/signals';
import type { InventoryDto, QueuedScan, ScanFields } from '@recense/client';
import { user } from '../shared/account.js';
import { isOnline } from '../shared/api.js';
import { sendChange, sendPhoto } from '../shared/afterwards.js';
import { Places, keptPlaces, readPlaces } from '../shared/places.js';
import { SHOWN_READS, keepReads, readsOf, settled } from '../shared/reads.js';
import { onOutcome, scans } from '../shared/scans.js';
import type { Outcome } from '../shared/scans.js';
import { recall, remember } from '../shared/store.js';
import { Pack } from '../shared/pack.js';
import { smaller } from './photo.js';
import { give } from './signals.js';
import { putBack, remarkOf, scannedOf, undo } from './undo.js';
import { judge, verdictOn } from './verdict.js';
import type { Read, Verdict } from './verdict.js';

/** How often it is asked what others have scanned, in milliseconds. */
const RENEW_MS = 60_000;
/** How old the places may be by then: there may be ten thousand, which are read two hundred at a time. */
const PLACES_OLD_MS = 300_000;

/** How long the first read waits for the places at most. */
const PLACES_MS = 2000;

type Source = 'camera' | 'scanner' | 'manual';

/** The scanning of one session on this device. */
export class Scanning {
  readonly reads = signal<Read[]>([]);
  readonly placeId = signal<number | null>(null);
  readonly places = signal(new Places([]));
  /** The place that was chosen is not there any more. */
  readonly isPlaceGone = signal(false);
  /** The next code is that of a place; `unknown` where it was of none. */
  readonly awaitsPlace = signal<boolean | 'unknown'>(false);
  /** How far the pack is: undefined once it is there; why it cannot be had where there is none. */
  readonly loading = signal<number | { error: unknown } | undefined>(0);
  readonly session = signal<InventoryDto | undefined>(undefined);
  /** What was read and could not be kept, until it is read again. */
  readonly lost = signal<string[]>([]);
  readonly pack: Pack;
  private readonly userId = user.value!.id;
  private readonly ending = new AbortController();
  /** What this device has kept is there again, and what was read before was: then the next read can be judged. */
  private ready: Promise<unknown> = Promise.resolve();
  /** When the places were asked for, in milliseconds. */
  private placesAt = 0;

  constructor(readonly sessionId: number) {
    this.pack = new Pack(sessionId);
  }

  async start(): Promise<void> {
    const { signal: ended } = this.ending;
    const leave = onOutcome((outcome) => this.hear(outcome));
    ended.addEventListener('abort', leave);
    if ('storage' in navigator) void navigator.storage.persist().catch(() => undefined); // not over plain HTTP
    this.ready = this.restore();
    await this.ready;
    const renew = () => void (document.visibilityState === 'visible' && this.renew());
    const timer = setInterval(renew, RENEW_MS);
    ended.addEventListener('abort', () => clearInterval(timer));
    addEventListener('online', renew, { signal: ended });
    document.addEventListener('visibilitychange', renew, { signal: ended });
    await this.renew();
  }

  private async restore(): Promise<void> {
    this.reads.value = await readsOf<Read>(this.userId, this.sessionId);
    this.placeId.value = (await recall<number | null>(this.placeKey)) ?? null;
    const kept = await keptPlaces();
    if (kept) this.places.value = kept;
    const asked = this.readPlaces();
    // The first time, a place's label would be taken for a thing's before they are there.
    if (!kept) await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PLACES_MS))]);
    if (!(await this.pack.restore())) return;
    this.loading.value = undefined;
    this.session.value = this.pack.head?.session;
  }

  /** A place that is not there any more must not go with what is read from now on: the service would not take it. */
  private async readPlaces(): Promise<void> {
    this.placesAt = Date.now();
    try {
      this.places.value = await readPlaces();
    } catch {
      return; // it goes on with those that it knows
    }
    if (this.placeId.value === null || this.places.value.get(this.placeId.value)) return;
    this.choosePlace(null);
    this.isPlaceGone.value = true;
  }

  end(): void {
    this.ending.abort();
  }

  get isOpen(): boolean {
    return this.pack.head?.session.status !== 'closed';
  }

  /** What others have scanned and changed since. */
  async renew(): Promise<void> {
    const isFirst = this.loading.value !== undefined;
    if (isFirst) this.loading.value = 0;
    if (isOnline.value && Date.now() - this.placesAt > PLACES_OLD_MS) void this.readPlaces();
    try {
      await this.pack.renew((lines) => isFirst && (this.loading.value = lines), this.ending.signal);
      this.loading.value = undefined;
    } catch (error) {
      // It goes on with what it has; with nothing, it can only send what is read.
      if (isFirst) this.loading.value = { error };
    }
    this.session.value = this.pack.head?.session;
  }

  /** What was read: judged, kept and shown, in order; sent when there is a network. */
  async read(text: string, source: Source, more: ScanFields = {}): Promise<void> {
    await this.ready;
    const lost = await this.readNow(text, source, more).catch(() => [text]);
    this.lost.value = [...this.lost.value.filter((code) => code !== text), ...(lost ?? [])];
    if (lost) give('bad');
  }

  /** Of many that are read at once, each is judged after the one before; they are kept together. */
  private async readNow(text: string, source: Source, more: ScanFields): Promise<void> {
    if (!more.move && this.isPlace(text)) return;
    const fields: ScanFields = {
      ...(this.placeId.value !== null && { location_id: this.placeId.value }),
      ...more,
      source,
    };
    const thing = this.pack.find(text);
    // Without a pack the phone knows nothing, and says no more than that it has read something.
    const guess: Verdict = this.pack.head
      ? judge({
          code: text,
          thing,
          placeId: fields.location_id ?? null,
          places: this.places.value,
          isOpen: this.isOpen,
          isMoved: fields.move ?? false,
        })
      : { tone: 'plain', reason: 'kept', code: text };
    const readAt = new Date().toISOString();
    // For the next read of it; the pack's own once the scan is kept.
    const isFirst = thing?.scanned_at === null && this.isOpen;
    if (isFirst) thing.scanned_at = readAt;
    const { client_id, order } = await this.keep(text, fields).catch((error: unknown) => {
      if (isFirst && thing.scanned_at === readAt) thing.scanned_at = null;
      throw error;
    });
    const movedFrom = fields.move && this.isOpen ? thing?.location_id : undefined;
    if (thing && this.isOpen) {
      const scanned_at = this.pack.thing(thing.id)?.scanned_at ?? readAt;
      const moved = fields.move && { location_id: fields.location_id! };
      await this.pack.mark(thing.id, { scanned_at, ...moved });
    }
    const { userId: user_id, sessionId: session_id } = this;
    const read = { client_id, user_id, session_id, at: order, text, guess, fields, isFirst, hasPhoto: false };
    await this.show({ ...read, state: 'waiting', ...(movedFrom !== undefined && { movedFrom }) });
    give(guess.tone);
  }

  private async keep(text: string, fields: ScanFields): Promise<QueuedScan> {
    const queue = await scans();
    queue.inventoryId = this.sessionId;
    return queue.add(text, fields);
  }

  /** Whether what was read says where the phone is: a place's label that is no thing's, or what was asked for. */
  private isPlace(text: string): boolean {
    if (!this.awaitsPlace.value && this.pack.find(text)) return false;
    const place = this.places.value.byCode(text);
    if (place) this.choosePlace(place.id);
    else if (this.awaitsPlace.value) this.awaitsPlace.value = 'unknown';
    else return false;
    give(place ? 'plain' : 'bad');
    return true;
  }

  choosePlace(id: number | null): void {
    this.placeId.value = id;
    this.isPlaceGone.value = false;
    this.awaitsPlace.value = false;
    void remember(this.placeKey, id);
  }

  /** The thing belongs where it was found, from now on. */
  async move(read: Read): Promise<void> {
    const { location_id } = read.fields;
    await this.read(read.text, 'manual', { location_id: location_id!, move: true });
  }

  /** What was read again since goes with it. */
  async undo(read: Read): Promise<void> {
    const undone = await undo(this.find(read.client_id) ?? read, this.reads.value, this.pack);
    for (const one of undone) await this.change(one, { state: 'undone' });
  }

  /** Says more of what was read; an empty note takes it away. */
  async amend(read: Read, { condition, note }: ScanFields, photo: Blob | null): Promise<void> {
    const change = { ...(condition && { condition }), ...(note !== undefined && { note }) };
    const known = () => this.find(read.client_id) ?? read; // with what the service has said meanwhile
    if (Object.keys(change).length > 0) await sendChange(remarkOf(known()), change);
    const small = photo && (await smaller(photo));
    if (small) await sendPhoto(scannedOf(known()), small);
    const fields = { ...read.fields, ...change };
    await this.change(read, { fields, hasPhoto: read.hasPhoto || photo !== null });
  }

  private find(clientId: string): Read | undefined {
    return this.reads.value.find((read) => read.client_id === clientId);
  }

  /** What the service has said, to this tab or another; whoever has sent it has kept it. */
  private async hear({ scan, result }: Outcome): Promise<void> {
    if (scan.inventory_id !== this.sessionId) return;
    const known = this.find(scan.client_id);
    const isRecorded = typeof result?.scan_id === 'number';
    if (known?.state !== 'undone') {
      if (isRecorded && result.purchase) await this.pack.settle(result.purchase.id, result.scanned_at);
      else await putBack(this.pack, known, result?.purchase?.id);
    }
    if (scan.errors?.location_id && scan.item.location_id === this.placeId.value) await this.readPlaces();
    if (!known) return;
    const read = settled(known, scan, result);
    this.reads.value = this.reads.value.map((one) => (one === known ? read : one));
    if (verdictOn(read).tone === 'bad' && known.guess.tone !== 'bad') give('bad');
  }

  private async show(read: Read): Promise<void> {
    const all = [read, ...this.reads.value];
    this.reads.value = all.slice(0, SHOWN_READS);
    await keepReads([read], all.slice(SHOWN_READS));
  }

  private async change({ client_id }: Read, changes: Partial<Read>): Promise<void> {
    const known = this.find(client_id);
    if (!known) return;
    const read = { ...known, ...changes };
    this.reads.value = this.reads.value.map((one) => (one === known ? read : one));
    await keepReads([read]);
  }

  private get placeKey(): string {
    return `place:${this.userId}:${this.sessionId}`;
  }
}
