import type { QueuedScan, ScanStorage } from '../../clients/typescript/src/index.js';

/** What a phone writes to, JSON by key, in no order; it outlives the app. */
export class Disk {
  readonly rows = new Map<string, string>();
  /** What was called, with how many scans each. */
  readonly calls: [name: keyof ScanStorage, scans: number][] = [];
  /** Stands in the way of the next calls. */
  failure: Error | undefined;
  /** How many characters it takes. */
  room = Infinity;

  used = (): number => [...this.rows.values()].reduce((sum, text) => sum + text.length, 0);

  scans = (): QueuedScan[] => [...this.rows.values()].map((text) => JSON.parse(text) as QueuedScan);

  /** As an app sees it that dies at some call, before it is done or right after; it never hears of either. */
  open(
    diesAt: () => 'before' | 'after' | undefined = () => undefined,
  ): ScanStorage & { death: Promise<void> } {
    let die: () => void;
    let isDead = false;
    const death = new Promise<void>((resolve) => (die = resolve));
    const call = async <T>(name: keyof ScanStorage, count: number, work: () => T): Promise<T> => {
      await new Promise(setImmediate); // writing takes its time
      if (this.failure) throw this.failure;
      const moment = isDead ? 'before' : diesAt();
      const done = moment === 'before' ? undefined : work();
      if (moment) {
        isDead = true;
        die();
        await new Promise(() => undefined);
      }
      this.calls.push([name, count]);
      return done as T;
    };
    return {
      death,
      load: () => call('load', this.rows.size, () => this.scans().reverse()),
      put: (scans) =>
        call('put', scans.length, () => {
          let used = this.used();
          for (const scan of scans) {
            const text = JSON.stringify(scan);
            used += text.length - (this.rows.get(scan.client_id)?.length ?? 0);
            if (used > this.room) throw new Error('The disk is full');
            this.rows.set(scan.client_id, text);
          }
        }),
      remove: (ids) =>
        call('remove', ids.length, () => {
          for (const id of ids) this.rows.delete(id);
        }),
    };
  }
}
