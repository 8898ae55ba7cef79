import type { CountedRow } from './progress.queries.js';

export interface Count {
  scanned: number;
  total: number;
}

/** By id; 0 stands for none. */
export type Counts = Map<number, Count>;

const PAGE = 4096;
/** What is known of a purchase: its article, its place, its state. */
const FIELDS = 3;
const SCANNED = 2;

/**
 * How much of each article and each place a session expects and has scanned. It knows of every purchase what it counted
 * it as, so that one which has changed is taken out of where it was and put where it is: 12 MB for a million.
 */
export class Tally {
  readonly byArticle: Counts = new Map();
  readonly byPlace: Counts = new Map();
  private readonly pages = new Map<number, Int32Array>();

  /** As they are now, whether they are known or not. */
  take(rows: CountedRow[]): void {
    for (const [purchase, article, place, state] of rows) {
      const id = Number(purchase);
      const page = this.page(Math.floor(id / PAGE));
      const at = (id % PAGE) * FIELDS;
      this.count(page, at, -1);
      page[at] = Number(article);
      page[at + 1] = Number(place);
      page[at + 2] = Number(state);
      this.count(page, at, 1);
    }
  }

  /**
   * As scanned, and otherwise as they are known.
   * @returns false for one that is not known
   */
  scan(rows: [purchase: string][]): boolean {
    return rows.every(([purchase]) => {
      const id = Number(purchase);
      const page = this.page(Math.floor(id / PAGE));
      const at = (id % PAGE) * FIELDS;
      if (page[at + 2] === 0) return false;
      this.count(page, at, -1);
      page[at + 2] = SCANNED;
      this.count(page, at, 1);
      return true;
    });
  }

  private page(number: number): Int32Array {
    let page = this.pages.get(number);
    if (!page) this.pages.set(number, (page = new Int32Array(PAGE * FIELDS)));
    return page;
  }

  private count(page: Int32Array, at: number, by: 1 | -1): void {
    const state = page[at + 2]!;
    if (state === 0) return;
    const scanned = state === SCANNED ? by : 0;
    add(this.byArticle, page[at]!, { scanned, total: by });
    add(this.byPlace, page[at + 1]!, { scanned, total: by });
  }
}

export function add(counts: Counts, id: number, { scanned, total }: Count): void {
  const count = counts.get(id);
  if (!count) counts.set(id, { scanned, total });
  else {
    count.scanned += scanned;
    count.total += total;
  }
}
