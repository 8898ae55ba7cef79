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
      [7, { scanned: 1, total: 1 }],
      [8, { scanned: 1, total: 1 }],
    ]);
    expect([...tally.byPlace]).toEqual([
      [3, { scanned: 1, total: 1 }],
      [0, { scanned: 1, total: 1 }],
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
    expect([...tally.byArticle]).toEqual([[7, { scanned: 1, total: 1 }]]);
    expect([...tally.byPlace]).toEqual([[3, { scanned: 1, total: 1 }]]);
  });
});
