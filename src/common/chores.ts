import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';

/** What the service does by itself every now and then. */
@Injectable()
export class Chores implements OnApplicationShutdown {
  private readonly logger = new Logger('Chores');
  private readonly timers: NodeJS.Timeout[] = [];

  /** Never twice at a time: what takes longer than that goes on alone. */
  every(milliseconds: number, what: string, work: () => Promise<void>): void {
    let isAtIt = false;
    const turn = async (): Promise<void> => {
      if (isAtIt) return;
      isAtIt = true;
      await this.once(what, work);
      isAtIt = false;
    };
    this.timers.push(setInterval(() => void turn(), milliseconds).unref());
  }

  /** What fails is logged, and done the next time. */
  async once(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ err: error }, `${what}: not this time`);
    }
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}
