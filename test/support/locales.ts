// Reads the texts as they stand in the files, without the fallback to English.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../src/lib/text/language.ts';

const root = join(import.meta.dirname, '../..');

/** A text, or one for each plural category of the language. */
type Text = string | Readonly<Record<string, string>>;
type TextInLanguages = { readonly [language in Language]?: Text };
type Section = { readonly [key: string]: Section | TextInLanguages };

const listTexts = (section: Section, path: string): { key: string; text: TextInLanguages }[] =>
  Object.entries(section).flatMap(([name, inner]) => {
    const key = `${path}.${name}`;
    return isText(inner) ? [{ key, text: inner }] : listTexts(inner, key);
  });

const isText = (section: Section | TextInLanguages): section is TextInLanguages => Object.hasOwn(section, 'en');

const readTexts = (folder: string): { key: string; text: TextInLanguages }[] =>
  globSync('**/*.json', { cwd: join(root, folder) })
    .toSorted()
    .flatMap((file) =>
      listTexts(JSON.parse(readFileSync(join(root, folder, file), 'utf8')) as Section, file.replace('.json', '')),
    );

/** The texts of a folder, each in all its languages, by `file.key`. */
export const storedTexts = { locales: readTexts('locales'), 'console/locales': readTexts('console/locales') } as const;

type LocalText = { readonly key: string; readonly text: string };

/** The texts of a language, by `file.key`. */
export const readLocale = (language: Language): LocalText[] => readLanguage('locales', language);

/**
 * The texts of the console in a language, by the keys that its sources name; a text with plural forms has one for each
 * category: `count.locations.one`.
 */
export const readConsoleLocale = (language: Language): LocalText[] =>
  readLanguage('console/locales', language).map(({ key, text }) => ({ key: key.slice(key.indexOf('.') + 1), text }));

const readLanguage = (folder: keyof typeof storedTexts, language: Language): LocalText[] =>
  storedTexts[folder].flatMap(({ key, text: { [language]: text } }) => {
    if (text === undefined) return [];
    if (typeof text === 'string') return [{ key, text }];
    return Object.entries(text).map(([category, form]) => ({ key: `${key}.${category}`, text: form }));
  });
