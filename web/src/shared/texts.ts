import { computed, signal } from '@preact/signals';
import en from '../texts/en.json';
import fr from '../texts/fr.json';
import { recall, remember } from './store.js';

export type Language = 'fr' | 'en';
export type TextKey = keyof typeof en;
/** Those that say how many: `….one` and `….other`. */
type CountedKey = TextKey extends infer Key ? (Key extends `${infer Name}.other` ? Name : never) : never;

const texts: Record<Language, Record<TextKey, string>> = { en, fr };

const ofBrowser = (): Language => (/^fr\b/i.test(navigator.language) ? 'fr' : 'en');

export const language = signal<Language>(ofBrowser());

export async function restoreLanguage(): Promise<void> {
  language.value = (await recall<Language>('language')) ?? ofBrowser();
}

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  void remember('language', chosen);
}

/** As the browser has the language that is shown: days are written otherwise in Britain than in America. */
export const locale = computed(
  () =>
    navigator.languages.find(
      (one) => /^[a-z]{2}(-[a-z]{2})?$/i.test(one) && one.startsWith(language.value),
    ) ?? language.value,
);

const plurals = computed(() => new Intl.PluralRules(language.value));
const numbers = computed(() => new Intl.NumberFormat(language.value));

/** The text, with what stands for `{name}` in it. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return texts[language.value][key].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numbers.value.format(value) : value;
  });
}

/** The text for so many; `{count}` is the number. */
export function count(key: CountedKey, number: number, values: Record<string, string | number> = {}): string {
  const form = plurals.value.select(number) === 'one' ? 'one' : 'other';
  return t(`${key}.${form}` as TextKey, { count: number, ...values });
}
