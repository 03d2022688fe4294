// What the console computes itself: exact numbers of answers, money, plurals, languages, and addresses after a login.
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../console/src/api/read-json.ts';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { createFormats, toDecimal, unknownZone } from '../../console/src/language/formats.ts';
import { chooseLanguage, languageNames, localeOf, type Language } from '../../console/src/language/languages.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { safeNext } from '../../console/src/paths.ts';
import { languages } from '../../src/lib/text/language.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('[console.06] money is read to the last digit over the whole range of 64 bits', () => {
  fc.assert(
    fc.property(int64, (amount) => {
      assert.deepEqual(readJson(`{"items":[{"amountMinor":${amount}}]}`), { items: [{ amountMinor: amount }] });
      const { value } = readJson(`{"value":${amount}}`) as { value: number | bigint };
      assert.equal(BigInt(value), amount);
    }),
  );
  assert.deepEqual(readJson('{"count":3,"value":1.5,"vatMinor":null,"text":"1"}'), {
    count: 3,
    value: 1.5,
    vatMinor: null,
    text: '1',
  });
  assert.throws(() => readJson('{"amountMinor":1.5}'), RangeError);
});

test('[console.06] money is shown to the last digit, with as many decimals as its currency has', () => {
  fc.assert(
    fc.property(int64, fc.constantFrom(0, 2, 3), (amount, digits) => {
      const decimal = toDecimal(amount, digits);
      assert.match(decimal, digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits}}$`));
      assert.equal(BigInt(decimal.replace('.', '')), amount);
    }),
  );
  const { money } = createFormats('en');
  assert.equal(money(-9_223_372_036_854_775_808n, 'DKK').replaceAll('\u00a0', ' '), '-DKK 92,233,720,368,547,758.08');
  assert.equal(createFormats('da').money(123_456n, 'DKK').replaceAll('\u00a0', ' '), '1.234,56 kr.');
  assert.equal(createFormats('is').money(1250n, 'ISK').replaceAll('\u00a0', ' '), '1.250 kr.');
  assert.equal(money(5n, null), '0.05');
});

test('a time is in the zone of its place', () => {
  const { dateTime } = createFormats('en');
  assert.match(dateTime('2026-07-01T22:30:00Z', 'Europe/Copenhagen'), /2 Jul 2026.*00:30/);
  assert.match(dateTime('2026-07-01T22:30:00Z', 'Atlantic/Reykjavik'), /1 Jul 2026.*22:30/);
});

test('the console has the languages of the service, and chooses the first that a reader prefers', () => {
  assert.deepEqual(Object.keys(languageNames).toSorted(), languages.toSorted());
  assert.equal(chooseLanguage(['it-IT', 'nn-NO', 'en']), 'nb');
  assert.equal(chooseLanguage(['no']), 'nb');
  assert.equal(chooseLanguage(['is-IS', 'en-US']), 'is');
  assert.equal(chooseLanguage(['it', 'ja']), 'en');
  assert.equal(chooseLanguage([]), 'en');
  for (const language of languages) assert.equal(new Intl.Locale(localeOf(language)).language, language);
});

test('a text has the plural form of its number', () => {
  const translate = (language: Language) => createTranslate(language, catalogueOf(language));
  const count = (language: Language, number: number): string =>
    translate(language)('count.locations', { count: number });
  assert.deepEqual([count('en', 1), count('en', 2)], ['1 location', '2 locations']);
  assert.deepEqual(
    [count('pl', 1), count('pl', 3), count('pl', 5)],
    ['1 lokalizacja', '3 lokalizacje', '5 lokalizacji'],
  );
  // What looks like a placeholder in a value is text.
  assert.equal(translate('en')('status.error', { error: '{error}' }), 'Error {error}');
});

test('[console.07] a login leads to no address outside the console', () => {
  assert.equal(safeNext('/banks/sund-B1001?filter=a'), '/banks/sund-B1001?filter=a');
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    undefined,
    '/login?next=/',
  ])
    assert.equal(safeNext(next), '/', String(next));
});

test('the end of a booking has its day if that is another one, in the zone of the place', () => {
  const { until } = createFormats('en');
  const start = '2026-11-26T14:00:00Z';
  assert.equal(until(start, '2026-11-26T16:00:00Z', 'Europe/Copenhagen'), '17:00');
  assert.equal(until(start, '2026-11-27T10:00:00Z', 'Europe/Copenhagen'), '27 Nov 2026, 11:00');
  assert.equal(until('2026-11-26T22:30:00Z', '2026-11-26T23:30:00Z', 'Europe/Copenhagen'), '27 Nov 2026, 00:30');
});

test('[console.37] a time whose zone is unknown names the zone that it is in', () => {
  const { dateTime, time } = createFormats('en');
  assert.equal(dateTime('2026-11-26T14:00:00Z', unknownZone), '26 Nov 2026, 14:00 UTC');
  assert.equal(time('2026-11-26T14:00:00Z', unknownZone), '14:00 UTC');
  assert.equal(time('2026-11-26T14:00:00Z', 'Atlantic/Reykjavik'), '14:00');
});
