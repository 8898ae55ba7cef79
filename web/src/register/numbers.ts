import { unsent } from '../shared/api.js';
import { numberOf } from '../shared/number.js';
import { language, t } from '../shared/texts.js';

/** As it is written into a field. */
export const written = (value: number): string =>
  language.value === 'fr' ? String(value).replace('.', ',') : String(value);

/** What number was typed, as numberOf() says it. */
export const typed = (text: string): number | null | undefined => numberOf(text, language.value === 'en');

/**
 * The numbers of fields, to be sent.
 * @throws ApiError of those that are none, as the service throws it: nothing is sent, and they say so themselves
 */
export function numbersOf(texts: Record<string, string>): Record<string, number | null> {
  const read = Object.entries(texts).map(([name, text]) => [name, typed(text)] as const);
  const wrong = read.filter(([, value]) => value === undefined).map(([name]) => [name, [t('number.wrong')]]);
  if (wrong.length === 0) return Object.fromEntries(read) as Record<string, number | null>;
  throw unsent(t('number.unsent'), Object.fromEntries(wrong) as Record<string, string[]>);
}
