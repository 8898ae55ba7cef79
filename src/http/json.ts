/** What no body needs more of; a batch of a thousand scans has half of it. */
export const MAX_DEPTH = 32;
export const MAX_VALUES = 10_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Of an open object in which no field was seen yet: an empty one costs no Set. */
const NO_KEYS = new Set<string>();

export interface Inspected {
  /** What there is too much of for JSON.parse to take time in proportion to the bytes. */
  excess: 'depth' | 'values' | null;
  /** Fields of one object that are given twice. */
  repeated: string[];
}

/**
 * What JSON.parse does not tell of a text in UTF-8: whether it is nested deeper than `maxDepth` or has more than
 * `maxValues` values, and which fields of an object are given twice. Stops where there is too much of something.
 */
export function inspectJson(text: Buffer, maxDepth = MAX_DEPTH, maxValues = MAX_VALUES): Inspected {
  const repeated: string[] = [];
  const open: (Set<string> | null)[] = []; // the keys seen of every open object; null for an array
  let isKey = false;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]!) {
      case OBJECT:
      case LIST:
        isKey = text[at] === OBJECT;
        open.push(isKey ? NO_KEYS : null);
        values++;
        if (open.length > maxDepth) return { excess: 'depth', repeated: [] };
        if (values > maxValues) return { excess: 'values', repeated: [] };
        break;
      case OBJECT_END:
      case LIST_END:
        open.pop();
        break;
      case COMMA:
        isKey = open.at(-1) instanceof Set;
        if (++values > maxValues) return { excess: 'values', repeated: [] };
        break;
      case COLON:
        isKey = false;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        let keys = open.at(-1);
        if (isKey && keys) {
          if (keys === NO_KEYS) open[open.length - 1] = keys = new Set();
          const key = unescape(text.toString('utf8', at, end + 1));
          if (keys.has(key)) repeated.push(key);
          keys.add(key);
        }
        at = end;
      }
    }
  }
  return { excess: null, repeated };
}

function endOfString(text: Buffer, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text[at];
    if (code === QUOTE) break;
    if (code === BACKSLASH) at++;
  }
  return at;
}

function unescape(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal; // the text is not JSON; JSON.parse says so afterwards
  }
}
