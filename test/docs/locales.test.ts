// The texts of the ten languages: the same placeholders, complete plurals, and the letters and marks of the language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, type Language } from '../../src/lib/language.ts';
import { readLocale } from '../support/locales.ts';

const english = new Map(readLocale('en').map(({ key, text }) => [key, text]));

function forEachText(check: (language: Language, key: string, text: string) => void): void {
  for (const language of languages) for (const { key, text } of readLocale(language)) check(language, key, text);
}

test('every language has the texts of English, with the same placeholders', () => {
  const placeholders = (text = ''): string[] => [...text.matchAll(/\{.*?\}/g)].map(([each]) => each).toSorted();
  for (const language of languages)
    assert.deepEqual(
      readLocale(language).map(({ key }) => key),
      [...english.keys()],
      language,
    );
  forEachText((language, key, text) => {
    assert.deepEqual(placeholders(text), placeholders(english.get(key)), `${language} ${key}`);
    assert.match(text.replaceAll(/\{[a-z]+\}/gi, ''), /^[^{}]*$/, `${language} ${key}`);
  });
});

test('a text that depends on a number has every plural form of every language', () => {
  const forms = new Set(readLocale('en').flatMap(({ key }) => (key.startsWith('calendarDays.') ? [key] : [])));
  for (const language of languages)
    for (const category of new Intl.PluralRules(language).resolvedOptions().pluralCategories)
      assert.ok(forms.has(`calendarDays.${category}`), `${language} ${category}`);
});

test('no sentence was left in English', () => {
  forEachText((language, key, text) => {
    if (language !== 'en' && text.includes(' ') && text.endsWith('.'))
      assert.notEqual(text, english.get(key), `${language} ${key}`);
  });
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
  forEachText((language, key, text) => {
    const name = `${language} ${key}: ${text}`;
    const foreign = text.toLowerCase().match(new RegExp(`[^a-z${letters[language]}\\P{L}]`, 'gu'));
    assert.deepEqual(foreign, null, name);
    assert.equal(text, text.normalize('NFC').trim(), name);
    assert.doesNotMatch(text, /["'`´]|\.\.|\s\s|\s[.,)]|[\u2000-\u200f\ufeff]/u, name);
    if (language === 'fr') assert.doesNotMatch(text, /[^\u00a0][:;!?»]|«[^\u00a0]/u, name);
    else assert.doesNotMatch(text, /\s[:;!?]/u, name);
  });
});
