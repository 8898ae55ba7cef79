import { isAscii, transcode } from 'node:buffer';

/** What no body needs more of; a batch of a thousand scans has half of it. */
export const MAX_DEPTH = 32;
export const MAX_VALUES = 10_000;
/** Of names with escapes, which are read one by one, so many characters are compared. */
const MAX_ESCAPED = 65_536;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface Json {
  /** What there is too much of for JSON.parse to take time in proportion to the text, which is not parsed then. */
  excess: 'depth' | 'values' | null;
  value?: unknown;
  /** Fields of one object that are given twice. */
  repeated: string[];
}

/**
 * Reads a text, and what JSON.parse does not tell of it: whether it is nested deeper than `maxDepth` or has more than
 * `maxValues` values, and which fields of an object are given twice. @throws SyntaxError
 */
export function readJson(text: string, maxDepth = MAX_DEPTH, maxValues = MAX_VALUES): Json {
  const { excess, names } = measure(text, maxDepth, maxValues);
  if (excess) return { excess, repeated: [] };
  const value: unknown = JSON.parse(text);
  // Names are compared only where JSON.parse has kept fewer than there are.
  return { excess, value, repeated: namesIn(value) === names ? [] : repeatedNames(text) };
}

/** UTF-8 as text: what is not ASCII alone, some five times as fast as with toString(). */
export function textOf(utf8: Buffer): string {
  const text = isAscii(utf8)
    ? utf8.toString('latin1')
    : transcode(utf8, 'utf8', 'utf16le').toString('utf16le');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Stops where there is too much of something. */
function measure(
  text: string,
  maxDepth: number,
  maxValues: number,
): Pick<Json, 'excess'> & { names: number } {
  let depth = 0;
  let values = 1;
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OBJECT:
      case LIST:
        if (++depth > maxDepth) return { excess: 'depth', names };
        if (++values > maxValues) return { excess: 'values', names };
        break;
      case OBJECT_END:
      case LIST_END:
        depth--;
        break;
      case COMMA:
        if (++values > maxValues) return { excess: 'values', names };
        break;
      case COLON:
        names++;
        break;
      case QUOTE:
        at = endOfString(text, at);
    }
  }
  return { excess: null, names };
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  let names = Array.isArray(value) ? 0 : children.length;
  for (const child of children) names += namesIn(child);
  return names;
}

/** Of valid JSON in which there are some. */
function repeatedNames(text: string): string[] {
  const repeated: string[] = [];
  const open: (Set<string> | null)[] = []; // the names seen of every open object; null for an array
  let isName = false;
  let escaped = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OBJECT:
        isName = true;
        open.push(new Set());
        break;
      case LIST:
        isName = false;
        open.push(null);
        break;
      case OBJECT_END:
      case LIST_END:
        open.pop();
        break;
      case COMMA:
        isName = open.at(-1) !== null;
        break;
      case COLON:
        isName = false;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        const names = open.at(-1);
        if (isName && names) {
          let name = text.slice(at + 1, end);
          if (name.includes('\\')) {
            escaped += name.length;
            if (escaped > MAX_ESCAPED) return repeated.length > 0 ? repeated : ['body'];
            name = JSON.parse(text.slice(at, end + 1)) as string;
          }
          if (names.has(name)) repeated.push(name);
          names.add(name);
        }
        at = end;
      }
    }
  }
  return repeated;
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  if (at < 0) return text.length;
  if (text.charCodeAt(at - 1) !== BACKSLASH) return at;
  for (at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at++;
  }
  return at;
}
