/** Purchases of open sessions that nobody has scanned yet, each given once, in any order. */
export class Unscanned {
  private readonly order: Uint32Array;
  private taken = 0;

  constructor(
    private readonly sessions: number[],
    purchases: number,
  ) {
    this.order = inAnyOrder(purchases);
  }

  /** Of the purchase that is taken next. */
  get session(): number {
    return this.sessions[Math.floor(this.taken / this.order.length)]!;
  }

  get left(): number {
    return this.sessions.length * this.order.length - this.taken;
  }

  get leftOfSession(): number {
    return this.left && this.order.length - (this.taken % this.order.length);
  }

  take(): number {
    return this.order[this.taken++ % this.order.length]!;
  }

  /** So many of one session, which comes with them: what is left of one that has fewer is passed over. */
  takeAll(count: number): { session: number; purchases: number[] } {
    const rest = this.order.length - (this.taken % this.order.length);
    if (rest < count) this.taken += rest;
    const { session } = this;
    return { session, purchases: Array.from({ length: count }, () => this.take()) };
  }
}

/** 1 to `count`. */
export function inAnyOrder(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
