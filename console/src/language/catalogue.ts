// The texts of the console in one language, with placeholders and plural forms.

import { localeOf, type Language } from './languages.ts';
import type { Catalogue, texts } from './texts.ts';

export type TextKey = keyof typeof texts;

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
