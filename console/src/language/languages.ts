// The ten languages of the portal, each under its own name.

export const languageNames = {
  da: 'Dansk',
  de: 'Deutsch',
  en: 'English',
  fi: 'Suomi',
  fr: 'Français',
  is: 'Íslenska',
  nb: 'Norsk bokmål',
  nl: 'Nederlands',
  pl: 'Polski',
  sv: 'Svenska',
} as const;

export type Language = keyof typeof languageNames;

export const isLanguage = (text: string): text is Language => Object.hasOwn(languageNames, text);

/** Norwegian readers also ask for the language as a whole, and for Nynorsk. */
const aliases: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };

/** The first that the portal has of what the reader's browser prefers. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-', 1)[0] ?? '';
    const language = aliases[primary] ?? primary;
    if (isLanguage(language)) return language;
  }
  return 'en';
}

const key = 'portal-console-language';

/** The language that the reader has chosen before, else the browser's. */
export function firstLanguage(storage: Storage, preferred: readonly string[]): Language {
  const chosen = storage.getItem(key);
  return chosen !== null && isLanguage(chosen) ? chosen : chooseLanguage(preferred);
}

export const storeLanguage = (storage: Storage, language: Language): void => storage.setItem(key, language);

/** For `Intl` and React Aria: dates and numbers in English are British. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);
