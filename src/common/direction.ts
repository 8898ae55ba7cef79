import bidiJs from 'bidi-js';
import type { Bidi } from 'bidi-js';

/** By its types the function is a default export; at run time it is all of the module. */
const bidi = (bidiJs as unknown as () => Bidi)();

/** Nearly every line has none of these, and one direction. */
const IS_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Their digits go from left to right, as all numbers do; fonts take them for letters. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/;

export interface Piece {
  text: string;
  /** Its letters follow each other from right to left. */
  isRight: boolean;
}

/**
 * The pieces of a line as they follow each other from left to right, by the Unicode Bidirectional Algorithm (UAX 9). A
 * line goes from right to left where its first letter does.
 */
export function inOrder(line: string): Piece[] {
  if (!IS_RIGHT.test(line)) return [{ text: line, isRight: false }];
  const { levels } = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: { level: number; text: string }[] = [];
  for (const [at, level] of levels.entries()) {
    const letter = mirrored.get(at) ?? line[at]!;
    const run = runs.at(-1);
    if (run?.level === level) run.text += letter;
    else runs.push({ level, text: letter });
  }
  return turned(runs).flatMap(piecesOf);
}

/** Each row of runs of a level or more, from the highest to the lowest that is odd (rule L2). */
function turned<Run extends { level: number }>(runs: Run[]): Run[] {
  const highest = Math.max(...runs.map(({ level }) => level));
  for (let least = highest; least > 0; least--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while (to < runs.length && runs[to]!.level >= least) to++;
      runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = to;
    }
  }
  return runs;
}

function piecesOf({ level, text }: { level: number; text: string }): Piece[] {
  if (level % 2 === 0)
    return (ARABIC_DIGITS.test(text) ? [...text] : [text]).map((one) => ({ text: one, isRight: false }));
  // A font turns what has letters from right to left, and nothing else.
  if (IS_RIGHT.test(text)) return [{ text, isRight: true }];
  return [{ text: [...text].reverse().join(''), isRight: false }];
}

/** With it pdfkit turns all letters of a piece; without it those of each of its words, which stay in their order. */
export const WHOLE: PDFKit.Mixins.TextOptions = { features: [] };
