import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../support/process.js';
import type { Acknowledged } from '../../support/phones.js';
import type { Queries } from '../../support/postgres.js';
import type { World } from '../../support/world.js';
import type { Crew } from './crew.js';

/** How many read at the same time, and for how long each of them rests between two answers. */
export const READERS = 3;
const REST_MS = 200;

/** The codes that an answer says were scanned, with the instants; or only how many. */
type Told = Map<string, string> | number;

const linesOf = (text: string): string[] => text.trimEnd().split('\n').slice(1);
/** What takes long to read of a session, and what each of them tells. */
const READS: Record<string, (text: string) => Told> = {
  'report?format=csv': (text) => codesIn(linesOf(text).map((line) => [line.split(',')[0], instantIn(line)])),
  pack: (text) =>
    codesIn(
      linesOf(text).map((line) => {
        const { code, scanned_at } = JSON.parse(line) as { code: string; scanned_at: string | null };
        return [code, scanned_at];
      }),
    ),
  'scans?format=csv': (text) => linesOf(text).length,
  report: (text) => (JSON.parse(text) as { figures: { scanned: { count: number } } }).figures.scanned.count,
  'progress?by=user': (text) =>
    (JSON.parse(text) as { data: { scanned: number }[] }).data.reduce((sum, { scanned }) => sum + scanned, 0),
};

const running = new Set<Readers>();

/** After a test that failed: they would go on for ever. */
export const stopReaders = async (): Promise<void> => {
  await Promise.all([...running].map((readers) => readers.stop()));
};

/** They read what takes long, one thing after the other, and compare it with what phones had been told when they asked. */
export class Readers {
  /** Answers that were whole. */
  count = 0;
  /** Those that had begun, broke off, and were asked for again. */
  brokenOff = 0;
  /** The longest that one of them took, with what was asked for again, in milliseconds. */
  longest = 0;
  /** Every answer that was no 200, and every request without one. */
  readonly failures: string[] = [];
  /** What an answer lacked, or told otherwise than one before. */
  private readonly wrong: string[] = [];
  /** All that they were told. */
  private readonly codes = new Map<string, string>();
  private most = 0;
  private isStopped = false;
  private readonly work: Promise<unknown>;

  /** Begins at once, at the service that has `url`. */
  constructor(
    private readonly url: string,
    private readonly world: Pick<World, 'session' | 'admin'>,
    private readonly crew: Crew,
  ) {
    running.add(this);
    this.work = Promise.all(Array.from({ length: READERS }, (_, nth) => this.run(nth)));
  }

  /** Resolves when so many more answers were whole. */
  async goOn(count = 2 * Object.keys(READS).length): Promise<void> {
    const before = this.count;
    await until(() => this.count >= before + count, 60_000);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.work;
    running.delete(this);
  }

  /** Ends it. Nobody was told of less than phones before him, or of more than there is in the end. */
  async expectRight(postgres: Queries): Promise<void> {
    await this.stop();
    expect(this.wrong).toEqual([]);
    const rows = await postgres.query<{ code: string; at: Date }>(
      `SELECT p.code, l.scanned_at AS at FROM inventory_lines l JOIN purchases p ON p.id = l.purchase_id
       WHERE l.inventory_id = $1 AND l.scan_id IS NOT NULL`,
      [this.world.session],
    );
    const recorded = new Map(rows.map(({ code, at }) => [code, at.toISOString()]));
    expect([...this.codes].filter(([code, at]) => recorded.get(code) !== at)).toEqual([]);
    expect(this.most).toBeLessThanOrEqual(recorded.size);
  }

  private async run(nth: number): Promise<void> {
    const paths = Object.keys(READS);
    for (let n = nth; !this.isStopped; n++) {
      const path = paths[n % paths.length]!;
      const known = this.crew.acknowledged.length;
      const began = performance.now();
      const text = await this.read(path);
      this.longest = Math.max(this.longest, performance.now() - began);
      if (text !== undefined) this.compare(path, READS[path]!(text), this.crew.acknowledged.slice(0, known));
      await sleep(REST_MS);
    }
  }

  private async read(path: string): Promise<string | undefined> {
    try {
      const headers = { authorization: `Bearer ${this.world.admin}`, 'accept-language': 'en' };
      const answer = await fetch(`${this.url}/api/v1/inventories/${this.world.session}/${path}`, { headers });
      const text = await answer.text().catch(() => undefined);
      if (text === undefined) {
        this.brokenOff++;
        return this.isStopped ? undefined : await this.read(path);
      }
      if (answer.status === 200) return text;
      this.failures.push(`${path}: ${answer.status}`);
    } catch (error) {
      this.failures.push(`${path}: ${((error as Error).cause ?? error) as Error}`);
    }
    return undefined;
  }

  private compare(path: string, told: Told, acknowledged: Acknowledged[]): void {
    this.count++;
    if (typeof told === 'number') {
      this.most = Math.max(this.most, told);
      if (told < acknowledged.length) this.wrong.push(`${path}: ${told} of ${acknowledged.length}`);
      return;
    }
    const lacking = acknowledged.filter(({ code, scannedAt }) => told.get(code) !== scannedAt);
    const other = [...told].filter(([code, at]) => (this.codes.get(code) ?? at) !== at);
    if (lacking.length + other.length > 0)
      this.wrong.push(`${path}: without ${lacking.length}, other than before ${other.length}`);
    for (const [code, at] of told) this.codes.set(code, at);
  }
}

const instantIn = (line: string) => /,(\d{4}-\d\d-\d\dT[^,]+Z),/.exec(line)?.[1];

/** Those that have an instant. */
function codesIn(lines: [string | undefined, string | null | undefined][]): Map<string, string> {
  return new Map(lines.filter((line): line is [string, string] => Boolean(line[1])));
}
