/** The lines of a text that are no wider than that: broken at spaces, and within a word that has no room by itself. */
export function wrapped(text: string, width: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = [];
  const space = widthOf(' ');
  let line = '';
  let used = 0;
  const take = (part: string, size: number) => {
    if (line !== '' && used + space + size > width) {
      lines.push(line);
      line = '';
    }
    used = line === '' ? size : used + space + size;
    line = line === '' ? part : `${line} ${part}`;
  };
  // Not at those that hold together what is beside them.
  for (const word of text.split(/[ \t\r\n]+/)) {
    const size = widthOf(word);
    if (size <= width) take(word, size);
    else for (const part of broken(word, width, widthOf)) take(part, widthOf(part));
  }
  return [...lines, line];
}

function broken(word: string, width: number, widthOf: (part: string) => number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const letter of word) {
    const size = widthOf(letter);
    if (part !== '' && used + size > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += letter;
    used += size;
  }
  return [...parts, part];
}
