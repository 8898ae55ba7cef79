import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';

/** What the service does by itself every now and then. */
@Injectable()
export class Chores implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('Chores');
  private readonly timers: NodeJS.Timeout[] = [];
  private isEnding = false;

  every(milliseconds: number, what: string, work: () => Promise<void>): void {
    this.repeat(milliseconds, what, work);
  }

  /** Resolves once it has been done, or has failed, for the first time. */
  atOnceAndEvery(milliseconds: number, what: string, work: () => Promise<void>): Promise<void> {
    return this.repeat(milliseconds, what, work)();
  }

  /** Never twice at a time: what takes longer than that goes on alone. What fails is logged, and done the next time. */
  protected repeat(milliseconds: number, what: string, work: () => Promise<void>): () => Promise<void> {
    let isAtIt = false;
    const turn = async (): Promise<void> => {
      if (isAtIt) return;
      isAtIt = true;
      try {
        await work();
      } catch (error) {
        // What the end itself breaks off is no news.
        if (!this.isEnding) this.logger.warn({ err: error }, `${what}: not this time`);
      }
      isAtIt = false;
    };
    this.timers.push(setInterval(() => void turn(), milliseconds).unref());
    return turn;
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}

/** Of a command, whose settings may be none of the service's: what is done by itself is for the instances to do. */
@Injectable()
export class NoChores extends Chores {
  protected override repeat(): () => Promise<void> {
    return () => Promise.resolve();
  }
}
