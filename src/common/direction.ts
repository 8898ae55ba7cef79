/** A letter that is written from right to left, and one that is not. */
const RIGHT = String.raw`(?:(?!\p{N})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])`;
const LEFT = String.raw`(?:(?!${RIGHT})\p{L})`;
const IS_RIGHT = new RegExp(RIGHT, 'u');

/** Words of one direction with what is between them, what has no direction of its own, or a number. */
const PIECES = new RegExp(
  [
    String.raw`(?<right>${RIGHT}(?:[^\p{L}\p{N}]*${RIGHT})*\p{M}*)`,
    String.raw`(?<left>${LEFT}(?:(?:(?!${RIGHT}).)*(?:${LEFT}|\p{N}|\p{M}))?)`,
    String.raw`(?<none>[^\p{L}\p{N}]+)`,
    String.raw`(?<number>\p{N}+(?:[.,:/]\p{N}+)*)`,
  ].join('|'),
  'gsu',
);
type Kind = 'right' | 'left' | 'none' | 'number';

const PAIRS = '()[]{}<>«»';
const mirrored = (text: string): string =>
  text.replace(/[()[\]{}<>«»]/g, (sign) => PAIRS[PAIRS.indexOf(sign) ^ 1]!);

export interface Piece {
  text: string;
  /** Its letters follow each other from right to left. */
  isRight: boolean;
}

/**
 * The pieces of a line as they follow each other from left to right: the Unicode Bidirectional Algorithm (UAX 9) as far
 * as names need it. A line goes from right to left where its first letter does.
 */
export function inOrder(line: string): Piece[] {
  if (!IS_RIGHT.test(line)) return [{ text: line, isRight: false }];
  const pieces = [...line.matchAll(PIECES)].map(({ 0: text, groups }) => {
    const [kind] = Object.entries<string | undefined>(groups!).find(([, one]) => one !== undefined)!;
    return { text, kind: kind as Kind };
  });
  const first = pieces.find(({ kind }) => kind === 'left' || kind === 'right')!;
  if (first.kind === 'right') return turned(pieces);
  const ordered: Piece[] = [];
  for (let at = 0; at < pieces.length;) {
    const { text, kind } = pieces[at]!;
    if (kind === 'right') {
      const end = endOfRight(pieces, at);
      ordered.push(...turned(pieces.slice(at, end)));
      at = end;
    } else {
      ordered.push({ text, isRight: false });
      at++;
    }
  }
  return ordered;
}

/** Behind the last word from right to left before there is another one. */
function endOfRight(pieces: { kind: Kind }[], from: number): number {
  let end = from + 1;
  for (let at = end; at < pieces.length && pieces[at]!.kind !== 'left'; at++)
    if (pieces[at]!.kind === 'right') end = at + 1;
  return end;
}

const turned = (pieces: { text: string; kind: Kind }[]): Piece[] =>
  pieces.toReversed().flatMap(({ text, kind }) => {
    if (kind === 'none') return { text: [...mirrored(text)].reverse().join(''), isRight: false };
    // Their digits, which go from left to right as all numbers do, are taken for letters.
    if (kind === 'number' && /[\u0660-\u0669\u06f0-\u06f9]/.test(text))
      return [...text].map((digit) => ({ text: digit, isRight: false }));
    return kind === 'right' ? { text: mirrored(text), isRight: true } : { text, isRight: false };
  });

/** With it pdfkit turns all letters of a piece; without it those of each of its words, which stay in their order. */
export const WHOLE: PDFKit.Mixins.TextOptions = { features: [] };
