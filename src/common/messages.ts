/** A sentence that a client may read, in each of the languages; `{0}`, `{1}` … are filled in. */
export type Message = readonly [english: string, french: string];

/** Those of a room: each keeps its own, in a file called <room>.messages.ts. */
export type Messages = Record<string, Message>;

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const SEPARATOR = '\u001f';

/** A message to be rendered when the answer is written: a plain string, which errors and checks carry. */
export function say(message: Message, ...values: (string | number)[]): string {
  return [...message, ...values.map((value) => String(value).replaceAll(SEPARATOR, ' '))].join(SEPARATOR);
}

/** Text that nobody has said is left as it is. */
export function render(message: string, language: Language = 'en'): string {
  const [english = '', french = english, ...values] = message.split(SEPARATOR);
  const text = { en: english, fr: french }[language];
  return text.replace(/\{(\d)\}/g, (_, position: string) => values[Number(position)] ?? '');
}
