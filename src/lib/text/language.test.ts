// Which language a header gets, and what becomes of the placeholders in names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import units from '../../../locales/units.json' with { type: 'json' };
import {
  languages,
  localiseName,
  localisedTexts,
  languageOfCountry,
  negotiateLanguage,
  type Language,
} from './language.ts';
import { codePoint } from '../../../test/support/code-point.ts';

const placeholders = [
  ['washer', 'dryer', 'ironer', 'shower', 'sauna', 'electricity_meter', 'water_meter', 'heat_meter', 'gas_meter'],
  [
    'door',
    'lock',
    'ev_charger',
    'parking',
    'guest_room',
    'party_room',
    'payment_terminal',
    'extractor',
    'bike_charger',
  ],
  [
    'gate',
    'elevator',
    'storage_room',
    'gym',
    'parcel_locker',
    'heat_pump',
    'thermometer',
    'smoke_detector',
    'waste_bin',
  ],
  ['freezer', 'unit'],
].flat();

test('every language names every kind of unit, in words that begin a name', () => {
  assert.deepEqual(Object.keys(units).toSorted(), placeholders.toSorted());
  for (const language of languages) {
    const words = Object.entries(units).map(([key, { [language]: text }]) => [key, text] as const);
    for (const [key, text] of words) {
      assert.match(text, /^\p{Lu}[\p{L}\p{M} ’-]*\p{L}$/u, `${language} ${key}`);
      assert.equal(text, text.normalize('NFC'));
      assert.equal(localiseName(`{${key}}`, language), text);
    }
    assert.equal(new Set(words.map(([, text]) => text)).size, placeholders.length, `${language} has a word for each`);
  }
});

test('a placeholder is put into words wherever it stands', () => {
  assert.equal(localiseName('{washer} 3', 'da'), 'Vaskemaskine 3');
  assert.equal(localiseName('{washer} 3', 'en'), 'Washer 3');
  assert.equal(localiseName('{washer} 3', 'nb'), 'Vaskemaskin 3');
  assert.equal(localiseName('A: {washer}/{dryer}, {washer}', 'de'), 'A: Waschmaschine/Trockner, Waschmaschine');
  assert.equal(localiseName('{washer}{dryer}', 'sv'), 'TvättmaskinTorktumlare');
  assert.equal(localiseName('{{washer}}', 'fi'), '{Pesukone}');
  assert.equal(localiseName('{ev_charger}', 'is'), 'Hleðslustöð');
});

test('names without placeholders, unknown placeholders and other braces stay as they are', () => {
  const names = [
    ['', 'Vask 3', 'washer', '{', '}', '{}', '{ washer }', '{washer', 'washer}', '{Washer}', '{WASHER}'],
    ['{was her}', '{0}'],
    ['{robot}', '{constructor}', '{__proto__}', '{to_string}', '{units}', '{washer|dryer}', '${washer', '$&', '$1'],
    ['{\ud800}'],
  ].flat();
  for (const name of names) {
    for (const language of languages) assert.equal(localiseName(name, language), name);
  }
  assert.equal(localiseName('{robot} {washer} {', 'da'), '{robot} Vaskemaskine {');
  assert.equal(localiseName('$& {washer} $1', 'da'), '$& Vaskemaskine $1');
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.constantFrom(...languages), (name, language) => {
      if (!/\{[a-z_]+\}/.test(name)) assert.equal(localiseName(name, language), name);
    }),
  );
});

test('a text that a language lacks is the English one', () => {
  const texts = localisedTexts({ washer: { en: 'Washer', da: 'Vaskemaskine' } }, { dryer: { en: 'Dryer' } });
  assert.deepEqual(
    [...texts.da],
    [
      ['washer', 'Vaskemaskine'],
      ['dryer', 'Dryer'],
    ],
  );
});

test('each language is found by its own name, with any region or script and in any case', () => {
  for (const language of languages) {
    for (const header of [
      language,
      language.toUpperCase(),
      `${language}-XX`,
      `${language}-Latn-XX`,
      ` ${language} ;q=0.001`,
    ]) {
      assert.equal(negotiateLanguage(header), language, header);
    }
  }
});

test('the language a header likes best is chosen, English where none is usable', () => {
  const examples: [header: string | undefined, language: Language][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['da-DK', 'da'],
    ['en-GB', 'en'],
    ['da-DK,da;q=0.9,en-US;q=0.8,en;q=0.7', 'da'],
    // Norwegian by its other names
    ['nb-NO', 'nb'],
    ['no', 'nb'],
    ['nn', 'nb'],
    ['nn-NO,no;q=0.9,en;q=0.8', 'nb'],
    // weights, then the order of the header
    ['da;q=0.1,sv;q=0.9,en;q=0.5', 'sv'],
    ['en;q=0.5,fi', 'fi'],
    ['da-DK, sv', 'da'],
    ['sv, da-DK', 'sv'],
    ['da;q=0.5,sv;q=0.5', 'da'],
    ['da;q=0.123,sv;q=0.124', 'sv'],
    ['da;q=1.000,sv;q=0.999', 'da'],
    ['zh,ja;q=0.9,pl;q=0.1', 'pl'],
    ['zh', 'en'],
    ['dan', 'en'],
    // refused; a refusal is one of the range it names
    ['da;q=0', 'en'],
    ['da;q=0.000,sv;q=0.1', 'sv'],
    ['da;q=0,da-DK', 'da'],
    ['da-DK;q=0,da', 'da'],
    ['no;q=0,nb', 'nb'],
    ['nb;q=0,no', 'nb'],
    ['nb;q=0,no;q=0,sv;q=0.1', 'sv'],
    // anything
    ['*', 'en'],
    ['zh,*;q=0.5', 'en'],
    ['*;q=0.5,da', 'da'],
    ['da;q=0.4,*;q=0.5', 'en'],
    ['*;q=0', 'en'],
    // spaces and empty elements are allowed, what is no language is as if it were not there
    [' da-DK ;\tq=0.2 , , sv ; q=0.3,', 'sv'],
    [',,,', 'en'],
    ['da;q=abc,sv;q=0.1', 'sv'],
    ['da;q=-1,sv;q=0.1', 'sv'],
    ['da;level=1,sv;q=0.1', 'da'],
    ['da_DK,sv;q=0.1', 'sv'],
    ['"da",sv;q=0.1', 'sv'],
    ['da DK,sv;q=0.1', 'sv'],
    ['*-DK,sv;q=0.1', 'en'],
    ['constructor,__proto__,sv;q=0.1', 'sv'],
    ['dа', 'en'],
    ['da\0', 'en'],
    ['DA;Q=0.5,SV;Q=0.6', 'sv'],
  ];
  for (const [header, language] of examples) {
    assert.equal(negotiateLanguage(header), language, JSON.stringify(header));
    assert.equal(negotiateLanguage(header), language, 'and again from memory');
  }
});

test('every header gets one of the ten, the best weighted if all are plain', () => {
  const ranges = fc.uniqueArray(
    fc.record({ language: fc.constantFrom(...languages), q: fc.integer({ min: 0, max: 1000 }) }),
    {
      selector: ({ language }) => language,
    },
  );
  fc.assert(
    fc.property(ranges, (wanted) => {
      const header = wanted.map(({ language, q }) => `${language};q=${(q / 1000).toFixed(3)}`).join(', ');
      const [best] = wanted.filter(({ q }) => q > 0).toSorted((one, other) => other.q - one.q);
      assert.equal(negotiateLanguage(header), best?.language ?? 'en');
    }),
  );
  fc.assert(fc.property(fc.string({ unit: codePoint }), (header) => languages.includes(negotiateLanguage(header))));
});

test('a header of more than 1024 characters counts as none', () => {
  assert.equal(negotiateLanguage('da'.padEnd(1024, ',')), 'da');
  assert.equal(negotiateLanguage('da'.padEnd(1025, ',')), 'en');
});

test('hostile headers and names take linear time', () => {
  const started = performance.now();
  for (const fragment of [
    ',',
    ';',
    'da,',
    'a',
    '-',
    '-a',
    ' ',
    '\t;',
    'q=',
    ';q=0',
    '0',
    '*',
    '{',
    '{a',
    '{washer',
    '}',
    '\0',
    '😀',
  ]) {
    negotiateLanguage(`da${fragment.repeat(500)}`.slice(0, 1024));
    negotiateLanguage(fragment.repeat(1_000_000));
    localiseName(fragment.repeat(100_000), 'da');
  }
  // Many headers, each seen once, run through the memory without growing it.
  for (let count = 0; count < 20_000; count += 1) assert.equal(negotiateLanguage(`sv,x-${count}`), 'sv');
  assert.ok(performance.now() - started < 5000);
});

test('a country has the language of most of its people, or English', () => {
  const expected = {
    DK: 'da',
    NO: 'nb',
    SE: 'sv',
    DE: 'de',
    AT: 'de',
    GB: 'en',
    IS: 'is',
    FI: 'fi',
    NL: 'nl',
    FR: 'fr',
  };
  for (const [country, language] of Object.entries(expected))
    assert.equal(languageOfCountry(country), language, country);
  for (const country of ['PL', 'ES', 'ZZ'])
    assert.equal(languageOfCountry(country), country === 'PL' ? 'pl' : 'en', country);
});
