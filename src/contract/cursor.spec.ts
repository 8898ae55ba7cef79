import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { DomainError } from '../common/errors.js';
import { decodeCursor, encodeCursor } from './cursor.js';

const LIST = 'articles:article.name:ASC';
const read = (cursor: string, type: Parameters<typeof decodeCursor>[2][0] = 'text', list = LIST) =>
  decodeCursor(list, cursor, [type, 'integer']);

/** A cursor as someone writes it who knows how the sum is made. */
function forged(position: string): string {
  const sum = createHash('sha256').update(`${LIST}|${position}`).digest('base64url').slice(0, 12);
  return Buffer.from(sum + position).toString('base64url');
}

describe('cursors', () => {
  const positions = fc.tuple(fc.string({ unit: 'binary' }), fc.nat());
  const storable = positions.filter(([text]) => !text.includes('\0'));

  it('lead back to their place', () => {
    fc.assert(
      fc.property(storable, (position) => expect(read(encodeCursor(LIST, position))).toEqual(position)),
    );
  });

  it('belong to one list in one order', () => {
    const cursor = encodeCursor(LIST, ['a', 1]);
    for (const other of ['articles:article.name:DESC', 'articles:article.id:ASC', 'tiers:tier.name:ASC']) {
      expect(() => read(cursor, 'text', other)).toThrow(DomainError);
    }
  });

  it('are refused with any one character changed, and as any other text', () => {
    const changed = fc.tuple(storable, fc.nat(), fc.constantFrom(...'AZaz09-_=+/ é'));
    fc.assert(
      fc.property(changed, ([position, at, character]) => {
        const cursor = encodeCursor(LIST, position);
        const place = at % cursor.length;
        const other = cursor.slice(0, place) + character + cursor.slice(place + 1);
        if (other !== cursor) expect(() => read(other)).toThrow(DomainError);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(() => read(text)).toThrow(DomainError)),
    );
  });

  it('are refused when forged with a value that the column cannot be compared with', () => {
    expect(read(forged('["a",1]'))).toEqual(['a', 1]);
    for (const text of [
      '["a",1',
      '',
      'null',
      '{}',
      '[]',
      '["a"]',
      '[1,1]',
      '["a","1"]',
      '["a",null]',
      '["a",1.5]',
      '["a",2147483648]',
      '["a\\u0000",1]',
      '["\\ud800",1]',
    ]) {
      // prettier-ignore
      expect(() => read(forged(text))).toThrow(DomainError);
    }
    const wrong = [
      ['timestamptz', '"2020-01-01T00:00:00+23:59"'],
      ['timestamptz', '"2020-01-01T00:00:00 02:00"'],
      ['integer', '"1"'], ['integer', '2147483648'], ['bigint', '1e300'], ['numeric', '1e400'], ['numeric', '"1"'],
      ['date', '"2026-02-30"'], ['date', '"infinity"'], ['timestamptz', '"now"'], ['timestamptz', '1'],
    ] as const; // prettier-ignore
    for (const [type, value] of wrong) {
      expect(() => read(forged(`[${value},1]`), type)).toThrow(DomainError);
    }
  });

  it('hold every type that lists sort by', () => {
    const values = [
      ['integer', 1], ['bigint', 2 ** 50], ['numeric', 9999999999.99], ['numeric', -1], ['date', '2024-02-29'],
      ['date', '-infinity'], ['timestamptz', '2026-10-15T08:30:00.123Z'],
    ] as const; // prettier-ignore
    for (const [type, value] of values)
      expect(read(encodeCursor(LIST, [value, 1]), type)).toEqual([value, 1]);
  });
});
