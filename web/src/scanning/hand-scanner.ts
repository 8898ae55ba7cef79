/** Faster than anybody types: a hand scanner sends a key every few milliseconds. */
const FAST_MS = 50;
const LEAST = 2;

/**
 * Tells what a hand scanner types, wherever the focus is but in a field for text, which gets it itself.
 * @returns what ends it
 */
export function hearHandScanner(onRead: (text: string) => void): () => void {
  let text = '';
  let last = 0;
  const hear = (event: KeyboardEvent): void => {
    if (takesText(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const now = event.timeStamp;
    if (now - last > FAST_MS) text = '';
    last = now;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const code = text;
      text = '';
      if (code.length < LEAST) return;
      event.preventDefault(); // it presses no button
      onRead(code);
    } else if (event.key.length === 1) {
      text += event.key;
      // A space would press the button that has the focus.
      if (event.key === ' ' && text.length > 1) event.preventDefault();
    }
  };
  document.addEventListener('keydown', hear, { capture: true });
  return () => document.removeEventListener('keydown', hear, { capture: true });
}

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type));

/** Whether what came into a field for text came from a hand scanner: key after key, fast. */
export class Typing {
  private first = 0;
  private keys = 0;

  key(at: number): void {
    if (this.keys === 0) this.first = at;
    this.keys += 1;
  }

  isScanner(at: number): boolean {
    return this.keys >= LEAST && (at - this.first) / this.keys < FAST_MS;
  }

  /** Said once at the end of a line. */
  wasScanner(at: number): boolean {
    const is = this.isScanner(at);
    this.keys = 0;
    return is;
  }
}
