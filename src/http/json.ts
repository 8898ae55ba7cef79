/**
 * What JSON.parse does not tell: whether a text is nested deeper than `maxDepth`, and which fields of an object are
 * given twice. Stops at the first level too deep, since a megabyte of brackets would cost as many objects.
 */
export function inspectJson(text: string, maxDepth: number): { isTooDeep: boolean; repeated: string[] } {
  const repeated: string[] = [];
  const open: (Set<string> | null)[] = []; // the keys seen of every open object; null for an array
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '{':
        open.push(new Set());
        isKey = true;
        break;
      case '[':
        open.push(null);
        isKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        isKey = open.at(-1) instanceof Set;
        break;
      case ':':
        isKey = false;
        break;
      case '"': {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (isKey && keys) {
          const key = unescape(text.slice(at, end + 1));
          if (keys.has(key)) repeated.push(key);
          keys.add(key);
        }
        at = end;
      }
    }
    if (open.length > maxDepth) return { isTooDeep: true, repeated: [] };
  }
  return { isTooDeep: false, repeated };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
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
