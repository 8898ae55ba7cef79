import { DomainError } from './errors.js';
import { parseIfMatch } from './etag.js';

describe('If-Match', () => {
  it.each([undefined, '*'])('%p asks for nothing in particular', (header) =>
    expect(parseIfMatch(header)).toBeNull(),
  );

  it.each([
    ['"a"', ['"a"']],
    ['""', ['""']],
    ['W/"a", "b"', ['W/"a"', '"b"']],
    ['"a","b" , "c,d"', ['"a"', '"b"', '"c,d"']],
    [', ,"a",\t,, "b" ,', ['"a"', '"b"']],
    ['"*"', ['"*"']],
    ['"é\\"', ['"é\\"']],
  ])('%s is a list of tags', (header, tags) => expect([...parseIfMatch(header)!]).toEqual(tags));

  it.each([
    '', ',', 'a', '"a', 'a"', '"a""b"', '"a" "b"', '"a", b', '"a" *', '*, *', '**', 'w/"a"', 'W/ "a"', 'W/', '"a b"', '"a\tb"',
    '\u00a0*', '"a"\u00a0',
  ])('%p is malformed', (header) => expect(() => parseIfMatch(header)).toThrow(DomainError)); // prettier-ignore

  it('that is malformed at its end is refused at once', () => {
    const ends = [`"a"${', '.repeat(5000)}x`, `"a"${' '.repeat(5000)}x`, `${'"a", '.repeat(2000)}x`];
    for (const header of ends) expect(() => parseIfMatch(header)).toThrow(DomainError);
  });
});
