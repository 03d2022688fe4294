// The texts of the console in one language, with placeholders and plural forms.

import type english from '../../locales/en.json';
import { localeOf, type Language } from './languages.ts';

export type TextKey = keyof typeof english;

/** A text, or one for each plural category of the language (CLDR). */
export type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export type TextValues = Readonly<Record<string, string | number>>;

/** @param values what the placeholders stand for; `count` chooses the plural form */
export type Translate = (key: TextKey, values?: TextValues) => string;

export function createTranslate(language: Language, catalogue: Catalogue): Translate {
  const rules = new Intl.PluralRules(localeOf(language));
  const numbers = new Intl.NumberFormat(localeOf(language));
  return (key, values = {}) => {
    const entry = catalogue[key] ?? key;
    const count = values['count'];
    const form = typeof entry === 'string' ? entry : (entry[rules.select(Number(count ?? 0))] ?? entry['other'] ?? key);
    return form.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      if (value === undefined) return placeholder;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
