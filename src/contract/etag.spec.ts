import fc from 'fast-check';
import type { DomainError } from '../common/errors.js';
import { Expected, parseIfMatch, tagOf } from './etag.js';

/** The field that is complained of, or what was read. */
function read(header: string | undefined) {
  try {
    return parseIfMatch(header);
  } catch (error) {
    return Object.keys((error as DomainError).errors ?? {});
  }
}

const opaque = fc.string({ unit: fc.constantFrom(...'aZ09-.,;:*\\/!W#~é') });
const tags = fc.tuple(fc.constantFrom('', 'W/'), opaque).map(([weak, text]) => `${weak}"${text}"`);
/** Senders must not leave out elements of a list, but recipients must bear with it (RFC 9110, 5.6.1). */
const edges = fc.string({ unit: fc.constantFrom(' ', '\t', ','), maxLength: 4 });
const separators = fc.tuple(fc.constantFrom('', ' ', '\t '), edges).map((around) => around.join(','));

describe('If-Match', () => {
  it('is no condition when it is absent, and none but the existence when it is *', () => {
    expect(read(undefined)).toBeNull();
    expect(read('*')).toBeNull();
  });

  it('holds the tags of its list, as they are', () => {
    const lists = fc.array(fc.tuple(tags, separators), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(edges, lists, (edge, list) => {
        expect(read(edge + list.flat().join(''))).toEqual(new Set(list.map(([tag]) => tag)));
      }),
    );
  });

  it.each([
    '', ' ', ',', ' , ', 'a', '0.1.0-1', "'a'", '"', '""a', 'a""', '"a', 'a"', '"a" "b"', '"a""b"', '"a";"b"', '"a" b',
    'w/"a"', 'W/', 'W/a', 'W "a"', '"a b"', '"a\tb"', '"a\x7f"', '"\u0100"', '*, "a"', '"a", *', '**', '"*', '\xa0*', '*\xa0',
  ])('is refused as %j', (header) => {
    expect(read(header)).toEqual(['If-Match']);
  }); // prettier-ignore

  it('is either refused, or a list of tags, whatever it is', () => {
    const pieces = fc.constantFrom('"', '"a"', 'W/', 'W/"b"', ',', ' ', '\t', '*', 'x', '\xa0');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (header) => {
        const found = read(header);
        if (Array.isArray(found)) expect(found).toEqual(['If-Match']);
        else if (header === '*') expect(found).toBeNull();
        else for (const tag of found!) expect(tag).toMatch(/^(W\/)?"[!#-~\x80-\xff]*"$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused without a second thought, however much of a list it looks like', () => {
    const fillings = [', ', ' ,', ' , ', ',\t ', ', "a"', '"a" ,', ',', ' ', 'W/', '"a"', 'W/"a" ,'];
    for (const filling of fillings) {
      for (const end of ['x', '"', '']) {
        const found = read(`"a"${filling.repeat(5000)}${end}x`); // an exponential search would never end
        expect(found).toEqual(['If-Match']);
      }
    }
  });
});

describe('an entity tag', () => {
  const versions = fc.array(fc.oneof(fc.nat(), fc.constant(undefined)), { minLength: 3, maxLength: 3 });

  it('is one that If-Match takes, and of these versions alone', () => {
    fc.assert(
      fc.property(versions, versions, (one, other) => {
        expect(parseIfMatch(tagOf(...one))).toEqual(new Set([tagOf(...one)]));
        expect(tagOf(...one) === tagOf(...other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it('matches itself and *, never a weak one', () => {
    const matches = (header: string | undefined): boolean => {
      const check = new Expected(parseIfMatch(header)).by(() => tagOf(1));
      try {
        check(null);
        return true;
      } catch (error) {
        expect((error as DomainError).code).toBe('stale');
        return false;
      }
    };
    for (const header of [undefined, '*', tagOf(1), `"x", ${tagOf(1)}`]) expect(matches(header)).toBe(true);
    for (const header of [tagOf(2), `W/${tagOf(1)}`, `"x", W/${tagOf(1)}`, '""'])
      expect(matches(header)).toBe(false);
  });
});
