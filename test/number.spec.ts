// By a path that is no literal: the pages have types of their own, see web/tsconfig.json.
const path = '../web/src/shared/number.js';
const { numberOf } = (await import(path)) as {
  numberOf: (text: string, isEnglish?: boolean) => number | null | undefined;
};

describe('A number that is typed', () => {
  it.each([
    ['1234,56', 1234.56],
    ['1234.56', 1234.56],
    ['1 234,56', 1234.56],
    ['1\u00a0234,56', 1234.56],
    ['1\u202f234\u202f567,5', 1234567.5],
    ['3.05', 3.05],
    [',5', 0.5],
    ['-12,5', -12.5],
    ['0', 0],
    ['', null],
    [' ', null],
  ])('%j is %j', (text, number) => {
    expect([numberOf(text), numberOf(text, true)]).toEqual([number, number]);
  });

  it.each([
    '1.234,56',
    '1,234.56',
    '1,234,567',
    '1.234.567',
    '12,',
    '1e3',
    '0x10',
    '12 €',
    'mille',
    '-',
    ',',
  ])('%j is refused', (text) => {
    expect([numberOf(text), numberOf(text, true)]).toEqual([undefined, undefined]);
  });

  it('is read with a comma before three digits where that is no thousand', () => {
    expect([numberOf('1,234'), numberOf('0,125', true), numberOf('1,234', true)]).toEqual([
      1.234,
      0.125,
      undefined,
    ]);
  });
});
