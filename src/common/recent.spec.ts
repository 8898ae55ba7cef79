import { Recent } from './recent.js';

describe('What is kept in mind', () => {
  it('is what was asked for last', () => {
    const recent = new Recent<string, string>(2);
    for (const key of ['a', 'b', 'a', 'c']) {
      if (recent.get(key) === undefined) recent.set(key, key.toUpperCase());
    }
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual(['A', undefined, 'C']);
  });

  it('is so large together, and the last one however large it is', () => {
    const recent = new Recent<string, number>(10, (size) => size);
    for (const size of [4, 3, 3]) recent.set(String(size), size);
    for (const size of [4, 3, 3]) recent.set(`${size} again`, size);
    expect(recent.get('4')).toBeUndefined();
    expect(recent.get('4 again')).toBe(4);
    recent.set('large', 11);
    expect([recent.get('4 again'), recent.get('large')]).toEqual([undefined, 11]);
    recent.set('small', 1);
    expect([recent.get('large'), recent.get('small')]).toEqual([undefined, 1]);
  });
});
