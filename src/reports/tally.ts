import { Pairs } from './pairs.js';
import type { CountedRow } from './progress.queries.js';

/** By id, how many are scanned and how many there are at all; 0 stands for none. */
export class Counts extends Pairs {
  constructor() {
    super(128);
  }
}

const SIGNS = { 0: 0, 1: 1, 2: -1 };

/**
 * How much of each article and each place a session expects and has scanned. It knows of every purchase what it counted
 * it as, so that one which has changed is taken out of where it was and put where it is: 8 MB for a million.
 */
export class Tally {
  readonly byArticle = new Counts();
  readonly byPlace = new Counts();
  /** Of each purchase its article, negative once it is scanned and 0 without a line, and its place. */
  private readonly purchases = new Pairs(4096);

  /** In bytes. */
  get size(): number {
    return this.byArticle.size + this.byPlace.size + this.purchases.size;
  }

  /** As they are now, whether they are known or not. */
  take(rows: CountedRow[]): void {
    for (const [purchase, article, place, state] of rows)
      this.put(Number(purchase), SIGNS[state] * Number(article), Number(place));
  }

  /**
   * As scanned, and otherwise as they are known.
   * @returns false for one that is not known
   */
  scan(rows: [purchase: string][]): boolean {
    return rows.every(([purchase]) => {
      const [article, place] = this.purchases.get(Number(purchase));
      if (article > 0) this.put(Number(purchase), -article, place);
      return article !== 0;
    });
  }

  private put(purchase: number, article: number, place: number): void {
    this.count(...this.purchases.get(purchase), -1);
    this.purchases.set(purchase, article, place);
    this.count(article, place, 1);
  }

  private count(article: number, place: number, by: 1 | -1): void {
    if (article === 0) return;
    const scanned = article < 0 ? by : 0;
    this.byArticle.add(Math.abs(article), scanned, by);
    this.byPlace.add(place, scanned, by);
  }
}
