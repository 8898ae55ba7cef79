import type { QueuedScan, ScanStorage } from './storage.js';

const isAside = ({ result, errors }: QueuedScan): boolean => result !== undefined || errors !== undefined;

/** What the storage has, also in memory and in order. Calls take effect one after the other. */
export class KeptScans {
  private scans = new Map<string, QueuedScan>();
  /** How often it was to be read, and which of these times it was. */
  private wanted = 1;
  private read = 0;
  private lastOrder = 0;
  private turn: Promise<unknown> = Promise.resolve();
  /** What update() has made of scans, and the storage could not take. */
  private unwritten: QueuedScan[] = [];
  /** What is to be written next, and that it is. */
  private coming: { scans: QueuedScan[]; written: Promise<void> } | undefined;

  constructor(
    private readonly storage: ScanStorage,
    private readonly changed: () => void,
  ) {}

  waiting(): QueuedScan[] {
    return [...this.scans.values()].filter((scan) => !isAside(scan));
  }

  aside(): QueuedScan[] {
    return [...this.scans.values()].filter(isAside);
  }

  /** Whether nothing is left to send, and the storage was read. */
  get isDone(): boolean {
    return this.isFresh && this.waiting().length === 0;
  }

  private get isFresh(): boolean {
    return this.read === this.wanted;
  }

  /** Lets the next call read the storage first, since other tabs write there too. */
  refresh(): void {
    this.wanted += 1;
  }

  add(scan: QueuedScan): Promise<void> {
    this.coming ??= this.together();
    this.coming.scans.push(scan);
    return this.coming.written;
  }

  /** What comes until its turn is written together: a phone's storage may take 100 ms each time. */
  private together() {
    const scans: QueuedScan[] = [];
    const isFull = (): void => {
      if (this.coming?.scans === scans) this.coming = undefined;
    };
    const written = this.exclusively(() => {
      isFull();
      for (const scan of scans) scan.order = this.lastOrder = Math.max(scan.order, this.lastOrder + 1);
      return this.write(scans);
    }).finally(isFull); // its turn never came where the storage could not be read
    return { scans, written };
  }

  /** Resolves to what `choose` makes of those that are kept, when all before is done. */
  select(choose: () => QueuedScan[]): Promise<QueuedScan[]> {
    return this.exclusively(() => Promise.resolve(choose()));
  }

  /** Writes what `choose` makes of those that are kept. */
  change(choose: () => QueuedScan[]): Promise<void> {
    return this.exclusively(() => this.write(choose()));
  }

  /**
   * Writes these, but for those that were discarded meanwhile. A full storage holds up none of the others, which make
   * room; where the app dies before writeRest(), they are sent once more.
   */
  update(scans: QueuedScan[]): Promise<void> {
    return this.exclusively(async () => {
      const there = scans.filter((scan) => this.scans.has(scan.client_id));
      this.set(there);
      await this.write(there).catch(() => this.unwritten.push(...there));
    });
  }

  /** Writes what update() could not, but for what has become of it since. Throws what the storage does. */
  writeRest(): Promise<void> {
    return this.change(() =>
      this.unwritten.splice(0).filter((scan) => this.scans.get(scan.client_id) === scan),
    );
  }

  /**
   * Lets those of the scans that were set aside wait again. The storage is read first: what another tab has sent, changed
   * or discarded is not put back.
   */
  again(isMeant: (scan: QueuedScan) => boolean, changes: Partial<QueuedScan['item']> = {}): Promise<void> {
    this.refresh();
    return this.change(() =>
      this.aside()
        .filter(isMeant)
        .map(({ result: _, errors: __, ...scan }) => ({ ...scan, item: { ...scan.item, ...changes } })),
    );
  }

  remove(clientIds: string[]): Promise<void> {
    return this.exclusively(async () => {
      if (clientIds.length === 0) return;
      await this.storage.remove(clientIds);
      for (const id of clientIds) this.scans.delete(id);
      this.changed();
    });
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(async () => {
      if (!this.isFresh) await this.load();
      return work();
    });
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  private async load(): Promise<void> {
    const { wanted } = this; // a refresh() that comes meanwhile wants it once more
    const scans = await this.storage.load();
    scans.sort((a, b) => a.order - b.order);
    this.scans = new Map(scans.map((scan) => [scan.client_id, scan]));
    this.lastOrder = Math.max(this.lastOrder, ...scans.slice(-1).map((scan) => scan.order));
    this.read = wanted;
    this.changed();
  }

  private async write(scans: QueuedScan[]): Promise<void> {
    if (scans.length === 0) return;
    await this.storage.put(scans);
    this.set(scans);
  }

  private set(scans: QueuedScan[]): void {
    for (const scan of scans) this.scans.set(scan.client_id, scan);
    this.changed();
  }
}
