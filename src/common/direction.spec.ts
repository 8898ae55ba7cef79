import { inOrder } from './direction.js';

/** What is read from left to right, the letters of words from right to left turned. */
const seen = (line: string): string =>
  inOrder(line)
    .map(({ text, isRight }) => (isRight ? [...text].reverse().join('') : text))
    .join('');

describe('A line', () => {
  it.each([
    ['Table haute, 3 (HP)', 'Table haute, 3 (HP)'],
    ['שולחן עבודה', 'הדובע ןחלוש'],
    ['שולחן 25.5 גדול', 'לודג 25.5 ןחלוש'],
    ['Table שולחן 25 גדול 3 m', 'Table 3 לודג 25 ןחלוש m'],
    ['שולחן 25 - 30', '30 - 25 ןחלוש'],
    ['שולחן HP 14 (נייד)', '(דיינ) HP 14 ןחלוש'],
    ['INV-1 שולחן', 'INV-1 ןחלוש'],
    ['', ''],
  ])('has its pieces in the order of the Unicode Bidirectional Algorithm: %s', (line, shown) => {
    expect(seen(line)).toBe(shown);
  });

  it('has the digits of Arabic one by one, since fonts turn what is of several', () => {
    expect(inOrder('مكتب ١٢').map(({ text }) => text)).toEqual(['١', '٢', 'مكتب ']);
  });

  it('loses nothing', () => {
    const lettersOf = (text: string) => [...text.replaceAll(')', '(')].sort();
    for (const line of ['a ב', 'ב\u0301 1 a\n)', '  ב', '😀 ב 漢字 (א', '١٢ مكتب', '\u0301א']) {
      const pieces = inOrder(line).map(({ text }) => text);
      expect(lettersOf(pieces.join(''))).toEqual(lettersOf(line));
    }
  });
});
