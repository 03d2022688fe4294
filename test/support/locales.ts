// Reads the locale files as they stand, without the fallback to English.

import { readFileSync } from 'node:fs';
import type { Language } from '../../src/lib/text/language.ts';

/** The texts of a language, by `section.key`. */
export function readLocale(language: Language): { readonly key: string; readonly text: string }[] {
  const file = new URL(`../../locales/${language}.json`, import.meta.url);
  const sections = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  return Object.entries(sections).flatMap(([section, texts]) =>
    Object.entries(texts).map(([key, text]) => ({ key: `${section}.${key}`, text })),
  );
}

type ConsoleText = { readonly key: string; readonly text: string };

/** The texts of the console in a language; a text with plural forms has one for each category: `count.locations.one`. */
export function readConsoleLocale(language: Language): ConsoleText[] {
  const file = new URL(`../../console/locales/${language}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | Record<string, string>>;
  return Object.entries(texts).flatMap(([key, entry]) =>
    typeof entry === 'string'
      ? [{ key, text: entry }]
      : Object.entries(entry).map(([category, text]) => ({ key: `${key}.${category}`, text })),
  );
}
