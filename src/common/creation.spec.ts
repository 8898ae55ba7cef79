import { DomainError } from './errors.js';
import { parseKey } from './creation.js';

const MAX = 255;

describe('Idempotency-Key', () => {
  it('may be left out', () => expect(parseKey(undefined)).toBeNull());

  it.each([
    ['0b6f3c1e-5d0a-4f0e-9a53-2f1f3f0a7c11', '0b6f3c1e-5d0a-4f0e-9a53-2f1f3f0a7c11'],
    ['"a"', 'a'],
    ['"a b"', 'a b'],
    ['"\\"a\\\\"', '"a\\'],
    ['a\\', 'a\\'],
    ['a,b', 'a,b'],
    ['x'.repeat(MAX), 'x'.repeat(MAX)],
    [`"${'x'.repeat(MAX)}"`, 'x'.repeat(MAX)],
    [`"${'\\"'.repeat(MAX)}"`, '"'.repeat(MAX)],
  ])('%s is %s', (header, key) => expect(parseKey([header])).toBe(key));

  it.each([
    '', '""', '"', '"a', 'a"', 'a"b', '"a"b', '"a"b"', '"\\a"', '"\\"', 'a b', 'é', '"é"', 'a\u00a0', '\u00a0a', '"a\tb"', '"a", "b"',
    'x'.repeat(MAX + 1), `"${'x'.repeat(MAX + 1)}"`,
  ])('%p is none', (header) => expect(() => parseKey([header])).toThrow(DomainError)); // prettier-ignore

  it('stands once', () => expect(() => parseKey(['a', 'a'])).toThrow(DomainError));
});
