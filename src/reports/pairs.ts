/** Two whole numbers of 32 bits for each id, zeros at first, in 8 bytes. */
export class Pairs {
  private readonly pages = new Map<number, Int32Array>();

  /** @param idsAPage of which the memory is taken at once */
  constructor(private readonly idsAPage: number) {}

  /** In bytes. */
  get size(): number {
    return this.pages.size * this.idsAPage * 8;
  }

  get(id: number): [first: number, second: number] {
    const page = this.page(id);
    const at = this.at(id);
    return [page[at]!, page[at + 1]!];
  }

  set(id: number, first: number, second: number): void {
    const page = this.page(id);
    const at = this.at(id);
    page[at] = first;
    page[at + 1] = second;
  }

  add(id: number, first: number, second: number): void {
    const page = this.page(id);
    const at = this.at(id);
    page[at]! += first;
    page[at + 1]! += second;
  }

  /** Those of which the second is not 0. */
  *[Symbol.iterator](): Generator<[id: number, first: number, second: number]> {
    for (const [number, page] of this.pages)
      for (let at = 0; at < page.length; at += 2)
        if (page[at + 1] !== 0) yield [number * this.idsAPage + at / 2, page[at]!, page[at + 1]!];
  }

  private at(id: number): number {
    return (id % this.idsAPage) * 2;
  }

  private page(id: number): Int32Array {
    const number = Math.floor(id / this.idsAPage);
    let page = this.pages.get(number);
    if (!page) this.pages.set(number, (page = new Int32Array(this.idsAPage * 2)));
    return page;
  }
}
