import { render } from '../common/messages.js';
import type { LineError } from './lines.js';

/** How many errors are told; who has more has made one mistake many times. */
const MAX_TOLD = 1000;

/** What is wrong with a file: the first errors, and how many there are. */
export class Report {
  private readonly told: LineError[] = [];
  private errors = 0;
  private lines = 0;

  /** All errors of a line at once. */
  add(errors: LineError[]): void {
    this.errors += errors.length;
    this.lines += new Set(errors.map(({ line }) => line)).size;
    this.told.push(...errors.slice(0, MAX_TOLD - this.told.length));
  }

  /** The first ones, in the order of the file. */
  get first(): LineError[] {
    return this.told.sort((one, other) => one.line - other.line);
  }

  get count(): number {
    return this.errors;
  }

  get isClean(): boolean {
    return this.errors === 0;
  }

  /** Says all that it knows on stderr. */
  print(hint = ''): void {
    for (const { line, field, message } of this.first) {
      console.error(onOneLine(`line ${line}: ${field}: ${render(message)}`));
    }
    const more = this.errors - this.told.length;
    if (more > 0) console.error(`… and ${more} more ${more === 1 ? 'error' : 'errors'}.`);
    const lines = `${this.lines} bad ${this.lines === 1 ? 'line' : 'lines'}`;
    console.error(`${lines}; nothing was written. ${hint}`.trim());
  }
}

/** What a file says must neither break the lines of the report nor steer the terminal. */
export const onOneLine = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD');
