/**
 * A number as people write it, with a comma or a point: browsers read that by a language of their own, and drop a comma
 * that is none of it. Null where nothing is written, undefined where it is no number or may be two: `1,234` is another
 * in English than in French.
 */
export function numberOf(text: string, isEnglish = false): number | null | undefined {
  const bare = text.replace(/\s/g, ''); // those that do not break too, as this page itself writes thousands
  if (bare === '') return null;
  if (isEnglish && /^-?[1-9]\d{0,2},\d{3}$/.test(bare)) return undefined;
  return /^-?(\d+([.,]\d+)?|[.,]\d+)$/.test(bare) ? Number(bare.replace(',', '.')) : undefined;
}
