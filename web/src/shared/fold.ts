/** Letters of Europe that are no other letter with a mark, and signs that stand for others. */
const LETTERS: Record<string, string> = {
  æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ĸ: 'q', ł: 'l', ŋ: 'n', ø: 'o', ŧ: 't', ƒ: 'f', ς: 'σ',
  '⁄': '/', ʼ: "'", ё: 'е', '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-', '\u00AD': '-',
}; // prettier-ignore
const THEIRS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** For what people search by: accents, ligatures and case make no difference, as in the service. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1') // й is no и
    .normalize('NFKC')
    .toLowerCase()
    .replace(THEIRS, (letter) => LETTERS[letter]!);
