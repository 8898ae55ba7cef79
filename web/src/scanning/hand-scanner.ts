/** Faster than anybody types: a hand scanner sends a key every few milliseconds. */
const FAST_MS = 50;
/** After a pause as long it is another code. */
const PAUSE_MS = 1000;
const LEAST = 2;

/** The separator of GS1, which no key has: hand scanners type it as Ctrl and the bracket that closes. */
export const GS = '\x1d';
export const isSeparator = ({ ctrlKey, key }: KeyboardEvent): boolean => ctrlKey && key === ']';

/** The keys of a line. Most of a hand scanner's come fast; some wait where the device is busy. */
export class Typing {
  text = '';
  private gaps: number[] = [];
  private last = -Infinity;

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
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const { text, isScanner } = typing;
      typing.clear();
      if (!isScanner) return;
      event.preventDefault(); // it presses no button
      onRead(text);
    } else if (event.key.length === 1) {
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
