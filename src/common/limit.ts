import { unavailable } from './errors.js';

interface Waiting {
  whose: string;
  round: number;
  begin: () => void;
  refuse: () => void;
}

/**
 * Runs at most `max` things at once; the others wait their turn, and are refused (503) after `patience` ms, or at once
 * when `line` others wait already. In rounds, with one turn for each of those who come: who comes with a hundred things
 * waits for himself, and it is his last that gives way in a full line.
 */
export class Limit {
  private running = 0;
  /** By round, and in each as they came. */
  private readonly waiting: Waiting[] = [];
  private round = 0;

  constructor(
    private readonly max: number,
    private readonly patience: number,
    private readonly line = Infinity,
  ) {}

  get hasRoom(): boolean {
    return this.running < this.max;
  }

  /** How many wait their turn. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  async run<T>(work: () => Promise<T>, whose = ''): Promise<T> {
    if (this.hasRoom) this.running++;
    else await this.turn(whose); // handed over by whoever ends
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) {
        this.round = next.round;
        next.begin();
      } else this.running--;
    }
  }

  private turn(whose: string): Promise<void> {
    const own = this.waiting.findLast((other) => other.whose === whose);
    const round = own ? own.round + 1 : this.round;
    if (this.waiting.length >= this.line) {
      const last = this.waiting.at(-1);
      if (!last || last.round <= round) throw unavailable();
      last.refuse();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.waiting.splice(this.waiting.indexOf(one), 1);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const refuse = () => {
        leave();
        reject(unavailable());
      };
      const one = { whose, round, begin, refuse };
      const timer = setTimeout(refuse, this.patience);
      this.waiting.splice(this.waiting.findLastIndex((other) => other.round <= round) + 1, 0, one);
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

  /** Whether somebody waits for whoever has it. */
  isWanted(name: string): boolean {
    return (this.limits.get(name)?.users ?? 0) > 1;
  }

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
