// The glossary is complete, and the texts of the ten languages use its words and marks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { languages, type Language } from '../../src/lib/text/language.ts';
import { readConsoleLocale, readLocale } from '../support/locales.ts';

const page = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

type Row = Readonly<Record<string, string>>;

/** The rows of the table under a heading, by column. */
function readTable(heading: string): Row[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const [head = [], , ...rows] = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, cells = '']) => cells.split(' | '));
  return rows.map((cells) => {
    assert.equal(cells.length, head.length, `${heading}: ${cells.join()}`);
    return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
  });
}

const words = readTable('Words').map((row) => ({ en: row['Term'] ?? '', ...row })) as unknown as Record<
  Language,
  string
>[];
const texts = languages.flatMap((language) =>
  [...readLocale(language), ...readConsoleLocale(language)].map((each) => ({ language, ...each })),
);

test('every term has a meaning and a word in each of the ten languages', () => {
  assert.ok(words.length > 40);
  assert.deepEqual(
    words.map(({ en }) => en),
    readTable('Meanings').map(({ Term }) => Term),
  );
  for (const row of words)
    for (const language of languages) assert.match(row[language] ?? '', /^\p{L}.*\p{L}$/u, `${language} ${row.en}`);
});

test('no word is used for two terms', () => {
  for (const language of languages) {
    const used = words.map((row) => row[language].toLowerCase());
    assert.deepEqual(
      used.filter((word, index) => used.indexOf(word) !== index),
      [],
      language,
    );
  }
});

test('no text has a word that the glossary avoids, such as the one for a financial institution', () => {
  const avoided = readTable('Words to avoid');
  for (const language of languages) {
    const rows = avoided.filter((row) => row['Language'] === language);
    assert.ok(
      rows.some(({ Because }) => Because === 'a financial institution'),
      language,
    );
    for (const { Avoid = '' } of rows) {
      const pattern = new RegExp(`(?<!\\p{L})${Avoid.replace('…', '\\p{L}*')}(?!\\p{L})`, 'iu');
      // The list of installers is of persons.
      for (const { key, text } of texts.filter((each) => each.language === language && each.key !== 'nav.installers'))
        assert.doesNotMatch(text, pattern, `${language} ${key}`);
    }
  }
});

/**
 * The stems that inflected forms of a term share: half of each of its long words, but at least three letters. They can
 * be inside a compound.
 */
function beginningsOf(term: string): string[] {
  const parts = term.toLowerCase().match(/\p{L}+/gu) ?? [];
  const long = parts.filter(({ length }) => length > 4);
  return (long.length > 0 ? long : parts.slice(0, 1)).map((part) =>
    part.slice(0, Math.max(3, Math.ceil(part.length / 2))),
  );
}

test('a sentence about bookings has the glossary’s word for each of its terms', () => {
  const sentences = new Map(
    texts
      .filter(({ key }) => /^booking-(?:codes|rules|warnings)\./.test(key))
      .map((each) => [`${each.language} ${each.key}`, each]),
  );
  const checked = new Set<string>();
  for (const { language, key, text } of sentences.values()) {
    const english = sentences.get(`en ${key}`)?.text.replaceAll(/\{\w+\}/g, '') ?? '';
    for (const row of words) {
      if (!new RegExp(`\\b${row.en}s?\\b`, 'i').test(english)) continue;
      checked.add(row.en);
      for (const beginning of beginningsOf(row[language]))
        assert.ok(text.toLowerCase().includes(beginning), `${language} ${key}: ${text} has no ${row[language]}`);
    }
  }
  for (const term of ['booking', 'resident', 'unit', 'location', 'housing association', 'tag', 'quiet hours', 'fee'])
    assert.ok(checked.has(term), term);
});

test('quotations are in the quotation marks of their language', () => {
  for (const { Language: language = '', 'Quotation marks': marks = '' } of readTable('Style of each language')) {
    const quoting = texts.filter((each) => each.language === language && /\{(?:tag|setting)\}/.test(each.text));
    assert.equal(quoting.length, 3, language);
    for (const { key, text } of quoting) {
      const quoted = marks.replaceAll(' ', '\u00a0').replace('…', /\{(?:tag|setting)\}/.exec(text)?.[0] ?? '');
      assert.ok(text.includes(quoted), `${language} ${key}: ${text} has not ${quoted}`);
    }
  }
});
