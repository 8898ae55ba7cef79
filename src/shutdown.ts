import { constants } from 'node:os';
import { BackupError } from './backup/manifest.js';
import { UsageError } from './common/command-line.js';
import { isPassing, sqlState } from './database/errors.js';
import { DataDirInUseError } from './database/embedded/embedded-postgres.js';
import type { Purpose } from './database/embedded/lock.js';
import { EnvError } from './config/env.js';

/** Their message says it all. */
const KNOWN = [EnvError, DataDirInUseError, UsageError, BackupError];

/** After this long a shutdown is over, whatever still runs: orchestrators kill after 30 s. */
const LIMIT_MS = 25_000;

/** npm passes on what its child has got already: one Ctrl-C in a terminal comes twice, as close together as this. */
const ECHO_MS = 1000;

/** Ends the process cleanly: what was started last is stopped first. */
export class Shutdown {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ending?: Promise<never>;
  private isSaid = false;

  /** A signal is how a service ends, with code 0; a command that it cuts off has not done what was asked. */
  constructor(private readonly purpose: Purpose) {
    let echoUntil = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const interrupted = 128 + constants.signals[signal]; // as shells have it
        if (signal === 'SIGINT') {
          const isEcho = Date.now() < echoUntil;
          echoUntil = isEcho ? 0 : Date.now() + ECHO_MS;
          if (isEcho) return;
        }
        // The second Ctrl-C, and any signal to a command that only waits for its reader.
        if (this.ending && (signal === 'SIGINT' || this.isSaid)) process.exit(interrupted);
        void this.end(this.purpose === 'service' ? 0 : interrupted);
      });
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // Whoever read it has enough, as `head` has: the work goes on, and nobody is told. So does a service whose words
        // go into a file on a disk that is full.
        if (error.code !== 'EPIPE' && !(purpose === 'service' && error.code === 'ENOSPC')) throw error;
      });
    }
    // Also what no caller awaits, such as a connection that breaks: what was started is stopped all the same.
    process.on('uncaughtException', (error) => void this.fail(error));
  }

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  end(code: number): Promise<never> {
    return (this.ending ??= this.run(code));
  }

  /** Ends with code 1 and says why. */
  fail(error: unknown): Promise<never> {
    return this.end(this.report(error));
  }

  /** Says why something failed, one line where the reason is known, else with the stack; returns the exit code. */
  report(error: unknown): number {
    // Work that the end itself interrupts fails too, which is no news.
    if (!this.ending) console.error(explain(error));
    return 1;
  }

  private async run(code: number): Promise<never> {
    const limit = setTimeout(() => process.exit(1), LIMIT_MS); // also keeps node from ending before the steps have
    for (const step of this.steps.reverse()) {
      await step().catch((error: unknown) => {
        console.error(explain(error));
        code = 1;
      });
    }
    // What a command says is what it was run for, however slowly it is read; a service has its limit.
    if (this.purpose === 'command') clearTimeout(limit);
    this.isSaid = true;
    await Promise.all([process.stdout, process.stderr].map(flushed));
    process.exit(code);
  }
}

/** Resolves once everything that was written is with the reader, or the reader is gone: pipes are not waited for. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/** SQLSTATEs, and what Node says of a certificate. */
const REFUSED =
  /^(3D|3F|28|42501|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** pg gives these no code. */
const REFUSED_WORDS = /^(SASL: |The server does not support SSL)/;

function explain(error: unknown): string {
  if (KNOWN.some((type) => error instanceof type)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  // A database that is not there, or not ours to use: names, rights, passwords, certificates.
  const isRefused = REFUSED.test(sqlState(error) ?? '') || REFUSED_WORDS.test(error.message);
  if (isRefused || isPassing(error)) return `Cannot use the database (DATABASE_URL): ${reasonOf(error)}.`;
  return error.stack ?? error.message;
}

/** Node tells of several failed addresses at once without saying anything itself. */
function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return error.message || (code ?? error.name);
}
