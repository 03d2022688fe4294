// The texts of the ten languages: the same placeholders, complete plurals, and the letters and marks of the language.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languages, type Language } from '../../src/lib/text/language.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { readConsoleLocale, readLocale, storedTexts } from '../support/locales.ts';

const root = join(import.meta.dirname, '../..');
const english = new Map(readLocale('en').map(({ key, text }) => [key, text]));

function forEachText(check: (language: Language, key: string, text: string) => void): void {
  for (const language of languages) for (const { key, text } of readLocale(language)) check(language, key, text);
}

function forEachConsoleText(check: (language: Language, key: string, text: string) => void): void {
  for (const language of languages) for (const { key, text } of readConsoleLocale(language)) check(language, key, text);
}

const placeholdersOf = (text = ''): string[] => [...text.matchAll(/\{.*?\}/g)].map(([each]) => each).toSorted();

const withoutCategory = (key: string): string => key.replace(/\.(?:zero|one|two|few|many|other)$/, '');

test('every text has the ten languages, English first, and the others in one order', () => {
  const expected = ['en', ...languages.filter((language) => language !== 'en')];
  for (const folder of ['locales', 'console/locales'] as const)
    for (const { key, text } of storedTexts[folder]) assert.deepEqual(Object.keys(text), expected, key);
});

test('no key stands twice, and the console has every file', () => {
  for (const folder of ['locales', 'console/locales'] as const) {
    const files = globSync(`${folder}/**/*.json`, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
    // The parser would take the last of two.
    assert.equal(storedTexts[folder].length, files.join('').match(/^\s*"en":/gm)?.length);
  }
  const keys = storedTexts.locales.map(({ key }) => key.replace(/^unit-values\/[\w-]+\./, ''));
  assert.equal(new Set(keys).size, keys.length);
  const consoleKeys = storedTexts['console/locales'].map(({ key }) => key.slice(key.indexOf('.') + 1));
  assert.deepEqual(Object.keys(catalogueOf('en')).toSorted(), consoleKeys.toSorted());
});

test('every language has the texts of English, with the same placeholders', () => {
  for (const language of languages)
    assert.deepEqual(
      readLocale(language).map(({ key }) => key),
      [...english.keys()],
      language,
    );
  forEachText((language, key, text) => {
    assert.deepEqual(placeholdersOf(text), placeholdersOf(english.get(key)), `${language} ${key}`);
    assert.match(text.replaceAll(/\{[a-z]+\}/gi, ''), /^[^{}]*$/, `${language} ${key}`);
  });
});

test('a text that depends on a number has every plural form of every language', () => {
  const forms = new Set(readLocale('en').flatMap(({ key }) => (key.startsWith('calendar-days.') ? [key] : [])));
  for (const language of languages)
    for (const category of new Intl.PluralRules(language).resolvedOptions().pluralCategories)
      assert.ok(forms.has(`calendar-days.${category}`), `${language} ${category}`);
});

test('the console has its texts in every language, with the same placeholders and with every plural form', () => {
  const englishTexts = new Map(readConsoleLocale('en').map(({ key, text }) => [withoutCategory(key), text]));
  for (const language of languages) {
    const texts = readConsoleLocale(language);
    assert.deepEqual([...new Set(texts.map(({ key }) => withoutCategory(key)))], [...englishTexts.keys()], language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, forms] of Map.groupBy(texts, (each) => withoutCategory(each.key))) {
      if (forms.length === 1 && forms[0]?.key === key) continue;
      // French and others have a form for millions, which nothing here counts to.
      const needed = pluralCategories.filter((category) => category !== 'many' || language === 'pl');
      const found = forms.map((form) => form.key.slice(key.length + 1));
      assert.deepEqual(found.toSorted(), needed.toSorted(), `${language} ${key}`);
    }
  }
  forEachConsoleText((language, key, text) => {
    const name = `${language} ${key}`;
    assert.deepEqual(placeholdersOf(text), placeholdersOf(englishTexts.get(withoutCategory(key))), name);
  });
});

test('every text of the console is shown somewhere', () => {
  const sources = globSync('console/src/**/*.{ts,tsx}', { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const unused = Object.keys(catalogueOf('en')).filter((key) => !sources.includes(`'${key}'`));
  assert.deepEqual(unused, []);
});

test('no sentence was left in English', () => {
  const englishTexts = new Map([...english, ...readConsoleLocale('en').map(({ key, text }) => [key, text] as const)]);
  const check = (language: Language, key: string, text: string): void => {
    if (language !== 'en' && text.includes(' ') && text.endsWith('.'))
      assert.notEqual(text, englishTexts.get(key), `${language} ${key}`);
  };
  forEachText(check);
  forEachConsoleText(check);
});

/** The letters besides a to z (CLDR, main and common auxiliary letters). */
const letters: Readonly<Record<Language, string>> = {
  da: 'æøåé',
  en: '',
  sv: 'åäöé',
  nb: 'æøåéòôó',
  fi: 'åäöšž',
  is: 'áðéíóúýþæö',
  de: 'äöüß',
  nl: 'ëïéèöü',
  fr: 'àâæçéèêëîïôœùûüÿ',
  pl: 'ąćęłńóśźż',
};

test('every text uses only letters and marks of its language', () => {
  const check = (language: Language, key: string, text: string): void => {
    const name = `${language} ${key}: ${text}`;
    const foreign = text.toLowerCase().match(new RegExp(`[^a-z${letters[language]}\\P{L}]`, 'gu'));
    assert.deepEqual(foreign, null, name);
    assert.equal(text, text.normalize('NFC').trim(), name);
    assert.doesNotMatch(text, /["'`´]|\.\.|\s\s|\s[.,)]|[\u2000-\u200f\ufeff]/u, name);
    if (language === 'fr') assert.doesNotMatch(text, /[^\u00a0][:;!?»]|«[^\u00a0]/u, name);
    else assert.doesNotMatch(text, /\s[:;!?]/u, name);
  };
  forEachText(check);
  forEachConsoleText(check);
});
