// Checks durations, amounts and percentages in the ten languages, and that every code has a text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import bookingRules from '../../../../locales/booking-rules.json' with { type: 'json' };
import bookingWarnings from '../../../../locales/booking-warnings.json' with { type: 'json' };
import { languages, localisedTexts, type Language } from '../../../lib/text/language.ts';
import { ruleCodes } from './booking-rules.ts';
import { warningCodes } from './policy-warnings.ts';
import { createTextFormatter, createTextValueFormatter } from './text-format.ts';

/** No-break spaces as plain ones. */
const spaced = (text: string): string => text.replaceAll(/\s/g, ' ');

const createDurationFormatter =
  (language: Language) =>
  (minutes: number): string =>
    String(createTextValueFormatter(language, 'DKK')({ minutes }));

test('[rules.03] durations are formatted in days, hours and minutes, joined by the word for `and` of each language', () => {
  const minutes = [0, 1, 2, 60, 90, 300, 1440, 1505, 20_160];
  const table: Readonly<Record<Language, string>> = {
    da: '0 minutter|1 minut|2 minutter|1 time|1 time og 30 minutter|5 timer|1 dag|1 dag, 1 time og 5 minutter|14 dage',
    en: '0 minutes|1 minute|2 minutes|1 hour|1 hour and 30 minutes|5 hours|1 day|1 day, 1 hour and 5 minutes|14 days',
    sv: '0 minuter|1 minut|2 minuter|1 timme|1 timme och 30 minuter|5 timmar|1 dygn|1 dygn, 1 timme och 5 minuter|14 dygn',
    nb: '0 minutter|1 minutt|2 minutter|1 time|1 time og 30 minutter|5 timer|1 døgn|1 døgn, 1 time og 5 minutter|14 døgn',
    fi: '0 minuuttia|1 minuutti|2 minuuttia|1 tunti|1 tunti ja 30 minuuttia|5 tuntia|1 päivä|1 päivä, 1 tunti ja 5 minuuttia|14 päivää',
    is: '0 mínútur|1 mínúta|2 mínútur|1 klukkustund|1 klukkustund og 30 mínútur|5 klukkustundir|1 dagur|1 dagur, 1 klukkustund og 5 mínútur|14 dagar',
    de: '0 Minuten|1 Minute|2 Minuten|1 Stunde|1 Stunde und 30 Minuten|5 Stunden|1 Tag|1 Tag, 1 Stunde und 5 Minuten|14 Tage',
    nl: '0 minuten|1 minuut|2 minuten|1 uur|1 uur en 30 minuten|5 uur|1 dag|1 dag, 1 uur en 5 minuten|14 dagen',
    fr: '0 minute|1 minute|2 minutes|1 heure|1 heure et 30 minutes|5 heures|1 jour|1 jour, 1 heure et 5 minutes|14 jours',
    pl: '0 minut|1 minuta|2 minuty|1 godzina|1 godzina i 30 minut|5 godzin|1 dzień|1 dzień, 1 godzina i 5 minut|14 dni',
  };
  for (const language of languages)
    assert.deepEqual(
      minutes.map((each) => spaced(createDurationFormatter(language)(each))),
      table[language].split('|'),
    );
});

test('[rules.03] a duration has the plural form of its number', () => {
  const table: [language: Language, minutes: number, expected: string][] = [
    ['is', 21, '21 mínúta'],
    ['is', 31 * 60, '1 dagur og 7 klukkustundir'],
    ['is', 21 * 1440, '21 dagur'],
    ['pl', 22, '22 minuty'],
    ['pl', 25, '25 minut'],
    ['pl', 22 * 60, '22 godziny'],
    ['pl', 12 * 60 + 1, '12 godzin i 1 minuta'],
  ];
  for (const [language, minutes, expected] of table)
    assert.equal(spaced(createDurationFormatter(language)(minutes)), expected);
});

test('[rules.03] a setting is shown by its label', () => {
  const label = (language: Language, settingName: string): string | number =>
    createTextValueFormatter(language, 'DKK')({ settingName });
  assert.deepEqual(
    [label('en', 'BookingStep'), label('nb', 'BookingStep')],
    ['Time between starts', 'Tid mellom starttider'],
  );
  assert.equal(label('pl', 'BookingTag'), 'Etykieta wymagana do rezerwacji');
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
  for (const language of alike) {
    const [calendar, duration] = [createTextValueFormatter(language, 'DKK'), createDurationFormatter(language)];
    for (let days = 1; days <= 730; days += 1)
      assert.equal(calendar({ days }), duration(days * 1440), `${language} ${days}`);
  }
});

const texts = new Map([
  ['price', 'It costs {amount}.'],
  ['share', '{share}'],
]);

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
  for (const [file, codes] of [
    [bookingRules, ruleCodes],
    [bookingWarnings, warningCodes],
  ] as const) {
    const own = (language: Language): Record<string, string> =>
      Object.fromEntries(Object.entries(file).map(([key, text]) => [key, text[language]]));
    const english = own('en');
    for (const code of codes)
      assert.ok(
        Object.keys(english).some((key) => key === code || key.startsWith(`${code}-`)),
        code,
      );
    for (const language of languages) {
      const localeTexts = own(language);
      assert.deepEqual(Object.keys(localeTexts), Object.keys(english), language);
      const placeholders = (text = ''): string[] => [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).toSorted();
      for (const [key, text] of Object.entries(localeTexts)) {
        assert.deepEqual(placeholders(text), placeholders(english[key]), `${language} ${key}`);
        assert.match(text, /^[^<>*_`#]+\.$/, `${language} ${key}`);
        if (language !== 'en') assert.notEqual(text, english[key], `${language} ${key}`);
      }
    }
    assert.equal(localisedTexts(file).da.size, Object.keys(english).length);
  }
});
