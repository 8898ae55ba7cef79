/** Keeps so many things in mind: those that were asked for last. */
export class Recent<Key, Value> {
  private readonly kept = new Map<Key, Value>();

  constructor(private readonly max: number) {}

  get(key: Key): Value | undefined {
    const value = this.kept.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.kept.delete(key);
    this.kept.set(key, value);
    for (const oldest of this.kept.keys()) if (this.kept.size > this.max) this.kept.delete(oldest);
  }
}
