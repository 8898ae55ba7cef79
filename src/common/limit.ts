import { DomainError } from './errors.js';

/**
 * Runs at most `max` things at once; the others wait their turn, and are refused (503) after `patience` ms, or at once
 * when `line` others wait already.
 */
export class Limit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly max: number,
    private readonly patience: number,
    private readonly line = Infinity,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.max) this.running++;
    else await this.turn(); // handed over by whoever ends
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= this.line) throw tooBusy();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(tooBusy());
      }, this.patience);
      this.waiting.push(begin);
    });
  }
}

/** Runs one thing at once of each name, with the bounds of a limit. */
export class Turns {
  private readonly limits = new Map<string, { limit: Limit; users: number }>();

  constructor(
    private readonly patience: number,
    private readonly line: number,
  ) {}

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = this.limits.get(name) ?? { limit: new Limit(1, this.patience, this.line), users: 0 };
    this.limits.set(name, turn);
    turn.users++;
    try {
      return await turn.limit.run(work);
    } finally {
      if (--turn.users === 0) this.limits.delete(name);
    }
  }
}

const tooBusy = () => new DomainError('unavailable', { headers: { 'Retry-After': '1' } });
