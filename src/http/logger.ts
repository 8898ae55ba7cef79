import type { LoggerService } from '@nestjs/common';
import { destination, pino } from 'pino';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Env } from '../config/env.js';

/** JSON lines in production, readable ones in a terminal. */
export function createLogger({ LOG_LEVEL, LOG_FORMAT }: Env): Logger {
  const isPretty = LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
  const timestamp = pino.stdTimeFunctions.isoTime;
  const options = { level: LOG_LEVEL, base: null, timestamp, serializers: { err: describeError } };
  return isPretty ? pino(options, pretty({ ignore: 'context', sync: true })) : pino(options, toOutput());
}

/** What waits for a disk that is full, in characters; of more, no line is written. */
const WAITING = 1_000_000;

/** Where a line cannot be written, the service goes on without: its log may be a file on a disk that is full. */
function toOutput() {
  return destination({ dest: 1, sync: true, maxLength: WAITING }).on('error', () => undefined);
}

/** Without the parameters of a failed statement and the row in its detail: a password's hash may be among them. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code, constraint, query } = error as Error & Record<string, unknown>;
  return { type: name, message, stack, code, constraint, query };
}

/** What the framework says of its own start: dozens of lines that nobody needs in normal operation. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's own messages, and those of services, on the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log = (message: unknown, ...rest: unknown[]): void =>
    this.write(CHATTER.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  /** What the framework says of an error of its own is thrown as well, and said once then. */
  error = (message: unknown, ...rest: unknown[]): void =>
    this.write(rest.at(-1) === 'NestApplication' ? 'debug' : 'error', message, rest);
  warn = (message: unknown, ...rest: unknown[]): void => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]): void => this.write('trace', message, rest);
  fatal = (message: unknown, ...rest: unknown[]): void => this.write('fatal', message, rest);

  /** Nest calls `(message, context)`, or `({ fields }, message, context)` for a structured line. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    if (typeof message === 'object' && message !== null)
      this.logger[level]({ context, ...message }, String(rest[0]));
    else this.logger[level]({ context, ...(rest.length > 1 && { stack: rest[0] }) }, String(message));
  }
}
