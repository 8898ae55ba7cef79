/** Faster than anybody types: a hand scanner sends a key every few milliseconds. */
const FAST_MS = 50;
/** After a pause as long it is another code. */
const PAUSE_MS = 1000;
const LEAST = 2;
/** Nobody presses a key so soon after a code, where the focus is still the same. */
const SOON_MS = 300;

/** The separator of GS1, which no key has: hand scanners type it as Ctrl and the bracket that closes. */
export const GS = '\x1d';
export const isSeparator = ({ ctrlKey, key }: KeyboardEvent): boolean => ctrlKey && key === ']';

/** What ends a code; a line feed has no key either. Some hand scanners type two of these, such as for CR and LF. */
export const isEnd = ({ ctrlKey, key }: KeyboardEvent): boolean =>
  key === 'Enter' || key === 'Tab' || (ctrlKey && key.toLowerCase() === 'j');

/** With Alt, some keyboards type what has no key of its own there, such as the brackets of a French one; no letter. */
const isTyped = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !(altKey && /\w/.test(key));

/** The keys of a line. Most of a hand scanner's come fast; some wait where the device is busy. */
export class Typing {
  text = '';
  private gaps: number[] = [];
  private last = -Infinity;
  private ended: { at: number; target: EventTarget | null } | undefined;

  key(key: string, at: number): void {
    const gap = at - this.last;
    if (gap > PAUSE_MS) this.clear();
    else this.gaps.push(gap);
    this.text += key;
    this.last = at;
  }

  get isScanner(): boolean {
    const middle = [...this.gaps].sort((a, b) => a - b)[Math.floor(this.gaps.length / 2)];
    return this.text.length >= LEAST && middle !== undefined && middle < FAST_MS;
  }

  /** @returns what a hand scanner has typed, nothing where that has ended just before; undefined where somebody types */
  end({ timeStamp: at, target }: Event): string | undefined {
    const isSoon = this.ended !== undefined && at - this.ended.at < SOON_MS && this.ended.target === target;
    const isSecond = this.text === '' && isSoon;
    const text = this.isScanner || isSecond ? this.text : undefined;
    this.clear();
    if (text) this.ended = { at, target };
    return text;
  }

  clear(): void {
    this.text = '';
    this.gaps = [];
    this.last = -Infinity;
  }
}

/**
 * Tells what a hand scanner types, wherever the focus is but in a field for text, which gets it itself.
 * @returns what ends it
 */
export function hearHandScanner(onRead: (text: string) => void): () => void {
  const typing = new Typing();
  const hear = (event: KeyboardEvent): void => {
    if (takesText(event.target)) return;
    if (isSeparator(event)) {
      event.preventDefault(); // some browsers go forward by it
      return typing.key(GS, event.timeStamp);
    }
    if (isEnd(event)) {
      const text = typing.end(event);
      if (text === undefined) return;
      event.preventDefault(); // it presses no button
      if (text !== '') onRead(text);
    } else if (isTyped(event)) {
      typing.key(event.key, event.timeStamp);
      // A space would press the button that has the focus, any key choose from a list.
      const does = event.key === ' ' || event.target instanceof HTMLSelectElement;
      if (does && typing.isScanner) event.preventDefault();
    }
  };
  document.addEventListener('keydown', hear, { capture: true });
  return () => document.removeEventListener('keydown', hear, { capture: true });
}

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'file'].includes(target.type));
