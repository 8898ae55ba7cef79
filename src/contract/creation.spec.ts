import fc from 'fast-check';
import { parseKey } from './creation.js';
import type { DomainError } from '../common/errors.js';

/** The key, or the field that is complained of. */
function read(...values: string[]) {
  try {
    return parseKey(values);
  } catch (error) {
    return Object.keys((error as DomainError).errors ?? {});
  }
}

const REFUSED = ['Idempotency-Key'];
const quoted = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`;
const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });

describe('Idempotency-Key', () => {
  it('may be absent', () => {
    expect(parseKey(undefined)).toBeNull();
  });

  it('is any printable ASCII in double quotes, with those in it escaped', () => {
    fc.assert(fc.property(printable, (key) => expect(read(quoted(key))).toBe(key)));
    expect(read(String.raw`" a\"b\\ "`)).toBe(String.raw` a"b\ `);
  });

  it('is the same without quotes, where it has neither spaces nor quotes', () => {
    const bare = printable.filter((key) => !/[ "]/.test(key));
    fc.assert(fc.property(bare, (key) => expect(read(key)).toBe(read(quoted(key)))));
    expect(read(String.raw`a\b`)).toBe(read(String.raw`"a\\b"`));
  });

  it('has 1 to 255 characters, not counting what makes it a string', () => {
    for (const length of [1, 255]) {
      for (const key of ['k', '\\'].map((one) => one.repeat(length))) {
        expect([read(key), read(quoted(key))]).toEqual([key, key]);
      }
    }
    for (const key of ['', 'k'.repeat(256)])
      expect([read(key), read(quoted(key))]).toEqual([REFUSED, REFUSED]);
  });

  it.each([
    '"', '"a', 'a"', 'a"b', '"a"b"', '"a" "b"', '"a", "b"', 'a, b', 'a b', '"a"x', String.raw`"\"`, String.raw`"\a"`,
    '"a";p=1', 'a\tb', '"a\tb"', 'é', '"é"', '\x7f', '\0', '\xa0a', 'a\xa0', '\ufeffa', '"a"\u2028', '日本',
  ])('is refused as %j', (value) => {
    expect(read(value)).toEqual(REFUSED);
  }); // prettier-ignore

  it('is refused with any character beyond ASCII, and when it is given twice', () => {
    const texts = fc.string({ unit: 'binary' }).filter((text) => /[^ -~]/.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(text)).toEqual(REFUSED);
        expect(read(`"${text}"`)).toEqual(REFUSED);
      }),
    );
    for (const twice of [['a', 'a'], ['a', '"b"'], ['', '']]) expect(read(...twice)).toEqual(REFUSED); // prettier-ignore
  });

  it('is refused without a second thought, however much of a string it looks like', () => {
    for (const filling of ['\\', '\\\\', '\\"', 'a', ' ']) {
      expect(read(`"${filling.repeat(8001)}\u00e9"`)).toEqual(REFUSED);
    }
  });
});
