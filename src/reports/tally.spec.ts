import { Tally } from './tally.js';

describe('A tally', () => {
  it('counts each purchase as it is now, once, however often it is told', () => {
    const tally = new Tally();
    tally.take([
      ['1', '7', '3', '1'],
      ['5000', '7', null, '2'],
    ]);
    tally.take([['1', '8', '3', '2']]);
    tally.take([['1', '8', '3', '2']]);
    expect([...tally.byArticle]).toEqual([
      [7, 1, 1],
      [8, 1, 1],
    ]);
    expect([...tally.byPlace]).toEqual([
      [0, 1, 1],
      [3, 1, 1],
    ]);
  });

  it('takes what was scanned as it knows it, and says so where it does not', () => {
    const tally = new Tally();
    tally.take([
      ['1', '7', '3', '1'],
      ['2', '7', '4', '0'],
    ]);
    expect(tally.scan([['1'], ['1']])).toBe(true);
    expect(tally.scan([['2']])).toBe(false);
    expect([...tally.byArticle]).toEqual([[7, 1, 1]]);
    expect([...tally.byPlace]).toEqual([[3, 1, 1]]);
  });

  it('takes back what is missing again, moves what has moved, and forgets what is none of the session', () => {
    const tally = new Tally();
    tally.take([
      ['1', '7', '3', '2'],
      ['2', '7', '3', '2'],
      ['3', '2147483647', '2147483647', '2'],
    ]);
    tally.take([
      ['1', '7', '3', '1'],
      ['2', '7', '4', '2'],
    ]);
    tally.take([['3', '2147483647', '2147483647', '0']]);
    expect(tally.scan([['3']])).toBe(false);
    expect([...tally.byArticle]).toEqual([[7, 1, 2]]);
    expect([...tally.byPlace]).toEqual([
      [3, 0, 1],
      [4, 1, 1],
    ]);
    expect(tally.byArticle.get(2147483647)).toEqual([0, 0]);
  });
});
