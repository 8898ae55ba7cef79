import { isPassing } from './common/database-errors.js';
import { DataDirInUseError } from './config/embedded-postgres.js';
import { EnvError } from './config/env.js';

/** Wrong use of a command: said in one line, without a stack. */
export class UsageError extends Error {}

/** Their message says it all. */
const KNOWN = [EnvError, DataDirInUseError, UsageError];

/** After this long a shutdown is over, whatever still runs: orchestrators kill after 30 s. */
const LIMIT_MS = 25_000;

/** Ends the process cleanly: what was started last is stopped first. */
export class Shutdown {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ending?: Promise<never>;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (this.ending && signal === 'SIGINT') process.exit(130); // the second Ctrl-C
        void this.end(0);
      });
    }
  }

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  end(code: number): Promise<never> {
    return (this.ending ??= this.run(code));
  }

  /** Ends with code 1 and says why: one line where the reason is known, else with the stack. */
  fail(error: unknown): Promise<never> {
    console.error(explain(error));
    return this.end(1);
  }

  private async run(code: number): Promise<never> {
    setTimeout(() => process.exit(1), LIMIT_MS).unref();
    for (const step of this.steps.reverse()) {
      await step().catch((error: unknown) => {
        console.error(explain(error));
        code = 1;
      });
    }
    process.exit(code);
  }
}

function explain(error: unknown): string {
  if (KNOWN.some((type) => error instanceof type)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen') return `Cannot listen on port ${port}: ${code}. Set PORT or HOST.`;
  if (isPassing(error)) return `Cannot reach the database: ${error.message || code}.`;
  return error.stack ?? error.message;
}
