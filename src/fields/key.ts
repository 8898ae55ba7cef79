const MAX_LENGTH = 50;

/** The key of a field of that name: its letters without accents and its digits, in lower case. */
export function keyOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '_');
  return plain.slice(0, MAX_LENGTH).replace(/^_|_$/g, '') || 'field';
}
