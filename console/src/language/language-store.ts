// The language of the console: the reader's choice, else the browser's. Its texts are loaded when it is chosen.

import catalogues from 'virtual:catalogues';
import { createTranslate, type Translate } from './catalogue.ts';
import { createFormats, type Formats } from './formats.ts';
import { localeOf, storeLanguage, type Language } from './languages.ts';

export type LanguageState = {
  readonly language: Language;
  readonly locale: string;
  readonly t: Translate;
  readonly formats: Formats;
};

export type LanguageStore = {
  current(): LanguageState;
  choose(language: Language): Promise<void>;
  subscribe(listener: () => void): () => void;
};

/** The texts and formats of a language, whatever the reader has chosen. */
export async function loadLanguage(language: Language): Promise<LanguageState> {
  const { default: catalogue } = await catalogues[language]();
  return {
    language,
    locale: localeOf(language),
    t: createTranslate(language, catalogue),
    formats: createFormats(language),
  };
}

/** Resolves when the texts of the first language are there. */
export async function openLanguageStore(storage: Storage, first: Language): Promise<LanguageStore> {
  const listeners = new Set<() => void>();
  let state = await loadLanguage(first);
  document.documentElement.lang = state.locale;
  return {
    current: () => state,
    choose: async (language) => {
      state = await loadLanguage(language);
      storeLanguage(storage, language);
      document.documentElement.lang = state.locale;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
