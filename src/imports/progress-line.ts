import { clearLine, cursorTo } from 'node:readline';

/** How often a bar moves, and how often a line is added where there is none. */
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;
const WIDTH = 30;

/** How far a command is, on stderr: a bar in a terminal, elsewhere a line every five seconds. */
export class ProgressLine {
  private readonly hasBar: boolean;
  private toldAt = performance.now();
  private isShown = false;

  constructor(private readonly out: NodeJS.WriteStream = process.stderr) {
    this.hasBar = out.isTTY && process.env.TERM !== 'dumb';
    if (this.hasBar) process.once('exit', () => this.end()); // Ctrl-C comes in between
  }

  /** For example `Checked`, 4 500 of 10 000. */
  tell(what: string, done: number, of: number): void {
    const now = performance.now();
    if (now - this.toldAt < (this.hasBar ? BAR_EVERY_MS : LINE_EVERY_MS)) return;
    this.toldAt = now;
    if (!this.hasBar) return void this.out.write(`${what} ${done} of ${of}.\n`);
    const full = Math.floor((done / of) * WIDTH);
    cursorTo(this.out, 0);
    this.out.write(`${what} [${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${done} of ${of}`);
    clearLine(this.out, 1);
    this.isShown = true;
  }

  /** Takes the bar away, for what is said next. */
  end(): void {
    if (!this.isShown) return;
    this.isShown = false;
    cursorTo(this.out, 0);
    clearLine(this.out, 1);
  }
}
