// Durations, amounts and percentages in the ten languages, and that every code has a text.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { languages, localisedTexts, type Language } from '../../../lib/language.ts';
import { ruleCodes } from './booking-rules.ts';
import { warningCodes } from './policy-warnings.ts';
import { createDurationFormatter, createTextFormatter, createTextValueFormatter } from './text-format.ts';

test('[rules.03] durations are formatted in days, hours and minutes', () => {
  const table: [minutes: number, english: string, danish: string, polish: string][] = [
    [0, '0 minutes', '0 minutter', '0 minut'],
    [1, '1 minute', '1 minut', '1 minuta'],
    [45, '45 minutes', '45 minutter', '45 minut'],
    [60, '1 hour', '1 time', '1 godzina'],
    [90, '1 hour 30 minutes', '1 time og 30 minutter', '1 godzina i 30 minut'],
    [120, '2 hours', '2 timer', '2 godziny'],
    [1440, '1 day', '1 dag', '1 dzień'],
    [1505, '1 day 1 hour 5 minutes', '1 dag, 1 time og 5 minutter', '1 dzień, 1 godzina i 5 minut'],
    [20_160, '14 days', '14 dage', '14 dni'],
  ];
  for (const [minutes, english, danish, polish] of table) {
    assert.equal(createDurationFormatter('en')(minutes), english);
    assert.equal(createDurationFormatter('da')(minutes), danish);
    assert.equal(createDurationFormatter('pl')(minutes), polish);
  }
});

test('[rules.03] calendar days are not periods of 24 hours in a language that distinguishes them', () => {
  const ahead = (language: Language, days: number): string | number =>
    createTextValueFormatter(language, 'DKK')({ days });
  assert.deepEqual(
    [ahead('sv', 1), ahead('sv', 14), createDurationFormatter('sv')(20_160)],
    ['1 dag', '14 dagar', '14 dygn'],
  );
  assert.deepEqual(
    [ahead('nb', 1), ahead('nb', 14), createDurationFormatter('nb')(20_160)],
    ['1 dag', '14 dager', '14 døgn'],
  );
  assert.deepEqual([ahead('is', 21), ahead('is', 22)], ['21 dagur', '22 dagar']);
  const alike = languages.filter((language) => language !== 'sv' && language !== 'nb');
  for (const language of alike)
    for (let days = 1; days <= 730; days += 1)
      assert.equal(ahead(language, days), createDurationFormatter(language)(days * 1440), `${language} ${days}`);
});

const texts = new Map([
  ['price', 'It costs {amount}.'],
  ['share', '{share}'],
]);
const spaced = (text: string): string => text.replaceAll(/\s/g, ' ');

test('[rules.03] amounts are exact, with the decimals of their currency, and end a sentence with one full stop', () => {
  const costs = (language: 'da' | 'en' | 'de' | 'is', currency: string, minor: bigint): string =>
    spaced(createTextFormatter(texts, createTextValueFormatter(language, currency))('price', { amount: { minor } }));
  assert.equal(costs('en', 'DKK', 1250n), 'It costs DKK 12.50.');
  assert.equal(costs('da', 'DKK', 1250n), 'It costs 12,50 kr.');
  assert.equal(costs('de', 'EUR', 5n), 'It costs 0,05 €.');
  assert.equal(costs('is', 'ISK', 1250n), 'It costs 1.250 kr.');
  assert.equal(costs('en', 'JPY', 1250n), 'It costs ¥1,250.');
  assert.equal(costs('en', 'BHD', 1250n), 'It costs BHD 1.250.');
  assert.equal(costs('en', 'GBP', 2n ** 63n - 1n), 'It costs £92,233,720,368,547,758.07.');
});

test('[rules.03] shares are formatted in percent', () => {
  const share = (language: 'en' | 'fr'): string =>
    spaced(createTextFormatter(texts, createTextValueFormatter(language, 'DKK'))('share', { share: { percent: 50 } }));
  assert.deepEqual([share('en'), share('fr')], ['50%', '50 %']);
});

test('[rules.03] every code of a rule or warning has a text in each of the ten languages, with the same placeholders', () => {
  const own = (language: string, section: string): Record<string, string> =>
    JSON.parse(readFileSync(new URL(`../../../../locales/${language}.json`, import.meta.url), 'utf8'))[section];
  for (const [section, codes] of [
    ['bookingRules', ruleCodes],
    ['bookingWarnings', warningCodes],
  ] as const) {
    const english = own('en', section);
    for (const code of codes)
      assert.ok(
        Object.keys(english).some((key) => key === code || key.startsWith(`${code}-`)),
        code,
      );
    for (const language of languages) {
      const localeTexts = own(language, section);
      assert.deepEqual(Object.keys(localeTexts), Object.keys(english), language);
      const placeholders = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).toSorted();
      for (const [key, text] of Object.entries(localeTexts)) {
        assert.deepEqual(placeholders(text), placeholders(english[key]), `${language} ${key}`);
        assert.match(text, /^[^<>*_`#]+\.$/, `${language} ${key}`);
        if (language !== 'en') assert.notEqual(text, english[key], `${language} ${key}`);
      }
    }
    assert.equal(localisedTexts(section).da.size, Object.keys(english).length);
  }
});
