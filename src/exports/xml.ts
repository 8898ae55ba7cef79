const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
// eslint-disable-next-line no-control-regex -- XML cannot hold these
export const IMPOSSIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** Nearly every text. */
const PLAIN = /^[ !#-%'-;=?-~\u00a0-\u2fff]*$/;

/** A text for XML 1.0, without what that cannot hold. */
export function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(IMPOSSIBLE, '')
    .replace(/[&<>"\r]/g, (one) => ENTITIES[one]!);
}

export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
