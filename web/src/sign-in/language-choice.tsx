import { chooseLanguage, language, t } from '../shared/texts.js';
import type { Language } from '../shared/texts.js';

const LANGUAGES: [Language, string][] = [
  ['fr', 'Français'],
  ['en', 'English'],
];

export const LanguageChoice = () => (
  <div class="choice" role="group" aria-label={t('language')}>
    {LANGUAGES.map(([code, name]) => (
      <button
        key={code}
        type="button"
        lang={code}
        aria-pressed={language.value === code}
        onClick={() => chooseLanguage(code)}
      >
        {name}
      </button>
    ))}
  </div>
);
