/** Keeps things in mind that are so large together: those that were asked for last, and the very last in any case. */
export class Recent<Key, Value> {
  private readonly kept = new Map<Key, Value>();

  constructor(
    private readonly max: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  get(key: Key): Value | undefined {
    const value = this.kept.get(key);
    if (value !== undefined) this.put(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.put(key, value);
    let size = 0;
    for (const one of this.kept.values()) size += this.sizeOf(one);
    for (const [oldest, one] of this.kept) {
      if (size <= this.max || this.kept.size === 1) return;
      this.kept.delete(oldest);
      size -= this.sizeOf(one);
    }
  }

  private put(key: Key, value: Value): void {
    this.kept.delete(key);
    this.kept.set(key, value);
  }
}
